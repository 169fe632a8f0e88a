"""The vector instructions of :mod:`pycdf.kernels.simd` in numpy: what each of them computes.

In the ``lane_`` functions `values` has `count` rows of LANES doubles each, one after the other,
`given` has LANES doubles, and `out` gets LANES doubles for each kind of sum. Every lane adds in
the order of the rows, so that all results are those of the machine code, bit for bit.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.kernels.simd_sizes import BLOCK, FOUR, LANES

Singles = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


def moments(
    values: Singles,
    starts: Longs,
    weights: Singles,
    blocks: Longs,
    first: int,
    last: int,
    sums: Singles,
    squares: Singles,
    position: int,
) -> None:
    """Weighted sums, and weighted sums of squares, of FOUR features over some blocks of rows.

    Feature f has `values[starts[f] + b + i]` with the weight `weights[b + i]`, for b in
    `blocks[first:last]` and i below BLOCK. Its sums go to `sums[position + f]` and
    `squares[position + f]`, counted in the flat array. The machine code may add in another order
    and fuse products into sums; the bound on the error holds for both.
    """
    for f in range(FOUR):
        total = np.zeros((2, BLOCK), np.float32)
        for block in blocks[first:last]:
            value = values[starts[f] + block :][:BLOCK]
            weighted = value * weights[block : block + BLOCK]
            total[0] += weighted
            total[1] += weighted * value
        width = BLOCK
        while width > 1:
            width //= 2
            total = total[:, :width] + total[:, width:]
        sums.flat[position + f], squares.flat[position + f] = total[:, 0]


def headers(values: Singles, starts: Longs, out: Singles, size: int, position: int) -> None:
    """Copy the first FOUR numbers of FOUR lines, number by number.

    `out[h * size + position + f]`, counted in the flat array, gets `values[starts[f] + h]`.
    """
    for f in range(FOUR):
        for h in range(FOUR):
            out.flat[h * size + position + f] = values[starts[f] + h]


def bits_of(x: float) -> np.int64:
    """The 64 bits of a double."""
    return np.float64(x).view(np.int64)


def double_of(bits: int) -> np.float64:
    """The double of 64 bits."""
    return np.int64(bits).view(np.float64)


def prefetch(values: Singles, start: int, size: int) -> None:
    """Prefetch the numbers from `start` on, at most `size` of them."""


def lane_sums(values: Doubles, count: int, given: Doubles, out: Doubles) -> None:
    """Per lane: the sum of the rows, its rounding error, the largest partial sum."""
    total, lost, largest = out.reshape(3, LANES)
    out[:] = 0.0
    for row in _rows(values, count):
        after = total + row
        part = after - total
        lost += (total - (after - part)) + (row - part)
        total[:] = after
        size = np.abs(after)
        largest[:] = np.where(size > largest, size, largest)


def lane_differences(values: Doubles, count: int, given: Doubles, out: Doubles) -> None:
    """Per lane: the sum of row - given."""
    out[:LANES] = 0.0
    for row in _rows(values, count):
        out[:LANES] += row - given


def lane_squares(values: Doubles, count: int, given: Doubles, out: Doubles) -> None:
    """Per lane: the sum of (row - given)^2."""
    out[:LANES] = 0.0
    for row in _rows(values, count):
        difference = row - given
        out[:LANES] += difference * difference


def _rows(values: Doubles, count: int) -> Any:
    return values[: count * LANES].reshape(count, LANES)
