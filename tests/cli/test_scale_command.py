"""`--scale`, as a user meets it: training, predicting, describing, drawing, and the notes."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from page_parts import Page
from programs import pycdf_ok
from random_rows import random_rows

from pycdf import CDF, CDFClassifier, load, load_darwin, read_table
from pycdf.explain import contribution_table, scaling_table
from pycdf.files.model import model_bytes
from pycdf.files.tables.reading import read_data

OPTIONS = ("-y", "label", "--ntrees", 60, "--seed", 1)
NOTE = "pycdf: note: The scales of the columns differ by orders of magnitude"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """train.csv and test.csv, whose columns have scales from 1 to 1e8, and models of both kinds."""
    folder = tmp_path_factory.mktemp("scale")
    X, y = random_rows(130, 60, 2, missing=0.01, constant=None)
    frame = pd.DataFrame(X * 10.0 ** (np.arange(60) % 9), columns=[f"g{j}" for j in range(60)])
    frame = frame.assign(label=y)
    frame[:100].to_csv(folder / "train.csv", index=False)
    frame[100:].to_csv(folder / "test.csv", index=False)
    for name, scale in (("plain.cdf", ()), ("scaled.cdf", ("--scale",))):
        pycdf_ok("train", folder / "train.csv", *OPTIONS, "-o", folder / name, *scale)
    return folder


@pytest.fixture(autouse=True)
def _there(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYCDF_QUIET", "1")


def rows(name):
    frame = read_data(name)
    return frame.drop(columns="label"), frame["label"]


def test_train_and_predict_and_run():
    (X, y), (new, _) = rows("train.csv"), rows("test.csv")
    fit = CDF(X, y, new, ntrees=60, seed=1, scale=True)
    assert Path("scaled.cdf").read_bytes() == model_bytes(fit.model_)
    pycdf_ok("predict", "scaled.cdf", "test.csv", "-o", "p.csv")
    pycdf_ok("run", "train.csv", "test.csv", *OPTIONS, "--scale", "-o", "r.csv")
    for name in ("p.csv", "r.csv"):
        assert pd.read_csv(name)["prediction"].tolist() == fit.predictions.tolist()
    plain = CDF(X, y, new, ntrees=60, seed=1)
    assert (plain.probabilities.to_numpy() != fit.probabilities.to_numpy()).any()


def test_training_rows_are_recognised():
    said = pycdf_ok("predict", "scaled.cdf", "train.csv", "-y", "label", "-o", "p.csv").stderr
    X, y = rows("train.csv")
    judged = CDFClassifier(60, seed=1, oob_score=True, scale=True).fit(X, y)
    assert "all 100 labelled rows of train.csv are training rows" in said
    assert f"it is {judged.oob_score_:.4f}" in said


def test_cross_validation_scales_by_the_other_folds():
    given = ("cv", "train.csv", *OPTIONS, "--folds", 2, "--scale", "--predictions", "cv.csv")
    pycdf_ok(*given, "-o", "m.csv")
    found = pd.read_csv("cv.csv")
    X, y = rows("train.csv")
    fold = found["fold"].to_numpy()
    from pycdf import RStream
    from pycdf.inputs.labels import read_labels
    from pycdf.validation import stratified_folds

    stream = RStream(1)
    assert (stratified_folds(read_labels(y).codes, 2, stream) + 1 == fold).all()
    first = fold == 1
    fit = CDF(X[~first], y[~first], X[first], ntrees=60, seed=stream, scale=True)
    assert found["prediction"][first].tolist() == fit.predictions.tolist()


def test_describe_says_it():
    assert "scale=True" in pycdf_ok("describe", "scaled.cdf").stdout
    assert (
        json.loads(pycdf_ok("describe", "plain.cdf", "--json").stdout)["options"]["scale"] is False
    )


def test_notes_of_train_and_importance():
    for command in (("train", "train.csv", *OPTIONS, "-o", "m.cdf"), ("importance", "plain.cdf")):
        said = pycdf_ok(*command).stderr
        assert NOTE in said
        assert "train with --scale; the accuracy may rise or fall." in said
    for command in (
        ("train", "train.csv", *OPTIONS, "-o", "m.cdf", "--scale"),
        ("importance", "scaled.cdf"),
    ):
        assert NOTE not in pycdf_ok(*command).stderr


def test_importance_has_contributions():
    pycdf_ok("importance", "plain.cdf", "-o", "i.csv")
    found = read_table("i.csv").set_index("feature")
    model = load("plain.cdf")
    assert found["contribution"].is_monotonic_decreasing
    wanted = contribution_table(model)
    assert found["contribution"][wanted.index].tolist() == wanted.tolist()


def test_selections_by_chance_are_told(tmp_path):
    X, y = load_darwin()
    X.iloc[:, :20].assign(Y=y).to_csv(tmp_path / "few.csv", index=False)
    said = pycdf_ok("train", tmp_path / "few.csv", "-y", "Y", "-o", tmp_path / "m.cdf").stderr
    assert "pycdf: note: How often a feature was selected is pure chance here" in said
    assert "(--k 2)" in said


@pytest.mark.endurance
@pytest.mark.parametrize("kind", ["tree", "centroids", "stability", "parameters", "permutation"])
def test_pictures(kind):
    pytest.importorskip("matplotlib")
    more = ("--repeats", 2) if kind in ("stability", "parameters", "permutation") else ()
    pycdf_ok("plot", kind, "scaled.cdf", "-o", "p.svg", "--data", "train.csv", "-y", "label", *more)
    drawn = Path("p.svg").read_bytes()
    from pycdf import plots
    from pycdf.explain import stability
    from pycdf.plots.files import picture_bytes

    X, y = rows("train.csv")
    model = load("scaled.cdf")
    if kind == "tree":
        assert drawn == picture_bytes(plots.plot_tree(model, X=X, y=y), "svg")
        assert b"standard deviations from the mean" in drawn
        pycdf_ok("plot", kind, "plain.cdf", "-o", "p.svg")
        assert b"standard deviations from the mean" not in Path("p.svg").read_bytes()
    if kind == "centroids":
        assert drawn == picture_bytes(plots.plot_centroids(model, X=X, y=y), "svg")
    if kind == "stability":
        found = stability(X, y, seeds=2, top=20, ntrees=60, scale=True)
        assert drawn == picture_bytes(plots.plot_stability(found), "svg")


@pytest.mark.parametrize("scale", [False, True])
def test_the_report_compares_both(scale):
    name = "scaled.cdf" if scale else "plain.cdf"
    pycdf_ok("report", name, "-o", "r.html", "--data", "train.csv", "-y", "label")
    page = Page(Path("r.html").read_text(encoding="utf-8"))
    wanted = scaling_table(load(name), *rows("train.csv"))
    head, *lines = page.table("Accuracy out of bag, by the scale of the columns")
    assert head == ["columns", "rows", "accuracy"]
    for line, one in zip(lines, wanted.itertuples(), strict=True):
        assert line[0].startswith("standardised" if one.scale else "in their own units")
        assert line[2].startswith(f"{one.accuracy:.1%}{100 * one.low:.0f}–{one.high:.0%}")
    assert lines[0][0].endswith(", as trained")
    assert "Standardised columns (--scale) have mean 0 and standard deviation 1" in page.text
    parameters = {line[0]: line[1] for line in page.table("Parameters")}
    assert parameters["scale"] == ("yes" if scale else "no")
    told = "The scales of the columns differ by orders of magnitude" in page.text
    assert told == (not scale)
    assert ("in standard deviations from the mean of the training rows" in page.text) == scale
