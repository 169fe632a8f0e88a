"""The class separability score: how far apart a feature holds the classes of a node.

For two classes it is the distance of their means over the sum of their standard deviations; for
more it is the average over all pairs. A tree keeps the k candidates that score best.

In go the rows of a node, class by class, and some features; out come their class means (the node's
centroids) and scores, each the very double that R computes: means from 80-bit sums as `colMeans`
takes them, standard deviations in plain doubles as `matrixStats::colSds` does. Features are taken
LANES at a time, each sum in R's order in a lane of its own.
"""

import math
from collections import namedtuple

import numpy as np
import numpy.typing as npt

from pycdf.kernels.compile import entry, inner
from pycdf.kernels.extended_sums import add80, bits_of, divide80, double_of, sum80
from pycdf.kernels.simd import LANES, lane_apart, lane_squares, lane_sums

SPREAD_FLOOR = 1e-7  # keeps R's ratio finite where a feature is constant in both classes
_TOP_HALF = np.int64(~0x7FFFFFF)
_MOST_ROWS = 1 << 26  # counts with at most 26 bits: their products with half a double are exact

Rule = namedtuple("Rule", "integer ddof")
"""How a standard deviation is taken. `integer`: R's integer matrix, which skips the refinement of
the mean. `ddof`: the sum of squares is divided by n - ddof, 1 in R's package, 0 in the paper."""

Lanes = namedtuple("Lanes", "values counts sums center means spreads")
"""LANES features at work: values (row by row, a lane each), how many each has, running sums, what
is subtracted in them; then means and standard deviations, lanes x classes."""


def new_lanes(n: int, n_classes: int) -> Lanes:
    """Room for nodes of up to `n` rows."""
    return Lanes(
        np.zeros(n * LANES),
        np.empty(LANES, np.int64),
        np.empty(3 * LANES),
        np.zeros(LANES),
        np.empty((LANES, n_classes)),
        np.empty((LANES, n_classes)),
    )


@inner
def settle_lanes(columns, features, first, last, grouped, offsets, n_classes, rule, lanes):
    """Means and standard deviations of `features[first:last]`, at most LANES, in every class.

    `grouped` holds the node's rows class by class, `offsets` where each class begins. Missing
    values are left out: what is present moves up, and the lane is filled with zeros, then with its
    center, neither of which changes a sum.
    """
    # Arrays are taken out of their tuple here: in a loop each access would count references.
    values, counts, sums, center = lanes.values, lanes.counts, lanes.sums, lanes.center
    means, spreads = lanes.means, lanes.spreads
    n_lanes = last - first  # the rest of the lanes hold what the features before left there
    for c in range(n_classes):
        begin = offsets[c]
        size = offsets[c + 1] - begin
        complete = True
        for lane in range(n_lanes):
            column = columns[features[first + lane]]
            gaps = False
            for i in range(size):
                value = column[grouped[begin + i]]
                values[i * LANES + lane] = value
                gaps |= value != value
            counts[lane] = size
            if gaps:
                complete = False
                counts[lane] = _close_up(values, lane, size)
        lane_sums(values, size, center, sums)
        for lane in range(n_lanes):
            count = counts[lane]
            center[lane] = sums[lane] / count
            mean = _mean_from_sum(sums[lane], sums[LANES + lane], sums[2 * LANES + lane], count)
            if mean != mean and count > 0:
                high, low = sum80(values, lane, LANES, count)
                mean = divide80(high, low, count)
            means[lane, c] = mean
        if not rule.integer:
            if not complete:
                _fill(values, counts, center, size, n_lanes)
            lane_apart(values, size, center, sums)
            for lane in range(n_lanes):
                center[lane] += sums[lane] / counts[lane]
        if not complete:
            _fill(values, counts, center, size, n_lanes)
        lane_squares(values, size, center, sums)
        for lane in range(n_lanes):
            count = counts[lane]
            spread = math.sqrt(sums[lane] / (count - rule.ddof)) if count > rule.ddof else np.nan
            spreads[lane, c] = spread


@inner
def _close_up(values, lane, size):
    """Move the values of a lane over the missing ones, zeros behind; returns how many there are."""
    count = 0
    for i in range(size):
        value = values[i * LANES + lane]
        if value == value:
            values[count * LANES + lane] = value
            count += 1
    for i in range(count, size):
        values[i * LANES + lane] = 0.0
    return count


@inner
def _fill(values, counts, center, size, n_lanes):
    """Fill the lanes of features with missing values with their center."""
    for lane in range(n_lanes):
        for i in range(counts[lane], size):
            values[i * LANES + lane] = center[lane]


@inner
def _mean_from_sum(total, lost, largest, count):
    """R's mean, where a plain sum and its rounding errors leave no doubt about it; else NaN.

    R rounds each of the `count` partial sums to 64 bits, so its sum is at most
    `count * largest * 2^-64` off the true one, and its quotient another 2^-64 of itself. If both
    ends of that range round to one double, that is the mean.
    """
    first = total / count
    if largest == 0.0 and count > 0:
        return 0.0
    if not (1e-270 < abs(first) < 1e270) or count >= _MOST_ROWS:
        return np.nan
    # first * count, taken in two halves, is exact, and so is what is left of the sum
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
def score_of(means, spreads, lane, n_classes):
    """The score from class means and standard deviations; pairs that lack one are left out."""
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


@inner
def group_by_class(rows, codes, n_classes, order, grouped, offsets, place):
    """Put the rows of a node class by class, classes by first appearance, rows in their order.

    Fills `order` (class codes), `grouped` and `offsets`; returns the number of classes found.
    """
    for c in range(n_classes):
        place[c] = -1
    found = 0
    for i in range(rows.size):
        code = codes[rows[i]]
        if place[code] < 0:
            place[code] = found
            order[found] = code
            found += 1
            offsets[found] = 0
        offsets[place[code] + 1] += 1
    offsets[0] = 0
    for c in range(found):
        offsets[c + 1] += offsets[c]
        place[order[c]] = offsets[c]
    for i in range(rows.size):
        code = codes[rows[i]]
        grouped[place[code]] = rows[i]
        place[code] += 1
    return found


@entry
def all_scores(columns, codes, n_classes, rule, lanes, scores):
    """Fill in the score of every column over all rows."""
    p, n = columns.shape
    order = np.empty(n_classes, np.int32)
    offsets = np.empty(n_classes + 1, np.int64)
    grouped = np.empty(n, np.int32)
    place = np.empty(n_classes + 1, np.int64)
    rows = np.arange(n).astype(np.int32)
    found = group_by_class(rows, codes, n_classes, order, grouped, offsets, place)
    features = np.arange(p).astype(np.int32)
    for first in range(0, p, LANES):
        last = min(first + LANES, p)
        settle_lanes(columns, features, first, last, grouped, offsets, found, rule, lanes)
        for j in range(first, last):
            scores[j] = score_of(lanes.means, lanes.spreads, j - first, found)


def scores(
    X: npt.ArrayLike, codes: npt.ArrayLike, integer: bool = False
) -> npt.NDArray[np.float64]:
    """The class separability score of every column of `X`, for classes given as codes 0, 1, 2, ...

    `integer` follows R's integer matrices. A feature that cannot be scored has 0.
    """
    columns = np.ascontiguousarray(np.asarray(X, dtype=np.float64).T)
    classes = np.asarray(codes, dtype=np.int32)
    result = np.empty(len(columns))
    n_classes = int(classes.max()) + 1
    lanes = new_lanes(len(classes), n_classes)
    all_scores(columns, classes, n_classes, Rule(bool(integer), 1), lanes, result)
    return result
