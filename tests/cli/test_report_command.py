"""`pycdf report`, as a user meets it: a model file and tables in, a page out."""

import re
import sys
from pathlib import Path

import pandas as pd
import pytest
from darwin_files import FEATURES, write_darwin
from page_parts import Page
from programs import pycdf_ok, pycdf_run

from pycdf import CDFClassifier, load
from pycdf.explain import performance, row_table
from pycdf.files.tables.reading import read_data

ROWS = ("--data", "train.csv", "-y", "Y", "--id", "patient")
BOTH = ("--data", "train.csv", "--test", "test.csv", "-y", "Y", "--id", "patient")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """train.csv and test.csv of DARWIN's first 20 columns, and a model of the first."""
    folder = tmp_path_factory.mktemp("report")
    train = write_darwin(folder, 60)[:60]
    CDFClassifier(ntrees=100, seed=1).fit(train[FEATURES], train["Y"]).save(folder / "m.cdf")
    return folder


@pytest.fixture(autouse=True)
def _there(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYCDF_QUIET", "1")  # a kernel may have to be compiled first


def report(*arguments):
    """The page that `pycdf report m.cdf` writes, and what it says."""
    done = pycdf_ok("report", "m.cdf", "-o", "r.html", *arguments)
    return Page(Path("r.html").read_text(encoding="utf-8")), done.stderr


def test_a_page_without_rows_says_which_options_add_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not there
    page, said = report()
    assert re.fullmatch(r"pycdf: r\.html: \d+ kB\n", said)
    assert page.texts["title"][0] == "m.cdf"
    assert "add the training rows with --data FILE and -y COLUMN" in page.text
    assert "add other rows with --test FILE and -y COLUMN" in page.text
    assert ["command", "pycdf report m.cdf -o r.html"] in page.table("Versions")


def test_training_rows_are_judged_out_of_bag_and_named_by_their_id():
    page, _ = report(*ROWS, "--seed", 5)
    train = read_data("train.csv")
    wanted = row_table(load("m.cdf"), train[FEATURES], train["Y"], out_of_bag=True)
    lines = page.table("Samples")
    assert lines[0][0] == "patient"
    names = train["patient"].astype(str).iloc[wanted.index].tolist()
    assert [line[0] for line in lines[1:]] == names[: len(lines) - 1]
    sizes = train["Y"].value_counts()
    assert dict(page.table("Classes")[1:]) == {label: str(n) for label, n in sizes.items()}
    assert "--id patient --seed 5" in dict(page.table("Versions"))["command"]


def test_test_rows_are_judged_with_labels_from_the_same_column():
    page, _ = report(*BOTH)
    test = read_data("test.csv")
    found = performance(load("m.cdf"), test[FEATURES], test["Y"]).iloc[0]
    assert (
        f"{found['value']:.1%} right: {round(found['value'] * 114)} of 114 test rows" in page.text
    )
    ids = {line[0] for line in page.table("Samples")[1:]}
    assert ids <= {*test["patient"].astype(str)}


def test_training_rows_given_as_test_rows_are_told_with_the_name_of_the_file():
    page, said = report("--test", "train.csv", "-y", "Y", "--id", "patient")
    assert "pycdf: note: all 60 labelled rows of train.csv are training rows" in said
    assert "All 60 labelled rows of train.csv are training rows" in page.text


def test_notes_on_the_tables_are_on_the_page_too():
    train = read_data("train.csv")
    pd.concat([train, train[:2].assign(Y=None)]).to_csv("more.csv", index=False)
    page, said = report("--data", "more.csv", *ROWS[2:])
    (note,) = [line for line in said.splitlines() if "note:" in line]
    assert "2 rows" in note
    assert note.removeprefix("pycdf: note: ") in page.text
    assert page.table("Samples")[1:]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("m.cdf",), 2, "Missing option '-o'"),
        (("m.cdf", "-o", "a.html", *ROWS[:2]), 2, "--data needs -y"),
        (("m.cdf", "-o", "a.html", "--test", "test.csv"), 2, "--test needs -y"),
        (("m.cdf", "-o", "a.html", "--id", "patient"), 2, "need rows to read"),
        (("m.cdf", "-o", "a.html", "--data", "-", "--test", "-", "-y", "Y"), 2,
         "cannot both be stdin"),
        (("m.cdf", "-o", "a.html", "--data", "test.csv", *ROWS[2:]), 2,
         "trained on 60: --data must be the training rows (other rows go to --test)."),
        (("m.cdf", "-o", "no/a.html"), 1, "no: there is no such folder"),
        (("train.csv", "-o", "a.html"), 1, "train.csv is not a valid pycdf model file"),
    ],
)  # fmt: skip
def test_errors_are_a_line_and_an_exit_code(arguments, code, message):
    result = pycdf_run("report", *arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert len(result.stderr.splitlines()) <= 2
    assert not Path("a.html").exists()


def test_labels_that_the_model_does_not_have_are_named():
    read_data("test.csv").assign(Y="Q").to_csv("other.csv", index=False)
    result = pycdf_run("report", "m.cdf", "-o", "a.html", "--test", "other.csv", *ROWS[2:])
    assert result.exit_code == 1
    assert "column 'Y' has a label that the model does not have: 'Q'" in result.stderr


def test_help_has_an_example():
    text = pycdf_ok("report", "--help").stdout
    assert "Example" in text
    assert "pycdf report model.cdf -o report.html --data train.csv -y diagnosis" in text
