"""Whether the numbers of a text have a decimal point or a decimal comma."""

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pycdf.base_r.numbers import parse_number
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.grid import Floats, Grid, Kinds
from pycdf.files.tables.request import Request
from pycdf.kernels.parse_cells import OTHER
from pycdf.support.options import option

# 1,234 is a thousand or a little more than one; 0,123 and 1,5 are no thousands.
_EITHER = re.compile(r"\s*[+-]?[1-9][0-9]{0,2},[0-9]{3}\s*")
_GROUPED = re.compile(
    r"\s*[+-]?[0-9]{1,3}(?:(?:,[0-9]{3})+\.[0-9]*|(?:\.[0-9]{3})+,[0-9]*|(?:,[0-9]{3}){2,}"
    r"|(?:\.[0-9]{3}){2,}|(?:[ '\u00a0\u2009\u202f\u2019][0-9]{3})+(?:[.,][0-9]*)?)\s*"
)


def read_numbers(grid: Grid, names: list[str], request: Request) -> tuple[Floats, Kinds, str]:
    """All cells as numbers, the kind of each cell, and the decimal mark.

    A comma is taken if some columns are numbers only with it and none only with a point.
    """
    if request.options.decimal is not None:
        decimal = request.options.decimal
        return *grid.numbers(decimal), decimal
    values, kinds = grid.numbers(".")
    ignored = np.array([name in request.as_text for name in names], dtype=bool)
    unread = _unread(grid, kinds, ".") & ~ignored
    if not unread.any():
        return values, kinds, "."
    _refuse_grouped(grid, names, kinds, np.flatnonzero(unread))
    if b"," not in grid.text:
        return values, kinds, "."
    # Nearly every table has a column of text, and few have commas: it alone is tried first.
    text = np.flatnonzero(unread)
    some = grid.take(columns=text)
    if _unread(some, some.numbers(",")[1], ",").all():
        return values, kinds, "."
    by_comma, comma_kinds = grid.numbers(",")
    comma_unread = _unread(grid, comma_kinds, ",")
    gained = np.flatnonzero(unread & ~comma_unread)
    example = next(cell for cell in _others(grid, kinds, gained) if "," in cell).strip()
    lost = np.flatnonzero(~unread & ~ignored & comma_unread)
    if len(lost):
        request.notes.append(
            f"column {names[gained[0]]!r} has numbers with a decimal comma ({example!r}) and "
            f"column {names[lost[0]]!r} with a point: the former is read as text. "
            f"{option('decimal', ',')} reads it as numbers, and the latter as text."
        )
        return values, kinds, "."
    if all(_EITHER.fullmatch(cell) for cell in _others(grid, kinds, gained) if "," in cell):
        raise DataFileError(
            f"{example!r} in column {names[gained[0]]!r} is {example.replace(',', '.')} with a "
            f"decimal comma, or {example.replace(',', '')} with a separator of thousands: pass "
            f"{option('decimal', ',')} for the former, or remove the separators."
        )
    request.notes.append(
        f"numbers are read with a decimal comma, such as {example!r} in column "
        f"{names[gained[0]]!r}. Pass {option('decimal', '.')} if that is wrong."
    )
    return by_comma, comma_kinds, ","


def parse_cell(cell: str, decimal: str) -> float:
    """The number in a cell of unusual form; NaN if it is none."""
    plain = cell.strip()
    if decimal == ",":  # a point in it would be read, too
        plain = plain.replace(".", "?").replace(",", ".")
    return parse_number(plain)


def _unread(grid: Grid, kinds: Kinds, decimal: str) -> npt.NDArray[np.bool_]:
    """Which columns have cells that are no numbers."""
    found: npt.NDArray[np.bool_] = (kinds == OTHER).any(axis=0)
    for j in np.flatnonzero(found):
        found[j] = any(
            parse_cell(cell, decimal) != parse_cell(cell, decimal) and cell.strip() != "NaN"
            for cell in _others(grid, kinds, np.array([j]))
        )
    return found


def _others(grid: Grid, kinds: Kinds, columns: npt.NDArray[np.intp]) -> Iterator[str]:
    """The cells of some columns that are no numbers with a point."""
    for j in columns:
        for i in np.flatnonzero(kinds[:, j] == OTHER).tolist():
            yield grid.cell(i, j)


def _refuse_grouped(
    grid: Grid, names: list[str], kinds: Kinds, columns: npt.NDArray[np.intp]
) -> None:
    """Refuse a column of numbers with separators of thousands; they would be read as text."""
    for j in columns:
        others = _others(grid, kinds, np.array([j]))
        example = next(others)
        if _GROUPED.fullmatch(example) and all(
            _GROUPED.fullmatch(cell) or _EITHER.fullmatch(cell) for cell in others
        ):
            raise DataFileError(
                f"{example!r} in column {names[j]!r} has separators of thousands: remove them, or "
                f"pass {option('decimal', '.')} to have such columns read as text."
            )
