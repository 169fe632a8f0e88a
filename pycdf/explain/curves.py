"""Accuracy on random splits as a function of ntrees, mtry and k."""

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
from pycdf.explain.fitted import Classes, Rows
from pycdf.explain.many_forests import grow, part_of, read_data, read_settings
from pycdf.explain.tree_curves import running_accuracy
from pycdf.inputs.parameters import default_k, default_mtry
from pycdf.inputs.prepare import TrainingData, training_data
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import plain, plural, shown

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


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
        Whether to show the trees done and the time left, in a terminal or a notebook.
    **parameters
        Parameters of :class:`pycdf.CDFClassifier` for all forests. Each curve varies its own
        parameter.

    Returns
    -------
    DataFrame
        One row per point: ``parameter`` ("ntrees", "mtry" or "k"), ``value``, ``share`` (of the
        columns, for mtry), ``accuracy`` (the mean over the splits) and ``std_error`` (of this mean;
        NaN for a single split). ``attrs["in_use"]`` has the values that are used where another
        parameter varies: ntrees, mtry as a share of the columns, and k.

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
    mtry, k = settings["mtry"] or default_mtry(p), settings["k"] or default_k(p)
    ks = _default_ks(mtry) if ks is None else _read_ks(ks, p)
    variants = [settings, *({**settings, "mtry": mtry} for mtry in mtrys)]
    variants += [{**settings, "k": k} for k in ks]
    scores = []
    with ProgressBar(progress) as bar:
        for i in range(splits):
            split = _split(data, seed + i, bool(settings["scale"]))
            curves = []
            for j, variant in enumerate(variants):
                forest = i * len(variants) + j
                report = part_of(bar, forest, splits * len(variants), ntrees)
                model = grow(split.train, variant, split.stream.copy(), report, p)
                rows = model.scaled(split.rows[:, model.kept])
                curves.append(running_accuracy(model, rows, split.codes))
            scores.append([*curves[0], *(curve[-1] for curve in curves[1:])])
    lengths = (ntrees, len(mtrys), len(ks))
    table = pd.DataFrame(
        {
            "parameter": np.repeat(["ntrees", "mtry", "k"], lengths).astype(object),
            "value": [*range(1, ntrees + 1), *mtrys, *ks],
            "share": [*[np.nan] * ntrees, *shares, *[np.nan] * len(ks)],
            "accuracy": np.mean(scores, axis=0),
            "std_error": np.std(scores, axis=0, ddof=1) / splits**0.5 if splits > 1 else np.nan,
        }
    )
    table.attrs["in_use"] = {"ntrees": ntrees, "mtry": mtry / p, "k": k}
    return table


@dataclass(frozen=True, eq=False)
class _Split:
    """Training rows, and test rows with the class codes of the training rows."""

    train: TrainingData
    rows: Floats
    codes: Codes
    """Classes of the test rows; -1, which is never predicted, if no training row has the class."""
    stream: RStream
    """The stream after the rows were drawn."""


def _split(data: TrainingData, seed: int, scale: bool) -> _Split:
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
        None, data.integer, scale=scale,
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
