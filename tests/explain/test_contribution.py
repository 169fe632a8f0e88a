"""Contribution as a table, and that it finds what decides where the truth is known."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

from pycdf import CDF, CDFClassifier
from pycdf.explain import contribution_table, permutation_importance, selection_table


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return CDFClassifier(ntrees=150, seed=1).fit(X, y), X, y


def rank_correlation(a, b):
    return pd.Series(a).rank().corr(pd.Series(b).reindex(a.index).rank())


def test_breast_cancer(cancer):
    """Selections are chance with 30 columns; contribution agrees with permutation."""
    fit, X, y = cancer
    loss = permutation_importance(fit, X, y, n_repeats=3, seed=1)["importance"]
    found = contribution_table(fit)
    assert rank_correlation(found, loss) > 0.93
    assert found.index[0] == loss.index[0] == "worst area"
    assert abs(rank_correlation(selection_table(fit), loss)) < 0.4


def test_the_table(cancer):
    fit, _, _ = cancer
    found = contribution_table(fit)
    assert found.name == "contribution"
    assert found.sum() == pytest.approx(1)
    assert found.is_monotonic_decreasing
    assert sorted(found.index) == sorted(fit.feature_names_in_)
    pd.testing.assert_series_equal(contribution_table(fit.model_), found)


def test_one_huge_column_decides():
    """Of 21 columns that separate the classes, the worst decides if it has large numbers."""
    rng = np.random.default_rng(3)
    y = np.arange(160) % 2
    X = rng.normal(size=(160, 60))
    X[:, :20] += 1.2 * y[:, np.newaxis]
    X[:, 20] = (X[:, 20] + y) * 1e5
    fit = CDFClassifier(ntrees=150, seed=1).fit(X, y)
    selected, found = selection_table(fit), contribution_table(fit)
    loss = permutation_importance(fit, X, y, seed=1)["importance"]
    assert found.index[0] == loss.index[0] == 20
    assert selected.index.get_loc(20) == 5
    # Among columns of one scale, those that separate the classes decide.
    usual = CDFClassifier(ntrees=150, seed=1).fit(np.delete(X, 20, axis=1), y)
    assert sorted(contribution_table(usual).index[:20]) == list(range(20))


def test_names_of_any_kind():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(30, 3)), columns=[7, ("a", 1), "b"])
    fit = CDF(frame, np.arange(30) % 2, frame, ntrees=5, seed=1)
    assert {*contribution_table(fit).index} == {7, ("a", 1), "b"}
