"""Matrices and columns, as R cleans and aligns them.

In go the caller's training and test data; out comes :class:`Prepared`: the training matrix as the kernels
want it (kept features x rows, doubles), the test matrix with the same features in the same order, and
what was done on the way. The caller's data is never modified.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf._jit import entry
from pycdf.separability import mean_and_spread

Floats = npt.NDArray[np.float64]
_LARGEST_INTEGER = 2**31 - 1


@dataclass(frozen=True)
class Matrix:
    """A numeric matrix with what its container said about rows and columns."""

    values: Floats
    names: list[Any] | None
    index: pd.Index | None
    integer: bool  # follows R's integer matrix


@dataclass(frozen=True)
class Prepared:
    """Training and test data over the same kept features."""

    columns: Floats  # features x rows
    spreads: Floats  # standard deviations of the features
    test: Floats  # rows x features
    kept: npt.NDArray[np.int64]  # positions of the kept features in xtrain
    names: list[Any]  # of the kept features
    integer: bool


def read_matrix(data: Any, argument: str) -> Matrix:
    """A DataFrame, array or nested list as R reads it."""
    if isinstance(data, pd.DataFrame):
        values = data.to_numpy(dtype=np.float64, na_value=np.nan)
        return Matrix(values, list(data.columns), data.index, False)
    array = np.asarray(data)
    if array.ndim == 1 and argument == "xtest":
        array = array[:, np.newaxis]  # as in R, a bare vector is one column
    if array.ndim != 2:
        raise ValueError(
            f"{argument} must be a table with rows and columns; got {array.ndim} dimension(s)."
        )
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{argument} must hold numbers; got dtype {array.dtype}.")
    return Matrix(array.astype(np.float64), None, None, _fits_r_integer(data))


def _fits_r_integer(data: Any) -> bool:
    """Whether R would hold this as an integer matrix. Lists and bools are doubles there."""
    return (
        isinstance(data, np.ndarray)
        and data.dtype.kind in "iu"
        and data.size > 0
        and int(data.max()) <= _LARGEST_INTEGER
        and int(data.min()) >= -_LARGEST_INTEGER  # one less is R's NA
    )


def prepare(train: Matrix, test: Matrix, rows: npt.NDArray[np.bool_]) -> Prepared:
    """Keep the labelled ``rows``, align the test columns, drop what R drops."""
    columns = np.ascontiguousarray(train.values[rows].T)
    aligned = _align(train, test, columns)
    spreads = np.empty(len(columns))
    column_spreads(columns, train.integer, spreads)
    kept = np.flatnonzero(np.isfinite(spreads) & (spreads != 0))
    if len(kept) == 0:
        raise ValueError(
            "xtrain has no usable column: every column is constant, all missing, infinite, "
            "or too large or small for a finite standard deviation."
        )
    names = list(range(len(columns))) if train.names is None else train.names
    return Prepared(
        columns[kept] if len(kept) < len(columns) else columns,
        spreads[kept],
        np.ascontiguousarray(aligned[:, kept]),
        kept,
        [names[j] for j in kept],
        train.integer,
    )


def _align(train: Matrix, test: Matrix, columns: Floats) -> Floats:
    """The test matrix in the order of the training columns, medians where it has none."""
    p = len(columns)
    if train.names is not None and test.names is not None:
        if train.names == test.names:
            source = list(range(p))
        else:
            first: dict[Any, int] = {}
            for j, name in enumerate(test.names):
                first.setdefault(name, j)
            source = [first.get(name, -1) for name in train.names]
    else:
        source = [j if j < test.values.shape[1] else -1 for j in range(p)]
    aligned = np.empty((len(test.values), p))
    for j, place in enumerate(source):
        aligned[:, j] = test.values[:, place] if place >= 0 else median(columns[j])
    return aligned


@entry
def column_spreads(columns, integer, spreads):
    """The standard deviation of each column (``matrixStats::colSds``), missing values left out."""
    values = np.empty(columns.shape[1])
    for j in range(columns.shape[0]):
        count = 0
        for value in columns[j]:
            if not np.isnan(value):
                values[count] = value
                count += 1
        spreads[j] = mean_and_spread(values, count, integer)[1]


def median(column: Floats) -> float:
    """R's median without missing values; 0 where it is not finite."""
    values = np.sort(column[~np.isnan(column)])
    half = len(values) // 2
    if len(values) == 0:
        return 0.0
    middle = float(values[half])
    if len(values) % 2 == 0:
        middle = _mean_of_two(float(values[half - 1]), middle)
    return middle if np.isfinite(middle) else 0.0


def _mean_of_two(a: float, b: float) -> float:
    """R's ``mean(c(a, b))``: an 80-bit mean, then the mean of what is left is added to it."""
    if not np.isfinite(a + b) and not np.isfinite(a / 2 + b / 2):
        return a + b
    low, high = Fraction(a), Fraction(b)
    mean = round_80((low + high) / 2)
    rest = round_80(round_80(low - mean) + round_80(high - mean)) / 2
    return float(round_80(mean + rest))


def round_80(value: Fraction) -> Fraction:
    """The nearest number with 64 significant bits, ties to even: an 80-bit long double."""
    if value == 0:
        return value
    shift = 64 - (abs(value.numerator).bit_length() - value.denominator.bit_length())
    for places in (shift, shift - 1):  # the quotient has one bit more or less
        scaled = round(value * Fraction(2) ** places)
        if abs(scaled).bit_length() <= 64 or abs(scaled) == 2**64:
            return scaled / Fraction(2) ** places
    raise AssertionError("unreachable: one of the two scales fits")
