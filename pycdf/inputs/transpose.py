"""Operations on whole columns: transposing for the kernels, standard deviations, medians.

The kernels want features x rows, with missing values as NaN. Standard deviations are rounded as in
R's ``matrixStats::colSds``: each column is summed in row order, several columns side by side.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.kernels.arrays import read_only
from pycdf.kernels.column_sd import close_up, column_spreads
from pycdf.support.parallel import in_bands

Floats = npt.NDArray[np.float64]


def transposed(
    values: npt.NDArray[Any], rows: npt.NDArray[np.bool_] | None = None, n_jobs: int | None = 1
) -> Floats:
    """A transposed copy (features x rows) of the chosen rows; None chooses all."""
    chosen = slice(None) if rows is None else rows
    columns = np.empty((values.shape[1], len(values) if rows is None else int(rows.sum())))

    def copy(band: slice) -> None:
        columns[band] = values.T[band, chosen]

    in_bands(copy, columns.shape, n_jobs)
    return columns


def varying_columns(
    columns: Floats, integer: bool, n_jobs: int | None = 1
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The standard deviation of each column, and the positions of the columns that R keeps.

    R keeps a column if its standard deviation is finite and not zero.
    """
    spreads = np.empty(len(columns))
    given = read_only(columns)
    in_bands(
        lambda band: column_spreads(given[band], integer, spreads[band]), columns.shape, n_jobs
    )
    return spreads, np.flatnonzero(np.isfinite(spreads) & (spreads != 0)).astype(np.int64)


def keep(columns: Floats, kept: npt.NDArray[np.int64]) -> Floats:
    """The kept columns only, moved to the front of the same memory."""
    if len(kept) < len(columns):
        close_up(columns, kept)
    return columns[: len(kept)]


def medians(columns: Floats) -> Floats:
    """R's median of each column, ignoring missing values; 0 where it is not finite."""
    ordered = np.sort(columns, axis=1)  # NaN sorts last
    count = (~np.isnan(columns)).sum(axis=1)
    at = np.arange(len(columns))
    middle = ordered[at, count // 2]
    below = ordered[at, count // 2 - 1]
    for j in np.flatnonzero((count % 2 == 0) & (count > 0) & (below != middle)):
        middle[j] = mean_of_two(float(below[j]), float(middle[j]))
    return np.where(np.isfinite(middle), middle, 0.0)


def mean_of_two(a: float, b: float) -> float:
    """R's ``mean(c(a, b))``: a mean in 80 bits, corrected by the mean of the residuals."""
    total = a + b
    part = total - a
    if (a - (total - part)) + (b - part) == 0.0 and 1e-290 < abs(total) < 1e300:
        return total / 2  # both steps are exact
    if not np.isfinite(total) and not np.isfinite(a / 2 + b / 2):
        return total
    low, high = Fraction(a), Fraction(b)
    mean = round_80((low + high) / 2)
    rest = round_80(round_80(low - mean) + round_80(high - mean)) / 2
    return float(round_80(mean + rest))


def round_80(value: Fraction) -> Fraction:
    """The nearest number with 64 significant bits, ties to even: an 80-bit long double."""
    shift = 64 - (abs(value.numerator).bit_length() - value.denominator.bit_length())
    for places in (shift, shift - 1):  # the bit lengths give the exponent within one
        scaled = round(value * Fraction(2) ** places)
        if abs(scaled).bit_length() <= 64 or abs(scaled) == 2**64:
            return scaled / Fraction(2) ** places
    raise AssertionError("unreachable: one of the two scales fits")
