"""Random kNN against a slow plain reference, and scikit-learn's own checks.

parity_tests compares it with R's package rknn.
"""

import numpy as np
import pytest
from estimator_checks import all_checks

from pycdf import RStream, load_darwin
from pycdf.experiment import random_knn
from pycdf.experiment.random_knn import RandomKNNClassifier


@all_checks(RandomKNNClassifier(k=2, r=15, seed=0))
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


def slow_votes(model, train, y, test, k):
    """One classifier and one row at a time, sums in the order of the drawn columns."""
    classes = sorted(set(y))
    votes = np.zeros((len(test), len(classes)), dtype=int)
    for subset, order in zip(model.subsets_, model.tie_order_, strict=True):
        for i, row in enumerate(test):
            far = []
            for other in train:
                total = 0.0
                for j in subset:
                    total += (row[j] - other[j]) * (row[j] - other[j])
                far.append(total)
            limit = sorted(far)[k - 1] * (1.0001 if k > 1 else 1.0)
            asked = [label for label, d in zip(y, far, strict=True) if d <= limit]
            counts = [asked.count(label) for label in classes]
            tied = [code for code, count in enumerate(counts) if count == max(counts)]
            votes[i, max(tied, key=lambda code: order[code])] += 1
    return votes


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_votes_are_those_of_the_plain_way(k, whole):
    """Whole numbers: many rows are equally near, and many classes tied."""
    random = np.random.default_rng(k)
    X = random.integers(0, 3, (40, 11)).astype(float) if whole else random.normal(size=(40, 11))
    y = np.array(list("abc"))[random.integers(0, 3, 40)]
    model = RandomKNNClassifier(k=k, r=12, mtry=4, seed=3).fit(X[:28], y[:28])
    expected = slow_votes(model, X[:28], y[:28], X[28:], k)
    assert np.array_equal(model.votes(X[28:], [k])[0], expected)
    assert np.array_equal(model.predict_proba(X[28:]), expected / 12)
    assert np.array_equal(model.predict(X[28:]), np.array(list("abc"))[expected.argmax(axis=1)])


def test_rows_in_parts_give_the_same(monkeypatch):
    X, y = load_darwin()
    model = RandomKNNClassifier(r=20, seed=1).fit(X[::2], y[::2])
    whole = model.predict_proba(X[1::2])
    monkeypatch.setattr(random_knn, "_CHUNK_BYTES", 1)
    assert np.array_equal(model.predict_proba(X[1::2]), whole)


def test_several_numbers_of_neighbours_at_once():
    X, y = load_darwin()
    model = RandomKNNClassifier(r=30, seed=1).fit(X[::2], y[::2])
    for k, predicted in zip((1, 6, 3), model.predict_each(X[1::2], [1, 6, 3]), strict=True):
        alone = RandomKNNClassifier(k=k, r=30, seed=1).fit(X[::2], y[::2]).predict(X[1::2])
        assert np.array_equal(predicted, alone)


def test_columns_are_drawn_by_rs_sample():
    X, y = load_darwin()
    model = RandomKNNClassifier(r=3, seed=9).fit(X, y)
    stream = RStream(9)
    assert np.array_equal(model.subsets_, [stream.sample(450, 21) for _ in range(3)])
    assert model.tie_order_.shape == (3, 2)


def test_ties_among_the_votes_go_to_the_class_that_sorts_first():
    X = np.array([[0.0, 10.0], [10.0, 0.0]])
    model = RandomKNNClassifier(r=2, mtry=1, seed=1).fit(X, ["b", "a"])
    model.subsets_ = np.array([[0], [1]])  # one votes for b, the other for a
    assert model.predict([[1.0, 1.0]]).tolist() == ["a"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 0}, r"k=0: pass a whole number from 1 to 87, the number of training rows"),
        ({"k": 88}, r"k=88: .*from 1 to 87"),
        ({"r": 0}, r"r=0: pass a whole number of at least 1\."),
        ({"r": True}, r"r=True: pass a whole number"),
        ({"mtry": 451}, r"mtry=451: .*from 1 to 450, the number of columns"),
        ({"mtry": 2.5}, r"mtry=2.5: pass a whole number"),
        ({"seed": "x"}, r"seed='x' is not a seed"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, message):
    X, y = load_darwin()
    with pytest.raises(ValueError, match=message):
        RandomKNNClassifier(**settings).fit(X[::2], y[::2])


def test_defaults_and_limits():
    X, y = np.arange(12.0).reshape(6, 2), [*"aabbab"]
    model = RandomKNNClassifier(seed=1).fit(X, y)
    assert (model.k, model.r, model.subsets_.shape) == (1, 500, (500, 1))
    every = RandomKNNClassifier(k=6, r=1, mtry=2, seed=1).fit(X, y)
    assert every.votes(X, [6]).sum() == 6
    assert RandomKNNClassifier(r=1, seed=1).fit(X[:2], ["a", "b"]).predict(X[:1]).tolist() == ["a"]


@pytest.mark.parametrize(("farther", "votes"), [(0.9e-4, 3), (1.2e-4, 2)])
def test_rows_that_are_hardly_farther_vote_too(farther, votes):
    """Squared distances that differ by less than a ten-thousandth are equal, if k is above 1."""
    X = np.sqrt([[0.5], [1.0], [1.0 + farther], [9.0]])
    codes = np.zeros(4, dtype=np.intp)
    near = next(random_knn.distances(X, np.zeros((1, 1)), np.array([[0]])))
    assert near.ravel() == pytest.approx([0.5, 1.0, 1.0 + farther, 9.0])
    for k, expected in ((2, votes), (1, 1)):
        kth = np.sort(near, axis=2)[:, :, k - 1]
        among = random_knn.neighbour_classes(near, random_knn.reach(kth, k), codes)
        assert among.tolist() == [[[expected]]]
