"""Delimited text and ARFF at the limits of what is recognised, and lines as errors number them."""

import warnings

import numpy as np
import pandas as pd
import pytest

from pycdf import DataFileError, GuessedFormatWarning, read_table
from pycdf.files.tables import grid, layout
from pycdf.files.tables.contents import foreign_kind
from pycdf.files.tables.encodings import is_binary
from pycdf.files.tables.options import ReadOptions
from pycdf.kernels.split_cells import split_cells


def read(tmp_path, content, name="t.csv", **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_table(path, **options)


def refusal(tmp_path, content, name="t.csv", **options):
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, content, name, **options)
    return str(caught.value).removeprefix(f"{tmp_path / name}: ")


# ---- encodings -----------------------------------------------------------------------------------


def letters(latin, greek, macron):
    """A table with a text of so many Latin letters, of those that are not, and of U+0100."""
    return "x,y\n1," + "a" * latin + "λ" * greek + "\u0100" * macron + "\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_recognised_by_its_zeros(tmp_path, encoding):
    """At least two letters of five are Latin, and at most one of ten begins a row of Unicode."""
    for known in (letters(50, 50, 0), letters(920, 0, 80)):
        found = read(tmp_path, known.encode(encoding))
        assert found["y"].tolist() == [known.split(",")[-1].strip()]
    for unknown in (letters(30, 70, 0), letters(880, 0, 140)):
        assert "text" in refusal(tmp_path, unknown.encode(encoding))
    two_letters = "a\n".encode(encoding)
    assert refusal(tmp_path, two_letters) == "it has no rows below a header line."


def test_lines_of_bytes_that_do_not_fit_the_encoding(tmp_path):
    data = b"x,y\n1,u\n2,\xff\n"
    assert refusal(tmp_path, data, encoding="utf-8") == (
        "it is not in the encoding utf-8 (line 3): pass another encoding."
    )
    assert refusal(tmp_path, b"x,y\n" + b"1,u\n" * 99 + b"2,\0\n", encoding="latin-1") == (
        "it contains null bytes, so it is not text."
    )


def test_one_control_character_in_a_hundred_is_still_text():
    assert not is_binary(b"\x01" * 2 + b"a" * 198)
    assert is_binary(b"\x01" * 3 + b"a" * 197)
    assert not is_binary(b"\t\r\n\f\x1b" * 40)
    assert not is_binary(b"a" * 4096 + b"\x01" * 4096)  # only the start decides


# ---- what is no table ----------------------------------------------------------------------------


def test_formats_that_are_recognised_behind_their_first_bytes():
    sas = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c")
    for start in (12, 16):
        assert foreign_kind(bytes(start) + sas + bytes(20)).startswith("it is a SAS file: ")
    assert foreign_kind(bytes(12) + sas[:8] + bytes(20)) is None
    assert foreign_kind(b"a" * 257 + b"ustar" + bytes(20)).startswith("it is a tar archive: ")
    assert foreign_kind(b"a" * 256 + b"ustar" + bytes(20)) is None


def test_markup_and_json():
    assert foreign_kind(b"<?xml version='1.0'?><data/>").startswith("it is an XML file: ")
    assert foreign_kind(b"<?xml?>\n<html>").startswith("it is a web page (HTML)")
    assert foreign_kind(b"\xef\xbb\xbf \n<TABLE>").startswith("it is a web page (HTML)")
    assert foreign_kind(b'{ "a": 1}').startswith("it is JSON: ")
    assert foreign_kind(b"[ [1, 2]]").startswith("it is JSON: ")
    assert foreign_kind(b'{"a"\n@data') is None
    assert foreign_kind(b"a,b\n<table>,1\n") is None


# ---- separators ----------------------------------------------------------------------------------


def test_lines_are_counted_below_a_line_that_names_the_separator(tmp_path):
    assert refusal(tmp_path, 'sep=;\na;b\n1;2\n"3;4\n') == (
        'the quote (") that begins in line 4 has no end.'
    )
    assert refusal(tmp_path, "sep=;\na;b\n1;2\n3\n4;5\n").startswith("line 4 has 1 cell and the")
    assert refusal(tmp_path, "a;b\n1;2\n3\n4;5\n").startswith("line 3 has 1 cell and the header 2:")


def test_only_a_short_last_line_is_a_sign_of_an_incomplete_file(tmp_path):
    cut = "and it is the last line: is the file incomplete?"
    assert refusal(tmp_path, "a,b\n1,2\n3\n").endswith(cut)
    for whole in ("a,b\n1,2\n3,4,5\n", "a,b\n1,2\n3\n4,5\n", "a,b,c\n1\n"):
        assert "is ',' the right separator (sep)" in refusal(tmp_path, whole)


def test_separators_that_fit_the_lines(tmp_path):
    assert read(tmp_path, "a b\n1 2\n3 4\n").columns.tolist() == ["a", "b"]
    assert read(tmp_path, "a b\nr1 1 2\nr2 3 4\n").index.tolist() == ["r1", "r2"]
    assert read(tmp_path, "a\n1\n3\n").columns.tolist() == ["a"]
    assert read(tmp_path, "a b\n1\n3\n").columns.tolist() == ["a b"]
    assert read(tmp_path, "a,b;c\n1;2\n3;4\n").columns.tolist() == ["a,b", "c"]
    assert read(tmp_path, "a,b;c,d\n1;2\n3;4\n").columns.tolist() == ["a,b", "c,d"]
    assert read(tmp_path, "a\tb,c\n1\t2\n3\t4\n", "t.tsv").columns.tolist() == ["a", "b,c"]
    assert layout.find_layout(b"", "t.csv", None).sep == ","
    assert layout.find_layout(b"x\n1\n2\n", "t.csv", None) == layout.Layout(",")


def test_twelve_lines_decide_on_the_separator(monkeypatch):
    lines = ["a;b,c,d"] + ["1;2"] * 11
    assert layout.find_layout("\n".join([*lines, "1,2;3,4;5"]).encode(), "t", None).sep == ";"
    lines[-1] = "1,2"  # no separator fits: the most frequent one of the header is taken
    assert layout.find_layout("\n".join(lines).encode(), "t", None).sep == ","
    monkeypatch.setattr(layout, "_BYTES", 14)
    assert layout.find_layout(b"a,b;c\n1,2\n3,4;5,6\n", "t", None).sep == ","  # a line is cut off
    assert layout.find_layout(b"a,b\n1,2", "t", None).sep == ","


def test_row_names_and_columns_without_a_name(tmp_path):
    found = read(tmp_path, ",a,b\nr1,1,2\nr2,3,4\n")
    assert found.index.tolist() == ["r1", "r2"]
    found = read(tmp_path, "a,,\n1,2,\n3,4,\n")
    assert found.columns.tolist() == ["a", ""]
    alone = read(tmp_path, '""\n1\n2\n')
    assert alone.columns.tolist() == [""]
    assert alone.index.tolist() == [1, 2]


def test_a_header_of_numbers_is_noted_for_several_columns_only(tmp_path):
    path = tmp_path / "t.csv"
    for header, noted in (("1,2", True), ("1,b", False), ("5", False)):
        path.write_text(f"{header}\n{header}\n")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            read_table(path)
        assert ["names of all columns are numbers" in str(one.message) for one in caught] == (
            [True] * noted
        )


def test_logical_values_and_numbers_of_unusual_form(tmp_path):
    found = read(tmp_path, "a,b,c,d\nT,1,0x10,NaN\nFALSE,T,1,2\nNA,3,1e400,3\n")
    assert np.array_equal(found["a"], [1.0, 0.0, np.nan], equal_nan=True)
    assert found["b"].tolist() == ["1", "T", "3"]
    assert found["c"].tolist() == [16.0, 1.0, np.inf]
    assert np.array_equal(found["d"], [np.nan, 2.0, 3.0], equal_nan=True)


def test_text_among_numbers_with_commas_keeps_its_commas(tmp_path):
    """If most cells of a column are numbers, they are written as numbers are read."""
    half = read(tmp_path, "a;b\n1,5;1,5\n2,5;2,5\nx,y;3,5\nu,v;4\n", decimal=",")
    assert half["a"].tolist() == ["1,5", "2,5", "x,y", "u,v"]
    most = read(tmp_path, "a;b\n1,5;1,5\n2,5;2,5\n3,5;3,5\nu,v;4\n", decimal=",")
    assert most["a"].tolist() == ["1.5", "2.5", "3.5", "u,v"]


@pytest.mark.parametrize("many", [False, True])
def test_columns_of_text_beside_numbers(tmp_path, many):
    text = "a,b,y,z\n1,2,u,NA\n3,4,v,w\n" if many else "a,b,c,y\n1,2,5,NA\n3,4,6,v\n"
    found = read(tmp_path, text)
    assert found["a"].tolist() == [1.0, 3.0]
    assert found["a"].dtype == np.float64
    assert found.isna().to_numpy().tolist() == [[False, False, False, True], [False] * 4]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sep": ";;"}, "sep=';;': pass one ASCII character"),
        ({"sep": ""}, "sep='': pass one ASCII character"),
        ({"sep": "→"}, "pass one ASCII character"),
        ({"sep": '"'}, "pass one ASCII character"),
        ({"decimal": ";"}, "decimal=';': pass '.' or ','"),
        ({"sep": ",", "decimal": ","}, "sep and decimal are both ',': they must differ"),
        ({"encoding": "utf-9"}, "encoding='utf-9': pass the name of a text encoding"),
        ({"encoding": "hex"}, "encoding='hex': pass the name of a text encoding"),
    ],
)
def test_options_that_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        ReadOptions(**options)


def test_blank_lines_before_a_table(tmp_path):
    found = read(tmp_path, "\n" * 70 + "a,y\n1,u\n")
    assert found["a"].tolist() == [1.0]
    assert refusal(tmp_path, "\n" * 70) == "it is empty."


def test_every_spelling_of_logical_values(tmp_path):
    found = read(tmp_path, "a,b\nT,x\nTRUE,y\nF,\nFALSE,NA\n")
    assert found["a"].tolist() == [1.0, 1.0, 0.0, 0.0]
    assert read(tmp_path, "a,b\nTrue,1\nT,2\n")["a"].tolist() == ["True", "T"]


def test_separators_at_the_end_of_lines(tmp_path):
    assert read(tmp_path, "a,b,,\n1,2,,\n3,4,,\n").columns.tolist() == ["a", "b"]
    assert read(tmp_path, "a,,\n1,,\n3,,\n").columns.tolist() == ["a"]
    assert read(tmp_path, "a,b\n1,2,\n3,4,\n")["b"].tolist() == [2.0, 4.0]
    assert read(tmp_path, "a,b\n1,2,\n3,4,5\n").index.tolist() == ["1", "3"]


def test_a_guess_is_one_note(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;y\n1,5;u\n2,25;v\n")
    with pytest.warns(GuessedFormatWarning) as caught:
        read_table(path)
    assert [(one.message.note.count, one.message.note.names) for one in caught] == [(1, ())]


@pytest.mark.parametrize("line", ["1\t2\t3\t4", "1 2 3 4", "1 \t2\t 3\t4", "1,2,3,4"])
def test_there_is_room_for_all_cells_before_they_are_split(monkeypatch, line):
    """The kernel that splits does not look where its arrays end."""
    rows, room = 50, []
    text = "\n".join(["a b c d".replace(" ", line[1]), *[line] * rows]).encode()

    def split_and_note(*arguments):
        found = split_cells(*arguments)
        starts, sizes = arguments[4], arguments[6]
        room.append((int(sizes[:found].sum()), len(starts)))
        return found

    monkeypatch.setattr(grid, "split_cells", split_and_note)
    found = grid.split_text(text, layout.Layout(",") if "," in line else layout.Layout(" ", True))
    assert found.shape == (rows + 1, 4)  # with the header
    [(cells, most)] = room
    assert cells == 4 * (rows + 1) <= most


# ---- ARFF ----------------------------------------------------------------------------------------

HEAD = "@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n"


@pytest.mark.parametrize(
    "body",
    [
        "1,u\n2,v\n", "1,u\n%3,u\n2,v\n", "1,u\n% 3,u\n\n2,v", "1,'u'\n2,v\n", '1,u\n2,"v"\n',
        "1\tu\n2,v\n", "% {}\n1,u\n2,v\n", " 1 , u\r\n2,v\r\n", "{0 1,1 u}\n{0 2, 1 v}\n",
        "% none\n\n{0 1}\n{ 1 'v',0 2 }\n",
    ],
)  # fmt: skip
def test_the_same_rows_of_arff(tmp_path, body):
    found = read(tmp_path, HEAD + body, "t.arff")
    assert found["a"].tolist() == [1.0, 2.0]
    assert found["y"].tolist() == ["u", "v"]
    assert found.index.tolist() == [1, 2]
    assert isinstance(found["y"].dtype, pd.CategoricalDtype)
    assert read(tmp_path, HEAD + body, "t.arff", text=["y"])["y"].dtype == object


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "1\n", "line 5 has 1 cell, and there are 2 attributes."),
        (HEAD + "1 u\n2 v\n", "line 5 has 1 cell, and there are 2 attributes."),
        (HEAD + "1,u\n\n2,u,v\n", "line 7 has 3 cells, and there are 2 attributes."),
        (HEAD + "1,'u\n", "line 5 has a quote without an end."),
        (HEAD + "{0 1}\n1,u\n", "line 6 is not in braces, as the others are."),
        (HEAD + "{0 1}\n{0 1\n", "line 6 is not in braces, as the others are."),
        (HEAD + "{2 1}\n", "line 5: '2 1' is no number of an attribute with its value."),
        (HEAD + "{0 1, x}\n", "line 5: ' x' is no number of an attribute with its value."),
        (HEAD + "{1234567890 1}\n", "line 5: '1234567890 1' is no number of an attribute with its "
         "value."),
        (HEAD + "x,u\n", "the numeric attribute 'a' has the value 'x'."),
        (HEAD, "it has no rows below @data."),
        (HEAD + "% none\n", "it has no rows below @data."),
        ("@relation r\n@data\n1\n", "it has no @attribute lines above @data."),
        ("@relation r\n@attribute a numeric\n", "it has no @data line."),
        ("@relation r\n\nwhat\n", "line 3 of the ARFF header is not understood: 'what'."),
        ("@relation r\n@attribute a\n", "line 2 of the ARFF header is not understood: "
         "'@attribute a'."),
        ("@relation r\n@attribute a {u,v\n", "line 2: the categories of 'a' have no end."),
        ("@relation r\n@attribute a relational\n", "line 2: attributes of type 'relational' are "
         "not supported."),
    ],
)  # fmt: skip
def test_arff_that_is_refused(tmp_path, text, message):
    assert refusal(tmp_path, text, "t.arff") == message


def test_cells_of_arff(tmp_path):
    head = "@relation r\n@attribute 'it\\'s' numeric\n@attribute s string\n@data\n"
    found = read(tmp_path, head + "TRUE,'a\\tb\\\\'\nNaN,\"'\"\n?,?\n,'?'\n", "t.arff")
    assert found.columns.tolist() == ["it's", "s"]
    assert np.array_equal(found["it's"], [1, np.nan, np.nan, np.nan], equal_nan=True)
    assert [None if pd.isna(one) else one for one in found["s"]] == ["a\tb\\", "'", None, "?"]


def test_the_example_of_a_decimal_comma_is_a_number(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("y;b;a\nu,v;1;1,5\nw;2;2,5\n")
    with pytest.warns(GuessedFormatWarning) as caught:
        found = read_table(path)
    assert [str(one.message).removeprefix(f"{path}: ")[:73] for one in caught] == [
        "numbers are read with a decimal comma, such as '1,5' in column 'a'. Pass "
    ]
    assert found["a"].tolist() == [1.5, 2.5]
    assert found["y"].tolist() == ["u,v", "w"]


def test_a_question_mark_in_quotes_is_a_value(tmp_path):
    head = "@relation r\n@attribute y {?,u}\n@attribute z {'?',u}\n@data\n"
    found = read(tmp_path, head + "'?',?\nu,'?'\n", "t.arff")
    cells = [[None if pd.isna(one) else one for one in found[name]] for name in "yz"]
    assert cells == [["?", "u"], [None, "?"]]


def test_long_values_of_sparse_arff(tmp_path):
    path = tmp_path / "x.arff"
    path.write_text(
        "@relation r\n@attribute a numeric\n@attribute b {no, 'a rather long one'}\n@data\n"
        "{0 0.12345678901, 1 'a rather long one'}\n{0 -1}\n"
    )
    assert read_table(path).to_numpy().tolist() == [
        [0.12345678901, "a rather long one"], [-1.0, "no"],
    ]  # fmt: skip
