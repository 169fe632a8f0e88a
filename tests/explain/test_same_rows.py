"""Rows that are not those of training are refused wherever a tree's own rows must be known."""

import numpy as np
import pytest

from pycdf import CDF, CDFClassifier
from pycdf.explain import (
    embedding,
    permutation_importance,
    proximity,
    selection_chance,
    split_evidence,
    tree_curve,
)
from pycdf.explain.same_rows import are_training_rows

RNG = np.random.default_rng(8)
Y = np.array(["a", "b", "c"])[np.arange(60) % 3]
PLAIN = RNG.normal(size=(60, 12)) + 0.3 * (np.arange(60) % 3)[:, np.newaxis]
MISSING = np.where(RNG.random(PLAIN.shape) < 0.1, np.nan, PLAIN)
MISSING[:, :4] = PLAIN[:, :4]
DATA = {
    "plain": PLAIN,
    "missing cells": MISSING,
    "a class without values": np.where(np.outer(Y == "b", np.arange(12) % 2), np.nan, PLAIN),
    "huge": PLAIN * 1e150,
    "tiny": PLAIN * 1e-150,
    "an offset": PLAIN + 1e9,
    "whole numbers": RNG.integers(-5, 5, (60, 12)),
}
FITS = {
    "bootstrap": {"ntrees": 20},
    "all rows": {"ntrees": 3, "bootstrap": False},
    "per_tree": {"ntrees": 20, "streams": "per_tree"},
    "leaves": {"ntrees": 5, "depth": 0},
}
ASKED = [
    split_evidence,
    lambda fit, X, y: permutation_importance(fit, X, y, n_repeats=1),
    lambda fit, X, y: selection_chance(fit, X, y, n_repeats=1),
    tree_curve,
]
REFUSED = r"X is not what the forest was grown on.*in their original order"


@pytest.mark.parametrize("kind", DATA)
@pytest.mark.parametrize("form", FITS)
def test_training_rows_are_known(kind, form):
    X = DATA[kind]
    model = CDFClassifier(seed=1, **FITS[form]).fit(X, Y).model_
    codes = np.array([model.classes.tolist().index(label) for label in Y], dtype=np.int32)
    rows = X.astype(np.float64)[:, model.kept]
    assert are_training_rows(model.forest, rows, codes)
    assert are_training_rows(model.forest, rows)


def within_classes():
    """Another order of the rows that leaves the labels as they are."""
    order, rng = np.arange(60), np.random.default_rng(9)
    for label in "abc":
        own = np.flatnonzero(label == Y)
        order[own] = rng.permutation(own)
    return order


@pytest.mark.parametrize("kind", [kind for kind in DATA if kind != "a class without values"])
def test_other_orders_are_refused(kind):
    X = DATA[kind]
    fit = CDFClassifier(ntrees=20, seed=1).fit(X, Y)
    for other in (X[within_classes()], X + 0.1 * np.nanmax(X)):
        for ask in ASKED:
            with pytest.raises(ValueError, match=REFUSED):
                ask(fit, other, Y)
        for ask in (proximity, embedding):
            with pytest.raises(ValueError, match="out_of_bag=True: " + REFUSED):
                ask(fit, other, out_of_bag=True)
            ask(fit, other)  # any rows will do where no row is out of bag


def test_one_cell_is_enough():
    fit = CDF(PLAIN, Y, PLAIN[:0], ntrees=50, mtry=12, seed=1)
    feature = int(fit.forest.features[0])  # of the first root
    row = int(np.flatnonzero(fit.forest.inbag[0])[0])
    for value in (PLAIN[row, feature] + 1e-9, np.nan, np.inf):
        X = PLAIN.copy()
        X[row, feature] = value
        with pytest.raises(ValueError, match=REFUSED):
            tree_curve(fit, X, Y)


def test_more_rows_than_a_byte_counts():
    y = np.arange(2000) % 2
    X = np.random.default_rng(1).normal(size=(2000, 5)) + y[:, np.newaxis]
    fit = CDFClassifier(ntrees=5, seed=1).fit(X, y)
    assert len(tree_curve(fit, X, y)) == 5
    with pytest.raises(ValueError, match=REFUSED):
        tree_curve(fit, np.roll(X, 2, axis=0), y)


@pytest.mark.parametrize("changed", [0, 1, 2])
def test_the_rows_of_every_tree_are_compared(changed):
    """A row that only one of the trees has drawn is another one."""
    fit = CDFClassifier(ntrees=3, seed=2, mtry=12).fit(PLAIN, Y)
    drawn = fit.model_.forest.inbag > 0
    only = np.flatnonzero(drawn[changed] & (drawn.sum(axis=0) == 1))
    X = PLAIN.copy()
    X[only[0]] += 1.0
    with pytest.raises(ValueError, match=REFUSED):
        tree_curve(fit, X, Y)
