"""Methods: how they are found, and what they answer on a split."""

import importlib.util
import pickle
import sys
import warnings

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from pycdf import CDF, load_darwin
from pycdf.experiment import classifiers, specs, tuning
from pycdf.experiment.fitting import OneClassError, run_split
from pycdf.experiment.methods import METHODS, SETS, Method, find
from pycdf.experiment.splits import split, split_seed

needs_xgboost = pytest.mark.skipif(
    importlib.util.find_spec("xgboost") is None, reason="xgboost is an extra"
)


@pytest.fixture(scope="module")
def data():
    """Some columns of DARWIN, the first split with seed 1, and its seed."""
    X, y = load_darwin()
    return X.iloc[:, :30], y, *split(len(y), 1, 1), split_seed(1, 1)


# ---- what is found -------------------------------------------------------------------------------


def test_the_papers_methods_in_its_order_and_their_rivals():
    titles = {name: [METHODS[one].title for one in of] for name, of in SETS.items()}
    assert titles == {
        "paper": ["CDF", "CART", "RF", "RRF", "XGB", "kNN", "RkNN", "SVM"],
        "rivals": [
            "NSC", "DLDA", "linear SVM", "elastic net", "ExtraTrees", "oblique RF", "LightGBM",
        ],
    }  # fmt: skip
    assert find("RkNN") is METHODS["rknn"]
    assert find(METHODS["cdf"]) is METHODS["cdf"]
    assert METHODS["cdf"].grid == ()  # the paper keeps its parameters


def test_a_dotted_name_with_arguments_and_a_name_of_its_own():
    method = find("logit = sklearn.linear_model.LogisticRegression(C=0.1, solver='saga')")
    assert (method.name, method.title, method.grid) == ("logit", "logit", ())
    model = method.make(5)
    assert isinstance(model, LogisticRegression)
    assert (model.C, model.solver, model.random_state) == (0.1, "saga", 5)
    assert find("sklearn.naive_bayes.GaussianNB").name == "GaussianNB"
    assert find("sklearn.svm.SVC(C=2)").name == "SVC(C=2)"


def test_a_known_method_with_arguments_tunes_the_rest():
    method = find("rf(n_estimators=20, max_features=0.5)")
    assert method.name == "rf(n_estimators=20, max_features=0.5)"
    assert method.make(1).n_estimators == 20
    assert method.grid == tuning.grid(max_depth=(None, 4), min_samples_leaf=(1, 5))
    assert find("paper=cdf(spread='population')").make(1).spread == "population"


def test_estimators_are_copied_and_seeded_where_they_are_not():
    pipeline = make_pipeline(StandardScaler(), SVC())
    method = find(pipeline)
    made = method.make(7)
    assert method.name == "Pipeline"
    assert made is not pipeline
    assert made.get_params()["svc__random_state"] == 7
    assert pipeline.get_params()["svc__random_state"] is None
    kept = find(("mine", RandomForestClassifier(random_state=3)))
    assert kept.name == "mine"
    assert kept.make(7).random_state == 3
    assert find(RandomForestClassifier()).make(-1).random_state == 2**32 - 1


@pytest.mark.parametrize("spec", [*METHODS, "cdf(ntrees=5)", "sklearn.svm.SVC(C=2)", GaussianNB()])
def test_methods_travel_to_other_processes(spec):
    method = find(spec)
    there = pickle.loads(pickle.dumps(method))
    assert (there.name, there.grid) == (method.name, method.grid)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rff", r"no method 'rff'. Did you mean rf or rrf\? Choose from cdf, cart, .*full name"),
        ("sklearn.svm.SCV", r"no SCV in sklearn.svm. Did you mean .*SVC"),
        ("sklearn.no.SVC", r"^there is no module no in sklearn: is its package installed\?$"),
        ("rf(5)", r"arguments in 'rf\(5\)' need names: argument=value"),
        ("rf(**{'a': 1})", r"need names"),
        ("rf(n_estimators=len('ab'))", r"n_estimators=len\('ab'\) .* is not a literal"),
        ("rf(trees=5)", r"rf\(trees=5\) cannot be built: .*unexpected keyword argument 'trees'"),
        ("sklearn.svm.SVC(c=5)", r"SVC\(c=5\) cannot be built: .*'c'"),
        ("rf(seed=1)", r"seed cannot be set in rf\(seed=1\): each split has its own seed"),
        ("cart(random_state=1)", r"random_state cannot be set"),
        ("os.path.join", r"'os.path.join' is not a class"),
        ("pathlib.Path", r"Path is not a classifier: it has no fit\(\) and no predict\(\)"),
        ("sklearn.preprocessing.StandardScaler", r"is not a classifier: it has no predict\(\)"),
        ("sklearn.linear_model.LinearRegression", r"LinearRegression is a regressor"),
        ("=rf", r"no name in front of '=' in '=rf'"),
        ("two words", r"'two words' is not a method. Write a method as NAME"),
        ("rf(n_estimators=1", r"is not a method"),
        ("1 + 1", r"is not a method"),
        ("", r"'' is not a method"),
        (5, r"5 is not a classifier"),
        (LinearRegression(), r"LinearRegression is a regressor"),
        (LinearRegression, r"LinearRegression is a regressor"),
        (OneVsRestClassifier, r"OneVsRestClassifier cannot be built: .*'estimator'"),
        (StandardScaler(), r"StandardScaler\(\) is not a classifier"),
    ],
)
def test_what_cannot_be_meant_is_refused(spec, message):
    with pytest.raises(ValueError, match=message):
        find(spec)


def test_nothing_that_is_typed_runs(tmp_path):
    touched = tmp_path / "touched"
    spec = f"rf(n_estimators=__import__('pathlib').Path({str(touched)!r}).touch())"
    with pytest.raises(ValueError, match="is not a literal"):
        find(spec)
    assert not touched.exists()


def test_a_list_is_split_at_commas_outside_brackets_and_quotes():
    text = "cdf, rf(max_depth=3, n_estimators=5),a=b.C(d=[1,2], e='x,)y') ,, svm"
    assert specs.split_list(text) == [
        "cdf", "rf(max_depth=3, n_estimators=5)", "a=b.C(d=[1,2], e='x,)y')", "svm",
    ]  # fmt: skip


def test_without_xgboost_the_reason_is_told(monkeypatch):
    monkeypatch.setattr(classifiers, "find_spec", lambda name: None)
    assert METHODS["xgb"].unavailable() == ("xgboost is not installed: pip install xgboost.")
    assert METHODS["cdf"].unavailable() is None


# ---- what is answered ----------------------------------------------------------------------------


def test_cdf_is_the_call_that_r_users_know(data):
    X, y, train, test, seed = data
    done = run_split(find("cdf"), X, y, train, test, seed, tuned=True)
    fit = CDF(X.iloc[train], y.iloc[train], X.iloc[test], seed=2)
    assert np.array_equal(done["predictions"], fit.predictions)
    assert list(done["classes"]) == ["H", "P"]
    assert np.allclose(done["probabilities"], fit.probabilities[["H", "P"]], rtol=0, atol=1e-15)
    assert done["parameters"] == {}
    assert done["seconds"]["fit"] > 0
    assert done["seconds"]["predict"] > 0


@pytest.mark.endurance
@pytest.mark.parametrize(
    ("name", "estimator"),
    [
        ("cart", DecisionTreeClassifier(random_state=2)),
        ("rf", RandomForestClassifier(500, random_state=2)),
        ("knn", KNeighborsClassifier()),
        ("svm", SVC()),
    ],
)
def test_untuned_methods_are_scikit_learns_with_their_defaults(data, name, estimator):
    X, y, train, test, seed = data
    done = run_split(find(name), X, y, train, test, seed, tuned=False)
    estimator.fit(X.to_numpy()[train], y.to_numpy()[train])
    assert np.array_equal(done["predictions"], estimator.predict(X.to_numpy()[test]))
    if name == "svm":
        assert done["probabilities"] is None
        second = estimator.decision_function(X.to_numpy()[test])  # the scores of class P
        assert np.array_equal(done["scores"], np.column_stack([-second, second]))
    else:
        assert np.array_equal(done["probabilities"], estimator.predict_proba(X.to_numpy()[test]))
        assert done["scores"] is done["probabilities"]


@needs_xgboost
def test_boosted_trees_get_labels_of_any_kind(data):
    from xgboost import XGBClassifier

    X, y, train, test, seed = data
    done = run_split(find("xgb"), X, y, train, test, seed, tuned=False)
    codes = (y == "P").to_numpy().astype(int)
    model = XGBClassifier(n_jobs=1, random_state=2).fit(X.to_numpy()[train], codes[train])
    expected = np.array(["H", "P"])[model.predict(X.to_numpy()[test])]
    assert np.array_equal(done["predictions"], expected)
    assert done["probabilities"].shape == (len(test), 2)


@pytest.mark.endurance
@pytest.mark.parametrize("name", ["cart", "knn", "rknn(r=20)", "svm"])
def test_tuning_chooses_among_the_grid_and_trains_with_it(data, name):
    X, y, train, test, seed = data
    method = find(name)
    done = run_split(method, X, y, train, test, seed, tuned=True)
    assert done["parameters"] in method.grid
    model = method.make(seed, **done["parameters"])
    model.fit(X.to_numpy()[train], y.to_numpy()[train])
    assert np.array_equal(done["predictions"], model.predict(X.to_numpy()[test]))


def test_tuning_sees_no_test_row(data):
    X, y, train, test, seed = data
    spoilt = X.to_numpy().copy()
    spoilt[test] = np.nan
    method = find("knn")
    chosen = tuning.choose(
        method.grid, method.predict_folds(method.make), spoilt[train], y.to_numpy()[train], seed
    )
    assert run_split(method, X, y, train, test, seed, tuned=True)["parameters"] == chosen


@pytest.mark.parametrize("labels", [[0, 1, 2], ["c", "a", "b"], [10.0, -1.0, 2.0]])
@pytest.mark.parametrize("name", ["cdf(ntrees=10)", "rf(n_estimators=9)", "rknn(r=9)", "svm"])
def test_labels_of_several_kinds_and_a_class_that_is_not_in_the_training_rows(name, labels):
    random = np.random.default_rng(1)
    codes = np.array([0, 1] * 15 + [2] * 3)
    X = random.normal(size=(33, 5)) + codes[:, np.newaxis]
    train, test = np.arange(24), np.arange(24, 33)
    done = run_split(find(name), X, np.array(labels)[codes], train, test, 1, tuned=False)
    assert list(done["classes"]) == sorted(labels[:2])
    assert set(done["predictions"]) <= set(labels[:2])


def test_one_class_in_training_is_told(data):
    X, y, *_ = data
    rows = np.flatnonzero(y == "P")
    with pytest.raises(OneClassError, match=r"all 60 training rows are of the class 'P'"):
        run_split(find("cdf"), X, y, rows[:60], rows[60:], 1, tuned=False)


class Noisy(GaussianNB):
    """Warns, as libraries do."""

    def fit(self, X, y):
        for _ in range(2):
            warnings.warn("it is late", RuntimeWarning, stacklevel=2)
        return super().fit(X, y)


A_GRID = tuning.grid(var_smoothing=(1e-9, 1e-3))


class Broken(GaussianNB):
    def predict(self, X):
        raise ArithmeticError("no answer")


def test_warnings_are_kept_and_do_not_leak(data):
    X, y, train, test, seed = data
    assert run_split(find(Noisy()), X, y, train, test, seed, False)["warnings"] == (
        "RuntimeWarning: it is late",
    )
    method = Method("noisy", "Noisy", lambda seed, **chosen: Noisy(**chosen), A_GRID)
    assert run_split(method, X, y, train, test, seed, tuned=True)["warnings"] == (
        "RuntimeWarning: it is late",
    )


def test_a_failure_is_the_methods_own(data):
    X, y, train, test, seed = data
    with pytest.raises(ArithmeticError, match="no answer"):
        run_split(find(Broken()), X, y, train, test, seed, tuned=False)


def test_probabilities_of_other_classes_are_not_taken_for_ours(data):
    X, y, train, test, seed = data

    class Turned(GaussianNB):
        def fit(self, X, y):
            super().fit(X, y)
            self.classes_ = self.classes_[::-1]
            return self

    done = run_split(find(Turned()), X, y, train, test, seed, False)
    assert done["probabilities"] is None
    assert done["scores"] is None


ABSURD = (
    "." * 20_000,
    "a" + ".a" * 20_000,
    "cdf(k=" + "[" * 20_000,
    "cdf(k=" + "(" * 20_000 + ")" * 20_001,
    "cdf(k=" + "-" * 50_000 + "1)",
    "x" * 10**6,
    "x" * 10**6 + ".y",
    "a\0.b",
    "a.b\x1b.c",
)


@pytest.mark.parametrize("spec", ABSURD, ids=range(len(ABSURD)))
def test_absurd_names_get_a_short_sentence(spec):
    with pytest.raises(ValueError, match=r"[a-z]\.") as error:
        find(spec)
    assert len(str(error.value)) < 500
    assert not set(str(error.value)) & set("\x1b\0")


def test_a_wrong_name_imports_nothing(tmp_path, monkeypatch):
    """Neither the module nor the package that contains it."""
    package = tmp_path / "noisy_package"
    package.mkdir()
    for name in ("__init__", "inner"):
        (package / f"{name}.py").write_text(
            "raise SystemExit('imported')\nclass Classifier: pass\n"
        )
    monkeypatch.syspath_prepend(tmp_path)
    no_module = "there is no module {}: is its package installed?"
    for spec, message in [
        ("noisy_package.Other", "there is no Other in noisy_package."),
        ("noisy_package.Clasifier",
         "there is no Clasifier in noisy_package. Did you mean Classifier?"),
        ("noisy_package.inner.Other", "there is no Other in noisy_package.inner."),
        ("noisy_package.outer.Classifier", no_module.format("outer in noisy_package")),
        ("noisy_packag.Classifier", no_module.format("noisy_packag")),
        ("noisy_package.inner.Classifier(seed=1)", "seed cannot be set in Classifier(seed=1): each "
         "split has its own seed. In Python, an estimator with a random_state keeps it."),
        ("noisy_package.inner.Classifier(1)",
         "the arguments in 'noisy_package.inner.Classifier(1)' need names: argument=value."),
        ("noisy_package.Classifier", "'noisy_package.Classifier' cannot be imported: imported."),
    ]:  # fmt: skip
        with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole message is compared)
            find(spec)
        assert str(error.value) == message
        assert "noisy_package.inner" not in sys.modules
    (package / "__init__.py").write_text("from sklearn.svm import *\n")
    (package / "inner.py").write_text(
        "import sklearn.svm\ndef __getattr__(name): raise AttributeError\n"
    )
    monkeypatch.delitem(sys.modules, "noisy_package", raising=False)
    assert find("noisy_package.LinearSVC").name == "LinearSVC"
    with pytest.raises(ValueError, match=r"^there is no svm2 in noisy_package.inner\.$"):
        find("noisy_package.inner.svm2")


def test_a_comma_after_a_stray_bracket_separates():
    assert specs.split_list("a]b=knn,cart") == ["a]b=knn", "cart"]
