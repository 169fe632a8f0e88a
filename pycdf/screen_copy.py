"""The screen: a copy of the training matrix in single precision, laid out for fast sums.

In go features x rows; out comes a :class:`Screen`. A feature's rows stand class by class, each
class padded to whole blocks of lanes, as z = (x - center) / scale. What is computed on it, and how
far that can be off, is in :mod:`pycdf.screen`.
"""

import math
from collections import namedtuple

import numpy as np
import numpy.typing as npt

from pycdf._jit import entry, once
from pycdf.extended import bits_of, double_of
from pycdf.simd import BLOCK
from pycdf.support.parallel import in_bands

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

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


def _padded_places(codes: Ints, n_classes: int) -> tuple[Ints, int]:
    """Where each row goes when classes are put in whole blocks; and the padded length."""
    counts = np.bincount(codes, minlength=n_classes)
    padded = -(-counts // BLOCK) * BLOCK
    shift = np.cumsum(padded) - padded - (np.cumsum(counts) - counts)
    place = np.empty(len(codes), dtype=np.int32)
    order = np.argsort(codes, kind="stable")
    place[order] = BLOCK + np.arange(len(codes)) + shift[codes[order]]  # behind the header
    return place, BLOCK + int(padded.sum())


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
def _fill(columns, spreads, place, lines):
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


def build_screen(
    columns: Floats, codes: Ints, n_classes: int, spreads: Floats, n_jobs: int | None = 1
) -> Screen:
    """Copy a matrix (features x rows) for screening; `spreads`: its standard deviations."""
    place, width = _padded_places(codes, n_classes)
    lines = np.zeros((len(columns), width), dtype=np.float32)
    in_bands(
        lambda band: _fill(columns[band], spreads[band], place, lines[band]), columns.shape, n_jobs
    )
    gaps = lines[:, INCOMPLETE] > 0
    incomplete = np.flatnonzero(gaps)
    slots: Ints = (np.cumsum(gaps) - gaps).astype(np.int32)
    valid = np.zeros((len(incomplete), width), dtype=np.float32)

    def mark(band: slice) -> None:
        valid[band, place] = ~np.isnan(columns[incomplete[band]])

    in_bands(mark, valid.shape, n_jobs)
    return Screen(lines.ravel(), valid.ravel(), slots, place, width)
