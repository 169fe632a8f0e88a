"""Confidence intervals of proportions and of the area under a ROC curve, and a test of pairs.

The intervals are those that remain sound near 0 and 1 and with few rows, where the usual "estimate
plus or minus two standard errors" is too short or leaves the scale. All have a level of 95 %, and
assume that rows are independent of each other.
"""

from collections.abc import Callable
from math import log, nan, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

_Z = NormalDist().inv_cdf(0.975)
_STEPS = 60  # bisections: the bounds are then exact to the last bits of a double
FEWEST_FOR_AUC = 5
"""Rows of a class, and of the others, below which the interval of an AUC has not been studied."""


class Bounds(NamedTuple):
    """A 95 % confidence interval; NaN if there is none."""

    low: float
    high: float


NO_BOUNDS = Bounds(nan, nan)


def proportion_bounds(count: int, total: int) -> Bounds:
    """Wilson's score interval of a proportion (1927); none if the total is 0."""
    if total == 0:
        return NO_BOUNDS
    share, weight = count / total, _Z**2 / total
    centre = (share + weight / 2) / (1 + weight)
    half = sqrt(weight * (share * (1 - share) + weight / 4)) / (1 + weight)
    # At the ends of the scale, rounding would leave the estimate outside its interval.
    low = 0.0 if count == 0 else centre - half
    high = 1.0 if count == total else centre + half
    return Bounds(low, high)


def auc_bounds(auc: float, positive: int, negative: int) -> Bounds:
    """Newcombe's interval of the area under a ROC curve (2006, his method 5).

    It holds the areas from which the estimate is less than 1.96 standard errors away, so that, as
    for proportions, an estimate of 1 has an interval, too. None if one of the groups has fewer than
    five rows.
    """
    if min(positive, negative) < FEWEST_FOR_AUC:
        return NO_BOUNDS
    weight = (positive + negative) / 2 - 1

    def excess(area: float) -> float:
        spread = area * (1 - area) / (positive * negative)
        spread *= 1 + weight * ((1 - area) / (2 - area) + area / (1 + area))
        return abs(auc - area) - _Z * sqrt(spread)

    low = 0.0 if auc == 0 else _root(excess, 0.0, auc)
    high = 1.0 if auc == 1 else _root(excess, 1.0, auc)
    return Bounds(low, high)


def _root(function: Callable[[float], float], outside: float, inside: float) -> float:
    """Where a function, positive at ``outside`` and negative at ``inside``, changes its sign."""
    for _ in range(_STEPS):
        middle = (outside + inside) / 2
        if function(middle) > 0:
            outside = middle
        else:
            inside = middle
    return inside


def paired_p_value(better: int, worse: int) -> float:
    """McNemar's exact test of two classifiers on the same rows, two-sided.

    ``better`` counts the rows that only the first one predicts correctly, ``worse`` those that only
    the second one does.
    """
    n, fewer = better + worse, min(better, worse)
    k = np.arange(1, fewer + 1)
    log_ways = np.concatenate([[0.0], np.cumsum(np.log((n - k + 1) / k))])  # n choose 0, 1, ...
    return min(1.0, 2 * float(np.exp(log_ways - n * log(2)).sum()))
