"""Tails of the normal and the chi-square distribution: p-values with the same bits everywhere.

:func:`normal_tails` is R's ``2 * pnorm(-abs(z))`` and follows the approximation that R uses, step
by step, so that its bits are R's wherever the two exponential functions agree. R's are those of the
C library; ours are rounded to the nearest double. R's ``pnorm``, and with it this function, is up
to 5 units in the last place off the true value.

:func:`chi_square_tail` is R's ``pchisq(x, df, lower.tail = FALSE)`` for whole ``df``. R's algorithm
loses up to 400 units in the last place. Here the tail is a finite sum, evaluated in pairs of
doubles. The result is the double nearest to the true value, or in rare cases the one next to it.
"""

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pycdf.kernels.compile import entry, inner
from pycdf.kernels.double_double import (
    add,
    divide,
    exponential,
    multiply,
    pair_of,
    square_root,
    times_power_of_two,
)

Floats = npt.NDArray[np.float64]

# Rational approximations: W. J. Cody, Rational Chebyshev approximations for the error function,
# Mathematics of Computation 23 (1969), as in his function ANORM (SPECFUN, ACM TOMS 19 (1993)).
# The highest power comes first. The limits are R's.
_CENTRE_END = 0.67448975
_CENTRE_ABOVE = (
    0.065682337918207449113, 2.2352520354606839287, 161.02823106855587881, 1067.6894854603709582,
    18154.981253343561249,
)  # fmt: skip
_CENTRE_BELOW = (
    1.0, 47.20258190468824187, 976.09855173777669322, 10260.932208618978205, 45507.789335026729956,
)  # fmt: skip
_MIDDLE_END = math.sqrt(32)
_MIDDLE_ABOVE = (
    1.0765576773720192317e-8, 0.39894151208813466764, 8.8831497943883759412, 93.506656132177855979,
    597.27027639480026226, 2494.5375852903726711, 6848.1904505362823326, 11602.651437647350124,
    9842.7148383839780218,
)  # fmt: skip
_MIDDLE_BELOW = (
    1.0, 22.266688044328115691, 235.38790178262499861, 1519.377599407554805, 6485.558298266760755,
    18615.571640885098091, 34900.952721145977266, 38912.003286093271411, 19685.429676859990727,
)  # fmt: skip
_FAR_END = 38.4674  # beyond, the tail is less than half the smallest double
_FAR_ABOVE = (
    0.02307344176494017303, 0.21589853405795699, 0.1274011611602473639, 0.022235277870649807,
    0.001421619193227893466, 2.9112874951168792e-5,
)  # fmt: skip
_FAR_BELOW = (
    1.0, 1.28426009614491121, 0.468238212480865118, 0.0659881378689285515, 0.00378239633202758244,
    7.29751555083966205e-5,
)  # fmt: skip
_DENSITY_AT_0 = 0.3989422804014327  # 1 / sqrt(2 pi)


_ONE_BY_ROOT_PI, _ONE_BY_ROOT_PI_LOW = pair_of(
    Fraction(564189583547756286948079451560772585844050629329, 10**48)
)
_SERIES_BELOW = 12.0  # for x / 2; from here on a continued fraction is used
_FRACTION_TERMS = 24
_CERTAIN = 2.0**-80
_LARGE = 2.0**500


def normal_tails(z: Floats) -> Floats:
    """The probability of both tails beyond ``z``."""
    p = np.empty(len(z))
    _normal_tails(np.ascontiguousarray(z, dtype=np.float64), p)
    return p


def chi_square_tail(x: Floats, df: npt.NDArray[np.integer]) -> Floats:
    """The probability of more than ``x``, for ``df`` degrees of freedom, a whole number each."""
    p = np.empty(len(x))
    _chi_square_tails(
        np.ascontiguousarray(x, dtype=np.float64), np.ascontiguousarray(df, dtype=np.int64), p
    )
    return p


@entry
def _normal_tails(z, p):
    for i in range(len(z)):
        p[i] = 2.0 * normal_tail(abs(z[i]))


@inner
def normal_tail(z):
    """The probability of more than ``z``, for ``z >= 0``."""
    if z <= _CENTRE_END:
        square = z * z
        above = _polynomial(_CENTRE_ABOVE, square)
        return 0.5 - z * above / _polynomial(_CENTRE_BELOW, square)
    if z <= _MIDDLE_END:
        return _decay(z) * (_polynomial(_MIDDLE_ABOVE, z) / _polynomial(_MIDDLE_BELOW, z))
    if z < _FAR_END:
        square = 1.0 / (z * z)
        ratio = square * _polynomial(_FAR_ABOVE, square) / _polynomial(_FAR_BELOW, square)
        return _decay(z) * ((_DENSITY_AT_0 - ratio) / z)
    return 0.0 if z > 0.0 else z  # NaN stays NaN


@inner
def _polynomial(coefficients, x):
    """By Horner's rule, the highest power first."""
    value = coefficients[0] * x
    for i in range(1, len(coefficients) - 1):
        value = (value + coefficients[i]) * x
    return value + coefficients[-1]


@inner
def _decay(z):
    """``exp(-z * z / 2)``, where z is split: the square of its first part is exact."""
    first = np.floor(z * 16.0) / 16.0
    rest = (z - first) * (z + first)
    return _exp(-first * first * 0.5) * _exp(-rest * 0.5)


@inner
def _exp(x):
    high, _, power = exponential(x)
    return times_power_of_two(high, power)


@entry
def _chi_square_tails(x, df, p):
    for i in range(len(x)):
        if np.isnan(x[i]):
            p[i] = np.nan
        elif x[i] <= 0.0:
            p[i] = 1.0
        elif x[i] > 1000.0 * (df[i] + 2.0):  # the tail is below the smallest double
            p[i] = 0.0
        else:
            p[i] = _chi_square_tail(x[i] / 2.0, df[i])


@inner
def _chi_square_tail(half, df):
    """Integration by parts gives a finite sum, and for odd ``df`` a tail of the normal.

    With h for ``half``, the tail is exp(-h) times the sum of h^i / gamma(i + 1), for i from 0 or
    1/2 up to df / 2 - 1, plus erfc(sqrt(h)) for odd ``df``. The sum over all i is exp(h), for odd
    ``df`` minus erfc(sqrt(h)) exp(h): if h is small, its missing terms are summed.
    """
    odd = df % 2 == 1
    series = odd and half < _SERIES_BELOW
    total, total_low = 0.0, 0.0
    term, term_low = 1.0, 0.0
    divisor = 1.0
    if odd:  # everything over sqrt(h / pi)
        term, divisor = 2.0, 1.5
        if not series:
            total, total_low = _erfc_fraction(half)
    factor, factor_low, power = exponential(-half)
    for _ in range(df // 2):
        total, total_low = add(total, total_low, term, term_low)
        term, term_low = multiply(term, term_low, half, 0.0)
        term, term_low = divide(term, term_low, divisor, 0.0)
        divisor += 1.0
        if total > _LARGE or term > _LARGE:
            total, total_low = total / _LARGE, total_low / _LARGE
            term, term_low = term / _LARGE, term_low / _LARGE
            power += 500
    if series:
        total, total_low = 0.0, 0.0
        while term > _CERTAIN * total:
            total, total_low = add(total, total_low, term, term_low)
            term, term_low = multiply(term, term_low, half, 0.0)
            term, term_low = divide(term, term_low, divisor, 0.0)
            divisor += 1.0
    if odd:
        root, root_low = square_root(half)
        root, root_low = multiply(root, root_low, _ONE_BY_ROOT_PI, _ONE_BY_ROOT_PI_LOW)
        total, total_low = multiply(total, total_low, root, root_low)
    total, total_low = multiply(total, total_low, factor, factor_low)
    if series:
        total = times_power_of_two(total, power)
        total_low = times_power_of_two(total_low, power)
        total, total_low = add(1.0, 0.0, -total, -total_low)
        return total
    return times_power_of_two(total, power)


@inner
def _erfc_fraction(half):
    """``erfc(sqrt(h)) exp(h) / sqrt(h / pi)``, a continued fraction that is short for large h."""
    inside = half + 0.5 + 2.0 * _FRACTION_TERMS
    for j in range(_FRACTION_TERMS, 1, -1):
        inside = half + 0.5 + 2.0 * (j - 1) - j * (j - 0.5) / inside
    bottom, bottom_low = add(half, 0.5, -0.5 / inside, 0.0)
    return divide(1.0, 0.0, bottom, bottom_low)
