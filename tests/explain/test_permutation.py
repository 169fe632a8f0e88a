"""Permutation importance: every number against tables that are shuffled and voted for anew."""

import numpy as np
import pandas as pd
import pytest
from random_rows import random_rows

from pycdf import CDF, CDFClassifier, RStream, load_darwin
from pycdf.explain.permutation import permutation_importance
from pycdf.forest.voting import votes_by_tree


def plain_importance(model, X, y, repeats, seed):
    """The definition, one shuffled table at a time, through the whole forest."""
    forest, stream = model.forest, RStream(seed)
    rows = np.asarray(X, dtype=np.float64)[:, model.kept]
    codes = np.array([model.classes.tolist().index(label) for label in y])
    before = votes_by_tree(forest, rows)
    total, trees, asked = np.zeros((repeats, rows.shape[1])), np.zeros(rows.shape[1], int), 0
    for tree in range(forest.n_trees):
        outside = np.flatnonzero(forest.inbag[tree] == 0)
        nodes = range(forest.tree_start[tree], forest.tree_start[tree + 1])
        used = sorted(
            {
                int(feature)
                for node in nodes
                for feature in forest.features[
                    forest.feature_start[node] : forest.feature_start[node + 1]
                ]
            }
        )
        trees[used] += 1
        if not len(outside):
            continue
        asked += 1
        right = (before[outside, tree] == codes[outside]).sum()
        for feature in used:
            for repeat in range(repeats):
                order = sorted(range(len(outside)), key=stream.uniform(len(outside)).__getitem__)
                shuffled = rows.copy()
                shuffled[outside, feature] = rows[outside[order], feature]
                after = votes_by_tree(forest, shuffled)[outside, tree] == codes[outside]
                total[repeat, feature] += (right - after.sum()) / len(outside)
    return total / asked, trees


@pytest.mark.parametrize(
    ("rows", "parameters"),
    [
        (40, {"ntrees": 12, "k": 3, "mtry": 6}),
        (40, {"ntrees": 5, "depth": 0}),  # no tree uses anything
        (6, {"ntrees": 25, "k": 2, "mnode": 2}),  # few rows out of bag
    ],
)
def test_as_defined(rows, parameters):
    X, y = random_rows(rows, 12)
    model = CDFClassifier(seed=3, **parameters).fit(X, y)
    table = permutation_importance(model, X, y, n_repeats=3, seed=8)
    expected, trees = plain_importance(model.model_, X, y, 3, 8)
    in_order = table.loc[model.model_.kept.tolist()]
    assert in_order["importance"].tolist() == expected.mean(axis=0).tolist()
    assert in_order["std"].tolist() == expected.std(axis=0, ddof=1).tolist()
    assert in_order["trees"].tolist() == trees.tolist()
    assert table["importance"].is_monotonic_decreasing


def test_rows_are_routed_in_parts(monkeypatch):
    """How many copies go down a tree together makes no difference."""
    X, y = random_rows(40, 12)
    model = CDFClassifier(ntrees=8, k=4, seed=3).fit(X, y)
    whole = permutation_importance(model, X, y, n_repeats=3, seed=8)
    for copies in (1, 50, 10**6):
        monkeypatch.setattr("pycdf.explain.permutation._COPIES", copies)
        pd.testing.assert_frame_equal(
            permutation_importance(model, X, y, n_repeats=3, seed=8), whole
        )


def test_darwin_finds_what_separates():
    """A feature that is the class tells more than any other; one that nobody uses tells nothing."""
    X, y = load_darwin()
    X = X.iloc[:, :40].assign(answer=(y == "P") * 100.0)
    model = CDFClassifier(ntrees=60, k=3, seed=1).fit(X, y)
    table = permutation_importance(model, X, y, seed=1)
    assert table.index[0] == "answer"
    assert table.loc["answer", "importance"] > 2 * table["importance"].iloc[1]
    unused = model.feature_importances_ == 0
    assert (table.loc[X.columns[unused], ["importance", "std", "trees"]] == 0).all(axis=None)


def test_every_form_of_a_fit_and_a_seed():
    X, y = load_darwin()
    X = X.iloc[:, :30]
    fit = CDF(X, y, X.iloc[:0], ntrees=10, seed=4)
    table = permutation_importance(fit, X, y, n_repeats=2, seed=5)
    assert table["std"].notna().all()
    for same in (fit.model, fit.model.model_):
        pd.testing.assert_frame_equal(
            permutation_importance(same, X, y, n_repeats=2, seed=5), table
        )
    stream = RStream(5)
    pd.testing.assert_frame_equal(
        permutation_importance(fit, X, y, n_repeats=2, seed=stream), table
    )
    other = permutation_importance(fit, X, y, n_repeats=2, seed=stream)  # the stream has gone on
    assert not other.equals(table)
    assert permutation_importance(fit, X, y, n_repeats=1, seed=5)["std"].isna().all()


def test_errors_say_what_to_do():
    X, y = random_rows(40, 12)
    model = CDFClassifier(ntrees=3, seed=3).fit(X, y)
    for repeats in (0, -1):
        with pytest.raises(
            ValueError, match=f"n_repeats={repeats}: pass a whole number of at least"
        ):
            permutation_importance(model, X, y, n_repeats=repeats)
    for repeats in (2.5, "5", True, None):
        with pytest.raises(TypeError, match=r"n_repeats=.*: pass a whole number of at least 1"):
            permutation_importance(model, X, y, n_repeats=repeats)
    with pytest.raises(ValueError, match="X has 39 labelled rows and the forest was grown on 40"):
        permutation_importance(model, X[1:], y[1:])


def test_a_forest_without_out_of_bag_rows():
    X, y = random_rows(40, 12)
    model = CDFClassifier(ntrees=3, bootstrap=False, seed=3).fit(X, y)
    with pytest.raises(ValueError, match="no out-of-bag votes: fit with bootstrap"):
        permutation_importance(model, X, y)
