"""``scale=True``: the forest of standardised columns, wherever a model is used."""

import pickle

import numpy as np
import pandas as pd
import pytest
from page_parts import Page
from random_rows import random_rows
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pycdf
from pycdf import CDF, CDFClassifier, html_report
from pycdf.cli.option_names import as_option
from pycdf.explain import (
    class_profiles,
    export_text,
    parameter_curves,
    permutation_importance,
    scale_note,
    scaling_table,
    selection_chance,
    split_evidence,
    stability,
)
from pycdf.files.model import model_bytes
from pycdf.report.sections import with_scaling
from pycdf.support.options import spelled_by


def unequal(n=80, p=12, seed=0):
    """Rows whose columns have scales from 1e-4 to 1e7, one of them constant."""
    X, y = random_rows(n, p, 3, seed)
    frame = pd.DataFrame(X * 10.0 ** np.linspace(-4, 7, p), columns=[f"g{j}" for j in range(p)])
    return frame, y


def scaled(X, by=None):
    """The columns as the training rows scale them, and 0 where they do not vary."""
    by = X if by is None else by
    spread = by.std(ddof=1)
    return ((X - by.mean()) / spread.where(spread > 1e-9, 1)).astype(float)


X, Y = unequal()
NEW, _ = unequal(30, seed=5)


def forest_of(model):
    forest = model.model_.forest
    return {name: array.tolist() for name, array in forest._asdict().items() if name != "centroids"}


@pytest.fixture(scope="module")
def fit():
    return CDFClassifier(ntrees=40, seed=3, oob_score=True, scale=True).fit(X, Y)


def test_it_is_the_forest_of_scaled_columns(fit):
    own = CDFClassifier(ntrees=40, seed=3, oob_score=True).fit(scaled(X), Y)
    assert forest_of(fit) == forest_of(own)
    assert fit.model_.forest.centroids == pytest.approx(own.model_.forest.centroids, nan_ok=True)
    new = scaled(NEW, X)
    for method in ("predict", "predict_proba", "votes", "apply"):
        assert getattr(fit, method)(NEW).tolist() == getattr(own, method)(new).tolist(), method
    assert fit.oob_score_ == own.oob_score_
    plain = CDFClassifier(ntrees=40, seed=3).fit(X, Y)
    assert forest_of(plain) != forest_of(fit)
    assert plain.model_.scaling is None


def test_a_pipeline_does_the_same():
    """StandardScaler divides by the standard deviation of n, which changes no nearest centroid."""
    whole = X.drop(columns="g3").fillna(0.0)
    piped = make_pipeline(StandardScaler(), CDFClassifier(ntrees=30, seed=1)).fit(whole, Y)
    own = CDFClassifier(ntrees=30, seed=1, scale=True).fit(whole, Y)
    other = NEW.drop(columns="g3").fillna(0.0)
    assert own.predict(other).tolist() == piped.predict(other).tolist()


def test_cdf_scales_alike(fit):
    with pytest.warns(pycdf.DroppedColumnsWarning, match="constant: 'g3'"):
        result = CDF(X, Y, NEW, ntrees=40, seed=3, scale=True)
    assert model_bytes(result.model_) == model_bytes(
        CDFClassifier(ntrees=40, seed=3, scale=True).fit(X, Y).model_
    )
    assert result.predictions.tolist() == fit.predict(NEW).tolist()
    assert result.predict(NEW).tolist() == fit.predict(NEW).tolist()
    # A test column that is missing has the median of the scaled training column, as in R.
    few = NEW.drop(columns="g11")
    with pytest.warns(pycdf.FilledColumnsWarning), pytest.warns(pycdf.DroppedColumnsWarning):
        result = CDF(X, Y, few, ntrees=40, seed=3, scale=True)
    filled = NEW.assign(g11=X["g11"].median())
    assert result.predictions.tolist() == fit.predict(filled).tolist()


def test_a_result_shows_it():
    new = NEW.drop(columns="g3")
    shown = [
        repr(CDF(X.drop(columns="g3"), Y, new, ntrees=2, seed=1, scale=scale))
        for scale in (False, True)
    ]
    assert "80 rows, 11 features\n" in shown[0]
    assert "80 rows, 11 features, standardised\n" in shown[1]


def test_the_labelled_rows_scale():
    labels, varying, new = [*Y, None], X.drop(columns="g3"), NEW.drop(columns="g3")
    more = pd.concat([varying, varying.iloc[:1] * 1000])
    with pytest.warns(pycdf.DroppedRowsWarning):
        result = CDF(more, labels, new, ntrees=5, seed=3, scale=True)
    alone = CDF(varying, Y, new, ntrees=5, seed=3, scale=True)
    assert result.model_.scaling.same_as(alone.model_.scaling)


def test_whole_numbers_are_no_integer_matrix():
    whole = np.random.default_rng(1).integers(0, 50, (40, 6))
    y = np.arange(40) % 2
    fit = CDFClassifier(ntrees=5, seed=1, scale=True).fit(whole, y)
    assert fit.model_.options["integer"] is False
    again = CDFClassifier(ntrees=5, seed=1, scale=True).fit(whole.astype(float), y)
    assert model_bytes(fit.model_) == model_bytes(again.model_)


@pytest.mark.parametrize("wrong", [1, "yes", None])
def test_other_values_are_refused(wrong):
    with pytest.raises(ValueError, match=r"^scale=.*: pass False or True\.$"):
        CDFClassifier(scale=wrong).fit(X, Y)
    with pytest.raises(ValueError, match=r"^scale=.*: pass False or True\.$"):
        CDF(X, Y, NEW, scale=wrong)


def test_many_rows_in_any_layout(fit):
    """Rows are read in chunks, and columns that no node uses are left out."""
    many = pd.concat([NEW] * 50, ignore_index=True)
    wanted = fit.predict_proba(NEW).tolist() * 50
    assert fit.predict_proba(many).tolist() == wanted
    bare = CDFClassifier(ntrees=40, seed=3, scale=True).fit(X.to_numpy(), Y)
    assert bare.predict_proba(np.asfortranarray(many.to_numpy())).tolist() == wanted
    single = many.to_numpy().astype(np.float32)
    kept = single.copy()
    assert (bare.predict(single) == bare.predict(single.astype(float))).all()
    assert np.array_equal(single, kept, equal_nan=True)


def test_it_survives_files_pickles_and_clones(fit, tmp_path):
    fit.save(tmp_path / "m.cdf")
    loaded = pycdf.load(tmp_path / "m.cdf")
    for copy in (loaded, pickle.loads(pickle.dumps(fit))):
        assert copy.predict_proba(NEW).tolist() == fit.predict_proba(NEW).tolist()
        assert copy.model_.scaling.same_as(fit.model_.scaling)
        assert copy.scale is True
    assert clone(loaded).scale is True


def test_warm_starts(fit):
    part = CDFClassifier(ntrees=25, seed=3, scale=True, warm_start=True, oob_score=True).fit(X, Y)
    part.set_params(ntrees=40).fit(X, Y)
    assert model_bytes(part.model_) == model_bytes(fit.model_)
    clone(part).set_params(ntrees=50, scale=False).fit(X, Y)  # a clone starts over
    with pytest.raises(ValueError, match=r"^scale is False and was True before"):
        part.set_params(ntrees=50, scale=False).fit(X, Y)
    other = X.assign(g0=X["g0"] * 2)
    with pytest.raises(
        ValueError, match="means and standard deviations of the columns of X are not"
    ):
        part.set_params(ntrees=50, scale=True).fit(other, Y)


# ---- explaining ----------------------------------------------------------------------------------


def test_centroids_say_in_which_units_they_are(fit):
    line = "Centroids are in standard deviations from the mean of the training rows."
    assert line in export_text(fit).splitlines()
    assert line not in export_text(CDFClassifier(ntrees=2, seed=1).fit(X, Y)).splitlines()


def test_class_means_are_in_the_units_of_the_columns(fit):
    given = class_profiles(fit, X=X, y=Y)
    for feature, means in zip(given.features, given.means, strict=True):
        wanted = [X.loc[label == Y, feature].mean() for label in given.classes]
        assert means == pytest.approx(wanted)
    stored = class_profiles(fit, features=given.features.tolist())
    spreads = np.array([[X[name].std()] for name in stored.features])
    known = dict(zip(given.features, given.means, strict=True))
    for name, means, spread in zip(stored.features, stored.means, spreads, strict=True):
        assert np.abs(means - known[name]).max() < spread[0]


def test_tools_that_read_rows_scale_them(fit):
    plain = CDFClassifier(ntrees=40, seed=3).fit(scaled(X), Y)
    ours, theirs = split_evidence(fit, X, Y, 0), split_evidence(plain, scaled(X), Y, 0)
    pd.testing.assert_frame_equal(ours, theirs)
    pd.testing.assert_frame_equal(
        permutation_importance(fit, X, Y, seed=1),
        permutation_importance(plain, scaled(X), Y, seed=1),
    )
    pd.testing.assert_frame_equal(
        selection_chance(fit, X, Y, seed=1, n_repeats=3),
        selection_chance(plain, scaled(X), Y, seed=1, n_repeats=3),
    )


def test_other_forests_are_scaled_by_their_own_training_rows():
    given = {"seeds": 2, "top": 3, "ntrees": 20}
    ours, theirs = stability(X, Y, **given, scale=True), stability(scaled(X), Y, **given)
    pd.testing.assert_frame_equal(ours.shares, theirs.shares)
    curves = parameter_curves(
        X, Y, scale=True, splits=1, ntrees=5, mtry_shares=[1.0], ks=[2], seed=4
    )
    inside = pycdf.RStream(4).sample(len(X), int(0.7 * len(X)))
    outside = np.setdiff1d(np.arange(len(X)), inside)
    stream = pycdf.RStream(4)
    stream.sample(len(X), int(0.7 * len(X)))
    forest = CDFClassifier(ntrees=5, seed=stream, scale=True).fit(X.iloc[inside], Y[inside])
    wanted = forest.score(X.iloc[outside], Y[outside])
    assert curves.loc[4, "accuracy"] == pytest.approx(wanted)


# ---- accuracy of both ----------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [False, True])
def test_the_accuracy_of_both(scale):
    models = {
        one: CDFClassifier(ntrees=40, seed=3, oob_score=True, scale=one).fit(X, Y)
        for one in (False, True)
    }
    table = scaling_table(models[scale], X, Y)
    assert table["scale"].tolist() == [scale, not scale]
    for line in table.itertuples():
        assert line.accuracy == models[line.scale].oob_score_
        assert line.low < line.accuracy < line.high
        assert line.rows == len(X)
    assert np.isnan(table["p_value"][0])
    right = {
        one: model.classes_[model.oob_decision_function_.argmax(axis=1)] == Y
        for one, model in models.items()
    }
    better, worse = (right[True] & ~right[False]).sum(), (right[False] & ~right[True]).sum()
    from scipy.stats import binomtest

    assert table["p_value"][1] == pytest.approx(
        binomtest(int(min(better, worse)), int(better + worse)).pvalue
    )
    assert scale_note(models[True]) is None


def test_reports(fit, monkeypatch):
    caption = "Accuracy out of bag, by the scale of the columns"
    page = Page(html_report(fit, X, Y))
    assert page.table(caption)[1][0] == "standardised, as trained"
    assert page.table(caption)[2][0] == "in their own units, grown for comparison"
    assert "Standardised columns (scale=True) have mean 0" in page.text
    assert "All columns are standardised, so that it does not depend on their units." in page.text
    means = {line[0]: line[1:] for line in page.table("The centroids")[1:]}
    for name, shown in means.items():
        for text, label in zip(shown, sorted(set(Y)), strict=True):
            wanted = X.loc[label == Y, name].mean()
            found = float(text.replace("−", "-"))
            assert found == pytest.approx(wanted, rel=0.06, abs=0.06 * X[name].std())
    assert not Page(html_report(fit)).has_table(caption)
    monkeypatch.setattr(with_scaling, "_MOST_WORK", 1)
    page = Page(html_report(fit, X, Y))
    assert not page.has_table(caption)
    assert "takes long: pycdf.explain.scaling_table compares them." in page.text
    with spelled_by(as_option):
        page = Page(html_report(fit, X, Y))
    assert "takes long: to compare, train another model with --scale, and one without." in page.text
    whole = CDFClassifier(ntrees=3, seed=1, bootstrap=False).fit(X, Y)
    monkeypatch.undo()
    judged = Page(html_report(whole, X, Y, X_test=NEW, y_test=Y[: len(NEW)]))
    assert "standardised columns?" not in judged.text  # no row is out of bag


def test_it_needs_rows_out_of_bag():
    fit = CDFClassifier(ntrees=3, seed=1, bootstrap=False).fit(X, Y)
    with pytest.raises(ValueError, match="no tree left out any training row"):
        scaling_table(fit, X, Y)
