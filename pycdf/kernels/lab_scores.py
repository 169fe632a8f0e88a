"""Scores of a feature in a node, other than R's: how well it separates the classes.

A score gets the values of the feature that are not missing, class by class, and where each class
begins: those of class c are `values[starts[c] : starts[c + 1]]`. It may sort the values of a class.
The largest scores are selected; one that is not finite is worse than all others. A new score is a
function here and a line in SCORES.
"""

import math

import numpy as np

from pycdf.kernels.compile import inner
from pycdf.kernels.lab_registry import one_of
from pycdf.kernels.scores import SPREAD_FLOOR

_FEW = 256  # values that are compared pair by pair


@inner
def welch(values, starts):
    """Welch's t without its sign, on average over all pairs of classes."""
    n_classes = starts.size - 1
    total = 0.0
    for a in range(n_classes):
        mean, error = _mean_and_error(values, starts[a], starts[a + 1])
        for b in range(a + 1, n_classes):
            other_mean, other_error = _mean_and_error(values, starts[b], starts[b + 1])
            t = abs(mean - other_mean) / (math.sqrt(error + other_error) + SPREAD_FLOOR)
            total += t if t == t else 0.0
    return 2.0 * total / (n_classes * (n_classes - 1.0))


@inner
def _mean_and_error(values, first, end):
    """The mean of some values and the square of its standard error; NaN for fewer than two."""
    n = end - first
    mean = sum_of(values, first, end) / n
    return mean, squares_about(values, first, end, mean) / (n - 1.0) / n if n > 1 else math.nan


@inner
def f(values, starts):
    """The F statistic of an analysis of variance: between classes over within classes."""
    n_classes = 0
    grand = sum_of(values, 0, starts[starts.size - 1]) / starts[starts.size - 1]
    between = 0.0
    within = 0.0
    for c in range(starts.size - 1):
        size = starts[c + 1] - starts[c]
        if size > 0:
            mean = sum_of(values, starts[c], starts[c + 1]) / size
            between += size * (mean - grand) * (mean - grand)
            within += squares_about(values, starts[c], starts[c + 1], mean)
            n_classes += 1
    degrees = starts[starts.size - 1] - n_classes
    if n_classes < 2 or degrees < 1:
        return 0.0
    return between / (n_classes - 1.0) / (within / degrees + SPREAD_FLOOR * SPREAD_FLOOR)


@inner
def auc(values, starts):
    """How far the area under the ROC curve is from chance, 0 to 1, on average over all pairs."""
    n_classes = starts.size - 1
    few = values.size <= _FEW
    if not few:
        for c in range(n_classes):
            _sort(values, starts[c], starts[c + 1])
    total = 0.0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            pairs = (starts[a + 1] - starts[a]) * (starts[b + 1] - starts[b])
            if pairs > 0:
                if few:
                    wins = _wins_by_pairs(
                        values, starts[a], starts[a + 1], starts[b], starts[b + 1]
                    )
                else:
                    wins = _wins(values, starts[a], starts[a + 1], starts[b], starts[b + 1])
                total += abs(wins) / pairs
    return 2.0 * total / (n_classes * (n_classes - 1.0))


@inner
def _wins_by_pairs(values, first, end, other_first, other_end):
    """As :func:`_wins`, of values in any order: faster than sorting a few."""
    wins = np.int64(0)
    for i in range(first, end):
        value = values[i]
        for j in range(other_first, other_end):
            wins += np.int64(values[j] < value) - np.int64(values[j] > value)
    return wins


@inner
def _wins(values, first, end, other_first, other_end):
    """In how many pairs the first sorted values are larger, less those in which the others are."""
    below = other_first  # the others before it are smaller
    up_to = other_first  # and those before it are not larger
    wins = 0
    for i in range(first, end):
        while below < other_end and values[below] < values[i]:
            below += 1
        while up_to < other_end and values[up_to] <= values[i]:
            up_to += 1
        wins += (below - other_first) - (other_end - up_to)
    return wins


@inner
def _sort(values, first, end):
    """Sort `values[first:end]` in place (Shell sort, with gaps that shrink by 2.25)."""
    gap = 1
    while gap < end - first:
        gap = gap * 9 // 4 + 1
    while gap > 1:
        gap = max(1, (gap - 1) * 4 // 9)
        for i in range(first + gap, end):
            value = values[i]
            place = i
            while place >= first + gap and values[place - gap] > value:
                values[place] = values[place - gap]
                place -= gap
            values[place] = value


@inner
def sum_of(values, first, end):
    """The sum of `values[first:end]`, in order."""
    total = 0.0
    for i in range(first, end):
        total += values[i]
    return total


@inner
def squares_about(values, first, end, center):
    """The sum of the squared differences of `values[first:end]` from a center, in order."""
    total = 0.0
    for i in range(first, end):
        total += (values[i] - center) * (values[i] - center)
    return total


SCORES = {"welch": welch, "f": f, "auc": auc}
"""The scores by name. Their numbers in kernels are 1, 2, ...; 0 is R's."""

score_of = one_of(SCORES)
