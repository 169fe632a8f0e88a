"""How good predictions are: the measures that the experiment reports for each test part."""

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
    """All measures of one test part; the columns of ``probabilities`` are ``classes``.

    A measure that does not exist is NaN: log-loss without probabilities, kappa where labels and
    predictions are all of one class.
    """
    with warnings.catch_warnings():
        # scikit-learn warns of a class that is predicted and that no row has.
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
    """The log-loss, in which a class that training did not meet has the probability zero."""
    new = sorted({*true} - {*classes}, key=str)
    labels = [*classes, *new]
    order = sorted(range(len(labels)), key=labels.__getitem__)  # scikit-learn sorts them
    given = np.hstack([probabilities, np.zeros((len(probabilities), len(new)))])[:, order]
    return float(metrics.log_loss(true, given, labels=[labels[place] for place in order]))
