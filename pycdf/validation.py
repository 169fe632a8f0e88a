"""Cross-validation: stratified folds drawn from R's random stream, accuracy and Cohen's kappa.

A few lines of R draw the same folds; docs/command-line.md has them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.base_r.stream import RStream


def stratified_folds(
    codes: npt.NDArray[np.int32], folds: int, stream: RStream
) -> npt.NDArray[np.int64]:
    """Assign each row to a fold, from 0 on, keeping the classes balanced.

    The rows of each class are shuffled and dealt out to the folds like cards, and the next class
    continues where the last one stopped. The sizes of any two folds therefore differ by at most one
    row, and so do the numbers of rows of any one class in them.
    """
    fold = np.empty(len(codes), dtype=np.int64)
    dealt = 0
    for code in range(codes.max() + 1):
        rows = np.flatnonzero(codes == code)
        fold[rows[stream.sample(len(rows))]] = (dealt + np.arange(len(rows))) % folds
        dealt += len(rows)
    return fold


def accuracy(true: Sequence[Any], predicted: Sequence[Any]) -> float:
    """The proportion of correct predictions."""
    return float(np.mean([one == other for one, other in zip(true, predicted, strict=True)]))


def kappa(true: Sequence[Any], predicted: Sequence[Any]) -> float:
    """Cohen's kappa: the accuracy corrected for chance agreement, given the two sets of labels.

    NaN if there is only one class.
    """
    n = len(true)
    labels = {*true, *predicted}
    chance = sum(
        sum(one == label for one in true) * sum(other == label for other in predicted)
        for label in labels
    ) / (n * n)
    return (accuracy(true, predicted) - chance) / (1 - chance) if chance < 1 else float("nan")
