"""Commands on few rows, and what they say and refuse before and after the work."""

import json
import re
import time

import numpy as np
import pandas as pd
import pytest
from programs import pycdf_ok, pycdf_run

from pycdf.cli import run_demo

FOREST = ("--ntrees", 4, "--seed", 1)
EMPTY = "note: 1 column that the model uses is empty in {}: 'b'."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """t.csv: 24 rows of two classes; m.cdf: a model of them."""
    folder = tmp_path_factory.mktemp("small")
    frame = pd.DataFrame(np.random.default_rng(3).normal(size=(24, 3)).round(3), columns=[*"abc"])
    frame["a"] += np.repeat([0, 2], 12)
    frame.assign(y=np.repeat(["u", "v"], 12)).to_csv(folder / "t.csv", index=False)
    pycdf_ok("train", folder / "t.csv", "-y", "y", *FOREST, "-o", folder / "m.cdf")
    return folder


@pytest.fixture(autouse=True)
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return pd.read_csv("t.csv")


@pytest.mark.parametrize(
    "command", [("predict", "m.cdf"), ("run", "t.csv")], ids=lambda one: one[0]
)
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_an_empty_column_is_told_if_there_is_more_than_a_row(command, rows, here, tmp_path):
    table = tmp_path / "new.csv"
    here[:rows].assign(b=np.nan).to_csv(table, index=False)
    forest = () if command[0] == "predict" else FOREST
    done = pycdf_ok(*command, table, "-y", "y", *forest)
    assert ("empty in" in done.stderr) == (rows > 1)
    if rows > 1:
        assert EMPTY.format(table).replace("the model uses", "") in done.stderr.replace(
            "the model uses", ""
        )
    assert f"of {rows})" in done.stderr


@pytest.mark.parametrize(
    "command", [("predict", "m.cdf"), ("run", "t.csv")], ids=lambda one: one[0]
)
def test_a_row_without_values_does_not_count_and_other_labels_are_wrong(command, here, tmp_path):
    table = tmp_path / "new.csv"
    new = here[9:15].copy()
    new.loc[9, ["a", "b", "c"]] = np.nan
    new.loc[10, "y"] = "w"
    new.loc[11, "y"] = np.nan
    new.to_csv(table, index=False)
    forest = () if command[0] == "predict" else FOREST
    done = pycdf_ok(*command, table, "-y", "y", *forest)
    assert "'w' in column 'y'" in done.stderr
    assert re.search(r"accuracy 0\.\d+ \(\d of 4\)", done.stderr)
    lines = done.stdout.splitlines()
    assert lines[1] == "1,,,"
    assert all(re.fullmatch(r"\d,[uv],[\d.]+,[\d.]+", line) for line in lines[2:])
    counted = pycdf_ok(*command, table, "-y", "y", *forest, "--allow-empty")
    assert re.search(r"accuracy 0\.\d+ \(\d of 5\)", counted.stderr)
    assert "1,,," not in counted.stdout


def test_each_row_may_be_a_fold():
    done = pycdf_ok("cv", "t.csv", "-y", "y", *FOREST, "--folds", 24, "--by-fold", "f.csv")
    assert pd.read_csv("f.csv")["rows"].tolist() == [1] * 24
    assert "over 24 folds" in done.stderr
    assert "pycdf: 2 classes: u (12), v (12)" in done.stderr
    refused = pycdf_run("cv", "t.csv", "-y", "y", "--folds", 25)
    assert "--folds 25 is too many: there are only 24 labelled rows." in refused.stderr


def test_the_seed_of_folds_is_told_unless_it_was_given():
    options = ("t.csv", "-y", "y", "--ntrees", 2, "--folds", 2)
    first = pycdf_ok("cv", *options)
    seed = re.search(r"pycdf: seed (-?\d+)\n", first.stderr)[1]
    again = pycdf_ok("cv", *options, "--seed", seed)
    assert again.stdout == first.stdout
    assert "pycdf: seed" not in again.stderr


@pytest.mark.parametrize("option", ["--output", "--predictions", "--by-fold", "--confusion"])
def test_files_of_a_cross_validation_are_checked_before_the_work(option, folder):
    command = ("cv", "t.csv", "-y", "y", "--folds", 2, "--ntrees", 2, option)
    refused = pycdf_run(*command, "none/t.csv")
    assert refused.exit_code == 1
    assert "none: there is no such folder" in refused.stderr
    escaped = pycdf_run(*command, "t.parquet", "--escape-formulas")
    assert escaped.exit_code == 2
    assert "--escape-formulas is for CSV and TSV" in escaped.stderr
    assert not (folder / "t.parquet").exists()


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (("predict", "m.cdf", "t.csv"), "-o"),
        (("run", "t.csv", "t.csv", "-y", "y"), "-o"),
        (("importance", "m.cdf"), "-o"),
        (("tune", "t.csv", "-y", "y"), "-o"),
        (("tune", "t.csv", "-y", "y"), "--model"),
        (("tune", "t.csv", "-y", "y"), "--picture"),
        (("train", "t.csv", "-y", "y"), "-o"),
        (("report", "m.cdf"), "-o"),
        (("plot", "tree", "m.cdf"), "-o"),
    ],
)
def test_other_files_are_checked_before_the_work_too(command, output, monkeypatch):
    for module in ("table_input.read_data", "run_report.load_model", "run_plots.load_model"):
        monkeypatch.setattr(f"pycdf.cli.{module}", lambda *_: pytest.fail("it begins to work"))
    suffix = "svg" if command[0] == "plot" else "csv"
    refused = pycdf_run(*command, output, f"none/out.{suffix}")
    assert refused.exit_code == 1
    assert "none: there is no such folder" in refused.stderr
    if output == "-o" and command[0] not in ("train", "report", "plot"):
        escaped = pycdf_run(*command, output, "out.parquet", "--escape-formulas")
        assert escaped.exit_code == 2
        assert "--escape-formulas is for CSV and TSV" in escaped.stderr


def test_a_search_writes_what_it_says(here, tmp_path):
    table = tmp_path / "new.csv"
    here.assign(same=1).to_csv(table, index=False)
    options = ("-y", "y", "--budget", 2, "--nested", 0, "--ntrees", 2)
    done = pycdf_ok("tune", table, *options)
    assert "pycdf: 2 classes: u (12), v (12)" in done.stderr
    assert f"note: 1 column of {table} does not vary" in done.stderr
    assert re.search(r"pycdf: seed -?\d+\n", done.stderr)
    assert len(done.stdout.splitlines()) == 3
    assert "\npycdf: Tuned: 2 forests tried" in done.stderr
    assert "\npycdf:   best " in done.stderr
    assert "\\n" not in done.stderr
    pictures = [tmp_path / name for name in ("one.svg", "again.svg")]
    for picture in pictures:
        pycdf_ok("tune", table, *options, "--seed", 1, "--picture", picture)
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    wrong = pycdf_run("tune", tmp_path / "none.csv", *options, "--picture", "out.txt")
    assert "out.txt: the name must end with a picture format" in wrong.stderr
    here.assign(y="u").to_csv(table, index=False)
    refused = pycdf_run("tune", table, *options)
    assert refused.exit_code == 1
    assert refused.stdout == ""


def test_a_description_for_programs_has_a_line_for_each_fact():
    lines = pycdf_ok("describe", "m.cdf", "--json").stdout.splitlines()
    assert lines[1] == ' "file": "m.cdf",'
    assert json.loads("\n".join(lines))["trees"] == 4


def test_rows_from_two_pipes_or_none():
    both = pycdf_run("report", "m.cdf", "-o", "r.html", "--data", "-", "--test", "-", "-y", "y")
    assert (both.exit_code, both.stdout) == (2, "")
    assert "--data and --test cannot both be stdin." in both.stderr
    for option in (("-y", "y"), ("--id", "y"), ("--drop", "a"), ("--sep", ";")):
        refused = pycdf_run("report", "m.cdf", "-o", "r.html", *option)
        assert refused.exit_code == 2
        assert "need rows to read: add --data FILE." in refused.stderr


def test_the_demonstration_tells_kernels_from_the_forest(monkeypatch):
    grow, calls = run_demo.CDF, []

    def slow_at_first(*arguments, **more):
        if not calls:
            time.sleep(0.3)  # as if it compiled
        calls.append(more)
        return grow(*arguments, **more)

    monkeypatch.setattr(run_demo, "CDF", slow_at_first)
    shown = pycdf_ok("demo", "--seed", 3).stdout
    lines = shown.splitlines()
    assert lines[0].startswith("pycdf ")
    assert lines[2].startswith("DARWIN: handwriting of 89 Alzheimer's patients")
    assert lines[3] == "121 training rows, 53 test rows, 500 trees; seed 3"
    right = int(re.search(r"\((\d+) of 53\)", lines[5])[1])
    assert lines[5].split()[1] == f"{right / 53:.7f}"
    assert right > 30
    features = lines[6:11]
    assert [len(line.split()) for line in features] == [4, 2, 2, 2, 2]
    took = re.fullmatch(r"  time +(\S+) s  \(after loading the kernels for (\S+) s\)", lines[11])
    assert 0 < float(took[1]) < 600
    assert 0.3 <= float(took[2]) < 600
    assert "The same call in R:\n  library(CDF); data(DARWIN); set.seed(3)\n" in shown


def test_tables_without_a_common_column_are_refused(here, tmp_path):
    table = tmp_path / "new.csv"
    here.rename(columns=dict(zip("abc", "pqr", strict=True))).to_csv(table, index=False)
    refused = pycdf_run("run", "t.csv", table, "-y", "y", *FOREST)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"pycdf: no column of {table} (")
    assert refused.stderr.endswith("'c'): rename the columns.\n")


def test_a_table_without_features_is_refused(here, tmp_path):
    table = tmp_path / "new.csv"
    here[["y", "a"]].to_csv(table, index=False)
    refused = pycdf_run("train", table, "-y", "y", "--id", "a", "-o", tmp_path / "m.cdf")
    assert refused.exit_code == 1
    assert f"pycdf: {table} has no columns besides 'y', 'a'." in refused.stderr


def test_a_column_that_is_left_out_is_told_once_with_the_reason(here, tmp_path):
    """One of plain text is told as such; of one with text among equal numbers both are told."""
    table = tmp_path / "new.csv"
    here.assign(word="k.A.", partly=["k.A.", "5"] * 12).to_csv(table, index=False)
    done = pycdf_ok("train", table, "-y", "y", *FOREST, "-o", tmp_path / "new.cdf")
    assert "1 column of " in done.stderr
    assert "holds text and is left out: 'word'." in done.stderr
    assert "12 cells of text in 1 column of " in done.stderr
    assert re.search(r"1 column of \S+ does not vary, .* and is left out: 'partly'\.", done.stderr)
    assert done.stderr.count("'word'") == 1
