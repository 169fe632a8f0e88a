"""Measures, ROC curves, calibration and the table of rows, as scikit-learn computes them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from random_rows import random_rows
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_iris

from pycdf import CDFClassifier, TrainingRowsWarning, load_darwin
from pycdf.explain import calibration, class_profiles, performance, roc, row_table
from pycdf.explain.quality import baseline_of, performance_of
from pycdf.explain.row_votes import RowVotes, row_votes

EXACT = 1e-12


@pytest.fixture(scope="module")
def two():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=60, seed=1).fit(X[::2], y[::2])
    return fit, X[1::2], y[1::2]


@pytest.fixture(scope="module")
def three():
    X, y = load_iris(return_X_y=True, as_frame=True)
    fit = CDFClassifier(ntrees=21, depth=1, seed=1).fit(X[::3], y[::3])
    return fit, X[1::3], y[1::3]


@pytest.fixture(params=["two", "three"])
def judged(request):
    return request.getfixturevalue(request.param)


def judge(codes, votes, classes=("a", "b", "c")):
    """Votes as a fit would give them."""
    votes = np.array(votes)
    return RowVotes(np.array(classes[: votes.shape[1]], dtype=object), np.array(codes), votes,
                    np.arange(len(codes)), False, 0)  # fmt: skip


def value(table, measure, label=""):
    (found,) = table[(table["measure"] == measure) & (table["class"] == label)].to_dict("records")
    return found


# ---- measures ------------------------------------------------------------------------------------


def test_measures_are_those_of_scikit_learn(judged):
    fit, X, y = judged
    table = performance(fit, X, y)
    predicted, shares = fit.predict(X), fit.model_.votes(X.to_numpy()) / fit.ntrees
    true = np.asarray(y)
    assert value(table, "accuracy")["value"] == pytest.approx(
        metrics.accuracy_score(true, predicted), abs=EXACT
    )
    assert value(table, "balanced_accuracy")["value"] == pytest.approx(
        metrics.balanced_accuracy_score(true, predicted), abs=EXACT
    )
    assert value(table, "kappa")["value"] == pytest.approx(
        metrics.cohen_kappa_score(true, predicted), abs=EXACT
    )
    areas = []
    for code, label in enumerate(fit.model_.classes):
        own, found = true == label, predicted == label
        area = metrics.roc_auc_score(own, shares[:, code])
        areas.append(area)
        wanted = {
            "sensitivity": metrics.recall_score(own, found),
            "specificity": metrics.recall_score(~own, ~found),
            "auc": area,
        }
        for measure, expected in wanted.items():
            assert value(table, measure, label)["value"] == pytest.approx(expected, abs=EXACT)
    assert value(table, "auc")["value"] == pytest.approx(np.mean(areas), abs=EXACT)


def test_intervals_hold_the_value_and_rows_are_those_of_the_proportion(judged):
    fit, X, y = judged
    table = performance(fit, X, y)
    bounded = table.dropna(subset="low")
    assert {*bounded["measure"]} == {"accuracy", "sensitivity", "specificity", "auc"}
    assert (bounded["low"] <= bounded["value"]).all()
    assert (bounded["value"] <= bounded["high"]).all()
    sizes = pd.Series(np.asarray(y)).value_counts()
    for label, size in sizes.items():
        assert value(table, "sensitivity", label)["rows"] == size
        assert value(table, "specificity", label)["rows"] == len(y) - size


def test_classes_are_sorted_and_undefined_measures_are_nan():
    table = performance_of(judge([2, 2, 0], [[0, 1, 9], [9, 0, 1], [5, 0, 5]]))
    assert table["class"].tolist() == [""] * 4 + ["a"] * 3 + ["b"] * 3 + ["c"] * 3
    for measure in ("sensitivity", "auc"):
        found = value(table, measure, "b")
        assert np.isnan([found["value"], found["low"], found["high"]]).all()
    assert value(table, "specificity", "b")["value"] == 1
    assert np.isnan(value(table, "auc", "a")["low"])  # fewer than five rows
    assert value(table, "sensitivity", "c")["value"] == 0.5


def test_out_of_bag_measures_are_of_the_rows_that_some_tree_left_out():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=3, seed=1, oob_score=False).fit(X, y)
    table = performance(fit, X, y, out_of_bag=True)
    outside = (fit.model_.forest.inbag == 0).any(axis=0)
    assert value(table, "accuracy")["rows"] == outside.sum() < len(X)
    answers = row_table(fit, X, y, out_of_bag=True)
    assert sorted(answers.index) == np.flatnonzero(outside).tolist()
    assert answers["right"].mean() == pytest.approx(value(table, "accuracy")["value"], abs=EXACT)


def test_training_rows_are_noticed():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=3, seed=1).fit(X, y)
    for function in (performance, roc, calibration, row_table):
        with pytest.warns(TrainingRowsWarning, match="all 174 labelled rows of X"):
            function(fit, X, y)


# ---- the baseline --------------------------------------------------------------------------------


def test_the_baseline_is_the_most_frequent_class_and_is_tested_on_pairs_of_answers():
    codes = [1] * 12 + [0] * 8
    votes = [[0, 9]] * 11 + [[9, 0]] * 8 + [[0, 9]]  # one of each class is wrong
    found = baseline_of(judge(codes, votes))
    assert (found.code, found.right, found.rows) == (1, 12, 20)
    assert found.difference == 7 - 1
    assert found.p_value == pytest.approx(2 * (1 + 8) / 2**8, abs=EXACT)  # 7 of 8 pairs


def test_of_equally_frequent_classes_the_first_of_the_sorted_ones_is_the_baseline():
    found = baseline_of(judge([0, 1], [[1, 0], [1, 0]], ("z", "b")))
    assert found.code == 1


# ---- curves --------------------------------------------------------------------------------------


def test_roc_curves_are_those_of_scikit_learn(judged):
    fit, X, y = judged
    table = roc(fit, X, y)
    shares = fit.model_.votes(X.to_numpy()) / fit.ntrees
    assert table["class"].unique().tolist() == sorted({*y})
    for code, label in enumerate(fit.model_.classes):
        own = table[table["class"] == label]
        false, true, threshold = metrics.roc_curve(
            np.asarray(y) == label, shares[:, code], drop_intermediate=False
        )
        np.testing.assert_allclose(own["false_positive_rate"], false, atol=EXACT)
        np.testing.assert_allclose(own["sensitivity"], true, atol=EXACT)
        np.testing.assert_allclose(own["threshold"], threshold, atol=EXACT)


def test_classes_without_rows_have_no_curve():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        from pycdf.explain.probabilities import roc_of

        assert roc_of(judge([2, 0], [[0, 1, 9], [9, 0, 1]]))["class"].unique().tolist() == [
            "a",
            "c",
        ]
        with pytest.raises(ValueError, match="all rows are of one class"):
            roc_of(judge([1, 1], [[0, 9], [9, 0]]))


def test_calibration_of_two_classes_is_that_of_scikit_learn(two):
    fit, X, y = two
    table = calibration(fit, X, y)
    code = fit.model_.classes.tolist().index("P")
    share = fit.model_.votes(X.to_numpy())[:, code] / fit.ntrees
    observed, predicted = calibration_curve(np.asarray(y) == "P", share, n_bins=5)
    np.testing.assert_allclose(table["observed"], observed, atol=EXACT)
    np.testing.assert_allclose(table["predicted"], predicted, atol=EXACT)
    assert table["rows"].sum() == len(y)
    assert (table["observed_low"] <= table["observed"]).all()
    assert (table["observed_high"] >= table["observed"]).all()


def test_calibration_of_more_classes_is_of_the_predicted_one(three):
    fit, X, y = three
    table = calibration(fit, X, y)
    votes = fit.model_.votes(X.to_numpy())
    right = fit.predict(X) == np.asarray(y)
    observed, predicted = calibration_curve(right, votes.max(axis=1) / fit.ntrees, n_bins=5)
    np.testing.assert_allclose(table["observed"], observed, atol=EXACT)
    np.testing.assert_allclose(table["predicted"], predicted, atol=EXACT)


def test_with_many_rows_there_are_ten_bins():
    from pycdf.explain.probabilities import calibration_of

    votes = np.column_stack([np.arange(200), 200 - np.arange(200)])
    table = calibration_of(judge([0] * 200, votes))
    assert len(table) == 10
    assert table["low"].tolist() == pytest.approx(np.arange(10) / 10)


# ---- rows ----------------------------------------------------------------------------------------


def test_wrong_rows_come_first_then_the_least_sure(two):
    fit, X, y = two
    table = row_table(fit, X, y)
    votes = fit.model_.votes(X.to_numpy())
    assert sorted(table.index) == list(range(len(X)))
    assert table["true"].tolist() == np.asarray(y)[table.index].tolist()
    assert table["predicted"].tolist() == fit.predict(X)[table.index].tolist()
    assert table["right"].tolist() == (table["true"] == table["predicted"]).tolist()
    assert table["right"].is_monotonic_increasing
    assert table[~table["right"]]["lead"].is_monotonic_decreasing
    assert table[table["right"]]["lead"].is_monotonic_increasing
    np.testing.assert_allclose(table["share"], votes.max(axis=1)[table.index] / 60, atol=EXACT)
    lead = np.abs(votes[:, 0] - votes[:, 1])[table.index] / 60
    np.testing.assert_allclose(table["lead"], lead, atol=EXACT)
    assert (table["trees"] == 60).all()


def test_row_votes_name_the_rows_they_are_of():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=2, seed=1).fit(X, y)
    judged = row_votes(fit, X, y, out_of_bag=True)
    assert (
        judged.rows.tolist() == np.flatnonzero((fit.model_.forest.inbag == 0).any(axis=0)).tolist()
    )
    assert judged.unseen == len(X) - len(judged.rows) > 0
    np.testing.assert_allclose(judged.shares.sum(axis=1), 1.0)


def test_class_profiles_of_rows_with_missing_values():
    """Means and standard deviations ignore missing cells; with one cell there is no deviation."""
    X, y = random_rows(60, 6, classes=2, seed=3, missing=0, constant=None)
    fit = CDFClassifier(ntrees=20, seed=1).fit(X, y)
    rows = X.copy()
    rows[1:, 0] = np.nan
    rows[::3, 1] = np.nan
    rows[:, 2] = np.nan
    found = class_profiles(fit, top=6, X=rows, y=y)
    known = pd.DataFrame(rows)
    means = known.groupby(np.asarray(y)).mean().T
    spread = known.std().fillna(1.0)
    scaled = means.sub(known.mean(), axis=0).div(spread, axis=0)
    order = found.features.tolist()
    np.testing.assert_allclose(found.means, means.loc[order], rtol=1e-12)
    np.testing.assert_allclose(found.scaled[:, 0], scaled.loc[order].iloc[:, 0], rtol=1e-9)
