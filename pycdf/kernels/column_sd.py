"""Standard deviations of whole columns, rounded as R's ``matrixStats::colSds`` does.

A column is summed in the order of its rows, several columns side by side.
"""

from typing import Any

import numpy as np

from pycdf.kernels.compile import entry

_LANES = 8


@entry
def column_spreads(columns: Any, integer: Any, spreads: Any) -> None:
    """Fill in the standard deviation of each column, missing values left out; NaN below two."""
    p, n = columns.shape
    tile = np.empty((n, _LANES))
    count = np.empty(_LANES)
    total = np.empty(_LANES)
    center = np.empty(_LANES)
    for start in range(0, p, _LANES):
        width = min(_LANES, p - start)
        for lane in range(_LANES):
            column = columns[start + min(lane, width - 1)]
            for i in range(n):
                tile[i, lane] = column[i]
        for lane in range(_LANES):
            count[lane] = total[lane] = 0.0
        for i in range(n):
            for lane in range(_LANES):
                x = tile[i, lane]
                total[lane] += x if x == x else 0.0
                count[lane] += 1.0 if x == x else 0.0
        for lane in range(_LANES):
            center[lane] = total[lane] / max(count[lane], 1.0)
        if not integer:  # R refines the mean, of doubles only
            for lane in range(_LANES):
                total[lane] = 0.0
            for i in range(n):
                for lane in range(_LANES):
                    x = tile[i, lane]
                    total[lane] += x - center[lane] if x == x else 0.0
            for lane in range(_LANES):
                center[lane] += total[lane] / max(count[lane], 1.0)
        for lane in range(_LANES):
            total[lane] = 0.0
        for i in range(n):
            for lane in range(_LANES):
                x = tile[i, lane]
                apart = x - center[lane] if x == x else 0.0
                total[lane] += apart * apart
        for lane in range(width):
            enough = count[lane] >= 2.0
            spreads[start + lane] = np.sqrt(total[lane] / (count[lane] - 1.0)) if enough else np.nan


@entry
def close_up(columns: Any, kept: Any) -> None:
    """Move the kept columns, in ascending order, to the front; in place, to need no second copy."""
    for to in range(kept.size):
        if kept[to] != to:
            for i in range(columns.shape[1]):
                columns[to, i] = columns[kept[to], i]
