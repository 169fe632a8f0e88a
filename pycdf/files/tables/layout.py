"""How the columns of delimited text are separated."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

_SEPARATORS = (b"\t", b";", b",", b"|")  # of two that fit equally well, the earlier one is taken
_LINES, _BYTES = 12, 2**22  # looked at
_TOLD = re.compile(rb'"?sep=([^"\r\n])"?[ ,;\t]*(\r\n|\r|\n)', re.IGNORECASE)
_QUOTED = re.compile(rb'"[^"]*"')
_ESCAPED = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)  # as R's write.table quotes quotes
_END = re.compile(rb"\r\n|\r|\n")


class Layout(NamedTuple):
    """The separator of a text."""

    sep: str
    merge: bool = False
    """Whether any run of blanks and tabs is one separator."""
    skip: int = 0
    """The bytes before the header: a line "sep=;", as Excel reads and writes it."""


def find_layout(text: bytes, name: str, sep: str | None) -> Layout:
    """Find the separator: as given, as the text itself says, or the one that fits its first lines.

    A separator fits if all lines have as many as the header, or one more: R's ``write.table`` gives
    row names no header.
    """
    told = _TOLD.match(text)
    skip = told.end() if told else 0
    if sep is not None:
        return Layout(sep, skip=skip)
    if told:
        return Layout(told[1].decode("latin-1"), skip=skip)
    lines = _first_lines(text)
    if not lines:
        return Layout(",")
    if {".tsv", ".tab"} & {suffix.lower() for suffix in Path(name).suffixes} and b"\t" in lines[0]:
        return Layout("\t")
    counts = {one: [line.count(one) for line in lines] for one in _SEPARATORS}
    fitting = [one for one in _SEPARATORS if counts[one][0] and _fits(counts[one])]
    used = fitting or [one for one in _SEPARATORS if counts[one][0]]
    if used:
        return Layout(max(used, key=lambda one: counts[one][0]).decode())
    words = [len(line.split()) for line in _first_lines(text, _ESCAPED)]
    if _fits(words) and max(words) > 1:
        return Layout(" ", merge=True)
    return Layout(",")


def _fits(counts: list[int]) -> bool:
    header, *rows = counts
    return bool(rows) and (set(rows) == {header} or set(rows) == {header + 1})


def _first_lines(text: bytes, quoted: re.Pattern[bytes] = _QUOTED) -> list[bytes]:
    """The first lines that are not blank, without quoted parts; the last one may be cut off."""
    sample = quoted.sub(b"x", text[:_BYTES])
    lines = list(islice((line for line in _lines(sample) if line.strip()), _LINES + 1))
    if len(lines) <= _LINES and len(text) > _BYTES and len(lines) > 2:
        lines.pop()
    return lines[:_LINES]


def _lines(text: bytes) -> Iterator[bytes]:
    """The lines of a text, one by one."""
    begin = 0
    for end in _END.finditer(text):
        yield text[begin : end.start()]
        begin = end.end()
    yield text[begin:]
