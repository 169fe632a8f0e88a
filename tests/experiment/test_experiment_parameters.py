"""What methods are built with, and what their tuning tries: results of other times depend on it.

Libraries that are not installed are played by modules that only keep what they are called with.
"""

import sys
from itertools import product
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from pycdf.experiment import classifiers, rivals
from pycdf.experiment.methods import METHODS, find_all

GRIDS = {
    "cdf": [{}],
    "cart": [{"max_depth": (None, 3, 5), "min_samples_leaf": (1, 3, 5)}],
    "rf": [{"n_estimators": (500, 100), "max_depth": (None, 4), "min_samples_leaf": (1, 5)}],
    "rrf": [{"ntree": (500, 100), "nodesize": (1, 5), "maxnodes": (None, 8)}],
    "xgb": [{"n_estimators": (100, 50), "max_depth": (6, 3), "min_child_weight": (1, 2)}],
    "knn": [{"n_neighbors": (5, 1, 3, 7, 9, 11, 15)}],
    "rknn": [{"k": (1, 3, 5, 7, 9, 11, 15)}],
    "svm": [
        {"kernel": ("rbf",), "C": (1.0, 10.0, 100.0), "gamma": ("scale", "auto")},
        {"kernel": ("linear",), "C": (1.0, 0.01, 100.0)},
        {"kernel": ("poly",), "C": (1.0, 100.0), "degree": (2, 3)},
        {"kernel": ("sigmoid",), "C": (1.0, 100.0)},
    ],
    "nsc": [{"shrinkage": tuple(round(i / 30, 4) for i in range(29, -1, -1))}],
    "dlda": [{}],
    "lsvm": [{"C": (1.0, 0.01, 0.0001)}],
    "enet": [{"C": (1.0, 0.1, 10.0)}],
    "et": [{"max_features": ("sqrt", 0.1), "min_samples_leaf": (1, 5)}],
    "oblique": [{}],
    "lgbm": [{"n_estimators": (100, 50), "min_child_samples": (5, 2)}],
}


@pytest.mark.parametrize("name", METHODS)
def test_what_tuning_tries_with_the_defaults_first(name):
    wanted = [
        dict(zip(values, chosen, strict=True))
        for values in GRIDS[name]
        for chosen in product(*values.values())
        if values
    ]
    assert list(METHODS[name].grid) == wanted
    assert METHODS[name].tuned_grid(True) == METHODS[name].grid
    always = METHODS[name].tuned_grid(False) != ()
    assert always == (name == "nsc")


def test_which_methods_scale_and_train_late():
    assert {name for name, one in METHODS.items() if one.scaled} == {"lsvm", "enet"}
    assert {name for name, one in METHODS.items() if one.trains_late} == {"rrf"}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("rf", {"n_estimators": 500, "random_state": 7}),
        ("et", {"n_estimators": 500, "random_state": 7}),
        ("cart", {"random_state": 7, "max_depth": None}),
        ("svm", {"max_iter": 100_000, "random_state": 7, "kernel": "rbf"}),
        ("lsvm", {"max_iter": -1, "random_state": 7, "kernel": "linear"}),
        ("knn", {"n_neighbors": 5, "algorithm": "brute"}),
        ("enet", {"solver": "saga", "l1_ratio": 0.5, "max_iter": 300, "tol": 1e-3}),
        ("nsc", {"shrinkage": 0.5}),
        ("cdf", {"ntrees": 500, "seed": 7}),
    ],
)
def test_defaults(name, wanted):
    made = METHODS[name].make(7).get_params()
    assert {one: made[one] for one in wanted} == wanted
    other = next(one for one in wanted if "state" not in one and one != "seed")
    assert METHODS[name].make(7, **{other: 3}).get_params()[other] == 3


@pytest.mark.parametrize("version", ["1.7.2", "1.8.0", "2.0"])
def test_the_elastic_net_is_one_in_every_scikit_learn(version, monkeypatch):
    import sklearn
    from sklearn import linear_model

    monkeypatch.setattr(sklearn, "__version__", version)
    monkeypatch.setattr(linear_model, "LogisticRegression", lambda **given: given)
    made = rivals.enet(-1, C=0.3)
    assert made.pop("penalty", None) == ("elasticnet" if version.startswith("1.7") else None)
    assert made == {
        "solver": "saga", "l1_ratio": 0.5, "max_iter": 300, "tol": 1e-3, "C": 0.3,
        "random_state": 2**32 - 1,
    }  # fmt: skip


def playing(name, monkeypatch, **classes):
    module = ModuleType(name)
    for one in classes:
        setattr(module, one, SimpleNamespace)
    monkeypatch.setitem(sys.modules, name, module)


def test_boosted_and_oblique_trees(monkeypatch):
    playing("lightgbm", monkeypatch, LGBMClassifier=0)
    playing("treeple", monkeypatch, ObliqueRandomForestClassifier=0)
    playing("xgboost", monkeypatch, XGBClassifier=0)
    assert vars(rivals.lgbm(-1, n_estimators=3)) == {
        "min_child_samples": 5, "n_jobs": 1, "verbose": -1, "deterministic": True,
        "n_estimators": 3, "random_state": 2**31 - 1,
    }  # fmt: skip
    assert vars(rivals.oblique(-1)) == {"n_estimators": 500, "random_state": 2**32 - 1}
    assert vars(classifiers.xgb(2**31, max_depth=2).estimator) == {
        "n_jobs": 1, "verbosity": 0, "random_state": 1, "max_depth": 2,
    }  # fmt: skip
    assert rivals.no_lightgbm() is None
    assert rivals.no_treeple() is None


def test_libraries_that_are_not_there_or_do_not_work(monkeypatch):
    for name, missing in (("lightgbm", rivals.no_lightgbm), ("treeple", rivals.no_treeple)):
        monkeypatch.setitem(sys.modules, name, None)
        assert missing() == f"{name} is not installed: pip install {name}."

        def broken(_):
            raise ValueError("numpy.dtype size changed")

        with monkeypatch.context() as patch:
            patch.setattr(rivals, "import_module", broken)
            assert f"{name} does not work with scikit-learn " in missing()
            assert missing().endswith(": numpy.dtype size changed.")
    monkeypatch.setattr(classifiers, "find_spec", lambda _: None)
    assert classifiers.no_xgboost() == "xgboost is not installed: pip install xgboost."
    monkeypatch.setattr(classifiers, "find_spec", lambda name: name)
    assert classifiers.no_xgboost() is None


def test_a_smaller_forest_is_the_start_of_a_larger_one():
    X, y = np.random.default_rng(1).normal(size=(40, 4)), np.repeat(["a", "b"], 20)
    large, small = (classifiers.rf(3, n_estimators=n).fit(X, y) for n in (9, 4))
    assert classifiers.first_trees(large, 4, X).tolist() == small.predict(X).tolist()

    def predict(rows, **how):
        return np.arange(*next(iter(how.values())))

    boosted = classifiers.CodedLabels(SimpleNamespace(fit=lambda *_: None, predict=predict))
    boosted.fit(X, ["u", "v", "w"])
    assert classifiers.first_rounds(boosted, 2, X).tolist() == ["u", "v"]
    light = SimpleNamespace(predict=lambda rows, num_iteration: num_iteration)
    assert rivals.first_rounds(light, 6, X) == 6


@pytest.mark.parametrize(
    ("methods", "kind", "told"),
    [
        (5, TypeError, r"methods is 5: pass names or estimators, such as \['cdf', 'rf'\]"),
        ([], ValueError, "methods is empty: pass at least one, such as cdf"),
        ("rf,knn,rf", ValueError, "two methods are called 'rf': rename one, as in mine=rf"),
    ],
)
def test_lists_that_cannot_be_meant(methods, kind, told):
    with pytest.raises(kind, match=told):
        find_all(methods)


def test_a_seed_of_r_is_one_for_scikit_learn():
    seeds = (0, 5, 2**31 - 1, -1, 1 - 2**31)
    assert [classifiers.state(one) for one in seeds] == [
        0, 5, 2**31 - 1, 2**32 - 1, 2**31 + 1,
    ]  # fmt: skip
