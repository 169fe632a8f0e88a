"""Damaged and hostile tables: a clear error or the right answer, in no time and little memory."""

import struct
import sys
import tracemalloc
from pathlib import Path

import h5py
import numpy as np
import pytest
from messy_files import zipped
from table_mutations import damaged, outcome, seeds

from pycdf import DataFileError, read_table

TABLES = Path(__file__).parents[1] / "data" / "tables"
CLAIM = (
    "{what} would take {size} GB, more than 200 times the size of the file: it is damaged or made "
    "to fill the memory. If it is right, convert it to an uncompressed CSV file."
)


def test_mutated_files_are_read_or_refused(tmp_path):
    """A few of them; `nox -s fuzz` makes 10,000, each with limits of time and memory."""
    sound = seeds()
    path = tmp_path / "table.dat"
    found = {}
    for number in range(300):
        name, content = damaged(number, sound)
        path.write_bytes(content)
        found[number, name] = outcome(path)
    assert {key: what for key, what in found.items() if what not in ("read", "refused")} == {}
    assert len(found) == 300
    assert set(found.values()) == {"read", "refused"}


def endless_sequence():
    """An .rds file of some bytes: the numbers from 1 to 10^11, as R keeps them."""

    def number(value):
        return struct.pack(">i", value)

    symbol = number(1) + number(9) + number(14) + b"compact_intseq"
    info = number(2) + symbol + number(2) + number(1) + number(9) + number(4) + b"base"
    info += number(2) + number(13) + number(1) + number(13) + number(254)
    state = number(14) + number(3) + struct.pack(">3d", 1e11, 1, 1)
    header = b"X\n" + number(2) + number(0x40202) + number(0x20300)
    return header + number(238) + info + state + number(254)


def endless_sheet():
    """A spreadsheet with a row of a hundred million equal cells."""
    office = "urn:oasis:names:tc:opendocument:xmlns"
    return zipped(
        mimetype="application/vnd.oasis.opendocument.spreadsheet",
        content__xml=f'<o xmlns:t="{office}:table:1.0" xmlns:f="{office}:office:1.0">'
        '<t:table t:name="a"><t:table-row><t:table-cell t:number-columns-repeated="100000000" '
        'f:value-type="float" f:value="1"/></t:table-row></t:table></o>',
    )


def endless_arff():
    names = "".join(f"@attribute a{j} numeric\n" for j in range(4000))
    return f"@relation r\n{names}@data\n{'{}' + chr(10)}".encode() + b"{}\n" * 40_000


def endless_matrix(tmp_path):
    """AnnData with a matrix that is all fill value: nothing of it is stored."""
    path = tmp_path / "made.h5ad"
    with h5py.File(path, "w") as file:
        file.create_dataset("X", (10**6, 10**5), "f4", chunks=(1000, 1000))
        for name in ("obs", "var"):
            group = file.create_group(name)
            group.attrs["_index"] = "index"
            group["index"] = np.array([b"a"])
    return path.read_bytes()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (endless_sequence, CLAIM.format(what="a sequence of numbers", size="745.1")),
        (endless_sheet, CLAIM.format(what="the sheet", size="0.7")),
        (endless_arff, CLAIM.format(what="the table", size="1.2")),
        (endless_matrix, CLAIM.format(what="the matrix", size="745.1")),
    ],
    ids=["rds", "ods", "arff", "h5ad"],
)  # fmt: skip
def test_claims_out_of_proportion_are_refused(make, message, tmp_path):
    path = tmp_path / "bomb"
    path.write_bytes(make(tmp_path) if make is endless_matrix else make())
    size = path.stat().st_size
    assert size < 500_000
    tracemalloc.start()
    try:
        with pytest.raises(DataFileError) as caught:
            read_table(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert str(caught.value) == f"{path}: {message}"
    assert peak < 2**26


@pytest.mark.parametrize("encoding", [b"U\0F-8", b"UTF-9"])
def test_an_encoding_that_r_does_not_have(encoding, tmp_path):
    path = tmp_path / "t.rds"
    content = (TABLES / "frame_plain.rds").read_bytes()
    assert content.count(b"UTF-8") == 1
    path.write_bytes(content.replace(b"UTF-8", encoding))
    with pytest.raises(DataFileError) as caught:
        read_table(path)
    shown = encoding.decode("latin-1")
    assert str(caught.value) == f"{path}: it is a damaged R file: {shown!r} is no encoding."


@pytest.mark.parametrize(
    ("name", "module", "message"),
    [
        ("plain.xlsx", "openpyxl",
         "reading Excel workbooks needs openpyxl: pip install openpyxl (or use CSV)."),
        ("plain.parquet", "pyarrow.parquet",
         "reading Parquet needs pyarrow: pip install pyarrow (or use CSV)."),
        ("plain.feather", "pyarrow.parquet",
         "reading Feather needs pyarrow: pip install pyarrow (or use CSV)."),
        ("plain.h5ad", "h5py",
         "reading AnnData (.h5ad) needs h5py: pip install h5py (or save it as CSV, with "
         "adata.to_df().join(adata.obs).to_csv())."),
        ("plain.csv.zst", "zstd",
         "reading Zstandard needs backports.zstd before Python 3.14: pip install backports.zstd "
         "(or unpack it first, with zstd -d)."),
    ],
)  # fmt: skip
def test_a_missing_library_is_named(name, module, message, tmp_path, monkeypatch):
    content = {
        "plain.xlsx": zipped(xl_S_workbook__xml="<w/>"), "plain.parquet": b"PAR1",
        "plain.feather": b"ARROW1", "plain.h5ad": b"\x89HDF\r\n\x1a\n",
        "plain.csv.zst": b"\x28\xb5\x2f\xfd",
    }  # fmt: skip
    names = ["compression.zstd", "backports.zstd"] if module == "zstd" else [module]
    for one in names:
        monkeypatch.setitem(sys.modules, one, None)
    path = tmp_path / name
    path.write_bytes(content[name])
    with pytest.raises(DataFileError) as caught:
        read_table(path)
    assert str(caught.value) == f"{path}: {message}"
