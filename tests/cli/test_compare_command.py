"""`pycdf compare` as a user meets it: files and folders in, a folder of results out."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from programs import new_process, pycdf_ok, pycdf_run

from pycdf import load_darwin
from pycdf.experiment.methods import METHODS

pytestmark = pytest.mark.usefixtures("pictures")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of two tables of 24 rows, one of them zipped, beside a table that is no data."""
    rng = np.random.default_rng(2)
    (tmp_path / "data").mkdir()
    for name in ("one.csv", "two.tsv.gz"):
        frame = pd.DataFrame(rng.normal(size=(24, 4)), columns=[*"abcd"])
        frame = frame.assign(Class=["x", "y"] * 12)
        frame["a"] += 2.0 * (frame["Class"] == "x")
        frame.to_csv(tmp_path / "data" / name, index=False, sep="\t" if "tsv" in name else ",")
    (tmp_path / "data" / "MANIFEST.tsv").write_text("file\tnotes\none.csv\tours\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


compare_run, compare_ok = partial(pycdf_run, "compare"), partial(pycdf_ok, "compare")
FEW = ("--methods", "cdf(ntrees=5),knn", "--splits", 2, "--quick")


@pytest.mark.endurance
@pytest.mark.parametrize("pictures", ["drawn"], indirect=True)
def test_a_folder_of_tables(folder):
    got = compare_ok("data", *FEW, "-o", "out")
    assert "using the column 'Class' of one, two as labels (to choose another: -y" in got.stderr
    told = "MANIFEST.tsv: no column is called 'y', 'class', 'label', 'target'."
    assert f"MANIFEST cannot be used: data/{told}" in got.stderr
    failed = pd.read_csv("out/failures.csv")
    assert failed["data"].tolist() == ["MANIFEST"]
    assert told in failed["message"][0]
    assert "2 data sets x 2 methods x 2 splits, not tuned; results go to out" in got.stderr
    table = pd.read_csv("out/results.csv")
    assert table["data"].tolist() == ["one"] * 4 + ["two"] * 4
    assert table["method"].tolist() == (["cdf(ntrees=5)"] * 2 + ["knn"] * 2) * 2
    assert table["split"].tolist() == [1, 2] * 4
    assert sorted(os.listdir("out")) == [
        "accuracy-boxes.svg", "accuracy.tex", "auc.tex", "differences.csv", "failures.csv",
        "kappa-boxes.svg", "kappa.tex", "manifest.json", "records.jsonl",
        "report.md", "results.csv", "timings.csv",
    ]  # fmt: skip
    mean = table.loc[table["data"].eq("two") & table["method"].eq("knn"), "accuracy"].mean()
    row = next(line for line in got.stdout.splitlines() if line.startswith("| two"))
    assert f"{mean:.3f}" in row


@pytest.mark.endurance
def test_the_label_column_can_be_named_or_is_asked_for(folder):
    frame = pd.read_csv("data/one.csv").rename(columns={"Class": "diagnosis"})
    frame.assign(id=range(24)).to_csv("mine.csv", index=False)
    asked = compare_run("mine.csv", *FEW, "-o", "out")
    assert asked.exit_code == 1
    assert (
        "mine cannot be used: mine.csv: no column is called 'y', 'class', 'label', 'target'. Name "
        "the label column with -y (the last column is 'id')." in asked.stderr
    )
    assert "there is no data set to compare on" in asked.stderr
    compare_ok("mine.csv", "-y", "diagnosis", "--drop", "id", *FEW, "-o", "out")
    same = compare_ok("data/one.csv", *FEW, "-o", "other")
    assert "cannot be used" not in same.stderr
    ours, theirs = (pd.read_csv(f"{one}/results.csv") for one in ("out", "other"))
    assert ours["accuracy"].tolist() == theirs["accuracy"].tolist()
    none = compare_ok("mine.csv", "-y", "diagnosis", "--drop", "idd", *FEW, "-o", "out2")
    assert "note: no table has a column 'idd' to leave out" in none.stderr
    wrong = compare_run("mine.csv", "-y", "diagnose", *FEW, "-o", "out3")
    assert "mine.csv has no column 'diagnose': did you mean 'diagnosis'?" in wrong.stderr


def test_words_that_are_columns_are_not_taken_for_labels(folder):
    frame = pd.read_csv("data/one.csv").rename(columns={"Class": "Y", "a": "class", "b": "label"})
    frame.to_csv("words.csv", index=False)
    got = compare_ok("words.csv", *FEW, "-o", "out")
    assert "using the column 'Y' of words as labels" in got.stderr
    frame[["Y", "class", "c", "d"]].to_csv("words.csv", index=False)
    got = compare_run("words.csv", *FEW, "-o", "out")
    assert "which of 'Y', 'class' has the labels? Name it with -y." in got.stderr


def test_the_same_command_goes_on_and_another_one_is_refused(folder):
    compare_ok("data", *FEW, "-o", "out")
    first = (folder / "out" / "results.csv").read_bytes()
    lines = (folder / "out" / "records.jsonl").read_bytes()
    (folder / "out" / "records.jsonl").write_bytes(lines[:-30])
    again = compare_ok("data", *FEW, "-o", "out")
    assert "resuming: out already has results, which are not computed again" in again.stderr
    assert (folder / "out" / "results.csv").read_bytes() == first
    refused = compare_run("data", *FEW, "-o", "out", "--seed", 7)
    assert refused.exit_code == 1
    assert (
        "out has results of a different run: seed is 7 and was 1. Choose another" in refused.stderr
    )
    assert "Traceback" not in refused.stderr


def test_what_was_guessed_about_a_file_is_a_note(folder):
    rows = "".join(f"{i},5;{'uv'[i % 2]}\n" for i in range(8))
    (folder / "german.csv").write_text(f"a;y\n{rows}")
    got = compare_ok("german.csv", *FEW, "-o", "german")
    assert (
        "pycdf: note: german.csv: numbers are read with a decimal comma, such as '0,5' in column "
        "'a'. Pass --decimal . if that is wrong.\n" in got.stderr
    )
    assert "Warning" not in got.stderr


def test_failures_are_told_and_the_rest_is_there(folder):
    (folder / "data" / "bad.csv").write_text("a,b,y\n1,2,x\n1,x\n")
    got = compare_ok("data", *FEW, "-o", "out")
    assert "bad cannot be used: data/bad.csv: line 3 has 2 cells and the header 3" in got.stderr
    assert "some of the work failed:\n- MANIFEST: data/MANIFEST.tsv: no column" in got.stderr
    assert "\n- bad: data/bad.csv: line 3" in got.stderr
    assert not got.stderr.endswith("\n\n")
    assert len(pd.read_csv("out/results.csv")) == 8


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--methods", "rff"), 1, "there is no method 'rff'. Did you mean r"),
        (("--splits", "0"), 2, "0 is not in the range x>=1"),
        (("--jobs", "0"), 2, "there must be at least one: pass 1 or more, or -1"),
        (("--seed", "2147483647"), 1, "--seed 2147483647: pass a whole number from"),
        (("none.csv",), 1, "none cannot be used"),
        (("--methods", ","), 1, "methods is empty"),
    ],
)
def test_mistakes_are_told_in_a_line(folder, arguments, code, told):
    got = compare_run(*arguments, "-o", "out")
    assert got.exit_code == code
    assert told in got.stderr
    assert "Traceback" not in got.stderr


def test_where_nothing_can_run_no_picture_is_missed(folder, monkeypatch):
    gone = replace(METHODS["knn"], missing=lambda: "R is missing: install it.")
    monkeypatch.setitem(METHODS, "knn", gone)
    got = compare_run("data", "--methods", "knn", "--splits", 2, "--quick", "-o", "out")
    assert got.exit_code == 1
    assert "knn is unavailable: R is missing: install it." in got.stderr
    assert "2 data sets x 0 methods x 2 splits" in got.stderr
    assert "matplotlib" not in got.stderr


def test_the_options_of_designs_scaling_and_spread(folder):
    got = compare_ok(
        "data/one.csv", "--methods", "cdf(ntrees=5),knn", "--quick", "--folds", 3, "--repeats", 2,
        "--stratify", "--scale", "knn", "--spread", "sd", "-o", "out",
    )  # fmt: skip
    assert "1 data set x 2 methods x 6 splits" in got.stderr
    assert " ± 0." in got.stdout
    text = " ".join((folder / "out" / "report.md").read_text().split())
    assert (
        "6 folds of repeated 3-fold cross-validation by class, seed 1; features standardised by "
        "the training rows for kNN" in text
    )
    refused = compare_run("data/one.csv", *FEW, "--folds", 3, "-o", "out2")
    assert "pass either --splits (random ones) or --folds (of cross-validation)." in refused.stderr


def test_groups_and_arff(folder):
    """The paper's sources have ARFF files, and a column may say which rows belong together."""
    rows = "".join(f"{i % 5}.5,{i * i % 7},p{i // 2 % 8},{'xy'[i % 2]}\n" for i in range(24))
    (folder / "mine.arff").write_text(
        "@relation mine\n@attribute a numeric\n@attribute b numeric\n@attribute patient string\n"
        f"@attribute class {{x,y}}\n@data\n{rows}"
    )
    compare_ok("mine.arff", *FEW, "--groups", "patient", "-o", "out")
    facts = json.loads((folder / "out" / "manifest.json").read_text())["data"]["mine"]
    assert (facts["rows"], facts["columns"], facts["groups"]) == (24, 2, 8)
    assert facts["classes"] == {"x": 12, "y": 12}
    refused = compare_run("mine.arff", *FEW, "--groups", "class", "-o", "out2")
    assert "the column 'class' cannot be both label and group." in refused.stderr


def test_check_paper_on_the_shipped_data(folder):
    got = compare_ok(
        "--check-paper", "--methods", "cart,knn", "--splits", 3, "--quick", "-o", "out"
    )
    assert "no data given: using DARWIN" in got.stderr
    assert "darwin (174 x 450, classes 89/85) matches the paper's D5 DARWIN" in got.stderr
    kept = pd.read_csv("out/paper.csv")
    assert kept["paper"].tolist() == [0.739, 0.706, 0.477, 0.418]  # the paper's row D5
    results = pd.read_csv("out/results.csv").groupby("method")["accuracy"]
    assert kept["mean"][:2].tolist() == pytest.approx(results.mean().tolist())
    assert kept["se"][:2].tolist() == pytest.approx((results.std() / np.sqrt(3)).tolist())
    assert got.stdout.count("| D5 darwin |") == 2
    assert f"{kept['mean'][0]:.3f} (0.739)" in got.stdout
    assert "4 figures: " in got.stdout


def test_check_paper_leaves_out_what_the_paper_has_not(folder):
    X, y = load_darwin()
    X.assign(Y=y).to_csv("data/handwriting.csv", index=False)
    got = compare_ok(
        "data", "--check-paper", "--methods", "cart", "--splits", 1, "--quick", "-o", "out"
    )
    assert "one (24 x 4, classes 12/12) is not one of the paper's: left out" in got.stderr
    assert "matches the paper's D5 DARWIN" in got.stderr
    assert set(pd.read_csv("out/results.csv")["data"]) == {"handwriting"}


def started(*arguments):
    """The command in a process of its own, in a session of its own, as in a terminal."""
    return subprocess.Popen(
        [sys.executable, "-m", "pycdf", "compare", *map(str, arguments)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=new_process(),
    )  # fmt: skip


def wait_for_lines(path, count, process):
    for _ in range(6000):
        assert process.poll() is None, process.stderr.read()
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.02)
    raise AssertionError(f"{path} has no {count} lines after two minutes")


MANY = ("data", "--methods", "cdf(ntrees=20),cart", "--splits", 40, "--quick")
uninterrupted = {}  # the results of MANY


@pytest.mark.endurance
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("number", "jobs"), [(signal.SIGKILL, 1), (signal.SIGINT, 2), (signal.SIGTERM, 1)]
)
def test_a_killed_run_goes_on_to_the_same_results(folder, number, jobs):
    process = started(*MANY, "--jobs", jobs, "-o", "out")
    records = folder / "out" / "records.jsonl"
    wait_for_lines(records, 5, process)
    os.killpg(process.pid, signal.SIGSTOP)  # it does not end before it is killed
    refused = compare_run(*MANY, "-o", "out")
    assert "out is in use by another run: wait for it" in refused.stderr
    os.killpg(process.pid, number)
    os.killpg(process.pid, signal.SIGCONT)
    _, said = process.communicate(timeout=30)
    if number != signal.SIGKILL:
        assert not (folder / "out" / ".matrices").exists()
        assert process.returncode == 130
        assert said.rstrip().endswith(
            "pycdf: stopped. Finished fits are saved in out: run the same command to resume."
        )
    kept = records.read_bytes()
    assert 5 <= kept.count(b"\n") < 160
    compare_ok(*MANY, "-o", "out")
    whole = kept[: kept.rindex(b"\n") + 1]
    assert records.read_bytes().startswith(whole)
    if not uninterrupted:
        compare_ok(*MANY, "-o", "other")
        uninterrupted["results"] = (folder / "other" / "results.csv").read_bytes()
    assert (folder / "out" / "results.csv").read_bytes() == uninterrupted["results"]
    assert not (folder / "out" / ".matrices").exists()
