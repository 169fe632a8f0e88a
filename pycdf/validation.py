"""Cross-validation: stratified folds from R's stream, and what is told about predictions.

In go class codes and a stream, out come fold numbers; in go true and predicted labels, out come
accuracy and Cohen's kappa. The folds are those of a few lines of R (docs/command-line.md).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.base_r.stream import RStream


def stratified_folds(
    codes: npt.NDArray[np.int32], folds: int, stream: RStream
) -> npt.NDArray[np.int64]:
    """A fold for each row: the rows of each class, shuffled, are dealt out like cards.

    Dealing goes on from class to class, so that folds differ by one row at most, and so do a
    class's rows in them.
    """
    fold = np.empty(len(codes), dtype=np.int64)
    dealt = 0
    for code in range(codes.max() + 1):
        rows = np.flatnonzero(codes == code)
        fold[rows[stream.sample(len(rows))]] = (dealt + np.arange(len(rows))) % folds
        dealt += len(rows)
    return fold


def accuracy(true: Sequence[Any], predicted: Sequence[Any]) -> float:
    """The share of right predictions."""
    return float(np.mean([one == other for one, other in zip(true, predicted, strict=True)]))


def kappa(true: Sequence[Any], predicted: Sequence[Any]) -> float:
    """Cohen's kappa: the accuracy beyond what the two margins give by chance; NaN for one class."""
    n = len(true)
    labels = {*true, *predicted}
    chance = sum(
        sum(one == label for one in true) * sum(other == label for other in predicted)
        for label in labels
    ) / (n * n)
    return (accuracy(true, predicted) - chance) / (1 - chance) if chance < 1 else float("nan")
