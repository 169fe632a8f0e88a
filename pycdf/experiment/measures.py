"""The measures of predictive performance that the experiment reports for each test set."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import metrics

from pycdf.validation import accuracy, kappa

MEASURES = {
    "accuracy": "Accuracy",
    "kappa": "Cohen's kappa",
    "balanced_accuracy": "Balanced accuracy",
    "macro_f1": "Macro F1",
    "log_loss": "Log-loss",
}
SMALL_IS_GOOD = frozenset({"log_loss"})


def score(
    true: Sequence[Any],
    predicted: Sequence[Any],
    probabilities: npt.NDArray[np.float64] | None = None,
    classes: Sequence[Any] = (),
) -> dict[str, float]:
    """Compute all measures on one test set; the columns of ``probabilities`` are ``classes``.

    An undefined measure is NaN: log-loss without probabilities, or kappa if all labels and
    predictions are of one class.
    """
    with warnings.catch_warnings():
        # scikit-learn warns if a class is predicted that no row belongs to.
        warnings.simplefilter("ignore", UserWarning)
        balanced = metrics.balanced_accuracy_score(true, predicted)
    return {
        "accuracy": accuracy(true, predicted),
        "kappa": kappa(true, predicted),
        "balanced_accuracy": float(balanced),
        "macro_f1": float(metrics.f1_score(true, predicted, average="macro")),
        "log_loss": float("nan")
        if probabilities is None
        else log_loss(true, probabilities, classes),
    }


def log_loss(
    true: Sequence[Any], probabilities: npt.NDArray[np.float64], classes: Sequence[Any]
) -> float:
    """The log-loss; a class that is not among the training rows has probability zero."""
    new = sorted({*true} - {*classes}, key=str)
    labels = [*classes, *new]
    order = sorted(range(len(labels)), key=labels.__getitem__)  # scikit-learn sorts them
    given = np.hstack([probabilities, np.zeros((len(probabilities), len(new)))])[:, order]
    return float(metrics.log_loss(true, given, labels=[labels[j] for j in order]))
