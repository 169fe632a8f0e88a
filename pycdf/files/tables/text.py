"""Delimited text becomes a table as by R's ``read.csv``.

Numbers are those that R reads: its `read.csv` does not always round to the nearest double, and
neither do we (:mod:`pycdf.kernels.parse_cells`). Columns get R's types: all numbers, all TRUE and
FALSE, or text. "NA" is missing, and so is a blank cell in a column of numbers. The index of a table
has the row names if the file has them, and otherwise numbers from 1.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.numbers import parse_number
from pycdf.files.tables.decimals import parse_cell, read_numbers
from pycdf.files.tables.encodings import as_utf8
from pycdf.files.tables.grid import Grid, split_text
from pycdf.files.tables.layout import find_layout
from pycdf.files.tables.request import Request
from pycdf.kernels.parse_cells import MISSING, NUMBER, OTHER

_LOGICAL = {"T": 1.0, "TRUE": 1.0, "F": 0.0, "FALSE": 0.0}  # read.csv takes no other spelling


def read_text(data: bytes, request: Request) -> pd.DataFrame:
    """Read delimited text with a header line."""
    text = as_utf8(data, request)
    grid = split_text(text, find_layout(text, request.name, request.options.sep))
    if request.options.transpose:
        grid = grid.T
    return table_of(grid, request, named=request.options.transpose)


def table_of(grid: Grid, request: Request, named: bool = False) -> pd.DataFrame:
    """The table in a grid whose first row is the header.

    The first column has the row names if ``named``, or if it has no name itself, as R writes them.
    """
    header = grid.row(0)
    named = named or (header[0] == "" and len(header) > 1)
    names = header[int(named) :]
    body = grid.take(slice(1, None), slice(int(named), None))
    width = len(names)
    while width > 1 and names[width - 1] == "" and body.blank(width - 1).all():
        width -= 1  # separators at the end of each line
    names, body = names[:width], body.take(columns=slice(width))
    rows = body.shape[0]
    index: Any = pd.RangeIndex(1, rows + 1, name="row")
    if named:
        index = pd.Index(grid.take(slice(1, None)).column(0), name="row", dtype=object)
    _note_numeric_header(names, request)
    values, kinds, decimal = read_numbers(body, names, request)
    texts: dict[int, list[str | None]] = {}
    unusual = (kinds == OTHER).any(axis=0)
    for j, name in enumerate(names):
        as_written = name in request.as_text
        if as_written or (
            unusual[j] and not _fill_numbers(body, j, values[:, j], kinds[:, j], decimal)
        ):
            written = body.column(j)
            if decimal == "," and not as_written:
                written = _with_points(written, kinds[:, j])
            texts[j] = [None if cell == "NA" else cell for cell in written]
    frame = pd.DataFrame(values, index=index, columns=pd.Index(names, dtype=object), copy=False)
    if len(texts) > width // 2:
        columns: Any = [
            pd.Series(
                texts[j] if j in texts else values[:, j], index, object if j in texts else None
            )
            for j in range(width)
        ]
        frame = pd.DataFrame(dict(enumerate(columns)))
        frame.columns = pd.Index(names, dtype=object)
        return frame
    for j, cells in texts.items():
        column: Any = pd.Series(cells, index=index, dtype=object)
        frame.isetitem(j, column)
    return frame


def _with_points(cells: list[str], kinds: npt.NDArray[np.uint8]) -> list[str]:
    """Cells with decimal points, if most are numbers: text beside them must not make them text."""
    if 2 * (kinds == NUMBER).sum() <= len(cells):
        return cells
    return [
        cell.replace(",", ".") if kind == NUMBER else cell
        for cell, kind in zip(cells, kinds, strict=True)
    ]


def _fill_numbers(
    grid: Grid,
    j: int,
    values: npt.NDArray[np.float64],
    kinds: npt.NDArray[np.uint8],
    decimal: str,
) -> bool:
    """Whether a column is numeric; if so, fill in the cells that the kernel could not parse."""
    unusual = np.flatnonzero(kinds == OTHER)
    if len(unusual) and _is_text(grid.cell(int(unusual[0]), j), decimal):
        return False
    cells = [grid.cell(int(i), j) for i in unusual]
    if set(cells) <= set(_LOGICAL) and (kinds >= MISSING).all():
        parsed = dict(_LOGICAL)
    else:
        parsed = {}
        for cell in cells:
            if cell not in parsed:
                parsed[cell] = parse_cell(cell, decimal)
                if parsed[cell] != parsed[cell] and cell.strip() != "NaN":
                    return False
    for i, cell in zip(unusual, cells, strict=True):
        values[i] = parsed[cell]
    return True


def _is_text(cell: str, decimal: str) -> bool:
    """Whether a cell alone makes its column text: it is no number, NaN or logical value."""
    number = parse_cell(cell, decimal)
    return number != number and cell.strip() != "NaN" and cell not in _LOGICAL


def _note_numeric_header(names: list[str], request: Request) -> None:
    """Note that the header line may be missing: all of its cells are numbers."""
    if len(names) > 1 and all(parse_number(name) == parse_number(name) for name in names):
        request.notes.append(
            f"the names of all columns are numbers, such as {names[0]!r}: if the first line is a "
            "row of data, add a header line."
        )
