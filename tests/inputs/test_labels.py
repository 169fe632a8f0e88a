"""Labels: R's texts, the caller's containers and types, refusals."""

import datetime
import decimal
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pycdf import CDF, CDFClassifier
from pycdf.base_r.text import LARGEST_WHOLE
from pycdf.inputs.labels import read_labels, tie_ranks

DATA = Path(__file__).parents[1] / "data"
UTC = datetime.UTC


def nanoseconds(*counts: int) -> list[np.datetime64]:
    return [np.datetime64(count, "ns") for count in counts]


def moments(*seconds: float | None) -> list[datetime.datetime | None]:
    return [None if s is None else datetime.datetime.fromtimestamp(s, UTC) for s in seconds]


# The same vectors as in r_reference/record_text.R.
VECTORS: dict[str, Any] = {
    "logical": [True, False, None],
    "logical_and_integer": [True, 2],
    "logical_and_double": [True, 2.5, 1e5],
    "logical_and_text": [True, "TRUE", "true"],
    "integer": [100000, 7, -3, None],
    "double": [100000.0, 7.0, -3.5, 1 / 3],
    "integer_and_double": [100000, 0.5],
    "integer_and_text": [100000, 1, "1"],
    "double_and_text": [1e5, 1.0, "1"],
    "beyond_32_bits": [100000, 3 * 10**9, 2**31, 10**15],
    "same_15_digits": [0.1 + 0.2, 0.3],
    "infinite": [math.inf, -math.inf, 0],
    "blanks": [" a", "a ", "\ta\r\n", "a\u00a0", " ", "", "\v", "a b"],
    "words": ["NA", "NaN", None, "TRUE", "Inf"],
    "factor": pd.Categorical(["b ", "a", None, None], categories=["a", "b ", "unused"]),
    "one_column": np.array([["x"], ["y"], ["x"]]),
    "dates": [
        datetime.date(2024, 1, 31),
        datetime.date(1969, 12, 31),
        datetime.date(99, 5, 3),
        None,
    ],
    "midnights": moments(0, 86400, None),
    "moments": moments(0, 3600.75, -0.25, None, 1e9),
    "parts_of_a_second": moments(60.25, 60.75, 60, 61),
    "microseconds": nanoseconds(1000, -1000, 1700000000123456000, 7812500, 23437500),
    "rounded_up": nanoseconds(59999999600, -400),
    "far_dates": [
        np.datetime64(day, "D") for day in (-719529, -719528, -719163, -354286, -800000, 2932897)
    ],
    "far_moments": [
        np.datetime64(count, "ms") for count in (-62167219201000, -62135596800500, 253402300800250)
    ],
}


def recorded() -> dict[str, list[str | None]]:
    vectors: dict[str, list[str | None]] = {}
    for line in (DATA / "label_text.tsv").read_text(encoding="ascii").splitlines()[1:]:
        name, text = line.split("\t")
        entry = None if text == "<NA>" else text.encode().decode("unicode_escape")
        vectors.setdefault(name, []).append(entry)
    return vectors


def texts_by_row(y: Any) -> list[str | None]:
    labels = read_labels(y)
    return [None if code < 0 else labels.texts[code] for code in labels.codes]


@pytest.mark.parametrize("name", recorded())
def test_texts_are_those_of_r(name: str) -> None:
    assert texts_by_row(VECTORS[name]) == recorded()[name]


def test_moments_in_one_second_are_classes_of_their_own() -> None:
    """R before 4.3.0 drops the fraction, and takes both for one class."""
    assert read_labels(moments(60.25, 60.75, 60.25)).codes.tolist() == [0, 1, 0]


def test_a_midnight_is_its_date() -> None:
    labels = read_labels(np.array([0, 86400, 60, 0], "datetime64[s]"))
    assert labels.texts == ("1970-01-01", "1970-01-02", "1970-01-01 00:01:00")
    assert read_labels([datetime.date(1970, 1, 1), *moments(0)]).codes.tolist() == [0, 0]


def test_every_vector_is_recorded() -> None:
    assert set(VECTORS) == set(recorded())


def test_classes_come_in_order_of_appearance() -> None:
    labels = read_labels(["b", "a", None, "b ", "c", ""])
    assert labels.codes.tolist() == [0, 1, -1, 0, 2, -1]
    assert labels.codes.dtype == np.int32
    assert labels.texts == ("b", "a", "c")
    assert labels.values.tolist() == ["b", "a", "c"]


NUMBERS = [3, 1, 3, 2]


@pytest.mark.parametrize(
    "y",
    [
        NUMBERS,
        tuple(NUMBERS),
        np.array(NUMBERS),
        np.array(NUMBERS, dtype=np.uint8),
        np.array(NUMBERS, dtype=object),
        np.array([NUMBERS]),
        np.array(NUMBERS)[:, np.newaxis],
        np.ma.masked_array(NUMBERS, mask=[0, 0, 0, 0]),
        pd.Series(NUMBERS, index=[9, 9, 8, 7]),
        pd.Index(NUMBERS),
        pd.Series(NUMBERS, dtype="Int64"),
        pd.array(NUMBERS, dtype="Int8"),
        pd.Categorical(NUMBERS),
        pd.Series(NUMBERS, dtype="category"),
        np.array(NUMBERS, dtype=float),
        memoryview(np.array(NUMBERS)),
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
def test_containers_of_numbers(y: Any) -> None:
    labels = read_labels(y)
    assert labels.codes.tolist() == [0, 1, 0, 2]
    assert labels.texts == ("3", "1", "2")
    assert labels.values.tolist() == [3, 1, 2]
    assert labels.values.dtype.kind in "iuf"
    assert (labels.values[labels.codes] == np.ravel(np.asarray(y))).all()


class LikePolars:
    """A column of a library that is not imported here, as polars has it."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def to_list(self) -> list[Any]:
        return self.items


class LikePyarrow:
    """The same for pyarrow."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def to_pylist(self) -> list[Any]:
        return self.items


TEXTS = ["x", "y", None, "x"]


@pytest.mark.parametrize(
    "y",
    [
        TEXTS,
        np.array(TEXTS, dtype=object),
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype="string"),
        pd.Series(TEXTS, dtype="category"),
        pd.Index(TEXTS),
        LikePolars(TEXTS),
        LikePyarrow(TEXTS),
        np.ma.masked_array(["x", "y", "z", "x"], mask=[0, 0, 1, 0]),
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
def test_containers_of_text(y: Any) -> None:
    labels = read_labels(y)
    assert labels.codes.tolist() == [0, 1, -1, 0]
    assert labels.texts == ("x", "y")
    assert labels.values.dtype == object
    assert all(type(value) is str for value in labels.values)


@pytest.mark.parametrize(
    "y",
    [
        ["b", "a", "b"],
        np.array(["b", "a", "b"]),
        pd.Series(["b", "a", "b"], index=[5, 6, 7]),
        pd.Series(["b", "a", "b"], dtype="category"),
        [1, 2, 1],
        np.array([1.5, 2, 1.5]),
        pd.Series([True, False, True]),
        np.array([1, "1 x", 1], dtype=object),
        pd.Series(pd.to_datetime(["2024-01-31", "2024-02-01", "2024-01-31"])),
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
def test_predictions_compare_with_what_the_caller_has(y: Any) -> None:
    labels = read_labels(y)
    assert (labels.values[labels.codes] == y).mean() == 1
    assert (labels.values[1 - labels.codes] == y).mean() == 0


@pytest.mark.parametrize(
    ("y", "dtype"),
    [
        ([True, False], "bool"),
        ([1.0, 2.0], "float64"),
        ([2**70, 1], "object"),
        ([1, 2.5], "float64"),
        (["a", 1], "object"),
        (np.array(["long", "a "]), "<U4"),
        (np.array([1, 2], dtype=np.float32), "float32"),
        (np.array(["2024-01-31"], dtype="datetime64[ns]"), "datetime64[ns]"),
        (np.array([], dtype=np.int16), "int16"),
        ([], "object"),
        ([None], "object"),
    ],
)
def test_values_keep_their_type(y: Any, dtype: str) -> None:
    assert read_labels(y).values.dtype == np.dtype(dtype)


def test_a_value_is_the_first_one_seen() -> None:
    assert read_labels([1.0, "1", 2]).values.tolist() == [1.0, 2]
    assert read_labels(["TRUE", True]).values.tolist() == ["TRUE"]
    assert read_labels([" b", "b"]).values.tolist() == ["b"]


def test_missing_in_every_form() -> None:
    absent = [
        None,
        math.nan,
        pd.NA,
        pd.NaT,
        np.datetime64("NaT", "s"),
        np.float32("nan"),
        "",
        " \t",
    ]
    assert read_labels([*absent, decimal.Decimal("NaN"), "a"]).codes.tolist() == [-1] * 9 + [0]
    assert read_labels(np.array([1, np.nan])).codes.tolist() == [0, -1]
    assert read_labels(pd.Series([1, None], dtype="Int64")).codes.tolist() == [0, -1]
    assert read_labels(np.array(["NaT", "2024-01-01"], "datetime64[D]")).codes.tolist() == [-1, 0]


def test_the_text_nan_is_a_class_that_no_leaf_carries() -> None:
    labels = read_labels(["a", "NaN", math.nan])
    assert labels.codes.tolist() == [0, 1, -1]
    assert tie_ranks(labels.texts).tolist() == [0, -1]


def test_whole_numbers_do_not_fall_together() -> None:
    near = [10**15, 10**15 + 1, 2**60, 2**60 + 1]
    assert len(read_labels(near).texts) == 4
    assert len(read_labels(np.array(near)).texts) == 4


def test_other_objects_are_written_as_python_writes_them() -> None:
    assert read_labels([decimal.Decimal("1.50")]).texts == ("1.50",)
    assert read_labels(np.array([b"a", b"b"])).texts == ("a", "b")
    assert read_labels(np.array([0.1], dtype=np.float32)).texts == ("0.100000001490116",)


def test_moments_by_the_clock_that_the_caller_sees() -> None:
    berlin = pd.Series(pd.to_datetime(["2024-01-31", "2024-07-01"])).dt.tz_localize("Europe/Berlin")
    assert read_labels(berlin).texts == ("2024-01-31", "2024-07-01")
    # A double holds a microsecond at most: R sees the next second.
    last = np.array(["2024-01-01T00:00:00.999999999"], dtype="datetime64[ns]")
    assert read_labels(last).texts == ("2024-01-01 00:00:01",)


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        (None, TypeError, r"^ytrain is None: pass a sequence with one label per row"),
        ("abc", TypeError, r"^ytrain is 'abc': pass"),
        ({"a": 1}, TypeError, r"^ytrain is \{'a': 1\}: pass"),
        ({1, 2}, TypeError, r"^ytrain is \{1, 2\}: pass"),
        (5, TypeError, r"^ytrain is 5: pass a list or an array"),
        ((c for c in "ab"), TypeError, r"^ytrain is <generator.*pass a list or an array"),
        (pd.DataFrame({"a": [1], "b": [2]}), TypeError, r"columns \['a', 'b'\]: pass the one col"),
        (pd.DataFrame({"a": [1]}), TypeError, r"^ytrain is a DataFrame .* pass the one column"),
        (pd.MultiIndex.from_tuples([(1, 2)]), TypeError, r"^ytrain is a MultiIndex: pass the one"),
        (np.ones((3, 2)), ValueError, r"^ytrain has shape 3 x 2: pass one label per row"),
        (np.array(5), ValueError, r"^ytrain has shape a single value: pass one label per row"),
        ([[1], [2]], TypeError, r"^ytrain\[0\] is \[1\]: each label must be a single value"),
        (["a", ("b",)], TypeError, r"^ytrain\[1\] is \('b',\): each label"),
        ([{1}], TypeError, r"^ytrain\[0\] is \{1\}: each label"),
        ([np.array([1, 2])], TypeError, r"^ytrain\[0\] is array\(\[1, 2\]\): each label"),
    ],
)
def test_refusals_say_what_to_pass(y: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_labels(y)


def test_the_argument_is_named_as_the_caller_names_it() -> None:
    with pytest.raises(TypeError, match=r"^y is None"):
        read_labels(None, argument="y")


def test_tie_ranks() -> None:
    assert tie_ranks(["PD", "control", "pd"]).tolist() == [2, 0, 1]
    assert tie_ranks(["PD", "control", "pd"], "C").tolist() == [0, 1, 2]
    assert tie_ranks(["b", "a\u00ad", "a"]).tolist() == [1, 0, 0]  # the node's rows decide
    assert tie_ranks(["z", "NaN", "a"]).tolist() == [2, -1, 0]
    assert tie_ranks([]).dtype == np.int32


@pytest.mark.parametrize(
    ("given", "values", "texts"),
    [
        ([2, 1e5, 10], [2.0, 1e5, 10.0], ("2", "1e+05", "10")),
        ([100000, 100000.0, 7], [1e5, 7.0], ("1e+05", "7")),
        ([True, 2.5, 100000], [1.0, 2.5, 1e5], ("1", "2.5", "1e+05")),
        ([True, 2], [1, 2], ("1", "2")),
        ([True, False], [True, False], ("TRUE", "FALSE")),
        ([2, "a", 1e5], [2, "a", 1e5], ("2", "a", "1e+05")),
        ([10**15 + 1, 2.5], [10**15 + 1, 2.5], ("1000000000000001", "2.5")),
    ],
)
def test_numbers_of_several_types_become_one(given, values, texts):
    """As in R's c(). Any part of the classes is then written as the whole of them is."""
    labels = read_labels(given)
    assert labels.texts == texts
    assert list(map(repr, labels.values.tolist())) == list(map(repr, values))
    if "a" not in given:
        alone = [read_labels(labels.values[i : i + 1]).texts[0] for i in range(len(values))]
        assert alone == list(texts)


def test_labels_of_half_precision():
    """As R writes the same doubles; pandas has no index of float16, so they become float32."""
    y = np.array([0.1, 2.5] * 6, dtype=np.float16)
    assert read_labels(y).texts == ("0.0999755859375", "2.5")
    X = np.random.default_rng(1).normal(size=(12, 3))
    fit = CDF(X, y, X, ntrees=3, seed=1)
    assert fit.classes.dtype == np.float32
    assert set(fit.predictions) <= set(y)
    assert fit.probabilities.columns.tolist() == [0.0999755859375, 2.5]
    model = CDFClassifier(ntrees=3, seed=1).fit(X, np.array([0, 2] * 6, dtype=np.float16))
    assert model.classes_.dtype == np.float32


def test_times_in_attoseconds():
    """NumPy cannot convert them to seconds; R's text has microseconds at most."""
    y = np.array([0, 10**18 + 1, -1, 1_500_000_000_000_000_000]).astype("<M8[as]")
    assert read_labels(y).texts == read_labels(y.astype("<M8[fs]")).texts
    assert read_labels(y).texts[:2] == ("1970-01-01", "1970-01-01 00:00:01")
    assert read_labels(y[:2].astype("<M8[2as]")).texts[0] == "1970-01-01"


@pytest.mark.parametrize("label", [10**400, -(10**400), 10**5000], ids=["400", "-400", "5000"])
def test_whole_numbers_beyond_the_doubles(label):
    """Infinite in R, where two of them would be one class."""
    with pytest.raises(
        ValueError, match="which is infinite in R: pass such labels as text"
    ) as error:
        read_labels([label, 1] * 3)
    assert len(str(error.value)) < 130
    assert read_labels([10**308, 1] * 3).texts[1] == "1"


def test_durations_are_refused():
    X = np.random.default_rng(1).normal(size=(4, 3))
    y = np.array([1, 2, 1, 2], dtype="m8[s]")
    for fit in (lambda: CDF(X, y, X), lambda: CDFClassifier().fit(X, y)):
        with pytest.raises(
            TypeError, match=r"^the labels are durations \(timedelta64\): pass them as"
        ):
            fit()


def test_whole_numbers_of_64_bits_are_an_array_of_them() -> None:
    assert read_labels([2**63 - 1, -(2**63)]).values.dtype == np.int64
    for larger in (2**63, -(2**63) - 1):
        assert read_labels([larger, 1]).values.dtype == object
        assert read_labels([larger, 1]).values.tolist() == [larger, 1]


def test_whole_numbers_beside_fractions_keep_their_digits() -> None:
    assert [type(one) for one in read_labels([LARGEST_WHOLE, 0.5]).values] == [np.float64] * 2
    kept = read_labels([LARGEST_WHOLE + 1, 0.5]).values.tolist()
    assert [type(one) for one in kept] == [int, float]


def test_shapes_of_labels() -> None:
    for y in (np.array([[1], [2]]), np.array([[1, 2]]), np.array([[[1]], [[2]]])):
        assert read_labels(y).texts == ("1", "2")
    with pytest.raises(ValueError, match="ytrain has shape 2 x 2: pass one label per row"):
        read_labels(np.array([[1, 2], [3, 4]]))
    with pytest.raises(ValueError, match="ytrain has shape a single value: pass one label"):
        read_labels(np.array(3))


def test_columns_of_pandas_keep_their_type() -> None:
    days = pd.Series(pd.to_datetime(["2020-01-02", "2020-01-01"]))
    assert read_labels(days).values.dtype == days.dtype
    assert read_labels(pd.Series([1, 2], dtype="int8")).values.dtype == np.int8
    assert read_labels(pd.Series([1, None], dtype="Int64")).texts == ("1",)
    kinds = pd.Series(["b", "a", "b"], dtype=pd.CategoricalDtype(["a", "b", "c"]))
    assert read_labels(kinds).texts == ("b", "a")
    numbers = read_labels(pd.Categorical(np.array([2, 1], dtype="int8"))).values
    assert (numbers.dtype, numbers.tolist()) == (np.int8, [2, 1])
    longest = read_labels(np.array(["a  ", "b"])).values
    assert (longest.dtype, longest.tolist()) == ("<U1", ["a", "b"])


def test_categories_of_a_type_of_pandas():
    column = pd.Categorical.from_codes([0, 1, 0], categories=pd.array([7, 5], dtype="Int64"))
    labels = read_labels(column)
    assert labels.texts == ("7", "5")
    assert labels.values.dtype == np.int64
