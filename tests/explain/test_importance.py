"""All measures of importance side by side, feature by feature."""

import pandas as pd
import pytest
from random_rows import random_rows

from pycdf import CDF
from pycdf.explain import (
    contribution_table,
    importance_table,
    permutation_importance,
    selection_table,
)


def test_each_column_is_its_own_function():
    X, y = random_rows(60, 12, 2, constant=None)
    fit = CDF(X, y, X, ntrees=20, seed=1)
    losses = permutation_importance(fit, X, y, n_repeats=2, seed=4)
    table = importance_table(fit, X, y, n_repeats=2, seed=4)
    assert table.columns.tolist() == ["contribution", "selection", "permutation", "low", "high"]
    assert table["contribution"].tolist() == contribution_table(fit).tolist()
    assert table["selection"].to_dict() == selection_table(fit).to_dict()
    for column, name in (("permutation", "importance"), ("low", "low"), ("high", "high")):
        assert table[column].to_dict() == losses[name].to_dict()
    short = importance_table(fit)
    pd.testing.assert_frame_equal(short, table[["contribution", "selection"]])


def test_features_of_one_name_are_kept_apart():
    X, y = random_rows(60, 6, 2, constant=None)
    frame = pd.DataFrame(X, columns=list("aabbbc"))
    with pytest.warns(UserWarning, match="more than once"):
        fit = CDF(frame, y, frame, ntrees=20, seed=1)
    table = importance_table(fit, frame, y, n_repeats=1, seed=4)
    assert sorted(table.index) == list("aabbbc")
    assert sorted(table["selection"]) == sorted(fit.feature_importance)


def test_rows_without_labels():
    X, y = random_rows(60, 6, 2, constant=None)
    fit = CDF(X, y, X, ntrees=3, seed=1)
    with pytest.raises(ValueError, match="X is given and y is not: pass both, or neither"):
        importance_table(fit, X)
