"""Walks through sorted rows against the comparison of all pairs of values."""

import numpy as np
import pytest
from numba import njit

from pycdf.kernels import lab_ranks
from pycdf.kernels.grouping import new_class_rows


@njit
def walk_two(line, firsts, seconds):
    return lab_ranks._walk_two(line, firsts, seconds)


@njit
def walk_two_tied(line, firsts, seconds):
    return lab_ranks._walk_two_tied(line, firsts, seconds)


@njit
def scores_by_walk(classes, n_classes, ranks, out):
    lab_ranks.weigh_rows(classes, n_classes, ranks)
    for feature in range(out.size):
        out[feature] = lab_ranks.auc_by_walk(feature, n_classes, ranks)
    lab_ranks.unweigh_rows(classes, n_classes, ranks)


def by_pairs(values, firsts, seconds):
    """How far the share of pairs in which the first class is above is from a half, doubled."""
    one, other = (np.repeat(values, times) for times in (firsts, seconds))
    if not len(one) or not len(other):
        return 0.0
    signs = np.sign(one[:, np.newaxis] - other[np.newaxis, :])
    return abs(signs.sum()) / signs.size


def line_of(values):
    """The rows by their values, doubled, plus 1 if a value is that of the row before."""
    order = np.argsort(values, kind="stable")
    same = np.r_[False, np.diff(values[order]) == 0]
    return (2 * order + same).astype(np.int32)


@pytest.mark.parametrize("tied", [False, True])
def test_a_walk_through_two_classes_is_the_comparison_of_all_pairs(tied):
    draw = np.random.default_rng(6)
    walk = walk_two_tied if tied else walk_two
    for size in (1, 2, 3, 8, 30):
        for absent in (None, 0, 1):
            values = draw.integers(0, 4, size).astype(float) if tied else draw.permutation(size)
            times, codes = draw.integers(0, 3, size), draw.integers(0, 2, size)
            weights = np.where(codes == np.arange(2)[:, np.newaxis], times, 0)
            if absent is not None:
                weights[absent] = 0
            assert walk(line_of(values), *weights) == by_pairs(values, *weights)


def test_a_walk_through_no_value_gives_no_score():
    nothing = np.empty(0, dtype=np.int32)
    weights = np.ones((2, 3), dtype=np.int64)
    assert walk_two(nothing, *weights) == walk_two_tied(nothing, *weights) == 0.0


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_of_columns_with_and_without_ties(n_classes):
    draw = np.random.default_rng(7)
    n = 40
    columns = np.stack([draw.permutation(n), draw.integers(0, 5, n), np.ones(n)]).astype(float)
    columns[1, 3] = np.nan
    order = lab_ranks.new_order(3, n)
    lab_ranks.sort_columns(columns, order)
    assert order.tied.tolist() == [0, 1, 1]
    codes = np.sort(draw.integers(0, n_classes, n))
    rows = draw.integers(0, n, n).astype(np.int32)
    times = np.stack([np.bincount(rows[codes == code], minlength=n) for code in range(n_classes)])
    owner = times.argmax(axis=0)  # each row is in one class, as often as it was drawn
    times = np.where(owner == np.arange(n_classes)[:, np.newaxis], times, 0)
    classes = new_class_rows(int(times.sum()), n_classes)
    classes.starts[: n_classes + 1] = np.r_[0, np.cumsum(times.sum(axis=1))]
    classes.rows[: times.sum()] = np.concatenate([np.repeat(np.arange(n), one) for one in times])
    ranks, found = lab_ranks.new_ranks(order, n, n_classes), np.empty(3)
    scores_by_walk(classes, n_classes, ranks, found)
    for column, score in zip(columns, found, strict=True):
        there = column == column
        each = [
            by_pairs(column[there], times[a][there], times[b][there])
            for a in range(n_classes) for b in range(a + 1, n_classes)
        ]  # fmt: skip
        assert score == pytest.approx(np.mean(each), abs=1e-15)
    assert not ranks.weights.any()
