"""The measures of predictive performance that the experiment reports for each test set.

They are scikit-learn's, whose own functions check their input for so long that scoring a small test
set took longer than fitting a classifier.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.validation import accuracy, auc, kappa

Floats = npt.NDArray[np.float64]

MEASURES = {
    "accuracy": "Accuracy",
    "kappa": "Cohen's kappa",
    "balanced_accuracy": "Balanced accuracy",
    "macro_f1": "Macro F1",
    "auc": "AUC",
    "log_loss": "Log-loss",
}
SMALL_IS_GOOD = frozenset({"log_loss"})


def score(
    true: Sequence[Any],
    predicted: Sequence[Any],
    probabilities: Floats | None = None,
    classes: Sequence[Any] = (),
    scores: Floats | None = None,
) -> dict[str, float]:
    """Compute all measures on one test set.

    ``probabilities`` and ``scores`` have a column for each of ``classes``, those of the training
    rows. ``scores`` are for the AUC: probabilities, or values of a decision function. An undefined
    measure is NaN: log-loss without probabilities, AUC without scores or if a class has no test
    rows, and kappa if all labels and predictions are of one class.
    """
    nan = float("nan")
    rows, answers = Counter(true), Counter(predicted)
    hits = Counter(one for one, other in zip(true, predicted, strict=True) if one == other)
    sensitivity = [hits[label] / rows[label] for label in rows]
    f1 = [2 * hits[label] / (rows[label] + answers[label]) for label in {**rows, **answers}]
    return {
        "accuracy": accuracy(true, predicted),
        "kappa": kappa(true, predicted),
        "balanced_accuracy": float(np.mean(sensitivity)),
        "macro_f1": float(np.mean(f1)),
        "auc": nan if scores is None else macro_auc(true, scores, classes),
        "log_loss": nan if probabilities is None else log_loss(true, probabilities, classes),
    }


def macro_auc(true: Sequence[Any], scores: Floats, classes: Sequence[Any]) -> float:
    """The mean over classes of the AUC of one class against the rest; NaN unless all have one.

    The AUC of a class that is not among the training rows is 0.5, because nothing ranks its rows.
    """
    own = np.asarray(true, dtype=object)
    new = len({*true} - {*classes})
    found = [auc(own == label, scores[:, j]) for j, label in enumerate(classes)]
    return float(np.mean([*found, *[0.5] * new]))


def log_loss(true: Sequence[Any], probabilities: Floats, classes: Sequence[Any]) -> float:
    """The log-loss; a class that is not among the training rows has probability zero.

    Probabilities of zero count as the smallest step above it.
    """
    if not ((probabilities >= 0) & (probabilities <= 1)).all():
        raise ValueError("a predicted probability is not a number from 0 to 1")
    column = {label: j for j, label in enumerate(classes)}
    own = np.zeros(len(true))
    for i, label in enumerate(true):
        if label in column:
            own[i] = probabilities[i, column[label]]
    smallest = np.finfo(float).eps
    return float(-np.log(np.clip(own, smallest, 1 - smallest)).mean())
