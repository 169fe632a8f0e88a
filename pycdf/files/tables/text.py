"""Delimited text becomes a table as by R's ``read.csv``.

Numbers are those that R reads: its `read.csv` does not always round to the nearest double, and
neither do we (:mod:`pycdf.kernels.parse_cells`). Columns get R's types: all numbers, all TRUE and
FALSE, or text. "NA" is missing, and so is a blank cell in a column of numbers. The index of a table
has the row names if the file has them, and otherwise numbers from 1.
"""

import csv
import io
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.numbers import parse_number
from pycdf.files.tables.errors import DataFileError
from pycdf.kernels.parse_cells import MISSING, OTHER, read_cells

_LOGICAL = {"T": 1.0, "TRUE": 1.0, "F": 0.0, "FALSE": 0.0}  # read.csv takes no other spelling
_SEPARATORS = ",\t;"


def from_text(text: str, as_text: Collection[str], sep: str) -> pd.DataFrame:
    """Read delimited text with a header line; the columns in ``as_text`` are kept as written."""
    if "\0" in text:
        raise DataFileError("it contains null bytes, so it is not text.")
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=sep)
    header = next(lines, [])
    rows = [row for row in lines if row]  # R skips blank lines, too
    if not header or not rows:
        raise DataFileError("it has no rows below a header line.")
    width = len(header)
    # Row names have no header cell if R's write.table wrote them, and an empty one if write.csv did
    named = (header[0] == "" and width > 1) or all(len(row) == width + 1 for row in rows)
    if len(rows[0]) == width + 1 and named:
        header = ["", *header]
        width += 1
    for number, row in enumerate(rows):
        if len(row) != width:
            raise DataFileError(
                f"row {number + 1} has {len(row)} cells and the header {width}: is {sep!r} the "
                "right separator (--sep), or is a text that contains it not quoted?"
            )
    values, kinds = _numbers(rows, width)
    index: Any = pd.RangeIndex(1, len(rows) + 1, name="row")
    first = int(named)
    if named:
        index = pd.Index([row[0] for row in rows], name="row", dtype=object)
    names = header[first:]
    texts: dict[int, list[str | None]] = {}
    for j in range(first, width):
        if names[j - first] in as_text or not _is_numeric(rows, j, values, kinds):
            texts[j - first] = [None if row[j] == "NA" else row[j] for row in rows]
    frame = pd.DataFrame(values[:, first:], index=index, columns=pd.Index(names, dtype=object))
    for j, cells in texts.items():
        column: Any = pd.Series(cells, index=index, dtype=object)
        frame.isetitem(j, column)
    return frame


def _numbers(
    rows: list[list[str]], width: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]:
    """All cells as numbers, and the kind of each cell (see :mod:`pycdf.kernels.parse_cells`)."""
    cells = "\0".join(["\0".join(row) for row in rows]) + "\0"
    values = np.empty(len(rows) * width)
    kinds = np.empty(len(values), dtype=np.uint8)
    # A copy, because the kernel is compiled for writable arrays
    read_cells(np.frombuffer(cells.encode(), dtype=np.uint8).copy(), values, kinds)
    return values.reshape(len(rows), width), kinds.reshape(len(rows), width)


def _is_numeric(
    rows: list[list[str]], j: int, values: npt.NDArray[np.float64], kinds: npt.NDArray[np.uint8]
) -> bool:
    """Whether a column is numeric; if so, fill in the cells that the kernel could not parse."""
    unusual = np.flatnonzero(kinds[:, j] == OTHER)
    if not len(unusual):
        return True
    cells = {rows[i][j] for i in unusual}
    if cells <= set(_LOGICAL) and (kinds[:, j] >= MISSING).all():
        parsed = dict(_LOGICAL)
    else:
        parsed = {cell: parse_number(cell.strip()) for cell in cells}
        if any(value != value and cell.strip() != "NaN" for cell, value in parsed.items()):
            return False
    for i in unusual:
        values[i, j] = parsed[rows[i][j]]
    return True


def separator(source: str, data: bytes) -> str:
    """The separator, from the file's name or its first line."""
    if {".tsv", ".tab"} & {suffix.lower() for suffix in Path(source).suffixes}:
        return "\t"
    first = data.partition(b"\n")[0]
    return max(_SEPARATORS, key=lambda sep: first.count(sep.encode()))
