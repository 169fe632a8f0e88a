"""A node that needs only some of its candidates leaves the stream as one that needs all."""

import numpy as np
import pytest
from numba import njit

from pycdf import RStream
from pycdf.kernels.random import (
    bits_below,
    draw_with_replacement,
    draw_without_replacement,
    new_candidates,
    next_index,
)


@njit
def draw_usual(state, candidates, n_used):
    draw_without_replacement(state, candidates, n_used, None)


@njit
def draw_rounded(state, candidates, n_used):
    draw_without_replacement(state, candidates, n_used, True)


@pytest.mark.parametrize("draw", [draw_usual, draw_rounded])
@pytest.mark.parametrize(
    ("n_features", "mtry"),
    [(2, 1), (40, 39), (500, 100), (2000, 1500), (65_540, 40), (70_000, 9000)],
)
def test_the_first_candidates_and_the_stream_do_not_depend_on_how_many_are_used(
    draw, n_features, mtry
):
    everything = np.arange(n_features)
    for n_used in (0, 1, mtry // 2, mtry, mtry + 5):
        all_of_them, some = new_candidates(n_features, mtry), new_candidates(n_features, mtry)
        one, other = RStream(7), RStream(7)
        for _ in range(3):
            draw(one.state, all_of_them, mtry)
            draw(other.state, some, n_used)
            np.testing.assert_array_equal(one.state, other.state)
            np.testing.assert_array_equal(some.drawn[:n_used], all_of_them.drawn[:n_used])
            np.testing.assert_array_equal(some.pool, everything)  # put back in order
        expected = RStream(7).sample(n_features, mtry)
        if draw is draw_usual:
            first = new_candidates(n_features, mtry)
            draw(RStream(7).state, first, mtry)
            np.testing.assert_array_equal(first.drawn, expected)


@njit
def draw_all(state, n, out):
    draw_with_replacement(state, n, out, None)


@njit
def draw_one_by_one(state, n, out):
    for i in range(out.size):
        out[i] = next_index(state, n, bits_below(n))


@pytest.mark.parametrize("n", [2, 3, 1000, 32_768, 32_769, 65_536, 65_537, 10**6])
def test_many_draws_are_those_of_one_after_the_other(n):
    """Up to 15 bits an index takes one word of the stream, and two from 16 on."""
    together, each = np.empty((2, 700), dtype=np.int32)
    one, other = RStream(3), RStream(3)
    draw_all(one.state, n, together)
    draw_one_by_one(other.state, n, each)
    np.testing.assert_array_equal(together, each)
    np.testing.assert_array_equal(one.state, other.state)
