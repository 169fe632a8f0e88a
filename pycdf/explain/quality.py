"""How good predictions are: measures with intervals, and the comparison with a constant answer."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pycdf.explain.fitted import Classes, Fit, Rows
from pycdf.explain.intervals import NO_BOUNDS, auc_bounds, paired_p_value, proportion_bounds
from pycdf.explain.row_votes import RowVotes, row_votes
from pycdf.forest.voting import sorted_codes
from pycdf.validation import BY_CLASS, OVERALL, measures


def performance(fit: Fit, X: Rows, y: Classes, *, out_of_bag: bool = False) -> pd.DataFrame:
    """Measure how good the predictions for labelled rows are, with 95 % confidence intervals.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like of shape (n_rows, n_features)
        Rows with the columns of the training data.
    y : array-like of shape (n_rows,)
        The labels of the rows.
    out_of_bag : bool, default=False
        Whether X are the training rows in their original order, to be predicted only by the trees
        that did not draw them.

    Returns
    -------
    DataFrame
        ``measure``: accuracy, balanced_accuracy, kappa and auc of all classes together (``class``
        is then empty), and sensitivity, specificity and auc of each class against the others; its
        ``value``, NaN where it is undefined, such as the sensitivity of a class without rows; the
        interval from ``low`` to ``high``, NaN where there is none; and ``rows``, the number of rows
        that the value is a proportion of (of an AUC: the rows of the class).

    Notes
    -----
    Proportions have Wilson's score interval, AUCs Newcombe's (2006), if there are at least five
    rows of the class and five others. The intervals say how far chance in the choice of the rows
    may move the value, and assume that rows are independent: with several rows of one person they
    are too short. Out of bag, they do not include how much another forest would differ.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import performance
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X[::2], y[::2])
    >>> performance(fit, X[1::2], y[1::2]).round(3).head(5)
                 measure class  value    low   high  rows
    0           accuracy        0.828  0.735  0.893    87
    1  balanced_accuracy        0.827    NaN    NaN    87
    2              kappa        0.655    NaN    NaN    87
    3                auc        0.882    NaN    NaN    87
    4        sensitivity     H  0.814  0.674  0.903    43
    """
    return performance_of(row_votes(fit, X, y, out_of_bag=out_of_bag))


def performance_of(judged: RowVotes) -> pd.DataFrame:
    """The table of :func:`performance`, from votes."""
    found = measures(judged.codes, judged.found, judged.shares)
    sizes = np.bincount(judged.codes, minlength=len(judged.classes))
    n = len(judged.codes)
    lines: list[list[Any]] = []
    for name in OVERALL:
        value = found[name, -1]
        bounds = proportion_bounds(round(value * n), n) if name == "accuracy" else NO_BOUNDS
        lines.append([name, "", value, *bounds, n])
    for code in sorted_codes(judged.classes).tolist():
        own, others = int(sizes[code]), n - int(sizes[code])
        for name in BY_CLASS:
            value = found[name, code]
            total = others if name == "specificity" else own
            if np.isnan(value):
                bounds = NO_BOUNDS
            elif name == "auc":
                bounds = auc_bounds(value, own, others)
            else:
                bounds = proportion_bounds(round(value * total), total)
            lines.append([name, judged.classes[code], value, *bounds, total])
    return pd.DataFrame(lines, columns=["measure", "class", "value", "low", "high", "rows"])


@dataclass(frozen=True)
class Baseline:
    """What one would get by always answering the most frequent class of the rows."""

    code: int
    """That class; of several, the one that is sorted first."""
    right: int
    rows: int
    difference: int
    """How many more rows the forest predicts correctly."""
    p_value: float
    """McNemar's exact test, two-sided, of the forest against this answer on the same rows."""


def baseline_of(judged: RowVotes) -> Baseline:
    """Compare predictions with always answering the most frequent class."""
    sizes = np.bincount(judged.codes, minlength=len(judged.classes))
    order = sorted_codes(judged.classes)
    code = int(order[sizes[order].argmax()])
    forest, constant = judged.found == judged.codes, judged.codes == code
    better, worse = int((forest & ~constant).sum()), int((constant & ~forest).sum())
    return Baseline(
        code=code,
        right=int(sizes[code]),
        rows=len(judged.codes),
        difference=better - worse,
        p_value=paired_p_value(better, worse),
    )
