"""Proximity: shares of leaves against a count by hand, the plane against distances known."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pycdf import CDFClassifier, load_darwin
from pycdf.explain import leaves as module
from pycdf.explain.leaves import _laid_out, embedding, proximity
from pycdf.explain.out_of_bag import left_out_together
from pycdf.kernels.route import FELL_OUT

ROUNDING = 1e-9  # of eigenvectors, in coordinates of about 1


@pytest.fixture(scope="module")
def data():
    X, y = load_darwin()
    return X.iloc[::3, :50], y.iloc[::3]


@pytest.fixture(scope="module")
def fit(data):
    return CDFClassifier(ntrees=40, seed=2).fit(*data)


def by_hand(fit, X, counts):
    """The share of the trees that count in which the estimator's ``apply`` says the same leaf."""
    ends = fit.apply(X)
    shares = np.eye(len(X))
    for i in range(len(X)):
        for j in range(len(X)):
            trees = [t for t in range(ends.shape[1]) if counts[i, t] and counts[j, t]]
            same = sum(ends[i, t] == ends[j, t] != FELL_OUT for t in trees)
            if i != j:
                shares[i, j] = same / len(trees) if trees else np.nan
    return shares


def test_shares_of_leaves(fit, data):
    X = data[0].iloc[:25].astype(np.float64)
    X.iloc[4, ::2] = np.nan
    X.iloc[5] *= -1e200  # its distances overflow: it falls out of every tree
    assert (fit.apply(X)[5] == FELL_OUT).all()
    found = proximity(fit, X)
    assert found.tolist() == by_hand(fit, X, np.ones((25, 40), bool)).tolist()
    assert found[5].tolist() == [float(i == 5) for i in range(25)]


def test_out_of_bag(fit, data):
    X = data[0]
    outside = fit.model_.forest.inbag.T == 0
    found = proximity(fit, X, out_of_bag=True)
    np.testing.assert_array_equal(found, by_hand(fit, X, outside))
    np.testing.assert_array_equal(found, found.T)


def test_dropped_columns_do_not_count(data):
    X, y = data
    wider = X.copy()
    wider.insert(3, "constant", 1.0)
    fits = [CDFClassifier(ntrees=20, k=3, mtry=9, seed=2).fit(rows, y) for rows in (X, wider)]
    for out_of_bag in (False, True):
        plain, other = (
            proximity(fit, rows, out_of_bag=out_of_bag)
            for fit, rows in zip(fits, (X, wider), strict=True)
        )
        np.testing.assert_array_equal(plain, other)


def test_rows_that_no_tree_left_out_together(data):
    few = CDFClassifier(ntrees=3, seed=2).fit(*data)
    found = proximity(few, data[0], out_of_bag=True)
    np.testing.assert_array_equal(found, by_hand(few, data[0], few.model_.forest.inbag.T == 0))
    assert np.isnan(found).any()
    with pytest.raises(ValueError, match=r"never left out by the same tree.* Fit more trees"):
        embedding(few, data[0], out_of_bag=True)


def test_rows_are_compared_in_parts(fit, data, monkeypatch):
    whole = proximity(fit, data[0])
    for rows in (1, 7, 100):
        monkeypatch.setattr(module, "_ROWS", rows)
        assert (proximity(fit, data[0]) == whole).all()


def distances(points):
    return np.sqrt(((points[:, np.newaxis] - points) ** 2).sum(axis=2))


def test_points_of_a_plane_are_found_again():
    """From their distances alone, up to a turn: by all, and by landmarks."""
    points = np.random.default_rng(1).normal(size=(60, 2)) * [3, 1]
    squared = distances(points) ** 2
    for marks in (np.arange(60), np.arange(0, 60, 4)):
        found = _laid_out(squared[:, marks], marks)
        np.testing.assert_allclose(distances(found), distances(points), atol=ROUNDING)
        assert found[marks].std(axis=0)[0] > found[marks].std(axis=0)[1]
        assert (found[np.abs(found).argmax(axis=0), [0, 1]] > 0).all()


def test_points_on_a_line_and_in_one_place():
    line = _laid_out((np.arange(5.0)[:, np.newaxis] - np.arange(5.0)) ** 2, np.arange(5))
    np.testing.assert_allclose(np.abs(line[:, 0]), [2, 1, 0, 1, 2], atol=ROUNDING)
    assert (line[:, 1] == 0).all()
    assert (_laid_out(np.zeros((3, 3)), np.arange(3)) == 0).all()
    assert _laid_out(np.zeros((1, 1)), np.arange(1)).tolist() == [[0.0, 0.0]]


def test_embedding(fit, data):
    """The best plane: its inner products are the two leading parts of the centred proximities."""
    X = data[0]
    found = embedding(fit, X)
    centre = np.eye(len(X)) - 1 / len(X)
    inner = centre @ proximity(fit, X) @ centre / 2
    left, values, _ = np.linalg.svd(inner)
    best = (left[:, :2] * values[:2]) @ left[:, :2].T
    np.testing.assert_allclose(found @ found.T, best, atol=ROUNDING)
    assert (embedding(fit, X) == found).all()


def test_classes_lie_apart():
    y = np.arange(60) % 2
    X = np.random.default_rng(4).normal(size=(60, 20)) + 2 * y[:, np.newaxis]
    fit = CDFClassifier(ntrees=150, seed=1).fit(X, y)
    for out_of_bag in (False, True):
        first = embedding(fit, X, out_of_bag=out_of_bag)[:, 0]
        assert len(np.unique((first > 0) == y)) == 1


def test_embedding_of_many_rows(fit, data, monkeypatch):
    """With landmarks: they lie as without the others, and copies of a row lie on it."""
    X = data[0]
    monkeypatch.setattr(module, "_LANDMARKS", 29)
    many = embedding(fit, X)
    marks = np.linspace(0, len(X) - 1, 29).astype(int)
    alone = embedding(fit, X.iloc[marks])
    signs = np.where((many[marks] * alone).sum(axis=0) < 0, -1, 1)
    np.testing.assert_allclose(many[marks] * signs, alone, atol=ROUNDING)
    twice = X.iloc[np.repeat(np.arange(len(X)), 2)]
    pairs = embedding(fit, twice).reshape(-1, 2, 2)
    np.testing.assert_allclose(pairs[:, 0], pairs[:, 1], atol=ROUNDING)


def test_errors_say_what_to_do(fit, data, monkeypatch):
    X = data[0]
    for function in (proximity, embedding):
        with pytest.raises(ValueError, match="X has no rows: pass at least one"):
            function(fit, X.iloc[:0])
        with pytest.raises(ValueError, match="out_of_bag=True: X has 5 rows and the forest was gr"):
            function(fit, X.iloc[:5], out_of_bag=True)
        forest = fit.model_.forest
        forgetful = replace(fit.model_, forest=forest._replace(inbag=forest.inbag[:, :0]))
        with pytest.raises(ValueError, match="the forest does not store them: fit again"):
            function(forgetful, X, out_of_bag=True)
    monkeypatch.setattr(module, "_MOST_ROWS", len(X))
    assert len(proximity(fit, X)) == len(X)
    monkeypatch.setattr(module, "_MOST_ROWS", 10)
    with pytest.raises(ValueError, match=r"pass at most 10, such as X\.sample\(10\); embedding"):
        proximity(fit, X)


def test_the_spread_of_each_coordinate_is_that_of_classical_scaling():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    middle = np.eye(12) - 1 / 12
    for start in range(0, 96, 12):
        rows = X[start : start + 12]
        values = np.linalg.eigvalsh(middle @ proximity(fit, rows) @ middle / 2)
        assert (embedding(fit, rows) ** 2).sum(axis=0) == pytest.approx(values[:-3:-1])


def test_rows_are_left_out_together_if_each_pair_is_so_in_some_tree():
    def together(*trees, rows=None):
        return left_out_together(SimpleNamespace(inbag=np.array(trees, dtype=np.uint8)), rows)

    first, second, third = [0, 0, 1], [0, 2, 0], [3, 0, 0]
    assert not together(first, second)
    assert together(first, second, third)
    assert together(first, second, rows=np.array([0, 1]))
    assert not together(first, second, rows=np.array([1, 2]))
