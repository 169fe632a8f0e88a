"""Tables that pycdf writes."""

import math
import re

import openpyxl
import pandas as pd
import pytest

from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.writing import write_data


def cells_of(path):
    sheet = openpyxl.load_workbook(path).active
    return [[(cell.value, cell.data_type) for cell in row] for row in sheet.iter_rows()]


def test_text_that_looks_like_a_formula_stays_text_in_excel(tmp_path):
    frame = pd.DataFrame({"=1+1": ["=2+2", "+3", None], "prob": [0.5, math.nan, 1]})
    write_data(frame, str(tmp_path / "p.xlsx"))
    assert cells_of(tmp_path / "p.xlsx") == [
        [("=1+1", "s"), ("prob", "s")],
        [("=2+2", "s"), (0.5, "n")],
        [("+3", "s"), (None, "n")],
        [(None, "n"), (1, "n")],
    ]


def test_characters_that_excel_cannot_hold_are_written_as_escapes(tmp_path):
    write_data(pd.DataFrame({"id\x01": ["a\x1b[2J", "b\nc"]}), str(tmp_path / "p.xlsx"))
    assert cells_of(tmp_path / "p.xlsx") == [
        [("id\\x01", "s")], [("a\\x1b[2J", "s")], [("b\nc", "s")],
    ]  # fmt: skip


@pytest.mark.parametrize("ending", [".doc", ".docx", ".xls", ".ods", ".json", ".rds"])
def test_endings_of_other_formats_are_refused(tmp_path, ending):
    message = (
        f"{tmp_path / 'p'}{ending}: tables are not written as {ending}. Choose a name that ends "
        "with .csv, .tsv, .parquet or .xlsx; .csv.gz and .tsv.gz are compressed."
    )
    with pytest.raises(DataFileError, match="^" + re.escape(message) + "$"):
        write_data(pd.DataFrame({"a": [1]}), str(tmp_path / f"p{ending}"))
    assert list(tmp_path.iterdir()) == []
