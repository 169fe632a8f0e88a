"""Permutation importance: the accuracy that trees lose when a feature is shuffled.

The definition is Breiman's: a tree votes for its out-of-bag rows, the values of one feature are
shuffled among them, the tree votes again, and the loss of accuracy is averaged over the trees. Only
rows whose path meets the feature are sent again (:mod:`pycdf.explain.shuffled_votes`).
"""

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.stream import RStream
from pycdf.explain.arguments import stream_of, whole
from pycdf.explain.fitted import Classes, Fit, Rows, feature_names, model_of, read_training
from pycdf.explain.shuffled_votes import Losses, count_losses
from pycdf.inputs.checks import check_jobs
from pycdf.support.progress import ProgressBar

_WIDTH = 1.959964  # of a 95 % interval, in standard errors to each side


def permutation_importance(
    fit: Fit,
    X: Rows,
    y: Classes,
    *,
    n_repeats: int = 5,
    seed: int | RStream | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Compute the mean loss of a tree's out-of-bag accuracy when a feature is shuffled.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like of shape (n_rows, n_features)
        The training rows, in their original order.
    y : array-like of shape (n_rows,)
        The labels of the training rows.
    n_repeats : int, default=5
        How often each feature is shuffled in each tree.
    seed : int, RStream or None, default=None
        Seed of the shuffles, or the stream to draw them from. None starts from fresh randomness.
    n_jobs : int or None, default=None
        Number of cores; -1 uses all. None means one, or the setting of ``joblib.parallel_config``.
        The result does not depend on it.
    progress : bool, default=False
        Whether to show the trees done and the time left, in a terminal or a notebook.

    Returns
    -------
    DataFrame
        One row per feature of the forest, the most important first, indexed by ``feature``, with
        the columns ``importance``, the mean over the repeats; ``std``, their standard deviation
        (NaN for a single repeat); ``low`` and ``high``, a 95 % interval of the importance over the
        rows; and ``trees``, the number of trees that use the feature.

    Notes
    -----
    Importance is measured in the accuracy of a single tree: 0.01 means that a tree gets one more
    out-of-bag row in a hundred wrong, on average over all trees with out-of-bag rows, including
    those that do not use the feature. ``std`` reflects the randomness of the shuffles only. The
    interval reflects that of the rows: it is 1.96 standard errors of a mean over rows to each side,
    and where it includes 0, the loss may well be due to chance. It does not cover the variation
    between forests, and it is not corrected for the number of features.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import permutation_importance
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> permutation_importance(fit, X, y, seed=1).head(3).round(4)
             importance     std     low    high  trees
    feature
    x162         0.0269  0.0038  0.0144  0.0394      6
    x253         0.0223  0.0039  0.0117  0.0330      6
    x108         0.0199  0.0042  0.0095  0.0304      5
    """
    table = measured_losses(
        fit, X, y, n_repeats=n_repeats, seed=seed, n_jobs=n_jobs, progress=progress
    )
    return table.sort_values("importance", ascending=False, kind="stable")


def measured_losses(
    fit: Fit,
    X: Rows,
    y: Classes,
    *,
    n_repeats: int,
    seed: int | RStream | None,
    n_jobs: int | None,
    progress: bool,
) -> pd.DataFrame:
    """The table of :func:`permutation_importance`, in the order of the forest's features."""
    repeats = whole(n_repeats, "n_repeats")
    check_jobs(n_jobs)
    model = model_of(fit)
    training = read_training(fit, X, y)
    rows, codes = training.rows, training.codes
    with ProgressBar(progress) as bar:
        losses = count_losses(
            model.forest, rows, codes, repeats, stream_of(seed), n_jobs, bar, model.sending
        )
    importance = losses.by_repeat.mean(axis=0)
    margin = _WIDTH * _standard_errors(losses, repeats * int((model.forest.inbag == 0).sum()))
    return pd.DataFrame(
        {
            "importance": importance,
            "std": losses.by_repeat.std(axis=0, ddof=1) if repeats > 1 else np.nan,
            "low": importance - margin,
            "high": importance + margin,
            "trees": losses.trees,
        },
        index=pd.Index(feature_names(fit), name="feature"),
    )


def _standard_errors(losses: Losses, left_out_rows: float) -> npt.NDArray[np.float64]:
    """Standard errors of the importances over the rows.

    Importance is a sum over the rows: each adds the right votes that it loses, as a share of the
    ``left_out_rows`` that count, those of all trees and repeats.
    """
    lost = losses.by_row
    n = lost.shape[1]
    mean = lost.mean(axis=1)
    squares = np.einsum("ji,ji->j", lost, lost, dtype=np.float64) - n * mean**2
    errors: npt.NDArray[np.float64] = np.sqrt(np.maximum(squares, 0.0) * n / (n - 1))
    return errors / left_out_rows
