"""Draw a bootstrap sample class by class, with a fixed number of rows of each class.

R draws from all rows at once. A weighted forest (``class_weight``) draws from the rows of one class
after the other instead, in the order of the class codes.
"""

from collections import namedtuple

import numpy as np
import numpy.typing as npt

from pycdf.kernels.arrays import read_only
from pycdf.kernels.compile import inner
from pycdf.kernels.random import draw_with_replacement

Strata = namedtuple("Strata", "rows starts ends")
"""The rows of each class, and how many of them a sample has.

`rows`: int32, sorted by class; `starts`: int64, classes + 1: where each class begins in `rows`;
`ends`: int64, classes + 1: where each class begins in a sample. If samples are drawn from all rows
at once, as in R, None stands for all of it, and numba compiles nothing of it.
"""


def new_strata(codes: npt.NDArray[np.int32], draws: npt.NDArray[np.int64] | None) -> Strata | None:
    """Strata for samples with ``draws`` rows of each class, or for samples of all rows if None."""
    if draws is None:
        return None
    rows = np.argsort(codes, kind="stable").astype(np.int32)
    sizes = np.bincount(codes, minlength=len(draws))
    if draws.sum() != len(codes) or (sizes == 0)[draws > 0].any():
        raise ValueError("the classes of the rows are not those that the samples are drawn from.")
    starts, ends = (np.cumsum([0, *counts], dtype=np.int64) for counts in (sizes, draws))
    return Strata(read_only(rows), read_only(starts), read_only(ends))


@inner
def draw_sample(state, strata, out, rounding):
    """Draw rows with replacement, from all rows or from one class after the other; `out`: int32."""
    if strata is None:
        draw_with_replacement(state, out.size, out, rounding)
    else:
        _draw_by_class(state, strata, out, rounding)


@inner
def _draw_by_class(state, strata, out, rounding):
    for code in range(strata.ends.size - 1):
        first = strata.starts[code]
        part = out[strata.ends[code] : strata.ends[code + 1]]
        draw_with_replacement(state, strata.starts[code + 1] - first, part, rounding)
        for i in range(part.size):
            part[i] = strata.rows[first + part[i]]
