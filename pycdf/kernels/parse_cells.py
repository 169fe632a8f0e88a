"""Parse many cells of text to the doubles that R's ``read.csv`` reads.

Cells that contain text, or a number in an unusual form, are marked and left to
:func:`pycdf.base_r.numbers.parse_number`. Older versions of R read some of the unusual forms
differently, but none of the forms that this kernel reads.

R reads the digits as a whole number and divides it by a power of ten in long double: one rounding
to 64 bits, then one to 53. For up to 18 digits, and 27 places after the point, the kernel does the
same in whole numbers: 5^27 still fits 64 bits, and powers of two are exact. Most numbers need only
one division of doubles: its result is R's unless the quotient lies so close to the midpoint of two
doubles that rounding twice could matter, which the exact remainder tells.
"""

from typing import Any

import numpy as np

from pycdf.kernels.compile import entry, inlined, inner

NUMBER, MISSING, OTHER = 0, 1, 2  # OTHER: text, or a number of unusual form
_MOST_DIGITS = 18
_MOST_PLACES = 27
_FIVES = np.array([5**power for power in range(_MOST_PLACES + 1)], dtype=np.uint64)
_TOP = np.uint64(1 << 63)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_LOW = np.uint64(0x7FF)  # the 11 bits of a long double that a double does not have
_HALF = np.uint64(0x400)
_DOUBLES = np.uint64(1 << 53)  # whole numbers below it are doubles
_EXACT_FIVE = 22  # 5 to this power is a double
_HALVES = 0.5 ** np.arange(_EXACT_FIVE + 1)
_FRACTION = np.uint64((1 << 52) - 1)  # the stored bits of a double's digits
_HIDDEN = np.uint64(1 << 52)
_WORD = np.uint64(64)
_NEAR = np.uint64(9)  # a quotient is near a midpoint within 2^-10 units of its last place
_BLANK, _TAB, _PLUS, _MINUS, _NINE, _NOUGHT = 32, 9, 43, 45, 57, 48
_SMALL_E, _LARGE_E, _LARGE_N, _LARGE_A = 101, 69, 78, 65


@inlined
def _quotient(digits: Any, places: Any) -> Any:
    """digits / 10^places, rounded to 64 bits and then to 53, ties to even each time."""
    if digits == _ZERO:
        return 0.0
    divisor = _FIVES[places]
    if digits < _DOUBLES and places <= _EXACT_FIVE:
        nearest = np.float64(digits) / np.float64(divisor)
        bits = np.float64(nearest).view(np.uint64)
        head = bits & _FRACTION | _HIDDEN
        shift = np.uint64(1075) - (bits >> np.uint64(52))  # nearest is head / 2^shift
        # Modulo 2^64: the remainder is below 2^63, so it survives the wrapping.
        rest = (digits << shift if shift < _WORD else _ZERO) - head * divisor
        if rest >= _TOP:
            rest = _ZERO - rest
        rest = rest << _ONE
        gap = rest - divisor if rest > divisor else divisor - rest
        # Below a power of two, doubles are closer to each other, and midpoints elsewhere.
        if rest == _ZERO or (head != _HIDDEN and gap > divisor >> _NEAR):
            return nearest * _HALVES[places]
    return _long_quotient(digits, divisor, places)


@inner
def _long_quotient(digits: Any, divisor: Any, places: Any) -> Any:
    """The same by long division, bit by bit, until the quotient has 64 of them."""
    shift = 0
    rest = digits % divisor
    quotient = digits // divisor
    while quotient < _TOP:
        # rest < divisor < 2^63: doubling cannot overflow
        rest = rest << _ONE
        quotient = quotient << _ONE
        if rest >= divisor:
            rest -= divisor
            quotient |= _ONE
        shift += 1
    twice = rest << _ONE
    if twice > divisor or (twice == divisor and quotient & _ONE):
        quotient += _ONE
        if quotient == _ZERO:  # 2^64
            quotient = _TOP
            shift -= 1
    low = quotient & _LOW
    quotient -= low
    head = quotient >> np.uint64(11)
    if low > _HALF or (low == _HALF and head & _ONE):
        head += _ONE
    return np.ldexp(np.float64(head), np.int32(11 - shift - places))


@inlined
def _product(digits: Any, power: Any) -> Any:
    """digits * 10^power for a result below 2^64, which is rounded only at the end."""
    value = digits
    for _ in range(power):
        value *= np.uint64(10)
    return np.float64(value)


@entry
def parse_cells(
    text: Any, starts: Any, stops: Any, point: Any, quote: Any, values: Any, kinds: Any
) -> None:
    """Parse cells.

    Parameters
    ----------
    text : uint8
        The text that contains the cells.
    starts, stops : integers, cells
        The range of each cell.
    point, quote : int
        The bytes of the decimal mark, and of the quotes that may enclose a cell.
    values : float64, cells
        Gets the numbers, NaN if a cell is not one.
    kinds : integers, cells
        Gets NUMBER, MISSING or OTHER.
    """
    for cell in range(values.size):
        at = starts[cell]
        end = stops[cell]
        if end - at > 1 and text[at] == quote and text[end - 1] == quote:
            at += 1
            end -= 1
        width = end - at
        while at < end and (text[at] == _BLANK or text[at] == _TAB):
            at += 1
        while end > at and (text[end - 1] == _BLANK or text[end - 1] == _TAB):
            end -= 1
        values[cell] = np.nan
        # NA with blanks around it is text in R
        if at == end or (width == 2 and text[at] == _LARGE_N and text[at + 1] == _LARGE_A):
            kinds[cell] = MISSING
            continue
        kinds[cell] = OTHER
        negative = text[at] == _MINUS
        if negative or text[at] == _PLUS:
            at += 1
        digits = np.uint64(0)
        count = 0  # of digits, leading zeros left out
        places = 0
        any_digit = False
        pointed = False
        while at < end:
            byte = text[at]
            if _NOUGHT <= byte <= _NINE:
                any_digit = True
                count += count > 0 or byte != _NOUGHT
                if count <= _MOST_DIGITS:
                    digits = digits * np.uint64(10) + np.uint64(byte - _NOUGHT)
                if pointed:
                    places += 1
            elif byte == point and not pointed:
                pointed = True
            else:
                break
            at += 1
        if not any_digit or count > _MOST_DIGITS:
            continue
        if at < end and (text[at] == _SMALL_E or text[at] == _LARGE_E) and end - at <= 5:
            at += 1
            down = at < end and text[at] == _MINUS
            if at < end and (down or text[at] == _PLUS):
                at += 1
            exponent = 0
            ok = at < end
            while at < end and _NOUGHT <= text[at] <= _NINE:
                exponent = 10 * exponent + int(text[at] - _NOUGHT)
                at += 1
            if not ok:
                continue
            places += exponent if down else -exponent
        if at < end or places > _MOST_PLACES or count - places > _MOST_DIGITS:
            continue
        value = _quotient(digits, places) if places >= 0 else _product(digits, -places)
        values[cell] = -value if negative else value
        kinds[cell] = NUMBER
