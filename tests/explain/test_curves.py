"""Curves: each point against the forest of that size, or with those parameters, grown by itself."""

import warnings

import numpy as np
import pandas as pd
import pytest
from random_rows import random_rows

from pycdf import CDF, CDFClassifier, InputWarning, RStream, load_darwin
from pycdf.explain.curves import parameter_curves
from pycdf.explain.tree_curves import tree_curve


def darwin():
    X, y = load_darwin()
    return X.iloc[:, :60], y


def generated():
    """Many ties among the votes of few trees, and missing values."""
    return random_rows(70, 15, classes=4, constant=None)


@pytest.mark.parametrize("make", [darwin, generated])
def test_one_fit_tells_all_smaller_ones(make):
    X, y = make()
    train, test = slice(0, None, 2), slice(1, None, 2)
    X_train, X_test = np.asarray(X)[train], np.asarray(X)[test]
    y_train, y_test = np.asarray(y)[train], np.asarray(y)[test]
    fit = CDFClassifier(ntrees=25, seed=6).fit(X_train, y_train)
    curve = tree_curve(fit, X_train, y_train, X_test, y_test)
    assert curve.index.tolist() == list(range(1, 26))
    for ntrees, point in curve.iterrows():
        small = CDFClassifier(ntrees=ntrees, seed=6, oob_score=True).fit(X_train, y_train)
        assert point["oob_error"] == 1.0 - small.oob_score_
        assert point["accuracy"] == small.score(X_test, y_test)


def test_only_what_is_asked_for():
    X, y = darwin()
    fit = CDF(X[::2], y[::2], X[:0], ntrees=5, seed=6)
    assert tree_curve(fit, X[::2], y[::2]).columns.tolist() == ["oob_error"]
    assert tree_curve(fit, X_test=X[1::2], y_test=y[1::2]).columns.tolist() == ["accuracy"]


def test_a_forest_that_left_out_no_row():
    X, y = darwin()
    fit = CDFClassifier(ntrees=3, bootstrap=False, seed=1).fit(X, y)
    with pytest.raises(ValueError, match="no out-of-bag votes: fit with bootstrap samples"):
        tree_curve(fit, X, y)


def test_no_row_is_out_of_bag_yet():
    """Of two rows, the first trees may draw both: no error to tell."""
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1])
    for seed in range(20):
        fit = CDFClassifier(ntrees=12, seed=seed).fit(X, y)
        left_out = (fit.model_.forest.inbag == 0).any(axis=1)
        curve = tree_curve(fit, X, y)["oob_error"]
        assert curve.isna().tolist() == [not left_out[:t].any() for t in range(1, 13)]
        if curve.isna().any():
            return
    raise AssertionError("no seed met the case")


def test_the_usual_values_of_k_are_not_above_mtry():
    X, y = random_rows(30, 5, 2)
    table = parameter_curves(X, y, mtry_shares=[1.0], splits=1, ntrees=3)
    tried = table[table["parameter"] == "k"]["value"]
    assert list(tried) == [1]


def test_tree_curve_errors():
    X, y = darwin()
    fit = CDFClassifier(ntrees=2, seed=1).fit(X, y)
    with pytest.raises(TypeError, match="there are no rows to evaluate: pass X and y"):
        tree_curve(fit)
    with pytest.raises(TypeError, match="X is given and y is not: pass both"):
        tree_curve(fit, X)
    with pytest.raises(TypeError, match="y_test is given and X_test is not: pass both"):
        tree_curve(fit, X, y, y_test=y)
    with pytest.raises(ValueError, match="X_test has 3 rows and y_test 2 labels"):
        tree_curve(fit, X_test=X[:3], y_test=y[:2])
    with pytest.raises(ValueError, match="y_test has a label that the model does not have: 'Z'"):
        tree_curve(fit, X_test=X[:1], y_test=["Z"])
    with pytest.raises(ValueError, match="X has 9 labelled rows and the forest was grown on 174"):
        tree_curve(fit, X[:9], y[:9])


def accuracy_as_in_r(X, y, seed, **parameters):
    """set.seed(seed); tr <- sample(n, floor(0.7 * n)); CDF(X[tr, ], y[tr], X[-tr, ], ...)"""
    stream = RStream(seed)
    inside = stream.sample(len(X), len(X) * 7 // 10)
    outside = [i for i in range(len(X)) if i not in set(inside.tolist())]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # CDF() tells of columns that it drops
        fit = CDF(X.iloc[inside], y.iloc[inside], X.iloc[outside], seed=stream, **parameters)
    return (fit.predictions == y.iloc[outside]).mean()


@pytest.mark.parametrize("data", ["darwin", "generated"])
def test_parameter_curves(data):
    X, y = darwin() if data == "darwin" else map(pd.DataFrame, generated())
    if data == "generated":
        X[3] = 1.0  # a constant column counts for R's defaults, and plays no part
        y = y[0]
    found = parameter_curves(
        X, y, mtry_shares=[0.1, 1], ks=(2, 5), splits=3, seed=7, ntrees=6, depth=2
    )
    assert found["parameter"].tolist() == ["ntrees"] * 6 + ["mtry"] * 2 + ["k"] * 2
    p = X.shape[1]
    mtrys = [round(0.1 * p), p]
    assert found["value"].tolist() == [*range(1, 7), *mtrys, 2, 5]
    assert found["share"].tolist()[6:8] == [0.1, 1.0]
    assert found["share"].isna().sum() == 8
    for line in found.itertuples():
        changed = {"ntrees": 6, "depth": 2, line.parameter: line.value}
        single = [accuracy_as_in_r(X, y, 7 + i, **changed) for i in range(3)]
        assert line.accuracy == np.mean(single)
        assert line.std_error == np.std(single, ddof=1) / 3**0.5


def test_one_split_and_the_defaults():
    X, y = darwin()
    X = X.iloc[:, :50]
    found = parameter_curves(X, y, splits=1, ntrees=3)
    assert found["std_error"].isna().all()
    assert found.loc[found["parameter"] == "k", "value"].tolist() == [1, 2, 5, 10]  # mtry is 10
    assert found.loc[found["parameter"] == "mtry", "share"].tolist() == [
        0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0,
    ]  # fmt: skip
    none = parameter_curves(X, y, mtry_shares=(), ks=(), splits=1, ntrees=3)
    pd.testing.assert_frame_equal(none, found.iloc[:3])


def test_integers_stay_integers():
    """Their forests differ from those of the same numbers as doubles."""
    rng = np.random.default_rng(8)
    X = rng.integers(0, 40, (60, 30))
    y = np.arange(60) % 3
    settings = {"mtry_shares": (), "ks": (), "splits": 1, "ntrees": 12, "seed": 3}
    stream = RStream(3)
    inside = stream.sample(60, 42)
    outside = np.setdiff1d(np.arange(60), inside)
    for table in (X, X.astype(np.float64)):
        fit = CDF(table[inside], y[inside], table[outside], ntrees=12, seed=stream.copy())
        found = parameter_curves(table, y, **settings)
        assert found["accuracy"].iloc[-1] == (fit.predictions == y[outside]).mean()


def test_a_class_that_is_only_in_the_test_rows():
    """Whatever is predicted for it is wrong."""
    X, _ = generated()
    y = np.array(["a", "b"] * 34 + ["c", "a"], dtype=object)
    for seed in range(30):
        if 68 not in RStream(seed).sample(70, 49):
            break
    found = parameter_curves(X, y, mtry_shares=(), ks=(), splits=1, seed=seed, ntrees=9)
    frame, labels = pd.DataFrame(X), pd.Series(y)
    assert found["accuracy"].iloc[-1] == accuracy_as_in_r(frame, labels, seed, ntrees=9)
    assert found["accuracy"].max() < 1


def test_parameter_curves_errors():
    X, y = darwin()
    for arguments, message in (
        ({"splits": 0}, "splits=0: pass a whole number of at least 1"),
        ({"seed": 2**31}, "seed=2147483648: pass a whole number from"),
        ({"mtry_shares": [0.2, 20]}, "mtry_shares has 20: pass shares of the columns, above 0"),
        ({"mtry_shares": [0]}, "mtry_shares has 0: pass shares of the columns"),
        ({"ks": [1, 61]}, r"ks\[1\]=61: pass a whole number from 1 to 60, the number of columns"),
        ({"ntrees": -1}, "ntrees=-1: pass a whole number"),
    ):
        with pytest.raises(ValueError, match=message):
            parameter_curves(X, y, **arguments)
    with pytest.raises(TypeError, match="there is no parameter trees"):
        parameter_curves(X, y, trees=4)
    with pytest.raises(TypeError, match=r"ks\[0\]=1\.5: pass a whole number from 1 to 60"):
        parameter_curves(X, y, ks=[1.5])
    for shares in (0.2, None):
        with pytest.raises(TypeError, match=r"mtry_shares=.*: pass several numbers, as a list"):
            parameter_curves(X, y, mtry_shares=shares)
    with pytest.raises(TypeError, match="ks=5: pass several numbers, as a list"):
        parameter_curves(X, y, ks=5)
    with pytest.raises(ValueError, match="draws 2 training rows of only one class: pass another"):
        parameter_curves(X.iloc[[0, 1, 2]], ["a", "b", "b"], splits=20, ntrees=2, ks=())


def test_the_default_numbers_of_features():
    X, y = random_rows(40, 120, missing=0, constant=None)
    found = parameter_curves(X, y, mtry_shares=(), splits=1, ntrees=1, mtry=110)
    used = found.loc[found["parameter"] == "k", "value"]
    assert used.tolist() == [1, 2, 5, 10, 20, 50, 100]
