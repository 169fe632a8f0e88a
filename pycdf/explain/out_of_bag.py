"""Which rows each tree left out.

In goes a forest; out comes, for its trees and training rows, whether the tree did not draw the row.
"""

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Forest


def left_out(forest: Forest) -> npt.NDArray[np.bool_]:
    """Trees x training rows; stops where the forest knows of none."""
    outside: npt.NDArray[np.bool_] = forest.inbag == 0
    if outside.shape[1] == 0:
        raise ValueError(
            "this needs to know which rows each tree drew, and the forest was kept without that: "
            "fit anew."
        )
    if not outside.any():
        raise ValueError(
            "no tree left out any row of training, so that there are no out-of-bag votes: fit with "
            "bootstrap samples, and more trees."
        )
    return outside


def left_out_together(forest: Forest) -> bool:
    """Whether any two training rows were left out by the same tree, as ``out_of_bag`` needs."""
    outside = (forest.inbag == 0).astype(np.float32)
    return outside.shape[1] > 0 and bool((outside.T @ outside).min() > 0)
