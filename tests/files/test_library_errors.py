"""Errors of other libraries: a message has the first line of one, and not too much of it."""

from importlib import import_module

import pytest
from messy_files import zipped

from pycdf import DataFileError, read_table

CASES = {
    "parquet": (b"PAR1", "pyarrow.parquet", "ParquetFile", "it is damaged Parquet: {}"),
    "feather": (b"ARROW1", "pyarrow.feather", "read_feather", "it is a damaged Feather file: {}"),
    "excel": (zipped(xl_S_workbook__xml="<w/>"), "openpyxl", "load_workbook",
              "it is a damaged Excel workbook: {}."),
    "anndata": (b"\x89HDF\r\n\x1a\n", "h5py", "File", "it is a damaged AnnData file: {}."),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize(
    ("given", "shown"),
    [("x" * 300 + "\nmore", "x" * 200), ("no\nmore", "no"), ("", "ValueError")],
    ids=["long", "lines", "none"],
)
def test_the_first_line_of_an_error(kind, given, shown, tmp_path, monkeypatch):
    content, module, name, message = CASES[kind]

    def fail(*arguments, **options):
        raise ValueError(given)

    monkeypatch.setattr(import_module(module), name, fail)
    path = tmp_path / "t"
    path.write_bytes(content)
    with pytest.raises(DataFileError) as caught:
        read_table(path)
    assert str(caught.value) == f"{path}: {message.format(shown)}"
