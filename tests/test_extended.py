"""80-bit sums and means against numpy's long double, where that is the 80-bit one."""

import numpy as np
import pytest
from numba import njit

from pycdf.kernels.extended_sums import add80, divide80, sum80

pytestmark = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant != 63, reason="numpy's long double is not the 80-bit one here"
)


@njit
def step_by_step(values):
    high = 0.0
    low = 0.0
    for i in range(values.size):
        high, low = add80(high, low, values[i])
    return high, low, divide80(high, low, values.size)


@njit
def in_one_go(values):
    high, low = sum80(values, 0, 1, values.size)
    return high, low, divide80(high, low, values.size)


def signs(rng, n):
    return rng.choice([-1.0, 1.0], n)


KINDS = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "positive": lambda rng, n: np.abs(rng.standard_normal(n)) * 100,
    "many scales": lambda rng, n: rng.standard_normal(n) * 10.0 ** rng.integers(-30, 30, n),
    "decimals": lambda rng, n: np.round(np.abs(rng.standard_normal(n)) * 1000, 1),
    "tenths": lambda rng, n: rng.integers(-5, 5, n) * 0.1,
    "subnormal": lambda rng, n: np.ldexp(
        rng.standard_normal(n), rng.integers(-1074, -950, n, dtype=np.int32)
    ),
    "smallest": lambda rng, n: np.ldexp(rng.integers(1, 20, n).astype(float), -1074),
    "powers of two": lambda rng, n: (
        np.ldexp(1.0, rng.integers(-80, 80, n, dtype=np.int32)) * signs(rng, n)
    ),
    "halfway": lambda rng, n: np.ldexp(signs(rng, n), rng.integers(-66, 1, n, dtype=np.int32)),
    "all bits": lambda rng, n: (
        rng.integers(0, 2**53, n) * np.ldexp(1.0, rng.integers(-15, 15, n, dtype=np.int32))
    ),
    "one large": lambda rng, n: np.r_[
        1000.0, np.abs(rng.standard_normal(n)) * 10.0 ** rng.integers(-6, 1, n)
    ],
    "near one": lambda rng, n: np.ldexp(
        1.0 + np.ldexp(rng.integers(-3, 4, n).astype(float), -52),
        -rng.integers(0, 16, n, dtype=np.int32),
    ),
    "near a power": lambda rng, n: np.r_[
        2.0**60, np.ldexp(signs(rng, n), rng.integers(-8, 8, n, dtype=np.int32))
    ],
}


@pytest.mark.parametrize("kind", KINDS)
def test_sums_and_means_are_those_of_80_bits(kind):
    rng = np.random.default_rng(sum(map(ord, kind)))
    for _ in range(1500):
        values = KINDS[kind](rng, rng.integers(1, 150))
        total = np.longdouble(0)
        for value in values:
            total += np.longdouble(value)
        mean = float(total / np.longdouble(len(values)))
        for sums in (step_by_step, in_one_go):
            high, low, divided = sums(values)
            assert high == float(total), values.tolist()
            assert np.longdouble(high) + np.longdouble(low) == total, values.tolist()
            assert divided == mean, values.tolist()


def test_a_sum_beyond_the_largest_double_is_infinite():
    assert in_one_go(np.array([1.7e308, 1.7e308]))[0] == np.inf


def test_a_mean_of_nothing_but_zeros_is_zero():
    assert in_one_go(np.zeros(3)) == (0.0, 0.0, 0.0)
