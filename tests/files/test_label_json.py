"""Labels as JSON: what is not a label is refused with its value, and takes no memory."""

import itertools
import time
import tracemalloc
import warnings

import numpy as np
import pytest
from small_model import with_header

from pycdf.files.label_json import check_distinct, labels_from_json, labels_to_json
from pycdf.files.model import ModelFileError, model_from_bytes

TEXTS = ["float", "bytes", "Decimal", "date", "datetime", "Timestamp", "datetime64"]
SCALARS = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "float16",
    "float32", "float64", "str_", "bytes_",
]  # fmt: skip
DTYPES = [
    "|b1", "|i1", "|u1", "<i2", ">u4", "<i8", "<u8", "<f2", ">f4", "<f8", "<U3", ">U1", "|S2",
    "<M8[D]", ">M8[25ns]",
]  # fmt: skip
FLOAT, BYTES = {"type": "float", "value": "inf"}, {"type": "bytes", "value": "ff"}
VALUES = [
    None, True, False, 0, 1, -1, 255, 256, -129, 2**31, -(2**63), 2**63, 2**64, 4_000_000_000,
    10**400, 0.5, -0.0, 1e10, 1e300, 5e-324, "", "x", "xyzw", "1", "1.5", "inf", "nan", "-inf",
    "Infinity", "NaN", "sNaN", "ff", "F F", "FF", "now", "today", "NaT", "2020-01-01", "2020-1-1",
    "2020-01-01T00:00:00", "1/2/2020", "9" * 5000, "1E+999999999999999999", "1E9999999999999999999",
    "99999999999999999999-01-01", "\ud800", "\0", [], [1], {}, {"type": "int8", "value": 1}, FLOAT,
    BYTES, {"type": "float", "value": "nan"}, {"type": "float64", "value": FLOAT},
]  # fmt: skip
GOOD = {
    "float": ["inf", "nan", "-inf"],
    "bytes": ["", "ff", "9" * 5000],
    "Decimal": ["1", "1.5", "Infinity", "1E+999999999999999999"],
    "date": ["2020-01-01"],
    "datetime": ["2020-01-01T00:00:00"],
    "Timestamp": ["2020-01-01T00:00:00"],
    "datetime64": ["2020-01-01", "2020-01-01T00:00:00"],
    "bool": [True, False],
    "str_": [value for value in VALUES if isinstance(value, str) and value != "\0"],
    "bytes_": [BYTES],
    "float16": [0.5, -0.0, FLOAT, {"type": "float", "value": "nan"}],
    "float32": [0.5, -0.0, 1e10, FLOAT, {"type": "float", "value": "nan"}],
    "float64": [0.5, -0.0, 1e10, 1e300, 5e-324, FLOAT, {"type": "float", "value": "nan"}],
}
WHOLE = [value for value in VALUES if type(value) is int]


def good(kind):
    if kind in GOOD:
        return GOOD[kind]
    limits = np.iinfo(kind)
    return [value for value in WHOLE if limits.min <= value <= limits.max]


def read(written):
    """An array of labels, or the message; with little memory, quickly and without a warning."""
    began = time.perf_counter()
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return labels_from_json(written, length=1000)
        except ValueError as error:
            return str(error)
        finally:
            assert tracemalloc.get_traced_memory()[1] < 2**18
            tracemalloc.stop()
            assert time.perf_counter() - began < 1


@pytest.mark.parametrize("kind", TEXTS + SCALARS)
def test_a_label_has_the_type_it_claims(kind):
    """Every type with values of every kind: it is read as such, or refused."""
    taken = []
    for value in VALUES:
        found = read({"dtype": "object", "values": [{"type": kind, "value": value}]})
        if isinstance(found, str):
            assert found.startswith("the value ")
            assert found.endswith(f" of a label does not have the type {kind}")
        else:
            taken.append(value)
            assert type(found[0]).__name__ in (kind, f"{kind}_")
            if not isinstance(found[0], float | np.floating) or found[0] == found[0]:
                assert labels_to_json(found)["values"] in ([{"type": kind, "value": value}], [0.5])
    assert repr(taken) == repr([value for value in VALUES if value in good(kind)
                                and type(value) in {type(one) for one in good(kind)}])  # fmt: skip
    assert taken


def test_values_in_messages():
    assert read({"dtype": "object", "values": [{"type": "bytes_", "value": 4_000_000_000}]}) == (
        "the value 4000000000 of a label does not have the type bytes_"
    )
    for kind, shown in (("os", "'os'"), ("object_", "'object_'"), ("void", "'void'"), (1, "1"),
                        (["int8"], "a list"), ({}, "an object"), (None, "None"),
                        ("x" * 90, f"'{'x' * 56}...")):  # fmt: skip
        assert read({"dtype": "object", "values": [{"type": kind, "value": 1}]}) == (
            f"a label has an unknown type, {shown}"
        )
    for label in ([], {}, {"type": "int8"}, {"type": "int8", "value": 1, "more": 1}):
        assert read({"dtype": "object", "values": [label]}) == (
            "a label is neither text nor a number"
        )


def test_labels_within_labels_are_not_followed():
    label = {"type": "float64", "value": 0.5}
    for _ in range(3000):
        label = {"type": "float64", "value": label}
    assert read({"dtype": "object", "values": [label]}) == (
        "the value an object of a label does not have the type float64"
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_labels_fit_their_dtype(dtype):
    kinds = {"b": bool, "i": int, "u": int, "M": int, "f": float, "U": str, "S": bytes}
    wanted = kinds[np.dtype(dtype).kind]
    compared = 0
    for value in VALUES:
        if isinstance(value, list | dict):
            continue
        found = read({"dtype": dtype, "values": [value]})
        compared += 1
        if type(value) is not wanted:
            assert found == f"the labels do not match their dtype {dtype}"
        elif isinstance(found, str):
            assert found == f"the labels do not fit their dtype {dtype}"
        else:
            plain = found.astype(np.int64) if "M8" in dtype else found
            assert found.dtype == np.dtype(dtype)
            assert repr(plain.tolist()) == repr([value])
    assert compared == len([value for value in VALUES if not isinstance(value, list | dict)])
    if wanted is bytes:
        assert read({"dtype": dtype, "values": [BYTES]}).tolist() == [b"\xff"]


def test_the_ends_of_ranges():
    for dtype in ("|i1", "|u1", "<i2", "<u8", "<i8"):
        limits = np.iinfo(dtype)
        ends = [limits.min, limits.max]
        assert read({"dtype": dtype, "values": ends}).tolist() == ends
        for beyond in (limits.min - 1, limits.max + 1):
            assert read({"dtype": dtype, "values": [beyond]}) == (
                f"the labels do not fit their dtype {dtype}"
            )
    largest = float(np.finfo(np.float16).max)
    assert read({"dtype": "<f2", "values": [largest, -largest]}).tolist() == [largest, -largest]
    assert read({"dtype": "<f2", "values": [FLOAT]}).tolist() == [float("inf")]
    for value in (65519.9, 0.1):  # the first would become the largest, the second another number
        assert read({"dtype": "<f2", "values": [value]}) == (
            "the labels do not fit their dtype <f2"
        )


@pytest.mark.parametrize(
    "name",
    [
        "|O",
        "<U0",
        "<i3",
        "<c16",
        "<M8",
        "<M8[0ns]",
        "<m8[ns]",
        "V8",
        "<f16",
        "i4,i4",
        "<U1000000000",
    ],
)
def test_unknown_dtypes(name):
    assert read({"dtype": name, "values": []}) == f"the labels have an unknown dtype, {name!r}"


def test_wide_labels():
    """Labels may be wider than their text, as far as 16 MB and 16 bytes for each of the header."""
    written = {"dtype": "|S4", "values": [{"type": "bytes", "value": ""}] * 2}
    wide = (2**24 + 16 * 1000) // 2
    for dtype, width in (("|S", wide), ("<U", wide // 4)):
        over = {**written, "dtype": f"{dtype}{width + 1}"}
        assert read(over) == "the labels claim to be wider than the file allows"
    written["dtype"] = f"|S{wide}"
    assert labels_from_json(written, 1000).itemsize == wide
    assert labels_from_json({"dtype": "<i8", "values": [1, 2]}, 0).tolist() == [1, 2]


def test_labels_are_distinct_within_their_type():
    check_distinct(labels_from_json({"dtype": "object", "values": [1, True, 1.0, "1"]}, 0))
    for pair in itertools.product(([1, 1], [1.5, 2, 1.5], ["a", "b", "a"]), (ValueError,)):
        with pytest.raises(pair[1], match=r"^a label occurs twice$"):
            check_distinct(labels_from_json({"dtype": "object", "values": pair[0]}, 0))
    for missing in ({"dtype": "<M8[ns]", "values": [-(2**63)]}, {"dtype": "<f8", "values": [
            {"type": "float", "value": "nan"}]}):  # fmt: skip
        labels = (
            np.array(missing["values"]).astype("M8[ns]")
            if "M8" in missing["dtype"]
            else np.array([np.nan])
        )
        with pytest.raises(ValueError, match=r"^a label is missing$"):
            check_distinct(labels)


def test_a_file_with_such_a_label():
    label = {"type": "bytes_", "value": 4_000_000_000}
    with pytest.raises(ModelFileError) as caught:
        model_from_bytes(with_header({"classes.values": ["a", "b", label]}))
    assert str(caught.value) == (
        "is a damaged model file: the value 4000000000 of a label does not have the type bytes_."
    )


def test_numbers_of_both_signs_are_within_their_dtype():
    for values in ([-129, 5], [5, -129], [0, 128]):
        with pytest.raises(ValueError, match=r"do not fit their dtype \|i1"):
            labels_from_json({"dtype": "|i1", "values": values}, 100)
    assert labels_from_json({"dtype": "|i1", "values": [-128, 127]}, 100).tolist() == [-128, 127]
