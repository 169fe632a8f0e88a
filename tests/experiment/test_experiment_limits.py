"""Comparisons at their limits: the smallest data sets, odd answers of methods, and what is kept."""

import time
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from pycdf.experiment.data import DataSet, label_column, read_sets
from pycdf.experiment.designs import Design
from pycdf.experiment.fitting import OneClassError, run_split, warm_up
from pycdf.experiment.methods import Method

# ---- data sets -----------------------------------------------------------------------------------


def test_four_rows_of_two_classes_and_a_column_are_enough():
    found = read_sets({"one": ([[1.0], [2.0], [3.0], [4.0]], [*"abab"])})
    assert (found.failures, found.notes) == ({}, [])
    (only,) = found.sets
    assert only.X.tolist() == [[1.0], [2.0], [3.0], [4.0]]
    assert only.class_sizes == {"a": 2, "b": 2}
    assert (only.source, only.groups) == ("memory", None)


@pytest.mark.parametrize(
    ("X", "y", "counts"),
    [
        ([[1.0], [2.0], [3.0]], "aba", "3 labelled rows of 2 classes and 1 column of numbers"),
        ([[1.0]] * 5, "aaaaa", "5 labelled rows of 1 class and 1 column of numbers"),
        ([[np.nan]] * 5, "ababa", "5 labelled rows of 2 classes and 0 columns of numbers"),
    ],
)
def test_less_is_refused(X, y, counts):
    found = read_sets({"one": (X, [*y])})
    needs = ": a comparison needs 4 rows, two classes and a column."
    assert found.sets == []
    assert found.failures == {"one": f"one has {counts}{needs}"}


def test_what_is_left_out_is_noted():
    X = pd.DataFrame({"a": [1.0, 2, 3, 4, 5], "none": np.nan, "b": [1, np.nan, 1, 2, np.nan]})
    y = ["u", None, "v", "u", "v"]
    groups = pd.Series([*"ggghh"])
    found = read_sets({"one": (X.assign(g=groups), y)}, groups="g")
    (only,) = found.sets
    np.testing.assert_array_equal(only.X, [[1, 1], [3, 1], [4, 2], [5, np.nan]])
    assert only.y.tolist() == ["u", "v", "u", "v"]
    assert only.groups.tolist() == [*"gghh"]
    text = "encode text as numbers first if it matters"
    assert found.notes == [
        "one: left out 1 row without a label",
        f"one: left out 1 column without any number ('none'); {text}",
        "one: 1 missing cell; CDF accepts missing values, and methods that do not will be reported "
        "as failed",
    ]
    unnamed = read_sets({"one": (X.to_numpy(), y)})
    assert f"one: left out 1 column without any number (1); {text}" in unnamed.notes


def test_what_is_no_data_set_is_told_and_the_others_are_read():
    X, y = np.arange(8.0).reshape(4, 2), [*"abab"]
    found = read_sets({"three": (X, y, y), "number": 5, "short": (X, y[:3]), "good": [X, y]})
    assert [one.name for one in found.sets] == ["good"]
    assert found.failures == {
        "three": "it is of type tuple: pass a pair (X, y), or a path.",
        "number": "it is of type int: pass a pair (X, y), or a path.",
        "short": "short has 4 rows and 3 labels.",
    }


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (np.ones((4, 2)), "X of one has no column names: pass a DataFrame with 'g'."),
        (pd.DataFrame({"a": range(4), "b": 1}), "X of one has no column 'g': it has a, b."),
        (pd.DataFrame({"a": range(4), "g": [1, None, 2, 2]}),
         "X of one: 1 cell of the groups 'g' is missing: every row needs a group."),
        (pd.DataFrame({"a": range(4), "g": [1, None, None, 2]}),
         "X of one: 2 cells of the groups 'g' are missing: every row needs a group."),
    ],
)  # fmt: skip
def test_groups_that_are_not_there(table, told):
    assert read_sets({"one": (table, [*"abab"])}, groups="g").failures == {"one": told}


def test_the_checksum_is_that_of_numbers_labels_and_groups():
    X, y, g = np.arange(6.0).reshape(3, 2), np.array([*"aba"]), np.array([*"ggh"])
    sets = [
        DataSet("one", X, y), DataSet("one", X + 1, y), DataSet("one", X, y[[1, 0, 2]]),
        DataSet("one", X, y, groups=g), DataSet("one", X, y, groups=g[::-1]),
        DataSet("one", X.reshape(2, 3), y),
    ]  # fmt: skip
    assert len({one.checksum for one in sets}) == 6
    assert DataSet("two", np.asfortranarray(X), y, source="x").checksum == sets[0].checksum
    assert all(len(one.checksum) == 64 for one in sets)


def write(path, header="a,b,Y", rows=6):
    lines = [f"{i},{i * i % 5},{'uv'[i % 2]}" for i in range(rows)]
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


def test_files_by_name_and_columns_to_leave_out(tmp_path):
    path = str(write(tmp_path / "t.csv"))
    found = read_sets({"mine": path}, drop=["a", "z"])
    (only,) = found.sets
    assert (only.name, only.source, only.label, only.dropped) == ("mine", path, "Y", ("a",))
    assert only.X.shape == (6, 1)
    assert found.notes == ["no table has a column 'z' to leave out"]
    assert found.guesses == ["using the column 'Y' of mine as labels (to choose another: label)"]
    named = read_sets(path, "Y", groups="b")
    assert named.guesses == named.notes == []
    assert pd.factorize(named.sets[0].groups)[0].tolist() == [0, 1, 2, 2, 1, 0]
    assert named.sets[0].X.shape == (6, 1)
    both = read_sets(path, "Y", groups="Y")
    assert both.failures == {"t": "the column 'Y' cannot be both label and group."}


def test_a_folder_has_its_tables_and_no_hidden_files(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "t.csv").mkdir()
    for name in ("b.csv", "a.TSV.gz", ".c.csv", "notes.txt"):
        write(tmp_path / name)
    found = read_sets([tmp_path, tmp_path / "empty"])
    assert [one.name for one in found.sets] == ["a", "b"]
    assert found.failures == {
        str(tmp_path / "empty"): "this folder has no table, such as a CSV file."
    }
    with pytest.raises(TypeError, match="data contains an item of type int: pass paths of files"):
        read_sets([tmp_path, 5])


def test_labels_like_measurements_are_refused_only_if_asked(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,Y\n" + "".join(f"{i},{i * i % 7},{i * 1.37}\n" for i in range(40)))
    assert [one.name for one in read_sets(path).sets] == ["t"]
    assert list(read_sets(path, many_classes=False).failures) == ["t"]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["a", "class", "b"], "class"),
        (["Label", "a", "TARGET"], "TARGET"),
        (["a", "Y"], "Y"),
        (["y", "target", "a"], "t.csv: which of 'y', 'target' has the labels? Name it with label."),
        (["a", "yy"], "t.csv: no column is called 'y', 'class', 'label', 'target'. Name the label "
                      "column with label (the last column is 'yy')."),
    ],
)  # fmt: skip
def test_the_label_column(names, found):
    if found in names:
        assert label_column(names, None, "t.csv") == found
        assert label_column(names, names[0], "t.csv") == names[0]
        return
    with pytest.raises(ValueError) as refused:  # noqa: PT011 (the whole message is compared)
        label_column(names, None, "t.csv")
    assert str(refused.value) == found


# ---- dividing rows -------------------------------------------------------------------------------


def test_as_many_rows_as_folds_or_two_are_enough():
    y = np.array([*"abab"])
    Design(folds=4).check(y, None)
    Design().check(y[:2], None)
    Design(stratify=True, folds=2).check(y[:2], None)
    with pytest.raises(ValueError, match="1 row cannot be divided"):
        Design().check(y[:1], None)
    folds = Design(folds=4)
    tested = [folds.split(y, None, 7, i)[1].tolist() for i in range(1, 9)]
    assert sorted(tested[:4]) == sorted(tested[4:]) == [[0], [1], [2], [3]]


# ---- one method on one split ---------------------------------------------------------------------

X = np.arange(24.0).reshape(12, 2)
Y = np.array([*"abc"] * 4)
TRAIN, TEST = np.arange(9), np.arange(9, 12)


class Told(BaseEstimator):
    """Answers "a", and keeps what it was fitted with."""

    seen = None

    def __init__(self, odds=None, shares=None, classes=None):
        self.odds, self.shares, self.classes = odds, shares, classes
        if odds is not None:
            self.decision_function = lambda rows: odds[: len(rows)]
        if shares is not None:
            self.predict_proba = lambda rows: shares[: len(rows)]

    def fit(self, rows, y):
        from threadpoolctl import threadpool_info

        self.classes_ = np.unique(y) if self.classes is None else np.array(self.classes)
        Told.seen = (rows, y, {one["num_threads"] for one in threadpool_info()})
        for _ in range(2):
            warnings.warn("careful", UserWarning, stacklevel=1)
        return self

    def predict(self, rows):
        return np.full(len(rows), "a")


def method(make=lambda seed, **given: Told(**given), **more):
    return Method("told", "Told", make, **more)


def run(one, y=Y, **more):
    return run_split(one, X, y, TRAIN, TEST, 3, tuned=True, **more)


def test_a_method_gets_the_training_rows_and_one_thread():
    filters = list(warnings.filters)
    got = run(method())
    rows, y, threads = Told.seen
    assert (rows.tolist(), y.tolist()) == (X[TRAIN].tolist(), Y[TRAIN].tolist())
    assert threads <= {1}
    assert got["predictions"].tolist() == ["a"] * 3
    assert got["classes"].tolist() == [*"abc"]
    assert (got["probabilities"], got["scores"], got["parameters"]) == (None, None, {})
    assert got["warnings"] == ("UserWarning: careful",)
    assert warnings.filters == filters


def test_two_classes_are_enough_and_one_is_not():
    two = np.where(Y == "c", "b", Y)
    assert run(method(), two)["classes"].tolist() == ["a", "b"]
    with pytest.raises(OneClassError, match="all 9 training rows are of the class 'x': training"):
        run(method(), np.full(12, "x"))


def test_answers_are_used_if_their_columns_are_the_classes():
    shares, odds = np.full((3, 3), 1 / 3), np.eye(3)

    def answers(**given):
        got = run(method(lambda seed: Told(**given)))
        return tuple(
            None if got[name] is None else np.asarray(got[name]).tolist()
            for name in ("probabilities", "scores")
        )

    assert answers(shares=shares) == (shares.tolist(), shares.tolist())
    assert answers(odds=odds) == (None, odds.tolist())
    assert answers(shares=shares, odds=odds) == (shares.tolist(), odds.tolist())
    assert answers(shares=shares, odds=odds, classes=[*"cab"]) == (None, None)
    assert answers(odds=np.eye(3)[:, :2]) == (None, None)  # a column per pair of classes
    two = np.where(Y == "c", "b", Y)
    got = run(method(lambda seed: Told(odds=np.array([-1.0, 0.5, 2.0]))), two)
    assert got["scores"].tolist() == [[1.0, -1.0], [-0.5, 0.5], [-2.0, 2.0]]


def test_times_are_told_apart_unless_training_is_late():
    class Slow(Told):
        def fit(self, rows, y):
            time.sleep(0.02)
            return super().fit(rows, y)

        def predict(self, rows):
            time.sleep(0.05)
            return super().predict(rows)

    seconds = run(method(lambda seed: Slow()))["seconds"]
    assert list(seconds) == ["tune", "fit", "predict"]
    assert 0 <= seconds["tune"] < seconds["fit"]
    assert seconds["fit"] >= 0.02
    assert seconds["predict"] >= 0.05
    late = run(method(lambda seed: Slow(), trains_late=True))["seconds"]
    assert late["fit"] >= 0.07
    assert np.isnan(late["predict"])


def test_tuning_is_silent_and_sees_scaled_rows_of_whole_groups():
    seen = []

    def folds(make):
        def predict(candidates, rows, y, parts, seed):
            warnings.warn("does not converge", RuntimeWarning, stacklevel=1)
            seen.extend((rows, inside, left) for inside, left in parts)
            for one in candidates:
                yield [y[left] if one["odds"] else np.full(len(left), "z") for _, left in parts]

        return predict

    grid = ({"odds": None}, {"odds": [0.0] * 12})
    groups = np.repeat(np.arange(6), 2)
    one = method(grid=grid, predict_folds=folds, scaled=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = run_split(one, X, np.resize([*"aabb"], 12), TRAIN, TEST, 3, True, groups)
        assert run_split(one, X, Y, TRAIN, TEST, 3, False)["parameters"] == {}
    assert got["warnings"] == ("UserWarning: careful",)
    assert seen
    for rows, inside, left in seen:
        assert not {*groups[inside]} & {*groups[left]}
        assert np.allclose(rows[inside].mean(axis=0), 0)
    trained = Told.seen[0]
    assert np.allclose(trained.mean(axis=0), 0)
    assert np.allclose(trained.std(axis=0, ddof=1), 1)


def test_a_method_is_warm_after_three_rows_of_each_class():
    Told.seen = None
    warm_up(method(), X, Y, TRAIN[:8], 3)
    rows, y, threads = Told.seen
    assert sorted(y) == [*"aaabbbcc"]
    assert threads <= {1}
    assert rows.shape == (8, 2)

    def broken(seed):
        raise ValueError("never")

    filters = list(warnings.filters)
    warm_up(method(broken), X, Y, TRAIN, 3)
    assert warnings.filters == filters
