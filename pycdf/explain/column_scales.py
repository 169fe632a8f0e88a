"""Whether the scales of columns decide, and what standardising them would change."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pycdf.base_r.stream import RStream
from pycdf.base_r.text import r_texts
from pycdf.explain.fitted import (
    Classes,
    Fit,
    Rows,
    TrainingRows,
    feature_names,
    model_of,
    read_training,
)
from pycdf.explain.intervals import paired_p_value, proportion_bounds
from pycdf.explain.row_votes import RowVotes, row_votes, votes_of
from pycdf.forest import scale_notes
from pycdf.forest.model import Model
from pycdf.forest.training import grow_like
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.prepare import training_data


def scale_note(fit: Fit) -> str | None:
    """Say when a few columns decide because their numbers are large.

    Distances add up the columns in their own units. If the units differ by orders of magnitude, the
    columns with the largest numbers decide, and the others hardly count, however often they are
    selected.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.

    Returns
    -------
    str or None
        How unequal the columns are, which of them decide, and what to do about it. None if the
        forest scales its columns, or if they are not that unequal: the note appears if the classes
        are, on average over the splits, at least 30 times as far apart on the columns that decide
        as on a typical column of the node.

    See Also
    --------
    scaling_table : Accuracy with and without scaled columns.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import scale_note
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=50, seed=1).fit(X, y)
    >>> scale_note(fit).split(",")[0]
    'The scales of the columns differ by orders of magnitude'
    >>> scale_note(CDFClassifier(ntrees=50, seed=1, scale=True).fit(X, y)) is None
    True
    """
    return scale_notes.scale_note(model_of(fit), feature_names(fit).tolist())


def scaling_table(fit: Fit, X: Rows, y: Classes, *, n_jobs: int | None = None) -> pd.DataFrame:
    """Compare the out-of-bag accuracy with and without standardised columns.

    A second forest is grown with the same parameters and seed. If the fit does not scale its
    columns, the second forest does, and the other way round.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like of shape (n_rows, n_features)
        The training rows, in their original order.
    y : array-like of shape (n_rows,)
        The labels of the training rows.
    n_jobs : int or None, default=None
        Number of cores, as in :class:`pycdf.CDFClassifier`.

    Returns
    -------
    DataFrame
        Two rows, the fit itself first: whether columns are scaled (``scale``), the out-of-bag
        ``accuracy`` with its 95 % interval from ``low`` to ``high`` (Wilson's), the number of
        ``rows``, and in the second row ``p_value``, of McNemar's exact test between the two on the
        rows that both judge.

    Notes
    -----
    Means and standard deviations are those of all training rows, those out of bag included. Labels
    have no part in them.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import scaling_table
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=100, seed=1).fit(X, y)
    >>> scaling_table(fit, X, y).round(3)
       scale  accuracy    low   high  rows  p_value
    0  False     0.868  0.809  0.910   174      NaN
    1   True     0.862  0.803  0.906   174      1.0
    """
    check_jobs(n_jobs)
    model = model_of(fit)
    training = read_training(fit, X, y)
    own = row_votes(model, training, training, out_of_bag=True)
    other = _judged_otherwise(model, training, n_jobs)
    scaled = model.scaling is not None
    lines: list[list[Any]] = []
    for scale, one in ((scaled, own), (not scaled, other)):
        right, n = int((one.found == one.codes).sum()), len(one.codes)
        lines.append([scale, right / n, *proportion_bounds(right, n), n, np.nan])
    lines[1][-1] = _p_value(own, other, len(training.codes))
    return pd.DataFrame(lines, columns=["scale", "accuracy", "low", "high", "rows", "p_value"])


def _judged_otherwise(model: Model, training: TrainingRows, n_jobs: int | None) -> RowVotes:
    """Out-of-bag votes of the forest with scaled columns if the model has none, or without."""
    scale = model.scaling is None
    texts = r_texts(list(model.classes))
    data = training_data(
        training.own, training.codes, model.classes, texts, None, model.options["integer"],
        n_jobs, scale,
    )  # fmt: skip
    used = len(data.kept)  # fewer only if numbers are extreme
    parameters = model.parameters.copy()
    parameters["k"], parameters["mtry"] = (min(parameters[name], used) for name in ("k", "mtry"))
    like = replace(model, parameters=parameters, options={**model.options, "scale": scale})
    stream = RStream(model.seed, model.options["sample_kind"])
    other = grow_like(like, data, stream, n_jobs, None)
    votes = other.out_of_bag_votes(data.columns, n_jobs)
    return votes_of(other, training.codes, votes, out_of_bag=True)


def _p_value(one: RowVotes, other: RowVotes, n: int) -> float:
    """McNemar's test of two forests on the rows that both judge."""
    right = np.full((2, n), -1)
    for line, judged in zip(right, (one, other), strict=True):
        line[judged.rows] = judged.found == judged.codes
    both = (right >= 0).all(axis=0)
    return paired_p_value(
        int((both & (right[1] > right[0])).sum()), int((both & (right[0] > right[1])).sum())
    )
