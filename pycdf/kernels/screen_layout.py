"""The screen: a copy of the training matrix in single precision, laid out for fast sums.

A feature's rows stand class by class, each class padded to whole blocks of lanes, as
z = (x - center) / scale. What is computed on it, and how far that can be off, is in
:mod:`pycdf.kernels.screen_bounds`.
"""

import math
from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, once
from pycdf.kernels.extended_sums import bits_of, double_of

FLOOR, SLOP, WHOLE, INCOMPLETE = range(4)  # places in a feature's header
_POWER = np.int64(0x7FF0000000000000)
_SMALL_WHOLE = 2048.0
Screen = namedtuple("Screen", "values valid valid_slot place width")
"""The screen's copy of a training matrix.

`values`: features x width, flat. A feature begins with a header of one block: 1e-7 in units of its
scale, its slop (see there), whether it is a column of small whole numbers, whether it has missing
values; its rows follow. `valid`: the same for features with missing values, with 1 where there is
a value; `valid_slot` tells a feature's line in it. `place`: where a training row is in a line.
"""


@once
def _survey(column):
    """A center for a column (the value of most rows, or the mean), its largest magnitude, gaps."""
    favourite = 0.0
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
def fill_lines(columns, spreads, place, lines):
    """Write the lines of some features."""
    p, n = columns.shape
    for j in range(p):
        center, largest, gaps = _survey(columns[j])
        scale = double_of(bits_of(spreads[j]) & _POWER)  # a power of two: whole numbers stay exact
        fits = 2.0**-100 < scale < 2.0**80 and largest < 2.0**200
        whole = center == math.floor(center)
        reach = 0.0
        for i in range(n):
            apart = columns[j, i] - center
            if apart == apart:
                whole = whole and apart == math.floor(apart)
                reach = max(reach, abs(apart))
                if fits:
                    lines[j, place[i]] = apart / scale
        lines[j, FLOOR] = 1e-7 / scale if fits else 1.0
        lines[j, SLOP] = 16 * 2.0**-53 * (largest / scale) if fits else np.inf
        lines[j, WHOLE] = fits and whole and reach * n < _SMALL_WHOLE
        lines[j, INCOMPLETE] = gaps
