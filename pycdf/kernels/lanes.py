"""Standard deviations as R's ``matrixStats::colSds`` rounds them, of LANES features at a time.

R sums in the order of the rows: for the mean, again to refine it, and for the squares. Each feature
has its own lane, so that its sums run in that order.
"""

import math
from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inlined, inner
from pycdf.kernels.simd import lane_differences, lane_squares
from pycdf.kernels.simd_sizes import LANES

Rule = namedtuple("Rule", "integer ddof")
"""How a standard deviation is computed. `integer`: as for R's integer matrices, without refining
the mean. `ddof`: the sum of squares is divided by n - ddof, 1 in R's package, 0 in the paper."""

Lanes = namedtuple("Lanes", "values counts sums center")
"""Scratch arrays for LANES features.

`values`: rows x LANES, flat, float64; `counts`: how many of them are not missing, int64; `sums`: up
to three kinds of sums, LANES each, float64; `center`: what is subtracted before summing, float64.
"""


def new_lanes(n: int) -> Lanes:
    """Scratch arrays for up to `n` rows at a time."""
    return Lanes(
        values=np.zeros(n * LANES),
        counts=np.empty(LANES, np.int64),
        sums=np.empty(3 * LANES),
        center=np.zeros(LANES),
    )


@inlined
def fill_lane(column, rows, first, size, values, lane):
    """Copy `column[rows[first : first + size]]` to a lane; return how many values are not missing.

    These come first; zeros follow, which do not change a sum.
    """
    missing = False
    for i in range(size):
        value = column[rows[first + i]]
        values[i * LANES + lane] = value
        missing |= value != value
    return _move_up(values, size, lane) if missing else size


@inner
def _move_up(values, size, lane):
    """Close the gaps of missing values in a lane, and add zeros; return the number of values."""
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
def measure_spreads(lanes, n_lanes, size, complete, rule):
    """Compute the standard deviations of the first `n_lanes` lanes, and leave them in `sums`.

    `center` holds the plain means, and `size` is the length of the lanes. `complete`: no value is
    missing in any of them. The result is NaN if there are too few values.
    """
    values, counts, sums, center = lanes.values, lanes.counts, lanes.sums, lanes.center
    if not rule.integer:
        if not complete:
            _fill_up(values, counts, center, size, n_lanes)
        lane_differences(values, size, center, sums)
        for lane in range(n_lanes):
            center[lane] += sums[lane] / counts[lane]
    if not complete:
        _fill_up(values, counts, center, size, n_lanes)
    lane_squares(values, size, center, sums)
    for lane in range(n_lanes):
        degrees = counts[lane] - rule.ddof
        sums[lane] = math.sqrt(sums[lane] / degrees) if degrees > 0 else np.nan


@inner
def _fill_up(values, counts, center, size, n_lanes):
    """Fill the rest of incomplete lanes with the center, which adds nothing to the sums."""
    for lane in range(n_lanes):
        for i in range(counts[lane], size):
            values[i * LANES + lane] = center[lane]
