"""The order of the rows in each column, by which a score that compares them is found quickly."""

import numpy as np
import numpy.typing as npt

from pycdf.kernels.arrays import read_only
from pycdf.kernels.lab_choice import AUC
from pycdf.kernels.lab_ranks import MOST_ROWS, Order, new_order, sort_columns
from pycdf.support.parallel import in_bands


def needs_order(score: int) -> bool:
    """Whether the score of this number compares rows."""
    return score == AUC


def sorted_columns(columns: npt.NDArray[np.float64], needed: bool) -> Order:
    """Sort all columns (features x rows); none if they are not needed or there are many rows."""
    p, n = columns.shape
    order = new_order(p if needed and n <= MOST_ROWS else 0, n)

    def sort(band: slice) -> None:
        sort_columns(columns[band], Order(*(part[band] for part in order)))

    in_bands(sort, order.lines.shape)
    return Order(*map(read_only, order))
