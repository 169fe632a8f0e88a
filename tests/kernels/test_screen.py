"""The screen's ranges hold R's scores, and no winner is left out, on data made to break it."""

import numpy as np
import pytest
from numba import njit

from pycdf.forest.screen import build_screen
from pycdf.inputs.transpose import transposed, varying_columns
from pycdf.kernels.column_sd import column_spreads
from pycdf.kernels.grouping import group_by_class, new_class_rows
from pycdf.kernels.lanes import Rule
from pycdf.kernels.partition import Split
from pycdf.kernels.scores import new_scored, score_features
from pycdf.kernels.screen_bounds import add_weights, new_node_weights, new_tile, score_ranges
from pycdf.kernels.select import choose_features, new_selection
from pycdf.kernels.simd_sizes import BLOCK
from pycdf.support import parallel


@njit
def score_ranges_of_node(screen, classes, n_classes, candidates, ddof, weights, tile, low, high):
    n_scored = add_weights(screen, classes, n_classes, ddof, weights)
    if n_scored > 1:
        score_ranges(screen, candidates, weights, n_scored, ddof, tile, low, high)


@njit
def exact_scores_of_node(columns, candidates, classes, n_classes, rule, scored):
    score_features(columns, candidates, 0, candidates.size, classes, n_classes, rule, scored)


@njit
def choose_features_of_node(columns, screen, rule, classes, candidates, scratch, split):
    choose_features(columns, screen, rule, classes, candidates, scratch, split)


@njit
def group(rows, codes, classes):
    return group_by_class(rows, codes, classes)


def grouped(rows, codes, n_classes):
    """The rows of a node class by class, and the number of classes."""
    classes = new_class_rows(rows.size, n_classes)
    return classes, group(rows, codes, classes)


def ranges_and_scores(columns, screen, codes, n_classes, rows, rule):
    """Every column's range from the screen, and its exact score times the number of pairs."""
    classes, found = grouped(rows, codes, n_classes)
    candidates = np.arange(len(columns), dtype=np.int32)
    low, high = np.zeros((2, len(columns)), dtype=np.float32)
    score_ranges_of_node(
        screen, classes, found, candidates, rule.ddof,
        new_node_weights(screen, rows.size, n_classes), new_tile(n_classes), low, high,
    )  # fmt: skip
    scored = new_scored(rows.size, n_classes, len(columns))
    if found > 1:
        exact_scores_of_node(columns, candidates, classes, found, rule, scored)
    return low, high, scored.scores * (found * (found - 1) / 2.0), found


def chosen_by_screen(columns, screen, codes, n_classes, rows, candidates, k, rule):
    classes, found = grouped(rows, codes, n_classes)
    split = Split(np.empty(k, np.int32), 0, k, np.empty(k * n_classes), 0, found)
    scratch = new_selection(screen, rows.size, n_classes, len(candidates), k)
    choose_features_of_node(columns, screen, rule, classes, candidates, scratch, split)
    return split.features


def near_ties(rng, X, y):
    """Copies of a few columns, nudged by 1 ulp to 1e-6."""
    base = X[:, rng.integers(0, 4, X.shape[1])]
    nudge = 10.0 ** rng.uniform(-16, -6, X.shape) * rng.choice([-1, 0, 1], X.shape)
    return base * (1 + nudge)


def shuffled_copies(rng, X, y):
    """Columns that hold the same values in another order within each class."""
    out = np.empty_like(X)
    for j in range(X.shape[1]):
        for c in np.unique(y):
            rows = np.flatnonzero(y == c)
            out[rows, j] = X[rng.permutation(rows), j % 3]
    return out


def far_from_zero(rng, X, y):
    """Huge offsets with tiny spreads."""
    return X * 10.0 ** rng.uniform(-9, 0, X.shape[1]) + 10.0 ** rng.uniform(0, 9, X.shape[1])


def mixed(rng, X, y):
    """All sorts of columns side by side."""
    kinds = [kind for kind in KINDS.values() if kind is not mixed]
    parts = [kind(rng, X, y) for kind in kinds]
    pick = rng.integers(0, len(parts), X.shape[1])
    return np.column_stack([parts[pick[j]][:, j] for j in range(X.shape[1])])


KINDS = {
    "continuous": lambda rng, X, y: X,
    "near ties": near_ties,
    "duplicated": lambda rng, X, y: X[:, rng.integers(0, 3, X.shape[1])],
    "shuffled copies": shuffled_copies,
    "far from zero": far_from_zero,
    "many scales": lambda rng, X, y: X * 10.0 ** rng.uniform(-30, 30, X.shape[1]),
    "beyond single precision": lambda rng, X, y: X * 10.0 ** rng.uniform(-150, 150, X.shape[1]),
    "separated": lambda rng, X, y: X * 1e-6 + y[:, None],
    "constant classes": lambda rng, X, y: np.round(X * 0.4) + y[:, None] * (rng.random() < 0.5),
    "binary": lambda rng, X, y: (rng.uniform(-2, 2, X.shape[1]) < X).astype(float),
    "small whole": lambda rng, X, y: np.round(X * 3),
    "large whole": lambda rng, X, y: np.round(X * 10000),
    "clipped": lambda rng, X, y: np.maximum(np.round(X * 100), 20.0),
    "sparse": lambda rng, X, y: np.where(rng.random(X.shape) < 0.9, 0.0, X),
    "scaled copies": lambda rng, X, y: X[:, :1] * rng.integers(1, 50, X.shape[1]) / 7,
    "missing cells": lambda rng, X, y: np.where(rng.random(X.shape) < 0.3, np.nan, X),
    "outliers": lambda rng, X, y: np.where(rng.random(X.shape) < 0.02, X * 1e7, X),
    "mixed": mixed,
}


def case(kind, number):
    """A training matrix, its screen, and the bootstrap rows of a node."""
    rng = np.random.default_rng([number, sum(map(ord, kind))])
    n = int(rng.choice([6, 12, 40, 90, 400]))
    n_classes = int(rng.choice([2, 2, 3, 6]))
    y = np.r_[np.arange(n_classes), rng.integers(0, n_classes, n)].astype(np.int32)
    X = KINDS[kind](rng, rng.standard_normal((len(y), 120)) + 0.3 * y[:, None], y)
    columns = np.ascontiguousarray(X.T)
    spreads = np.empty(len(columns))
    column_spreads(columns, False, spreads)
    usable = np.isfinite(spreads) & (spreads != 0)
    columns, spreads = columns[usable], spreads[usable]
    few = rng.integers(0, len(y), max(2, len(y) // int(rng.choice([1, 2, 8]))))
    rows = rng.choice(few, len(few)).astype(np.int32)
    screen = build_screen(columns, y, n_classes, spreads)
    return rng, columns, screen, y, n_classes, rows


# Later rounds of random cases are a matter of endurance.
PARTS = pytest.mark.parametrize(
    "part", ["first", pytest.param("rest", marks=pytest.mark.endurance)]
)


@PARTS
@pytest.mark.parametrize("ddof", [1, 0])
@pytest.mark.parametrize("kind", KINDS)
def test_the_range_of_every_candidate_holds_its_exact_score(kind, ddof, part):
    narrow = compared = 0
    numbers = range(12) if part == "first" else range(12, 40)
    for number in numbers:
        _, columns, screen, y, n_classes, rows = case(kind, number)
        if len(columns) == 0:
            continue
        low, high, exact, found = ranges_and_scores(
            columns, screen, y, n_classes, rows, Rule(False, ddof)
        )
        if found < 2:
            continue
        exact = np.where(np.isfinite(exact), exact, 0.0)
        assert not (low > exact).any(), number
        assert not (high < exact).any(), number
        narrow += ((high - low) <= 1e-3 * exact).sum()
        compared += 1
    assert compared >= 0.6 * len(numbers)
    assert narrow > 2.5 * len(numbers) or kind in ("far from zero", "beyond single precision")


@pytest.mark.parametrize("sizes", [(5, 400), (70, 150), (30, 31)])
def test_the_order_of_two_classes_does_not_matter(sizes):
    """The longer one decides how wide a range is for rounding errors, whichever comes first."""
    rng = np.random.default_rng(sizes[0])
    n = sum(sizes)
    y = np.repeat([0, 1], sizes).astype(np.int32)
    columns = rng.standard_normal((8, n)) + 0.5 * y
    spreads = np.empty(8)
    column_spreads(columns, False, spreads)
    screen = build_screen(columns, y, 2, spreads)
    rows = np.arange(n, dtype=np.int32)
    found = [
        ranges_and_scores(columns, screen, y, 2, some, Rule(False, 1))[:2]
        for some in (rows, np.roll(rows, sizes[1]))
    ]
    np.testing.assert_array_equal(*found)


def test_every_class_fills_whole_blocks():
    y = np.array([0] * 9 + [1] * 8 + [2], dtype=np.int32)
    screen = build_screen(np.ones((2, 18)), y, 3, np.ones(2))
    assert screen.width == (1 + 2 + 1 + 1) * BLOCK  # with the header


def test_a_range_has_room_for_the_rounding_errors_of_all_pairs_of_classes():
    """Each of 780 terms may round the sum by half a unit in the last of 24 bits."""
    rng = np.random.default_rng(40)
    y = np.repeat(np.arange(40), 3).astype(np.int32)
    columns = rng.standard_normal((8, 120)) + 0.1 * y
    spreads = np.empty(8)
    column_spreads(columns, False, spreads)
    screen = build_screen(columns, y, 40, spreads)
    rows = np.arange(120, dtype=np.int32)
    low, high, exact, _ = ranges_and_scores(columns, screen, y, 40, rows, Rule(False, 1))
    assert (low.astype(float) <= exact * (1 - 780 * 2.0**-24)).all()
    assert (high.astype(float) >= exact * (1 + 780 * 2.0**-24)).all()


def test_a_column_with_one_value_in_a_node_has_the_score_0():
    """Also if the number of rows has no exact reciprocal: the classes' means are equal."""
    n = 130
    y = np.repeat([0, 1, 0], [n, n, 3 * n]).astype(np.int32)
    marked = np.arange(5 * n) < 2 * n
    columns = np.vstack([marked, 3 * marked]).astype(float)  # most rows have 0
    spreads = np.empty(len(columns))
    column_spreads(columns, False, spreads)
    screen = build_screen(columns, y, 2, spreads)
    for size in range(2, n + 1):
        rows = np.r_[:size, n : n + 1 + size // 2].astype(np.int32)
        low, high, exact, _ = ranges_and_scores(columns, screen, y, 2, rows, Rule(False, 1))
        assert (exact == 0).all()
        assert low.tolist() == high.tolist() == [0, 0], size


@PARTS
@pytest.mark.parametrize("ddof", [1, 0])
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_candidates_are_those_of_all_exact_scores(kind, ddof, part):
    compared = 0
    numbers = range(40, 50) if part == "first" else range(50, 70)
    for number in numbers:
        rng, columns, screen, y, n_classes, rows = case(kind, number)
        rule = Rule(bool(rng.integers(0, 2)), ddof)
        if len(columns) < 4:
            continue
        _, _, exact, found = ranges_and_scores(columns, screen, y, n_classes, rows, rule)
        if found < 2:
            continue
        candidates = rng.permutation(len(columns))[: rng.integers(2, len(columns))].astype(np.int32)
        k = int(rng.integers(1, min(20, len(candidates)) + 1))
        expected = candidates[np.argsort(-exact[candidates], kind="stable")[:k]]
        got = chosen_by_screen(columns, screen, y, n_classes, rows, candidates, k, rule)
        assert got.tolist() == expected.tolist(), number
        compared += 1
    assert compared >= 0.6 * len(numbers)


@pytest.mark.parametrize("kind", ["missing cells", "mixed"])
def test_the_screen_is_the_same_for_any_number_of_jobs_and_bands(kind, monkeypatch):
    _, columns, screen, y, n_classes, _ = case(kind, 3)
    spreads, _ = varying_columns(columns, False)
    monkeypatch.setattr(parallel, "_BAND", 7 * len(y))  # seven features at a time
    for n_jobs in (1, 3):
        again = build_screen(columns, y, n_classes, spreads, n_jobs)
        for one, other in zip(screen, again, strict=True):
            np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(varying_columns(columns, False, n_jobs)[0], spreads)
        np.testing.assert_array_equal(transposed(columns.T, n_jobs=n_jobs), columns)
        some = np.arange(len(y)) % 3 > 0
        np.testing.assert_array_equal(transposed(columns.T, some, n_jobs), columns[:, some])


@pytest.mark.parametrize("wanted", [6, 20, 1000])
def test_no_more_features_are_chosen_than_there_are(wanted):
    """A kernel writes without bounds checks: what lies behind its arrays must stay as it is."""
    k, n_classes = 5, 2
    columns = np.random.default_rng(1).normal(size=(9, 30))
    codes = np.arange(30, dtype=np.int32) % n_classes
    spreads = np.empty(9)
    column_spreads(columns, False, spreads)
    screen = build_screen(columns, codes, n_classes, spreads)
    rows = np.arange(30, dtype=np.int32)
    rule = Rule(integer=False, ddof=1)
    classes, found = grouped(rows, codes, n_classes)
    scratch = new_selection(screen, 30, n_classes, mtry=7, k=k)

    def guarded(array):
        """The array as the beginning of a longer one, whose end is marked."""
        long = np.full(array.size + 5000, 77, array.dtype)
        return long[: array.size], long[array.size :]

    heap_scores, behind_scores = guarded(scratch.heap.scores)
    positions, behind_positions = guarded(scratch.heap.positions)
    contenders, behind_contenders = guarded(scratch.contenders)
    features, behind_features = guarded(np.empty(k, np.int32))
    scratch = scratch._replace(
        contenders=contenders, heap=type(scratch.heap)(heap_scores, positions)
    )
    candidates = np.arange(9, dtype=np.int32)  # two more than there is space for
    split = Split(features, 0, wanted, np.empty(wanted * n_classes), 0, found)
    choose_features_of_node(columns, screen, rule, classes, candidates, scratch, split)
    best = chosen_by_screen(columns, screen, codes, n_classes, rows, candidates[:7], k, rule)
    assert features.tolist() == best.tolist()
    for behind in (behind_scores, behind_positions, behind_contenders, behind_features):
        assert (behind == 77).all()
