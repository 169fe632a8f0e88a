"""Curves: accuracy against the number of trees, the features drawn, and the features selected.

In go a fit and rows with labels, or rows and labels to be split; out come the numbers behind the
curves. Trees of a forest are drawn one after the other from one stream, so that the first t trees
of a fit are the forest of ``ntrees=t``: one fit tells the answers of all smaller ones.
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
from pycdf.explain.fitted import Fit, model_of, read_codes, read_rows, read_training
from pycdf.explain.many_forests import grow, part_of, read_data, read_settings
from pycdf.explain.out_of_bag import left_out
from pycdf.forest import voting
from pycdf.forest.model import Model
from pycdf.inputs.parameters import default_mtry
from pycdf.inputs.prepare import TrainingData, training_data
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import plain, plural

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


def tree_curve(
    fit: Fit, X: Any = None, y: Any = None, X_test: Any = None, y_test: Any = None
) -> pd.DataFrame:
    """Out-of-bag error and accuracy of the forest of the first tree, the first two, and so on.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
    X, y
        The rows and labels of training, in their order, for the out-of-bag error.
    X_test, y_test
        Other rows and their labels, for the accuracy.

    Returns
    -------
    DataFrame
        One line per number of trees (the index ``trees``, from 1), with ``oob_error`` if X and y
        are given and ``accuracy`` if X_test and y_test are. The error is over rows that some tree
        left out; NaN as long as there are none.
    """
    model = model_of(fit)
    curves = {}
    if _both(X, y, "X", "y"):
        training = read_training(fit, X, y)
        outside = left_out(model.forest).T
        right = _running_accuracy(model, training.rows, training.codes, outside)
        curves["oob_error"] = 1.0 - right
    if _both(X_test, y_test, "X_test", "y_test"):
        rows, codes = read_rows(fit, X_test, "X_test"), read_codes(fit, y_test, "y_test")
        if len(rows) != len(codes) or len(rows) == 0:
            raise ValueError(
                f"X_test has {plural(len(rows), 'row')} and y_test {plural(len(codes), 'label')}: "
                "pass one label per row, and at least one."
            )
        curves["accuracy"] = _running_accuracy(model, rows, codes)
    if not curves:
        raise TypeError(
            "there are no rows to judge by: pass X and y (those of training) for the out-of-bag "
            "error, X_test and y_test for the accuracy, or all four."
        )
    return pd.DataFrame(curves, index=pd.RangeIndex(1, model.forest.n_trees + 1, name="trees"))


def _both(rows: Any, labels: Any, *names: str) -> bool:
    """Whether rows and labels are given; stops where one of them is missing."""
    if (rows is None) != (labels is None):
        given, missing = names if labels is None else names[::-1]
        raise TypeError(f"{given} is given and {missing} is not: pass both.")
    return rows is not None


def _running_accuracy(
    model: Model, rows: Floats, codes: Codes, counts: npt.NDArray[np.bool_] | None = None
) -> Floats:
    """The accuracy of the first 1, 2, ... trees; ``counts`` (rows x trees): whose votes count."""
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
    X: Any,
    y: Any,
    *,
    mtry_shares: Iterable[float] = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0),
    ks: Iterable[int] | None = None,
    splits: int = 10,
    seed: int = 1,
    progress: bool = False,
    **parameters: Any,
) -> pd.DataFrame:
    """Accuracy on random splits against ntrees, mtry and k: the paper's three figures in one call.

    Split i (from 0) is R's ``set.seed(seed + i); tr <- sample(n, floor(0.7 * n))``: these rows are
    for training, the others for testing. Each forest goes on from there on R's stream, so that R's
    ``CDF()``, called next without a seed, gives the same accuracy. All forests of a split see the
    same rows.

    Parameters
    ----------
    X, y
        Rows and labels, as ``CDFClassifier.fit`` takes them.
    mtry_shares : iterable of float, default=(0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
        Shares of the columns that are drawn in a node: mtry is ``round(share * p)``, at least 1.
    ks : iterable of int, default=None
        Numbers of features that are selected in a node. None: 1, 2, 5, 10, 20, 50 and 100, as far
        as mtry goes.
    splits : int, default=10
        How many random splits.
    seed : int, default=1
        The seed of the first split.
    progress : bool, default=False
        Whether trees done and time left are shown, on stderr if that is a terminal.
    **parameters
        Of :class:`pycdf.CDFClassifier`, for all forests; a curve's own parameter takes its place.

    Returns
    -------
    DataFrame
        One line per point: ``parameter`` ("ntrees", "mtry" or "k"), ``value`` (its number),
        ``share`` (of the columns, for mtry), ``accuracy`` (the mean over the splits) and
        ``std_error`` (of this mean; NaN for one split).
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
                place = i * len(variants) + j
                report = part_of(bar, place, splits * len(variants), ntrees) if progress else None
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
    """Training rows, and test rows with their classes as the training rows number them."""

    train: TrainingData
    rows: Floats
    codes: Codes
    """-1 for a class that no training row has: whatever is predicted is wrong."""
    stream: RStream
    """After the rows were drawn."""


def _split(data: TrainingData, seed: int) -> _Split:
    stream = RStream(seed)
    n = len(data.codes)
    inside = stream.sample(n, int(0.7 * n))
    outside = np.setdiff1d(np.arange(n), inside)
    found, first = np.unique(data.codes[inside], return_index=True)
    order = found[np.argsort(first)]  # of appearance, as R numbers classes
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
                f"mtry_shares has {plain(share)!r}: pass shares of the columns, above 0, at most 1."
            )
    return [float(share) for share in shares]


def _read_ks(ks: Iterable[int], p: int) -> list[int]:
    return [
        whole(k, f"ks[{i}]", 1, p, ", the number of columns of X")
        for i, k in enumerate(several(ks, "ks"))
    ]


def _default_ks(mtry: int) -> list[int]:
    return [k for k in (1, 2, 5, 10, 20, 50, 100) if k <= max(1, mtry)]
