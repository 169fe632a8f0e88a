"""CDFClassifier: the same forest as CDF(), by scikit-learn's rules, in scikit-learn's company."""

import inspect
import pickle
import re
from contextlib import nullcontext

import numpy as np
import pandas as pd
import polars as pl
import pytest
from programs import python_ok
from random_rows import random_rows
from recorder import Recorder
from same_forest import assert_same_forest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

import pycdf
from pycdf import CDF, CDFClassifier, InputWarning, RStream, api, classifier, load_darwin
from pycdf.forest.tables import centroid_table, node_table
from pycdf.forest.voting import Routing, votes_by_tree
from pycdf.inputs.parameters import default_k, default_mtry

# ---- the same forest as CDF() ------------------------------------------------------------------


TIMES = (
    r"{} contains dates or times: pass numbers, such as days since a date\. CDF\(\) reads them "
    r"as R does, dates as days and times as seconds\.$"
)


def assert_as_cdf(X, y, rows, **parameters):
    dropped = pytest.warns(InputWarning, match="constant")
    with dropped if has_constant(X) else nullcontext():
        fit = CDF(X, y, rows, seed=5, **parameters)
    model = CDFClassifier(seed=5, **parameters).fit(X, y)
    assert_same_forest(model.model_.forest, fit.forest)
    ours = node_table(model.model_.forest, model.model_.classes)
    pd.testing.assert_frame_equal(ours, fit.trees)
    names = getattr(model, "feature_names_in_", np.arange(model.n_features_in_))
    ours = centroid_table(model.model_.forest, model.model_.classes, names[model.model_.kept])
    pd.testing.assert_frame_equal(
        ours, fit.centroids, check_column_type=False, check_dtype=False, check_exact=True
    )
    assert model.predict(rows).tolist() == fit.predictions.tolist()
    assert dict(model.model_.parameters) == dict(fit.parameters)
    for label, shares in zip(model.classes_, model.predict_proba(rows).T, strict=True):
        # but for the losers of ties, which are a unit in the last place lower
        np.testing.assert_array_max_ulp(shares, fit.probabilities[label].to_numpy(), 1)
    return model, fit


def has_constant(X):
    values = np.asarray(X, dtype=np.float64)
    return bool((np.nanmin(values, axis=0) == np.nanmax(values, axis=0)).any())


def test_darwin():
    X, y = load_darwin()
    model, fit = assert_as_cdf(X.iloc[::2], y.iloc[::2], X.iloc[1::2], ntrees=60)
    assert model.classes_.tolist() == ["H", "P"]
    assert model.score(X.iloc[1::2], y.iloc[1::2]) == np.mean(fit.predictions == y.iloc[1::2])


@pytest.mark.parametrize("kind", ["float64", "float32", "frame", "list", "object", "masked"])
def test_generated_data_with_missing_values(kind):
    X, y = random_rows()
    X = {
        "float64": X,
        "float32": X.astype(np.float32),
        "frame": pd.DataFrame(X).add_prefix("f"),
        "list": X.tolist(),
        "object": X.astype(object),
        "masked": np.ma.masked_invalid(X),
    }[kind]
    assert_as_cdf(X, y, X[:30], ntrees=20, depth=5, mnode=2, k=4, mtry=9)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint16, bool])
def test_rs_integer_rule(dtype):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2 if dtype is bool else 100, (60, 30)).astype(dtype)
    y = rng.integers(0, 3, 60)
    model, _ = assert_as_cdf(X, y, X, ntrees=20)
    assert model.model_.options["integer"] == (dtype is not bool)
    framed, _ = assert_as_cdf(pd.DataFrame(X), y, pd.DataFrame(X), ntrees=20)
    assert framed.model_.options["integer"] is False


@pytest.mark.parametrize("shift", [2**31, 2**40])
def test_integers_beyond_32_bits_are_doubles(shift):
    X = np.random.default_rng(1).integers(0, 100, (60, 10)) + shift
    model, _ = assert_as_cdf(X, np.arange(60) % 2, X, ntrees=5)
    assert model.model_.options["integer"] is False


@pytest.mark.parametrize(
    "labels",
    [
        [3, 1, 2], [True, False, True], [100000, 5, 20], [2.0, 1.0, 10.0], ["b", "a", "C"],
        ["é", "z", "e"], [" x", "y ", "z"],
    ],
)  # fmt: skip
def test_leaf_ties_fall_as_in_cdf_for_all_kinds_of_labels(labels):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 10))
    y = np.array(labels)[np.arange(40) % 3]
    for collation in ("icu", "C"):
        fit = CDF(X, y, X, 20, depth=1, seed=1, collation=collation)
        model = CDFClassifier(20, depth=1, seed=1, collation=collation).fit(X, y)
        assert_same_forest(model.model_.forest, fit.forest)


def test_the_collation_matters():
    X, _ = random_rows(n=40)
    y = np.array(["B", "a"])[np.arange(40) % 2]
    both = [CDFClassifier(20, 1, seed=1, collation=way).fit(X, y) for way in ("icu", "C")]
    leaves = [model.model_.forest.leaf for model in both]
    assert (leaves[0] != leaves[1]).any()


def test_the_papers_spread():
    X, y = random_rows(n=40)
    paper = CDFClassifier(20, seed=1, spread="population").fit(X, y)
    package = CDFClassifier(20, seed=1).fit(X, y)
    assert paper.model_.options["ddof"] == 0
    assert not np.array_equal(paper.model_.forest.features, package.model_.forest.features)


# ---- CDF()'s own estimator ---------------------------------------------------------------------


def test_the_model_of_a_result():
    X, y = load_darwin()
    fit = CDF(X.iloc[::2], y.iloc[::2], X.iloc[1::2], 40, seed=3)
    model = fit.model
    assert fit.model is model is fit["model"]
    assert model.feature_names_in_.tolist() == X.columns.tolist()
    assert model.predict(X.iloc[1::2]).tolist() == fit.predictions.tolist()
    assert model.feature_importances_.tolist() == fit.feature_importance.tolist()
    with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
        model.predict(X.iloc[:, ::-1])
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        model.predict(X.to_numpy())
    model.set_params(ntrees=60, warm_start=True).fit(X.iloc[::2], y.iloc[::2])
    assert_same_forest(
        model.model_.forest,
        CDFClassifier(60, seed=3).fit(X.iloc[::2], y.iloc[::2]).model_.forest,
    )


@pytest.mark.parametrize("names", [None, range(20), [*range(19), "x"]])
def test_the_model_of_a_result_without_names_of_text(names):
    X, y = random_rows()
    frame = X if names is None else pd.DataFrame(X, columns=list(names))
    with pytest.warns(InputWarning, match="constant"):
        model = CDF(frame, y, frame, 5, seed=3).model
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 20
    assert model.predict(X).shape == (90,)


def test_the_model_of_a_result_with_labels_of_several_types():
    X, _ = random_rows(missing=0)
    y = [("a", 1, None)[i % 3] for i in range(90)]
    with pytest.warns(InputWarning, match="30 rows of 90 in xtrain had no label|constant: 3"):
        fit = CDF(X, y, X, 5, seed=3)
    assert fit.model.classes_.tolist() == [1, "a"]
    assert fit.model.predict(X).tolist() == fit.predictions.tolist()
    share = fit.model.predict_proba(X)[:, 1]
    np.testing.assert_array_max_ulp(share, fit.probabilities["a"].to_numpy(), 1)


# ---- answers -----------------------------------------------------------------------------------


def test_classes_are_sorted_and_importances_aligned():
    X, y = random_rows()
    y = np.where(np.arange(90) == 0, "d", y)
    model = CDFClassifier(20, seed=1).fit(X, y)
    assert model.classes_.tolist() == ["C", "a", "b", "d"]
    assert model.model_.classes[0] == "d"
    shares = model.feature_importances_
    assert shares.shape == (20,)
    assert shares[3] == 0
    assert shares.sum() == pytest.approx(1)


def test_a_tie_goes_to_the_class_that_came_first_and_the_shares_agree():
    X, y = random_rows(n=60, p=6, missing=0)
    for first in ("a", "b", "C"):
        order = np.argsort(y != first, kind="stable")
        model = CDFClassifier(4, seed=1).fit(X[order], y[order])
        grid = np.random.default_rng(0).normal(size=(400, 6)) * 2
        counted = model.model_.votes(grid)
        tied = (counted == counted.max(axis=1, keepdims=True)).sum(axis=1) > 1
        assert tied.any()
        predicted = model.predict(grid)
        assert (predicted == model.model_.classes[counted.argmax(axis=1)]).all()
        shares = model.predict_proba(grid)
        assert (model.classes_[shares.argmax(axis=1)] == predicted).all()
        # the winner's share is exact
        assert (shares.max(axis=1) == counted.max(axis=1) / 4).all()


def test_votes_and_apply():
    X, y = random_rows()
    model = CDFClassifier(15, seed=1).fit(X, y)
    votes = model.votes(X)
    assert votes.shape == (90, 15)
    counted = np.stack([(votes == c).sum(axis=1) for c in range(3)], axis=1)
    np.testing.assert_allclose(counted / 15, model.predict_proba(X), rtol=1e-15)
    routing = Routing(model.model_.forest, model.model_.kept)
    labels = model.model_.classes[votes_by_tree(routing, X, 1)]
    assert (model.classes_[votes] == labels).all()

    ends = model.apply(X)
    table = node_table(model.model_.forest, model.model_.classes).set_index(["tree", "node"])
    for row, tree in np.ndindex(ends.shape):
        end = ends[row, tree]
        leaf = model.model_.classes[0] if end == -1 else table.loc[(tree, end), "leaf"]
        assert model.classes_[votes[row, tree]] == leaf
    far_away = np.full((1, 20), 1e300)  # no distance is finite
    assert (model.apply(far_away) == -1).all()
    assert model.predict(far_away) == [y[0]]


def test_out_of_bag_by_hand():
    X, y = random_rows(n=30)
    model = CDFClassifier(6, seed=1, oob_score=True).fit(X, y)
    votes = model.votes(X)
    outside = model.model_.forest.inbag == 0
    shares = model.oob_decision_function_
    right = []
    for row in range(30):
        mine = votes[row, outside[:, row]]
        if not len(mine):
            assert np.isnan(shares[row]).all()
            continue
        counted = [(mine == c).sum() for c in range(3)]
        np.testing.assert_allclose(shares[row], np.array(counted) / len(mine), rtol=1e-15)
        first_seen = [list(model.classes_).index(label) for label in model.model_.classes]
        best = max(first_seen, key=lambda c, counted=counted: counted[c])
        assert shares[row].argmax() == best
        right.append(model.classes_[best] == y[row])
    assert 0 < len(right) < 30
    assert model.oob_score_ == np.mean(right)


def test_no_row_is_out_of_bag():
    X, _ = random_rows(n=2, p=5, missing=0)
    for seed in range(20):
        model = CDFClassifier(1, seed=seed, oob_score=True).fit(X, ["a", "b"])
        if (model.model_.forest.inbag > 0).all():
            assert np.isnan(model.oob_score_)
            assert np.isnan(model.oob_decision_function_).all()
            return
    raise AssertionError("no seed drew every row")


# ---- warm start --------------------------------------------------------------------------------


def whole_and_in_two(X, y, between, **parameters):
    whole = CDFClassifier(500, seed=9, **parameters).fit(X, y)
    two = CDFClassifier(200, seed=9, warm_start=True, **parameters).fit(X, y)
    two = between(two)
    two.set_params(ntrees=500, warm_start=True).fit(X, y)
    assert_same_forest(two.model_.forest, whole.model_.forest)
    assert np.array_equal(two.model_.stream_state, whole.model_.stream_state)
    assert two.model_.parameters == whole.model_.parameters
    return two, whole


@pytest.mark.parametrize("between", [lambda m: m, lambda m: pickle.loads(pickle.dumps(m))])
def test_two_hundred_and_three_hundred_trees_are_five_hundred(between):
    X, y = random_rows()
    two, whole = whole_and_in_two(X, y, between, oob_score=True)
    assert two.oob_score_ == whole.oob_score_
    assert np.array_equal(two.predict_proba(X), whole.predict_proba(X))


def test_also_after_save_and_load(tmp_path):
    def through_a_file(model):
        model.save(tmp_path / "m.cdf")
        return pycdf.load(tmp_path / "m.cdf")

    X, y = random_rows()
    frame = pd.DataFrame(X).add_prefix("f")
    whole_and_in_two(frame, y, through_a_file)
    X = np.random.default_rng(0).integers(0, 9, (50, 10))
    whole_and_in_two(X, np.arange(50) % 3, through_a_file, spread="population", collation="C")


def test_a_warm_start_goes_on_with_its_own_stream():
    X, y = random_rows()
    stream = RStream(9)
    model = CDFClassifier(10, seed=stream, warm_start=True).fit(X, y)
    stream.uniform(100)
    model.set_params(ntrees=20).fit(X, y)
    whole = CDFClassifier(20, seed=9).fit(X, y)
    assert_same_forest(model.model_.forest, whole.model_.forest)
    unseeded = CDFClassifier(10, warm_start=True).fit(X, y)
    seed = unseeded.model_.seed
    unseeded.set_params(ntrees=20).fit(X, y)
    again = CDFClassifier(20, seed=seed).fit(X, y)
    assert_same_forest(unseeded.model_.forest, again.model_.forest)


def test_nothing_to_add_is_told():
    X, y = random_rows()
    model = CDFClassifier(10, seed=1, warm_start=True).fit(X, y)
    before = model.model_
    with pytest.warns(UserWarning, match="the forest already has 10 trees: raise ntrees") as caught:
        model.fit(X, y)
    assert [one.filename for one in caught] == [__file__]
    assert model.model_ is before


def other_labels(X, y):
    last = np.flatnonzero(y == "a")[-1]
    return X, np.where(np.arange(90) == last, "b", y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": lambda X, y: (X[:-1], y[:-1])}, "X has 89 rows and the forest was grown on 90"),
        ({"data": lambda X, y: (X[:, :-1], y)}, "X has 19 features"),
        ({"data": lambda X, y: (X, np.where(y == "a", "z", y))}, "the classes of y, as they appea"),
        ({"data": lambda X, y: (X[::-1], y[::-1])}, "the classes of y, as they appear, are"),
        ({"data": other_labels}, "some rows have a different label"),
        (
            {"data": lambda X, y: (np.where(X == 7, np.arange(90)[:, None], X), y)},
            "columns of X that vary are not those",
        ),
        ({"data": lambda X, y: (np.nan_to_num(X * 9).astype(int), y)}, "X has whole numbers"),
        ({"depth": 4}, "depth is 4 and was 3 before"),
        ({"k": 2}, "k is 2 and was 6 before"),
        ({"spread": "population"}, "ddof is 0 and was 1"),
        ({"collation": "C"}, "collation is 'C' and was 'icu'"),
        ({"ntrees": 9}, "ntrees=9 is less than the 10 trees of the forest"),
        ({"seed": 2}, "seed=2, but the forest started from 1"),
    ],
)
def test_a_warm_start_with_something_else_is_refused(change, message):
    X, y = random_rows()
    model = CDFClassifier(10, seed=1, warm_start=True).fit(X, y)
    change = dict(change)
    X, y = change.pop("data", lambda *both: both)(X, y)
    model.set_params(**{"ntrees": 20} | change)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


def test_without_warm_start_a_fit_begins_anew():
    X, y = random_rows()
    model = CDFClassifier(10, seed=1).fit(X, y)
    model.set_params(ntrees=5).fit(X[:50, :8], y[:50])
    again = CDFClassifier(5, seed=1).fit(X[:50, :8], y[:50])
    assert_same_forest(model.model_.forest, again.model_.forest)


# ---- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ntrees": 0}, "ntrees=0: pass a whole number from 1 to 2147483647."),
        ({"ntrees": 10.0}, "ntrees=10.0: pass a whole number"),
        ({"ntrees": "10"}, "ntrees='10': pass a whole number"),
        ({"ntrees": None}, "ntrees=None: pass a whole number"),
        ({"ntrees": True}, "ntrees=True: pass a whole number"),
        ({"ntrees": 2**31}, "ntrees=2147483648: pass a whole number"),
        ({"depth": -1}, "depth=-1: pass a whole number from 0"),
        ({"mnode": 0}, "mnode=0: pass a whole number from 1"),
        (
            {"k": 0},
            "k=0: pass a whole number from 1 to 2147483647, a share of the columns from 0.0 to "
            "1.0, or None for R's default.",
        ),
        ({"k": 0.0}, "k=0.0: pass a whole number from 1"),
        ({"mtry": 1.1}, "mtry=1.1: pass a whole number from 1"),
        ({"mtry": float("nan")}, "mtry=nan: pass a whole number from 1"),
        ({"mtry": -2}, "mtry=-2: pass a whole number from 1"),
        ({"k": 21}, "k=21 is more than the 20 columns of X: pass at most 20, or None"),
        ({"mtry": 21}, "mtry=21 is more than the 20 columns of X: pass at most 20, or None"),
        ({"seed": 1.5}, "seed=1.5: pass a whole number from -2147483647 to 2147483647, an RStream"),
        ({"seed": "1"}, "seed='1': pass a whole number"),
        ({"seed": 2**31}, "seed=2147483648: pass a whole number"),
        (
            {"random_state": 2**31},
            "random_state=2147483648: pass a whole number from -2147483647 to 2147483647, a "
            "numpy.random.RandomState, or None for fresh randomness.",
        ),
        ({"random_state": RStream(1)}, "random_state=RStream(seed=1): pass a whole number"),
        ({"random_state": np.random.default_rng(1)}, "random_state=Generator(PCG64)"),
        ({"collation": "en"}, "collation='en': pass 'icu' or 'C'."),
        ({"spread": "iqr"}, "spread='iqr': pass 'sample' or 'population'."),
        ({"oob_score": 1}, "oob_score=1: pass False or True."),
        ({"warm_start": "yes"}, "warm_start='yes': pass False or True."),
        ({"progress": None}, "progress=None: pass False or True."),
    ],
)
def test_parameters_out_of_range_are_refused(parameters, message):
    X, y = random_rows()
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        CDFClassifier(**{"ntrees": 5} | parameters).fit(X, y)


def test_a_column_is_no_table():
    X, y = random_rows()
    with pytest.raises(ValueError, match="Expected a 2-dimensional container"):
        CDFClassifier(ntrees=5).fit(pd.Series(X[:, 0]), y)


@pytest.mark.parametrize("whole", [np.int64(5), np.int32(5), 5])
def test_whole_numbers_of_numpy_are_accepted(whole):
    X, y = random_rows()
    model = CDFClassifier(whole, whole, whole, whole, whole, whole, oob_score=np.True_).fit(X, y)
    assert model.model_.parameters == dict.fromkeys(("ntrees", "depth", "mnode", "k", "mtry"), 5)
    assert all(type(value) is int for value in model.model_.parameters.values())
    assert model.model_.seed == 5


@pytest.mark.parametrize(
    ("share", "features"), [(1.0, 30), (0.5, 15), (np.float32(0.25), 7), (0.99 / 30, 1), (1e-9, 1)]
)
def test_k_and_mtry_as_shares_of_the_columns(share, features):
    X, y = random_rows(p=30, constant=None)
    model = CDFClassifier(2, k=share, mtry=share, seed=1).fit(X, y)
    assert (model.model_.parameters["k"], model.model_.parameters["mtry"]) == (features, features)
    assert all(type(value) is int for value in model.model_.parameters.values())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_estimators": 100}, "there is no argument 'n_estimators' here: use ntrees."),
        ({"max_depth": 3}, "there is no argument 'max_depth' here: use depth."),
        ({"max_features": 0.5}, "there is no argument 'max_features' here: use mtry."),
        ({"min_samples_split": 3}, "there is no argument 'min_samples_split' here: use mnode."),
        ({"ntree": 3}, "there is no argument 'ntree' here: use ntrees."),
        ({"criterion": "gini"}, "there is no argument 'criterion' here: features are selected by "
         "the class separability score."),
        ({"alpha": 1}, "CDFClassifier.__init__() got an unexpected keyword argument 'alpha'"),
    ],
)  # fmt: skip
def test_other_libraries_names_are_answered_with_ours(given, message):
    with pytest.raises(TypeError, match="^" + re.escape(message) + "$"):
        CDFClassifier(**given)


def test_k_and_mtry_count_the_columns_as_given_and_are_at_most_the_kept():
    X, y = random_rows(p=30)
    X[:, 5:] = 0
    model = CDFClassifier(5, k=30, mtry=30, seed=1).fit(X, y)
    assert (model.model_.parameters["k"], model.model_.parameters["mtry"]) == (4, 4)
    model = CDFClassifier(5, seed=1).fit(X, y)
    assert model.model_.parameters["k"] == min(default_k(30), 4)
    assert model.model_.parameters["mtry"] == min(default_mtry(30), 4)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda X, y: (np.where(X > 2, np.inf, X), y), "Input X contains infinity"),
        (lambda X, y: (X.astype(str), y), "not compatible with arrays of bytes/strings"),
        (
            lambda X, y: (np.where(X > 2, "3", X.astype(object)), y),
            "X contains text, such as '3': ",
        ),
        (
            lambda X, y: (pd.DataFrame(X).assign(t="1"), y),
            r"column 't' of X contains text, such as",
        ),
        (
            lambda X, y: (pl.DataFrame(X).with_columns(t=pl.lit("1")), y),
            "column 't' of X contains te",
        ),
        (
            lambda X, y: (pd.DataFrame(X).astype({2: "str"}), y),
            "column 2 of X contains text, such as",
        ),
        (lambda X, y: (X.view("M8[s]"), y), TIMES.format("X")),
        (lambda X, y: (X.view("m8[s]"), y), TIMES.format("X")),
        (
            lambda X, y: (pd.DataFrame(X).assign(when=pd.Timestamp("2020-02-03")), y),
            TIMES.format("column 'when' of X"),
        ),
        (
            lambda X, y: (pl.DataFrame(X).with_columns(day=pl.date(2020, 2, 3)), y),
            TIMES.format("column 'day' of X"),
        ),
        (
            lambda X, y: (pd.DataFrame(X).assign(took=pd.Timedelta(days=1)), y),
            TIMES.format("column 'took' of X"),
        ),
        (
            lambda X, y: (pd.DataFrame(X).assign(year=pd.Period("2020")), y),
            TIMES.format("column 'year' of X"),
        ),
        (lambda X, y: (X * 1j, y), "Complex data not supported"),
        (lambda X, y: (np.full_like(X, 3), y), "X has no usable column among its 20: each is cons"),
        (lambda X, y: (np.full_like(X, np.nan), y), "X has no usable column"),
        (lambda X, y: (X[:1], y[:1]), r"array with 1 sample\(s\) .* a minimum of 2"),
        (lambda X, y: (X[:, :0], y), r"array with 0 feature\(s\) .* a minimum of 1"),
        (lambda X, y: (X[:, 0], y), "Expected 2D array, got 1D array instead"),
        (lambda X, y: (X, y[:-1]), "inconsistent numbers of samples"),
        (lambda X, y: (X, None), "requires y to be passed, but the target y is None"),
        (
            lambda X, y: (X, [None, *y[1:]]),
            r"y has no label in 1 row \(NaN, None or NA\), at 0: ",
        ),
        (lambda X, y: (X, [*y[1:], pd.NA]), r"y has no label in 1 row \(NaN, None or NA\), at 89:"),
        (lambda X, y: (X, pd.Series(y).where(y != "a")), "y has no label in 30 rows"),
        (lambda X, y: (X, np.where(np.arange(90) % 2, np.nan, 1.0)), "y has no label in 45 rows"),
        (
            lambda X, y: (X, np.where(y == "a", " ", y)),
            "y has the label ' ', which R treats",
        ),
        (lambda X, y: (X, np.where(y == "a", "NaN", y)), "y has the label 'NaN', which R treats"),
        (lambda X, y: (X, np.full(90, "a")), "y has only the class 'a' in its 90 rows: pass rows"),
        (
            lambda X, y: (X, np.random.default_rng(0).normal(size=90)),
            "Unknown label type: continuous",
        ),
    ],
)
def test_data_that_are_not_clean_are_refused(spoil, message):
    X, y = spoil(*random_rows())
    with pytest.raises(ValueError, match=message):
        CDFClassifier(5).fit(X, y)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda X: X.iloc[:, :-1], "yet now missing:\n- f19\n"),
        (lambda X: X.assign(more=1.0), "unseen at fit time:\n- more\n"),
        (lambda X: X.rename(columns={"f1": "other"}), "unseen at fit time:\n- other\n"),
        (lambda X: X.iloc[:, ::-1], "must be in the same order as they were in fit"),
        (lambda X: X.assign(f3="text"), "column 'f3' of X contains text, such as 'text'"),
        (lambda X: X.assign(f3=np.inf), "Input X contains infinity"),
    ],
)
def test_other_columns_are_refused(spoil, message):
    X, y = random_rows()
    frame = pd.DataFrame(X).add_prefix("f")
    model = CDFClassifier(5, seed=1).fit(frame, y)
    for answer in (model.predict, model.predict_proba, model.votes, model.apply):
        with pytest.raises(ValueError, match=message):
            answer(spoil(frame))


def test_before_fit():
    X, _ = random_rows()
    model = CDFClassifier()
    for answer in (model.predict, model.predict_proba, model.votes, model.apply, model.save):
        with pytest.raises(NotFittedError, match="CDFClassifier instance is not fitted yet"):
            answer(X)
    with pytest.raises(NotFittedError, match="CDFClassifier instance is not fitted yet"):
        _ = model.feature_importances_


def test_sample_weight_is_refused():
    X, y = random_rows()
    with pytest.raises(TypeError, match=r"fit\(\) got an unexpected keyword .*'sample_weight'"):
        CDFClassifier(5).fit(X, y, sample_weight=np.ones(90))
    assert not hasattr(CDFClassifier(), "set_fit_request")


# ---- scikit-learn's company --------------------------------------------------------------------


def test_pipeline_grid_search_and_cross_validation():
    X, y = random_rows()
    pipeline = make_pipeline(SimpleImputer(), StandardScaler(), CDFClassifier(10, seed=1))
    pipeline.set_output(transform="pandas")
    search = GridSearchCV(pipeline, {"cdfclassifier__k": [2, 4], "cdfclassifier__mtry": [4, 8]})
    search.fit(pd.DataFrame(X).add_prefix("f"), y)
    assert search.best_score_ > 0.6
    assert search.best_estimator_[-1].feature_names_in_[0] == "f0"
    assert cross_val_score(CDFClassifier(10, seed=1), X, y, cv=3).mean() > 0.6
    assert cross_val_score(CDFClassifier(10, seed=1), X, y, cv=3, scoring="roc_auc_ovr").min() > 0.7


def test_calibration_voting_and_permutation():
    X, y = random_rows(missing=0)
    forest = CDFClassifier(10, seed=1)
    calibrated = CalibratedClassifierCV(forest, cv=3).fit(X, y)
    assert accuracy_score(y, calibrated.predict(X)) > 0.6
    both = [("cdf", forest), ("bayes", GaussianNB())]
    for how in ("soft", "hard"):
        assert VotingClassifier(both, voting=how).fit(X, y).score(X, y) > 0.6
    fitted = clone(forest).fit(X, y)
    found = permutation_importance(fitted, X, y, n_repeats=2, random_state=0)
    assert found.importances_mean[3] == 0
    assert found.importances_mean[:10].max() > 0


def test_pandas_and_polars():
    X, y = random_rows()
    names = [f"f{j}" for j in range(20)]
    pandas, polars = pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)
    one = CDFClassifier(10, seed=1).fit(pandas, pd.Series(y))
    for labels in (pl.Series(y.tolist()), y.tolist(), pd.Series(y, dtype="category")):
        other = CDFClassifier(10, seed=1).fit(polars, labels)
        assert_same_forest(one.model_.forest, other.model_.forest)
        assert other.feature_names_in_.tolist() == names
        assert other.predict(pandas).tolist() == one.predict(polars).tolist()
    nullable = CDFClassifier(10, seed=1).fit(pandas.convert_dtypes(), y)
    assert_same_forest(one.model_.forest, nullable.model_.forest)


def test_nan_is_declared():
    assert get_tags(CDFClassifier()).input_tags.allow_nan


def test_clone_and_pickle():
    X, y = random_rows()
    model = CDFClassifier(10, seed=1, depth=2, oob_score=True).fit(X, y)
    twin = clone(model)
    assert twin.get_params() == model.get_params()
    assert not hasattr(twin, "model_")
    assert_same_forest(twin.fit(X, y).model_.forest, model.model_.forest)
    back = pickle.loads(pickle.dumps(model))
    assert_same_forest(back.model_.forest, model.model_.forest)
    assert (back.predict(X) == model.predict(X)).all()
    assert back.oob_score_ == model.oob_score_


def test_random_state_is_the_seed_if_there_is_none():
    X, y = random_rows()
    by_seed = CDFClassifier(5, seed=3).fit(X, y)
    for model in (CDFClassifier(5, random_state=3), CDFClassifier(5, seed=3, random_state=9)):
        assert_same_forest(model.fit(X, y).model_.forest, by_seed.model_.forest)
    state = np.random.RandomState(8)
    model = CDFClassifier(5, random_state=state)
    seeds = [model.fit(X, y).model_.seed for _ in range(2)]
    again = np.random.RandomState(8)
    assert seeds == [again.randint(2**31 - 1), again.randint(2**31 - 1)]
    # Without either, NumPy's global state plays no part.
    np.random.seed(0)  # noqa: NPY002
    first = CDFClassifier(5).fit(X, y).model_.seed
    np.random.seed(0)  # noqa: NPY002
    assert CDFClassifier(5).fit(X, y).model_.seed != first


def test_a_warm_start_with_another_random_state_is_refused():
    X, y = random_rows()
    model = CDFClassifier(2, random_state=3, warm_start=True).fit(X, y)
    model.set_params(ntrees=4).fit(X, y)
    message = (
        "random_state=4, but the forest started from 3: warm_start=True continues its stream. Pass "
        "random_state=3 or None, or set warm_start=False."
    )
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        model.set_params(ntrees=5, random_state=4).fit(X, y)


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda: BaggingClassifier(CDFClassifier(5), n_estimators=4, random_state=0),
        lambda: StackingClassifier(
            [("cdf", CDFClassifier(5, random_state=1)), ("nb", GaussianNB())], cv=3
        ),
        lambda: CalibratedClassifierCV(CDFClassifier(5, random_state=1), cv=3),
        lambda: RandomizedSearchCV(
            CDFClassifier(5, random_state=1), {"mtry": [0.2, 0.5]}, n_iter=2, cv=2, random_state=0
        ),
    ],
    ids=["bagging", "stacking", "calibration", "search"],
)
def test_meta_estimators_repeat_exactly(wrapped):
    X, y = random_rows(missing=0)
    first, second = (wrapped().fit(X, y).predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_bagged_forests_have_seeds_of_their_own():
    X, y = random_rows()
    bagged = BaggingClassifier(CDFClassifier(2), n_estimators=4, random_state=0).fit(X, y)
    assert len({one.model_.seed for one in bagged.estimators_}) == 4


def test_logarithms_of_the_shares():
    X, y = random_rows()
    model = CDFClassifier(5, seed=1).fit(X, y)
    shares = model.predict_proba(X)
    assert (shares == 0).any()
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(X), np.log(shares))


def test_a_stream_as_seed_is_used_up_and_cloned():
    X, y = random_rows()
    stream = RStream(4)
    model = CDFClassifier(5, seed=stream)
    twin = clone(model)
    first = model.fit(X, y).model_.forest
    second = model.fit(X, y).model_.forest
    assert not np.array_equal(first.features, second.features)
    assert_same_forest(twin.fit(X, y).model_.forest, first)
    assert twin.seed is not stream
    expected = RStream(4)
    for _ in range(2):
        with pytest.warns(InputWarning, match="constant"):
            CDF(X, y, X, 5, seed=expected)
    assert np.array_equal(stream.uniform(5), expected.uniform(5))


# ---- the package -------------------------------------------------------------------------------


@pytest.mark.endurance
def test_scikit_learn_is_imported_only_when_asked_for():
    code = (
        "import sys, pycdf; assert 'sklearn' not in sys.modules; assert 'CDFClassifier' in "
        "dir(pycdf); pycdf.CDFClassifier; assert 'sklearn' in sys.modules"
    )
    python_ok("-c", code)
    assert {"CDFClassifier", "load"} <= set(pycdf.__all__)
    assert not hasattr(pycdf, "nothing")


def test_defaults_are_those_of_r_and_of_cdf():
    defaults = {name: one.default for name, one in inspect.signature(CDF).parameters.items()}
    assert list(defaults.items())[3:6] == [("ntrees", 500), ("depth", 3), ("mnode", 3)]
    own = CDFClassifier().get_params()
    shared = own.keys() & defaults.keys()
    assert len(shared) == 11
    assert {name: own[name] for name in shared} == {name: defaults[name] for name in shared}
    assert own["bootstrap"] is True
    assert {name for name, value in own.items() if value is False} == {
        "oob_score", "warm_start", "progress", "scale",
    }  # fmt: skip


# ---- progress ----------------------------------------------------------------------------------


def test_a_fit_reports_all_its_trees(monkeypatch):
    monkeypatch.setattr(classifier, "ProgressBar", Recorder)
    monkeypatch.setattr(api, "ProgressBar", Recorder)
    X, y = random_rows()
    model = CDFClassifier(30, seed=1, warm_start=True, progress=True).fit(X, y)
    assert Recorder.told[-1] == (30, 30)
    assert [done for done, _ in Recorder.told] == sorted({done for done, _ in Recorder.told})
    model.set_params(ntrees=50).fit(X, y)
    assert Recorder.told[-1] == (50, 50)
    CDFClassifier(30, seed=1).fit(X, y)
    assert Recorder.told == []
    for progress in (True, False):
        with pytest.warns(InputWarning, match="constant"):
            CDF(X, y, X[:1], 30, seed=1, progress=progress)
        assert Recorder.told[-1:] == [(30, 30)] * progress
