"""Permutation importance: every number against tables that are shuffled and voted for anew."""

import joblib
import numpy as np
import pandas as pd
import pytest
import routed_copies
from numba import njit
from random_rows import random_rows

from pycdf import CDF, CDFClassifier, RStream, load_darwin
from pycdf.explain.fitted import read_training
from pycdf.explain.permutation import permutation_importance
from pycdf.explain.shuffled_votes import count_losses
from pycdf.forest.voting import Routing, votes_by_tree
from pycdf.kernels import random_order


def plain_importance(model, X, y, repeats, seed):
    """The definition, one shuffled table at a time, through the whole forest."""
    forest, stream = model.forest, RStream(seed)
    rows = np.asarray(X, dtype=np.float64)[:, model.kept]
    codes = np.array([model.classes.tolist().index(label) for label in y])
    before = votes_by_tree(Routing(forest), rows, 1)
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
                after = votes_by_tree(Routing(forest), shuffled, 1)[outside, tree] == codes[outside]
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


def grid(n, p, classes, seed):
    """Whole numbers from 0 to 2: many rows are as far from one centroid as from another."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(n) % classes)
    return rng.integers(0, 2, (n, p)) + (codes[:, np.newaxis] == np.arange(p) % classes), codes


ROWS = {
    "two classes": lambda: random_rows(150, 40, 2, missing=0),
    "four classes, missing cells": lambda: random_rows(150, 30, 4, seed=1, missing=0.1),
    "mostly missing": lambda: random_rows(120, 20, 3, seed=2, missing=0.7),
    "ties, two classes": lambda: grid(120, 8, 2, 3),
    "ties, three classes": lambda: grid(120, 9, 3, 4),
    "one huge column": lambda: spoilt(1e9),
    "squares overflow": lambda: spoilt(1e155),
    "values far from 0": lambda: spoilt(1.0, 1e8),
}


def spoilt(factor, shift=0.0):
    X, y = random_rows(100, 15, 3, seed=5, missing=0.02)
    X[:, 4] *= factor
    return X + shift, y


@pytest.mark.parametrize("parameters", [{}, {"depth": 12, "mnode": 2, "k": 3}], ids=["", "deep"])
@pytest.mark.parametrize("name", ROWS)
def test_every_vote_is_that_of_the_shuffled_row(name, parameters):
    """Bit for bit what all rows get that are shuffled and sent down the whole tree."""
    X, y = ROWS[name]()
    model = CDFClassifier(ntrees=15, seed=3, **parameters).fit(X, y)
    training = read_training(model, X, y)
    forest, rows, codes = model.model_.forest, training.rows, training.codes
    stream, other = RStream(9), RStream(9)
    found = count_losses(forest, rows, codes, 3, stream)
    by_repeat, by_row = routed_copies.losses(forest, rows, codes, 3, other)
    assert found.by_repeat.tolist() == by_repeat.tolist()
    assert found.by_row.tolist() == by_row.tolist()
    assert np.abs(found.by_row).sum() > 0
    assert stream.state.tolist() == other.state.tolist()


@pytest.mark.endurance
def test_the_number_of_cores_makes_no_difference():
    X, y = random_rows(60, 12)
    model = CDFClassifier(ntrees=150, k=4, seed=3).fit(X, y)
    streams = [RStream(8) for _ in range(4)]
    tables = [
        permutation_importance(model, X, y, n_repeats=2, seed=stream, n_jobs=jobs)
        for stream, jobs in zip(streams, (None, 1, 3, -1), strict=True)
    ]
    for stream, table in zip(streams[1:], tables[1:], strict=True):
        pd.testing.assert_frame_equal(table, tables[0])
        assert stream.state.tolist() == streams[0].state.tolist()
    with joblib.parallel_config(backend="multiprocessing"):
        other = permutation_importance(model, X, y, n_repeats=2, seed=8, n_jobs=2)
    pd.testing.assert_frame_equal(other, tables[0])
    with pytest.raises(ValueError, match="n_jobs"):
        permutation_importance(model, X, y, n_jobs=0)


@pytest.mark.parametrize("n", [1, 2, 3, 50, 700, 70_000])
def test_shuffles_are_the_order_of_uniform_numbers(n):
    """As R's ``order(runif(n))``; 70,000 numbers of 32 bits have a few ties."""
    stream, other = RStream(5), RStream(5)
    sorting = random_order.new_sorting(n)
    for _ in range(3):
        ordered(stream.state, sorting)
        assert sorting.order.tolist() == other.uniform(n).argsort(kind="stable").tolist()


@njit
def ordered(state, sorting):
    random_order.draw_order(state, sorting)


@pytest.mark.parametrize("count", [0, 1, 623, 624, 625, 1248, 10_000])
def test_skipped_draws(count):
    stream, other = RStream(5), RStream(5)
    random_order.skip_draws(stream.state, count)
    other.uniform(count)
    assert stream.state.tolist() == other.state.tolist()
    assert stream.uniform(700).tolist() == other.uniform(700).tolist()


def test_the_interval_is_about_the_rows():
    """A row's loss counts once, and rows differ: the interval is that of a mean over the rows."""
    X, y = random_rows(90, 12)
    model = CDFClassifier(ntrees=40, seed=3).fit(X, y)
    table = permutation_importance(model, X, y, n_repeats=4, seed=8)
    training = read_training(model, X, y)
    forest = model.model_.forest
    _, by_row = routed_copies.losses(forest, training.rows, training.codes, 4, RStream(8))
    share = by_row / (4 * (forest.inbag == 0).sum())
    error = share.std(axis=1, ddof=1) * np.sqrt(90)
    in_order = table.loc[model.model_.kept.tolist()]
    middle = (in_order["low"] + in_order["high"]) / 2
    assert middle.to_numpy() == pytest.approx(in_order["importance"].to_numpy(), abs=1e-12)
    width = (in_order["high"] - in_order["low"]).to_numpy()
    assert width == pytest.approx(2 * 1.959964 * error, rel=1e-6)
    assert table["low"].iloc[0] > 0 > table["low"].iloc[-1]


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
