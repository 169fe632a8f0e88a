"""Tails of the normal and the chi-square distribution, each to a few units in the last place.

In go statistics; out come p-values: :func:`normal_tails` is R's ``2 * pnorm(-abs(z))``,
:func:`chi_square_tail` its ``pchisq(x, df, lower.tail = FALSE)`` for whole ``df``. Both go by the
complementary error function. What rounding loses of its argument is small, but counts far out in
the tail: it is made good by the slope there.
"""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_SLOPE = 2 / math.sqrt(math.pi)
_ROOT_HALF = math.sqrt(0.5)
_ROOT_HALF_REST = -4.8336466567264567e-17  # sqrt(1/2) less the double next to it
_SPLIT = 2.0**27 + 1

_erfc = np.frompyfunc(math.erfc, 1, 1)


def normal_tails(z: Floats) -> Floats:
    """The probability of both tails beyond ``z``."""
    size = np.abs(z)
    argument = size * _ROOT_HALF
    rest = _product_rest(size, _ROOT_HALF, argument) + size * _ROOT_HALF_REST
    return _erfc_near(argument, rest)


def chi_square_tail(x: Floats, df: npt.NDArray[np.integer]) -> Floats:
    """The probability of more than ``x``, for ``df`` degrees of freedom, a whole number each.

    By parts, the integral of the density is a finite sum of terms above zero, and for odd ``df`` a
    tail of the normal distribution.
    """
    half = np.maximum(x, 0.0) / 2
    tail = np.zeros(len(half))
    finite = np.isfinite(half)
    half = np.where(finite, half, 0.0)
    root = np.sqrt(half)
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = np.where(root > 0, -_product_rest(root, root, half) / (2 * root), 0.0)
    odd = df % 2 == 1
    tail[odd] = _erfc_near(root[odd], rest[odd])
    # e^-half in two parts: one alone would vanish before the tail does
    decay = np.exp(-half / 2)
    term = np.where(odd, _SLOPE * root, 1.0) * decay
    step = np.where(odd, 1.5, 1.0)
    for _ in range(int(df.max(initial=0)) // 2):
        inside = 2 * step <= df
        tail += np.where(inside, term * decay, 0.0)
        term = np.where(inside, term * (half / step), term)
        step += 1.0
    return np.where(finite, tail, np.where(x > 0, 0.0, np.where(x < 0, 1.0, np.nan)))


def _erfc_near(argument: Floats, rest: Floats) -> Floats:
    """The complementary error function at ``argument + rest``, with a rest that is tiny."""
    values = np.asarray(_erfc(argument), dtype=np.float64)
    return values - _SLOPE * np.exp(-argument * argument) * rest


def _product_rest(a: Floats, b: Floats | float, product: Floats) -> Floats:
    """``a * b - product``: what is lost where the product is a double next to it."""
    a_high, b_high = a * _SPLIT - (a * _SPLIT - a), b * _SPLIT - (b * _SPLIT - b)
    a_low, b_low = a - a_high, b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
