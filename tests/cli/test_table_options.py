"""The options on how to read a table are the same on every command, and do the same."""

from pathlib import Path

import pandas as pd
import pytest
from darwin_files import write_darwin
from programs import pycdf_ok, pycdf_run

from pycdf.files.tables.reading import read_data

OPTIONS = ("--sep", "--decimal", "--encoding", "--sheet", "--transpose")
TRAIN = ("-y", "Y", "--drop", "patient", "--ntrees", 5, "--seed", 1)


@pytest.fixture
def darwin(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_darwin(tmp_path, 120)


@pytest.mark.parametrize("command", ["train", "predict", "run", "cv", "compare", "plot", "report"])
def test_every_command_that_reads_tables_has_them(command):
    text = pycdf_ok(command, "--help").stdout
    for option in OPTIONS:
        assert f"  {option} " in text, option


def model_of(*arguments):
    pycdf_ok("train", *arguments, *TRAIN, "-o", "m.cdf")
    return pycdf_ok("describe", "m.cdf", "--json").stdout.split('"bytes"')[1]


def test_the_same_rows_in_other_files_give_the_same_forest(darwin):
    wanted = model_of("train.csv")
    predicted = pycdf_ok("predict", "m.cdf", "test.csv").stdout
    train, test = (pd.read_csv(name, dtype=str) for name in ("train.csv", "test.csv"))

    german = train.map(lambda cell: str(cell).replace(".", ","))
    german.to_csv("german.csv", sep=";", index=False, encoding="utf-16")
    assert model_of("german.csv") == wanted
    assert pycdf_ok("predict", "m.cdf", "test.csv").stdout == predicted

    turned = train.T
    turned.columns = [f"s{i}" for i in range(len(train))]
    turned.to_csv("genes.csv", index_label="gene")
    assert model_of("genes.csv", "--transpose") == wanted
    test.T.set_axis([f"s{i}" for i in range(len(test))], axis=1).to_csv("new.csv")
    found = pycdf_ok("predict", "m.cdf", "new.csv", "--transpose").stdout
    assert [line.partition(",")[2] for line in found.splitlines()] == [
        line.partition(",")[2] for line in predicted.splitlines()
    ]
    refused = pycdf_run("train", "genes.csv", *TRAIN, "-o", "m.cdf")
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[0].partition(": ")[2] == (
        "genes.csv has no column 'Y': 'Y' is in the first column. If the features are "
        "in rows and the samples in columns, pass --transpose."
    )


def test_excel_in_and_out(darwin):
    wanted = model_of("train.csv")
    pycdf_ok("predict", "m.cdf", "test.csv", "-o", "p.csv")
    with pd.ExcelWriter("data.xlsx") as file:
        pd.DataFrame({"about": ["DARWIN"]}).to_excel(file, sheet_name="notes", index=False)
        read_data("train.csv", ["Y"]).to_excel(file, sheet_name="train", index=False)
        read_data("test.csv", ["Y"]).to_excel(file, sheet_name="test", index=False)
    assert model_of("data.xlsx", "--sheet", "train") == wanted
    pycdf_ok("predict", "m.cdf", "data.xlsx", "--sheet", "3", "-o", "p.xlsx")
    assert Path("p.xlsx").read_bytes()[:2] == b"PK"
    pd.testing.assert_frame_equal(
        read_data("p.xlsx", ["prediction"]), read_data("p.csv", ["prediction"])
    )


def test_a_name_that_promises_another_format_is_refused(darwin):
    pycdf_ok("train", "train.csv", *TRAIN, "-o", "m.cdf")
    refused = pycdf_run("predict", "m.cdf", "test.csv", "-o", "p.ods")
    assert refused.exit_code == 1
    assert refused.stderr.splitlines()[-1] == (
        "pycdf: p.ods: tables are not written as .ods. Choose a name that ends with .csv, .tsv, "
        ".parquet or .xlsx; .csv.gz and .tsv.gz are compressed."
    )
    assert not Path("p.ods").exists()


def test_a_cell_of_text_among_decimal_commas_is_one_cell(darwin):
    """The other cells of its column are numbers all the same, as with decimal points."""
    train = pd.read_csv("train.csv", dtype=str)
    train.loc[3, "x1"] = "k.A."
    train.to_csv("points.csv", index=False)
    train.map(lambda cell: cell if cell == "k.A." else str(cell).replace(".", ",")).to_csv(
        "commas.csv", sep=";", index=False
    )
    assert model_of("commas.csv") == model_of("points.csv")
    told = pycdf_run("train", "commas.csv", *TRAIN, "-o", "m.cdf").stderr
    assert (
        "pycdf: note: 1 cell of text in 1 column of commas.csv ('x1') is read as missing, such as "
        "'k.A.' in column 'x1', row 4.\n"
    ) in told
