"""80-bit sums and means against exact arithmetic, which is itself checked against the processor."""

import random
from fractions import Fraction

import numpy as np
import pytest
from long_doubles import (
    KINDS,
    NUMPY_HAS_80_BITS,
    exact,
    mean_of,
    numpy_parts,
    numpy_sum,
    recorded,
    sum_of,
    to_double,
)
from numba import njit

from pycdf.kernels.extended_sums import _long_division, add80, divide80, sum80


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


def assert_kernels_give(values, m, e, mean):
    """Both ways of adding up leave the sum m * 2**e, and its mean."""
    for sums in (step_by_step, in_one_go):
        high, low, divided = sums(values)
        assert high == to_double(m, e), values.tolist()
        assert Fraction(high) + Fraction(low) == exact(m, e), values.tolist()
        assert divided == mean, values.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_sums_and_means_are_those_of_80_bits(kind):
    rng = np.random.default_rng(sum(map(ord, kind)))
    for _ in range(1500):
        values = KINDS[kind](rng, rng.integers(1, 150))
        m, e = sum_of(values.tolist())
        mean = mean_of(m, e, len(values))
        assert_kernels_give(values, m, e, mean)
        if NUMPY_HAS_80_BITS:
            total = numpy_sum(values)
            assert exact(*numpy_parts(total)) == exact(m, e), values.tolist()
            assert float(total) == to_double(m, e), values.tolist()
            assert float(total / np.longdouble(len(values))) == mean, values.tolist()


@pytest.mark.parametrize("power", [1.0, -1.0, 2.0**90, -(2.0**-1010)])
def test_means_of_sums_just_below_a_power_of_two(power):
    """There the last of the 64 bits is worth half as much as above."""
    cases = [(257, 5), (257, 40), (161, 37), (247, 1617), (225, 2621)]  # in R, too, with power = 1
    cases += [(units, count) for units in range(1, 40) for count in (2, 3, 5, 7, 100)]
    for units, count in cases:
        values = np.zeros(count)
        values[:2] = power, -units * power * 2.0**-64
        m, e = sum_of(values.tolist())
        assert exact(m, e) == Fraction(power) * (1 - Fraction(units, 2**64))
        assert_kernels_give(values, m, e, mean_of(m, e, count))


def test_sums_and_means_are_those_recorded_on_x86_64():
    lines = recorded("long_double_sums.tsv")
    assert {kind for kind, *_ in lines} == set(KINDS)
    assert len(lines) == 25 * len(KINDS)
    for _, listed, m, e, mean in lines:
        values = np.array([float.fromhex(text) for text in listed.split(" ")])
        total = int(m), int(e)
        assert exact(*sum_of(values.tolist())) == exact(*total), listed
        assert mean_of(*total, len(values)).hex() == mean, listed
        assert_kernels_give(values, *total, float.fromhex(mean))


LARGEST = float(np.finfo(np.float64).max)


@pytest.mark.parametrize("sums", [step_by_step, in_one_go])
@pytest.mark.parametrize(
    ("values", "total"),
    [
        ([1.7e308, 1.7e308], np.inf),
        ([LARGEST, 2.0**969], LARGEST),  # less than half of its last bit above
        ([LARGEST, 2.0**970], np.inf),
        ([LARGEST, 2.0**969, 2.0**968], LARGEST),
        ([LARGEST, 2.0**969, 2.0**969], np.inf),
        ([LARGEST, 2.0**969, 2.0**969, 2.0**969], np.inf),
        ([-LARGEST, -(2.0**969), -(2.0**969)], -np.inf),
    ],
)
def test_a_sum_is_infinite_from_half_a_bit_above_the_largest_double(sums, values, total):
    """R's rowSums(), on x86-64, rounds its 80-bit sum to a double at the end."""
    assert sums(np.array(values))[0] == total


def test_a_mean_of_nothing_but_zeros_is_zero():
    assert in_one_go(np.zeros(3)) == (0.0, 0.0, 0.0)


def test_quotients_are_rounded_to_64_bits():
    """Against exact fractions; a quotient is never in the middle of two numbers of 64 bits."""
    draw = random.Random(3)
    divide = getattr(_long_division, "py_func", _long_division)
    for _ in range(2000):
        count = draw.choice(
            [draw.randint(1, 40), draw.randint(1, 2**31 - 1), 2 ** draw.randint(0, 30)]
        )
        zeros = draw.choice([0, draw.randint(0, 40)])
        whole = (draw.getrandbits(64) >> zeros << zeros) | 2**63
        bits, carried, shift = divide(np.uint64(whole), np.uint64(count))
        quotient = Fraction(whole, count) * 2 ** int(shift)
        assert quotient % 1 != Fraction(1, 2)
        assert int(bits) << int(carried) == round(quotient)
        assert int(bits) >= 2**63
