"""`pycdf importance`: which features decide, and whether selections say anything."""

import numpy as np
import pandas as pd
import pytest
from darwin_files import FEATURES, write_darwin
from programs import pycdf_ok, pycdf_run

import pycdf
from pycdf.explain import importance_table

TRAIN = ("train", "train.csv", "-y", "Y", "--id", "patient", "--ntrees", 20, "--seed", 1)
ROWS = ("--data", "train.csv", "-y", "Y", "--id", "patient")


@pytest.fixture
def darwin(tmp_path, monkeypatch):
    """The training rows; m.cdf is a model of them. Nodes select whatever they draw."""
    monkeypatch.chdir(tmp_path)
    train = write_darwin(tmp_path, 120)[:120]
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    return train


def test_features_come_in_the_order_of_their_contribution(darwin):
    wanted = importance_table(pycdf.load("m.cdf"))
    lines = pycdf_ok("importance", "m.cdf", "-n", 3).stdout.splitlines()
    assert lines[0] == "feature,contribution,importance"
    assert lines[1:] == [
        f"{name},{one!r},{other!r}" for name, one, other in wanted[:3].itertuples()
    ]


def test_or_in_that_of_r(darwin):
    estimator = pycdf.load("m.cdf")
    shares = pd.Series(estimator.feature_importances_, index=estimator.feature_names_in_)
    pycdf_ok("importance", "m.cdf", "--by", "importance", "-o", "i.csv")
    found = pycdf.read_table("i.csv").set_index("feature")["importance"]
    assert found.to_dict() == shares.to_dict()
    assert found.index.tolist() == shares.sort_values(ascending=False, kind="stable").index.tolist()


def test_with_the_training_rows_it_shows_what_shuffling_costs(darwin):
    options = ("--repeats", 2, "--seed", 3, "--by", "permutation", "-o", "i.csv")
    pycdf_ok("importance", "m.cdf", *ROWS, *options)
    table = pycdf.read_table("i.csv").set_index("feature")
    X, y = darwin[FEATURES], darwin["Y"]
    wanted = importance_table(pycdf.load("m.cdf"), X, y, n_repeats=2, seed=3)
    wanted = wanted.rename(columns={"selection": "importance"}).reindex(table.index)
    assert table.columns.tolist() == wanted.columns.tolist()
    np.testing.assert_array_equal(table, wanted)
    assert table["permutation"].is_monotonic_decreasing


@pytest.mark.parametrize("data", [False, True])
def test_without_contributions_the_next_measure_sorts(darwin, data):
    pycdf_ok(*TRAIN, "-o", "m.cdf", "--distance", "cosine")
    options = (*ROWS, "--repeats", 1) if data else ()
    done = pycdf_ok("importance", "m.cdf", *options, "-o", "i.csv")
    assert "contributions are unknown: the distance 'cosine' is no sum over features" in done.stderr
    table = pd.read_csv("i.csv")
    assert len(table) == len(FEATURES)
    assert table["contribution"].isna().all()
    first = "permutation" if data else "importance"
    assert table[first].is_monotonic_decreasing
    assert table[first].nunique() > 5
    refused = pycdf_run("importance", "m.cdf", "--by", "contribution")
    assert refused.exit_code == 1
    assert "is not a sum over features" in refused.stderr
    assert "permutation_importance" not in refused.stderr, "that is a function, and no option"


def test_a_cell_of_text_is_told_once_and_in_the_words_of_the_file(darwin):
    table = pd.read_csv("train.csv", dtype=str)
    table.loc[5, FEATURES[7]] = "<LOD"
    table.to_csv("train.csv", index=False)
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    notes = pycdf_ok("importance", "m.cdf", *ROWS, "--repeats", 1).stderr
    assert notes.count("of text in 1 column") == 1
    assert "pandas" not in notes


def test_it_says_when_selections_are_chance(darwin):
    done = pycdf_ok("importance", "m.cdf")
    assert "note: How often a feature was selected is pure chance here" in done.stderr
    assert "a smaller k or a larger mtry (--k 2)" in done.stderr
    pycdf_ok(*TRAIN, "-o", "m.cdf", "--k", 1, "--mtry", 10, "--ntrees", 100)
    assert "chance" not in pycdf_ok("importance", "m.cdf").stderr


def test_columns_without_use_or_with_the_same_name(tmp_path, monkeypatch):
    """They have a line each, in the numbers of their own column."""
    monkeypatch.chdir(tmp_path)
    values = np.random.default_rng(1).normal(size=(40, 3))
    labels = np.repeat(["a", "b"], 20)
    values[20:, 2] += 3
    lines = [f"{a},{b},7,{c},{label}" for (a, b, c), label in zip(values, labels, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["g,h,same,g,Y", *lines]))
    pycdf_ok("train", "t.csv", "-y", "Y", "-o", "m.cdf", "--ntrees", 30, "--mtry", 3, "--k", 1)
    pycdf_ok("importance", "m.cdf", "--data", "t.csv", "-y", "Y", "-o", "i.csv")
    table = pd.read_csv("i.csv")
    assert sorted(table["feature"]) == ["g", "g", "h", "same"]
    assert table["feature"][0] == "g"
    assert table["contribution"][0] > 0.5
    unused = table[table["feature"] == "same"].iloc[0]
    assert (unused.drop("feature") == 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--by", "permutation"), "--by permutation needs the training rows: add --data FILE"),
        (("--repeats", "3"), "--repeats is about shuffles, which need --data: leave it out."),
        (("--data", "train.csv"), "--data needs -y, the name of its label column."),
        (("--data", "test.csv", "-y", "Y"), "--data must be the training rows"),
    ],
)
def test_options_that_cannot_be_used_are_refused(darwin, options, message):
    refused = pycdf_run("importance", "m.cdf", *options)
    assert refused.exit_code == 2
    assert message in refused.stderr
