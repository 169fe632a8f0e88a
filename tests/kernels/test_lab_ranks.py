"""Walks through sorted rows against the comparison of all pairs of values."""

import numpy as np
import pytest
from numba import njit

from pycdf.kernels import lab_ranks


@njit
def walk_two(line, firsts, seconds):
    return lab_ranks._walk_two(line, firsts, seconds)


@njit
def walk_two_tied(line, firsts, seconds):
    return lab_ranks._walk_two_tied(line, firsts, seconds)


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
