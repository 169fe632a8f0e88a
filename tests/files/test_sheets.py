"""Spreadsheets, compressed files and transposed tables, at the limits of what is accepted."""

import bz2
import datetime
import gzip
import io
import lzma
import math
import zipfile
import zlib

import numpy as np
import openpyxl
import pandas as pd
import pytest
from messy_files import book, zipped
from openpyxl.chart import BarChart, Reference

from pycdf import DataFileError, read_table
from pycdf.files.tables import compressed, limits
from pycdf.files.tables.columns import cell_text, column_values, table_of_rows
from pycdf.files.tables.excel import choose_sheet
from pycdf.files.tables.formulas import escape_formulas
from pycdf.files.tables.opendocument import read_opendocument
from pycdf.files.tables.options import ReadOptions
from pycdf.files.tables.request import Request
from pycdf.files.tables.transposed import transpose_frame, transpose_hint
from pycdf.files.tables.writing import write_data


def request(as_text=(), **options):
    return Request("t.ods", as_text, ReadOptions(**options))


# ---- cells ---------------------------------------------------------------------------------------


def test_blank_rows_and_columns_around_a_table():
    rows = [[], ["", None], ["a", None, " ", "y"], [1, None, None, "u"], [2], [None, " "]]
    found = table_of_rows(rows, request())
    assert found.columns.tolist() == ["a", "y"]
    assert found["a"].tolist() == [1.0, 2.0]
    assert found["y"].tolist() == ["u", None]


def test_a_column_without_a_name_is_no_title():
    found = table_of_rows([["a", "", "c"], [1, 2, 3]], request())
    assert found.columns.tolist() == ["a", "", "c"]
    two = table_of_rows([["title", ""], ["x", 1]], request())
    assert two.columns.tolist() == ["title", ""]
    with pytest.raises(DataFileError, match="its first line has only one cell, 'title': delete"):
        table_of_rows([["title"], ["a", "b", "c"], [1, 2, 3]], request())
    for rows in ([], [["a", "b"]], [["", None]]):
        with pytest.raises(DataFileError, match="it has no rows below a header line"):
            table_of_rows(rows, request())


def test_row_names_of_sheets():
    found = table_of_rows([["", "a"], ["p", 1], [None, 2]], request())
    assert found.index.tolist() == ["p", ""]
    alone = table_of_rows([[" ", "x"], [1, 2]], request())
    assert alone.columns.tolist() == ["x"]
    turned = table_of_rows(
        [["gene", "s1", "s2"], ["a", 1, 2], ["b", 3, 4]], request(transpose=True)
    )
    assert turned.index.tolist() == ["s1", "s2"]
    assert turned["b"].tolist() == [3.0, 4.0]


def test_errors_of_a_spreadsheet_are_missing():
    asked = request()
    found = table_of_rows([["a", "y"], ["#N/A", "u"], [1, "#REF!"], ["#N/A", "v"]], asked)
    assert found["a"].isna().tolist() == [True, False, True]
    assert found["y"].tolist() == ["u", None, "v"]
    assert asked.notes == [
        "3 cells with an error of the spreadsheet ('#N/A', '#REF!') are missing values."
    ]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([1, 2.5, None, " 3 ", "NA", "", "NaN"], [1, 2.5, math.nan, 3, *[math.nan] * 3]),
        ([True, np.bool_(False), np.int8(3), np.float32(0.5)], [1, 0, 3, 0.5]),
        ([10**400, -(10**400)], [math.inf, -math.inf]),
    ],
)
def test_cells_that_are_numbers(cells, expected):
    assert np.array_equal(column_values(cells, "a", request()), expected, equal_nan=True)


def test_cells_that_are_text():
    day = datetime.datetime(2020, 1, 31)
    cells = [day, day.replace(hour=5), day.date(), True, np.bool_(False), 7, np.int64(8), 2.0, 1e5,
             math.nan, np.float32(0.5), "x"]  # fmt: skip
    assert [cell_text(cell) for cell in cells] == [
        "2020-01-31", "2020-01-31 05:00:00", "2020-01-31", "TRUE", "FALSE", "7", "8", "2", "1e+05",
        "NaN", "0.5", "x",
    ]  # fmt: skip
    assert column_values([day, None, "NA"], "a", request()).tolist() == ["2020-01-31", None, None]
    assert column_values([1, 2], "a", request(["a"])).tolist() == ["1", "2"]


def test_decimal_commas_in_cells():
    for options, expected in (
        ({}, [1.5, 2.0]), ({"decimal": ","}, [1.5, 2.0]), ({"decimal": "."}, ["1,5", "2"]),
    ):  # fmt: skip
        asked = request(**options)
        assert column_values(["1,5", "2"], "a", asked).tolist() == expected
        assert len(asked.notes) == (not options)


def test_sheets_by_name_and_number():
    names = ["one", "two", "1"]
    for wanted, found in (("two", "two"), ("1", "1"), ("2", "two"), ("3", "1")):
        assert choose_sheet(names, request(sheet=wanted)) == found
    for wanted in ("0", "4", "-1", "x"):
        with pytest.raises(DataFileError, match="it has no sheet"):
            choose_sheet(names, request(sheet=wanted))
    with pytest.raises(DataFileError, match="the workbook has no sheets"):
        choose_sheet([], request())
    asked = request()
    assert choose_sheet(["only"], asked) == "only"
    assert asked.notes == []


def test_formulas_without_values_are_named_with_their_row(tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(book([["a", "b"], [1, 2], [3, f"=A2+{'1' * 60}"]]))
    with pytest.raises(DataFileError, match=r"row 3 has a formula without a value \(=A2\+1{36}\)"):
        read_table(path)


def test_a_chart_is_no_table(tmp_path):
    made = openpyxl.Workbook()
    made.active.append(["a"])
    made.active.append([1])
    chart = BarChart()
    chart.add_data(Reference(made.active, min_col=1, min_row=1, max_row=2))
    made.create_chartsheet("picture").add_chart(chart)
    made.save(tmp_path / "t.xlsx")
    assert read_table(tmp_path / "t.xlsx", sheet=1)["a"].tolist() == [1.0]
    with pytest.raises(DataFileError, match=r"t\.xlsx: the sheet is a chart, without cells\.$"):
        read_table(tmp_path / "t.xlsx", sheet="picture")


# ---- OpenDocument --------------------------------------------------------------------------------

NAMES = "urn:oasis:names:tc:opendocument:xmlns"


def cell(value, repeat=None):
    times = "" if repeat is None else f' t:number-columns-repeated="{repeat}"'
    if value is None:
        return f"<t:table-cell{times}/>"
    if isinstance(value, str):
        return f"<t:table-cell{times}>{value}</t:table-cell>"
    return f'<t:table-cell{times} f:value-type="float" f:value="{value}"/>'


def row(*cells, repeat=None):
    times = "" if repeat is None else f' t:number-rows-repeated="{repeat}"'
    return f"<t:table-row{times}>{''.join(cells)}</t:table-row>"


def sheet(*rows, size=None):
    """The content.xml of a sheet, filled up to a size."""
    spaces = " ".join(f'xmlns:{short}="{NAMES}:{long}:1.0"' for short, long in
                      (("t", "table"), ("f", "office"), ("x", "text")))  # fmt: skip
    text = f'<o {spaces}><t:table t:name="a">{"".join(rows)}</t:table></o>'
    return (text + " " * (0 if size is None else size - len(text))).encode()


def paragraph(text):
    return cell(f"<x:p>{text}</x:p>")


def test_values_of_opendocument_cells():
    first = row(*(paragraph(name) for name in "abcde"))
    second = row(
        cell(1.5), '<t:table-cell f:value-type="boolean" f:boolean-value="true"/>',
        '<t:table-cell f:value-type="date" f:date-value="2020-01-31"/>',
        paragraph('p<x:s/>q<x:s x:c="3"/>r<x:tab/><x:span>s</x:span>t<x:s x:c="12345"/>u'),
        cell("<x:p>two</x:p><x:p>lines</x:p>"),
    )  # fmt: skip
    found = read_opendocument(sheet(first, second), request()).iloc[0].tolist()
    assert found == [1.5, 1.0, "2020-01-31", "p q   r\tst u", "two\nlines"]


def test_numbers_of_opendocument_as_text():
    rows = (
        row(paragraph("a"), repeat=1),
        row(cell(2.0)),
        row(cell(2.5)),
        row(cell("")),
        row(cell(1)),
    )
    found = read_opendocument(sheet(*rows), request(["a"]))
    assert found["a"].tolist() == ["2", "2.5", None, "1"]
    wrong = '<t:table-cell f:value-type="float" f:value="x"/>'
    found = read_opendocument(sheet(row(paragraph("a")), row(cell(1)), row(wrong)), request())
    assert found["a"].isna().tolist() == [False, True]


def test_repeated_rows_and_columns():
    found = read_opendocument(
        sheet(
            row(paragraph("a"), cell(None, 1), paragraph("b"), cell(None, 5000)),
            row(cell(None, 3), repeat=2),
            row(cell(7, 3), repeat=2),
            row(cell(None), repeat=10**8),
        ),
        request(),
    )
    assert found.columns.tolist() == ["a", "", "b"]
    assert np.array_equal(found["a"], [np.nan, np.nan, 7, 7], equal_nan=True)
    assert found[""].tolist()[2:] == [7, 7]


@pytest.mark.parametrize("text", ["x", "-1", "1234567890", "1.5"])
def test_repeats_that_are_no_numbers(text):
    with pytest.raises(DataFileError, match="number-columns-repeated is '"):
        read_opendocument(sheet(row(cell(1, text))), request())
    with pytest.raises(DataFileError, match="number-rows-repeated is '"):
        read_opendocument(sheet(row(cell(1), repeat=text)), request())


def test_a_sheet_may_be_as_large_as_the_limit(monkeypatch):
    """Each of 12 rows of ten cells takes eight bytes a cell, blank rows between them as well."""
    monkeypatch.setattr(limits, "_ALWAYS_ALLOWED", 0)
    monkeypatch.setattr(limits, "_RATIO", 1)
    head, rows = row(paragraph("a"), paragraph("b")), row(cell(5, 10), repeat=7)
    blank = row(cell(None), repeat=5)
    content = sheet(head, blank, rows, size=16 + 12 * 10 * 8)
    assert read_opendocument(content, request()).shape == (12, 10)
    for more in (
        sheet(head, blank, row(cell(5, 10), repeat=8), size=16 + 12 * 10 * 8),
        sheet(head, row(cell(None), repeat=6), rows, size=16 + 12 * 10 * 8),
        sheet(head, blank, row(cell(5, 11), repeat=7), size=16 + 12 * 10 * 8),
        sheet(head, row(cell(1), cell(None, 100), cell(1)), size=800),
    ):
        with pytest.raises(DataFileError, match="the sheet would take"):
            read_opendocument(more, request())


def test_documents_that_are_damaged():
    for content, message in (
        (b"<!DOCTYPE a><o/>", "it declares XML entities"),
        (b"<o>", "it is a damaged OpenDocument spreadsheet: "),
        (b"<o/>", "the workbook has no sheets"),
    ):
        with pytest.raises(DataFileError, match=message):
            read_opendocument(content, request())


# ---- compressed ----------------------------------------------------------------------------------

PLAIN = b"a,y\n1,u\n2,v\n"


def with_dictionary(step):
    """An xz file that asks for a dictionary of a size: 31 is 192 MB, 32 is 256 MB."""
    data = bytearray(lzma.compress(PLAIN))
    assert data[14:16] == b"\x21\x01"
    data[16] = step
    data[20:24] = zlib.crc32(data[12:20]).to_bytes(4, "little")
    return bytes(data)


def test_memory_that_xz_may_use():
    assert compressed.unpacked(with_dictionary(31)) == PLAIN
    with pytest.raises(DataFileError, match="it is damaged xz data: Memory usage limit exceeded"):
        compressed.unpacked(with_dictionary(32))


def test_layers_of_compression():
    packed = PLAIN
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        packed = pack(packed)
    assert compressed.unpacked(packed) == PLAIN
    once_more = compressed.unpacked(gzip.compress(packed))
    assert gzip.decompress(once_more) == PLAIN  # three layers are unpacked, and no more


def test_what_is_behind_compressed_data():
    packed = gzip.compress(PLAIN)
    assert compressed.unpacked(packed + bytes(512)) == PLAIN
    assert compressed.unpacked(packed + packed) == PLAIN * 2
    with pytest.raises(DataFileError, match="there is something else behind the gzip data"):
        compressed.unpacked(packed + b"more")
    with pytest.raises(DataFileError, match="it is damaged gzip data: "):
        compressed.unpacked(packed[:2] + b"x" + packed[3:])


def test_as_much_as_the_limit_is_unpacked(monkeypatch):
    monkeypatch.setattr(limits, "_ALWAYS_ALLOWED", 1000)
    monkeypatch.setattr(limits, "_RATIO", 1)
    half = gzip.compress(bytes(500))
    assert len(compressed.unpacked(half + half)) == 1000
    for data in (gzip.compress(bytes(1001)), half + half + gzip.compress(b"a")):
        with pytest.raises(DataFileError, match=r"it unpacks to more than 0\.0 GB"):
            compressed.unpacked(data)
    assert len(compressed.open_zip(zipped(a=bytes(1000))).read("a")) == 1000
    with pytest.raises(DataFileError, match="its content would take"):
        compressed.open_zip(zipped(a=bytes(1001)))


def test_what_a_file_may_claim():
    """Half a gigabyte, or 200 times its size."""
    limits.check_size(2**29, 1000, "it")
    limits.check_size(200 * 2**22, 2**22, "it")
    for needed, size in ((2**29 + 1, 1000), (200 * 2**22 + 1, 2**22)):
        with pytest.raises(DataFileError, match=r"^it would take 0"):
            limits.check_size(needed, size, "it")
    with pytest.raises(DataFileError, match=r"it would take 1,024\.0 GB, more than 200 times"):
        limits.check_size(2**40, 1000, "it")


def test_files_in_a_zip_archive():
    members = {"_MACOSX/t.csv": "", "a/.hidden": "", "a/t.csv": "1", "b/": ""}
    archive = zipfile.ZipFile(io.BytesIO(zipped(**members)))
    assert compressed.only_member(archive, None) == "a/t.csv"
    with pytest.raises(DataFileError, match=r"the zip archive has no file 'u'; it has 'a/t\.csv'"):
        compressed.only_member(archive, "u")
    with pytest.raises(DataFileError, match="the zip archive has no files"):
        compressed.only_member(zipfile.ZipFile(io.BytesIO(zipped())), None)


def test_members_that_cannot_be_read():
    data = zipped(t__csv="a,b\n1,2\n")
    table = data.index(b"PK\x01\x02")
    locked = data[:6] + b"\1" + data[7 : table + 8] + b"\1" + data[table + 9 :]
    with pytest.raises(DataFileError, match=r"^t\.csv in it cannot be unpacked: .*encrypted"):
        compressed.read_member(compressed.open_zip(locked), "t.csv")
    wrong = data[: table + 16] + b"\0\0\0\0" + data[table + 20 :]
    with pytest.raises(DataFileError, match=r"^it is a damaged zip archive: Bad CRC-32"):
        compressed.read_member(compressed.open_zip(wrong), "t.csv")
    with pytest.raises(DataFileError, match=r"^it is a damaged zip archive: "):
        compressed.open_zip(data[:-30])


@pytest.mark.parametrize(
    ("member", "start"),
    [
        ("header.json", "it is a model file of pycdf, not a table."),
        ("word/document.xml", "it is a Word document: "),
        ("ppt/presentation.xml", "it is a PowerPoint presentation: "),
        ("xl/workbook.bin", "it is a binary Excel workbook (.xlsb): "),
        ("x.npy", "it is an archive of NumPy arrays: "),
    ],
)
def test_archives_of_other_programs(tmp_path, member, start):
    path = tmp_path / "t.zip"
    path.write_bytes(zipped(**{member: "x", "more.txt": "a,b\n1,2\n"}))
    with pytest.raises(DataFileError) as caught:
        read_table(path)
    assert str(caught.value).startswith(f"{path}: {start}")


# ---- transposed ----------------------------------------------------------------------------------

GENES = pd.DataFrame({"gene": ["a", "b", "c"], "s1": [1, 2, 3], "s2": [4.0, np.nan, 6.0]})


def test_typed_tables_are_transposed():
    for frame in (GENES, GENES.set_index("gene")):
        found = transpose_frame(frame, request(transpose=True))
        assert found.index.tolist() == ["s1", "s2"]
        assert found.columns.tolist() == ["a", "b", "c"]
        assert np.array_equal(found, [[1, 2, 3], [4, np.nan, 6]], equal_nan=True)
    mixed = transpose_frame(GENES.assign(s3=["x", None, "7"]), request(transpose=True))
    assert mixed["a"].tolist() == ["1", "4", "x"]
    assert np.array_equal(mixed["c"], [3, 6, 7])
    assert mixed.index.tolist() == ["s1", "s2", "s3"]
    with pytest.raises(DataFileError, match="it has no columns besides the names of the features"):
        transpose_frame(GENES[["gene"]], request(transpose=True))


def test_hints_that_features_are_in_rows():
    assert transpose_hint(GENES, ["a", "b"]).startswith("'a', 'b' are in the first column. If the")
    assert transpose_hint(GENES, ["a", "b", "z"]).startswith("'a', 'b' are in the first column.")
    assert transpose_hint(GENES, ["a", "z"]) is None  # half of them are not most
    named = GENES.set_index("gene")
    assert transpose_hint(named, ["a"]).startswith("'a' is in the row names. If the features are")
    assert transpose_hint(GENES, ["s1"]) is None
    assert transpose_hint(GENES[[]], ["a"]) is None


def test_hints_by_the_shape_of_a_table():
    hint = "the first column has 3 different texts and all else is numbers. If the features"
    assert transpose_hint(GENES, ["y"]).startswith(hint)
    assert transpose_hint(GENES.set_index("gene"), ["y"]).startswith(
        "the row names are 3 different"
    )
    for other in (
        GENES.assign(gene=["a", "b", "b"]),
        GENES.assign(s2="x"),
        GENES[:2],
        GENES[["gene", "s1"]],
        GENES.assign(s3=1),
    ):
        assert transpose_hint(other, ["y"]) is None


# ---- written -------------------------------------------------------------------------------------


def test_tables_are_written_by_their_ending(tmp_path, capsys):
    frame = pd.DataFrame({"a": [1.5, None], "y": ["u", "v"]}, index=["p", "q"])
    for name, start in (
        ("t.csv", b"a,y\n1.5,u\n,v\n"), ("t.tsv", b"a\ty\n"), ("t.TAB", b"a\ty\n"), ("t", b"a,y\n"),
        ("t.csv.gz", b"\x1f\x8b\x08\0\0\0\0\0"), ("t.parquet", b"PAR1"), ("t.pq", b"PAR1"),
        ("t.xlsx", b"PK"),
    ):  # fmt: skip
        write_data(frame, str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(start), name
        again = read_table(tmp_path / name)
        assert again["y"].tolist() == ["u", "v"]
        assert again.index.tolist() == [1, 2]
        assert again["a"].isna().tolist() == [False, True]
    write_data(frame, "-")
    assert capsys.readouterr().out == "a,y\n1.5,u\n,v\n"


def test_formulas_in_text_are_escaped():
    frame = pd.DataFrame({"=a": ["=1+1", "-1.5", " @x", "a=b"], "n": [-1.0, 2.0, 3.0, 4.0]})
    found = escape_formulas(frame)
    assert found.columns.tolist() == ["'=a", "n"]
    assert found["'=a"].tolist() == ["'=1+1", "-1.5", "' @x", "a=b"]
    assert found["n"].tolist() == [-1.0, 2.0, 3.0, 4.0]


def test_a_workbook_that_says_a_wrong_size_is_read_whole(tmp_path):
    """Some programs write a size of one cell, whatever the sheet has."""
    written = io.BytesIO()
    workbook = openpyxl.Workbook()
    for row in (["a", "b", "c"], [1, 2, 3], [4, 5, 6]):
        workbook.active.append(row)
    workbook.save(written)
    path = tmp_path / "small.xlsx"
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            changed = content.replace(b'<dimension ref="A1:C3"', b'<dimension ref="A1"')
            assert (changed != content) == name.endswith("sheet1.xml")
            new.writestr(name, changed)
    assert read_table(path).to_numpy().tolist() == [[1, 2, 3], [4, 5, 6]]
