"""The ten most likely mistakes: the first line of each message tells what to do."""

import warnings

import numpy as np
import pandas as pd
import pytest

from pycdf import CDF, InputWarning

RNG = np.random.default_rng(3)
Y = pd.Series(["PD", "control"] * 20)
X = pd.DataFrame(RNG.normal(size=(40, 12)), columns=[f"v{j}" for j in range(12)])
TEST = pd.DataFrame(RNG.normal(size=(6, 12)), columns=X.columns)


def error(*arguments, **settings) -> str:
    with pytest.raises((TypeError, ValueError)) as caught:
        CDF(*arguments, **settings)
    return str(caught.value)


def told(*arguments, **settings) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CDF(*arguments, ntrees=2, seed=1, **settings)
    assert all(issubclass(warning.category, InputWarning) for warning in caught)
    return [str(warning.message) for warning in caught]


def test_swapped_x_and_y():
    order = "swap them. The order is CDF(xtrain, ytrain, xtest)."
    assert error(Y, X, TEST) == f"ytrain is a table and xtrain is not: {order}"
    assert error(Y.tolist(), X.to_numpy().tolist(), TEST) == (
        f"ytrain is a table and xtrain is not: {order}"
    )
    assert error(X, TEST, Y) == f"ytrain is a table and xtest is not: {order}"
    assert error(Y, Y, TEST) == (
        "xtrain is a Series of 40 values, with no columns: pass a table of rows and columns "
        "(the order is xtrain, ytrain, xtest; one column is xtrain.reshape(-1, 1))."
    )


def test_labels_left_in_x():
    first = (
        "column 'Y' of xtrain equals ytrain: were the labels left among the columns? "
        "Drop them from xtrain and xtest."
    )
    assert told(X.assign(Y=Y), Y, TEST)[0] == first
    coded = (Y == "PD").astype(int)
    assert told(X.assign(Y=coded), coded, TEST.assign(Y=0)) == [first]
    assert told(X.assign(Y=coded), coded.astype(bool), TEST.assign(Y=0)) == [first]


def test_a_text_column_that_is_an_id():
    ids = [f"P{i:03}" for i in range(46)]
    assert told(X.assign(id=ids[:40]), Y, TEST.assign(id=ids[40:])) == [
        "40 cells of text in 1 column of xtrain ('id') became missing: 'P000' is not a number. "
        "Leave such columns out, or convert them to numbers (pandas.get_dummies).",
        "1 column of 13 in xtrain was left out (all missing: 'id').",
    ]


def test_one_class_in_the_training_part():
    assert error(X, ["PD"] * 40, TEST) == (
        "ytrain has only the class 'PD' in its 40 rows: pass training rows of at least two classes "
        "(a stratified split keeps all of them)."
    )
    assert error(X, [None] * 40, TEST) == (
        "ytrain has no label in its 40 rows: pass training rows of at least two classes "
        "(a stratified split keeps all of them)."
    )


def test_a_list_of_text_as_xtest():
    assert told(X, Y, ["v0", "v1", "v2"])[0] == (
        "xtest is one column of text, and 3 cells (such as 'v0') became missing: pass the rows "
        "to predict, as a table with the columns of xtrain."
    )


def test_lengths_that_do_not_match():
    assert error(X, Y[:39], TEST) == (
        "ytrain has 39 labels and xtrain 40 rows: pass one label per row, both from the same split."
    )
    assert error(X.T, Y, TEST) == (
        "ytrain has 40 labels and xtrain 12 rows: is xtrain transposed? Pass xtrain.T."
    )


def test_mtry_larger_than_p():
    assert told(X, Y, TEST, mtry=100) == [
        "mtry=100 is more than the 12 usable training columns: 12 is used; choose mtry from 1 to "
        "12, or mtry=None for R's default."
    ]


def test_a_seed_too_large():
    assert error(X, Y, TEST, seed=3_000_000_000) == (
        "seed=3000000000 is not a seed of R's set.seed(): pass a whole number from -2147483647 to "
        "2147483647, or None for fresh randomness."
    )


def test_an_empty_frame():
    assert error(pd.DataFrame(), Y, TEST) == (
        "xtrain has 0 rows and 0 columns: pass at least two rows and one column."
    )
    assert error(X[:0], Y[:0], TEST) == (
        "xtrain has 0 rows and 12 columns: pass at least two rows and one column."
    )


def test_a_frame_of_objects():
    objects = X.astype(object)
    assert told(objects, Y, TEST) == []  # numbers are numbers, whatever the dtype
    objects.iat[3, 4] = {"a": 1}
    assert error(objects, Y, TEST) == (
        "xtrain: column 'v4', row 3, contains dict {'a': 1}: pass numbers, bools, text, "
        "categories, dates or times."
    )


@pytest.mark.parametrize(
    ("xtrain", "message"),
    [
        (None, "xtrain is None: pass a table of rows and columns."),
        ("train.csv", "xtrain is a str, not a table: pass the table itself, such as "
         "pandas.read_csv of that file."),
        ({"a": [1, 2]}, "xtrain is a dict, not a table: pass pandas.DataFrame(xtrain)."),
        (3.5, "xtrain is a float, not a table: pass a table of rows and columns."),
        ([[1, 2], [3]], "xtrain is not a table: row 1 has 1 cells and row 0 has 2; give every row "
         "one cell per column."),
        (np.zeros((4, 2, 2)), "xtrain has 3 dimensions: pass a table of rows and columns."),
        (np.zeros((40, 2)) * 1j, "xtrain contains complex numbers: pass real numbers."),
        ([[1j, 2], [3, 4]], "xtrain contains complex numbers: pass real numbers."),
        (X.to_records(), "xtrain is a structured array: pass pandas.DataFrame(xtrain)."),
        (X * 0, "xtrain has no usable column among its 12: each is constant, missing, text, "
         "infinite, or too large or small for a standard deviation. Pass columns of numbers that "
         "vary."),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_is_no_table(xtrain, message):
    assert error(xtrain, Y, TEST) == message


def test_fewest_rows():
    assert error(X[:1], Y[:1], TEST) == (
        "xtrain has 1 row and 12 columns: pass at least two rows and one column."
    )
    assert error(X[[]], Y, TEST) == (
        "xtrain has 40 rows and 0 columns: pass at least two rows and one column."
    )
    assert told(X[:2], Y[:2], TEST) == []


def test_what_is_no_swap():
    """A single column of labels is read as labels, and a list of rows as a table."""
    assert told(X, Y.to_frame().to_numpy(), TEST) == []
    assert error(X.to_numpy().tolist(), X, TEST).startswith("ytrain is a DataFrame with columns")
    assert error(X, X.to_numpy().tolist(), TEST).startswith("ytrain[0] is [")
    assert error(X, [], TEST).startswith("ytrain has 0 labels and xtrain 40 rows: ")
    assert error(X, {"PD": 1}, TEST).startswith("ytrain is {'PD': 1}: pass a sequence")
