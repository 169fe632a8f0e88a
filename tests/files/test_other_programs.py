"""Files that R, LibreOffice and anndata wrote are read cell by cell as they were meant.

`r_reference/record_tables.R` and `tests/data/make_tables.py` made them; the writers of pandas and
polars are called here.
"""

import datetime
import io
import math
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from pycdf import DataFileError, GuessedFormatWarning, read_table

TABLES = Path(__file__).parents[1] / "data" / "tables"
INF = math.inf
FRAME = {
    "id": ["p1", None, "p3"],
    "x": [0.1, None, -INF],
    "n": [1, None, 3],
    "whole": [5, 6, 7],
    "ok": [1, None, 0],
    "group": ["b", "a", None],
    "day": [datetime.date(2020, 1, 31), None, datetime.date(1960, 5, 1)],
    "time": [pd.Timestamp("2020-01-31 12:00:00.5"), None, pd.Timestamp("1969-12-31 23:59:59")],
    "word": ["Größe", "für", ""],
}
PLAIN = {name: FRAME[name] for name in ("id", "x", "n", "ok", "group", "word")}
CELLS = {
    "g1": [0, 2, 0],
    "g2": [1.5, 0, 0],
    "kind": ["T", "B", None],
    "depth": [10, 20, 30],
    "ok": [1, 0, 1],
    "batch": ["u", "v", "u"],
    "score": [1, None, 3],
}
SHEET = {
    "id": ["p1", "p2", "p3"],
    "x": [0.1, None, -2],
    "share": [0.2, None, -4],
    "ok": [1, 0, 1],
    "day": ["2020-01-31", None, None],
    "word": ["Größe", "two  blanks", "01"],
}


def cells(frame):
    """The columns as lists, missing cells as None."""
    return {
        name: [None if pd.isna(cell) else cell for cell in frame[name].tolist()]
        for name in frame.columns
    }


@pytest.mark.parametrize(
    "name",
    [
        "frame_gzip.rds", "frame_bzip2.rds", "frame_xz.rds", "frame_plain.rds",
        "frame_version_2.rds", "one.RData",
    ],
)  # fmt: skip
def test_data_frames_of_r(name):
    frame = read_table(TABLES / name)
    assert cells(frame) == FRAME
    assert frame.index.tolist() == [1, 2, 3]
    assert frame["group"].cat.categories.tolist() == ["b", "a", "unused"]
    assert read_table(TABLES / name, text=["group"])["group"].dtype == object


def test_one_table_among_other_objects_of_r():
    with pytest.warns(GuessedFormatWarning) as caught:
        frame = read_table(TABLES / "one_and_more.RData")
    assert cells(frame) == FRAME
    assert [str(one.message) for one in caught] == [
        f"{TABLES / 'one_and_more.RData'}: the table 'frame' was read. The file also has 'numbers'."
    ]
    assert cells(read_table(TABLES / "one_and_more.RData", sheet="frame")) == FRAME
    assert read_table(TABLES / "several.RData", sheet="m")["b"].tolist() == [3.0, 4.0]


def test_matrices_compact_vectors_and_tibbles_of_r():
    matrix = read_table(TABLES / "matrix.rds")
    assert cells(matrix) == {"a": [1, 2], "b": [3, 4], "c": [5, 6]}
    assert matrix.index.tolist() == ["r1", "r2"]
    turned = read_table(TABLES / "matrix.rds", transpose=True)
    assert cells(turned) == {"r1": [1, 3, 5], "r2": [2, 4, 6]}
    assert turned.index.tolist() == ["a", "b", "c"]
    assert cells(read_table(TABLES / "matrix_without_names.rds")) == {"V1": [1, 2], "V2": [3, 4]}
    compact = read_table(TABLES / "compact.rds")
    assert compact["a"].tolist() == list(range(1, 1001))
    assert compact["b"].tolist() == [str(i) for i in range(1, 1001)]
    assert compact["c"].tolist() == [1.0, 2.0, 3.0, 4.0] * 250
    assert cells(read_table(TABLES / "tibble.rds")) == {"a": [1, 2], "b": ["x", "y"]}


@pytest.mark.parametrize(
    ("name", "message", "options"),
    [
        ("lm.rds", "it has no table but an object of class 'lm': save a data frame, with "
         "saveRDS(as.data.frame(x), 'x.rds').", {}),
        ("nested.rds", "column 'more' has a list and not one value in each row: leave it out.", {}),
        ("frame_ascii.rds", "it was saved by R with ascii = TRUE or in a machine's own format: "
         "save it again without this option.", {}),
        (
            "several.RData",
            "it has several tables, 'frame', 'm': choose one, such as sheet='frame'.",
            {},
        ),
        ("several.RData", "it has no object 'n'; it has 'frame', 'm'.", {"sheet": "n"}),
        ("libreoffice.xls", "it is an old Excel workbook (.xls) or Office document: open it and "
         "save it as .xlsx.", {}),
        ("dense.h5ad", "it has no layer 'raw'; it has 'X', 'counts'.", {"sheet": "raw"}),
    ],
)  # fmt: skip
def test_what_is_refused(name, message, options):
    with pytest.raises(DataFileError) as caught:
        read_table(TABLES / name, **options)
    assert str(caught.value) == f"{TABLES / name}: {message}"


@pytest.mark.parametrize(
    ("name", "options", "warned"),
    [
        ("write_csv.csv", {}, 0),
        ("write_csv2.csv", {}, 1),
        ("write_csv2.csv", {"decimal": ","}, 0),
        ("write_table.txt", {}, 0),
        ("write_csv_latin1.csv", {}, 1),
        ("write.arff", {}, 0),
    ],
)
def test_text_of_r(name, options, warned, recwarn):
    frame = read_table(TABLES / name, **options)
    assert cells(frame) == PLAIN
    assert len(recwarn) == warned
    assert frame.index.tolist() in ([1, 2, 3], ["1", "2", "3"])


@pytest.mark.parametrize("name", ["libreoffice.xlsx", "libreoffice.ods"])
def test_spreadsheets_of_libreoffice(name):
    with pytest.warns(GuessedFormatWarning) as caught:
        frame = read_table(TABLES / name)
    assert cells(frame) == SHEET
    assert [str(one.message).removeprefix(f"{TABLES / name}: ") for one in caught] == [
        "its first sheet, 'data', was read. It also has 'notes': pass sheet='notes' for the "
        "second.",
        "1 cell with an error of the spreadsheet ('#DIV/0!') is a missing value.",
    ]


@pytest.mark.parametrize("name", ["dense.h5ad", "csr.h5ad", "csc.h5ad"])
def test_annotated_matrices(name):
    with pytest.warns(GuessedFormatWarning) as caught:
        frame = read_table(TABLES / name)
    assert cells(frame) == CELLS
    assert frame.index.tolist() == ["c1", "c2", "c3"]
    assert str(caught[0].message).endswith(
        "5 columns of obs ('kind', 'depth', 'ok' and 2 more) come after the 2 variables: leave out "
        "those that are neither features nor the label."
    )
    with pytest.warns(GuessedFormatWarning):
        assert read_table(TABLES / name, sheet="counts")["g2"].tolist() == [15.0, 0.0, 0.0]


def test_files_of_pandas_and_polars(tmp_path):
    frame = pd.DataFrame({"a": [0.1, np.nan, 3.0], "n": [1, 2, 3], "y": ["u", None, "ü"]})
    wanted = {"a": [0.1, None, 3], "n": [1, 2, 3], "y": ["u", None, "ü"]}
    polars = pl.DataFrame({"a": [0.1, None, 3.0], "n": [1, 2, 3], "y": ["u", None, "ü"]})
    written = {
        "pandas.parquet": saved(frame.to_parquet),
        "pandas.feather": saved(frame.to_feather),
        "pandas.xlsx": saved(frame.to_excel, index=False),
        "pandas.csv.xz": saved(frame.to_csv, index=False, compression="xz", na_rep="NA"),
        "polars.parquet": saved(polars.write_parquet),
        "polars.arrow": saved(polars.write_ipc, compression="zstd"),
        "polars.csv": saved(polars.write_csv, null_value="NA"),
    }
    for name, content in written.items():
        (tmp_path / name).write_bytes(content)
        assert cells(read_table(tmp_path / name)) == wanted, name
    assert len(written) == 7


def saved(write, **options):
    file = io.BytesIO()
    write(file, **options)
    return file.getvalue()
