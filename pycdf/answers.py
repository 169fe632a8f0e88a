"""A forest's votes in the forms that scikit-learn wants.

In go a :class:`pycdf.model.Model` or its votes, with classes in order of appearance; out come the
classes' sorted order, votes as shares, and the votes for rows by the trees that did not draw them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf import forest as forests
from pycdf.model import Model

Floats = npt.NDArray[np.float64]
_CHUNK = 4096  # rows whose votes by tree are held at a time


def sorted_codes(classes: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The positions of labels in their sorted order."""
    try:
        return np.argsort(classes)
    except TypeError:  # labels of several types, which only CDF() accepts
        texts = [(type(label).__name__, str(label)) for label in classes]
        return np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.intp)


def shares(counted: npt.NDArray[np.int64]) -> Floats:
    """Votes as shares of the row's votes; NaN where there are none.

    scikit-learn takes the first largest share for the prediction. Classes that lose a tie for it
    are therefore put just below: by one unit in the last place.
    """
    total = counted.sum(axis=1, keepdims=True)
    share = np.full(counted.shape, np.nan)
    np.divide(counted, total, out=share, where=total > 0)
    lost = counted == counted.max(axis=1, keepdims=True)
    lost[np.arange(len(counted)), forests.winners(counted)] = False
    return np.where(lost, np.nextafter(share, 0.0), share)


def out_of_bag_votes(
    model: Model, columns: Floats, n_jobs: int | None = 1
) -> npt.NDArray[np.int64]:
    """Votes for training rows (rows x classes), each by the trees that did not draw it.

    ``columns``: kept features x rows.
    """
    inbag = model.forest.inbag
    n = columns.shape[1]
    if inbag.shape[1] != n:
        raise ValueError(
            "oob_score=True needs to know which rows each tree drew, and this forest was kept "
            "without that: fit anew."
        )
    counted = np.zeros((n, len(model.classes)), dtype=np.int64)
    for start in range(0, n, _CHUNK):
        rows = slice(start, start + _CHUNK)
        votes = forests.votes_by_tree(model.forest, columns[:, rows].T, n_jobs=n_jobs)
        outside = inbag[:, rows].T == 0
        for code in range(len(model.classes)):
            counted[rows, code] = ((votes == code) & outside).sum(axis=1)
    return counted
