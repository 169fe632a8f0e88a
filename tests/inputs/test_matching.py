"""The columns of a model are found in a caller's table, by name or by position."""

import numpy as np
import pandas as pd
import pytest

from pycdf.inputs.matching import find_columns
from pycdf.inputs.tables import read_matrix

WANTED, KEPT = pd.Index(["a", "c"]), np.array([0, 2])  # of a table with a, b and c
KNOWN = ("a", "b", "c")


def find(*names, wanted=WANTED, known=KNOWN, kept=KEPT, flat=False):
    """Where the columns of the model are in a table with these names, and what is noted."""
    if flat:
        table = read_matrix(np.zeros(3), "X")
    elif isinstance(names[0], int):
        table = read_matrix(np.zeros((1, names[0])), "X")
    else:
        table = read_matrix(pd.DataFrame(np.zeros((1, len(names))), columns=list(names)), "X")
    source, notes = find_columns(wanted, kept, 3, known, table, "X")
    return source.tolist(), [note.message for note in notes]


def test_columns_in_any_order():
    assert find("a", "b", "c") == ([0, 2], [])
    assert find("c", "a") == ([1, 0], [])
    assert find("c", "b", "a") == ([2, 0], [])
    note = "X has 2 columns that the model does not have: 'x', 'z'."
    assert find("x", "c", "z", "a", "b") == ([3, 1], [note])
    assert find("x", "c", "a", known=None) == ([2, 1], [])  # b may have been x


def test_columns_by_position():
    assert find(3) == ([0, 2], [])
    assert find("x", "y", "z", wanted=None) == ([0, 2], [])
    for width in (2, 4):
        with pytest.raises(ValueError, match=rf"^X has {width} columns and the model 3: pass the"):
            find(width)
    with pytest.raises(ValueError, match=r"X has 1 column and the model 3: .* pass \[X\]\.$"):
        find(flat=True)
    with pytest.raises(ValueError, match=r"in the same order\.$"):
        find(4)


def test_columns_that_are_missing():
    with pytest.raises(ValueError, match=r"'c'") as caught:
        find("a", "b", "cc")
    assert "'cc'" in str(caught.value)  # which may be meant
    assert "In all" not in str(caught.value)
    with pytest.raises(ValueError, match=r"'a'.* In all, 2 columns of the model are missing\.$"):
        find("x", "y", "z")


def test_columns_that_share_a_name():
    twice = {"wanted": pd.Index(["a", "a"]), "known": ("a", "b", "a")}
    assert find("a", "b", "a", **twice) == ([0, 2], [])
    with pytest.raises(ValueError, match=r"^several columns of the model share a name \('a'\)"):
        find("b", "a", "a", **twice)
    with pytest.raises(ValueError, match=r"^several columns of the model share a name"):
        find("a", "b", "a", "d", **twice)


def test_names_that_are_numbers():
    assert find("2", "1", wanted=pd.Index([1, 2]), known=None) == ([1, 0], [])
