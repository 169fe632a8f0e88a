"""The class separability score: how well a feature separates the classes of a node.

For two classes it is the distance of their means divided by the sum of their standard deviations;
for more it is the average over all pairs. A node selects the k candidates with the best scores.

Scores and class means (the node's centroids) are exactly the doubles that R computes: means from
80-bit sums as in ``colMeans``, standard deviations in plain doubles as
``matrixStats::colSds`` does (:mod:`pycdf.kernels.lanes`).
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inner
from pycdf.kernels.extended_sums import add80, divide80, sum80
from pycdf.kernels.lanes import fill_lane, measure_spreads, new_lanes
from pycdf.kernels.simd import bits_of, double_of, lane_sums
from pycdf.kernels.simd_sizes import LANES

SPREAD_FLOOR = 1e-7  # keeps R's ratio finite where a feature is constant in both classes
_TOP_HALF = np.int64(~0x7FFFFFF)
_MOST_ROWS = 1 << 26  # counts with at most 26 bits: their products with half a double are exact

Scored = namedtuple("Scored", "scores means spreads lanes")
"""Scored features: their `scores`, and their class `means`, features x classes. The others are
scratch: `spreads`, standard deviations, LANES x classes; and the `lanes`. Arrays are float64."""


def new_scored(n: int, n_classes: int, n_features: int) -> Scored:
    """Arrays for up to `n_features` features of nodes of up to `n` rows."""
    return Scored(
        scores=np.empty(n_features),
        means=np.empty((n_features, n_classes)),
        spreads=np.empty((LANES, n_classes)),
        lanes=new_lanes(n),
    )


@inner
def score_features(columns, features, start, count, classes, n_classes, rule, scored):
    """Compute the exact scores and class means of `features[start : start + count]` in a node.

    Parameters
    ----------
    columns : float64, features x rows
        The training matrix, NaN where a value is missing.
    features : int32
    classes : ClassRows
        The rows of the node, of `n_classes` classes.
    rule : Rule
    scored : Scored
        Gets the results, from 0 on.
    """
    scores, spreads, lanes = scored.scores, scored.spreads, scored.lanes
    for first in range(0, count, LANES):
        n_lanes = min(LANES, count - first)
        means = scored.means[first : first + n_lanes]
        for c in range(n_classes):
            _measure_class(
                columns, features, start + first, n_lanes, classes, c, rule, lanes, means, spreads
            )
        for lane in range(n_lanes):
            scores[first + lane] = _score(means, spreads, lane, n_classes)


@inner
def measure_means(columns, features, count, classes, n_classes, scored):
    """Compute only the class means of `features[:count]` in a node, as :func:`score_features`."""
    for first in range(0, count, LANES):
        n_lanes = min(LANES, count - first)
        means = scored.means[first : first + n_lanes]
        for c in range(n_classes):
            _measure_means(columns, features, first, n_lanes, classes, c, scored.lanes, means)


@inner
def _measure_class(columns, features, start, n_lanes, classes, c, rule, lanes, means, spreads):
    """Write the means and standard deviations of `features[start : start + n_lanes]` in class c."""
    complete = _measure_means(columns, features, start, n_lanes, classes, c, lanes, means)
    size = classes.starts[c + 1] - classes.starts[c]
    measure_spreads(lanes, n_lanes, size, complete, rule)
    for lane in range(n_lanes):
        spreads[lane, c] = lanes.sums[lane]


@inner
def _measure_means(columns, features, start, n_lanes, classes, c, lanes, means):
    """Write the means of `features[start : start + n_lanes]` in class c.

    Return whether no value is missing; the lanes are ready for :func:`measure_spreads`.
    """
    values, counts, sums, center = lanes.values, lanes.counts, lanes.sums, lanes.center
    begin = classes.starts[c]
    size = classes.starts[c + 1] - begin
    complete = True
    for lane in range(n_lanes):  # the other lanes hold numbers of the features before
        column = columns[features[start + lane]]
        counts[lane] = fill_lane(column, classes.rows, begin, size, values, lane)
        complete &= counts[lane] == size
    lane_sums(values, size, center, sums)
    for lane in range(n_lanes):
        count = counts[lane]
        center[lane] = sums[lane] / count
        mean = _mean_from_sum(sums[lane], sums[LANES + lane], sums[2 * LANES + lane], count)
        if mean != mean and count > 0:
            high, low = sum80(values, lane, LANES, count)
            mean = divide80(high, low, count)
        means[lane, c] = mean
    return complete


@inner
def _mean_from_sum(total, lost, largest, count):
    """R's mean, if a plain sum and its rounding errors determine it; otherwise NaN.

    R rounds each of the `count` partial sums to 64 bits, so its sum is at most
    `count * largest * 2^-64` off the true one, and its quotient another 2^-64 of itself. If both
    ends of that range round to the same double, that is the mean.
    """
    first = total / count
    if largest == 0.0 and count > 0:
        return 0.0
    if not (1e-270 < abs(first) < 1e270) or count >= _MOST_ROWS:
        return np.nan
    # first * count, computed in two halves, is exact, and so is the remainder of the sum
    top = double_of(bits_of(first) & _TOP_HALF)
    second = (((total - top * count) - (first - top) * count) + lost) / count
    mean = first + second
    rest = (first - mean) + second
    doubt = (
        (largest + abs(mean)) * (1.01 * 2.0**-64)
        + largest * (count * 2.0**-104)
        + abs(second) * 2.0**-50
    )
    return mean if mean + (rest - doubt) == mean and mean + (rest + doubt) == mean else np.nan


@inner
def _score(means, spreads, lane, n_classes):
    """The score from class means and standard deviations; pairs without one are left out."""
    high = 0.0
    low = 0.0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            spread = (spreads[lane, a] + spreads[lane, b]) + SPREAD_FLOOR
            pair = abs(means[lane, a] - means[lane, b]) / spread
            if pair == pair:
                high, low = add80(high, low, pair)
    score = (2.0 / (n_classes * (n_classes - 1.0))) * high
    return score if score < np.inf else -np.inf
