"""Arithmetic with twice the digits of a double, and the exponential function built on it.

A number is the sum of two doubles ``(high, low)``, where ``high`` is the double nearest to it:
about 106 significant bits. Every step is an addition, multiplication, division or square root of
doubles, for which IEEE 754 defines the rounding. So the results are the same on every processor,
unlike those of the C library or of numpy, whose ``exp`` depends on the available instructions.
"""

import math
from fractions import Fraction

import numpy as np

from pycdf.kernels.compile import inner
from pycdf.kernels.extended_sums import two_sum
from pycdf.kernels.simd import double_of

_SPLITTER = 2.0**27 + 1


def pair_of(number: Fraction) -> tuple[float, float]:
    """An exact number as a pair."""
    high = float(number)
    return high, float(number - Fraction(high))


_LOG2_E = 1.4426950408889634
# log(2) in three parts; the first has 33 bits, so that its product with an exponent is exact
_LN2 = Fraction(0xB17217F7D1CF79ABC9E3B39803F2F6AF40F343267298B62D, 2**192)
_LN2_FIRST = math.floor(_LN2 * 2**33) / 2**33
_LN2_SECOND, _LN2_THIRD = pair_of(_LN2 - Fraction(_LN2_FIRST))

_HALVINGS = 4
_DEGREE = 12  # the next term is below 2^-95
_COEFFICIENTS = [pair_of(Fraction(1, math.factorial(i))) for i in range(_DEGREE + 1)]
_HIGHS = tuple(high for high, _ in _COEFFICIENTS)
_LOWS = tuple(low for _, low in _COEFFICIENTS)


@inner
def two_product(a, b):
    """The rounded product of two doubles and what the rounding lost (Dekker, Veltkamp)."""
    product = a * b
    scaled = a * _SPLITTER
    a_high = scaled - (scaled - a)
    a_low = a - a_high
    scaled = b * _SPLITTER
    b_high = scaled - (scaled - b)
    b_low = b - b_high
    lost = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, lost


@inner
def add(a_high, a_low, b_high, b_low):
    """The sum of two pairs."""
    high, rest = two_sum(a_high, b_high)
    low, tiny = two_sum(a_low, b_low)
    high, rest = two_sum(high, rest + low)
    return two_sum(high, rest + tiny)


@inner
def multiply(a_high, a_low, b_high, b_low):
    """The product of two pairs."""
    high, rest = two_product(a_high, b_high)
    return two_sum(high, rest + (a_high * b_low + a_low * b_high))


@inner
def divide(a_high, a_low, b_high, b_low):
    """The quotient of two pairs: three steps of long division."""
    first = a_high / b_high
    high, low = multiply(b_high, b_low, first, 0.0)
    left, left_low = add(a_high, a_low, -high, -low)
    second = left / b_high
    high, low = multiply(b_high, b_low, second, 0.0)
    left, left_low = add(left, left_low, -high, -low)
    high, low = two_sum(first, second)
    return add(high, low, left / b_high, 0.0)


@inner
def square_root(x):
    """The square root of a double above zero, as a pair."""
    root = np.sqrt(x)
    square, lost = two_product(root, root)
    return two_sum(root, ((x - square) - lost) / (2.0 * root))


@inner
def exponential(x):
    """``exp(x)`` of a double of moderate size: a pair, and the power of two to multiply it by."""
    power = np.floor(x * _LOG2_E + 0.5)
    high, low = two_sum(x, -power * _LN2_FIRST)
    product, lost = two_product(power, _LN2_SECOND)
    high, low = add(high, low, -product, -(lost + power * _LN2_THIRD))
    scale = 1.0 / 2**_HALVINGS
    high, low = high * scale, low * scale
    total, total_low = _HIGHS[_DEGREE], _LOWS[_DEGREE]
    for i in range(_DEGREE - 1, -1, -1):
        total, total_low = multiply(total, total_low, high, low)
        total, total_low = add(total, total_low, _HIGHS[i], _LOWS[i])
    for _ in range(_HALVINGS):
        total, total_low = multiply(total, total_low, total, total_low)
    return total, total_low, np.int64(power)


@inner
def times_power_of_two(x, power):
    """``x * 2**power``, rounded once; for x from 2^-100 to 2^600 and a power up to 1000."""
    if power < -1000:
        x *= 2.0**-800  # exact
        power = max(power + 800, -1022)  # below that, the product is 0 in any case
    return x * double_of(np.int64(power + 1023) << 52)
