"""Convert one column of any type to doubles, as R's ``as.numeric()`` does.

Numbers and bools keep their value, and text is parsed by R's rules. A categorical is R's factor:
its categories are written as R writes them and then parsed. A date becomes the number of days and a
time the number of seconds since 1970 (in UTC if it has no time zone). None, NaN, NA, NaT, and text
that is not a number are missing.
"""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.numbers import parse_number
from pycdf.base_r.text import r_texts
from pycdf.support.wording import clipped

Floats = npt.NDArray[np.float64]
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_UTC_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)
_PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15, "as": 10**18}
_WHOLE_DAYS = ("Y", "M", "W", "D")
_EXACT = 2**53
_MEANT_MISSING = {"", "NA", "NaN", "nan"}  # R converts these to NA or NaN without a warning


@dataclass(frozen=True, eq=False)
class Column:
    """A column as doubles, and the text in it that is not a number."""

    values: Floats
    lost: int = 0
    """How many text cells are not numbers, and so became missing."""
    example: str = ""
    """The first of them."""
    cells: Sequence[Any] = ()
    """All original cells, if some were lost."""
    midnights: bool = False
    """Whether it has times in seconds, without a time zone, and all of them are midnights."""


def read_column(column: pd.Series, where: str) -> Column:
    """Read a column of a pandas frame; ``where`` is its name in error messages."""
    dtype = column.dtype
    if isinstance(dtype, np.dtype):
        return read_array(column.to_numpy(), where)
    if isinstance(dtype, pd.CategoricalDtype):
        return _read_factor(column.array, where)
    if isinstance(dtype, pd.DatetimeTZDtype):
        return Column(times_to_doubles(column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()))
    if isinstance(dtype, pd.SparseDtype):
        return read_array(np.asarray(column), where)
    if dtype.kind in "biuf":  # nullable and Arrow numbers
        return Column(column.to_numpy(dtype=np.float64, na_value=np.nan))
    return read_mixed_cells(column.to_numpy(dtype=object).tolist(), where)


def read_array(cells: npt.NDArray[Any], where: str) -> Column:
    """Read a one-dimensional array of any dtype."""
    kind = cells.dtype.kind
    if kind in "biuf":
        return Column(cells.astype(np.float64))
    if kind == "M":
        return read_times(cells)
    if kind == "m":
        return Column(durations_to_doubles(cells))
    return read_mixed_cells(cells.tolist(), where)


def read_mixed_cells(cells: Sequence[Any], where: str) -> Column:
    """Read cells of mixed types one by one, as R reads a list column."""
    values = np.empty(len(cells))
    known: dict[str, float] = {}
    lost: list[str] = []
    for row, cell in enumerate(cells):
        if type(cell) is float:
            values[row] = cell
        elif isinstance(cell, str | bytes):
            text = cell if isinstance(cell, str) else cell.decode(errors="replace")
            number = known.get(text)
            if number is None:
                number = known[text] = parse_number(text)
            values[row] = number
            if number != number and text.strip() not in _MEANT_MISSING:
                lost.append(text)
        else:
            values[row] = _number(cell, f"{where}, row {row},")
    return Column(values, len(lost), lost[0], cells) if lost else Column(values)


def _read_factor(factor: Any, where: str) -> Column:
    """R's factor: ``as.numeric(as.character(factor))``."""
    texts = r_texts(list(factor.categories))
    levels = read_mixed_cells([*texts, None], where)  # the last entry is for code -1
    column = levels.values[factor.codes]
    if not levels.lost:
        return Column(column)
    cells = [None if code < 0 else texts[code] for code in factor.codes]
    return read_mixed_cells(cells, where)


def read_times(cells: npt.NDArray[np.datetime64]) -> Column:
    """Read times without a time zone, or whole days."""
    values = times_to_doubles(cells)
    there = values[~np.isnan(values)]
    in_days = np.datetime_data(cells.dtype)[0] in _WHOLE_DAYS
    return Column(values, midnights=not in_days and len(there) > 0 and not (there % 86400).any())


def times_to_doubles(cells: npt.NDArray[np.datetime64]) -> Floats:
    """Seconds since 1970, as R's POSIXct; for whole days (datetime64[D]) days, as R's Date."""
    unit = np.datetime_data(cells.dtype)[0]
    return _in_units(cells, "M8", "D" if unit in _WHOLE_DAYS else "s", unit)


def durations_to_doubles(cells: npt.NDArray[np.timedelta64]) -> Floats:
    """Seconds; for whole days (timedelta64[D]) days, as the difference of two R Dates is."""
    unit = np.datetime_data(cells.dtype)[0]
    return _in_units(cells, "m8", "D" if unit in ("W", "D") else "s", unit)


def _in_units(cells: npt.NDArray[Any], kind: str, target: str, unit: str) -> Floats:
    """The doubles nearest to the exact number of days or seconds."""
    if unit not in _PER_SECOND:
        values = cells.astype(f"{kind}[{target}]").astype(np.int64).astype(np.float64)
    else:
        ticks, per_second = cells.astype(f"{kind}[{unit}]").astype(np.int64), _PER_SECOND[unit]
        # A quotient of exact whole numbers is rounded once. With more ticks than a double can
        # count, there are so many seconds that adding the fraction rounds to the same double.
        values = np.where(
            np.abs(ticks) <= _EXACT,
            ticks / per_second,
            ticks // per_second + ticks % per_second / per_second,
        )
    return np.where(np.isnat(cells), np.nan, values)


def _number(cell: Any, where: str) -> float:
    """Convert one cell that is neither a float nor text."""
    if cell is None or cell is pd.NA or cell is pd.NaT:
        return math.nan
    if isinstance(cell, np.ndarray | np.generic) and cell.ndim == 0 and cell.dtype.kind in "Mm":
        return float(read_array(np.array([cell]), where).values[0])
    if isinstance(cell, Real | Decimal | np.bool):  # NumPy's durations are integers, too
        try:
            return float(cell)
        except OverflowError:
            return math.inf if cell > 0 else -math.inf  # type: ignore[operator]
    if isinstance(cell, pd.Timestamp):
        plain = cell.tz_convert("UTC").tz_localize(None) if cell.tzinfo else cell
        return float(times_to_doubles(np.array([plain.to_datetime64()]))[0])
    if isinstance(cell, datetime.datetime):
        aware = cell if cell.tzinfo else cell.replace(tzinfo=datetime.UTC)
        return ((aware - _UTC_EPOCH) // _MICROSECOND) / 10**6
    if isinstance(cell, datetime.date):
        return float(cell.toordinal() - _EPOCH)
    if isinstance(cell, pd.Timedelta):
        return float(durations_to_doubles(np.array([cell.to_timedelta64()]))[0])
    if isinstance(cell, datetime.timedelta):
        return (cell // _MICROSECOND) / 10**6
    described = clipped(f"{type(cell).__name__} {cell!r}")
    raise TypeError(
        f"{where} contains {described}: pass numbers, bools, text, categories, dates or times."
    )


def refuse_kind(kind: str, where: str) -> None:
    """Refuse the kinds of NumPy arrays that R's numeric matrices do not have."""
    if kind == "c":
        raise TypeError(f"{where} contains complex numbers: pass real numbers.")
    if kind == "V":
        raise TypeError(f"{where} is a structured array: pass pandas.DataFrame({where}).")
