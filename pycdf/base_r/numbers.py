"""Numbers in text, as R 4.6 on x86-64 reads and writes them.

`parse_number` is as.numeric() of text. R accumulates the digits and scales
them by a power of ten in long double, then rounds to double: about one in 5,000 numbers of 15
digits is one unit in the last place off the nearest double, and a text of hundreds of digits or
with a large exponent may be further off. Where R gives NA, the result here is NaN. R before 4.4.3
reads a few texts differently; docs/differences.md lists them.

`number_text` is as.character() of a double, which is the same in all versions of R from 4.2: the
fewest digits, up to 15, that give the value rounded to 15 digits, in fixed notation unless
scientific notation is shorter.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from pycdf.base_r import long_double as ld

# R skips C's white space before a number, and after it any character that Unicode calls a space,
# except non-breaking ones.
_BEFORE = r"[ \t\n\v\f\r]*([+-]?)"
_AFTER = "[ \t\n\v\f\r\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*"
_DECIMAL = re.compile(
    rf"{_BEFORE}(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)([0-9]+))?{_AFTER}"
)
_HEXADECIMAL = re.compile(
    rf"{_BEFORE}0[xX](?=.)([0-9a-fA-F.]*)(?:[pP]([+-]?)([0-9]+))?{_AFTER}", re.DOTALL
)
_INFINITE = re.compile(rf"{_BEFORE}(?:inf|infinity){_AFTER}", re.ASCII | re.IGNORECASE)

_LARGEST = ld.from_double(np.finfo(np.float64).max.item())
_EXACT_POWER = 27  # 10 to this power still fits 64 bits
_TEN: ld.Number = (10, 0)
_ONE: ld.Number = (1, 0)


def parse_number(text: str) -> float:
    """R's as.numeric() of one text; NaN if R gives NA or NaN."""
    if match := _DECIMAL.fullmatch(text):
        sign, whole, part, exponent_sign, exponent = match.groups(default="")
        value = _decimal(whole + part, _exponent(exponent_sign, exponent) - len(part))
    elif match := _HEXADECIMAL.fullmatch(text):
        sign, digits, exponent_sign, exponent = match.groups(default="")
        value = _hexadecimal(digits, _exponent(exponent_sign, exponent))
    elif match := _INFINITE.fullmatch(text):
        sign, value = match[1], math.inf
    else:
        return math.nan
    return -value if sign == "-" else value


def _exponent(sign: str, digits: str) -> int:
    """Read an exponent as R does: at most five digits; no digits count as 0."""
    value = 0
    for digit in digits:
        if value >= 9999:
            break
        value = 10 * value + int(digit)
    return -value if sign == "-" else value


def _decimal(digits: str, power: int) -> float:
    """The digits times ten to the power, in the same steps as R."""
    count = len(digits)
    head = int(digits[:19])  # 19 digits always fit 64 bits
    if count <= 18 and -4 <= power <= 0:
        # Such a quotient is never so close to the midpoint of two doubles that rounding to
        # 64 bits first could matter: 54 bits times 5**4 need fewer than 64 bits.
        return float(head / 10**-power)
    if count <= 19 and -_EXACT_POWER <= power <= _EXACT_POWER:
        # One rounding to 64 bits, and one to 53.
        if power >= 0:
            return ld.to_double(ld.rounded(head * 10**power, 0))
        return ld.to_double(ld.quotient((head, 0), (10**-power, 0)))
    value = ld.rounded(head, 0)
    for digit in digits[19:]:
        value = ld.times_plus(value, 10, int(digit))
    if power + count < -300:  # R avoids underflow in intermediate results
        for _ in range(count):
            value = ld.quotient(value, _TEN)
        power += count
    if power < -307:
        value = ld.product(value, _power(_TEN, -power, ld.quotient))
    elif power < 0:
        value = ld.quotient(value, _power(_TEN, -power, ld.product))
    elif value[0]:
        value = ld.product(value, _power(_TEN, power, ld.product))
    if value != ld.NAN and _exceeds(value, _LARGEST):
        return math.inf
    return ld.to_double(value)


def _power(
    base: ld.Number, power: int, step: Callable[[ld.Number, ld.Number], ld.Number]
) -> ld.Number:
    """One multiplied (or divided) by the base `power` times, by repeated squaring."""
    value = _ONE
    while power:
        if power & 1:
            value = step(value, base)
        base = ld.product(base, base)
        power >>= 1
    return value


def _exceeds(a: ld.Number, b: ld.Number) -> bool:
    lowest = min(a[1], b[1])
    return a[0] << (a[1] - lowest) > b[0] << (b[1] - lowest)


def _hexadecimal(digits: str, power: int) -> float:
    """Hexadecimal digits times two to the power; of several points, the last one counts."""
    value = ld.ZERO
    for digit in digits.replace(".", ""):
        value = ld.times_plus(value, 16, int(digit, 16))
    if value[0]:
        behind_point = 4 * len(digits.rpartition(".")[2]) if "." in digits else 0
        if behind_point and power - behind_point < -122:
            value = ld.quotient(value, _power_of_two(behind_point))
        else:
            power -= behind_point
        if power < 0:
            value = ld.quotient(value, _power_of_two(-power))
        else:
            value = ld.product(value, _power_of_two(power))
    return ld.to_double(value)


def _power_of_two(power: int) -> ld.Number:
    """2**power as R computes it: by repeated squaring in double, which overflows above 2**1023."""
    return (1, power) if power < 1024 else ld.INFINITE


def number_text(value: float) -> str:
    """R's as.character() of one double."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    if value == 0:
        return "0"
    power, digits = _significant(abs(value))
    decimals = max(0, digits - power - 1)
    fixed_width = max(0, power) + 1 + (decimals + 1 if decimals else 0)
    # An exponent of three digits takes 5 characters, but then fixed notation takes 100.
    scientific_width = (digits + 1 if digits > 1 else 1) + 4
    if fixed_width <= scientific_width:
        return _without_zeros(f"{value:.{decimals}f}")
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{_without_zeros(mantissa)}e{exponent}"


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


_DIGITS = 15
_TABLE_END = 27  # the end of R's table of powers of ten; as doubles they are inexact from 1e23 on


def _significant(value: float) -> tuple[int, int]:
    """Power of ten of the first digit, and number of digits.

    R scales the value to 15 digits before the point, in long double, and rounds. If that adds a
    digit, R may count one less, which decides about fixed notation only for numbers below 1e5 that
    round to it; with 15 digits, no double does so.
    """
    power = math.floor(math.log10(value)) - _DIGITS + 1
    scaled = ld.from_double(value)
    if abs(power) <= _TABLE_END:
        factor = ld.from_double(float(10 ** abs(power)))
        scaled = ld.quotient(scaled, factor) if power > 0 else ld.product(scaled, factor)
    else:
        scaled = ld.quotient(scaled, _power_of_ten(power))
    if _exceeds((10 ** (_DIGITS - 1), 0), scaled):
        scaled = ld.product(scaled, _TEN)
        power -= 1
    rounded = round(Fraction(scaled[0]) * Fraction(2) ** scaled[1])
    power += _DIGITS - 1 + (rounded == 10**_DIGITS)
    return power, len(str(rounded).rstrip("0"))


# Powers n for which glibc's powl(10, n), which R calls, is one unit above or below the nearest long
# double.
_ABOVE = {
    -310, -291, -282, -258, -246, -235, -225, -212, -187, -181, -137, -100, -79, -61, -37, 43, 73,
    104, 136, 143, 152, 158, 164, 176, 216, 222, 247, 255, 257, 275, 282,
}  # fmt: skip
_BELOW = {
    -306, -285, -275, -271, -253, -250, -249, -223, -196, -194, -185, -173, -107, -63, 70, 95, 131,
    141, 185, 192, 200, 251, 259, 262, 294,
}  # fmt: skip


@functools.cache
def _power_of_ten(power: int) -> ld.Number:
    if power >= 0:
        m, e = ld.rounded(10**power, 0)
    else:
        m, e = ld.quotient(_ONE, (10**-power, 0))
    return m + (power in _ABOVE) - (power in _BELOW), e
