"""Fits in all their forms, and what is read against them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pycdf import CDF, CDFClassifier, IgnoredColumnsWarning, explain, load_darwin
from pycdf.explain.fitted import (
    feature_names,
    model_of,
    read_codes,
    read_rows,
    read_training,
    tree_numbers,
)

RNG = np.random.default_rng(5)
X = pd.DataFrame(RNG.normal(size=(30, 6)), columns=list("abcdef"))
X["c"] = 1.0  # constant: dropped
X.loc[4, "d"] = np.nan
Y = np.array(["sick", "well", "sick"] * 10)
KEPT = list("abdef")


@pytest.fixture(scope="module")
def fits():
    estimator = CDFClassifier(ntrees=4, seed=1).fit(X, Y)
    with pytest.warns(UserWarning, match="left out"):
        result = CDF(X, Y, X[:2], ntrees=4, seed=1)
    return {"estimator": estimator, "result": result, "model": estimator.model_}


@pytest.mark.parametrize("form", ["estimator", "result", "model"])
class TestEveryForm:
    def test_model_and_names(self, fits, form):
        fit = fits[form]
        assert model_of(fit).parameters["ntrees"] == 4
        assert feature_names(fit).tolist() == KEPT == list(fits["result"].feature_importance.index)

    def test_rows_go_by_name(self, fits, form):
        expected = X[KEPT].to_numpy()
        for given in (X, X[list("fedcba")], X[KEPT], X.to_numpy(), X.to_numpy().tolist()):
            rows = read_rows(fits[form], given)
            assert rows.dtype == np.float64
            assert rows.flags.c_contiguous
            np.testing.assert_array_equal(rows, expected)

    def test_labels_become_codes(self, fits, form):
        expected = [0, 1, 0] * 10
        for given in (Y, Y.tolist(), pd.Series(Y), pd.Categorical(Y), [f" {one}\n" for one in Y]):
            assert read_codes(fits[form], given).tolist() == expected
        assert read_codes(fits[form], ["well"]).tolist() == [1]

    def test_training_rows(self, fits, form):
        training = read_training(fits[form], X, Y)
        rows, codes = training.rows, training.codes
        np.testing.assert_array_equal(rows, X[KEPT].to_numpy())
        assert codes.tolist() == [0, 1, 0] * 10


@pytest.mark.parametrize(
    ("fit", "error", "says"),
    [
        ("forest.cdf", TypeError, r"fit is 'forest.cdf': pass pycdf.load of that file"),
        (CDFClassifier, TypeError, r"the class CDFClassifier: pass a fitted one"),
        (CDFClassifier(), NotFittedError, r"not fitted yet"),
        (None, TypeError, r"fit is a NoneType: pass a fitted CDFClassifier, the result of CDF"),
        (make_pipeline(StandardScaler(), CDFClassifier()), TypeError, r"last step, fit\[-1\]"),
    ],
)
def test_what_is_no_fit(fit, error, says):
    with pytest.raises(error, match=says):
        model_of(fit)


def test_a_search_holds_its_fit(fits):
    class Search:
        best_estimator_ = fits["estimator"]

    with pytest.raises(TypeError, match="a Search: pass its best_estimator_"):
        model_of(Search())


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (X.drop(columns="d"), "rows has no column 'd'"),
        (X.rename(columns={"d": "D"}), "no column 'd': did you mean 'D'"),
        (X.drop(columns=["d", "e"]), "In all, 2 columns of the model are missing"),
        (X.to_numpy()[:, 1:], "rows has 5 columns and the model 6"),
        (X["a"].to_numpy(), r"rows has 1 column and the model 6.*For one row pass \[rows\]"),
    ],
)
def test_columns_that_do_not_fit(fits, rows, says):
    with pytest.raises(ValueError, match=says):
        read_rows(fits["model"], rows, "rows")


def test_more_columns_are_told(fits):
    with pytest.warns(
        IgnoredColumnsWarning, match="1 column that the model does not have: 'label'"
    ):
        rows = read_rows(fits["model"], X.assign(label=0))
    np.testing.assert_array_equal(rows, X[KEPT].to_numpy())


def test_names_that_are_no_text():
    """Wavelengths, say: the result of CDF() knows them, its model only the positions."""
    spectra = X.drop(columns="c").set_axis([400.5, 410, 420, 430, 440], axis=1)
    fit = CDF(spectra, Y, spectra[:1], ntrees=2, seed=1)
    assert feature_names(fit).tolist() == [400.5, 410, 420, 430, 440]
    assert feature_names(model_of(fit)).tolist() == [0, 1, 2, 3, 4]
    np.testing.assert_array_equal(read_rows(fit, spectra.iloc[:, ::-1]), spectra.to_numpy())
    with pytest.raises(ValueError, match=r"no column '420\.0'"):
        read_rows(fit, spectra.drop(columns=420))


def test_shared_names_go_by_position():
    twice = X.drop(columns="c").set_axis(list("abbde"), axis=1)
    with pytest.warns(UserWarning, match="more than once"):
        fit = CDF(twice, Y, twice[:1], ntrees=2, seed=1)
    np.testing.assert_array_equal(read_rows(fit, twice), twice.to_numpy())
    with pytest.raises(ValueError, match=r"share a name \('b'\).*in the same order"):
        read_rows(fit, twice.iloc[:, ::-1])


def test_unknown_and_missing_labels(fits):
    with pytest.raises(
        ValueError, match=r"truth has a label that the model does not have: 'ill'\. Its"
    ):
        read_codes(fits["model"], ["ill", "well"], "truth")
    with pytest.raises(ValueError, match="truth has no label in 2 rows, at 1, 2: drop these rows"):
        read_codes(fits["model"], ["well", None, ""], "truth")


def test_numbers_as_labels():
    fit = CDFClassifier(ntrees=2, seed=1).fit(X, [2, 1, 2] * 10)
    for given in ([1, 2], [1.0, 2.0], ["1", "2"]):
        assert read_codes(fit, given).tolist() == [1, 0]


@pytest.mark.parametrize(
    "labels", [[2, 1e5, 10], [2.5, 100000, 10], [True, 2.5, 100000], [2, 10**16, 2.5]]
)
def test_a_fit_accepts_the_numbers_it_was_trained_on(labels):
    y = labels * 10
    fit = CDF(X.drop(columns="c"), y, X.drop(columns="c"), ntrees=4, seed=1)
    assert read_codes(fit, y).tolist() == [0, 1, 2] * 10
    assert read_codes(fit, labels[:1]).tolist() == [0]
    assert read_codes(fit, labels[1:2]).tolist() == [1]  # without the others it is of another type
    table = explain.confusion(y, fit.predictions)
    assert table.shape == (3, 3)
    assert table.to_numpy().trace() == (fit.predictions == np.array(y)).sum()
    few = explain.confusion(labels[1:2], [labels[1]])
    assert few.to_numpy().tolist() == [[1]]


@pytest.mark.parametrize("labels", [["a", 1e5, 3], [2, 1e5, 10]])
def test_permutation_importance_accepts_its_training_labels(labels):
    """NumPy makes text of the first list, "100000.0", which R would write "1e+05"."""
    y = labels * 10
    fit = CDFClassifier(ntrees=4, seed=1).fit(X, y)
    assert read_codes(fit, y).tolist() == [0, 1, 2] * 10
    assert len(explain.permutation_importance(fit, X, y, n_repeats=1, seed=1)) == 5
    with pytest.raises(
        ValueError, match=r"y has a label that the model does not have: 7(\.0)?\. Its"
    ):
        read_codes(fit, [*labels, 7, 7])


def test_labels_that_r_writes_alike():
    """The estimator tells them apart, as scikit-learn does."""
    fit = CDFClassifier(ntrees=2, seed=1).fit(X, np.array(["a", "a ", "a"] * 10))
    assert read_codes(fit, ["a ", "a"]).tolist() == [1, 0]
    with pytest.raises(ValueError, match="label that the model does not have: 'b'"):
        read_codes(fit, ["a", "b"])


def test_rows_without_labels_are_left_out_as_in_training():
    labels = Y.astype(object)
    labels[[3, 7]] = None
    with pytest.warns(UserWarning, match="left out"):
        fit = CDF(X, labels, X[:1], ntrees=2, seed=1)
    training = read_training(fit, X, labels)
    rows, codes = training.rows, training.codes
    there = [i for i in range(30) if i not in (3, 7)]
    np.testing.assert_array_equal(rows, X[KEPT].to_numpy()[there])
    assert codes.tolist() == [int(Y[i] == "well") for i in there]


@pytest.mark.parametrize(
    ("rows", "labels", "says"),
    [
        (X[:20], Y[:20], "X has 20 labelled rows and the forest was grown on 30"),
        (X, Y[:20], "y has 20 labels and X 30 rows"),
        (X, Y[::-1][np.r_[1:30, 0]], "a different label in y than in training"),
    ],
)
def test_other_rows_than_those_of_training(fits, rows, labels, says):
    with pytest.raises(ValueError, match=says):
        read_training(fits["model"], rows, labels)


def test_a_forest_without_in_bag_counts(fits):
    model = fits["model"]
    bare = replace(model, forest=model.forest._replace(inbag=np.empty((4, 0), dtype=np.uint8)))
    with pytest.raises(ValueError, match=r"which rows each tree drew.*fit again"):
        read_training(bare, X, Y)


def test_tree_numbers(fits):
    model = fits["model"]
    assert tree_numbers(model, None) == [0, 1, 2, 3]
    assert tree_numbers(model, 2) == tree_numbers(model, np.int64(2)) == [2]
    assert tree_numbers(model, [3, 0]) == tree_numbers(model, np.array([3, 0])) == [3, 0]
    for wrong in (4, -1, [0, 4]):
        with pytest.raises(ValueError, match="from 0 to 3, a tree of the forest"):
            tree_numbers(model, wrong)
    for wrong in (1.0, "1", True):
        with pytest.raises(
            TypeError, match=r"tree=.*: pass a whole number from 0 to 3, a tree of the forest"
        ):
            tree_numbers(model, wrong)
    with pytest.raises(ValueError, match="tree is empty"):
        tree_numbers(model, [])


def test_a_model_file_will_do(tmp_path):
    from pycdf.files.model import load_model

    X, y = load_darwin()
    estimator = CDFClassifier(ntrees=2, seed=1).fit(X, y)
    estimator.save(tmp_path / "forest.cdf")
    model = load_model(tmp_path / "forest.cdf")
    training = read_training(model, X, y)
    rows, codes = training.rows, training.codes
    assert rows.shape == (174, 450)
    assert (model.classes[codes] == y).all()
