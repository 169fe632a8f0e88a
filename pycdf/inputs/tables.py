"""Read a caller's table, in any supported container, into a :class:`Matrix`.

The containers are pandas and polars frames, arrays, nested lists and, for xtest, a single column of
cells; :mod:`pycdf.inputs.containers` converts others to these. Numbers are not copied here, and the
caller's memory is never written to.
"""

import itertools
import sys
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.inputs.columns import (
    Column,
    durations_to_doubles,
    read_array,
    read_column,
    read_mixed_cells,
    read_times,
    refuse_kind,
    times_to_doubles,
)
from pycdf.inputs.containers import unwrap
from pycdf.support.wording import shown

_POLARS_NUMBERS = {f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)}
_POLARS_NUMBERS |= {"Float32", "Float64"}


@dataclass(frozen=True, eq=False)
class Matrix:
    """A numeric table with the names that its container gave to rows and columns."""

    values: npt.NDArray[Any]
    """Rows x columns, of any numeric dtype; may be the caller's own memory."""
    names: pd.Index | None = None
    index: pd.Index | None = None
    integer: bool = False
    """Whether R would hold it as an integer matrix."""
    flat: bool = False
    """Whether the caller passed one dimension."""
    lost: dict[int, Column] = field(default_factory=dict)
    """Columns with text that became missing, by position."""
    midnights: tuple[int, ...] = ()
    """Positions of columns that have times, all of them midnights."""


def read_matrix(data: Any, argument: str) -> Matrix:
    """Read data as R does; ``argument`` is their name in error messages."""
    data = unwrap(data, argument)
    polars = sys.modules.get("polars")  # polars is loaded if the caller has a frame
    if isinstance(data, pd.DataFrame):
        return _from_pandas(data, argument)
    if polars is not None and isinstance(data, polars.DataFrame):
        return _from_polars(data, argument)
    if isinstance(data, pd.Series | pd.Index):
        _refuse_flat(data, argument, len(data))
        column = read_column(data.to_series() if isinstance(data, pd.Index) else data, argument)
        return _one_column(column, data.index if isinstance(data, pd.Series) else None)
    if polars is not None and isinstance(data, polars.Series):
        _refuse_flat(data, argument, len(data))
        return _one_column(_polars_column(data, argument), None)
    return _from_array(data, argument)


def has_own_names(matrix: Matrix) -> bool:
    """Whether the columns have names of their own, not the numbers that pandas assigns."""
    return matrix.names is not None and not isinstance(matrix.names, pd.RangeIndex)


# ---- frames ------------------------------------------------------------------------------------


def _from_pandas(data: pd.DataFrame, argument: str) -> Matrix:
    dtypes = data.dtypes
    kinds = dtypes.unique()
    if all(_is_plain(dtype) for dtype in kinds):
        # With a single dtype this is a view: no work per column.
        values = data.to_numpy() if len(kinds) == 1 else data.to_numpy(dtype=np.float64)
        return Matrix(values, data.columns, data.index)
    if all(_is_plain(dtype) or _is_nullable(dtype) for dtype in kinds):
        values = data.to_numpy(dtype=np.float64, na_value=np.nan)
        return Matrix(values, data.columns, data.index)
    plain = np.array([_is_plain(dtype) for dtype in dtypes.array])
    values = np.empty(data.shape, order="F")
    values[:, plain] = data.iloc[:, np.flatnonzero(plain)].to_numpy(dtype=np.float64)
    lost = {}
    midnights: tuple[int, ...] = ()
    for j in np.flatnonzero(~plain).tolist():
        column = read_column(data.iloc[:, j], f"{argument}: column {shown(data.columns[j])}")
        values[:, j] = column.values
        if column.lost:
            lost[j] = column
        if column.midnights:
            midnights += (j,)
    return Matrix(values, data.columns, data.index, lost=lost, midnights=midnights)


def _is_plain(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def _is_nullable(dtype: Any) -> bool:
    """Whether it is a nullable number or bool, of pandas or Arrow."""
    if isinstance(dtype, pd.CategoricalDtype | pd.SparseDtype):
        return False
    return isinstance(dtype, pd.api.extensions.ExtensionDtype) and dtype.kind in "biuf"


def _from_polars(data: Any, argument: str) -> Matrix:
    names = pd.Index(data.columns, dtype=object)
    if data.width and {type(dtype).__name__ for dtype in data.dtypes} <= _POLARS_NUMBERS:
        return Matrix(data.to_numpy(), names)
    values = np.empty(data.shape, order="F")
    lost = {}
    midnights: tuple[int, ...] = ()
    for j, series in enumerate(data.iter_columns()):
        column = _polars_column(series, f"{argument}: column {shown(series.name)}")
        values[:, j] = column.values
        if column.lost:
            lost[j] = column
        if column.midnights:
            midnights += (j,)
    return Matrix(values, names, lost=lost, midnights=midnights)


def _polars_column(series: Any, where: str) -> Column:
    kind = type(series.dtype).__name__
    if kind == "Datetime":
        cells = series.to_numpy()  # in UTC, with NaT if missing
        has_zone = series.dtype.time_zone is not None
        return Column(times_to_doubles(cells)) if has_zone else read_times(cells)
    if kind == "Duration":
        return Column(durations_to_doubles(series.to_numpy()))
    return read_mixed_cells(series.to_list(), where)


# ---- arrays and lists --------------------------------------------------------------------------


def _from_array(data: Any, argument: str) -> Matrix:
    _refuse_other_types(data, argument)
    masked = isinstance(data, np.ma.MaskedArray)
    array = _as_array(data, argument)
    refuse_kind(array.dtype.kind, argument)
    flat = array.ndim == 1
    if flat:
        _refuse_flat(data, argument, len(array))
        array = array[:, np.newaxis]  # as in R, a bare vector is one column
    if array.ndim != 2:
        raise ValueError(
            f"{argument} has {array.ndim} dimensions: pass a table of rows and columns."
        )
    integer = isinstance(data, np.ndarray) and fits_r_integer(data)
    if array.dtype.kind in "biuf":
        values = np.ma.filled(array.astype(np.float64), np.nan) if masked else array
        return Matrix(values, integer=integer, flat=flat)
    values = np.empty(array.shape, order="F")
    lost = {}
    midnights: tuple[int, ...] = ()
    for j in range(array.shape[1]):
        column = read_array(array[:, j], argument if flat else f"{argument}: column {j}")
        values[:, j] = column.values
        if column.lost:
            lost[j] = column
        if column.midnights:
            midnights += (j,)
    return Matrix(values, flat=flat, lost=lost, midnights=midnights)


def fits_r_integer(values: npt.NDArray[Any]) -> bool:
    """Whether R would hold this array as an integer matrix. Bools become doubles there."""
    if values.dtype.kind not in "iu":  # floats need not be copied
        return False
    there = np.ma.compressed(values)
    return (
        there.size > 0
        and int(there.max()) <= LARGEST_INTEGER
        and int(there.min()) >= -LARGEST_INTEGER  # the next lower integer is R's NA
    )


def _as_array(data: Any, argument: str) -> npt.NDArray[Any]:
    if isinstance(data, np.ma.MaskedArray):
        return data
    try:
        array = np.asarray(data)
        if array.dtype.kind in "OUS" and not isinstance(data, np.ndarray):
            array = np.array(data, dtype=object)  # otherwise numbers beside text become text
    except ValueError:  # rows of unequal lengths
        return _as_cells(data, argument)
    return array


def _as_cells(data: Any, argument: str) -> npt.NDArray[Any]:
    """Nested lists as an array of objects, one per cell."""
    counts = [len(row) if hasattr(row, "__len__") else 1 for row in data]
    for row, count in enumerate(counts):
        if count != counts[0]:
            raise ValueError(
                f"{argument} is not a table: row {row} has {count} cells and row 0 has "
                f"{counts[0]}; give every row one cell per column."
            )
    array = np.empty((len(counts), counts[0]), dtype=object)
    for at, cells in zip(np.ndindex(array.shape), itertools.chain.from_iterable(data), strict=True):
        array[at] = cells
    return array


def _one_column(column: Column, index: pd.Index | None) -> Matrix:
    lost = {0: column} if column.lost else {}
    midnights = (0,) if column.midnights else ()
    values = column.values[:, np.newaxis]
    return Matrix(values, None, index, flat=True, lost=lost, midnights=midnights)


def _refuse_flat(data: Any, argument: str, length: int) -> None:
    if argument == "xtrain":
        kind = f"a {type(data).__name__} of {length} values"
        raise ValueError(
            f"xtrain is {kind}, with no columns: pass a table of rows and columns "
            "(the order is xtrain, ytrain, xtest; one column is xtrain.reshape(-1, 1))."
        )


def _refuse_other_types(data: Any, argument: str) -> None:
    """Raise an error for anything that is not a table, saying what to pass instead."""
    kind = type(data).__name__
    remedy = ""
    if data is None:
        raise TypeError(f"{argument} is None: pass a table of rows and columns.")
    if isinstance(data, str | bytes):
        remedy = "pass the table itself, such as pandas.read_csv of that file"
    elif isinstance(data, Mapping | Set):
        remedy = f"pass pandas.DataFrame({argument})"
    elif hasattr(data, "to_pandas"):
        remedy = f"pass {argument}.to_pandas()"
    elif hasattr(data, "columns"):
        remedy = "pass a pandas or polars DataFrame, or an array"
    elif not hasattr(data, "__len__") or getattr(data, "ndim", 1) == 0:
        remedy = "pass a table of rows and columns"
    if remedy:
        raise TypeError(f"{argument} is a {kind}, not a table: {remedy}.")
