"""OpenDocument spreadsheets (.ods), as LibreOffice writes them."""

import math
from typing import Any
from xml.etree import ElementTree

import pandas as pd

from pycdf.files.tables.columns import table_of_rows
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.excel import choose_sheet
from pycdf.files.tables.limits import check_size
from pycdf.files.tables.request import Request

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_NUMBERS = ("float", "percentage", "currency")


def read_opendocument(content: bytes, request: Request) -> pd.DataFrame:
    """Read a sheet from the content.xml of a document."""
    if b"<!DOCTYPE" in content[:1024]:
        raise DataFileError("it is a damaged OpenDocument spreadsheet: it declares XML entities.")
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise DataFileError(f"it is a damaged OpenDocument spreadsheet: {error}.") from None
    sheets = {table.get(_TABLE + "name", ""): table for table in root.iter(_TABLE + "table")}
    title = choose_sheet(list(sheets), request)
    rows: list[list[Any]] = []
    size = 0
    pending = 0  # blank rows, which count only if others follow
    for row in sheets[title].iter(_TABLE + "table-row"):
        cells = _cells(row, len(content))
        repeats = _repeats(row, "number-rows-repeated")
        if not cells:
            pending += repeats
            continue
        size += (pending + repeats) * max(len(cells), 1) * 8
        check_size(size, len(content), "the sheet")
        rows += [[] for _ in range(pending)] + [cells] * repeats
        pending = 0
    return table_of_rows(rows, request)


def _cells(row: ElementTree.Element, size: int) -> list[Any]:
    """The cells of a row, without blank ones at its end."""
    cells: list[Any] = []
    pending = 0
    for cell in row:
        if cell.tag not in (_TABLE + "table-cell", _TABLE + "covered-table-cell"):
            continue
        repeats = _repeats(cell, "number-columns-repeated")
        value = _value(cell)
        if value is None:
            pending += repeats
            continue
        check_size((len(cells) + pending + repeats) * 8, size, "the sheet")
        cells += [None] * pending + [value] * repeats
        pending = 0
    return cells


def _repeats(element: ElementTree.Element, name: str) -> int:
    text = element.get(_TABLE + name, "1")
    if not text.isdecimal() or len(text) > 9:
        raise DataFileError(f"it is a damaged OpenDocument spreadsheet: {name} is {text[:20]!r}.")
    return int(text)


def _value(cell: ElementTree.Element) -> Any:
    kind = cell.get(_OFFICE + "value-type")
    if kind in _NUMBERS:
        try:
            value = float(cell.get(_OFFICE + "value", ""))
        except ValueError:
            value = math.nan
        return int(value) if value.is_integer() else value
    if kind == "boolean":
        return cell.get(_OFFICE + "boolean-value") == "true"
    if kind == "date":
        return cell.get(_OFFICE + "date-value")
    text = "\n".join("".join(_texts(part)) for part in cell.iter(_TEXT + "p"))
    return text or None


def _texts(part: ElementTree.Element) -> list[str]:
    """The text of a paragraph; runs of blanks have an element of their own."""
    found = [part.text or ""]
    for child in part:
        if child.tag == _TEXT + "s":
            count = child.get(_TEXT + "c", "1")
            found.append(" " * (int(count) if count.isdecimal() and len(count) < 5 else 1))
        elif child.tag == _TEXT + "tab":
            found.append("\t")
        else:
            found += _texts(child)
        found.append(child.tail or "")
    return found
