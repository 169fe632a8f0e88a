"""The screen of a training matrix: its copy in single precision, on which candidates are screened.

:mod:`pycdf.kernels.screen_layout` says how it is laid out.
"""

import numpy as np
import numpy.typing as npt

from pycdf.kernels.screen_layout import INCOMPLETE, Screen, fill_lines
from pycdf.kernels.simd_sizes import BLOCK
from pycdf.support.parallel import in_bands

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


def _padded_columns(codes: Ints, n_classes: int) -> tuple[Ints, int]:
    """The column of each row when every class fills whole blocks, and the width of a line."""
    counts = np.bincount(codes, minlength=n_classes)
    padded = -(-counts // BLOCK) * BLOCK
    shift = np.cumsum(padded) - padded - (np.cumsum(counts) - counts)
    column_of_row = np.empty(len(codes), dtype=np.int32)
    order = np.argsort(codes, kind="stable")
    column_of_row[order] = BLOCK + np.arange(len(codes)) + shift[codes[order]]  # after the header
    return column_of_row, BLOCK + int(padded.sum())


def build_screen(
    columns: Floats, codes: Ints, n_classes: int, spreads: Floats, n_jobs: int | None = 1
) -> Screen:
    """Copy a matrix (features x rows) for screening; `spreads`: its standard deviations."""
    column_of_row, width = _padded_columns(codes, n_classes)
    lines = np.zeros((len(columns), width), dtype=np.float32)
    in_bands(
        lambda band: fill_lines(columns[band], spreads[band], column_of_row, lines[band]),
        columns.shape,
        n_jobs,
    )
    gaps = lines[:, INCOMPLETE] > 0
    incomplete = np.flatnonzero(gaps)
    valid_line: Ints = (np.cumsum(gaps) - gaps).astype(np.int32)
    valid = np.zeros((len(incomplete), width), dtype=np.float32)

    def mark(band: slice) -> None:
        valid[band, column_of_row] = ~np.isnan(columns[incomplete[band]])

    in_bands(mark, valid.shape, n_jobs)
    return Screen(
        values=lines.ravel(),
        valid=valid.ravel(),
        valid_line=valid_line,
        column_of_row=column_of_row,
        width=width,
    )
