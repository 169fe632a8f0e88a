"""A part of the training rows, as if they had been all, and the rows that are left for testing."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pycdf.inputs.prepare import TrainingData, training_data
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Fold:
    """Training rows of a fold, and its test rows."""

    train: TrainingData
    test: Floats
    """Test rows x features of ``train`` before those that do not vary are dropped."""
    rows: Longs
    """The positions of the test rows."""
    codes: Longs
    """The code in all data of each class of ``train``."""


def take_fold(data: TrainingData, outside: npt.NDArray[np.bool_]) -> Fold:
    """Train without the rows that are ``outside``, and test these."""
    inside = np.flatnonzero(~outside)
    found, first = np.unique(data.codes[inside], return_index=True)
    order = found[np.argsort(first)]  # order of appearance, as R numbers classes
    if len(order) < 2:
        raise ValueError(
            f"{plural(len(inside), 'training row')} of a fold are of only one class: pass "
            "nested=0, or X and y with more rows of each class."
        )
    code = np.full(len(data.classes), -1, dtype=np.int32)
    code[order] = np.arange(len(order))
    rows = data.columns.T
    train = training_data(
        rows[inside], code[data.codes[inside]], data.classes[order],
        [data.texts[i] for i in order], None, data.integer,
    )  # fmt: skip
    return Fold(train, rows[outside], np.flatnonzero(outside), order.astype(np.int64))
