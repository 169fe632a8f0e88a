"""Tables in files of many kinds: read right, cell by cell, or refused with the cause."""

import warnings

import numpy as np
import pandas as pd
import pytest
from messy_files import FILES

from pycdf import DataFileError, GuessedFormatWarning, read_table


def same(column, expected):
    """Whether a column has these cells: the same doubles, or the same text."""
    if all(isinstance(cell, float) for cell in expected):
        return np.array_equal(np.asarray(column, dtype=np.float64), expected, equal_nan=True)
    return [None if pd.isna(cell) else cell for cell in column] == expected


def read_with_notes(path, **options):
    """The table, and the texts of the warnings without the file's name."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = read_table(path, **options)
    assert all(one.category is GuessedFormatWarning for one in caught)
    assert all(one.filename == __file__ for one in caught)
    return frame, tuple(str(one.message).removeprefix(f"{path}: ") for one in caught)


@pytest.mark.parametrize("file", FILES, ids=[file.label for file in FILES])
def test_messy_files_are_read_right_or_refused_with_the_cause(file, tmp_path):
    path = file.write(tmp_path)
    if file.refused is not None:
        with pytest.raises(DataFileError) as caught:
            read_table(path, **file.options)
        assert str(caught.value) == f"{path}: {file.refused}"
        return
    frame, notes = read_with_notes(path, **file.options)
    assert notes == file.notes
    assert frame.columns.tolist() == (file.names or list(file.expected))
    assert frame.index.tolist() == (file.index or list(range(1, len(frame) + 1)))
    assert frame.index.name == "row"
    for j, (name, cells) in enumerate(file.expected.items()):
        assert same(frame.iloc[:, j], cells), (name, frame.iloc[:, j].tolist(), cells)


def test_there_are_many_messy_files():
    assert len(FILES) >= 60
    assert sum(file.refused is not None for file in FILES) >= 30
