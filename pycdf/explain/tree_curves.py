"""Accuracy as a function of the number of trees.

The trees of a forest come from one stream, one after the other, so the first t trees of a fit are
the forest of ``ntrees=t``: a single fit gives the accuracy of all smaller forests.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.fitted import Classes, Fit, Rows, model_of, read_codes, read_rows, read_training
from pycdf.explain.out_of_bag import left_out
from pycdf.explain.seen_rows import warn_if_seen
from pycdf.forest import voting
from pycdf.forest.model import Model
from pycdf.forest.soft_votes import node_votes
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


def tree_curve(
    fit: Fit,
    X: Rows | None = None,
    y: Classes | None = None,
    X_test: Rows | None = None,
    y_test: Classes | None = None,
) -> pd.DataFrame:
    """Compute the out-of-bag error and the accuracy of the first 1, 2, 3, ... trees.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X, y : array-like or None, default=None
        The training rows and their labels, in their original order, for the out-of-bag error.
    X_test, y_test : array-like or None, default=None
        Other rows and their labels, for the accuracy.

    Returns
    -------
    DataFrame
        One row per number of trees (the index ``trees``, from 1), with ``oob_error`` if X and y are
        given and ``accuracy`` if X_test and y_test are. The error covers the rows that some tree
        left out, and is NaN while there are none.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import tree_curve
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> tree_curve(fit, X, y).tail(2).round(3)
           oob_error
    trees
    9          0.179
    10         0.173
    """
    model = model_of(fit)
    curves = {}
    if (given := _both(X, y, "X", "y")) is not None:
        training = read_training(fit, *given)
        outside = left_out(model.forest).T
        right = running_accuracy(model, training.rows, training.codes, outside)
        curves["oob_error"] = 1.0 - right
    if (given := _both(X_test, y_test, "X_test", "y_test")) is not None:
        rows, codes = read_rows(fit, given[0], "X_test"), read_codes(fit, given[1], "y_test")
        if len(rows) != len(codes) or len(rows) == 0:
            raise ValueError(
                f"X_test has {plural(len(rows), 'row')} and y_test {plural(len(codes), 'label')}: "
                "pass one label per row, and at least one."
            )
        found = voting.winners(model.votes(rows, only_kept=True))
        warn_if_seen(model, rows, codes, found, "X_test")
        curves["accuracy"] = running_accuracy(model, rows, codes)
    if not curves:
        raise TypeError(
            "there are no rows to evaluate: pass X and y (those of training) for the out-of-bag "
            "error, X_test and y_test for the accuracy, or all four."
        )
    return pd.DataFrame(curves, index=pd.RangeIndex(1, model.forest.n_trees + 1, name="trees"))


def _both(rows: Rows | None, labels: Classes | None, *names: str) -> tuple[Rows, Classes] | None:
    """Rows and labels, or None if neither is given; an error if only one of them is."""
    if (rows is None) != (labels is None):
        given, missing = names if labels is None else names[::-1]
        raise TypeError(f"{given} is given and {missing} is not: pass both.")
    return None if rows is None or labels is None else (rows, labels)


def running_accuracy(
    model: Model, rows: Floats, codes: Codes, counts: npt.NDArray[np.bool_] | None = None
) -> Floats:
    """The accuracy of the first 1, 2, ... trees; ``counts`` masks votes (rows x trees)."""
    nodes = model.end_nodes(rows, only_kept=True)
    votes = node_votes(model.forest, soft=model.options["vote"] == "soft")
    if counts is None:
        counts = np.ones(nodes.shape, dtype=bool)
    counted = np.zeros((len(rows), len(model.classes)))
    accuracy = np.full(nodes.shape[1], np.nan)
    voted = np.zeros(len(rows), dtype=bool)
    for tree in range(nodes.shape[1]):
        counted += votes[nodes[:, tree]] * counts[:, tree, None]
        voted |= counts[:, tree]
        if voted.any():
            accuracy[tree] = (voting.winners(counted) == codes)[voted].mean()
    return accuracy
