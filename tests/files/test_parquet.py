"""Parquet files in parts: which can be read so, and what the parts are."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycdf import DataFileError, read_table
from pycdf.files.tables import limits, parquet
from pycdf.files.tables.parquet import parquet_columns, parquet_parts

FRAME = pd.DataFrame({
    "i": [1, 2, 3], "f": [0.5, None, 1.5], "b": [True, False, True], "y": ["u", "v", "u"],
})  # fmt: skip


def saved(tmp_path, frame=FRAME, **options):
    path = tmp_path / "t.parquet"
    frame.to_parquet(path, **options)
    return str(path)


def test_which_files_can_be_read_in_parts(tmp_path):
    path = saved(tmp_path)
    names = ["i", "f", "b", "y"]
    assert parquet_columns(path, ["i", "f", "b"]) == names
    assert parquet_columns(path, ["i", "absent"]) == names
    assert parquet_columns(path, ["i", "y"]) is None  # text
    assert parquet_columns("-", ["i"]) is None
    named = saved(tmp_path, FRAME.set_index("y"))
    assert parquet_columns(named, ["i"]) is None  # row names
    twice = pa.table([pa.array([1.0]), pa.array([2.0])], names=["a", "a"])
    pq.write_table(twice, tmp_path / "twice.parquet")
    assert parquet_columns(str(tmp_path / "twice.parquet"), ["a"]) is None
    (tmp_path / "t.csv").write_text("i,f\n1,2\n")
    assert parquet_columns(str(tmp_path / "t.csv"), ["i"]) is None
    (tmp_path / "cut.parquet").write_bytes(b"PAR1")
    assert parquet_columns(str(tmp_path / "cut.parquet"), ["i"]) is None


def test_rows_are_numbered_through_all_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_CELLS", 200)
    frame = pd.DataFrame({"a": np.arange(150.0), "b": 1.0, "c": 2.0})
    path = saved(tmp_path, frame)
    parts = list(parquet_parts(path, ["c", "a"]))
    assert [len(part) for part in parts] == [100, 50]
    assert parts[0].columns.tolist() == ["c", "a"]
    together = pd.concat(parts)
    assert together.index.tolist() == list(range(1, 151))
    assert together["a"].tolist() == list(range(150))
    monkeypatch.setattr(parquet, "_CELLS", 2)
    assert [len(part) for part in parquet_parts(path, ["a"])] == [64, 64, 22]
    assert [part.shape for part in parquet_parts(path, [])][:1] == [(64, 0)]


def test_a_part_has_about_two_million_cells(tmp_path):
    rows = 2**18
    frame = pd.DataFrame(np.zeros((rows + 1, 8), dtype=np.int8), columns=list("abcdefgh"))
    parts = parquet_parts(saved(tmp_path, frame), list("abcdefgh"))
    assert [len(part) for part in parts] == [rows, 1]


def test_files_without_rows(tmp_path):
    path = saved(tmp_path, FRAME[:0])
    with pytest.raises(DataFileError) as caught:
        next(parquet_parts(path, ["i"]))
    assert str(caught.value) == f"{path}: the table has no rows."


def test_names_of_rows_and_columns(tmp_path):
    found = read_table(saved(tmp_path, pd.DataFrame({0: [1.5], "b": [2.5]}).rename(columns=str)))
    assert found.columns.tolist() == ["0", "b"]
    assert found.index.tolist() == [1]
    assert found.index.name == "row"
    named = read_table(saved(tmp_path, FRAME.set_index("y")))
    assert named.index.tolist() == ["u", "v", "u"]
    assert named.index.name == "row"


def test_a_table_may_be_as_large_as_the_limit(tmp_path, monkeypatch):
    """Eight bytes are counted for each cell, however well a column compresses."""
    path = saved(tmp_path, pd.DataFrame({"a": np.zeros(4000), "b": np.zeros(4000)}))
    monkeypatch.setattr(limits, "_RATIO", 0)
    monkeypatch.setattr(limits, "_ALWAYS_ALLOWED", 64_000)
    assert read_table(path).shape == (4000, 2)
    monkeypatch.setattr(limits, "_ALWAYS_ALLOWED", 63_999)
    with pytest.raises(DataFileError, match="the table would take"):
        read_table(path)
