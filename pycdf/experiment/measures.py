"""The measures of predictive performance that the experiment reports for each test set."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import metrics

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
    with warnings.catch_warnings():
        # scikit-learn warns if a class is predicted that no row belongs to.
        warnings.simplefilter("ignore", UserWarning)
        balanced = metrics.balanced_accuracy_score(true, predicted)
    nan = float("nan")
    return {
        "accuracy": accuracy(true, predicted),
        "kappa": kappa(true, predicted),
        "balanced_accuracy": float(balanced),
        "macro_f1": float(metrics.f1_score(true, predicted, average="macro")),
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
    """The log-loss; a class that is not among the training rows has probability zero."""
    new = sorted({*true} - {*classes}, key=str)
    labels = [*classes, *new]
    order = sorted(range(len(labels)), key=labels.__getitem__)  # scikit-learn sorts them
    given = np.hstack([probabilities, np.zeros((len(probabilities), len(new)))])[:, order]
    return float(metrics.log_loss(true, given, labels=[labels[j] for j in order]))
