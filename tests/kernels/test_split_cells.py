"""Cells of delimited text, with the line breaks of all systems."""

import numpy as np
import pytest

from pycdf.kernels.split_cells import split_cells


def cells_of(text):
    """The cells of each row, and the line on which it begins."""
    codes = np.frombuffer(text, dtype=np.uint8)
    starts, stops, sizes, lines = (np.zeros(len(text) + 2, np.int64) for _ in range(4))
    rows = split_cells(codes, ord(","), ord('"'), False, starts, stops, sizes, lines)
    ends = np.cumsum(sizes[:rows])
    cells = [text[a:b].decode() for a, b in zip(starts, stops, strict=True)][: sizes[:rows].sum()]
    return [cells[end - size : end] for end, size in zip(ends, sizes[:rows], strict=True)], [
        *lines[:rows]
    ]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"], ids=repr)
def test_empty_lines_are_counted_and_skipped(end):
    wanted = [["a", "b"], ["1", "2"], ["3", ""]]
    text = end + b"a,b" + end + b"1,2" + end + end + b"3," + end
    for after in (b"", end, end + end):
        assert cells_of(text + after) == (wanted, [2, 3, 5])
    assert cells_of(end) == ([], [])


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"], ids=repr)
def test_line_breaks_in_quotes_are_counted_once(end):
    first = b'"one' + end + b"two" + end + end + b'three",b'
    cells, lines = cells_of(first + end + b"1,2")
    assert cells == [[first[:-2].decode(), "b"], ["1", "2"]]
    assert lines == [1, 5]
