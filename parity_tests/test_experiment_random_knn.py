"""Random kNN against R's package rknn: the same votes given the same draws, and as accurate."""

import numpy as np
import pytest

from pycdf import RStream
from pycdf.experiment import random_knn
from pycdf.experiment.random_knn import RandomKNNClassifier
from pycdf.experiment.splits import split, split_seed

from .tally import TALLY
from .test_experiment_splits import AT_HAND, SEED, paper_set

SPLITS = 10
WITHIN = 2.0  # standard errors of a paired difference: 95 of 100 equally good methods are closer
THREE = [name for name in ("D5", "D8", "D9") if name in AT_HAND]
WHOLE_NUMBERS = [name for name in ("D12", "D17") if name in AT_HAND]

R_RKNN = """
test <- setdiff(seq_along(y), train)
fit <- rknn::rknn(x[train, ], x[test, ], factor(y[train]), k = {k}, r = {r}, seed = {seed})
"""


@pytest.fixture(scope="module")
def rknn(r, comparator):
    comparator("rknn")
    return r


def ask_r(r, X, y, train, k: int, count: int, seed: int):
    """rknn's predictions, and the columns of its classifiers."""
    r["x"], r["y"] = r.matrix(X), r.labels(y)
    r["train"] = r._vector(train + 1)
    r.run(R_RKNN.format(k=k, r=count, seed=seed))
    return np.array(r.value("as.character(fit$pred)")), r.value("fit$features.used") - 1


def drawn_winners(among, stream):
    """rknn's lots: a class with as many neighbours as the best so far replaces it by chance."""
    best, winner, tied = 0, -1, 1
    for code, count in enumerate(among):
        if count > best:
            best, winner, tied = count, code, 1
        elif count == best:
            tied += 1
            if tied * stream.uniform(1)[0] < 1.0:
                winner = code
    return winner


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("name", THREE + WHOLE_NUMBERS)
def test_the_same_draws_give_the_same_votes(rknn, name, k):
    """With R's stream, which also draws lots for ties, every classifier and prediction is R's.

    Among them are whole numbers and 0/1 columns (D12, D17), where many rows are equally near.
    """
    X, y = paper_set(name)
    train, test = split(len(y), SEED, 1)
    theirs, columns = ask_r(rknn, X, y, train, k, 25, seed=7)
    classes, codes = np.unique(y[train], return_inverse=True)
    stream = RStream(7)
    votes = np.zeros((len(test), len(classes)), dtype=int)
    same_draws = []
    for subset in columns.astype(np.int64):
        same_draws.append(np.array_equal(stream.sample(X.shape[1], len(subset)), subset))
        near = np.concatenate(
            list(random_knn.distances(X[train], X[test], subset[np.newaxis])), axis=1
        )
        farthest = random_knn.reach(np.sort(near, axis=2)[:, :, k - 1], k)
        among = random_knn.neighbour_classes(near, farthest, codes)[0]
        for row in range(len(test)):
            votes[row, drawn_winners(among[row], stream)] += 1
    same_predictions = TALLY.compare(
        "experiment: rknn's predictions", classes[votes.argmax(axis=1)] == theirs
    )
    assert TALLY.compare("experiment: rknn's classifiers", same_draws)
    assert same_predictions


@pytest.mark.parametrize("name", THREE)
def test_the_same_columns_give_the_same_predictions(rknn, name):
    """Of the estimator itself: with one neighbour there are no lots to draw."""
    X, y = paper_set(name)
    train, test = split(len(y), SEED, 2)
    theirs, columns = ask_r(rknn, X, y, train, 1, 100, seed=3)
    ours = RandomKNNClassifier(k=1, r=100, seed=3).fit(X[train], y[train])
    ours.subsets_ = columns.astype(np.int64)
    assert TALLY.compare("experiment: rknn's predictions", ours.predict(X[test]) == theirs)


@pytest.mark.parametrize("name", THREE)
def test_the_mean_accuracy_agrees(rknn, name):
    """Each with its own draws, on the same splits."""
    X, y = paper_set(name)
    differences = []
    for i in range(1, SPLITS + 1):
        train, test = split(len(y), SEED, i)
        seed = split_seed(SEED, i)
        theirs, _ = ask_r(rknn, X, y, train, 3, 500, seed)
        ours = RandomKNNClassifier(k=3, seed=seed).fit(X[train], y[train]).predict(X[test])
        differences.append((ours == y[test]).mean() - (theirs == y[test]).mean())
    error = np.std(differences, ddof=1) / np.sqrt(SPLITS)
    assert abs(np.mean(differences)) <= WITHIN * error or not np.any(differences)
