"""Tuning: the folds, which candidate is chosen, and the short cuts against the long way."""

import importlib.util
from collections import Counter
from functools import partial

import numpy as np
import pytest

from pycdf.experiment import classifiers as made
from pycdf.experiment import rivals, tuning
from pycdf.experiment.tuning import choose, folds, grid, nested, one_by_one, without

needs_xgboost = pytest.mark.skipif(
    importlib.util.find_spec("xgboost") is None, reason="xgboost is an extra"
)


def some_rows(n=60, p=12, classes=3, seed=5):
    random = np.random.default_rng(seed)
    y = np.array(["a", "b", "c", "d"], dtype=object)[random.integers(0, classes, n)]
    X = random.normal(size=(n, p))
    X[:, 0] += np.unique(y, return_inverse=True)[1]
    return X, y


class Constant:
    """Predicts one label; counts how often it is fitted."""

    fits = 0

    def __init__(self, label):
        self.label = label

    def fit(self, X, y):
        Constant.fits += 1
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


def constant(seed, label):
    return Constant(label)


def test_a_grid_has_all_combinations_and_begins_with_the_defaults():
    assert grid(a=(1, 2), b=("x", "y")) == (
        {"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"},
    )  # fmt: skip


def test_what_is_fixed_is_not_tried():
    assert without(grid(a=(1, 2), b=(3, 4)), {"a": 7}) == ({"b": 3}, {"b": 4})
    assert without(grid(a=(1, 2)), {"a": 7}) == ()


def test_every_row_is_predicted_once_and_the_folds_are_stratified():
    y = np.repeat(["a", "b", "c"], [40, 23, 11])
    parts = folds(y, seed=3)
    assert len(parts) == 10
    assert sorted(np.concatenate([left for _, left in parts])) == list(range(len(y)))
    for inside, left in parts:
        assert sorted({*inside, *left}) == list(range(len(y)))
        counts = Counter(y[left])
        assert counts["a"] == 4
        assert counts["b"] in (2, 3)
        assert counts["c"] in (1, 2)


def test_folds_change_with_the_seed_alone():
    y = np.repeat(["a", "b"], 25)
    same, other = folds(y, 3), folds(y, 4)
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(folds(y, 3), same, strict=True))
    assert not all(np.array_equal(a[1], b[1]) for a, b in zip(same, other, strict=True))


def test_rare_classes_and_few_rows():
    """A row that is alone of its class is in the training rows of nine folds."""
    y = np.array(["a"] * 30 + ["b"] * 12 + ["alone"])
    assert sum(42 in inside for inside, _ in folds(y, 1)) == 9
    assert len(folds(np.array(["a", "b"] * 3), 1)) == 6
    # Without its one b there is nothing to learn: that fold is left out
    assert len(folds(np.array(["a"] * 20 + ["b"]), 1)) == 9
    assert folds(np.array(["a", "b"]), 1) == []


def test_the_candidate_that_is_right_most_often_is_chosen():
    X, y = some_rows(classes=2)
    y[:40], y[40:] = "b", "a"
    candidates = grid(label=("a", "b"))
    Constant.fits = 0
    assert choose(candidates, one_by_one(constant), X, y, 1) == {"label": "b"}
    assert Constant.fits == 20


def test_ties_go_to_the_first_and_so_does_what_no_fold_can_tell():
    X, y = some_rows(classes=2)
    predict = one_by_one(constant)
    assert choose(grid(label=("x", "y")), predict, X, y, 1) == {"label": "x"}
    assert choose(grid(label=("x", "y")), predict, X[:2], np.array(["a", "b"]), 1) == {"label": "x"}


@pytest.mark.parametrize(("make", "name"), [(made.knn, "n_neighbors"), (made.rknn, "k")])
def test_more_neighbours_than_rows_are_not_tried(make, name):
    X, y = some_rows(n=8, classes=2)
    y[:4], y[4:] = "a", "b"
    candidates = grid(**{name: (50, 3, 7)})
    assert choose(candidates, one_by_one(make), X, y, 1)[name] in (3, 7)


def by_hand(make, candidates, X, y, parts, seed):
    return [
        [make(seed, **each).fit(X[inside], y[inside]).predict(X[left]) for inside, left in parts]
        for each in candidates
    ]


def same_answers(ours, expected):
    for answer, other in zip(ours, expected, strict=True):
        for guess, right in zip(answer, other, strict=True):
            assert np.array_equal(guess, right)


@pytest.mark.parametrize(
    ("make", "cut", "candidates"),
    [
        (made.rf, made.first_trees, grid(n_estimators=(9, 3, 20), min_samples_leaf=(1, 5))),
        pytest.param(
            made.xgb, made.first_rounds, grid(n_estimators=(9, 3, 20), max_depth=(6, 1)),
            marks=needs_xgboost,
        ),
        (made.rf, made.first_trees, grid(min_samples_leaf=(1, 5))),
    ],
)  # fmt: skip
def test_few_trees_are_the_beginning_of_many(make, cut, candidates):
    X, y = some_rows()
    make = partial(make) if "n_estimators" in candidates[0] else partial(make, n_estimators=7)
    parts = folds(y, 2)[:3]
    same_answers(
        nested(cut, make)(candidates, X, y, parts, 2), by_hand(make, candidates, X, y, parts, 2)
    )


def test_all_shrunken_centroids_from_the_same_moments():
    X, y = some_rows()
    parts = folds(y, 2)[:3]
    same_answers(
        tuning.by_parameter("shrinkage", rivals.nsc)(rivals.NSC_GRID, X, y, parts, 2),
        by_hand(rivals.nsc, rivals.NSC_GRID, X, y, parts, 2),
    )


def test_groups_stay_together_in_folds_and_classes_are_spread_if_they_can_be():
    y = np.array(["a", "a", "b", "b"] * 12)
    patients = np.arange(48) // 2  # 12 of each class
    for seed in (1, 2):
        parts = folds(y, seed, patients)
        assert len(parts) == tuning.FOLDS
        for inside, left in parts:
            assert not {*patients[inside]} & {*patients[left]}
        sizes = [(y[left] == "a").sum() for _, left in parts]
        assert max(sizes) - min(sizes) <= 2
    mixed = np.arange(48) // 3
    parts = folds(y, 1, mixed)
    assert sorted(np.concatenate([left for _, left in parts])) == list(range(48))
    assert not any({*mixed[inside]} & {*mixed[left]} for inside, left in parts)


def test_all_numbers_of_neighbours_from_the_same_distances():
    X, y = some_rows()
    make = partial(made.rknn, r=20)
    candidates = grid(k=(1, 4, 9))
    parts = folds(y, 2)[:3]
    same_answers(
        tuning.by_parameter("k", make)(candidates, X, y, parts, 2),
        by_hand(make, candidates, X, y, parts, 2),
    )


@pytest.mark.parametrize(
    ("make", "candidates"),
    [
        (made.cart, made.CART_GRID), (made.knn, made.KNN_GRID), (made.svm, made.SVM_GRID),
        (made.rknn, made.RKNN_GRID), (made.rf, made.RF_GRID), (made.rrf, made.RRF_GRID),
        pytest.param(made.xgb, made.XGB_GRID, marks=needs_xgboost),
        (rivals.lsvm, rivals.LSVM_GRID), (rivals.enet, rivals.ENET_GRID),
        (rivals.et, rivals.ET_GRID),
    ],
)  # fmt: skip
def test_grids_name_real_parameters_and_begin_with_the_defaults(make, candidates):
    def parameters(estimator):
        coded = isinstance(estimator, made.CodedLabels)
        return (estimator.estimator if coded else estimator).get_params()

    usual = parameters(make(1))
    stated = {"n_estimators": 100, "max_depth": 6, "min_child_weight": 1, "nodesize": 1}
    for name, value in candidates[0].items():
        default = usual[name]
        assert value == (stated[name] if default is None and value is not None else default)
    for each in candidates:
        chosen = parameters(make(1, **each))
        assert {name: chosen[name] for name in each} == each
    assert len({tuple(sorted(each.items(), key=str)) for each in candidates}) == len(candidates)
    assert tuning.FOLDS == 10
