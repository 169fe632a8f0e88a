"""Parameters and seeds: cut, clamped and refused as R does."""

import numpy as np
import pandas as pd
import pytest

from pycdf import CDFClassifier, RStream
from pycdf.base_r.integers import as_integer, as_integers
from pycdf.inputs.checks import check_jobs, check_parameters, parameters_in_use
from pycdf.inputs.laboratory import check_rule, names_of, register
from pycdf.inputs.parameters import default_k, default_mtry, read_parameters


def used(given=12, kept=12, **values):
    call = {"ntrees": 500, "depth": 3, "mnode": 3, "k": None, "mtry": None} | values
    return read_parameters(**call, given=given, kept=kept)


def test_the_defaults_are_rs_on_the_columns_as_given():
    parameters, notes = used(given=450, kept=448)
    assert parameters == {"ntrees": 500, "depth": 3, "mnode": 3, "k": 12, "mtry": 90}
    assert notes == []
    assert (default_k(1), default_mtry(7), default_mtry(8)) == (0, 1, 2)
    assert used(given=1, kept=1)[0]["k"] == 1
    assert used(given=450, kept=5)[0]["mtry"] == 5


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("ntrees", 0, 1), ("ntrees", -3, 1), ("ntrees", 2.9, 2), ("ntrees", "5", 5),
        ("ntrees", None, 1), ("depth", -1, 0), ("depth", 50, 50), ("depth", None, 0),
        ("depth", True, 1),
        ("mnode", 0, 1), ("mnode", None, 1), ("mnode", 1000, 1000), ("mnode", "0x4", 4),
        ("k", 0, 1), ("k", -5, 1), ("k", 100, 12), ("k", "5", 5), ("k", [], 12), ("k", [9, 3], 3),
        ("mtry", 0, 1), ("mtry", 3.9, 3), ("mtry", 100, 12), ("mtry", np.float32(4), 4),
        ("ntrees", [3, 9], 9), ("ntrees", np.array([7]), 7), ("mtry", np.array(4), 4),
        ("depth", 2147483647.5, 2147483647),
    ],
)  # fmt: skip
def test_what_is_used(name, value, expected):
    assert used(**{name: value})[0][name] == expected


@pytest.mark.parametrize("name", ["ntrees", "depth", "mnode", "k", "mtry"])
@pytest.mark.parametrize("value", ["a", "", np.nan, np.inf, pd.NA, 3e9, 2**31, [3, None], "NA"])
def test_what_r_makes_na_is_refused(name, value):
    with pytest.raises(ValueError, match=rf"^{name}=.* is not a whole number .*: {name} is the "):
        used(**{name: value})


@pytest.mark.parametrize("value", [object(), 4 + 1j, b"5", pd.Timestamp("2020")])
def test_what_is_no_number_is_a_type_error(value):
    with pytest.raises(TypeError, match=r"^ntrees=.* is not a whole number"):
        used(ntrees=value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"mtry": 100}, "mtry=100 is more than the 12 usable training columns: 12 is used; "
         "choose mtry from 1 to 12, or mtry=None for R's default."),
        ({"k": 0}, "k=0 is less than 1: 1 is used."),
        ({"depth": -1}, "depth=-1 is less than 0: 0 is used."),
        ({"ntrees": 2.9}, "ntrees=2.9 is not a whole number: R truncates it to 2."),
        ({"ntrees": "2.9"}, "ntrees='2.9' is not a whole number: R truncates it to 2."),
        ({"ntrees": None},
         "ntrees=None is R's NULL, which means 1: omit ntrees for its default."),
        ({"mtry": [3, 9]}, "mtry=[3, 9] has 2 values: R uses the smallest within the limits, "
         "3. Pass one number."),
        ({"mnode": (3, 9)}, "mnode=(3, 9) has 2 values: R uses the largest within the limits, "
         "9. Pass one number."),
    ],
)  # fmt: skip
def test_what_is_not_as_written_is_noted(value, message):
    notes = used(**value)[1]
    assert [note.message for note in notes] == [message]
    assert notes[0].names == tuple(value)


@pytest.mark.parametrize("value", [12, "5", 5.0, True, np.int64(3), [4]])
def test_what_is_as_written_is_not_noted(value):
    assert used(mtry=value)[1] == []


@pytest.mark.parametrize(
    ("seed", "number"),
    [
        (1.9, 1), (-5.9, -5), (True, 1), (False, 0), ("1", 1), (" 1 ", 1), ("1.9", 1), ("0x1", 1),
        ("-0.5", 0), ([1, 2], 1), ([1, None], 1), (np.int64(7), 7), (np.array([3]), 3),
        (2**31 - 1, 2**31 - 1), (2**31 - 0.5, 2**31 - 1), (1 - 2**31, 1 - 2**31),
    ],
)  # fmt: skip
def test_seeds_that_r_takes(seed, number):
    assert RStream(seed).seed == number
    assert (RStream(seed).uniform(3) == RStream(number).uniform(3)).all()


@pytest.mark.parametrize(
    "seed",
    [np.nan, np.inf, "a", "", "NA", 3e9, 2**31, -(2**31), [], [None, 1], pd.NA, 1 + 0j, object()],
)
def test_seeds_that_r_does_not_take(seed):
    with pytest.raises(
        ValueError, match=r"^seed=.* is not a seed of R's set.seed\(\): pass a whole"
    ):
        RStream(seed)


def test_as_integer_cuts_towards_zero():
    assert [as_integer(v) for v in (2.9, -2.9, "-2.9", np.float64(0.5))] == [2, -2, -2, 0]
    assert as_integers(range(3)) == [0, 1, 2]
    assert as_integers(None) == []


DEFAULTS = CDFClassifier().get_params()


@pytest.mark.parametrize(
    ("name", "least", "largest"),
    [
        ("ntrees", 1, 2**31 - 1), ("depth", 0, 2**31 - 1), ("mnode", 1, 2**31 - 1),
        ("k", 1, 2**31 - 1), ("mtry", 1, 2**31 - 1),
        ("seed", 1 - 2**31, 2**31 - 1), ("random_state", 1 - 2**31, 2**31 - 1),
        ("redundancy", 0, 1),
    ],
)  # fmt: skip
def test_the_limits_themselves_are_allowed(name, least, largest):
    for value in (least, largest):
        check_parameters(DEFAULTS | {name: value})
    for value in (least - 1, largest + 1):
        with pytest.raises(ValueError, match=f"^{name}={value}: pass a "):
            check_parameters(DEFAULTS | {name: value})


@pytest.mark.parametrize("share", [0.01, np.float32(0.5), 1.0])
def test_shares_of_the_columns(share):
    check_parameters(DEFAULTS | {"k": share, "mtry": share})
    for name in ("ntrees", "depth", "mnode"):
        with pytest.raises(ValueError, match=f"^{name}=.*: pass a whole number"):
            check_parameters(DEFAULTS | {name: share})


def test_as_many_features_as_columns():
    used = parameters_in_use(DEFAULTS | {"k": 1.0, "mtry": 0.05}, given=10, kept=10)
    assert (used["k"], used["mtry"]) == (10, 1)  # at least one feature, however small the share
    assert parameters_in_use(DEFAULTS | {"k": 10, "mtry": 10}, given=10, kept=8)["k"] == 8
    with pytest.raises(
        ValueError, match=r"^k=11 is more than the 10 columns of X: pass at most 10"
    ):
        parameters_in_use(DEFAULTS | {"k": 11}, given=10, kept=10)


@pytest.mark.parametrize("n_jobs", [0, True, 1.0, "2"])
def test_numbers_of_cores(n_jobs):
    for allowed in (None, 1, -1, np.int64(2)):
        check_jobs(allowed)
    with pytest.raises(ValueError, match=r"^n_jobs=.*: pass a number of cores, or -1 .*, or None"):
        check_jobs(n_jobs)


def test_functions_are_tried_with_two_features_and_two_classes():
    """A caller's function may work on whole arrays, and rely on what the arguments are."""

    def distance(row, centroid, spread):
        assert row.shape == centroid.shape == spread.shape
        return (((row - centroid) / spread) ** 2).sum()

    def score(values, starts):
        assert starts[0] == 0
        assert starts[-1] == len(values)
        assert np.diff(starts).min() > 1  # enough for a standard deviation
        return values[starts[1] :].mean() - values[: starts[1]].mean()

    check_rule("distance", distance)
    check_rule("feature_score", score)


def test_functions_are_tried_before_they_get_a_name():
    for kind in ("distance", "feature_score"):
        before = names_of(kind)
        with pytest.raises(ValueError, match=f"cannot be called as a {kind}: it must take"):
            register(kind, "of_nothing", lambda: 0.0)
        with pytest.raises(ValueError, match=r"return a number, but raised TypeError: "):
            register(kind, "no_number", lambda *arguments: None)
        assert names_of(kind) == before
