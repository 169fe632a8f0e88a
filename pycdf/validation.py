"""Cross-validation: folds drawn from R's random stream, and how good the predictions are.

A few lines of R draw the same folds; docs/command-line.md has them. The measures are those that
medical and machine-learning papers report: accuracy, balanced accuracy, Cohen's kappa, and for each
class against the others sensitivity, specificity and the area under the ROC curve.
"""

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pycdf.base_r.stream import RStream

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

OVERALL = ("accuracy", "balanced_accuracy", "kappa", "auc")
BY_CLASS = ("sensitivity", "specificity", "auc")
_LOWEST = {"kappa": -1.0}  # of the other measures it is 0
_HIGHEST = {"log_loss": inf}  # of the other measures it is 1


def stratified_folds(codes: npt.NDArray[np.int32], folds: int, stream: RStream) -> Longs:
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


def shuffled_folds(codes: npt.NDArray[np.int32], folds: int, stream: RStream) -> Longs:
    """Assign each row to a fold, from 0 on, whatever its class: shuffled, and dealt like cards."""
    fold = np.empty(len(codes), dtype=np.int64)
    fold[stream.sample(len(codes))] = np.arange(len(codes)) % folds
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


def measures(codes: Longs, found: Longs, shares: Floats) -> dict[tuple[str, int], float]:
    """The measures of some rows, by name and class; class -1 is for those of all classes together.

    ``codes`` and ``found`` are true and predicted classes, ``shares`` the probabilities (rows x
    classes). A measure is NaN where it is undefined: the sensitivity of a class without rows, the
    specificity and AUC if all rows are of one class. Balanced accuracy is the mean sensitivity of
    the classes that have rows. The AUC of all classes is the mean over classes, NaN unless all of
    them have one.
    """
    n_classes = shares.shape[1]
    counts = np.bincount(codes * n_classes + found, minlength=n_classes**2)
    counts = counts.reshape(n_classes, n_classes)
    total, hits = counts.sum(axis=1), np.diagonal(counts)
    others = len(codes) - total
    false_alarms = counts.sum(axis=0) - hits
    by_class = {
        "sensitivity": _ratios(hits, total),
        "specificity": _ratios(others - false_alarms, others),
        "auc": np.array([auc(codes == code, shares[:, code]) for code in range(n_classes)]),
    }
    overall = {
        "accuracy": accuracy(codes.tolist(), found.tolist()),
        "balanced_accuracy": float(np.nanmean(by_class["sensitivity"])),
        "kappa": kappa(codes.tolist(), found.tolist()),
        "auc": float(np.mean(by_class["auc"])),
    }
    return {(name, -1): overall[name] for name in OVERALL} | {
        (name, code): float(by_class[name][code]) for code in range(n_classes) for name in BY_CLASS
    }


def _ratios(part: Longs, whole: Longs) -> Floats:
    ratios: Floats = np.divide(part, whole, where=whole > 0, out=np.full(len(whole), np.nan))
    return ratios


def auc(positive: npt.NDArray[np.bool_], score: Floats) -> float:
    """The area under the ROC curve: how often a positive row scores above a negative one.

    Ties count one half. NaN unless there are rows of both kinds.
    """
    n = int(positive.sum())
    if n == 0 or n == len(positive):
        return float("nan")
    _, position, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[position]  # the mean rank of tied rows
    return float((rank[positive].sum() - n * (n + 1) / 2) / (n * (len(positive) - n)))


class Interval(NamedTuple):
    """The mean of a measure over the folds, with a 95 % confidence interval."""

    mean: float
    sd: float
    """Standard deviation over the folds."""
    low: float
    high: float
    folds: int
    """In how many folds the measure is defined."""


def interval(values: Sequence[float], measure: str, test_share: float) -> Interval:
    """The mean of a measure over all folds and repeats, with a 95 % confidence interval.

    The folds share most of their training rows, so that their results are not independent, and the
    usual standard error is too small; :func:`corrected_error` adds the ratio of test to training
    rows to 1/n. ``test_share`` is the share of rows in one fold. NaN for fewer than two folds.
    """
    defined = np.array([value for value in values if value == value])
    n = len(defined)
    mean = float(defined.mean()) if n else float("nan")
    if n < 2:
        return Interval(mean, float("nan"), float("nan"), float("nan"), n)
    # Slow to import, and needed here only.
    from scipy.stats import t  # type: ignore[import-untyped]

    sd = float(defined.std(ddof=1))
    half = float(t.ppf(0.975, n - 1)) * corrected_error(sd, n, test_share)
    low = max(_LOWEST.get(measure, 0.0), mean - half)
    return Interval(mean, sd, low, min(_HIGHEST.get(measure, 1.0), mean + half), n)


def corrected_error(sd: float, n: int, test_share: float) -> float:
    """The standard error of a mean over ``n`` folds or splits, by Nadeau and Bengio (2003)."""
    return sd * sqrt(1 / n + test_share / (1 - test_share))
