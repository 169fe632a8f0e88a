"""The 80-bit long doubles that R uses on x86-64, emulated with Python's integers.

A number >= 0 is a pair (m, e) for m * 2**e, with at most 64 significant bits; `INFINITE` and `NAN`
are special values. Each function is one operation of the 80-bit format: it rounds the exact result
half to even to 64 bits, to fewer bits near zero, and to infinity above the largest exponent.
"""

from __future__ import annotations

import math

Number = tuple[int, int]

_BITS = 64
_LOWEST = -16445  # exponent of the last bit of the smallest numbers
_HIGHEST = 16384  # 2 to this power is too large
INFINITE: Number = (1, _HIGHEST)
NAN: Number = (-1, 0)
ZERO: Number = (0, 0)


def rounded(m: int, e: int, inexact: bool = False) -> Number:
    """m * 2**e as a long double; `inexact` means that the true value is slightly larger.

    If inexact, m must have more than 64 bits, so that the difference can only decide ties.
    """
    drop = max(m.bit_length() - _BITS, _LOWEST - e)
    if drop > 0:
        half, rest = 1 << (drop - 1), m & ((1 << drop) - 1)
        m, e = m >> drop, e + drop
        if rest > half or (rest == half and (inexact or m & 1)):
            m += 1
    return INFINITE if m.bit_length() + e > _HIGHEST else (m, e)


def product(a: Number, b: Number) -> Number:
    """Return a * b."""
    if NAN in (a, b) or (INFINITE in (a, b) and 0 in (a[0], b[0])):
        return NAN
    if INFINITE in (a, b):
        return INFINITE
    return rounded(a[0] * b[0], a[1] + b[1])


def quotient(a: Number, b: Number) -> Number:
    """Return a / b, for b above zero."""
    if NAN in (a, b) or a == b == INFINITE:
        return NAN
    if INFINITE in (a, b):
        return INFINITE if a == INFINITE else ZERO
    widen = max(0, _BITS + 2 + b[0].bit_length() - a[0].bit_length())
    whole, rest = divmod(a[0] << widen, b[0])
    return rounded(whole, a[1] - b[1] - widen, rest > 0)


def times_plus(a: Number, factor: int, digit: int) -> Number:
    """factor * a + digit for a whole number, rounded after each of the two steps."""
    scaled = product(a, (factor, 0))
    if scaled in (INFINITE, NAN):
        return scaled
    m, e = scaled
    return rounded((m << e) + digit, 0)


def to_double(a: Number) -> float:
    """The nearest double."""
    if a == NAN:
        return math.nan
    try:
        return a[0] / (1 << -a[1]) if a[1] < 0 else float(a[0] << a[1])
    except OverflowError:
        return math.inf


def from_double(value: float) -> Number:
    """Convert a finite double >= 0, which is always exact."""
    numerator, denominator = value.as_integer_ratio()
    return numerator, 1 - denominator.bit_length()
