"""What vote shares are worth: how well they rank rows (ROC), and whether they mean what they say.

ROC curves and calibration are those of scikit-learn's ``roc_curve`` and ``calibration_curve``.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.fitted import Classes, Fit, Rows
from pycdf.explain.intervals import proportion_bounds
from pycdf.explain.row_votes import RowVotes, row_votes
from pycdf.forest.voting import sorted_codes

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_MANY = 200  # rows from which on there are ten bins; otherwise five
_COLUMNS = ["low", "high", "rows", "predicted", "observed", "observed_low", "observed_high"]


def roc(fit: Fit, X: Rows, y: Classes, *, out_of_bag: bool = False) -> pd.DataFrame:
    """Compute the ROC curve of each class against the others, from the shares of votes for it.

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
        The points of the curves: ``class``; ``threshold``, the share of votes from which on a row
        counts as positive; ``false_positive_rate``, the share of the other rows that do, and
        ``sensitivity``, the share of the rows of the class. A curve starts at 0, 0 with a threshold
        of infinity. Classes without rows, and a class that all rows belong to, have no curve.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import roc
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X[::2], y[::2])
    >>> roc(fit, X[1::2], y[1::2]).round(3).head(3)
      class  threshold  false_positive_rate  sensitivity
    0     H        inf                0.000        0.000
    1     H        1.0                0.000        0.233
    2     H        0.9                0.091        0.442
    """
    return roc_of(row_votes(fit, X, y, out_of_bag=out_of_bag))


def roc_of(judged: RowVotes) -> pd.DataFrame:
    """The table of :func:`roc`, from votes."""
    curves = []
    for code in sorted_codes(judged.classes).tolist():
        positive = judged.codes == code
        if positive.any() and not positive.all():
            threshold, false, true = roc_points(positive, judged.shares[:, code])
            curves.append(
                pd.DataFrame(
                    {
                        "class": np.full(len(true), judged.classes[code], dtype=object),
                        "threshold": threshold,
                        "false_positive_rate": false,
                        "sensitivity": true,
                    }
                )
            )
    if not curves:
        raise ValueError("all rows are of one class, so that there is nothing to tell apart.")
    return pd.concat(curves, ignore_index=True)


def roc_points(positive: Bools, score: Floats) -> tuple[Floats, Floats, Floats]:
    """Thresholds, from the highest on, and which shares of negative and positive rows reach them.

    There must be rows of both kinds.
    """
    values, place = np.unique(-score, return_inverse=True)
    true = np.cumsum(np.bincount(place[positive], minlength=len(values)))
    false = np.cumsum(np.bincount(place[~positive], minlength=len(values)))
    return (
        np.concatenate([[np.inf], -values]),
        np.concatenate([[0.0], false / false[-1]]),
        np.concatenate([[0.0], true / true[-1]]),
    )


def calibration(fit: Fit, X: Rows, y: Classes, *, out_of_bag: bool = False) -> pd.DataFrame:
    """Compare shares of votes with how often they are right.

    With two classes, the share of votes for the second of the sorted classes is compared with how
    many rows are of that class. With more, the share of votes for the predicted class is compared
    with how many predictions are correct.

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
        One row per bin of vote shares, above ``low`` and up to ``high`` (the first one includes 0),
        that has any rows: ``rows``; ``predicted``, the mean share of votes in it; and ``observed``,
        the proportion of rows of the class or of correct predictions, with its 95 % confidence
        interval from ``observed_low`` to ``observed_high`` (Wilson's). There are ten bins, or five
        if there are fewer than 200 rows.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import calibration
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X[::2], y[::2])
    >>> table = calibration(fit, X[1::2], y[1::2])
    >>> table[["low", "high", "rows", "predicted", "observed"]].round(3)
       low  high  rows  predicted  observed
    0  0.0   0.2    30      0.090     0.167
    1  0.2   0.4    12      0.325     0.167
    2  0.4   0.6     7      0.543     0.714
    3  0.6   0.8    18      0.744     0.667
    4  0.8   1.0    20      0.950     1.000
    """
    return calibration_of(row_votes(fit, X, y, out_of_bag=out_of_bag))


def calibration_of(judged: RowVotes) -> pd.DataFrame:
    """The table of :func:`calibration`, from votes."""
    found = judged.found
    if len(judged.classes) == 2:
        code = int(sorted_codes(judged.classes)[-1])
        positive, share = judged.codes == code, judged.shares[:, code]
    else:
        positive, share = judged.codes == found, judged.shares[np.arange(len(found)), found]
    edges = np.linspace(0, 1, (10 if len(share) >= _MANY else 5) + 1)
    bins = np.searchsorted(edges[1:-1], share)
    lines = []
    for at in np.unique(bins).tolist():
        here = bins == at
        n, true = int(here.sum()), int(positive[here].sum())
        lines.append([edges[at], edges[at + 1], n, float(share[here].mean()), true / n,
                      *proportion_bounds(true, n)])  # fmt: skip
    return pd.DataFrame(lines, columns=_COLUMNS)
