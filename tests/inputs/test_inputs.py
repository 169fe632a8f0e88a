"""Tables of every kind become R's matrices; columns are aligned and dropped as R does."""

import datetime
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from programs import python_ok
from scipy import sparse

from pycdf import CDF
from pycdf.inputs.columns import (
    durations_to_doubles,
    read_column,
    read_mixed_cells,
    times_to_doubles,
)
from pycdf.inputs.labels import read_labels
from pycdf.inputs.matching import match_columns
from pycdf.inputs.prepare import clean
from pycdf.inputs.tables import fits_r_integer, read_matrix
from pycdf.inputs.transpose import mean_of_two, medians, round_80
from pycdf.kernels.column_sd import column_spreads

NAN = float("nan")
RNG = np.random.default_rng(12)
Y = ["a", "b"] * 15
X = RNG.normal(size=(30, 9)) + np.outer([0, 1] * 15, [1.0] * 3 + [0.0] * 6)
TEST = RNG.normal(size=(5, 9))
NAMES = [f"v{j}" for j in range(9)]
DAY = datetime.date
MOMENT = datetime.datetime


def values(series, **kwargs):
    return read_column(pd.Series(series, **kwargs), "x").values


def same(ours, expected):
    np.testing.assert_array_equal(np.asarray(ours), np.asarray(expected, dtype=float))


# ---- cells -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pd.Series([1, 2]), [1, 2]),
        (pd.Series([True, False]), [1, 0]),
        (pd.Series([1, None], dtype="Int64"), [1, NAN]),
        (pd.Series([1.5, None], dtype="Float64"), [1.5, NAN]),
        (pd.Series([True, None], dtype="boolean"), [1, NAN]),
        (pd.Series(["1e3", None, "x"], dtype="string"), [1000, NAN, NAN]),
        (pd.Series(["0x1A", "inf", " 7 "], dtype=object), [26, np.inf, 7]),
        (pd.Series(["5", "3", None, "b"], dtype="category"), [5, 3, NAN, NAN]),
        (pd.Series([0.1 + 0.2, 7.0], dtype="category"), [0.3, 7]),  # R's factor has 15 digits
        (pd.Series([True, False], dtype="category"), [NAN, NAN]),  # "TRUE" is no number
        (pd.Series([DAY(1970, 1, 2), None, DAY(1969, 12, 31)]), [1, NAN, -1]),
        (pd.Series(pd.to_datetime(["1970-01-01 00:00:01.5", None])), [1.5, NAN]),
        (pd.Series(pd.to_datetime(["1970-01-02"])).dt.tz_localize("Asia/Tokyo"), [54000]),
        (pd.Series([MOMENT(1969, 12, 31, 23, 59, 59, 250000)], dtype=object), [-0.75]),
        (pd.Series([pd.Timestamp("1970-01-01", tz="Asia/Tokyo")], dtype=object), [-32400]),
        (pd.Series(pd.to_timedelta(["1.5s", None])), [1.5, NAN]),
        (pd.Series([datetime.timedelta(days=1)], dtype=object), [86400]),
        (pd.Series(pd.arrays.SparseArray([0.0, 2.0])), [0, 2]),
        (pd.Series([1, 2.5, "3", True, None, pd.NA, NAN, pd.NaT], dtype=object),
         [1, 2.5, 3, 1, NAN, NAN, NAN, NAN]),
        (pd.Series([Decimal("0.5"), Fraction(1, 4), 10**400, -(10**400), np.int8(3)], dtype=object),
         [0.5, 0.25, np.inf, -np.inf, 3]),
        (pd.Series([1, None], dtype=pd.ArrowDtype(pa.int32())), [1, NAN]),
        (pd.Series([True, None], dtype=pd.ArrowDtype(pa.bool_())), [1, NAN]),
        (pd.Series(["2", "z"], dtype=pd.ArrowDtype(pa.string())), [2, NAN]),
        (pd.Series([DAY(1970, 1, 3)], dtype=pd.ArrowDtype(pa.date32())), [2]),
        (pd.Series([MOMENT(1970, 1, 1, 1), None], dtype=pd.ArrowDtype(pa.timestamp("ms"))),
         [3600, NAN]),
        (pd.Series([Decimal("1.25")], dtype=pd.ArrowDtype(pa.decimal128(5, 2))), [1.25]),
        (pd.Series([None, None]), [NAN, NAN]),
    ],
)  # fmt: skip
def test_a_column_of_any_dtype(column, expected):
    same(read_column(column, "x").values, expected)


@pytest.mark.parametrize(
    ("unit", "ticks", "seconds"),
    [("h", 2, 7200), ("m", 2, 120), ("s", 5, 5), ("ms", 5 * 10**3, 5), ("us", 5 * 10**6, 5),
     ("ns", 5 * 10**9, 5), ("ps", 5 * 10**12, 5), ("fs", 5 * 10**15, 5), ("as", 5 * 10**18, 5)],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
def test_times_of_every_unit_are_seconds(kind, unit, ticks, seconds):
    same(values(np.array([ticks, 0, "NaT"], dtype=f"{kind}[{unit}]")), [seconds, 0, NAN])


def test_days_are_days_and_moments_are_the_nearest_seconds():
    days = np.array(["1970-01-11", "NaT"], dtype="datetime64[D]")
    same(read_matrix(days, "xtest").values[:, 0], [10, NAN])
    same(read_matrix(days - days[0], "xtest").values[:, 0], [0, NAN])
    ticks = [-1, -999_999_999, 1_600_000_000_123_456_789, -1_600_000_000_123_456_789, 10**9 + 1]
    ours = values(np.array(ticks, dtype="datetime64[ns]"))
    same(ours, [tick / 10**9 for tick in ticks])  # whole numbers divide correctly in Python
    same(values(np.array(ticks, dtype="timedelta64[us]")), [tick / 10**6 for tick in ticks])


def test_text_that_is_lost_is_counted():
    column = read_mixed_cells(["1", "x", "", "NA", "nan", None, "y", "x"], "c")
    assert (column.lost, column.example) == (3, "x")
    assert column.cells[0] == "1"
    assert read_mixed_cells(["1", "", " NA "], "c").lost == 0
    assert read_mixed_cells([b"2.5"], "c").values.tolist() == [2.5]


@pytest.mark.parametrize(
    "cell", [[1, 2], {"a": 1}, object(), 1j, datetime.time(1), pd.Period("2020"), np.zeros(2)]
)
def test_a_cell_that_is_no_number(cell):
    with pytest.raises(TypeError, match=r"^xtrain: column 'a', row 1, contains "):
        read_matrix(pd.DataFrame({"a": pd.Series([1.0, cell], dtype=object)}), "xtrain")


# ---- containers --------------------------------------------------------------------------------


def polars_table(data):
    return pl.DataFrame(data, schema=NAMES)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x,
        np.asfortranarray,
        lambda x: x.tolist(),
        lambda x: list(x),
        lambda x: x.astype(object),
        lambda x: np.array([[repr(float(v)) for v in row] for row in x]),
        lambda x: np.ma.array(x),
        lambda x: pd.DataFrame(x),
        lambda x: pd.DataFrame(x).astype(object),
        lambda x: pd.DataFrame(x).astype("Float64"),
        lambda x: pd.DataFrame(x).astype({0: object, 1: "Float64"}),
        lambda x: pd.DataFrame(x).astype(pd.ArrowDtype(pa.float64())),
        lambda x: pd.DataFrame({f"v{j}": column for j, column in enumerate(x.T)}),
        polars_table,
        lambda x: polars_table(x).with_columns(pl.col("v0").cast(pl.String)),
        sparse.csr_matrix,
        sparse.csc_array,
    ],
)
def test_the_same_numbers_in_any_container(make):
    x, t = X.round(3), TEST.round(3)
    plain = CDF(x, Y, t, ntrees=5, seed=1)
    ours = CDF(make(x), Y, make(t), ntrees=5, seed=1)
    assert (ours.votes == plain.votes).all()
    same(ours.feature_importance, plain.feature_importance)
    assert ours.notes == ()


def test_gaps_are_gaps_in_any_container():
    x = X.copy()
    x[::4, 2] = NAN
    whole = np.where(np.isnan(x), 7, x * 10).astype(int)
    masked = np.ma.array(whole, mask=np.isnan(x))
    assert read_matrix(masked, "xtrain").integer
    same(read_matrix(masked, "xtrain").values, np.where(np.isnan(x), NAN, whole))
    listed = [[None if np.isnan(v) else float(v) for v in row] for row in x]
    same(read_matrix(listed, "xtrain").values, x)
    frame = pl.DataFrame(listed, schema=NAMES, orient="row")
    same(read_matrix(frame, "xtrain").values, x)


def test_polars_columns():
    frame = pl.DataFrame(
        {
            "bool": [True, None],
            "text": ["1e1", "x"],
            "factor": pl.Series(["3", None], dtype=pl.Categorical),
            "day": [DAY(1970, 1, 2), None],
            "moment": [MOMENT(1969, 12, 31, 23, 59, 59, 500000), None],
            "zoned": pl.Series([MOMENT(1970, 1, 1), None]).dt.replace_time_zone("Asia/Tokyo"),
            "span": [datetime.timedelta(seconds=90), None],
            "exact": pl.Series([Decimal("0.25"), None]),
            "nothing": [None, None],
            "huge": pl.Series([2**80, None], dtype=pl.Int128),
        }
    )
    matrix = read_matrix(frame, "xtrain")
    same(matrix.values[0], [1, 10, 3, 1, -0.5, -32400, 90, 0.25, NAN, 2.0**80])
    assert np.isnan(matrix.values[1]).all()
    assert list(matrix.lost) == [1]
    assert matrix.names.tolist() == frame.columns
    same(read_matrix(frame["day"], "xtest").values, [[1], [NAN]])


@pytest.mark.endurance
def test_polars_is_not_imported():
    code = "import sys, pycdf; pycdf.CDF([[1, 2], [2, 1], [3, 5]], list('aba'), [[1, 2]], ntrees=1)"
    code += "; assert 'polars' not in sys.modules"
    python_ok("-c", code)


def test_one_dimension_is_one_column_in_test_only():
    for column in (TEST[:, 0], TEST[:, 0].tolist(), pd.Series(TEST[:, 0]), pl.Series(TEST[:, 0])):
        matrix = read_matrix(column, "xtest")
        same(matrix.values, TEST[:, :1])
        assert matrix.flat
        assert matrix.names is None
        with pytest.raises(ValueError, match=r"^xtrain is a .* of 5 values, with no columns"):
            read_matrix(column, "xtrain")


@pytest.mark.parametrize(
    ("data", "integer"),
    [
        (np.array([[1, 2]]), True),
        (np.array([[1, 2]], dtype="uint8"), True),
        (np.array([[2**31 - 1, -(2**31) + 1]]), True),
        (np.array([[2**31, 0]]), False),
        (np.array([[-(2**31), 0]]), False),
        (np.array([[True, False]]), False),
        (np.array([[1.0, 2.0]]), False),
        ([[1, 2]], False),
        (pd.DataFrame([[1, 2]]), False),
        (pl.DataFrame({"a": [1], "b": [2]}), False),
        (sparse.csr_matrix(np.array([[1, 2]])), False),
    ],
)
def test_rs_integer_matrix(data, integer):
    assert read_matrix(data, "xtrain").integer is integer


def test_what_pandas_can_read_is_refused_with_the_remedy():
    message = r"^xtest is a ChunkedArray, not a table: pass xtest.to_pandas\(\)\.$"
    with pytest.raises(TypeError, match=message):
        read_matrix(pa.chunked_array([[1, 2]]), "xtest")


# ---- the caller's data -------------------------------------------------------------------------


@pytest.mark.parametrize("make", [np.array, np.asfortranarray, lambda x: (x * 9).astype(np.int64)])
def test_arrays_may_be_read_only_and_stay_as_they_are(make):
    train, test = make(X), make(TEST)
    before = train.copy(), test.copy()
    for array in (train, test):
        array.flags.writeable = False
    plain = CDF(*(make(X), Y, make(TEST)), ntrees=3, seed=2)
    fit = CDF(train, Y, test, ntrees=3, seed=2)
    assert (train == before[0]).all()
    assert (test == before[1]).all()
    assert (fit.votes == plain.votes).all()


def test_frames_stay_as_they_are():
    train = pd.DataFrame(X, columns=NAMES).assign(text="1", none=None, flag=True)
    test = pd.DataFrame(TEST, columns=NAMES)[NAMES[::-1]]
    before = train.copy(deep=True), test.copy(deep=True)
    with pytest.warns(UserWarning, match="left out"):
        CDF(train, Y, test, ntrees=3, seed=2)
    pd.testing.assert_frame_equal(train, before[0])
    pd.testing.assert_frame_equal(test, before[1])


def test_the_result_does_not_follow_the_callers_later_changes():
    test = TEST.copy()
    fit = CDF(X, Y, test, ntrees=9, seed=2)
    probabilities = fit.probabilities.copy()
    test[:] = 100.0
    counted = np.array([(fit.votes == code).mean(axis=1) for code in (0, 1)]).T
    same(counted, probabilities)


def test_numbers_are_read_without_a_copy():
    frame = pd.DataFrame(X, columns=NAMES)
    assert np.shares_memory(read_matrix(frame, "xtrain").values, frame.to_numpy())
    assert np.shares_memory(read_matrix(X, "xtrain").values, X)


# ---- columns -----------------------------------------------------------------------------------


def source(train_names, test_names):
    train = pd.DataFrame(np.zeros((2, len(train_names))), columns=train_names)
    test = pd.DataFrame(np.zeros((2, len(test_names))), columns=test_names)
    match = match_columns(read_matrix(train, "xtrain"), read_matrix(test, "xtest"))
    return match.source.tolist(), match.surplus.tolist(), match.shared


@pytest.mark.parametrize(
    ("train", "test", "expected"),
    [
        (["a", "b"], ["a", "b"], ([0, 1], [], ())),
        (["a", "b"], ["b", "x", "a"], ([2, 0], [1], ())),
        (["a", "b"], ["b"], ([-1, 0], [], ())),
        (["a", "b", "a"], ["b", "a", "a"], ([1, 0, 1], [], ("a",))),
        (["a", "a"], ["a", "a"], ([0, 0], [], ("a",))),
        (["a", "a"], ["x"], ([-1, -1], [0], ())),
        ([1, 2], ["2", "1"], ([1, 0], [], ())),
        ([1.0, 1e5], ["1e+05", 1], ([1, 0], [], ())),
        ([1, "1"], [1, "1"], ([0, 0], [], (1,))),
        ([None, "a"], ["a", None], ([1, 0], [], ())),
        ([True, "a"], ["a", "TRUE"], ([1, 0], [], ())),
        ([("a", 1), ("a", 2)], [("a", 2), ("a", 1)], ([1, 0], [], ())),
    ],
)
def test_columns_are_matched_by_name_as_text(train, test, expected):
    index = pd.MultiIndex.from_tuples if isinstance(train[0], tuple) else list
    assert source(index(train), index(test)) == expected


def test_a_multiindex_of_columns_stays_on_the_importance():
    names = pd.MultiIndex.from_product([["p", "q", "r"], [1, 2, 3]])
    train, test = pd.DataFrame(X, columns=names), pd.DataFrame(TEST, columns=names)
    fit = CDF(train, Y, test[names[::-1]], ntrees=3, seed=1)
    assert fit.feature_importance.index.equals(names)
    assert set(fit.centroids["feature"]) <= set(names)
    assert (fit.votes == CDF(X, Y, TEST, ntrees=3, seed=1).votes).all()


def ready(train, test, y=("a", "b", "a", "b")):
    return clean(read_matrix(train, "xtrain"), read_matrix(test, "xtest"), read_labels(list(y)))


def test_missing_test_columns_get_the_medians_of_the_labelled_rows():
    train = np.array([[1.0, 10, 5], [2, 20, 6], [4, 30, 8], [9, 99, 9]])
    data = ready(train, np.array([[7.0]]), ["a", "b", "a", None])
    same(data.test, [[7, 20, 6]])
    assert data.training.codes.tolist() == [0, 1, 0]
    same(data.training.columns, train[:3].T)
    assert [note.kind for note in data.notes] == ["dropped_rows", "filled_columns"]


def test_columns_of_no_use_are_dropped_on_both_sides():
    good = np.array([1.0, 2, 3, 5])
    bad = [np.full(4, 0.1), np.full(4, NAN), np.array([1.0, np.inf, 2, 3]), good * 1e200]
    bad += [np.array([1.0, NAN, NAN, NAN]), good * 1e-200]
    train = np.column_stack([bad[0], good, *bad[1:], -good])
    data = ready(train, np.arange(16.0).reshape(2, 8))
    assert data.names.tolist() == [1, 7]
    same(data.training.columns, [good, -good])
    same(data.test, [[1, 7], [9, 15]])
    assert data.notes[0].names == (0, 2, 3, 4, 5, 6)


def test_one_test_row_none_and_few_columns_are_answered():
    many = CDF(X, Y, TEST, ntrees=9, seed=4)
    one = CDF(X, Y, TEST[:1], ntrees=9, seed=4)
    assert one.predictions[0] == many.predictions[0]
    assert (one.votes == many.votes[:1]).all()
    none = CDF(X, Y, TEST[:0], ntrees=9, seed=4)
    assert none.predictions.shape == (0,)
    assert none.probabilities.shape == (0, 2)
    assert none.feature_importance.equals(many.feature_importance)
    single = CDF(X[:, :1], Y, TEST[:, :1], ntrees=9, seed=4)
    assert single.parameters["mtry"] == 1
    assert single.feature_importance.tolist() == [1.0]
    assert CDF(X[:, :7], Y, TEST[:, :7], ntrees=9, seed=4).parameters["mtry"] == 1


# ---- numbers -----------------------------------------------------------------------------------


def test_spreads_are_those_of_one_column_at_a_time():
    rng = np.random.default_rng(13)
    columns = rng.normal(size=(21, 17)) * 10.0 ** rng.integers(-3, 9, size=(21, 1))
    columns[rng.random(columns.shape) < 0.2] = NAN
    columns[3], columns[4, 1:] = NAN, NAN
    for integer in (False, True):
        together = np.empty(21)
        column_spreads(columns, integer, together)
        for j, column in enumerate(columns):
            found = column[~np.isnan(column)].tolist()
            same([together[j]], [plain_spread(found, integer)])


def plain_spread(column, integer):
    if len(column) < 2:
        return NAN
    center = in_order(column) / len(column)
    if not integer:
        center += in_order([x - center for x in column]) / len(column)
    return (in_order([(x - center) * (x - center) for x in column]) / (len(column) - 1)) ** 0.5


def in_order(terms):
    total = 0.0
    for term in terms:  # from Python 3.12 on, sum() is more exact than R
        total += term
    return total


def test_medians():
    columns = np.array([[3.0, NAN, 1, 2], [1, 2, 3, 4], [NAN] * 4, [np.inf, np.inf, 1, np.inf]])
    same(medians(columns), [2, 2.5, 0, 0])
    assert mean_of_two(1e308, 1.5e308) == 1.25e308
    assert mean_of_two(5e-324, 1e-323) == 1e-323  # half of three smallest steps, ties to even
    assert mean_of_two(0.1, 0.3) == 0.2
    assert mean_of_two(-1.0, 1.0) == 0.0
    assert mean_of_two(1.0, math.inf) == math.inf
    # R's answers where a mean of doubles alone would be rounded otherwise
    assert mean_of_two(-0.0007804585583670362, 207.198413455987).hex() == "0x1.9e653026f9221p+6"
    assert mean_of_two(57.98995855438018, -0.00569902559566416).hex() == "0x1.cfdfc375b73f3p+4"
    assert (
        mean_of_two(4.3839125291706636e-07, 0.001502517297548085).hex() == "0x1.89fda61f79a3ep-11"
    )


def test_one_row_is_a_table():
    two = [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(TypeError, match=r"^ytrain\[0\] is \[1.0, 2.0\]: each label must be"):
        CDF(two, two, [[1.0, 2.0]])  # neither of the others is the labels


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns", "ps", "fs", "as"])
def test_times_in_every_unit_are_seconds(unit):
    half = 10 ** (3 * ["s", "ms", "us", "ns", "ps", "fs", "as"].index(unit)) * 2
    ticks = np.array([half, -half, np.iinfo(np.int64).min])
    assert np.array_equal(times_to_doubles(ticks.view(f"M8[{unit}]")), [2, -2, np.nan], True)
    assert np.array_equal(durations_to_doubles(ticks.view(f"m8[{unit}]")), [2, -2, np.nan], True)


def test_columns_with_the_same_names_are_matched_by_name():
    both = [read_matrix(pd.DataFrame(np.eye(2), columns=["a", "b"]), name) for name in ("x", "z")]
    found = match_columns(*both)
    assert found.by_name
    assert found.source.tolist() == [0, 1]
    unnamed = read_matrix(np.eye(2), "z")
    assert not match_columns(both[0], unnamed).by_name


def test_durations_among_other_cells_are_seconds():
    cells = [pd.Timedelta(seconds=2.5), 1.0, None]
    assert np.array_equal(read_mixed_cells(cells, "x").values, [2.5, 1.0, np.nan], True)


def test_frames_of_one_small_type_are_read_without_a_copy():
    frame = pd.DataFrame(X.astype(np.float32), columns=NAMES)
    found = read_matrix(frame, "xtrain").values
    assert np.shares_memory(found, frame.to_numpy())
    assert found.dtype == np.float32
    mixed = read_matrix(frame.assign(v0=True), "xtrain").values
    assert mixed.dtype == np.float64


def test_moments_that_a_double_cannot_count_are_the_nearest_seconds():
    ticks = 2**53 + 1 + 2 * np.arange(300)
    ours = values(ticks.astype("datetime64[us]"))
    same(ours, [int(tick) / 10**6 for tick in ticks])
    assert (ours != ticks.astype(np.float64) / 10**6).any()
    last = -(2**53)  # which a double can count
    same(times_to_doubles(np.array([last], dtype="datetime64[as]")), [last / 10**18])


def test_numpys_times_among_other_cells():
    cells = [np.datetime64("1970-01-02"), np.datetime64("NaT", "D"),
             np.array("1970-01-01T00:00:05", dtype="M8[s]"),
             np.timedelta64(1500, "ms"), np.timedelta64(5, "ns"),
             np.timedelta64(2, "D")]  # fmt: skip
    assert np.array_equal(
        read_mixed_cells(cells, "x").values, [1, np.nan, 5, 1.5, 5e-9, 2], equal_nan=True
    )
    aware = MOMENT(1970, 1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    assert read_mixed_cells([aware, pd.Timestamp("1970-01-01 00:00:07")], "x").values.tolist() == [
        0, 7,
    ]  # fmt: skip


def test_columns_of_midnights_have_a_midnight():
    def midnights(*moments, unit="s"):
        return read_matrix(np.array([moments], dtype=f"M8[{unit}]").T, "xtrain").midnights

    assert midnights("2020-01-01", "NaT", "2020-03-01") == (0,)
    assert midnights("2020-01-01", "2020-03-01", unit="D") == ()
    assert midnights("2020-01-01", "2020-03-01T00:00:01") == ()
    assert midnights("NaT", "NaT") == ()
    assert read_matrix(pl.Series([MOMENT(2020, 1, 1)]), "xtest").midnights == (0,)


def test_medians_of_extreme_columns():
    inf = np.inf
    columns = np.array([[1, inf, NAN], [-inf, inf, NAN], [1e308, 1.7e308, NAN], [NAN, 4, NAN]])
    same(medians(columns), [0, 0, 1.35e308, 4])
    assert mean_of_two(2.0**53, 1.0) == 2.0**52 + 0.5  # of which the sum is not a double


def test_empty_integer_arrays_are_no_integer_matrix():
    assert not fits_r_integer(np.empty((0, 3), dtype=np.int64))
    assert not fits_r_integer(np.ma.array([[1, 2]], mask=True))


def test_rows_that_are_lists_of_other_things():
    assert read_matrix([[1, None], ["2", 5]], "xtrain").values.tolist()[1] == [2, 5]
    cells = [[1.0, [2, 3]], [4.0, 5.0]]
    with pytest.raises(TypeError, match=r"^xtrain: column 1, row 0, contains list"):
        read_matrix(cells, "xtrain")


def test_numbers_are_rounded_to_80_bits_as_long_doubles_are():
    for value, expected in (
        (2**64 - 1, 2**64 - 1), (2**64 + 1, 2**64), (2**64 + 3, 2**64 + 4), (2**65 - 1, 2**65),
        (0, 0),
    ):  # fmt: skip
        for scale in (1, Fraction(1, 2**200), 2**200, -1):
            assert round_80(Fraction(value) * scale) == expected * scale
    third = round_80(Fraction(1, 3))
    assert third.numerator.bit_length() == 64
    assert abs(third - Fraction(1, 3)) < Fraction(1, 2**66)


def test_numbers_beside_text_in_lists_stay_numbers():
    found = read_matrix([[True, "2"], [False, "x"], [DAY(1970, 1, 3), "4"]], "xtrain")
    same(found.values, [[1, 2], [0, NAN], [2, 4]])
    assert list(found.lost) == [1]
    bare = read_matrix([["1", True]], "xtrain")
    same(bare.values, [[1, 1]])


@pytest.mark.parametrize("kind", [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16,
                                  pl.UInt32, pl.UInt64, pl.Float32, pl.Float64])  # fmt: skip
def test_numbers_of_polars_keep_their_size(kind):
    found = read_matrix(
        pl.DataFrame({"a": [1, 2], "b": [3, 4]}, schema_overrides={"a": kind, "b": kind}), "xtrain"
    )
    assert found.values.dtype.name == kind.__name__.lower()
    assert found.values.tolist() == [[1, 3], [2, 4]]


def test_categories_that_are_no_numbers_are_counted():
    column = read_column(pd.Series(["x", "5", None, "y", "x"], dtype="category"), "c")
    same(column.values, [NAN, 5, NAN, NAN, NAN])
    assert (column.lost, column.example) == (3, "x")
    assert list(column.cells) == ["x", "5", None, "y", "x"]


def test_one_cell_can_be_an_integer_matrix():
    assert fits_r_integer(np.array([[5]]))
    assert not fits_r_integer(np.array([[5.0]]))


@pytest.mark.parametrize("columns", [2, 3])
def test_swapped_lists_are_told(columns):
    rows = [[float(i * j) for j in range(columns)] for i in range(1, 9)]
    with pytest.raises(ValueError, match="ytrain is a table and xtrain is not: swap them"):
        CDF([1.0, 2.0] * 4, rows, rows)
