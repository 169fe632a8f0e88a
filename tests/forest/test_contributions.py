"""Contributions of features to the distances, against the definition, pair by pair."""

import numpy as np
import pytest
from random_rows import random_rows

from pycdf import CDFClassifier
from pycdf.forest.contributions import (
    contributions,
    deciding_ratio,
    distance_shares,
    impurity_decreases,
)

ROUNDING = 1e-12


def gini(counts):
    return 1 - sum((n / sum(counts)) ** 2 for n in counts)


def defined(forest, n_features, spreads=None):
    """The formulas of docs/algorithm.md, one node, pair of classes and feature at a time."""
    found = np.zeros(n_features)
    ratios, weights = [], []
    spreads = np.ones(n_features) if spreads is None else spreads
    for root, end in zip(forest.tree_start[:-1], forest.tree_start[1:], strict=True):
        for node in range(root, end):
            if forest.leaf[node] >= 0:
                continue
            features = forest.features[forest.feature_start[node] : forest.feature_start[node + 1]]
            links = range(forest.class_start[node], forest.class_start[node + 1])
            centroids = forest.centroids[
                forest.centroid_start[node] : forest.centroid_start[node + 1]
            ].reshape(len(links), len(features))
            rows = [forest.counts[node, forest.node_classes[link]] for link in links]
            parts = np.zeros(len(features))
            for rank, feature in enumerate(features):
                for a in range(len(links)):
                    for b in range(a):
                        away = (centroids[a, rank] - centroids[b, rank]) / spreads[feature]
                        if np.isfinite(away):
                            parts[rank] += float(rows[a]) * float(rows[b]) * away**2
            if parts.sum() == 0:
                continue
            children = [
                root + forest.children[link] for link in links if forest.children[link] >= 0
            ]
            decrease = forest.rows[node] * gini(forest.counts[node]) - sum(
                forest.rows[child] * gini(forest.counts[child]) for child in children
            )
            found[features] += decrease * parts / parts.sum()
            there = parts[parts > 0]
            away = np.sqrt(there)
            ratios.append(np.prod(away ** (there / there.sum())) / np.prod(away) ** (1 / len(away)))
            weights.append(decrease)
    return found / found.sum(), np.exp(np.average(np.log(ratios), weights=weights))


@pytest.mark.parametrize(
    ("rows", "parameters"),
    [
        (lambda: random_rows(80, 15, 2, missing=0), {}),
        (lambda: random_rows(80, 15, 4, missing=0.1), {"depth": 5, "mnode": 2}),
        (lambda: random_rows(60, 10, 3, missing=0.6), {"k": 4, "mtry": 8}),
    ],
    ids=["two classes", "four classes", "mostly missing"],
)
def test_as_defined(rows, parameters):
    X, y = rows()
    model = CDFClassifier(ntrees=12, seed=3, **parameters).fit(X, y).model_
    forest, p = model.forest, len(model.kept)
    found, ratio = defined(forest, p)
    assert contributions(forest, p) == pytest.approx(found, abs=ROUNDING)
    assert found.sum() == pytest.approx(1)
    assert deciding_ratio(forest) == pytest.approx(ratio, rel=1e-9)
    assert ratio > 1
    spreads = np.random.default_rng(1).lognormal(size=p)
    by_spread, _ = defined(forest, p, spreads)
    assert contributions(forest, p, spreads) == pytest.approx(by_spread, abs=ROUNDING)
    assert np.abs(by_spread - found).max() > 0.01


def test_shares_sum_to_one_in_every_split():
    X, y = random_rows(80, 15, 3)
    forest = CDFClassifier(ntrees=5, seed=3).fit(X, y).model_.forest
    split = np.flatnonzero(forest.leaf < 0)
    sums = np.add.reduceat(distance_shares(forest), forest.feature_start[split])
    assert sums == pytest.approx(1)
    decreases = impurity_decreases(forest)
    assert (decreases[forest.leaf >= 0] == 0).all()
    assert (decreases >= 0).all()


def test_the_mean_lead_of_the_own_centroid():
    """What the shares decompose: how much nearer rows are to their own centroid, on average.

    For rows of class a, the mean of d(x, b)^2 - d(x, a)^2 is, feature by feature, the squared
    difference of the centroids.
    """
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 4)) * [1, 2, 3, 0.5]
    y = np.arange(60) % 3
    X[y == 1] += 1
    X[y == 2, 0] -= 2
    forest = CDFClassifier(ntrees=1, depth=1, k=4, mtry=4, bootstrap=False, seed=1).fit(X, y)
    forest = forest.model_.forest
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    lead = np.zeros(4)
    for own in range(3):
        for other in range(3):
            rows = X[y == own]
            lead += ((rows - means[other]) ** 2 - (rows - means[own]) ** 2).sum(axis=0) * 20
    shares = np.empty(4)
    shares[forest.features] = distance_shares(forest)
    assert shares == pytest.approx(lead / lead.sum(), rel=1e-9)


@pytest.mark.parametrize("gaps", [False, True], ids=["complete", "with gaps"])
@pytest.mark.parametrize("factor", [1e-200, 1e160, 1e300])
def test_neither_overflow_nor_underflow(factor, gaps):
    """Squares of differences would be 0 or infinite."""
    X, y = random_rows(40, 6, 3, missing=0, constant=None)
    forest = CDFClassifier(ntrees=3, seed=3, k=3, mtry=6).fit(X, y).model_.forest
    if gaps:  # one centroid of each node lacks a feature
        split = np.flatnonzero(forest.leaf < 0)
        forest.centroids[forest.centroid_start[split]] = np.nan
    scaled = forest._replace(centroids=forest.centroids * factor)
    assert distance_shares(scaled) == pytest.approx(distance_shares(forest), rel=1e-6)


def test_forests_in_which_nothing_decides():
    X, y = random_rows(20, 5, 2, missing=0, constant=None)
    leaves = CDFClassifier(ntrees=3, depth=0, seed=1).fit(X, y).model_.forest
    assert contributions(leaves, 5).tolist() == [0] * 5
    assert np.isnan(deciding_ratio(leaves))
    alike = CDFClassifier(ntrees=3, seed=1).fit(X, y).model_.forest
    alike = alike._replace(centroids=np.ones_like(alike.centroids))
    assert contributions(alike, 5).tolist() == [0] * 5
    assert np.isnan(deciding_ratio(alike))
