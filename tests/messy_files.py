"""Tables as people have them: right, odd, damaged or not tables at all, with what is expected.

Each :class:`MessyFile` says how a user would want a file read: ``expected`` has the columns, or
``refused`` the whole message after the file's name. ``FILES`` is the list. Files that other
programs wrote are in tests/data/tables and have their own list in tests/files/test_tables.py.
"""

import bz2
import gzip
import io
import json
import lzma
import pickle
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

NAN = float("nan")


@dataclass(frozen=True)
class MessyFile:
    """A file, and what should come of it."""

    name: str
    content: bytes
    expected: dict[str, list[Any]] | None = None
    """Columns by name: floats, None or text. None if the file is refused."""
    index: list[Any] | None = None
    """The row names; None for 1, 2, ..."""
    refused: str | None = None
    """The message after "NAME: "."""
    notes: tuple[str, ...] = ()
    """The warnings, whole, after "NAME: "."""
    options: dict[str, Any] = field(default_factory=dict)
    """Arguments of ``pycdf.read_table``."""
    names: list[str] | None = None
    """The names of the columns if some occur twice; ``expected`` then has its own ones."""

    @property
    def label(self):
        """The id of the test."""
        return self.name + "".join(f" {name}={value}" for name, value in self.options.items())

    def write(self, folder):
        """Write the file; its path."""
        path = folder / self.name
        path.write_bytes(self.content)
        return path


def book(rows, **more):
    """The bytes of an Excel workbook; further sheets by name."""
    import openpyxl

    made = openpyxl.Workbook()
    made.active.title = "data"
    for row in rows:
        made.active.append(row)
    for title, others in more.items():
        sheet = made.create_sheet(title)
        for row in others:
            sheet.append(row)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def zipped(**members):
    """The bytes of a zip archive; __ in a name is a dot, and _S_ a slash."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", ".").replace("_S_", "/"), content)
    return file.getvalue()


def saved(write, *arguments, **options):
    """What a method of pandas writes to a file."""
    file = io.BytesIO()
    write(file, *arguments, **options)
    return file.getvalue()


def numpy_array():
    file = io.BytesIO()
    np.save(file, np.eye(2))
    return file.getvalue()


def database():
    """The first bytes of an SQLite database."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table t (a, b)")
        return connection.serialize()


def zstandard(data):
    try:
        from compression import zstd
    except ImportError:
        from backports import zstd
    return zstd.compress(data)


AB = {"a": [1.0, 2.5, -3.0], "b": [4.0, 5.0, 6.25], "y": ["u", "v", "u"]}
PLAIN = "a,b,y\n1,4,u\n2.5,5,v\n-3,6.25,u\n"
GERMAN = "a;b;y\n1;4;u\n2,5;5;v\n-3;6,25;u\n"
SIZE = {"Größe": [1.5, 2.0], "y": ["für", "u"]}
WORDS = "Größe,y\n1.5,für\n2,u\n"
FRAME = pd.DataFrame({name: pd.Series(cells, dtype=object if name == "y" else float)
                      for name, cells in AB.items()})  # fmt: skip
GENES = "gene,s1,s2,s3\na,1,2.5,-3\nb,4,5,6.25\ny,u,v,u\n"
DENSE = """% A comment
@RELATION 'my data'
@attribute a NUMERIC
@attribute 'the b' real
@ATTRIBUTE y {u, 'v w', "x"}
@attribute s string
@attribute d date "yyyy-MM-dd"

@DATA
1,4,u,'it''s',2020-01-31
"""
COMMA = (
    "numbers are read with a decimal comma, such as {example!r} in column {column!r}. Pass "
    "decimal='.' if that is wrong."
)
WESTERN = (
    "it is not in UTF-8 and was read as {encoding}, with words such as {word!r}. If they are "
    "wrong, pass another encoding."
)
RAGGED = (
    "line {line} has {cells} and the header {header}: is {sep!r} the right separator (sep), or "
    "is a text that contains it not quoted?"
)
NO_ROWS = "it has no rows below a header line."
EXPORT = "save it with to_csv()."

FILES = [
    # ---- separators ----
    MessyFile("plain.csv", PLAIN.encode(), AB),
    MessyFile("tabs.csv", PLAIN.replace(",", "\t").encode(), AB),
    MessyFile("tabs.tsv", PLAIN.replace(",", "\t").encode(), AB),
    MessyFile("commas.tsv", PLAIN.encode(), AB),
    MessyFile("semicolons.csv", PLAIN.replace(",", ";").encode(), AB),
    MessyFile("pipes.txt", PLAIN.replace(",", "|").encode(), AB),
    MessyFile("blanks.txt", b"a    b     y\n1    4     u\n2.5  5     v\n-3   6.25  u\n", AB),
    MessyFile(
        "write_table.txt",
        b'"a" "b" "y"\n"1" 1 4 "u"\n"2" 2.5 5 "v"\n"3" -3 6.25 "u"\n',
        AB,
        index=["1", "2", "3"],
    ),
    MessyFile(
        "escaped.txt",
        b'"a" "y"\n"1" 1 "say \\"hi\\""\n"2" 2 "back\\slash"\n',
        {"a": [1.0, 2.0], "y": ['say "hi"', "back\\slash"]},
        index=["1", "2"],
    ),
    MessyFile("carets.txt", PLAIN.replace(",", "^").encode(), AB, options={"sep": "^"}),
    MessyFile("told.csv", b"sep=;\r\n" + PLAIN.replace(",", ";").encode(), AB),
    MessyFile(
        "comma_in_names.csv",
        b"a;b, cm;y\n1;2;u\n3;4;v\n",
        {"a": [1.0, 3.0], "b, cm": [2.0, 4.0], "y": ["u", "v"]},
    ),
    MessyFile(
        "commas_in_names.csv",
        b"a;b, cm, mm, m;y\n1;2;u\n3;4;v\n",
        {"a": [1.0, 3.0], "b, cm, mm, m": [2.0, 4.0], "y": ["u", "v"]},
    ),
    MessyFile("trailing.csv", b"a,b,\n1,2,\n3,4,\n", {"a": [1.0, 3.0], "b": [2.0, 4.0]}),
    MessyFile("trailing_below.csv", b"a,b\n1,2,\n3,4,\n", {"a": [1.0, 3.0], "b": [2.0, 4.0]}),
    MessyFile(
        "wide.csv",
        ("|".join(f"x{j}" for j in range(7130)) + "\n" + "|".join(["1.5"] * 7130)).encode(),
        {f"x{j}": [1.5] for j in range(7130)},
    ),
    MessyFile(
        "wide_comma.csv",
        ("|".join(["x"] * 70000) + "\n" + "|".join(["1.5"] * 70000)).encode(),
        {"0": ["|".join(["1.5"] * 70000)]},
        options={"sep": ","},
        names=["|".join(["x"] * 70000)],
    ),
    # ---- lines ----
    MessyFile("windows.csv", PLAIN.replace("\n", "\r\n").encode(), AB),
    MessyFile("old_mac.csv", PLAIN.replace("\n", "\r").encode(), AB),
    MessyFile("no_newline.csv", PLAIN.rstrip().encode(), AB),
    MessyFile("blank_lines.csv", ("\n\n" + PLAIN.replace("\n", "\n\n")).encode(), AB),
    MessyFile(
        "quoted.csv",
        b'"a","b, c","y"\n"1","2","say ""hi"""\n3,4,"two\nlines"\n',
        {"a": [1.0, 3.0], "b, c": [2.0, 4.0], "y": ['say "hi"', "two\nlines"]},
    ),
    MessyFile(
        "huge_cell.csv", b'a,y\n1,"' + b"x" * 300_000 + b'"\n', {"a": [1.0], "y": ["x" * 300_000]}
    ),
    MessyFile(
        "open_quote.csv",
        b'a,y\n1,u\n2,"v\n3,u\n4,v\n',
        refused='the quote (") that begins in line 3 has no end.',
    ),
    MessyFile(
        "short.csv",
        b"a,b,y\n1,2,u\n\n3,4\n5,6,v\n",
        refused=RAGGED.format(line=4, cells="2 cells", header=3, sep=","),
    ),
    MessyFile(
        "long.csv",
        b"a,y\n1,u\n2,v,w\n3,u\n",
        refused=RAGGED.format(line=3, cells="3 cells", header=2, sep=","),
    ),
    MessyFile(
        "short_with_row_names.csv",
        b"a,y\nr1,1,u\nr2,2,v\nr3,3\nr4,4,u\n",
        refused=RAGGED.format(line=4, cells="2 cells", header=2, sep=","),
    ),
    MessyFile(
        "half_with_row_names.csv",
        b"a,y\n1,2,3\n4,5\n",
        refused=RAGGED.format(line=2, cells="3 cells", header=2, sep=","),
    ),
    MessyFile(
        "cut.csv",
        b"a,b,y\n1,2,u\n3,4,v\n5",
        refused="line 4 has 1 cell and the header 3, and it is the last line: is the file "
        "incomplete?",
    ),
    MessyFile(
        "no_header.csv",
        b"1,2\n3,4\n",
        {"1": [3.0], "2": [4.0]},
        notes=(
            "the names of all columns are numbers, such as '1': if the first line is a "
            "row of data, add a header line.",
        ),
    ),
    MessyFile(
        "duplicates.csv",
        b"a,a,y\n1,2,u\n3,4,v\n",
        {"0": [1.0, 3.0], "1": [2.0, 4.0], "2": ["u", "v"]},
        names=["a", "a", "y"],
    ),
    MessyFile(
        "missing.csv",
        b"a,b,y\n1,,u\nNA,2,NA\n,3,\n",
        {"a": [1.0, NAN, NAN], "b": [NAN, 2.0, 3.0], "y": ["u", None, ""]},
    ),
    MessyFile("header_only.csv", b"a,b,y\n", refused=NO_ROWS),
    MessyFile("empty.csv", b"", refused="it is empty."),
    MessyFile("blank.csv", b" \r\n\n  \n", refused="it is empty."),
    # ---- decimal marks ----
    MessyFile("german.csv", GERMAN.encode(), AB, notes=(COMMA.format(example="2,5", column="a"),)),
    MessyFile(
        "german_tabs.txt",
        GERMAN.replace(";", "\t").encode(),
        AB,
        notes=(COMMA.format(example="2,5", column="a"),),
    ),
    MessyFile("german_told.csv", GERMAN.encode(), AB, options={"decimal": ","}),
    MessyFile(
        "german_quoted.csv",
        b'"a","y"\n"1,5","u"\n"2","v"\n',
        {"a": [1.5, 2.0], "y": ["u", "v"]},
        notes=(COMMA.format(example="1,5", column="a"),),
    ),
    MessyFile(
        "write_csv2.csv",
        b'"";"a";"y"\n"r1";-Inf;"u"\n"r2";0,25;"v"\n"r3";NA;"u"\n',
        {"a": [-np.inf, 0.25, NAN], "y": ["u", "v", "u"]},
        index=["r1", "r2", "r3"],
        notes=(COMMA.format(example="0,25", column="a"),),
    ),
    MessyFile(
        "either.csv",
        b"a;y\n1,234;u\n2,500;v\n",
        refused="'1,234' in column 'a' is 1.234 with a decimal comma, or 1234 with a "
        "separator of thousands: pass decimal=',' for the former, or remove the separators.",
    ),
    MessyFile(
        "either.csv",
        b"a;y\n1,234;u\n2,500;v\n",
        {"a": [1.234, 2.5], "y": ["u", "v"]},
        options={"decimal": ","},
    ),
    MessyFile(
        "three_places.csv",
        b"a;y\n1,234;u\n0,125;v\n",
        {"a": [1.234, 0.125], "y": ["u", "v"]},
        notes=(COMMA.format(example="1,234", column="a"),),
    ),
    MessyFile(
        "one_of_three_places.csv",
        b"a;y\n1,234;u\n2,5;v\n",
        {"a": [1.234, 2.5], "y": ["u", "v"]},
        notes=(COMMA.format(example="1,234", column="a"),),
    ),
    MessyFile(
        "thousands.csv",
        b'a,y\n"1,234.5",u\n"12.5",v\n"1,234",v\n',
        refused="'1,234.5' in column 'a' has separators of thousands: remove them, or pass "
        "decimal='.' to have such columns read as text.",
    ),
    MessyFile(
        "german_thousands.csv",
        b"a;b;y\n1.234,5;2;u\n1.000.000,25;3;v\n",
        refused="'1.234,5' in column 'a' has separators of thousands: remove them, or pass "
        "decimal='.' to have such columns read as text.",
    ),
    MessyFile(
        "swiss_thousands.csv",
        b"a;y\n1'234;u\n2'000'000;v\n",
        refused="\"1'234\" in column 'a' has separators of thousands: remove them, or pass "
        "decimal='.' to have such columns read as text.",
    ),
    MessyFile(
        "both_marks.csv",
        b"a;b;y\n1,5;2.5;u\n2,5;3;v\n",
        {"a": ["1,5", "2,5"], "b": [2.5, 3.0], "y": ["u", "v"]},
        notes=(
            "column 'a' has numbers with a decimal comma ('1,5') and column 'b' with a "
            "point: the former is read as text. decimal=',' reads it as numbers, and the latter "
            "as text.",
        ),
    ),
    MessyFile(
        "labels_with_commas.tsv",
        b"a\ty\n1.5\t1,5\n2\t2,5\n",
        {"a": [1.5, 2.0], "y": ["1,5", "2,5"]},
        options={"text": "y"},
    ),
    MessyFile(
        "german_labels.csv",
        b"a;b;y\n1,5;1,5;1,5\n2;2,5;2,5\n2,5;low;3\n",
        {"a": [1.5, 2.0, 2.5], "b": ["1.5", "2.5", "low"], "y": ["1,5", "2,5", "3"]},
        options={"text": "y", "decimal": ","},
    ),
    MessyFile(
        "points_among_commas.csv",
        b"a;y\n1,5;u\n0.5;v\n",
        {"a": ["1,5", "0.5"], "y": ["u", "v"]},
        options={"decimal": ","},
    ),
    MessyFile("points.csv", b"a;b;y\n0.5;0.25x;u\n", {"a": [0.5], "b": ["0.25x"], "y": ["u"]}),
    MessyFile("hexadecimal_point.csv", b"a;y\n0.1F;1,2 u\n", {"a": ["0.1F"], "y": ["1,2 u"]}),
    # ---- encodings ----
    MessyFile("bom.csv", PLAIN.encode("utf-8-sig"), AB),
    MessyFile("utf8.csv", WORDS.encode(), SIZE),
    MessyFile("utf16_le.csv", b"\xff\xfe" + WORDS.encode("utf-16-le"), SIZE),
    MessyFile("utf16_be.csv", b"\xfe\xff" + WORDS.encode("utf-16-be"), SIZE),
    MessyFile("utf16_no_mark.csv", WORDS.encode("utf-16-le"), SIZE),
    MessyFile(
        "excel_unicode.txt", b"\xff\xfe" + WORDS.replace(",", "\t").encode("utf-16-le"), SIZE
    ),
    MessyFile(
        "latin1.csv",
        WORDS.encode("latin-1"),
        SIZE,
        notes=(WESTERN.format(encoding="Windows-1252", word="Größe"),),
    ),
    MessyFile(
        "windows_1252.csv",
        "x,y\n1,€ – ok\n".encode("cp1252"),
        {"x": [1.0], "y": ["€ – ok"]},
        notes=(WESTERN.format(encoding="Windows-1252", word="€"),),
    ),
    MessyFile("latin1_told.csv", WORDS.encode("latin-1"), SIZE, options={"encoding": "latin-1"}),
    MessyFile(
        "greek.csv",
        "x,y\n1,άλφα\n".encode("iso-8859-7"),
        {"x": [1.0], "y": ["άλφα"]},
        options={"encoding": "iso-8859-7"},
    ),
    MessyFile(
        "not_ascii.csv",
        WORDS.encode(),
        options={"encoding": "ascii"},
        refused="it is not in the encoding ascii (line 1): pass another encoding.",
    ),
    MessyFile(
        "nulls.csv",
        b"a,b\n1,2\n" * 200 + b"3,\0\n",
        refused="it contains null bytes, so it is not text.",
    ),
    # ---- compressed ----
    MessyFile("plain.csv.gz", gzip.compress(PLAIN.encode()), AB),
    MessyFile(
        "two_parts.csv.gz",
        gzip.compress(PLAIN[:9].encode()) + gzip.compress(PLAIN[9:].encode()),
        AB,
    ),
    MessyFile("plain.csv.bz2", bz2.compress(PLAIN.encode()), AB),
    MessyFile("plain.csv.xz", lzma.compress(PLAIN.encode()), AB),
    MessyFile("plain.csv.zst", zstandard(PLAIN.encode()), AB),
    MessyFile("packed.csv", gzip.compress(PLAIN.encode()), AB),
    MessyFile("plain.zip", zipped(plain__csv=PLAIN), AB),
    MessyFile(
        "two.zip",
        zipped(one__csv=PLAIN, two__csv=PLAIN),
        refused="the zip archive has 2 files, 'one.csv', 'two.csv': choose one, such as "
        "sheet='one.csv'.",
    ),
    MessyFile("two.zip", zipped(one__csv=PLAIN, two__csv=PLAIN), AB, options={"sheet": "two.csv"}),
    MessyFile(
        "cut.csv.gz",
        gzip.compress(PLAIN.encode())[:-12],
        refused="its gzip data end too early: the file is incomplete.",
    ),
    MessyFile(
        "bomb.csv.gz",
        gzip.compress(b"0" * 2**20) * 600,
        refused="it unpacks to more than 0.5 GB, out of all proportion to its size: it is "
        "damaged or made to fill the memory. If it is right, unpack it first.",
    ),
    # ---- spreadsheets ----
    MessyFile(
        "book.xlsx", book([["a", "b", "y"], [1, 4, "u"], [2.5, 5, "v"], [-3, 6.25, "u"]]), AB
    ),
    MessyFile(
        "named_csv.csv", book([["a", "y"], [1, "u"], [2, "v"]]), {"a": [1.0, 2.0], "y": ["u", "v"]}
    ),
    MessyFile(
        "text_numbers.xlsx",
        book([["a", "y"], ["1.5", "u"], [" 2 ", "v"], ["NA", "u"]]),
        {"a": [1.5, 2.0, NAN], "y": ["u", "v", "u"]},
    ),
    MessyFile(
        "text_points.xlsx",
        book([["a", "y"], ["1,5", "u"], ["0.5", "v"]]),
        {"a": ["1,5", "0.5"], "y": ["u", "v"]},
    ),
    MessyFile(
        "text_commas.xlsx",
        book([["a", "y"], ["1,5", "u"], [2, "v"]]),
        {"a": [1.5, 2.0], "y": ["u", "v"]},
        notes=(
            "column 'a' has numbers as text with a decimal comma. Pass decimal='.' if "
            "that is wrong.",
        ),
    ),
    MessyFile(
        "sheets.xlsx",
        book([["a"], [1]], more=[["b"], [2]]),
        {"a": [1.0]},
        notes=(
            "its first sheet, 'data', was read. It also has 'more': pass sheet='more' for "
            "the second.",
        ),
    ),
    MessyFile(
        "sheets.xlsx",
        book([["a"], [1]], more=[["b"], [2]]),
        {"b": [2.0]},
        options={"sheet": "more"},
    ),
    MessyFile(
        "sheets.xlsx", book([["a"], [1]], more=[["b"], [2]]), {"b": [2.0]}, options={"sheet": 2}
    ),
    MessyFile(
        "sheets.xlsx",
        book([["a"], [1]], more=[["b"], [2]]),
        options={"sheet": "data2"},
        refused="it has no sheet 'data2'; it has 'data', 'more'.",
    ),
    MessyFile(
        "blanks_around.xlsx",
        book([[], [None, "a", "y"], [None, 1, "u"], [None, 2, "v"], [None, None, " "]]),
        {"a": [1.0, 2.0], "y": ["u", "v"]},
    ),
    MessyFile(
        "title.xlsx",
        book([["Results of 2024"], ["a", "b", "y"], [1, 2, "u"]]),
        refused="its first line has only one cell, 'Results of 2024': delete the lines above "
        "the names of the columns.",
    ),
    MessyFile(
        "labels.xlsx",
        book([["a", "y"], [1, 1], [2, 2.5], [3, True]]),
        {"a": [1.0, 2.0, 3.0], "y": ["1", "2.5", "TRUE"]},
        options={"text": ["y"]},
    ),
    MessyFile(
        "errors.xlsx",
        book([["a", "y"], [1, "u"], ["#N/A", "v"]]),
        {"a": [1.0, NAN], "y": ["u", "v"]},
        notes=("1 cell with an error of the spreadsheet ('#N/A') is a missing value.",),
    ),
    MessyFile(
        "formula.xlsx",
        book([["a", "b"], [1, "=A2*2"]]),
        refused="row 2 has a formula without a value (=A2*2): open the workbook in a "
        "spreadsheet program, which computes it, and save it.",
    ),
    MessyFile("empty.xlsx", book([]), refused=NO_ROWS),
    MessyFile(
        "old.xls",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        refused="it is an old Excel workbook (.xls) or Office document: open it and save it "
        "as .xlsx.",
    ),
    # ---- binary tables ----
    MessyFile("plain.parquet", saved(FRAME.to_parquet), AB),
    MessyFile("plain.feather", saved(FRAME.to_feather), AB),
    MessyFile(
        "cut.parquet",
        saved(FRAME.to_parquet)[:60],
        refused="it is damaged Parquet: Parquet magic bytes not found in footer. Either the "
        "file is corrupted or this is not a parquet file.",
    ),
    MessyFile("empty.parquet", saved(FRAME[:0].to_parquet), refused="the table has no rows."),
    # ---- ARFF ----
    MessyFile(
        "dense.arff",
        DENSE.replace("''", "\\'").encode(),
        {"a": [1.0], "the b": [4.0], "y": ["u"], "s": ["it's"], "d": ["2020-01-31"]},
    ),
    MessyFile(
        "missing.arff",
        b"@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n?,u\n 2 , v\n3,?\n",
        {"a": [NAN, 2.0, 3.0], "y": ["u", "v", None]},
    ),
    MessyFile(
        "sparse.arff",
        b"@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute y {u,v}\n"
        b"@data\n{0 1.5, 2 v}\n% none\n{}\n{1 ?,2 u}\n",
        {"a": [1.5, 0.0, 0.0], "b": [0.0, 0.0, NAN], "y": ["v", "u", "u"]},
    ),
    MessyFile(
        "wrong.arff",
        b"@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n1,u\n2,w\n",
        refused="'w' is no category of the attribute 'y', which has 'u', 'v'.",
    ),
    MessyFile(
        "wrong_throughout.arff",
        b"@relation r\n@attribute a numeric\n@attribute b numeric\n@data\nlow,1\nlow,2\n",
        refused="the numeric attribute 'a' has the value 'low'.",
    ),
    MessyFile(
        "short.arff",
        b"@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n1,u\n2\n",
        refused="line 6 has 1 cell, and there are 2 attributes.",
    ),
    MessyFile(
        "no_data.arff", b"@relation r\n@attribute a numeric\n", refused="it has no @data line."
    ),
    # ---- genes in rows ----
    MessyFile(
        "genes.csv", GENES.encode(), AB, index=["s1", "s2", "s3"], options={"transpose": True}
    ),
    MessyFile(
        "genes.tsv",
        GENES.replace(",", "\t").replace("gene", "").encode(),
        AB,
        index=["s1", "s2", "s3"],
        options={"transpose": True},
    ),
    MessyFile(
        "genes_short_header.txt",
        b"s1 s2 s3\na 1 2.5 -3\nb 4 5 6.25\ny u v u\n",
        AB,
        index=["s1", "s2", "s3"],
        options={"transpose": True},
    ),
    MessyFile(
        "genes.xlsx",
        book([line.split(",") for line in GENES.splitlines()]),
        AB,
        index=["s1", "s2", "s3"],
        options={"transpose": True},
    ),
    MessyFile(
        "genes.parquet",
        saved(pd.read_csv(io.StringIO(GENES)).to_parquet),
        AB,
        index=["s1", "s2", "s3"],
        options={"transpose": True},
    ),
    # ---- not tables ----
    MessyFile(
        "page.csv",
        b"\n<!DOCTYPE html>\n<html><body>Log in</body></html>",
        refused="it is a web page (HTML), whatever its name: download the table itself, or "
        "open it in a spreadsheet and save it as CSV.",
    ),
    MessyFile(
        "table.xls",
        b"<table><tr><td>a</td></tr></table>",
        refused="it is a web page (HTML), whatever its name: download the table itself, or "
        "open it in a spreadsheet and save it as CSV.",
    ),
    MessyFile(
        "data.xml",
        b'<?xml version="1.0"?>\n<rows><row a="1"/></rows>',
        refused="it is an XML file: save it as CSV or .xlsx.",
    ),
    MessyFile(
        "data.json",
        json.dumps([{"a": 1}, {"a": 2}]).encode(),
        refused=f"it is JSON: in Python, pandas.read_json() may read it; {EXPORT}",
    ),
    MessyFile(
        "paper.pdf",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
        refused="it is a PDF document: copy its table into a spreadsheet and save that.",
    ),
    MessyFile(
        "report.docx",
        zipped(word_S_document__xml="<w/>"),
        refused="it is a Word document: copy its table into a spreadsheet and save that.",
    ),
    MessyFile(
        "study.sav",
        b"$FL2@(#) SPSS DATA FILE" + bytes(100),
        refused="it is an SPSS file: in R, haven::read_sav() reads it; save it with write.csv().",
    ),
    MessyFile(
        "study.dta",
        saved(FRAME[["a", "b"]].to_stata, write_index=False),
        refused=f"it is a Stata file: in Python, pandas.read_stata() reads it; {EXPORT}",
    ),
    MessyFile(
        "study.sas7bdat",
        bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(99),
        refused=f"it is a SAS file: in Python, pandas.read_sas() reads it; {EXPORT}",
    ),
    MessyFile(
        "frame.pkl",
        pickle.dumps(FRAME),
        refused="it is a Python pickle, which is not opened because it can run any code: save "
        "the table with to_csv() or to_parquet().",
    ),
    MessyFile(
        "array.npy",
        numpy_array(),
        refused="it is a NumPy array: save it with a header, by pandas.DataFrame(...).to_csv().",
    ),
    MessyFile(
        "photo.png",
        b"\x89PNG\r\n\x1a\n" + bytes(50),
        refused="it is a picture (PNG): save it as CSV or .xlsx.",
    ),
    MessyFile("base.sqlite", database(), refused="it is an SQLite database: export the table."),
    MessyFile("archive.zip", zipped(), refused="the zip archive has no files."),
    MessyFile(
        "noise.bin",
        bytes(range(256)) * 8,
        refused="it is neither text nor in another format that pycdf reads: save it as CSV or "
        ".xlsx.",
    ),
]
