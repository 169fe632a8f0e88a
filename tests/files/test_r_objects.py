"""Objects of R that its own files hardly ever have, in files written byte by byte."""

import datetime
import struct

import pandas as pd
import pytest

from pycdf import DataFileError, read_table
from pycdf.files.tables import limits

NULL = struct.pack(">i", 254)
HAS_ATTRIBUTES, HAS_TAG = 0x200, 0x400
UTF8, LATIN1 = 1 << 15, 1 << 14


def ints(*values):
    return struct.pack(f">{len(values)}i", *values)


def text(content, level=UTF8):
    return ints(9 | level, len(content)) + content


def texts(*contents, level=UTF8):
    return ints(16, len(contents)) + b"".join(text(one, level) for one in contents)


def pairs(**values):
    """A pairlist of named values, each of them written already."""
    written = b"".join(
        ints(2 | HAS_TAG, 1) + text(name.replace("__", ".").encode()) + value
        for name, value in values.items()
    )
    return written + NULL


def integers(*values, **attributes):
    flags = 13 | (HAS_ATTRIBUTES if attributes else 0)
    return ints(flags, len(values), *values) + (pairs(**attributes) if attributes else b"")


def doubles(*values, **attributes):
    flags = 14 | (HAS_ATTRIBUTES if attributes else 0)
    body = ints(flags, len(values)) + struct.pack(f">{len(values)}d", *values)
    return body + (pairs(**attributes) if attributes else b"")


def frame(names, columns, **more):
    """A data frame of columns that are written already."""
    attributes = {"names": names, "class": texts(b"data.frame"), **more}
    return ints(19 | HAS_ATTRIBUTES, len(columns)) + b"".join(columns) + pairs(**attributes)


def read(tmp_path, content, encoding=None):
    """The table in a file of version 2, or of version 3 with the encoding of the machine."""
    start = ints(2, 0x40202, 0x20300)
    if encoding is not None:
        start = ints(3, 0x40202, 0x30500, len(encoding)) + encoding
    path = tmp_path / "x.rds"
    path.write_bytes(b"X\n" + start + content)
    return read_table(path)


def test_dates_as_whole_numbers(tmp_path):
    day = integers(0, -(2**31), 18292, **{"class": texts(b"Date")})
    found = read(tmp_path, frame(texts(b"day"), [day]))["day"].tolist()
    assert found == [datetime.date(1970, 1, 1), None, datetime.date(2020, 1, 31)]


def test_dates_beyond_those_of_python_are_missing(tmp_path):
    days = [-699_999.0, -700_000.0, 700_000.0, -0.5, float("inf"), float("nan")]
    day = doubles(*days, **{"class": texts(b"Date")})
    found = read(tmp_path, frame(texts(b"day"), [day]))["day"].tolist()
    oldest = datetime.date.fromordinal(datetime.date(1970, 1, 1).toordinal() - 699_999)
    assert found == [oldest, None, None, datetime.date(1969, 12, 31), None, None]


@pytest.mark.parametrize(
    ("level", "content", "shown"),
    [
        (UTF8, "für".encode(), "für"),
        (LATIN1, "für".encode("latin-1"), "für"),
        (0, "Ж".encode("cp1251"), "Ж"),  # in the encoding of the machine
        (0, b"\x98", "\x98"),  # which does not have this character
    ],
)
def test_text_in_its_encoding(tmp_path, level, content, shown):
    word = ints(16, 1) + text(content, level)
    found = read(tmp_path, frame(texts(b"word"), [word]), encoding=b"CP1251")
    assert found["word"].tolist() == [shown]


@pytest.mark.parametrize("kind", [254, 253, 252, 251, 242, 241, 247, 248])
def test_attributes_without_content_are_read_over(tmp_path, kind):
    found = read(tmp_path, frame(texts(b"a"), [doubles(1.5)], more=ints(kind), row__names=NULL))
    assert found["a"].tolist() == [1.5]


@pytest.mark.parametrize(
    "pointer",
    [
        ints(22) + NULL + NULL,  # as a data.table has one
        ints(23),
        ints(22 | HAS_ATTRIBUTES) + NULL + NULL + pairs(a=integers(1)),
        ints(4, 0) + NULL * 4,  # an environment
        ints(249, 0, 1) + text(b"stats"),  # a namespace
        ints(8, 3) + b"sum",  # a function of R's own
        ints(24, 3) + b"raw",
        ints(25 | HAS_ATTRIBUTES) + pairs(a=integers(1)),
        ints(15, 1) + bytes(16),  # a complex number
    ],
    ids=[
        "pointer",
        "weak",
        "with attributes",
        "environment",
        "namespace",
        "builtin",
        "raw",
        "S4",
        "complex",
    ],
)
def test_pointers_and_environments_are_read_over(tmp_path, pointer):
    columns = [doubles(1.5, 2.5), integers(1, -(2**31))]
    found = read(tmp_path, frame(texts(b"a", b"b"), columns, more=pointer))
    assert found["a"].tolist() == [1.5, 2.5]
    assert found["b"].iloc[0] == 1
    assert pd.isna(found["b"].iloc[1])


def test_a_reference_to_a_name_that_was_written_before(tmp_path):
    """The second ``names`` is a reference to the first symbol of the file."""
    flagged = integers(1, 2, names=texts(b"p", b"q"))
    named = ints(19 | HAS_ATTRIBUTES, 1) + flagged
    named += ints(2 | HAS_TAG, 255 | 1 << 8) + texts(b"a")
    named += pairs(**{"class": texts(b"data.frame")})
    assert read(tmp_path, named)["a"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (frame(texts(b"a", b"b"), [doubles(1.0)]),
         "it is a damaged R file: a data frame without names."),
        (frame(texts(b"a", b"b"), [doubles(1.0), doubles(1.0, 2.0)]),
         "it is a damaged R file: the columns have different lengths."),
        (frame(texts(b"a"), [doubles()]), "the table has no rows."),
        (frame(texts(), []), "the table has no columns."),
        (ints(14, 3) + bytes(23), "it is a damaged R file: it ends too early."),
        (ints(14, -2), "it is a damaged R file: it ends too early."),
        (ints(5 << 8 | 255), "it is a damaged R file: its parts do not fit together."),
        (ints(19, 1) * 5000, "its objects are nested too deeply: save only the table, with "
         "saveRDS(as.data.frame(x), 'x.rds')."),
        (integers(1, 2), "it has no table but an integer vector: save a data frame, with "
         "saveRDS(as.data.frame(x), 'x.rds')."),
        (ints(21), "it has objects that are no data, such as compiled functions: save only the "
         "table, with saveRDS(as.data.frame(x), 'x.rds')."),
    ],
)  # fmt: skip
def test_what_is_refused(tmp_path, content, message):
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, content)
    assert str(caught.value) == f"{tmp_path / 'x.rds'}: {message}"


NOTHING = {
    "namespace": ints(249, 0, 2) + text(b"stats") + text(b"4.2.2"),
    "package": ints(250, 0, 1) + text(b"package:stats"),
    "pointer": ints(22) + NULL + NULL,
    "weak": ints(23),
    "environment": ints(4, 0) + NULL * 4,
}


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("number", [ints(255 | 3 << 8), ints(255, 3)])
def test_what_is_read_over_counts_for_later_references(tmp_path, nothing, number):
    """``names`` is the third of what can be referred to: ``more``, its value, ``names``."""
    column = integers(1, 2, more=NOTHING[nothing], names=texts(b"p", b"q"))
    written = ints(19 | HAS_ATTRIBUTES, 1) + column
    written += ints(2 | HAS_TAG) + number + texts(b"a") + pairs(**{"class": texts(b"data.frame")})
    assert read(tmp_path, written)["a"].tolist() == [1, 2]


@pytest.mark.parametrize("kind", [2, 3, 5, 6, 17, 239, 240])
def test_calls_and_functions_are_read_over(tmp_path, kind):
    for more in (
        ints(kind) + NULL + NULL,
        ints(kind) + NULL + integers(7),  # whose rest is no list
        ints(kind | HAS_ATTRIBUTES) + pairs(a=integers(1)) + NULL + NULL,
        ints(kind | HAS_TAG, 1) + text(b"f") + NULL + ints(6) + NULL + ints(2) + NULL + NULL,
    ):
        found = read(tmp_path, frame(texts(b"a"), [doubles(1.5)], more=more))
        assert found["a"].tolist() == [1.5]


@pytest.mark.parametrize("kind", [7, 8])
def test_functions_of_r_itself_are_read_over(tmp_path, kind):
    found = read(tmp_path, frame(texts(b"a"), [doubles(1.5)], more=ints(kind, 3) + b"sum"))
    assert found["a"].tolist() == [1.5]


def test_vectors_of_a_length_in_two_parts(tmp_path):
    column = ints(13, -1, 0, 2, 5, 6)
    assert read(tmp_path, frame(texts(b"a"), [column]))["a"].tolist() == [5, 6]


def compact(name, state, attributes=NULL):
    """A vector in a compact form."""
    info = ints(2, 1) + text(name) + ints(2, 1) + text(b"base") + ints(2) + integers(13) + NULL
    return ints(238) + info + state + attributes


def deferred(vector):
    return ints(2) + vector + integers(0)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (compact(b"compact_intseq", doubles(3.0, 4.0, 1.0)), [4, 5, 6]),
        (compact(b"compact_intseq", doubles(3.0, 4.0, -1.0)), [4, 3, 2]),
        (compact(b"compact_realseq", doubles(2.0, 0.5, 1.0)), [0.5, 1.5]),
        (compact(b"deferred_string", deferred(integers(3, -(2**31)))), ["3", None]),
        (compact(b"deferred_string", deferred(doubles(0.5, 1e5))), ["0.5", "1e+05"]),
        (compact(b"wrap_real", ints(19, 2) + doubles(1.5, 2.5) + integers(0, 0)), [1.5, 2.5]),
        (compact(b"wrap_integer", ints(19, 2) + integers(1, 2) + integers(0, 0),
                 pairs(levels=texts(b"u", b"v"), **{"class": texts(b"factor")})), ["u", "v"]),
        (compact(b"wrap_integer", ints(19, 2)
                 + integers(2, 1, levels=texts(b"u", b"v"), **{"class": texts(b"factor")})
                 + integers(0, 0)), ["v", "u"]),
        (compact(b"compact_intseq", doubles(2.0, 1.0, 1.0),
                 pairs(levels=texts(b"u", b"v"), **{"class": texts(b"factor")})), ["u", "v"]),
    ],
)  # fmt: skip
def test_vectors_in_a_compact_form(tmp_path, column, expected):
    found = read(tmp_path, frame(texts(b"a"), [column]))["a"]
    assert [None if pd.isna(cell) else cell for cell in found] == expected


NO_END = "it is a damaged R file: a sequence has no end."
FORM = "it has a vector in an unknown form of R, {}."


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (compact(b"compact_intseq", doubles(-1.0, 1.0, 1.0)), NO_END),
        (compact(b"compact_intseq", doubles(2.0**52, 1.0, 1.0)), NO_END),
        (compact(b"compact_intseq", doubles(1.0, -(2.0**52), 1.0)), NO_END),
        (compact(b"compact_intseq", doubles(float("nan"), 1.0, 1.0)), NO_END),
        (compact(b"compact_intseq", doubles(1.0, 1.0)), FORM.format("compact_intseq")),
        (compact(b"mmap_real", NULL), FORM.format("mmap_real")),
        (compact(b"wrap_real", NULL), FORM.format("wrap_real")),
        (compact(b"wrap_real", ints(19, 0)), FORM.format("wrap_real")),
        (compact(b"deferred_string", NULL), FORM.format("deferred_string")),
        (compact(b"mmap_real", ints(19, 1) + doubles(1.0)), FORM.format("mmap_real")),
        (ints(238) + NULL * 3, FORM.format("")),
    ],
)
def test_compact_forms_that_are_refused(tmp_path, column, message):
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, frame(texts(b"a"), [column]))
    assert str(caught.value) == f"{tmp_path / 'x.rds'}: {message}"


def test_empty_sequences_and_sequences_that_start_far_away(tmp_path):
    far = compact(b"compact_realseq", doubles(1.0, 2.0**52 - 1, 1.0))
    assert read(tmp_path, frame(texts(b"a"), [far]))["a"].tolist() == [2.0**52 - 1]
    with pytest.raises(DataFileError, match="the table has no rows"):
        read(tmp_path, frame(texts(b"a"), [compact(b"compact_intseq", doubles(0.0, 1.0, 1.0))]))


def saved(tmp_path, content, version=2):
    """What a file of ``save()`` gives."""
    path = tmp_path / "x.RData"
    path.write_bytes(b"RDX2\nX\n" + ints(version, 0x40202, 0x20300) + content)
    return read_table(path)


def test_files_of_save(tmp_path):
    one = frame(texts(b"a"), [doubles(1.5)])
    assert saved(tmp_path, pairs(table=one))["a"].tolist() == [1.5]
    with pytest.raises(DataFileError, match="it is a damaged R file: it has no list of objects"):
        saved(tmp_path, one)
    with pytest.raises(DataFileError, match="it is an R file of the unknown version 4"):
        saved(tmp_path, pairs(table=one), version=4)


DAMAGED_SIZE = "it is a damaged R file: the size of a matrix is wrong."


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [(2, 3, None), (3, 2, None), (6, 1, None), (2, 2, DAMAGED_SIZE), (-2, -3, DAMAGED_SIZE),
     (0, 6, DAMAGED_SIZE)],
)  # fmt: skip
def test_sizes_of_matrices(tmp_path, rows, columns, message):
    matrix = doubles(*(float(j) for j in range(6)), dim=integers(rows, columns))
    if message is not None:
        with pytest.raises(DataFileError, match=message):
            read(tmp_path, matrix)
        return
    found = read(tmp_path, matrix)
    assert found.columns.tolist() == [f"V{j + 1}" for j in range(columns)]
    assert found.index.tolist() == list(range(1, rows + 1))
    assert found.to_numpy().ravel(order="F").tolist() == list(range(6))


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [(0, 3, "the table has no rows."), (3, 0, "the table has no columns."),
     (-1, 0, DAMAGED_SIZE), (0, -1, DAMAGED_SIZE)],
)  # fmt: skip
def test_matrices_without_cells(tmp_path, rows, columns, message):
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, doubles(dim=integers(rows, columns)))


def test_names_of_matrices(tmp_path):
    names = ints(19, 2) + texts(b"r1", b"r2") + texts(b"p", b"q")
    found = read(tmp_path, integers(1, 2, 3, 4, dim=integers(2, 2), dimnames=names))
    assert (found.index.tolist(), found.columns.tolist()) == (["r1", "r2"], ["p", "q"])
    short = ints(19, 2) + texts(b"r1") + NULL
    found = read(tmp_path, integers(1, 2, 3, 4, dim=integers(2, 2), dimnames=short))
    assert (found.index.tolist(), found.columns.tolist()) == ([1, 2], ["V1", "V2"])


def logicals(*values):
    return ints(10, len(values), *values)


def test_types_of_columns(tmp_path):
    def column(one):
        return read(tmp_path, frame(texts(b"a"), [one]))["a"]

    assert column(logicals(1, 0, 5)).tolist() == [True, False, True]
    assert [pd.isna(cell) or cell for cell in column(logicals(1, -(2**31)))] == [1.0, True]
    assert column(integers(1, 2)).dtype == "int64"
    kinds = {"class": texts(b"POSIXct")}
    times = column(doubles(86400.0, 9e9, -9e9, 8.9e9, float("inf"), **kinds))
    assert times.isna().tolist() == [False, True, True, False, True]
    assert times[1] == pd.Timestamp("1970-01-02")
    longs = column(ints(14 | HAS_ATTRIBUTES, 2) + struct.pack(">qq", 7, -(2**63))
                   + pairs(**{"class": texts(b"integer64")}))  # fmt: skip
    assert longs[1] == 7
    assert pd.isna(longs[2])


def factor(*codes, levels=(b"u", b"v")):
    return integers(*codes, levels=texts(*levels), **{"class": texts(b"factor")})


def test_factors(tmp_path):
    found = read(tmp_path, frame(texts(b"a"), [factor(2, 1, -(2**31))]))["a"]
    assert [None if pd.isna(cell) else cell for cell in found] == ["v", "u", None]
    for damaged in (factor(3), factor(0, -1), factor(1, levels=(b"u", b"u"))):
        with pytest.raises(DataFileError, match="the factor 'a' lacks levels"):
            read(tmp_path, frame(texts(b"a"), [damaged]))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (NULL, "column 'a' has an object that holds no data and not one value in each row"),
        (ints(19, 1) + doubles(1.0), "column 'a' has a list and not one value in each row"),
        (ints(6) + NULL + NULL, "column 'a' has a call or function and not one value"),
        (ints(15, 1) + bytes(16), "column 'a' has a complex vector and not one value"),
        (ints(25 | HAS_ATTRIBUTES) + pairs(**{"class": texts(b"big")}),
         "column 'a' has an object of class 'big' and not one value"),
        (doubles(1.0, dim=integers(1, 1)), "column 'a' is a table itself: give each of its"),
    ],
)  # fmt: skip
def test_columns_that_are_no_vectors(tmp_path, column, message):
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, frame(texts(b"a"), [column]))


def test_empty_texts_and_a_name_that_one_object_does_not_have(tmp_path):
    found = read(tmp_path, frame(texts(b"a"), [texts(b"", b"x")]))
    assert found["a"].tolist() == ["", "x"]
    assert read_table(tmp_path / "x.rds", sheet="any")["a"].tolist() == ["", "x"]


def test_a_sequence_may_be_as_long_as_the_limit(tmp_path, monkeypatch):
    """Eight bytes are counted for each number."""
    monkeypatch.setattr(limits, "_RATIO", 0)
    monkeypatch.setattr(limits, "_ALWAYS_ALLOWED", 800)
    assert len(read(tmp_path, frame(texts(b"a"), [sequence(100)]))) == 100
    with pytest.raises(DataFileError, match="a sequence of numbers would take"):
        read(tmp_path, frame(texts(b"a"), [sequence(101)]))


def sequence(count):
    return compact(b"compact_intseq", doubles(float(count), 1.0, 1.0))


def test_a_level_that_is_missing(tmp_path):
    """R's addNA() makes missing values a level."""
    levels = ints(16, 3) + text(b"u") + ints(9, -1) + text(b"v")
    column = integers(3, 2, 1, -(2**31), levels=levels, **{"class": texts(b"factor")})
    found = read(tmp_path, frame(texts(b"a"), [column]))["a"]
    assert [None if pd.isna(cell) else cell for cell in found] == ["v", None, "u", None]
    assert found.cat.categories.tolist() == ["u", "v"]
