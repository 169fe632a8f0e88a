"""Other ways to divide rows than the paper's; parity_tests draws the same in R."""

import numpy as np
import pytest

from pycdf import RStream
from pycdf.experiment.designs import DEFAULT, Design
from pycdf.experiment.splits import count_splits, split

Y = np.array(["b", "a", "b", "b", "c", "a", "b", "b", "b", "a", "b", "c", "b"])  # 8, 3 and 2
PATIENTS = np.array(["p", "p", "q", "r", "r", "q", "s", "t", "t", "u", "v", "v", "w"])
PURE = np.array(["p", "q", "p", "r", "s", "q", "r", "t", "t", "u", "v", "w", "v"])


def whole(train, test):
    return sorted([*train, *test]) == list(range(len(Y)))


def test_the_default_is_the_papers():
    for i in (1, 2, 500):
        for ours, theirs in zip(DEFAULT.split(Y, None, 1, i), split(len(Y), 1, i), strict=True):
            assert np.array_equal(ours, theirs)
    assert DEFAULT.rule == "set.seed(seed + i); train <- sample(n, floor(0.7 * n)); i = 1, 2, ..."


def test_stratified_splits_draw_class_by_class_in_order_of_appearance():
    train, test = Design(stratify=True).split(Y, None, 1, 2)
    assert whole(train, test)
    stream, expected = RStream(3), []
    for label in "bac":
        rows = np.flatnonzero(label == Y)
        expected.extend(rows[stream.sample(len(rows), {8: 5, 3: 2, 2: 1}[len(rows)])])
    assert train.tolist() == expected
    assert (np.diff(test) > 0).all()


def test_a_class_with_one_row_is_always_trained_on():
    for i in range(1, 9):
        train, _ = Design(stratify=True).split(np.array([*"aabbbc"]), None, 1, i)
        assert 5 in train


@pytest.mark.parametrize("stratify", [False, True])
def test_groups_stay_together(stratify):
    patients = PURE if stratify else PATIENTS
    design = Design(stratify, "patient")
    design.check(Y, patients)
    for i in range(1, 30):
        train, test = design.split(Y, patients, 1, i)
        assert whole(train, test)
        assert not {*patients[train]} & {*patients[test]}
        if stratify:  # of 4 groups of b, 2 of a and 2 of c
            assert [len({*patients[train[Y[train] == label]]}) for label in "bac"] == [2, 1, 1]
        else:
            assert len({*patients[train]}) == 5  # floor(0.7 * 8)


@pytest.mark.parametrize("groups", [None, PATIENTS])
@pytest.mark.parametrize("folds", [2, 5])
def test_each_repeat_of_cross_validation_tests_every_row_once(folds, groups):
    design = Design(folds=folds, groups=None if groups is None else "patient")
    repeats = []
    for repeat in range(3):
        tested = []
        for fold in range(folds):
            train, test = design.split(Y, groups, 1, repeat * folds + fold + 1)
            assert whole(train, test)
            assert groups is None or not {*groups[train]} & {*groups[test]}
            tested.append(test.tolist())
        assert sorted(row for rows in tested for row in rows) == list(range(len(Y)))
        repeats.append(tested)
    assert repeats[0] != repeats[1] != repeats[2]


def test_stratified_folds_have_rows_of_every_class():
    for i in range(1, 9):
        _, test = Design(stratify=True, folds=2).split(Y, None, 1, i)
        assert sorted({*Y[test]}) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("design", "y", "groups", "told"),
    [
        (Design(groups="g"), Y, np.array(["x"] * 13),
         "1 group cannot be divided into training and test rows."),
        (Design(folds=5), Y[:4], None, "4 rows cannot be divided into 5 folds."),
        (Design(folds=9, groups="g"), Y, PATIENTS, "8 groups cannot be divided into 9 folds."),
        (Design(stratify=True), np.array([*"abcd"]), None,
         "every class has a single row: there is none left to test."),
        (Design(stratify=True, groups="g"), Y, PATIENTS,
         "the group 'p' of g has rows of several classes, so the groups cannot be drawn by class: "
         "leave out --stratify."),
    ],
)  # fmt: skip
def test_what_cannot_be_divided_is_refused(design, y, groups, told):
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole message is compared)
        design.check(y, groups)
    assert str(error.value) == told


def test_designs_have_rules_and_words_of_their_own():
    designs = [
        Design(stratify, groups, folds)
        for stratify in (False, True)
        for groups in (None, "patient")
        for folds in (None, 5)
    ]
    assert len({one.rule for one in designs}) == len({one.words for one in designs}) == 8
    assert Design(True, "patient", 5).words == (
        "folds of repeated 5-fold cross-validation by class, with equal patient kept together"
    )


def test_the_number_of_splits():
    assert count_splits(None, None, None) == 500
    assert count_splits(7, None, None) == 7
    assert count_splits(None, 5, None) == 50
    assert count_splits(None, 5, 3) == 15
    for given, told in [
        ((None, None, 3), "repeats belongs to cross-validation: pass folds, too."),
        ((5, 5, None), "pass either splits (random ones) or folds (of cross-validation)."),
        ((None, 1, None), "folds=1: pass a whole number of at least 2."),
        ((None, 2.5, None), "folds=2.5: pass a whole number of at least 2."),
        ((None, 5, 0), "repeats=0: pass a whole number of at least 1."),
    ]:
        with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole message is compared)
            count_splits(*given)
        assert str(error.value) == told
