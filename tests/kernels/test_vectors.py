"""The vector instructions one by one: as numba compiles them, and as plain Python."""

import numpy as np
import pytest
from numba import njit

from pycdf.kernels import simd, simd_plain
from pycdf.kernels.compile import PLAIN_PYTHON
from pycdf.kernels.simd_sizes import BLOCK, FOUR, LANES, RUN

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="compares with compiled kernels")


@njit
def lane_sums(values, count, given, out):
    simd.lane_sums(values, count, given, out)


@njit
def lane_differences(values, count, given, out):
    simd.lane_differences(values, count, given, out)


@njit
def lane_squares(values, count, given, out):
    simd.lane_squares(values, count, given, out)


@njit
def moments(values, starts, weights, blocks, first, last, sums, squares, position):
    simd.moments(values, starts, weights, blocks, first, last, sums, squares, position)


@njit
def headers(values, starts, out, size, position):
    simd.headers(values, starts, out, size, position)


@njit
def bits_and_back(number, bits):
    return simd.bits_of(number), simd.double_of(bits)


@pytest.mark.parametrize("number", [1.5, -0.0, 5e-324, np.inf, 1e300, -3.25])
def test_bits_are_those_of_the_double_and_not_its_value(number):
    bits = np.array([number]).view(np.int64)[0]
    found = bits_and_back(number, bits)
    assert found == (bits, number)
    assert np.signbit(found[1]) == np.signbit(number)


def test_headers_are_copied_number_by_number():
    values = np.arange(100, dtype=np.float32)
    starts = np.array([40, 3, 77, 12])
    for function in (simd_plain.headers, headers):
        out = np.zeros((FOUR, 6), dtype=np.float32)
        function(values, starts, out, 6, 1)
        np.testing.assert_array_equal(out[:, 1:5], starts + np.arange(FOUR)[:, np.newaxis])
        assert not out[:, [0, 5]].any()


@pytest.mark.parametrize(
    ("compiled", "plain"),
    [
        (lane_sums, simd_plain.lane_sums),
        (lane_differences, simd_plain.lane_differences),
        (lane_squares, simd_plain.lane_squares),
    ],
)
def test_exact_sums_have_the_same_bits(compiled, plain):
    rng = np.random.default_rng(3)
    for count in (0, 1, 2, 3, 50, 200):
        size = count * LANES
        values = rng.standard_normal(size) * 10.0 ** rng.integers(-20, 20, size)
        given = rng.standard_normal(LANES)
        ours, reference = np.full((2, 3 * LANES), 7.0)
        compiled(values, count, given, ours)
        plain(values, count, given, reference)
        np.testing.assert_array_equal(ours.view(np.int64), reference.view(np.int64))


def test_sums_of_the_screen_are_within_their_bound():
    rng = np.random.default_rng(4)
    for n_blocks in (1, 5, RUN + 1, 3 * RUN + 7):
        width = 2 * n_blocks * BLOCK
        values = rng.standard_normal(FOUR * width).astype(np.float32)
        weights = rng.integers(0, 4, width).astype(np.float32)
        starts = rng.permutation(FOUR) * width
        blocks = rng.permutation(2 * n_blocks)[:n_blocks] * BLOCK
        given = (values, starts, weights, blocks, 1, n_blocks)
        sums = np.zeros((2, 2, 2, FOUR), dtype=np.float32)  # plain and compiled, of x and of x^2
        for function, (one, two) in zip((simd_plain.moments, moments), sums, strict=True):
            function(*given, one, two, FOUR)
        rows = (blocks[1:, np.newaxis] + np.arange(BLOCK)).ravel()
        x, w = values.reshape(FOUR, width)[starts // width][:, rows].astype(float), weights[rows]
        c = min(n_blocks, RUN) + n_blocks // RUN + 8  # as in pycdf.kernels.screen_bounds
        for one, two in sums:
            assert (one[0] == 0).all()
            assert (two[0] == 0).all()
            assert (abs(one[1] - x @ w) <= c * 2.0**-24 * (abs(x) @ w)).all()
            assert (abs(two[1] - x**2 @ w) <= c * 2.0**-24 * (x**2 @ w)).all()
