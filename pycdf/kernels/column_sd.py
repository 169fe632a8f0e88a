"""Standard deviations of whole columns, and removal of the columns that do not vary."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.kernels.compile import entry
from pycdf.kernels.lanes import Rule, fill_lane, measure_spreads, new_lanes
from pycdf.kernels.simd import lane_differences
from pycdf.kernels.simd_sizes import LANES

Floats = npt.NDArray[np.float64]


def column_spreads(columns: Floats, integer: bool, spreads: Floats) -> None:
    """Write the standard deviation of each column to `spreads`; NaN for fewer than two values.

    Parameters
    ----------
    columns : float64, features x rows
        NaN is a missing value, which is left out.
    integer : bool
        Round as R does for integer matrices.
    spreads : float64, features
    """
    n = columns.shape[1]
    all_rows = np.arange(n, dtype=np.int32)
    measure_columns(columns, all_rows, Rule(bool(integer), ddof=1), new_lanes(n), spreads)


@entry
def measure_columns(columns: Any, rows: Any, rule: Any, lanes: Any, spreads: Any) -> None:
    """Write the standard deviation of each column over some rows to `spreads`.

    `rows` are int32, `rule` is a Rule and `lanes` a Lanes.
    """
    values, counts, sums, center = lanes.values, lanes.counts, lanes.sums, lanes.center
    p, n = columns.shape[0], rows.size
    for first in range(0, p, LANES):
        n_lanes = min(LANES, p - first)
        complete = True
        for lane in range(n_lanes):
            counts[lane] = fill_lane(columns[first + lane], rows, 0, n, values, lane)
            complete &= counts[lane] == n
            center[lane] = 0.0
        lane_differences(values, n, center, sums)
        for lane in range(n_lanes):
            center[lane] = sums[lane] / counts[lane]
        measure_spreads(lanes, n_lanes, n, complete, rule)
        for lane in range(n_lanes):
            spreads[first + lane] = sums[lane]


@entry
def close_up(columns: Any, kept: Any) -> None:
    """Move the kept columns to the front, in place, so that no second copy is needed.

    Parameters
    ----------
    columns : float64, features x rows
    kept : int64, ascending
        The columns to keep.
    """
    for to in range(kept.size):
        if kept[to] != to:
            for i in range(columns.shape[1]):
                columns[to, i] = columns[kept[to], i]
