"""Copy a training matrix into the screen that the kernels sum (:mod:`pycdf.kernels.screen_layout`)."""

import numpy as np
import numpy.typing as npt

from pycdf.kernels.screen_layout import INCOMPLETE, Screen, fill_lines
from pycdf.kernels.simd import BLOCK
from pycdf.support.parallel import in_bands

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


def _padded_places(codes: Ints, n_classes: int) -> tuple[Ints, int]:
    """Where each row goes when classes are put in whole blocks; and the padded length."""
    counts = np.bincount(codes, minlength=n_classes)
    padded = -(-counts // BLOCK) * BLOCK
    shift = np.cumsum(padded) - padded - (np.cumsum(counts) - counts)
    place = np.empty(len(codes), dtype=np.int32)
    order = np.argsort(codes, kind="stable")
    place[order] = BLOCK + np.arange(len(codes)) + shift[codes[order]]  # behind the header
    return place, BLOCK + int(padded.sum())


def build_screen(
    columns: Floats, codes: Ints, n_classes: int, spreads: Floats, n_jobs: int | None = 1
) -> Screen:
    """Copy a matrix (features x rows) for screening; `spreads`: its standard deviations."""
    place, width = _padded_places(codes, n_classes)
    lines = np.zeros((len(columns), width), dtype=np.float32)
    in_bands(
        lambda band: fill_lines(columns[band], spreads[band], place, lines[band]),
        columns.shape,
        n_jobs,
    )
    gaps = lines[:, INCOMPLETE] > 0
    incomplete = np.flatnonzero(gaps)
    slots: Ints = (np.cumsum(gaps) - gaps).astype(np.int32)
    valid = np.zeros((len(incomplete), width), dtype=np.float32)

    def mark(band: slice) -> None:
        valid[band, place] = ~np.isnan(columns[incomplete[band]])

    in_bands(mark, valid.shape, n_jobs)
    return Screen(lines.ravel(), valid.ravel(), slots, place, width)
