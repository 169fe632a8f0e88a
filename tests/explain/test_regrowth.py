"""Which nodes a tree grown again knows: those whose centroids are the same, missing ones too."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from pycdf import CDFClassifier, InputWarning
from pycdf.explain.regrowth import grow_again
from pycdf.kernels.regrow import _has_same_counts


@pytest.fixture(scope="module")
def missing():
    """A forest of roots and leaves that select all columns; of a class, one has but one value."""
    draw = np.random.default_rng(2)
    X, y = draw.normal(size=(30, 3)), np.arange(30) % 2
    X[y == 1, 1] = np.nan
    X[5, 1] = 0.25
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return CDFClassifier(ntrees=12, depth=1, k=3, mtry=3, seed=1).fit(X, y).model_, X, y


def known_roots(missing, row, column, value):
    """For each tree whether the root is known if a cell has changed, and if it drew the row."""
    model, X, y = missing
    rows = X.copy()
    rows[row, column] = value
    growth = grow_again(model, rows, y.astype(np.int32))
    roots = model.forest.tree_start[:-1]
    return growth.known[roots], model.forest.inbag[:, row] > 0


def test_the_rows_of_training_are_known(missing):
    known, _ = known_roots(missing, 5, 1, 0.25)
    assert known.all()
    assert np.isnan(missing[0].forest.centroids).any()


@pytest.mark.parametrize(
    ("row", "column", "value"), [(7, 1, 0.5), (5, 1, np.nan), (7, 0, 1e6)],
    ids=["filled in", "lost", "changed"],
)  # fmt: skip
def test_a_tree_that_drew_a_changed_row_is_not_known(missing, row, column, value):
    known, drew = known_roots(missing, row, column, value)
    assert known.tolist() == (~drew).tolist()
    assert drew.any()
    assert not drew.all()


@pytest.mark.parametrize(
    ("sizes", "recorded", "rows", "same"),
    [
        ([3, 2], [3, 2], 5, True),
        ([2, 3], [3, 2], 5, False),
        ([1, 1], [2, 0], 2, False),
        ([3, 2], [3, 3], 6, False),
        ([3, 2], [3, 2], 6, False),  # not all rows came
    ],
)
def test_a_node_is_the_same_if_it_has_as_many_rows_of_each_class(sizes, recorded, rows, same):
    has_same_counts = getattr(_has_same_counts, "py_func", _has_same_counts)
    forest = SimpleNamespace(counts=np.array([recorded]), rows=np.array([sum(recorded)]))
    classes = SimpleNamespace(starts=np.cumsum([0, *sizes]), codes=np.arange(2))
    assert has_same_counts(forest, 0, classes, 2, rows) == same
