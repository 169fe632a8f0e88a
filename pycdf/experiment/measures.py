"""How good predictions are: five measures of one test part.

In go true and predicted labels, and class probabilities where the method has them; out comes one
number per name in ``MEASURES``. All are scikit-learn's, to rounding; a measure that does not exist
(no probabilities, or one class on both sides for kappa) is NaN.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.validation import accuracy, kappa

MEASURES = {
    "accuracy": "Accuracy",
    "kappa": "Cohen's kappa",
    "balanced_accuracy": "Balanced accuracy",
    "macro_f1": "Macro F1",
    "log_loss": "Log-loss",
}
SMALL_IS_GOOD = frozenset({"log_loss"})

_TINY = float(np.finfo(np.float64).eps)  # a probability of zero counts as this, as in scikit-learn


def score(
    true: Sequence[Any],
    predicted: Sequence[Any],
    probabilities: npt.NDArray[np.float64] | None = None,
    classes: Sequence[Any] = (),
) -> dict[str, float]:
    """All measures; the columns of ``probabilities`` are ``classes``."""
    right = dict.fromkeys([*true, *predicted], 0)
    in_true, in_predicted = dict(right), dict(right)
    for one, other in zip(true, predicted, strict=True):
        in_true[one] += 1
        in_predicted[other] += 1
        right[one] += one == other
    recalls = [right[label] / in_true[label] for label in right if in_true[label]]
    f1 = [2 * right[label] / (in_true[label] + in_predicted[label]) for label in right]
    return {
        "accuracy": accuracy(true, predicted),
        "kappa": kappa(true, predicted),
        "balanced_accuracy": float(np.mean(recalls)),
        "macro_f1": float(np.mean(f1)),
        "log_loss": float("nan")
        if probabilities is None
        else log_loss(true, probabilities, classes),
    }


def log_loss(
    true: Sequence[Any], probabilities: npt.NDArray[np.float64], classes: Sequence[Any]
) -> float:
    """The mean of minus the logarithm of the true class's probability.

    A class that training did not meet has the probability zero.
    """
    place = {label: column for column, label in enumerate(classes)}
    given = [
        probabilities[row, place[label]] if label in place else 0.0
        for row, label in enumerate(true)
    ]
    return float(-np.log(np.clip(given, _TINY, 1 - _TINY)).mean())
