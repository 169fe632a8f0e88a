"""The cells of a text, in rows and columns."""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.layout import Layout
from pycdf.kernels.parse_cells import parse_cells
from pycdf.kernels.split_cells import split_cells
from pycdf.support.options import option
from pycdf.support.wording import plural

Longs = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Kinds = npt.NDArray[np.uint8]
_QUOTE = ord('"')
_QUOTED = re.compile(rb'"((?:[^"]|"")*)"(.*)', re.DOTALL)


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells as ranges of bytes of a text."""

    text: bytes
    starts: Longs
    """rows x columns, as ``stops``."""
    stops: Longs
    escapes: bool = False
    """Whether quotes within quotes have a backslash; otherwise they are doubled."""

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and columns."""
        rows, columns = self.starts.shape
        return rows, columns

    def cell(self, i: int, j: int) -> str:
        """The text of a cell, without the quotes around it."""
        raw = self.text[self.starts[i, j] : self.stops[i, j]]
        if self.escapes and raw[:1] == b'"' == raw[-1:] and len(raw) > 1:
            raw = raw[1:-1].replace(b'\\"', b'"')
        elif raw[:1] == b'"' and (quoted := _QUOTED.fullmatch(raw)):
            raw = quoted[1].replace(b'""', b'"') + quoted[2]
        return raw.decode("utf-8")

    def row(self, i: int) -> list[str]:
        """The cells of a row."""
        return [self.cell(i, j) for j in range(self.shape[1])]

    def column(self, j: int) -> list[str]:
        """The cells of a column."""
        return [self.cell(i, j) for i in range(self.shape[0])]

    def take(self, rows: Any = slice(None), columns: Any = slice(None)) -> "Grid":
        """Some rows and columns."""
        return replace(self, starts=self.starts[rows, columns], stops=self.stops[rows, columns])

    @property
    def T(self) -> "Grid":
        """Rows become columns."""
        return replace(self, starts=self.starts.T, stops=self.stops.T)

    def numbers(self, decimal: str) -> tuple[Floats, Kinds]:
        """All cells as numbers, and the kind of each (:mod:`pycdf.kernels.parse_cells`)."""
        values = np.empty(self.shape)
        kinds = np.empty(self.shape, dtype=np.uint8)
        text = np.frombuffer(self.text, dtype=np.uint8)
        starts, stops = np.ascontiguousarray(self.starts), np.ascontiguousarray(self.stops)
        parse_cells(
            text, starts.ravel(), stops.ravel(), ord(decimal), _QUOTE, values.ravel(), kinds.ravel()
        )
        return values, kinds

    def blank(self, columns: Any) -> npt.NDArray[np.bool_]:
        """Which of the cells in some columns are empty."""
        empty: npt.NDArray[np.bool_] = self.starts[:, columns] == self.stops[:, columns]
        return empty


def split_text(text: bytes, layout: Layout) -> Grid:
    """Find the cells of a text; the header, which is the first row, may lack the first one."""
    body = text[layout.skip :] if layout.skip else text
    blanks = body.count(b" ") + body.count(b"\t") if layout.merge else 0
    ends = body.count(b"\n") + body.count(b"\r") + 1
    codes = np.frombuffer(body, dtype=np.uint8)
    # Where separators are dense, this is several times as fast as body.count()
    most = int(np.count_nonzero(codes == ord(layout.sep))) + blanks + ends + 1
    size: Any = np.int32 if len(body) < 2**31 - 1 else np.int64
    starts, stops = np.empty(most, dtype=size), np.empty(most, dtype=size)
    sizes, lines = np.empty(ends, dtype=size), np.empty(ends, dtype=size)
    rows = split_cells(
        codes, ord(layout.sep), _QUOTE, layout.merge,
        starts, stops, sizes, lines,
    )  # fmt: skip
    before = int(layout.skip > 0)
    if rows < 0:
        raise DataFileError(f'the quote (") that begins in line {before - rows:,} has no end.')
    if rows < 2:
        raise DataFileError("it has no rows below a header line.")
    sizes, lines = sizes[:rows], lines[:rows] + before
    width = int(sizes[1])
    cells = int(sizes.sum())
    extra = width - int(sizes[0])
    wrong = np.flatnonzero(sizes[1:] != width) + 1
    if len(wrong) or extra not in (0, 1):
        _refuse(layout, sizes, lines)
    body_starts = starts[sizes[0] : cells].reshape(rows - 1, width)
    body_stops = stops[sizes[0] : cells].reshape(rows - 1, width)
    if extra and (body_starts[:, -1] == body_stops[:, -1]).all():
        # Each line but the header ends with a separator
        body_starts, body_stops, extra = body_starts[:, :-1], body_stops[:, :-1], 0
    head_starts, head_stops = starts[: sizes[0]], stops[: sizes[0]]
    if extra:  # an empty cell in front of the header
        head_starts, head_stops = (
            np.append(0, one).astype(size) for one in (head_starts, head_stops)
        )
    elif width == sizes[0]:  # nothing moves, and nothing is copied
        shape = rows, width
        whole = starts[:cells].reshape(shape), stops[:cells].reshape(shape)
        return Grid(body, *whole, escapes=layout.merge)
    return Grid(
        body,
        np.concatenate([head_starts[None], body_starts]),
        np.concatenate([head_stops[None], body_stops]),
        escapes=layout.merge,
    )


def _refuse(layout: Layout, sizes: Longs, lines: Longs) -> None:
    """Raise an error that names the first line with another number of cells than the header."""
    # With row names that have no header, all rows have one cell more; it is the others that err.
    usual = int(sizes[0]) + int((sizes[1:] == sizes[0] + 1).sum() > len(sizes) // 2)
    row = int(np.flatnonzero(sizes[1:] != usual)[0]) + 1
    what = f"line {lines[row]:,} has {plural(int(sizes[row]), 'cell')} and the header {sizes[0]:,}"
    if row == len(sizes) - 1 and sizes[row] < usual and row > 1:
        raise DataFileError(f"{what}, and it is the last line: is the file incomplete?")
    shown = "white space" if layout.merge else repr(layout.sep)
    raise DataFileError(
        f"{what}: is {shown} the right separator ({option('sep')}), or is a text that contains it "
        "not quoted?"
    )
