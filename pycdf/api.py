"""``CDF()``, the counterpart of R's function of that name: train and predict in one call."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pycdf.base_r.collation import Collation
from pycdf.base_r.stream import RStream
from pycdf.forest import voting
from pycdf.forest.growing import Streams
from pycdf.forest.training import Form, grow_model, starting_stream
from pycdf.inputs.argument_names import matches_names_as_r
from pycdf.inputs.checks import check_choice, check_jobs
from pycdf.inputs.data_checks import check_order, check_rows
from pycdf.inputs.kinds import LabelList, Table
from pycdf.inputs.labels import read_labels
from pycdf.inputs.laboratory import R_RULES
from pycdf.inputs.notes import warn_of
from pycdf.inputs.parameters import read_parameters
from pycdf.inputs.prepare import clean
from pycdf.inputs.tables import read_matrix
from pycdf.result import CDFResult
from pycdf.support.progress import ProgressBar


@matches_names_as_r
def CDF(
    xtrain: Table,
    ytrain: LabelList,
    xtest: Table,
    ntrees: int = 500,
    depth: int = 3,
    mnode: int = 3,
    k: int | None = None,
    mtry: int | None = None,
    seed: int | RStream | None = None,
    *,
    collation: Collation = "icu",
    streams: Streams = "r",
    n_jobs: int | None = None,
    progress: bool = False,
    scale: bool = False,
) -> CDFResult:
    """Train a centroid decision forest and predict the test rows: R's ``CDF::CDF``.

    Parameters
    ----------
    xtrain, xtest : DataFrame (pandas or polars), array-like, sparse matrix, Arrow table or AnnData
        Training and test rows. NaN, None and NA are missing values. Text is parsed as R parses
        numbers; categoricals are read as R reads factors, dates as days and times as seconds.
        Columns are matched by name if both tables have names, otherwise by position.
    ytrain : array-like of shape (n_train_rows,)
        One label per training row.
    ntrees : int, default=500
        Number of trees.
    depth : int, default=3
        Number of levels of splits.
    mnode : int, default=3
        Size of the smallest node that is split, in rows.
    k : int or None, default=None
        Number of features selected in a node. None is R's default ``round(2 * log(p))`` for the p
        columns of xtrain as given.
    mtry : int or None, default=None
        Number of features drawn in a node, from which the k are selected. None is R's default
        ``round(0.2 * p)``.
    seed : int, RStream or None, default=None
        An int has the effect of R's ``set.seed``. An :class:`RStream` is used from its current
        position and left where R's stream would be. None starts from fresh randomness.
    collation : {"icu", "C"}, default="icu"
        How labels sort when the vote of a leaf is tied: "icu" as R does in most locales, "C" by
        code point as R does in the C locale.
    streams : {"r", "per_tree"}, default="r"
        "r" grows all trees one after the other on a single stream, as R does. "per_tree" gives
        each tree its own stream, so that trees can be grown in parallel. The forest then differs
        from R's, with the same accuracy.
    n_jobs : int or None, default=None
        Number of cores for prediction, and with ``streams="per_tree"`` also for growing; -1 uses
        all cores. None means one, or the setting of ``joblib.parallel_config``. The result does
        not depend on it.
    progress : bool, default=False
        Whether a long fit shows the trees done and the time left, in a terminal or a notebook.
    scale : bool, default=False
        Whether columns are standardised by the labelled training rows, as R's ``scale()`` does:
        the forest is R's for ``scale(xtrain)``, and xtest is scaled by the same numbers.

    Returns
    -------
    CDFResult
        The predicted labels, the class probabilities and the feature importance, as in R, and the
        forest behind them.

    Notes
    -----
    Changes that R makes to the inputs silently raise a warning here
    (:class:`pycdf.InputWarning`), and are kept in ``notes``.

    Examples
    --------
    >>> from pycdf import CDF, load_darwin
    >>> X, y = load_darwin()
    >>> fit = CDF(X[::2], y[::2], X[1::2], ntrees=10, seed=1)
    >>> fit.predictions[:5].tolist()
    ['P', 'P', 'P', 'H', 'P']
    >>> fit.probabilities.head(3)
         P    H
    1  1.0  0.0
    3  0.9  0.1
    5  0.7  0.3
    >>> fit.feature_importance.nlargest(2).round(3).to_dict()
    {'x379': 0.014, 'x247': 0.013}
    """
    return train_and_predict(
        xtrain, ytrain, xtest, ntrees, depth, mnode, k, mtry, seed, collation=collation,
        streams=streams, n_jobs=n_jobs, progress=progress, scale=scale,
    )  # fmt: skip


def train_and_predict(
    xtrain: Table,
    ytrain: LabelList,
    xtest: Table,
    ntrees: int,
    depth: int,
    mnode: int,
    k: int | None,
    mtry: int | None,
    seed: int | RStream | None,
    *,
    collation: Collation,
    streams: Streams,
    n_jobs: int | None,
    progress: bool,
    scale: bool,
    rules: Mapping[str, Any] = R_RULES,
) -> CDFResult:
    """``CDF()``, whose inputs are cleaned as R does, also with other ``rules`` than R's."""
    # R checks the seed before anything else.
    stream = starting_stream(seed, check_choice("streams", streams))
    check_choice("collation", collation)
    scale = check_choice("scale", scale)
    check_jobs(n_jobs)
    check_order(xtrain, ytrain, xtest)
    train = read_matrix(xtrain, "xtrain")
    test = read_matrix(xtest, "xtest")
    labels = read_labels(ytrain)
    check_rows(train, labels)
    data = clean(train, test, labels, n_jobs, scale)
    training = data.training
    used, adjusted = read_parameters(
        ntrees, depth, mnode, k, mtry, training.n_features, len(training.kept)
    )
    notes = (*data.notes, *adjusted)
    warn_of(notes)
    form = Form(
        ddof=1, collation=collation, streams=streams, bootstrap=True, class_weight=None,
        scale=scale, distance=rules["distance"], feature_score=rules["feature_score"],
        redundancy=rules["redundancy"], vote=rules["vote"],
    )  # fmt: skip
    with ProgressBar(progress) as bar:
        model = grow_model(training, used, form, stream, n_jobs, bar)
    forest = model.forest
    votes = model.votes(data.test, n_jobs, only_kept=True)
    return CDFResult(
        predictions=labels.values[voting.winners(votes)],
        probabilities=pd.DataFrame(
            voting.vote_shares(votes, forest.n_trees), index=test.index, columns=labels.values
        ),
        feature_importance=pd.Series(
            voting.importance(forest, len(data.names)), index=data.names, name="feature_importance"
        ),
        classes=labels.values,
        forest=forest,
        parameters=used,
        seed=stream.seed,
        notes=notes,
        model_=model,
        _test=data.test,
    )
