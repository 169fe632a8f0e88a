"""Accuracy as a function of the number of trees, of mtry and of k.

The trees of a forest come from one stream, one after the other, so the first t trees of a fit are
the forest of ``ntrees=t``: a single fit gives the accuracy of all smaller forests.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.stream import RStream
from pycdf.explain.arguments import several, whole
from pycdf.explain.fitted import Classes, Fit, Rows, model_of, read_codes, read_rows, read_training
from pycdf.explain.many_forests import grow, part_of, read_data, read_settings
from pycdf.explain.out_of_bag import left_out
from pycdf.explain.seen_rows import warn_if_seen
from pycdf.forest import voting
from pycdf.forest.model import Model
from pycdf.inputs.parameters import default_mtry
from pycdf.inputs.prepare import TrainingData, training_data
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import plain, plural, shown

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
        right = _running_accuracy(model, training.rows, training.codes, outside)
        curves["oob_error"] = 1.0 - right
    if (given := _both(X_test, y_test, "X_test", "y_test")) is not None:
        rows, codes = read_rows(fit, given[0], "X_test"), read_codes(fit, given[1], "y_test")
        if len(rows) != len(codes) or len(rows) == 0:
            raise ValueError(
                f"X_test has {plural(len(rows), 'row')} and y_test {plural(len(codes), 'label')}: "
                "pass one label per row, and at least one."
            )
        warn_if_seen(model, rows, codes, voting.winners(voting.votes(model.forest, rows)), "X_test")
        curves["accuracy"] = _running_accuracy(model, rows, codes)
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


def _running_accuracy(
    model: Model, rows: Floats, codes: Codes, counts: npt.NDArray[np.bool_] | None = None
) -> Floats:
    """The accuracy of the first 1, 2, ... trees; ``counts`` masks votes (rows x trees)."""
    votes = voting.votes_by_tree(model.forest, rows)
    if counts is None:
        counts = np.ones(votes.shape, dtype=bool)
    counted = np.zeros((len(rows), len(model.classes)), dtype=np.int64)
    every = np.arange(len(rows))
    accuracy = np.full(votes.shape[1], np.nan)
    voted = np.zeros(len(rows), dtype=bool)
    for tree in range(votes.shape[1]):
        counted[every, votes[:, tree]] += counts[:, tree]
        voted |= counts[:, tree]
        if voted.any():
            accuracy[tree] = (voting.winners(counted) == codes)[voted].mean()
    return accuracy


def parameter_curves(
    X: Rows,
    y: Classes,
    *,
    mtry_shares: Iterable[float] = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0),
    ks: Iterable[int] | None = None,
    splits: int = 10,
    seed: int = 1,
    progress: bool = False,
    **parameters: Any,
) -> pd.DataFrame:
    """Compute the accuracy on random splits for varying ntrees, mtry and k.

    These are the numbers of the paper's three figures. Split i (from 0) is R's
    ``set.seed(seed + i); tr <- sample(n, floor(0.7 * n))``: these rows are for training, the others
    for testing. Each forest continues from there on R's stream, so that R's ``CDF()``, called next
    without a seed, has the same accuracy. All forests of a split see the same rows.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        Rows, as for ``CDFClassifier.fit``.
    y : array-like of shape (n_rows,)
        Labels of the rows.
    mtry_shares : iterable of float, default=(0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
        Shares of the columns that are drawn in a node: mtry is ``round(share * p)``, at least 1.
    ks : iterable of int or None, default=None
        Numbers of features selected in a node. None stands for those of 1, 2, 5, 10, 20, 50 and 100
        that do not exceed mtry.
    splits : int, default=10
        Number of random splits.
    seed : int, default=1
        The seed of the first split.
    progress : bool, default=False
        Whether to show the trees done and the time left, on stderr if it is a terminal.
    **parameters
        Parameters of :class:`pycdf.CDFClassifier` for all forests. Each curve varies its own
        parameter.

    Returns
    -------
    DataFrame
        One row per point: ``parameter`` ("ntrees", "mtry" or "k"), ``value``, ``share`` (of the
        columns, for mtry), ``accuracy`` (the mean over the splits) and ``std_error`` (of this mean;
        NaN for a single split).

    Examples
    --------
    >>> from pycdf import load_darwin
    >>> from pycdf.explain import parameter_curves
    >>> X, y = load_darwin()
    >>> parameter_curves(X, y, mtry_shares=[0.2, 1.0], ks=[1, 2], splits=2, ntrees=3).round(3)
      parameter  value  share  accuracy  std_error
    0    ntrees      1    NaN     0.858      0.009
    1    ntrees      2    NaN     0.840      0.047
    2    ntrees      3    NaN     0.896      0.028
    3      mtry     90    0.2     0.896      0.028
    4      mtry    450    1.0     0.868      0.019
    5         k      1    NaN     0.679      0.132
    6         k      2    NaN     0.821      0.085
    """
    splits = whole(splits, "splits")
    seed = whole(seed, "seed", -LARGEST_INTEGER, LARGEST_INTEGER - splits)
    settings = read_settings(parameters, "seed, the seed of the first split")
    data = read_data(X, y)
    p, ntrees = data.n_features, settings["ntrees"]
    shares = _read_shares(mtry_shares)
    mtrys = [max(1, round(share * p)) for share in shares]
    ks = _default_ks(settings["mtry"] or default_mtry(p)) if ks is None else _read_ks(ks, p)
    variants = [settings, *({**settings, "mtry": mtry} for mtry in mtrys)]
    variants += [{**settings, "k": k} for k in ks]
    scores = []
    with ProgressBar() as bar:
        for i in range(splits):
            split = _split(data, seed + i)
            curves = []
            for j, variant in enumerate(variants):
                forest = i * len(variants) + j
                report = part_of(bar, forest, splits * len(variants), ntrees) if progress else None
                model = grow(split.train, variant, split.stream.copy(), report, p)
                curves.append(_running_accuracy(model, split.rows[:, model.kept], split.codes))
            scores.append([*curves[0], *(curve[-1] for curve in curves[1:])])
    lengths = (ntrees, len(mtrys), len(ks))
    return pd.DataFrame(
        {
            "parameter": np.repeat(["ntrees", "mtry", "k"], lengths).astype(object),
            "value": [*range(1, ntrees + 1), *mtrys, *ks],
            "share": [*[np.nan] * ntrees, *shares, *[np.nan] * len(ks)],
            "accuracy": np.mean(scores, axis=0),
            "std_error": np.std(scores, axis=0, ddof=1) / splits**0.5 if splits > 1 else np.nan,
        }
    )


@dataclass(frozen=True, eq=False)
class _Split:
    """Training rows, and test rows with the class codes of the training rows."""

    train: TrainingData
    rows: Floats
    codes: Codes
    """Classes of the test rows; -1, which is never predicted, if no training row has the class."""
    stream: RStream
    """The stream after the rows were drawn."""


def _split(data: TrainingData, seed: int) -> _Split:
    stream = RStream(seed)
    n = len(data.codes)
    inside = stream.sample(n, int(0.7 * n))
    outside = np.setdiff1d(np.arange(n), inside)
    found, first = np.unique(data.codes[inside], return_index=True)
    order = found[np.argsort(first)]  # order of appearance, as R numbers classes
    if len(order) < 2:
        raise ValueError(
            f"the split of seed {seed} draws {plural(len(inside), 'training row')} of only one "
            "class: pass another seed, or X and y with more rows of each class."
        )
    code = np.full(len(data.classes), -1, dtype=np.int32)
    code[order] = np.arange(len(order))
    rows, codes = data.columns.T, code[data.codes]
    train = training_data(
        rows[inside], codes[inside], data.classes[order], [data.texts[i] for i in order],
        None, data.integer,
    )  # fmt: skip
    return _Split(train, rows[outside], codes[outside], stream)


def _read_shares(shares: Iterable[float]) -> list[float]:
    for share in (shares := several(shares, "mtry_shares")):
        if not isinstance(share, Real) or not 0 < float(share) <= 1:
            raise ValueError(
                f"mtry_shares has {shown(plain(share))}: pass shares of the columns, above 0, at "
                "most 1."
            )
    return [float(share) for share in shares]


def _read_ks(ks: Iterable[int], p: int) -> list[int]:
    return [
        whole(k, f"ks[{i}]", 1, p, ", the number of columns of X")
        for i, k in enumerate(several(ks, "ks"))
    ]


def _default_ks(mtry: int) -> list[int]:
    return [k for k in (1, 2, 5, 10, 20, 50, 100) if k <= max(1, mtry)]
