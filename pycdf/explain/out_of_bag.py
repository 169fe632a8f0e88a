"""Which training rows each tree left out of its bootstrap sample."""

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Forest


def left_out(forest: Forest) -> npt.NDArray[np.bool_]:
    """Whether each tree left out each row (trees x rows); an error if no row was left out."""
    outside: npt.NDArray[np.bool_] = forest.inbag == 0
    if outside.shape[1] == 0:
        raise ValueError(
            "this needs to know which rows each tree drew, and the forest does not store them: "
            "fit again."
        )
    if not outside.any():
        raise ValueError(
            "no tree left out any training row, so there are no out-of-bag votes: fit with "
            "bootstrap samples, and more trees."
        )
    return outside


def left_out_together(forest: Forest, rows: npt.NDArray[np.int64] | None = None) -> bool:
    """Whether every two rows (or two of some) were left out by a tree together.

    Out-of-bag proximities exist only then.
    """
    outside = (forest.inbag == 0).astype(np.float32)
    outside = outside if rows is None else outside[:, rows]
    return outside.shape[1] > 0 and bool((outside.T @ outside).min() > 0)
