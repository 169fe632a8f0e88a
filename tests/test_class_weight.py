"""class_weight: the bootstrap drawn class by class."""

import re

import numpy as np
import pytest
from random_rows import random_rows
from same_forest import assert_same_forest
from sklearn.utils import check_random_state

from pycdf import CDFClassifier, RStream, explain, load, tree_seed
from pycdf.inputs.class_weights import class_draws
from pycdf.kernels.strata import new_strata


def unbalanced(n=60, seed=1):
    """Rows of the classes b, C and a, 40, 15 and 5 of them in a data set of 60."""
    X, y = random_rows(n, seed=seed)
    order = check_random_state(seed).permutation(n)
    y[:] = "b"
    y[order[: n // 4]] = "C"
    y[order[n // 4 : n // 3]] = "a"
    return X, y


def sizes(y):
    """The classes as they appear, and their numbers of rows."""
    classes = list(dict.fromkeys(y.tolist()))
    return classes, [int((y == label).sum()) for label in classes]


@pytest.mark.parametrize(
    ("weights", "rows", "expected"),
    [
        ("balanced", [40, 15, 5], [20, 20, 20]),
        ("balanced", [5, 4], [5, 4]),  # 4.5 each: the first class gets the odd row
        ("balanced", [2, 8], [5, 5]),
        ([1.0, 1.0, 1.0], [40, 15, 5], [40, 15, 5]),
        ([1.0, 2.0, 4.0], [40, 15, 5], [27, 20, 13]),  # of 90: 26.67, 20, 13.33
        ([1.0, 1e-9, 1e-9], [10, 5, 5], [18, 1, 1]),  # never less than one
        ([3.0, 1.0], [1, 1], [1, 1]),
        ([1e-300, 1e300], [4, 4], [1, 7]),
    ],
)
def test_rows_of_each_class_in_a_sample(weights, rows, expected):
    codes = np.repeat(np.arange(len(rows)), rows).astype(np.int32)
    draws = class_draws(weights, codes, np.arange(len(rows)))
    assert draws.tolist() == expected
    assert draws.sum() == sum(rows)


def drawn_by_hand(stream, y, expected):
    """R's sample of each class in turn, as positions."""
    classes, _ = sizes(y)
    parts = []
    for label, count in zip(classes, expected, strict=True):
        positions = np.flatnonzero(y == label)
        parts.append(positions[stream.sample(len(positions), count, replace=True)])
    return np.concatenate(parts)


@pytest.mark.parametrize("streams", ["r", "per_tree"])
@pytest.mark.parametrize(
    ("weights", "rows"),
    [("balanced", {"b": 20, "C": 20, "a": 20}), ({"C": 2, "a": 4.0}, {"b": 27, "C": 20, "a": 13})],
)
def test_a_tree_is_grown_on_the_sample_of_each_class(streams, weights, rows):
    X, y = unbalanced()
    classes, found = sizes(y)
    assert sorted(found) == [5, 15, 40]
    expected = [rows[label] for label in classes]
    model = CDFClassifier(3, seed=7, class_weight=weights, streams=streams, k=3, mtry=6).fit(X, y)
    forest = model.model_.forest
    roots = forest.counts[forest.tree_start[:-1]]
    assert roots.tolist() == [expected] * 3
    stream = RStream(7)
    for tree in range(3):
        if streams == "per_tree":
            stream = RStream(tree_seed(7, tree))
        sample = drawn_by_hand(stream, y, expected)
        assert np.bincount(sample, minlength=len(y)).tolist() == forest.inbag[tree].tolist()
        alone = CDFClassifier(1, seed=stream, bootstrap=False, k=3, mtry=6)
        alone.fit(X[sample], y[sample])
        nodes = slice(*forest.tree_start[[tree, tree + 1]])
        features = slice(*forest.feature_start[forest.tree_start[[tree, tree + 1]]])
        centroids = slice(*forest.centroid_start[forest.tree_start[[tree, tree + 1]]])
        assert alone.model_.forest.leaf.tolist() == forest.leaf[nodes].tolist()
        assert alone.model_.forest.features.tolist() == forest.features[features].tolist()
        np.testing.assert_array_equal(alone.model_.forest.centroids, forest.centroids[centroids])


def test_equal_weights_keep_the_class_sizes_but_are_not_rs_bootstrap():
    X, y = unbalanced()
    plain = CDFClassifier(5, seed=1).fit(X, y).model_.forest
    equal = CDFClassifier(5, seed=1, class_weight=dict.fromkeys("bCa", 1)).fit(X, y).model_.forest
    assert equal.counts[0].tolist() == sizes(y)[1]
    assert equal.inbag.tolist() != plain.inbag.tolist()


def test_saved_loaded_continued_and_explained(tmp_path):
    X, y = unbalanced()
    weights = {"C": 2.5, "a": 4.0, "b": 1.0}
    whole = CDFClassifier(12, seed=3, class_weight=weights, oob_score=True).fit(X, y)
    part = CDFClassifier(5, seed=3, class_weight=weights).fit(X, y)
    part.save(tmp_path / "m.cdf")
    again = load(tmp_path / "m.cdf")
    assert again.class_weight == weights
    again.set_params(ntrees=12, warm_start=True).fit(X, y)
    assert_same_forest(again.model_.forest, whole.model_.forest)
    evidence = explain.split_evidence(whole, X, y, tree=4)
    assert len(evidence) > 5
    assert evidence["score"].notna().all()  # the rows of every node are known
    outside = whole.model_.forest.inbag == 0
    assert np.isnan(whole.oob_decision_function_[:, 0]).tolist() == (~outside.any(axis=0)).tolist()
    with pytest.raises(ValueError, match=r"^class_weight is 'balanced' and was .* before: warm"):
        again.set_params(ntrees=13, class_weight="balanced").fit(X, y)


def test_labels_that_are_numbers_and_a_class_that_is_absent():
    X, y = unbalanced()
    codes = np.unique(y, return_inverse=True)[1]
    weights = {np.int64(0): 1, 1: 2, 2: 3, 9: 5}  # as in a fold of a split without the class 9
    model = CDFClassifier(2, seed=1, class_weight=weights).fit(X, codes)
    order = model.model_.classes.tolist()
    assert model.model_.options["class_weight"] == [float(code + 1) for code in order]


def test_a_rare_class_is_found_more_often():
    """In R's forest the class `a`, 5 of 60 rows, is outvoted."""
    X, y = unbalanced(n=120, seed=4)
    X[y == "a"] += 0.4
    found = {}
    for weights in (None, "balanced"):
        model = CDFClassifier(200, seed=1, class_weight=weights, oob_score=True).fit(X, y)
        out_of_bag = model.classes_[np.nanargmax(model.oob_decision_function_, axis=1)]
        found[weights] = int(((out_of_bag == "a") & (y == "a")).sum())
    assert found["balanced"] > found[None]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("balanced_subsample", "class_weight='balanced_subsample': pass 'balanced', a dict from "
         "labels to weights, or None to draw rows as R does."),
        ({}, "class_weight={}: pass 'balanced'"),
        ([1, 2, 3], "class_weight=[1, 2, 3]: pass 'balanced'"),
        ({"a": 0}, "class_weight has 0 for 'a': a weight is a number above 0. To leave out a "
         "class, drop its rows from X and y."),
        ({"a": -1.0}, "class_weight has -1.0 for 'a': a weight"),
        ({"a": np.inf}, "class_weight has inf for 'a': a weight"),
        ({"a": True}, "class_weight has True for 'a': a weight"),
        ({"a": "2"}, "class_weight has '2' for 'a': a weight"),
        ({"A": 2, "b": 1}, "class_weight has a weight for 'A', but the labels in y are "),
    ],
)  # fmt: skip
def test_weights_that_cannot_be_used(weights, message):
    X, y = unbalanced()
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        CDFClassifier(2, class_weight=weights).fit(X, y)


def test_weights_need_a_bootstrap():
    message = "class_weight needs bootstrap=True: the weights say how the bootstrap is drawn."
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        CDFClassifier(2, class_weight="balanced", bootstrap=False).fit(*unbalanced())


def test_a_row_that_would_be_drawn_too_often():
    X, y = random_rows(258)
    y[:] = "b"
    y[7] = "a"
    message = (
        "class_weight would draw each row of class 'a' about 129 times per tree: at most 128 are "
        "possible. Pass a dict with a smaller weight for this class, or collect more rows of it."
    )
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        CDFClassifier(2, class_weight="balanced").fit(X, y)
    forest = CDFClassifier(2, class_weight="balanced", seed=1).fit(X[:256], y[:256]).model_.forest
    assert forest.inbag[:, 7].tolist() == [128, 128]


@pytest.mark.parametrize("draws", [[2, 1], [2, 3], [1, 1, 2]])
def test_samples_that_the_rows_cannot_give(draws):
    """Drawing them would read or write beyond the arrays."""
    codes = np.array([0, 0, 1, 1], dtype=np.int32)
    assert new_strata(codes, np.array([3, 1])).ends.tolist() == [0, 3, 4]
    message = "the classes of the rows are not those that the samples are drawn from."
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        new_strata(codes, np.array(draws))
