"""Welch's t and F of LANES features side by side, each sum in the order of the rows.

The results are those of :mod:`pycdf.kernels.lab_scores` to the last bit, several times as fast: one
sum has to wait for each of its additions, and LANES of them wait together.
"""

import math
from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inner
from pycdf.kernels.lanes import Lanes, fill_lane
from pycdf.kernels.scores import SPREAD_FLOOR
from pycdf.kernels.simd import lane_differences, lane_squares
from pycdf.kernels.simd_sizes import LANES

LaneMoments = namedtuple("LaneMoments", "lanes zeros totals means squares")
"""Scratch arrays for LANES features: the `lanes`; `zeros` and sums over all rows, `totals`, one for
each lane; classes x LANES: `means`, and `squares` about them. All are float64."""


def new_lane_moments(lanes: Lanes, n_classes: int) -> LaneMoments:
    """Arrays for nodes of up to `n_classes` classes; `lanes` are for all rows."""
    return LaneMoments(
        lanes=lanes,
        zeros=np.zeros(LANES),
        totals=np.empty(LANES),
        means=np.empty((n_classes, LANES)),
        squares=np.empty((n_classes, LANES)),
    )


@inner
def measure_lanes(columns, candidates, first, n_lanes, classes, n_classes, moments):
    """Compute the moments of `candidates[first : first + n_lanes]`; return whether that is all.

    It is not if a value is missing.
    """
    values, starts = moments.lanes.values, classes.starts
    n = starts[n_classes]
    for lane in range(n_lanes):
        if fill_lane(columns[candidates[first + lane]], classes.rows, 0, n, values, lane) < n:
            return False
    lane_differences(values, n, moments.zeros, moments.totals)
    for c in range(n_classes):
        size = starts[c + 1] - starts[c]
        block = values[starts[c] * LANES : starts[c + 1] * LANES]
        means = moments.means[c]
        lane_differences(block, size, moments.zeros, means)
        for lane in range(LANES):
            means[lane] /= size
        lane_squares(block, size, means, moments.squares[c])
    return True


@inner
def welch_in_lane(lane, classes, n_classes, moments):
    """Welch's t of a feature, as :func:`pycdf.kernels.lab_scores.welch`."""
    total = 0.0
    for a in range(n_classes):
        error = _squared_error(lane, a, classes, moments)
        for b in range(a + 1, n_classes):
            other_error = _squared_error(lane, b, classes, moments)
            distance = abs(moments.means[a, lane] - moments.means[b, lane])
            t = distance / (math.sqrt(error + other_error) + SPREAD_FLOOR)
            total += t if t == t else 0.0
    return 2.0 * total / (n_classes * (n_classes - 1.0))


@inner
def _squared_error(lane, c, classes, moments):
    """The square of the standard error of a mean; NaN for fewer than two rows."""
    n = classes.starts[c + 1] - classes.starts[c]
    return moments.squares[c, lane] / (n - 1.0) / n if n > 1 else math.nan


@inner
def f_in_lane(lane, classes, n_classes, moments):
    """F of a feature, as :func:`pycdf.kernels.lab_scores.f`."""
    starts = classes.starts
    degrees = starts[n_classes] - n_classes
    if degrees < 1:
        return 0.0
    grand = moments.totals[lane] / starts[n_classes]
    between = 0.0
    within = 0.0
    for c in range(n_classes):
        apart = moments.means[c, lane] - grand
        between += (starts[c + 1] - starts[c]) * apart * apart
        within += moments.squares[c, lane]
    return between / (n_classes - 1.0) / (within / degrees + SPREAD_FLOOR * SPREAD_FLOOR)
