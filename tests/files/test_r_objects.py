"""Objects of R that its own files hardly ever have, in files written byte by byte."""

import datetime
import struct

import pandas as pd
import pytest

from pycdf import DataFileError, read_table

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
