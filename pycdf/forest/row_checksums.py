"""A checksum of each training row, by which a model recognises rows that it was grown on.

The checksum of a row is a sum of its values' 64 bits, each multiplied by an odd number of its
column, modulo 2**64. Rows that differ in one value never have the same checksum, and others hardly
ever. It protects nothing: whoever has a row can tell whether the model has seen it.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Checksums = npt.NDArray[np.uint64]

_CELLS = 2**16  # at a time, which the processor caches


def row_checksums(columns: Floats) -> Checksums:
    """The checksum of each row; ``columns`` are features x rows.

    0.0 and -0.0 are the same value, and so are all NaN.
    """
    sums = np.zeros(columns.shape[1], dtype=np.uint64)
    band = max(1, _CELLS // max(1, columns.shape[1]))
    for first in range(0, len(columns), band):
        values = np.add(columns[first : first + band], 0.0, order="C")
        values[np.isnan(values)] = np.nan
        bits = values.view(np.uint64)
        # Numbers with few digits end in zeros, which would be lost from the products.
        bits ^= bits >> np.uint64(32)
        sums += _multipliers(first, len(values)) @ bits
    return sums


def _multipliers(first: int, count: int) -> Checksums:
    """Odd random numbers for ``count`` columns, by splitmix64 of their positions."""
    z = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    z *= np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))) | np.uint64(1)


def find_rows(known: Checksums, rows: Checksums) -> npt.NDArray[np.int64]:
    """Which of the ``known`` rows each of the ``rows`` is, as a position; -1 if it is none.

    If known rows are equal, the first of ``rows`` that equals them is the first of them, the second
    one the second, and so on; further ones are the last.
    """
    order = np.argsort(known, kind="stable")
    positions: dict[int, list[int]] = {}
    for position in order.tolist():
        positions.setdefault(int(known[position]), []).append(position)
    found = np.full(len(rows), -1, dtype=np.int64)
    for row in np.flatnonzero(np.isin(rows, known)).tolist():
        places = positions[int(rows[row])]
        found[row] = places.pop(0) if len(places) > 1 else places[0]
    return found
