"""ARFF files, as Weka, OpenML and R's ``foreign::write.arff`` write them: dense or sparse.

A dense file without quotes in its data is read as fast as CSV. Numbers are parsed as R parses text.
"""

import re
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pycdf.base_r.numbers import parse_number
from pycdf.files.tables.encodings import as_utf8
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.limits import check_size
from pycdf.files.tables.request import Request
from pycdf.kernels.parse_cells import OTHER, parse_cells
from pycdf.kernels.split_cells import split_cells
from pycdf.support.wording import few, plural, shown

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{}}]+)\s*(\{{.*|\S.*)", re.IGNORECASE)
_RELATION = re.compile(r"\s*(?:%[^\n]*\n\s*)*@relation\b", re.IGNORECASE)
_CELL = re.compile(rf"\s*({_QUOTED}|[^,'\"]*?)\s*(,|\t|$)")
_PAIR = re.compile(rf"\s*([0-9]+)\s+({_QUOTED}|[^,'\"{{}}]*?)\s*(,|$)")
_NUMERIC = ("numeric", "real", "integer")
_LOGICAL = {"TRUE": 1.0, "FALSE": 0.0}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class Attribute(NamedTuple):
    """A column of the file."""

    name: str
    categories: tuple[str, ...] | None = None
    numeric: bool = False


def is_arff(data: bytes) -> bool:
    """Whether a text begins as an ARFF file does."""
    start = data[: 2**16].removeprefix(b"\xef\xbb\xbf")
    return _RELATION.match(start.decode("latin-1")) is not None


def read_arff(data: bytes, request: Request) -> pd.DataFrame:
    """Read a file."""
    text = as_utf8(data, request)
    attributes, start, line = _header(text)
    body = text[start:]
    first = re.match(rb"(?:\s*%[^\n]*\n)*\s*(.?)", body)
    size = len(attributes)
    if first is not None and first[1] == b"{":
        cells = _sparse(body.decode("utf-8"), attributes, line, len(data))
    else:
        fast = None
        if not (b"'" in body or b'"' in body or b"%" in body):
            fast = _plain(body, attributes)
        if fast is not None:
            return _finished(fast, attributes, request)
        cells = _dense(body.decode("utf-8"), size, line)
    if not cells[0]:
        raise DataFileError("it has no rows below @data.")
    return _finished(
        [_column(*pair) for pair in zip(attributes, cells, strict=True)], attributes, request
    )


def _header(text: bytes) -> tuple[list[Attribute], int, int]:
    """The attributes, where the data begin, and on which line."""
    attributes: list[Attribute] = []
    at, number = 0, 0
    while at < len(text):
        end = text.find(b"\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].decode("utf-8").strip()
        at, number = end + 1, number + 1
        lowered = line[:12].lower()
        if lowered.startswith("@data"):
            if not attributes:
                raise DataFileError("it has no @attribute lines above @data.")
            return attributes, at, number
        if lowered.startswith("@attribute"):
            attributes.append(_attribute(line, number))
        elif line and not line.startswith("%") and not lowered.startswith("@relation"):
            raise DataFileError(
                f"line {number:,} of the ARFF header is not understood: {shown(line)}."
            )
    raise DataFileError("it has no @data line.")


def _attribute(line: str, number: int) -> Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None:
        raise DataFileError(f"line {number:,} of the ARFF header is not understood: {shown(line)}.")
    name, kind = _unquoted(match[1]), match[2].strip()
    if kind.startswith("{"):
        close = kind.rfind("}")
        if close < 0:
            raise DataFileError(f"line {number:,}: the categories of {name!r} have no end.")
        cells = _split(kind[1:close], number)
        return Attribute(name, tuple("?" if cell is None else cell for cell in cells))
    word = kind.split()[0].lower()
    if word in _NUMERIC:
        return Attribute(name, numeric=True)
    if word in ("string", "date"):
        return Attribute(name)
    raise DataFileError(f"line {number:,}: attributes of type {word!r} are not supported.")


def _split(line: str, number: int) -> list[str | None]:
    """The cells of a line, without quotes; unquoted question marks are missing."""
    cells: list[str | None] = []
    at = 0
    while True:
        match = _CELL.match(line, at)
        if match is None:
            raise DataFileError(f"line {number:,} has a quote without an end.")
        cells.append(None if match[1] == "?" else _unquoted(match[1]))
        at = match.end()
        if match[2] == "":
            return cells


def _unquoted(cell: str) -> str:
    if cell[:1] in ("'", '"') and len(cell) > 1:
        return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), cell[1:-1])
    return cell


def _lines(text: str, before: int) -> list[tuple[int, str]]:
    """Lines that are neither blank nor comments, with their numbers."""
    return [
        (before + number, line.strip())
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip() and not line.lstrip().startswith("%")
    ]


def _dense(text: str, size: int, before: int) -> list[list[str | None]]:
    columns: list[list[str | None]] = [[] for _ in range(size)]
    for number, line in _lines(text, before):
        cells = _split(line, number)
        if len(cells) != size:
            raise DataFileError(
                f"line {number:,} has {plural(len(cells), 'cell')}, and there are "
                f"{plural(size, 'attribute')}."
            )
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    return columns


def _sparse(
    text: str, attributes: list[Attribute], before: int, length: int
) -> list[list[str | None]]:
    """Cells that are not listed are zero, or the first category."""
    lines = _lines(text, before)
    check_size(len(lines) * len(attributes) * 8, length, "the table")
    zeros = [one.categories[0] if one.categories else "0" for one in attributes]
    columns: list[list[str | None]] = [[zero] * len(lines) for zero in zeros]
    for row, (number, line) in enumerate(lines):
        if not (line.startswith("{") and line.endswith("}")):
            raise DataFileError(f"line {number:,} is not in braces, as the others are.")
        inside = line[1:-1].strip()
        at = 0
        while at < len(inside):
            match = _PAIR.match(inside, at)
            if match is None or len(match[1]) > 9 or int(match[1]) >= len(attributes):
                raise DataFileError(
                    f"line {number:,}: {shown(inside[at : at + 40])} is no number of an attribute "
                    "with its value."
                )
            columns[int(match[1])][row] = None if match[2] == "?" else _unquoted(match[2])
            at = match.end()
    return columns


def _plain(body: bytes, attributes: list[Attribute]) -> list[Any] | None:
    """The columns of dense data without quotes and comments; None if lines differ in length."""
    size = len(attributes)
    ends = body.count(b"\n") + body.count(b"\r") + 1
    form: Any = np.int32 if len(body) < 2**31 - 1 else np.int64  # as compiled for CSV
    starts, stops = (np.empty(body.count(b",") + ends + 1, dtype=form) for _ in range(2))
    sizes, lines = (np.empty(ends, dtype=form) for _ in range(2))
    text = np.frombuffer(body, dtype=np.uint8)
    rows = split_cells(text, ord(","), -1, False, starts, stops, sizes, lines)
    if rows < 1 or (sizes[:rows] != size).any():
        return None
    cells = rows * size
    values, kinds = np.empty(cells), np.empty(cells, dtype=np.uint8)
    parse_cells(text, starts[:cells], stops[:cells], ord("."), -1, values, kinds)
    from_, to = starts[:cells].reshape(rows, size), stops[:cells].reshape(rows, size)
    numbers, is_other = values.reshape(rows, size), kinds.reshape(rows, size) == OTHER
    columns: list[Any] = []
    for j, attribute in enumerate(attributes):
        others = np.flatnonzero(is_other[:, j])
        if attribute.numeric and all(body[from_[i, j] : to[i, j]].strip() == b"?" for i in others):
            columns.append(numbers[:, j])
            continue
        texts = [body[from_[i, j] : to[i, j]].decode().strip() for i in range(rows)]
        columns.append(_column(attribute, [None if cell == "?" else cell for cell in texts]))
    return columns


def _column(attribute: Attribute, cells: list[str | None]) -> Any:
    if attribute.numeric:
        numbers = [np.nan if cell is None else _number(cell) for cell in cells]
        wrong = [
            cell for cell, number in zip(cells, numbers, strict=True)
            if number != number and cell is not None and cell.lower() not in ("", "nan", "na")
        ]  # fmt: skip
        if wrong:
            raise DataFileError(
                f"the numeric attribute {attribute.name!r} has the value {shown(wrong[0])}."
            )
        return np.array(numbers)
    if attribute.categories is not None:
        known = set(attribute.categories)
        wrong = [cell for cell in cells if cell is not None and cell not in known]
        if wrong:
            raise DataFileError(
                f"{shown(wrong[0])} is no category of the attribute {attribute.name!r}, which has "
                f"{few(attribute.categories)}."
            )
    return pd.Series(cells, dtype=object)


def _number(cell: str) -> float:
    """A number; R's ``write.arff`` declares logicals numeric, but writes TRUE and FALSE."""
    return _LOGICAL[cell] if cell in _LOGICAL else parse_number(cell)


def _finished(columns: list[Any], attributes: list[Attribute], request: Request) -> pd.DataFrame:
    made = {}
    for j, (values, attribute) in enumerate(zip(columns, attributes, strict=True)):
        if attribute.categories is not None and attribute.name not in request.as_text:
            categories = list(dict.fromkeys(attribute.categories))
            made[j] = pd.Series(pd.Categorical(values, categories=categories))
        else:
            made[j] = pd.Series(values)
    frame = pd.DataFrame(made)
    frame.columns = pd.Index([one.name for one in attributes], dtype=object)
    frame.index = pd.RangeIndex(1, len(frame) + 1, name="row")
    return frame
