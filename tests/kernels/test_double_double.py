"""Pairs of doubles against exact arithmetic."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from numba import njit

from pycdf.kernels import double_double as doubled

PRECISION = Fraction(1, 2**100)


@njit
def add(a, b):
    return doubled.add(a[0], a[1], b[0], b[1])


@njit
def multiply(a, b):
    return doubled.multiply(a[0], a[1], b[0], b[1])


@njit
def divide(a, b):
    return doubled.divide(a[0], a[1], b[0], b[1])


@njit
def square_root(x):
    return doubled.square_root(x)


@njit
def exponential(x):
    return doubled.exponential(x)


@njit
def times_power_of_two(x, power):
    return doubled.times_power_of_two(x, power)


def value(pair):
    high, low = pair
    assert float(Fraction(high) + Fraction(low)) == high
    return Fraction(high) + Fraction(low)


def pairs(seed, count=200):
    """Pairs of either sign and of many sizes."""
    rng = np.random.default_rng(seed)
    highs = rng.normal(size=count) * 2.0 ** rng.integers(-30, 30, count)
    lows = highs * rng.uniform(-1, 1, count) * 2.0**-54
    return list(zip(highs, lows, strict=True))


@pytest.mark.parametrize("kernel", [add, multiply, divide])
def test_results_have_a_hundred_bits(kernel):
    exact = {add: Fraction.__add__, multiply: Fraction.__mul__, divide: Fraction.__truediv__}
    for a, b in zip(pairs(1), pairs(2), strict=True):
        expected = exact[kernel](value(a), value(b))
        size = max(abs(expected), abs(value(a)), abs(value(b))) if kernel is add else abs(expected)
        assert abs(value(kernel(a, b)) - expected) <= size * PRECISION


def test_nothing_is_lost_where_the_highs_cancel():
    for (high, low), (_, other) in zip(pairs(3), pairs(4), strict=True):
        other *= 2.0**-30 * abs(low / other)
        assert value(add((high, low), (-high, other))) == Fraction(low) + Fraction(other)


def test_square_roots():
    for x, _ in pairs(5):
        root = value(square_root(abs(x)))
        assert abs(root**2 - Fraction(abs(x))) <= 2 * Fraction(abs(x)) * PRECISION


@pytest.mark.parametrize("x", [-700.0, -40.5, -1.0, -1e-9, 0.0, 1e-9, 0.3, 1.0, 17.25, 300.0])
def test_exponentials(x):
    high, low, power = exponential(x)
    with localcontext(prec=60):
        expected = Decimal(x).exp() / Decimal(2) ** power
        assert abs((Decimal(high) + Decimal(low)) / expected - 1) < Decimal(2) ** -88
    assert 0.7 < high < 1.5


@pytest.mark.parametrize("power", [1000, 3, 0, -900, -1000, -1001, -1030, -1073, -1074, -1100])
def test_powers_of_two(power):
    for x in (1.0, 1.1, 1.9, 1.5):
        assert times_power_of_two(x, power) == math.ldexp(x, power)
