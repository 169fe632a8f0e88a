"""Columns of typed cells, as spreadsheets have them, become the columns of a table.

Numbers stay the doubles that they are. Text that is a number becomes one, as in CSV.
"""

import datetime
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pycdf.base_r.numbers import number_text
from pycdf.files.tables.decimals import parse_cell
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.request import Request
from pycdf.support.options import option
from pycdf.support.wording import agree, few, plural

_ERRORS = {"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "Err:502", "Err:511"}


def table_of_rows(rows: Sequence[Sequence[Any]], request: Request) -> pd.DataFrame:
    """The table in the rows of a sheet, whose first row that is not blank is the header.

    Cells are None, text, numbers, logicals or dates. Blank rows at the end and blank columns
    without a name are left out.
    """
    kept = list(rows)
    while kept and all(_is_blank(cell) for cell in kept[-1]):
        kept.pop()
    while kept and all(_is_blank(cell) for cell in kept[0]):
        kept.pop(0)
    if len(kept) < 2:
        raise DataFileError("it has no rows below a header line.")
    width = max(map(len, kept))
    columns = [[row[j] if j < len(row) else None for row in kept] for j in range(width)]
    columns = [column for column in columns if not all(map(_is_blank, column))]
    if request.options.transpose:
        columns = [list(column) for column in zip(*columns, strict=True)]
    if len(columns) > 2 and all(_is_blank(column[0]) for column in columns[1:]):
        raise DataFileError(
            f"its first line has only one cell, {str(columns[0][0])!r}: delete the lines above the "
            "names of the columns."
        )
    return table_of_columns(columns, request)


def table_of_columns(columns: list[list[Any]], request: Request) -> pd.DataFrame:
    """The table in columns of cells, each with its name first."""
    names = ["" if _is_blank(column[0]) else cell_text(column[0]) for column in columns]
    size = len(columns[0]) - 1
    index: Any = pd.RangeIndex(1, size + 1, name="row")
    if request.options.transpose or (names[0] == "" and len(names) > 1):
        row_names = ["" if cell is None else cell_text(cell) for cell in columns[0][1:]]
        index = pd.Index(row_names, name="row", dtype=object)
        names, columns = names[1:], columns[1:]
    made: dict[int, Any] = {}
    faults: list[str] = []
    for j, (name, column) in enumerate(zip(names, columns, strict=True)):
        cells = column[1:]
        if any(cell in _ERRORS for cell in cells if isinstance(cell, str)):
            faults += [cell for cell in cells if isinstance(cell, str) and cell in _ERRORS]
            cells = [None if isinstance(c, str) and c in _ERRORS else c for c in cells]
        values = column_values(cells, name, request)
        made[j] = pd.Series(values, index=index, dtype=values.dtype)
    if faults:
        request.notes.append(
            f"{plural(len(faults), 'cell')} with an error of the spreadsheet "
            f"({few(sorted(set(faults)))}) "
            f"{agree(faults, 'is a missing value', 'are missing values')}."
        )
    frame = pd.DataFrame(made, index=index)
    frame.columns = pd.Index(names, dtype=object)
    return frame


def column_values(cells: list[Any], name: str, request: Request) -> Any:
    """One column: doubles if all of its cells are numbers, otherwise text; None is missing."""
    if name not in request.as_text:
        numbers = _numbers(cells, request.options.decimal or ".")
        if numbers is None and request.options.decimal is None:
            numbers = _numbers(cells, ",")
            if numbers is not None:
                request.notes.append(
                    f"column {name!r} has numbers as text with a decimal comma. Pass "
                    f"{option('decimal', '.')} if that is wrong."
                )
        if numbers is not None:
            return np.array(numbers, dtype=np.float64)
    texts = np.empty(len(cells), dtype=object)
    texts[:] = [None if cell is None or cell == "NA" else cell_text(cell) for cell in cells]
    return texts


def cell_text(cell: Any) -> str:
    """A cell as R's ``as.character`` writes it."""
    if isinstance(cell, bool | np.bool_):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, int | np.integer):
        return str(int(cell))
    if isinstance(cell, float | np.floating):
        return "NaN" if math.isnan(cell) else number_text(float(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        cell = cell.date()
    return str(cell)


def _numbers(cells: list[Any], decimal: str) -> list[float] | None:
    """The cells as numbers, or None if one of them is none."""
    numbers = []
    for cell in cells:
        if cell is None:
            value = math.nan
        elif isinstance(cell, str):
            plain = cell.strip()
            value = parse_cell(plain, decimal) if plain not in ("", "NA") else math.nan
            if math.isnan(value) and plain not in ("", "NA", "NaN"):
                return None
        elif isinstance(cell, int | float | np.integer | np.floating | np.bool_):
            try:
                value = float(cell)
            except OverflowError:
                value = math.inf if cell > 0 else -math.inf
        else:
            return None  # a date or a time
        numbers.append(value)
    return numbers


def _is_blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())
