"""What a cell of text in a table of numbers is: a number written in another way, or plain text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from pycdf.base_r.numbers import parse_number

NUMBER, BLANK, MARKER = "number", "blank", "marker"
COMMA, UNIT, LIMIT, TEXT = "comma", "unit", "limit", "text"
WRITTEN_OTHERWISE = (COMMA, UNIT, LIMIT)
"""Kinds of cells that are numbers to a reader and text to a computer."""

_BLANKS = ("", "NA", "NaN", "nan")  # which R reads as missing without a word
_MARKERS = frozenset(
    "na n/a n.a. nan #n/a #na #nv null none nil missing unknown unk - -- . ? n.d. nd".split()  # noqa: SIM905
)
_DIGITS = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?"
_UNITS = (
    "%|‰|°[CF]?|[mkµμun]?g|[mkµμud]?[lL]|[mkcµμun]?m|[mµμun]?s|[mµμun]?mol|I?U|[kMG]?Hz|[kMG]bp?|bp"
)
_PATTERNS = (
    (COMMA, re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*),\d+(?:[eE][+-]?\d+)?")),
    (COMMA, re.compile(r"[+-]?\d{1,3}(?:[,'\u2019\u00a0\u202f]\d{3})+(?:\.\d+)?")),
    (LIMIT, re.compile(rf"[<>≤≥~±]=?\s*{_DIGITS}(?:\s*\S{{1,12}})?")),
    (UNIT, re.compile(rf"{_DIGITS}(?:\s+[^\W\d]|\s*[%‰°$€£])\S{{0,12}}")),
    (UNIT, re.compile(rf"{_DIGITS}(?:{_UNITS})(?:/\S{{1,8}})?")),
    (UNIT, re.compile(rf"[$€£]\s*{_DIGITS}")),
)  # fmt: skip


def cell_kind(cell: Any) -> str:
    """The kind of a cell."""
    if not isinstance(cell, str):
        return BLANK if cell is None or cell is pd.NA or cell != cell else NUMBER
    text = cell.strip()
    if text in _BLANKS:
        return BLANK
    if text.casefold() in _MARKERS:
        return MARKER
    if parse_number(text) == parse_number(text):
        return NUMBER
    for kind, pattern in _PATTERNS:
        if pattern.fullmatch(text):
            return kind
    return TEXT


def looks_missing(text: str) -> bool:
    """Whether a text stands for a missing value, such as "n/a" or "?"."""
    return text.strip().casefold() in _MARKERS


@dataclass
class TextColumn:
    """The kinds of the cells of a column in which there is text."""

    name: Any
    counts: dict[str, int] = field(default_factory=dict)
    """How many cells there are of each kind."""
    first: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The first cell of each kind, with the position of its row."""

    def count(self, *kinds: str) -> int:
        """How many cells there are of these kinds."""
        return sum(self.counts.get(kind, 0) for kind in kinds)

    @property
    def numbers(self) -> int:
        """How many cells can be read as numbers."""
        return self.count(NUMBER)

    @property
    def texts(self) -> int:
        """How many cells have text that does not stand for a missing value."""
        return self.count(*WRITTEN_OTHERWISE, TEXT)

    @property
    def lost(self) -> int:
        """How many cells cannot be read as numbers, though they are not blank."""
        return self.texts + self.count(MARKER)

    @property
    def written_otherwise(self) -> bool:
        """Whether at least half of the cells are numbers that are written in another way."""
        written = self.count(*WRITTEN_OTHERWISE)
        return written > 0 and 2 * written >= self.numbers + self.texts

    @property
    def cause(self) -> str:
        """The most frequent kind of cells that cannot be read."""
        return max((*WRITTEN_OTHERWISE, TEXT, MARKER), key=self.count)


def text_columns(frame: pd.DataFrame) -> list[TextColumn]:
    """The columns of a frame in which some cells of text are not numbers."""
    known: dict[Any, str] = {}
    found = []
    for position, dtype in enumerate(frame.dtypes):
        if dtype.kind in "biufmM":
            continue
        column = _examined(
            frame.columns[position], frame.iloc[:, position].astype(object).tolist(), known
        )
        if column.lost:
            found.append(column)
    return found


def _examined(name: Any, cells: Iterable[Any], known: dict[Any, str]) -> TextColumn:
    column = TextColumn(name)
    for row, cell in enumerate(cells):
        if isinstance(cell, str):
            kind = known.get(cell)
            if kind is None:
                kind = known[cell] = cell_kind(cell)
        else:
            kind = cell_kind(cell)
        column.counts[kind] = column.counts.get(kind, 0) + 1
        if kind not in column.first:
            column.first[kind] = (row, str(cell))
    return column
