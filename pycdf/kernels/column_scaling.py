"""Means and standard deviations of whole columns, rounded as in R's ``scale()``."""

import math
from typing import Any

import numpy as np

from pycdf.kernels.compile import entry
from pycdf.kernels.extended_sums import divide80, sum80


@entry
def measure_scaling(columns: Any, values: Any, means: Any, spreads: Any) -> None:
    """Write the mean and the standard deviation of each column to `means` and `spreads`.

    Both are NaN for a column without a value. As in R, the mean is rounded to a double before it is
    subtracted, the squares are doubles, and both sums are 80-bit ones.

    Parameters
    ----------
    columns : float64, features x rows
        NaN is a missing value, which is left out.
    values : float64, rows
        Scratch.
    means, spreads : float64, features
    """
    for j in range(columns.shape[0]):
        count = 0
        for i in range(columns.shape[1]):
            value = columns[j, i]
            if value == value:
                values[count] = value
                count += 1
        if count == 0:
            means[j] = spreads[j] = np.nan
            continue
        high, low = sum80(values, 0, 1, count)
        mean = divide80(high, low, count)
        for i in range(count):
            away = values[i] - mean
            values[i] = away * away
        high, low = sum80(values, 0, 1, count)
        means[j] = mean
        spreads[j] = math.sqrt(high / max(1, count - 1))
