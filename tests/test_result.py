"""What a fit shows of itself."""

import numpy as np
import pytest

from pycdf import CDF, InputWarning, load_darwin


@pytest.fixture(scope="module")
def fit():
    X, y = load_darwin()
    return CDF(X[:100], (y[:100] == "P").astype(int), X[100:], ntrees=5, seed=1)


def test_the_overview_tells_labels_from_counts_and_how_to_go_on(fit):
    assert repr(fit).splitlines() == [
        "Centroid decision forest: 5 trees, 41 nodes, seed 1",
        "  parameters  ntrees=5, depth=3, mnode=3, k=12, mtry=90",
        "  trained on  100 rows, 450 features",
        "  classes     2: 1, 0",
        "  predicted   74 test rows: 1: 54, 0: 20",
        "  accuracy    unknown without labels: pycdf.explain.confusion(ytest, fit.predictions)",
        "  more        fit.probabilities, fit.feature_importance, fit.trees, fit.model.save(file)",
        "              pycdf.plots, pycdf.explain",
    ]


def test_without_test_rows_there_is_no_accuracy_to_know():
    X, y = load_darwin()
    names = [line.split()[0] for line in repr(CDF(X, y, X[:0], ntrees=2, seed=1)).splitlines()]
    assert names == ["Centroid", "parameters", "trained", "classes", "more", "pycdf.plots,"]


def test_many_classes_and_notes():
    codes = np.arange(400) % 100
    X = np.column_stack([codes, codes**2, np.ones(len(codes))])
    labels = np.datetime64("2020-01-01") + codes
    with pytest.warns(InputWarning) as caught:
        fit = CDF(X, labels, X, ntrees=2, k=5, seed=1)
    lines = repr(fit).splitlines()
    assert lines[3].startswith("  classes     100: 2020-01-01, 2020-01-02, ")
    assert lines[3].endswith(" and 93 more")
    assert lines[4].startswith("  predicted   400 test rows: 2020-01-01: ")
    told = [line.removeprefix("  notes").strip() for line in lines[8:]]
    assert told == [str(one.message) for one in caught]
    assert len(told) > 1


def test_answers_go_by_name_as_in_r(fit):
    assert list(fit)[:3] == ["predictions", "probabilities", "feature_importance"]
    assert all(fit[name] is getattr(fit, name) for name in fit)
    with pytest.raises(KeyError, match=r"predictons.*the items are predictions, probabilities"):
        fit["predictons"]


def test_further_rows_are_predicted_as_test_rows_are(fit):
    X, _ = load_darwin()
    assert fit.predict(X[100:]).tolist() == fit.predictions.tolist()
    assert fit.predict(X[100:], n_jobs=2).dtype == fit.predictions.dtype
    shuffled = X[100:].iloc[:, ::-1].assign(more=1)
    with pytest.warns(InputWarning, match=r"^xnew has 1 column that the model does not have: 'mo"):
        assert fit.predict(shuffled).tolist() == fit.predictions.tolist()
    assert fit.predict(X[100:].to_numpy()).tolist() == fit.predictions.tolist()


def test_further_rows_that_cannot_be_read(fit):
    X, _ = load_darwin()
    with pytest.raises(ValueError, match=r"^n_jobs=0: pass a number of cores"):
        fit.predict(X, n_jobs=0)
    text = X[100:].astype(object)
    text.iloc[3, 378] = "unknown"  # x379
    with pytest.warns(InputWarning, match=r"^.*xnew.*'unknown'"):
        assert len(fit.predict(text)) == 74


def test_columns_without_names_are_taken_by_position():
    X, y = load_darwin()
    unnamed = CDF(X[:100].to_numpy(), y[:100], X[100:].to_numpy(), ntrees=5, seed=1)
    assert unnamed.predict(X[100:]).tolist() == unnamed.predictions.tolist()


def test_a_missing_column_is_named(fit):
    X, _ = load_darwin()
    with pytest.raises(ValueError, match=r"^xnew has no column 'x379'\.$"):
        fit.predict(X.drop(columns="x379"))


def test_columns_with_names_that_are_not_text():
    X, y = load_darwin()
    X.columns = [3 * j + j % 2 for j in range(450)]
    fit = CDF(X[:100], y[:100], X[100:], ntrees=5, seed=1)
    assert fit.predict(X[100:].iloc[:, ::-1]).tolist() == fit.predictions.tolist()
