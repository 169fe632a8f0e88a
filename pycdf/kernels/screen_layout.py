"""The screen: a copy of the training matrix in single precision, laid out for fast sums.

Each feature has a line: its rows class by class, each class padded to whole blocks, as
z = (x - center) / scale. :mod:`pycdf.kernels.screen_bounds` computes scores on it and derives their
error bounds.
"""

import math
from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, inlined
from pycdf.kernels.simd import bits_of, double_of

FLOOR, SLACK, WHOLE, INCOMPLETE = range(4)  # positions in a feature's header
_POWER = np.int64(0x7FF0000000000000)
_SMALL_WHOLE = 2048.0

Screen = namedtuple("Screen", "values valid valid_line column_of_row width")
"""The screen's copy of a training matrix.

`values`: features x width, flat, float32. A feature's line begins with a header of one block: 1e-7
in units of its scale, its slack (see there), whether it is a column of small whole numbers, whether
it has missing values; its rows follow. `valid`: lines for features with missing values, with 1
where there is a value; `valid_line` is a feature's line in it, int32. `column_of_row`: where a
training row is in a line, int32.
"""


@inlined
def _survey(column):
    """A center for a column, its largest magnitude, and whether values are missing.

    The center is the value that most rows have, if there is one, otherwise the mean.
    """
    favourite = 0.0  # the only value that more than half of the rows can have
    lead = 0
    total = 0.0
    count = 0
    largest = 0.0
    for i in range(column.size):
        value = column[i]
        if value == value:
            count += 1
            total += value
            largest = max(largest, abs(value))
            if lead == 0:
                favourite = value
            lead += 1 if value == favourite else -1
    held = 0
    if lead > 0:
        for i in range(column.size):
            held += column[i] == favourite
    return favourite if 2 * held > count else total / count, largest, count < column.size


@entry
def fill_lines(columns, spreads, column_of_row, lines):
    """Write the lines of some features.

    Parameters
    ----------
    columns : float64, features x rows
    spreads : float64, features
        The standard deviations of the columns, all finite and above zero.
    column_of_row : int32, rows
    lines : float32, features x width
        Must be zeros.
    """
    p, n = columns.shape
    for j in range(p):
        center, largest, gaps = _survey(columns[j])
        scale = double_of(bits_of(spreads[j]) & _POWER)  # a power of two: whole numbers stay exact
        fits = 2.0**-100 < scale < 2.0**80 and largest < 2.0**200
        inverse = 1.0 / scale if fits else 0.0  # as exact as the quotient, and faster
        whole = center == math.floor(center)
        reach = 0.0
        for i in range(n):
            distance = columns[j, i] - center
            if distance == distance:
                whole = whole and distance == math.floor(distance)
                reach = max(reach, abs(distance))
                if fits:
                    lines[j, column_of_row[i]] = distance * inverse
        lines[j, FLOOR] = 1e-7 / scale if fits else 1.0
        lines[j, SLACK] = 16 * 2.0**-53 * (largest / scale) if fits else np.inf
        lines[j, WHOLE] = fits and whole and reach * n < _SMALL_WHOLE
        lines[j, INCOMPLETE] = gaps
