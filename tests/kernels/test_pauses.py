"""Growing pauses between nodes, so that an interrupt is noticed; forests are the same."""

import numpy as np
import pytest
from random_rows import random_rows
from same_forest import assert_same_forest

from pycdf import CDFClassifier
from pycdf.forest import growing


@pytest.mark.parametrize("options", [{}, {"streams": "per_tree"}, {"distance": "manhattan"}])
def test_a_forest_is_the_same_however_often_growing_pauses(monkeypatch, options):
    X, y = random_rows()
    model = CDFClassifier(3, seed=1, **options)
    whole = model.fit(X, y).model_.forest
    calls = []
    original = growing.grow_trees

    def counted(*arguments):
        calls.append(original(*arguments))
        return calls[-1]

    monkeypatch.setattr(growing, "grow_trees", counted)
    monkeypatch.setattr(growing, "_CALL_CELLS", 1)
    assert_same_forest(model.fit(X, y).model_.forest, whole)
    if "distance" not in options:
        splits = int(np.count_nonzero(whole.leaf < 0))
        assert calls.count(growing.PAUSED) >= splits - 1
