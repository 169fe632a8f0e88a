"""R's 80-bit sums and means, for machines and compilers that have no 80-bit numbers.

R on x86-64 adds up in long doubles: 64 significant bits, rounded to nearest even after each
addition. Here such a sum is a pair of doubles ``(high, low)``: ``high + low`` is the 64-bit value,
and ``high`` is that value rounded to a double, which is what R stores in the end.

:func:`add80` adds one double, :func:`sum80` many, and :func:`divide80` computes the mean from a
sum. All exponents of a double are covered, subnormal ones included. An intermediate sum that
rounds to a double beyond the largest one counts as infinite. All arguments are float64 scalars,
except counts, which are int64.
"""

import numpy as np

from pycdf.kernels.compile import inner
from pycdf.kernels.simd import bits_of, double_of

_EXPONENT = np.int64(0x7FF)
_MANTISSA = np.int64(0x000FFFFFFFFFFFFF)
_HIDDEN = np.int64(0x0010000000000000)
# Below 2^-1011 a multiple of 2^-1074 has at most 64 bits, so every sum there is exact.
_EXACT_UP_TO = np.int64(1023 - 1011)
_LOW_32 = np.uint64(0xFFFFFFFF)
_TOP_BIT = np.uint64(0x8000000000000000)


@inner
def two_sum(a, b):
    """The rounded sum of two doubles, and its rounding error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@inner
def round_to_64_bits(high, low, rest):
    """Round ``high + low + rest`` to 64 significant bits.

    ``high`` is the nearest double to the whole, ``rest`` is smaller than the last bit of ``low``.
    """
    bits = bits_of(high)
    exponent = (bits >> 52) & _EXPONENT
    if exponent <= _EXACT_UP_TO or exponent == _EXPONENT or (low == 0.0 and rest == 0.0):
        return high, low
    if (bits & _MANTISSA) == 0 and (low > 0.0) != (high > 0.0) and low != 0.0:
        exponent -= 1  # just below a power of two the bits are half as large
    # Adding 1.5 * 2^52 grid steps removes everything finer than the grid from the mantissa.
    if exponent > 63:
        step = double_of((exponent - 63) << 52)
    else:
        step = double_of(np.int64(1) << (exponent - 12))  # subnormal
    push = double_of(((exponent - 11) << 52) | (np.int64(1) << 51))
    rounded = (low + push) - push
    lost = low - rounded
    if rest > 0.0 and lost == 0.5 * step:
        rounded += step
    elif rest < 0.0 and lost == -0.5 * step:
        rounded -= step
    total = high + rounded
    return total, rounded - (total - high)


@inner
def add80(high, low, x):
    """One step of R's long double sum: ``(high + low) + x``, rounded to 64 bits."""
    if not (np.isfinite(high) and np.isfinite(x)):
        return high + x, 0.0
    total, rest = _add_finite(high, low, x)
    if not np.isfinite(total):
        # Near the largest double a part can overflow although the sum does not.
        total, rest = _add_finite(0.25 * high, 0.25 * low, 0.25 * x)
        total *= 4.0
        rest = 4.0 * rest if np.isfinite(total) else 0.0
    return total, rest


@inner
def _add_finite(high, low, x):
    total, lost = two_sum(high, x)
    middle, rest = two_sum(low, lost)
    total, low = two_sum(total, middle)
    low, rest = two_sum(low, rest)
    total, low = two_sum(total, low)
    return round_to_64_bits(total, low, rest)


@inner
def sum80(values, first, step, count):
    """R's long double sum of ``count`` elements ``values[first]``, ``values[first + step]``, ...

    While the sum stays between two powers of two, its 64-bit grid is the same, and adding x means
    adding the grid point nearest to x, which is exact in a pair of doubles. :func:`add80` is needed
    only if the sum leaves that range, or if x is halfway between two grid points.
    """
    high = 0.0
    low = 0.0
    least = np.inf
    most = push = half = small = large = 0.0
    for i in range(count):
        x = values[first + i * step]
        size = abs(x)
        point = (x + push) - push if size < small else x
        total = high + point
        if least < abs(total) < most and (size < small or size >= large) and abs(x - point) != half:
            part = total - high
            low += (high - (total - part)) + (point - part)
            high = total
            continue
        high, low = two_sum(high, low)
        high, low = add80(high, low, x)
        bits = bits_of(high)
        exponent = (bits >> 52) & _EXPONENT
        least = np.inf
        # not at a power of two, where the sum may be just below, on a finer grid
        if 64 < exponent < _EXPONENT - 1 and (bits & _MANTISSA) != 0:
            power = double_of(exponent << 52)
            # the low part is ignored, so keep away from the ends
            least = power * (1.0 + 2.0**-20)
            most = power * (2.0 - 2.0**-20)
            half = power * 2.0**-64
            small = power * 2.0**-12  # numbers below need rounding to the grid,
            large = power * 2.0**-11  # numbers from here on are on it
            push = small * 3.0
    return two_sum(high, low)


@inner
def divide80(high, low, count):
    """R's mean: a 64-bit sum over a positive count, rounded to 64 bits and then to a double."""
    if not np.isfinite(high) or high == 0.0:
        return high
    negative = high < 0.0
    if negative:
        high, low = -high, -low
    scale = np.int64(0)
    if high < 2.0**-900:
        # scaled up, so that neither part is subnormal
        high, low, scale = high * 2.0**200, low * 2.0**200, np.int64(200)
    bits = bits_of(high)
    exponent = (bits >> 52) - 1023
    top = (bits & _MANTISSA) | _HIDDEN
    places = np.uint64(11)
    if top == _HIDDEN and low < 0.0:  # just below a power of two the bits are half as large
        exponent -= 1
        places = np.uint64(12)
    # The sum as a 64-bit integer times 2^(exponent - 63).
    tail = np.int64(low / double_of((exponent - 63 + 1023) << 52))
    whole = np.uint64(top) << places
    if tail < 0:
        whole -= np.uint64(-tail)
    else:
        whole += np.uint64(tail)
    quotient, sticky, shift = _long_division(whole, np.uint64(count))
    mean = _to_double(quotient, sticky, exponent - shift - scale)
    return -mean if negative else mean


@inner
def _long_division(whole, count):
    """Round ``whole / count`` to 64 bits: the bits, whether they carried to 2^64, their shift."""
    # Schoolbook division of whole * 2^64, 32 bits at a time; the count has at most 31 bits.
    high = whole // count
    left = whole - high * count
    part = (left << np.uint64(32)) // count
    left = (left << np.uint64(32)) - part * count
    low = (part << np.uint64(32)) | ((left << np.uint64(32)) // count)
    shift = np.int64(0)
    while high & _TOP_BIT == np.uint64(0):
        high = (high << np.uint64(1)) | (low >> np.uint64(63))
        low = low << np.uint64(1)
        shift += 1
    carried = False
    # At least half. Never a tie: its odd 65 bits would have to divide the 64 bits of `whole`.
    if low & _TOP_BIT != np.uint64(0):
        high += np.uint64(1)
        if high == np.uint64(0):
            high, carried = _TOP_BIT, True
    return high, carried, shift


@inner
def _to_double(bits64, carried, exponent):
    """A 64-bit mantissa times 2^(exponent - 63), rounded once more, to a double."""
    if carried:
        exponent += 1
    cut = np.int64(11)
    if exponent < -1022:
        cut += -1022 - exponent  # subnormal: fewer bits remain
    if cut > 64:
        return 0.0
    if cut == 64:
        keep, rest, half = np.uint64(0), bits64, _TOP_BIT
    else:
        keep = bits64 >> np.uint64(cut)
        rest = bits64 & ((np.uint64(1) << np.uint64(cut)) - np.uint64(1))
        half = np.uint64(1) << np.uint64(cut - 1)
    if rest > half or (rest == half and keep & np.uint64(1) != np.uint64(0)):
        keep += np.uint64(1)
    # keep has at most 54 bits; the power of two is applied in two exact halves
    power = exponent - 63 + cut
    first = power // 2
    value = np.float64(np.int64(keep))
    return value * double_of((first + 1023) << 52) * double_of((power - first + 1023) << 52)
