"""The class separability score: how far apart a feature holds the classes of a node.

For two classes it is the distance of their means over the sum of their standard deviations; for
more it is the average over all pairs. A tree keeps the k candidates that score best.

In go the values of one feature in a node, class by class; out come the class means (the node's
centroids) and the score, each the very double that R computes: means from 80-bit sums as
``colMeans`` takes them, standard deviations in plain doubles as ``matrixStats::colSds`` does.
"""

from collections import namedtuple

import numpy as np
import numpy.typing as npt

from pycdf._jit import entry, inner, once
from pycdf.extended import add80, bits_of, divide80, double_of, two_sum
from pycdf.simd import LANES, lane_apart, lane_squares, lane_sums

SPREAD_FLOOR = 1e-7  # keeps R's ratio finite where a feature is constant in both classes
_CLEAR_TOP_BITS = np.int64(~0x7FFFFFF)
_STEP_64 = 2.0**-64
_EXACT_COUNTS = 1 << 26


@inner
def mean_and_spread(values, count, integer):
    """Mean and standard deviation of ``values[:count]``, as R rounds them.

    R's integer matrices skip the refinement of the mean inside the standard deviation.
    """
    if count == 0:
        return np.nan, np.nan
    total = 0.0
    lost = 0.0
    largest = 0.0
    for i in range(count):
        total, rest = two_sum(total, values[i])
        lost += rest
        largest = max(largest, abs(total))
    mean = _mean_from_sum(total, lost, largest, count)
    if np.isnan(mean):
        mean = _mean_step_by_step(values, count)
    if count == 1:
        return mean, np.nan
    center = total / count
    if not integer:
        total = 0.0
        for i in range(count):
            total += values[i] - center
        center += total / count
    total = 0.0
    for i in range(count):
        apart = values[i] - center
        total += apart * apart
    return mean, np.sqrt(total / (count - 1))


@inner
def _mean_from_sum(total, lost, largest, count):
    """R's mean, where a plain sum and its rounding errors leave no doubt about it; else NaN.

    R rounds each of the ``count`` partial sums to 64 bits, so its sum is at most ``count * largest
    * 2^-64`` off the true one, and its quotient another 2^-64 of itself. If both ends of that range
    round to one double, that is the mean.
    """
    first = total / count
    if not (1e-270 < abs(first) < 1e270) or count >= _EXACT_COUNTS:
        return 0.0 if largest == 0.0 else np.nan
    # first * count, taken in two halves, is exact, and so is what is left of the sum
    top = double_of(bits_of(first) & _CLEAR_TOP_BITS)
    second = (((total - top * count) - (first - top) * count) + lost) / count
    mean = first + second
    rest = (first - mean) + second
    doubt = (
        (largest + abs(mean)) * (_STEP_64 * 1.01)
        + largest * (count * 2.0**-104)
        + abs(second) * 2.0**-50
    )
    return mean if mean + (rest - doubt) == mean and mean + (rest + doubt) == mean else np.nan


@inner
def _mean_step_by_step(values, count):
    high = 0.0
    low = 0.0
    for i in range(count):
        high, low = add80(high, low, values[i])
    return divide80(high, low, count)


@inner
def score_of(means, spreads, n_classes):
    """The score from class means and standard deviations; pairs that lack one are left out."""
    high = 0.0
    low = 0.0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            pair = abs(means[a] - means[b]) / ((spreads[a] + spreads[b]) + SPREAD_FLOOR)
            if not np.isnan(pair):
                high, low = add80(high, low, pair)
    score = (2.0 / (n_classes * (n_classes - 1.0))) * high
    return score if np.isfinite(score) else -np.inf


Scratch = namedtuple("Scratch", "values sums center spreads")
"""Room to settle LANES features side by side: values row by row, running sums, centers, spreads."""


@once
def new_scratch(n, n_classes):
    """Scratch for nodes of up to ``n`` rows."""
    return Scratch(
        np.empty(n * LANES), np.empty(3 * LANES), np.zeros(LANES), np.empty((LANES, n_classes))
    )


@once
def settle(
    columns,
    incomplete,
    features,
    size,
    grouped,
    offsets,
    n_classes,
    integer,
    scratch,
    means,
    scores,
):
    """R's exact scores of some features in a node; their class means are left in ``means``.

    ``grouped`` holds the node's rows class by class, ``offsets`` where each class begins;
    ``incomplete[j]`` is negative for a feature without missing values.
    """
    spreads = scratch.spreads
    for first in range(0, size, LANES):
        last = min(first + LANES, size)
        complete = True
        for i in range(first, last):
            complete = complete and incomplete[features[i]] < 0
        if complete:
            _settle_lanes(
                columns, features[first:last], grouped, offsets, n_classes, integer, scratch,
                means[first:last],
            )  # fmt: skip
        else:
            for i in range(first, last):
                _settle_one(
                    columns[features[i]], grouped, offsets, n_classes, integer, scratch,
                    means[i], spreads[i - first],
                )  # fmt: skip
        for i in range(first, last):
            scores[i] = score_of(means[i], spreads[i - first], n_classes)


@once
def _settle_one(column, grouped, offsets, n_classes, integer, scratch, means, spreads):
    """Means and standard deviations of one feature, class by class, missing values left out."""
    for c in range(n_classes):
        count = 0
        for i in range(offsets[c], offsets[c + 1]):
            value = column[grouped[i]]
            if not np.isnan(value):
                scratch.values[count] = value
                count += 1
        means[c], spreads[c] = mean_and_spread(scratch.values, count, integer)


@once
def _settle_lanes(columns, features, grouped, offsets, n_classes, integer, scratch, means):
    """Means and standard deviations of up to LANES features without missing values.

    The same arithmetic as :func:`mean_and_spread`, one feature to a lane.
    """
    n_features = features.size
    values, sums, center, spreads = scratch.values, scratch.sums, scratch.center, scratch.spreads
    for c in range(n_classes):
        begin = offsets[c]
        count = offsets[c + 1] - begin
        for lane in range(LANES):
            column = columns[features[min(lane, n_features - 1)]]
            for i in range(count):
                values[i * LANES + lane] = column[grouped[begin + i]]
        lane_sums(values, count, center, sums)
        for lane in range(LANES):
            center[lane] = sums[lane] / count
        for lane in range(n_features):
            mean = _mean_from_sum(sums[lane], sums[LANES + lane], sums[2 * LANES + lane], count)
            if np.isnan(mean):
                mean = _mean_step_by_step(values[lane::LANES], count)
            means[lane, c] = mean
        if not integer:
            lane_apart(values, count, center, sums)
            for lane in range(LANES):
                center[lane] += sums[lane] / count
        lane_squares(values, count, center, sums)
        for lane in range(n_features):
            spreads[lane, c] = np.sqrt(sums[lane] / (count - 1)) if count > 1 else np.nan


@once
def group_by_class(rows, codes, n_classes, order, grouped, offsets, place):
    """Put the rows of a node class by class, classes by first appearance, rows in their order.

    Fills ``order`` (class codes), ``grouped``, ``offsets``; returns the number of classes in the
    node.
    """
    for c in range(n_classes):
        place[c] = -1
    found = 0
    for i in range(rows.size):
        code = codes[rows[i]]
        if place[code] < 0:
            place[code] = found
            order[found] = code
            offsets[found + 1] = 0
            found += 1
        offsets[place[code] + 1] += 1
    offsets[0] = 0
    for c in range(found):
        offsets[c + 1] += offsets[c]
    for c in range(found):
        place[order[c]] = offsets[c]
    for i in range(rows.size):
        code = codes[rows[i]]
        grouped[place[code]] = rows[i]
        place[code] += 1
    return found


@entry
def all_scores(columns, codes, n_classes, integer):
    """The score of every column over all rows."""
    n = codes.size
    order = np.empty(n_classes, np.int32)
    offsets = np.empty(n_classes + 1, np.int64)
    grouped = np.empty(n, np.int32)
    place = np.empty(n_classes, np.int64)
    found = group_by_class(
        np.arange(n, dtype=np.int32), codes, n_classes, order, grouped, offsets, place
    )
    scores = np.empty(columns.shape[0])
    incomplete = np.full(columns.shape[0], -1, np.int32)
    for j in range(columns.shape[0]):
        if np.isnan(columns[j]).any():
            incomplete[j] = 0
    settle(
        columns, incomplete, np.arange(columns.shape[0]), columns.shape[0], grouped, offsets, found,
        integer,
        new_scratch(n, n_classes), np.empty((columns.shape[0], n_classes)), scores,
    )  # fmt: skip
    return scores


def scores(
    X: npt.ArrayLike, codes: npt.ArrayLike, integer: bool = False
) -> npt.NDArray[np.float64]:
    """The class separability score of every column of ``X``, for classes given as codes 0, 1, 2,
    ...

    ``integer`` follows R's integer matrices. A feature that cannot be scored has 0.
    """
    columns = np.ascontiguousarray(np.asarray(X, dtype=np.float64).T)
    classes = np.asarray(codes, dtype=np.int32)
    n_classes = int(classes.max()) + 1
    return np.asarray(all_scores(columns, classes, n_classes, bool(integer)))
