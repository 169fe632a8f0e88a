"""What R does silently is told: one warning of a named category each, and a note on the result."""

import warnings

import numpy as np
import pandas as pd
import pytest

import pycdf
from pycdf import CDF
from pycdf.inputs.notes import CATEGORIES, InputWarning, Note
from pycdf.support.wording import few, plural

RNG = np.random.default_rng(5)
Y = pd.Series(["PD", "control"] * 15)
X = pd.DataFrame(RNG.normal(size=(30, 8)), columns=list("abcdefgh"))
TEST = pd.DataFrame(RNG.normal(size=(4, 8)), columns=X.columns)


def fit_and_warnings(*arguments, **settings):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit = CDF(*arguments, **({"ntrees": 2, "seed": 1} | settings))
    assert [str(warning.message) for warning in caught] == [note.message for note in fit.notes]
    assert [warning.category for warning in caught] == [note.category for note in fit.notes]
    return fit, caught


def notes(*arguments, **settings):
    return fit_and_warnings(*arguments, **settings)[0].notes


def test_plain_inputs_are_not_worth_a_note():
    assert notes(X, Y, TEST) == ()
    assert notes(X.to_numpy(), Y, TEST.to_numpy()) == ()
    assert notes(pd.DataFrame(X.to_numpy()), Y, TEST.to_numpy()) == ()  # nobody named these columns


DAYS = pd.Series(pd.date_range("2020-01-01", periods=30))

CASES = {
    "dates_in_seconds": (
        (X.assign(when=DAYS), Y, TEST.assign(when=DAYS[:4])),
        (1, ("when",)),
        "1 column of xtrain ('when') has only times at midnight, in seconds as R's POSIXct. R's "
        "Date counts days, which gives a different forest: for days pass dates, by .dt.date in "
        "pandas or .astype('datetime64[D]') in NumPy.",
    ),
    "dropped_columns": (
        (X.assign(a=1.0, b=np.nan, c=X.c.where(X.index > 0, np.inf)), Y, TEST),
        (3, ("a", "b", "c")),
        "3 columns of 8 in xtrain were left out (constant: 'a'; all missing: 'b'; infinite, or too "
        "large or small for a standard deviation: 'c').",
    ),
    "filled_columns": (
        (X, Y, TEST.drop(columns=["b", "d"])),
        (2, ("b", "d")),
        "2 columns of xtrain ('b', 'd') not in xtest were filled with the medians of xtrain. Pass "
        "xtest with all columns of xtrain.",
    ),
    "ignored_columns": (
        (X, Y, TEST.assign(extra=1)),
        (1, ("extra",)),
        "xtest has 1 column not in xtrain ('extra'): it was ignored.",
    ),
    "duplicated_names": (
        (X.rename(columns={"b": "a"}), Y, TEST.rename(columns={"b": "a"})),
        (1, ("a",)),
        "1 name ('a') occurs more than once in xtrain: each copy uses the first column of that "
        "name in xtest. Give the columns unique names.",
    ),
    "matched_by_position": (
        (X, Y, TEST.to_numpy()),
        (0, ()),
        "xtrain has column names and xtest has none: columns were matched by position. Pass both "
        "with names, or both without.",
    ),
    "text_became_missing": (
        (X.assign(a=[str(v) if v > 0 else "low" for v in X.a]), Y, TEST),
        (int((X.a <= 0).sum()), ("a",)),
        f"{plural(int((X.a <= 0).sum()), 'cell')} of text in 1 column of xtrain ('a') became "
        "missing: 'low' is not a number. Leave such columns out, or convert them to numbers "
        "(pandas.get_dummies).",
    ),
    "dropped_rows": (
        (X, Y.where(~Y.index.isin([3, 5]), None), TEST),
        (2, (3, 5)),
        "2 rows of 30 in xtrain had no label in ytrain (missing or blank) and were left out: 3, 5.",
    ),
    "labels_in_columns": (
        (X.assign(a=(Y == "PD") * 1.0), (Y == "PD") * 1, TEST),
        (1, ("a",)),
        "column 'a' of xtrain equals ytrain: were the labels left among the columns? Drop them "
        "from xtrain and xtest.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_one_note_of_its_kind(kind):
    arguments, (count, names), message = CASES[kind]
    assert notes(*arguments) == (Note(kind, count, names, message),)


def test_adjusted_parameters_are_noted():
    found = notes(X, Y, TEST, mtry=99, ntrees=2.5, depth=-1)
    assert [(note.kind, note.count, note.names) for note in found] == [
        ("adjusted_parameter", 1, (name,)) for name in ("ntrees", "depth", "mtry")
    ]


def test_every_kind_has_a_case_and_a_public_category():
    assert {*CASES, "adjusted_parameter", "guessed_format", "training_rows"} == set(CATEGORIES)
    for category in CATEGORIES.values():
        assert issubclass(category, InputWarning)
        assert getattr(pycdf, category.__name__) is category
    assert issubclass(InputWarning, UserWarning)


@pytest.mark.parametrize(
    ("test", "start"),
    [
        (TEST.add_prefix("z"), "no column of xtest ('za', 'zb', 'zc' and 5 more) has the name of "
         "one of xtrain's ('a', 'b', 'c' and 5 more): all were filled with the medians of xtrain, "
         "and every test row gets the same prediction."),
        (TEST.iloc[0], "xtest has one dimension: its 8 values are as many rows of one column, and "
         "7 columns were filled with the medians of xtrain. For one row pass [xtest]."),
        (TEST[["a"]], "7 columns of xtrain ('b', 'c', 'd' and 4 more) not in xtest were filled "
         "with the medians of xtrain. Pass xtest with all columns of xtrain."),
    ],
)  # fmt: skip
def test_how_columns_came_to_be_filled(test, start):
    assert notes(X, Y, test)[0].message.startswith(start)


def test_columns_by_position():
    found = notes(X.to_numpy(), Y, TEST.to_numpy()[:, :6])
    assert found[0].message == (
        "xtest has 6 columns and xtrain 8: 2 columns (6, 7) were filled with the medians of "
        "xtrain. Pass xtest with all columns of xtrain."
    )
    wide = np.column_stack([TEST, TEST])
    assert notes(X.to_numpy(), Y, wide)[0].message == (
        "xtest has 8 columns beyond xtrain's 8: they were ignored."
    )


def test_labels_as_text_are_found_among_the_columns():
    assert notes(X.assign(y=Y), Y, TEST)[0].kind == "labels_in_columns"
    assert notes(X.assign(y=Y.astype("category")), Y + " ", TEST)[0].kind == "labels_in_columns"
    shifted = Y.where(Y.index > 0, "control")
    assert notes(X.assign(y=shifted), Y, TEST)[0].kind == "text_became_missing"
    flag = Y == "PD"
    assert notes(X.assign(y=flag), flag, TEST.assign(y=True))[0].kind == "labels_in_columns"
    some = Y.where(Y.index > 3, None)
    assert notes(X.assign(y=Y), some, TEST)[0].kind == "labels_in_columns"


def test_a_column_that_is_dropped_anyway_is_not_noted_as_filled():
    assert [note.kind for note in notes(X.assign(z=1), Y, TEST)] == ["dropped_columns"]


def test_no_test_row_no_note_on_test_columns():
    assert notes(X, Y, pd.DataFrame()) == ()


def test_the_warning_is_on_the_callers_line():
    _, caught = fit_and_warnings(X.assign(a=1.0), Y, TEST)
    assert caught[0].filename == __file__


def test_one_kind_can_be_silenced():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pycdf.DroppedColumnsWarning)
        fit = CDF(X.assign(a=1.0), Y, TEST, ntrees=1)
        assert [note.kind for note in fit.notes] == ["dropped_columns"]
        with pytest.raises(pycdf.IgnoredColumnsWarning):
            CDF(X, Y, TEST.assign(extra=1), ntrees=1)


def test_the_result_shows_its_notes():
    fit, _ = fit_and_warnings(X.assign(a=1.0), Y, TEST)
    assert f"notes       {fit.notes[0].message}" in repr(fit)
    assert fit["notes"] is fit.notes


def test_few():
    assert few(["a"]) == "'a'"
    assert few([np.int64(4), "b", None, 1, 2]) == "4, 'b', None and 2 more"


def test_dates_and_times_of_day_are_not_worth_a_note():
    """Only what R's Date would count otherwise: the remedies, times and time zones are silent."""
    hours = DAYS + pd.Timedelta(hours=1)
    for when in (DAYS.dt.date, hours, DAYS.dt.tz_localize("UTC")):
        assert notes(X.assign(when=when), Y, TEST.assign(when=when[:4])) == ()
    days = DAYS.to_numpy()[:, np.newaxis]
    assert [note.kind for note in notes(days, Y, days[:4])] == ["dates_in_seconds"]
    assert notes(days.astype("datetime64[D]"), Y, days[:4].astype("datetime64[D]")) == ()
    days_and_seconds = notes(X.assign(when=DAYS.dt.date), Y, TEST.assign(when=DAYS[:4]))
    assert [note.message[:28] for note in days_and_seconds] == ["1 column of xtest ('when') h"]


@pytest.mark.parametrize("row", [0, 1, 2, 29])
def test_columns_that_differ_from_the_labels_in_one_row_are_not_the_labels(row):
    numbers = (Y == "PD") * 1
    other = numbers.where(numbers.index != row, 5)
    assert notes(X.assign(a=other * 1.0), numbers, TEST) == ()


def test_reasons_for_which_columns_are_left_out():
    train = X.assign(a=X.a.where(X.index < 0, 2.0).where(X.index != 4, np.nan), b=1e300 * X.b)
    assert notes(train, Y, TEST)[0].message == (
        "2 columns of 8 in xtrain were left out (constant: 'a'; infinite, or too large or small "
        "for a standard deviation: 'b')."
    )


def test_text_and_dates_in_columns_that_are_not_used_are_not_noted():
    """Those of training rows become missing; those of test rows would be ignored anyway."""
    train, when = X.assign(a=1.0), pd.Series([DAYS[0]] * 30)
    kinds = [note.kind for note in notes(train, Y, TEST.assign(a="low", z="high"))]
    assert kinds == ["dropped_columns", "ignored_columns"]
    kinds = [note.kind for note in notes(X.assign(z=when), Y, TEST.assign(z=when[:4]))]
    assert kinds == ["dropped_columns"]


def test_many_names_that_occur_more_than_once():
    names = dict(zip("bdf", "ace", strict=True))
    found = notes(X.rename(columns=names), Y, TEST.rename(columns=names))
    assert found[0].message.startswith("3 names ('a', 'c', 'e') occur more than once in xtrain: ")
    assert (len(found), found[0].count) == (1, 3)


def test_one_column_of_test_values_is_not_said_to_lack_names():
    kinds = [note.kind for note in notes(X, Y, TEST.a)]
    assert kinds == ["filled_columns"]
    kinds = [note.kind for note in notes(X.to_numpy(), Y, TEST)]
    assert kinds == ["matched_by_position"]
    assert notes(X.to_numpy(), Y, TEST)[0].message.startswith(
        "xtest has column names and xtrain has none: columns were matched by position."
    )


def test_other_words_for_the_same_rows_are_not_the_labels():
    other = Y.map({"PD": "ill", "control": "well"})
    kinds = [note.kind for note in notes(X.assign(y=other), Y, TEST)]
    assert kinds == ["text_became_missing", "dropped_columns"]


def test_names_are_plain_and_the_warning_is_on_the_line_of_the_call():
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(12, 3)))
    frame.columns = pd.Index([np.int16(7), "b", np.int16(9)], dtype=object)
    frame[np.int16(9)] = 4.0
    with pytest.warns(pycdf.DroppedColumnsWarning) as told:
        fit = CDF(frame, ["a", "b"] * 6, frame, ntrees=3, seed=1)
    assert [(name, type(name)) for note in fit.notes for name in note.names] == [(9, int)]
    assert {one.filename for one in told} == {__file__}
