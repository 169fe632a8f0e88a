"""Every command that reads a table refuses what it cannot answer from, or says what is odd."""

import re
from pathlib import Path

import pandas as pd
import pytest
from messy_tables import TABLES, base
from programs import pycdf_ok, pycdf_run

BY = ("-y", "Y", "--id", "patient")
QUICK = ("--ntrees", 3, "--seed", 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All messy tables, base.csv, and m.cdf, a model of it."""
    folder = tmp_path_factory.mktemp("messy")
    base().to_csv(folder / "base.csv", index=False)
    for table in TABLES:
        table.write(folder)
    pycdf_ok("train", folder / "base.csv", *BY, "-o", folder / "m.cdf", *QUICK)
    return folder


@pytest.fixture(autouse=True)
def _there(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYCDF_QUIET", "1")  # a kernel may have to be compiled first


def said(name, *arguments):
    """What a command says about a file: its refusal, or all of its notes."""
    result = pycdf_run(*arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    lines = result.stderr.replace(name, "FILE").splitlines()
    if result.exit_code == 0:
        notes = [line.removeprefix("pycdf: note: ") for line in lines if ": note: " in line]
        # Notes on the accuracy, on selections and on scales have tests of their own.
        others = "training rows, |of the model .*: such|^How often a feature|^The scales of the"
        return tuple(one for one in notes if not re.search(others, one))
    assert result.stdout == ""
    refusal = lines[-2 if result.exit_code == 2 else -1]
    return re.sub(r"^(main \w+|pycdf): ", "", refusal)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_command_refuses_or_tells(table):
    name = f"{table.name}.csv"
    training = table.training
    found = said(name, "train", name, *BY, "-o", "t.cdf", *QUICK, *table.options)
    assert found == training
    found = said(name, "cv", name, *BY, "--folds", 2, "-o", "o.csv", *QUICK, *table.options)
    assert found == (training if table.cv is None else table.cv)
    found = said(name, "run", name, "base.csv", *BY, "-o", "o.csv", *QUICK, *table.options)
    assert found == (training if table.run is None else table.run)
    rows = table.rows
    assert said(name, "predict", "m.cdf", name, "--id", "patient", "--drop", "Y", "-o", "o") == rows
    if isinstance(rows, tuple):
        rows = tuple(note.replace("the model does", "base.csv does") for note in rows)
    found = said(name, "run", "base.csv", name, *BY, "-o", "o.csv", *QUICK)
    assert found == (rows if table.run_rows is None else table.run_rows)


REFUSED_ROWS = [table for table in TABLES if table.rows and isinstance(table.rows, str)]
REFUSED = [
    table
    for table in TABLES
    if isinstance(table.training, str) and "does not say which" not in table.training
]


@pytest.mark.parametrize(
    "table", [one for one in REFUSED_ROWS if "the model" in one.rows], ids=lambda table: table.name
)
def test_plots_and_reports_refuse_the_same_rows(table):
    pytest.importorskip("matplotlib")
    name = f"{table.name}.csv"
    for command in (
        ("plot", "confusion", "m.cdf", "--test", name, *BY, "-o", "o.svg"),
        ("plot", "proximity", "m.cdf", "--data", name, *BY, "-o", "o.svg"),
        ("report", "m.cdf", "--data", name, *BY, "-o", "o.html"),
    ):
        assert said(name, *command) == table.rows
        assert not Path(command[-1]).exists()


@pytest.mark.parametrize("table", REFUSED, ids=lambda table: table.name)
def test_compare_refuses_the_same_tables(table):
    name = f"{table.name}.csv"
    result = pycdf_run("compare", name, *BY, "-o", "results",
                       "--methods", "cdf", "--splits", 1, "--quick")  # fmt: skip
    assert result.exit_code == 1
    refusal = next(line for line in result.stderr.splitlines() if "cannot be used: " in line)
    # Without --id, rows are told by their numbers alone.
    wanted = re.sub(r" \(p\d+\)\.", ".", table.training).replace("FILE", name)
    if "--transpose" in wanted:
        assert refusal.startswith(f"pycdf: {table.name} cannot be used: {name} has no column 'Y'")
    else:
        assert refusal == f"pycdf: {table.name} cannot be used: {wanted}"
    assert not Path("results").exists()


def test_there_are_enough_tables():
    assert len(TABLES) >= 35
    assert len(REFUSED) >= 9
    assert len(REFUSED_ROWS) >= 8


# ---- answers -------------------------------------------------------------------------------------


def test_rows_without_values_have_no_answer_unless_asked_for():
    pycdf_ok("predict", "m.cdf", "no_values.csv", "--id", "patient", "-o", "o.csv")
    answers = pd.read_csv("o.csv")
    blank = answers.iloc[[4, 9]]
    assert blank["patient"].tolist() == ["p5", "p10"]
    assert blank.drop(columns="patient").isna().all(axis=None)
    others = answers.drop(index=[4, 9])
    assert others.notna().all(axis=None)
    pycdf_ok("predict", "m.cdf", "no_values.csv", "--id", "patient", "-o", "a.csv", "--allow-empty")
    as_in_r = pd.read_csv("a.csv")
    assert as_in_r.notna().all(axis=None)
    assert as_in_r.drop(index=[4, 9]).equals(others)
    pycdf_ok("run", "base.csv", "no_values.csv", *BY, *QUICK, "-o", "r.csv")
    assert pd.read_csv("r.csv").equals(answers)


def test_the_rows_of_training_are_told_with_the_out_of_bag_accuracy():
    told = pycdf_ok("predict", "m.cdf", "base.csv", *BY, "-o", "o.csv").stderr.splitlines()
    assert told[0].startswith("pycdf: accuracy 0.9333333 (28 of 30), kappa ")
    assert told[1:] == [
        "pycdf: note: all 30 labelled rows of base.csv are training rows, which the trees have "
        "seen: an accuracy of 0.9333 (28 of 30) there says little about new rows. Out of bag, by "
        "the trees that did not draw a row, it is 0.8800 (22 of 25)."
    ]
    without = pycdf_ok("predict", "m.cdf", "base.csv", "--id", "patient", "--drop", "Y")
    assert without.stderr == ""
    pytest.importorskip("matplotlib")
    drawn = pycdf_ok("plot", "confusion", "m.cdf", "--test", "base.csv", *BY, "-o", "c.svg")
    assert drawn.stderr.splitlines() == [told[1], "pycdf: c.svg: confusion matrix"]


def test_the_wrong_separator_and_features_in_rows():
    Path("semicolons.csv").write_text(base().to_csv(index=False, sep=";"))
    refused = pycdf_run("train", "semicolons.csv", *BY, "--sep", ",", "-o", "t.cdf")
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[0] == (
        "main train: the header of semicolons.csv was not split into columns: "
        "'patient;x1;x2;x3;x4;Y' is one cell. Pass --sep ';'."
    )
    refused = pycdf_run("predict", "m.cdf", "semicolons.csv", "--sep", ",")
    assert refused.stderr == (
        "pycdf: the header of semicolons.csv was not split into columns: 'patient;x1;x2;x3;x4;Y' "
        "is one cell. Pass --sep ';'.\n"
    )
    refused = pycdf_run("predict", "m.cdf", "genes_in_rows.csv")
    assert refused.stderr == (
        "pycdf: genes_in_rows.csv has none of the columns: 'x1', 'x2', 'x3' and 1 more are in the "
        "row names. If the features are in rows and the samples in columns, pass --transpose.\n"
    )


def test_a_format_that_is_not_written_is_refused_before_any_work():
    for command in (
        ("predict", "m.cdf", "base.csv", "-o", "p.ods"),
        ("run", "base.csv", "base.csv", *BY, "-o", "p.ods"),
        ("cv", "base.csv", *BY, "--predictions", "p.ods"),
        ("importance", "m.cdf", "-o", "p.ods"),
    ):
        refused = pycdf_run(*command)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert refused.stderr == (
            "pycdf: p.ods: tables are not written as .ods. Choose a name that ends with .csv, "
            ".tsv, .parquet or .xlsx; .csv.gz and .tsv.gz are compressed.\n"
        )


def test_no_message_speaks_of_arguments_or_libraries():
    """All that the commands above can say, and what CDF() refuses."""
    base()[:1].to_csv("one_row.csv", index=False)
    base().assign(x1=1, x2=2, x3=3, x4=4).to_csv("constants.csv", index=False)
    said_all = [
        pycdf_run("train", name, *BY, "-o", "t.cdf", "--mtry", 50, *QUICK).stderr
        for name in [*(f"{table.name}.csv" for table in TABLES), "one_row.csv", "constants.csv"]
    ]
    assert len(said_all) == len(TABLES) + 2
    assert said_all[-1].splitlines()[-1] == (
        "pycdf: constants.csv has no usable column among its 4: each is constant, missing, text, "
        "infinite, or too large or small for a standard deviation. Pass columns of numbers that "
        "vary."
    )
    assert said_all[0].splitlines()[1] == (
        "pycdf: note: --mtry 50 is more than the 4 usable training columns: 4 is used; choose "
        "--mtry from 1 to 4, or no --mtry for R's default."
    )
    for text in said_all:
        assert not re.search(r"xtrain|ytrain|xtest|pandas|\bNone\b|1 \w+s\b", text), text
