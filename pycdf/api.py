"""``CDF()``, the counterpart of R's function of that name, and its result.

:func:`CDF` trains a forest on one set of rows and predicts another. The :class:`CDFResult` holds
R's three answers (predictions, probabilities, feature importance) and the forest itself, as tables.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.collation import Collation
from pycdf.base_r.stream import RStream
from pycdf.forest import voting
from pycdf.forest.arrays import Forest
from pycdf.forest.growing import Streams
from pycdf.forest.model import Model
from pycdf.forest.tables import centroid_table, node_table
from pycdf.forest.training import Form, grow_model, starting_stream
from pycdf.inputs.checks import check_choice, check_jobs
from pycdf.inputs.data_checks import check_order, check_rows
from pycdf.inputs.labels import read_labels
from pycdf.inputs.notes import Note, warn_of
from pycdf.inputs.parameters import Parameters, read_parameters
from pycdf.inputs.prepare import clean
from pycdf.inputs.tables import read_matrix
from pycdf.support.progress import ProgressBar

if TYPE_CHECKING:
    from pycdf.classifier import CDFClassifier


@dataclass(frozen=True, eq=False)
class CDFResult:
    """The result of :func:`CDF`.

    Every attribute is also an item: ``fit["predictions"]`` is ``fit.predictions``, as
    ``fit$predictions`` is in R.

    Attributes
    ----------
    predictions : ndarray of shape (n_test_rows,)
        The predicted label of each test row, in the type of the training labels.
    probabilities : DataFrame of shape (n_test_rows, n_classes)
        The share of trees that vote for each class, with one column per class in order of first
        appearance in ytrain and the index of xtest.
    feature_importance : Series of shape (n_kept_features,)
        How often each kept feature was selected, as a share of all selections, indexed by name.
    classes : ndarray of shape (n_classes,)
        The class labels, in order of first appearance in ytrain.
    forest : pycdf.forest.arrays.Forest
        All trees as flat arrays.
    parameters : dict of str to int
        ntrees, depth, mnode, k and mtry as they were used.
    seed : int
        The seed of the random stream. It reproduces the forest even if no seed was given.
    notes : tuple of Note
        The changes made to the inputs, one note per warning (see :class:`pycdf.Note`).
    model_ : pycdf.forest.model.Model
        The forest with the names of its classes and columns, as in ``CDFClassifier.model_``.

    Examples
    --------
    >>> from pycdf import CDF, load_darwin
    >>> X, y = load_darwin()
    >>> fit = CDF(X[::2], y[::2], X[1::2], ntrees=10, seed=1)
    >>> fit
    Centroid decision forest: 10 trees, 102 nodes, seed 1
      ntrees=10, depth=3, mnode=3, k=12, mtry=90
      2 classes: P, H
      450 features; selected most: x379 (1.4%), x247 (1.3%), x253 (1.3%)
      87 test rows, predicted: P: 45, H: 42
    >>> fit.trees.head(3)
       tree  node  parent  branch branch_class  depth  rows  leaf
    0     0     0      -1      -1         None      0    87  None
    1     0     1       0       0            H      1    51  None
    2     0     2       1       0            H      2    38  None
    >>> fit["votes"].shape
    (87, 10)
    """

    predictions: npt.NDArray[Any]
    probabilities: pd.DataFrame
    feature_importance: pd.Series
    classes: npt.NDArray[Any]
    forest: Forest = field(repr=False)
    parameters: Parameters
    seed: int
    notes: tuple[Note, ...]
    model_: Model = field(repr=False)
    _test: npt.NDArray[np.float64] = field(repr=False)

    @cached_property
    def model(self) -> "CDFClassifier":
        """The forest as a fitted :class:`pycdf.CDFClassifier`, to predict further rows."""
        from pycdf.classifier import CDFClassifier  # imports scikit-learn

        return CDFClassifier.from_model(self.model_)

    @cached_property
    def trees(self) -> pd.DataFrame:
        """DataFrame with one row per node (see :func:`pycdf.forest.tables.node_table`)."""
        return node_table(self.forest, self.classes)

    @cached_property
    def centroids(self) -> pd.DataFrame:
        """DataFrame with one row per node, class and selected feature.

        See :func:`pycdf.forest.tables.centroid_table`.
        """
        features = self.feature_importance.index.to_numpy()
        return centroid_table(self.forest, self.classes, features)

    @cached_property
    def votes(self) -> npt.NDArray[np.int32]:
        """ndarray of shape (n_test_rows, ntrees): the class that each tree votes for.

        The values are positions in ``classes``.
        """
        return voting.votes_by_tree(self.forest, self._test)

    def __getitem__(self, name: str) -> Any:
        if name in self.keys():
            return getattr(self, name)
        raise KeyError(f"{name!r}; the items are {', '.join(self.keys())}")

    def keys(self) -> list[str]:
        """Names of the items: those of R's list first, then the ones that only pycdf has.

        Returns
        -------
        list of str
        """
        return [
            "predictions", "probabilities", "feature_importance",
            "classes", "trees", "centroids", "votes", "parameters", "seed", "notes", "model",
        ]  # fmt: skip

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __repr__(self) -> str:
        used = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        top = self.feature_importance.nlargest(3)
        return "\n".join(
            [
                f"Centroid decision forest: {self.forest.n_trees} trees, "
                f"{self.forest.n_nodes} nodes, seed {self.seed}",
                f"  {used}",
                f"  {len(self.classes)} classes: {_few(self.classes)}",
                f"  {len(self.feature_importance)} features; selected most: "
                + ", ".join(f"{name} ({share:.1%})" for name, share in top.items()),
                f"  {len(self.predictions)} test rows, predicted: "
                + _few([f"{label}: {count}" for label, count in self._predicted()]),
                *(f"  note: {note.message}" for note in self.notes),
            ]
        )

    def _predicted(self) -> list[tuple[Any, int]]:
        return [(label, int((self.predictions == label).sum())) for label in self.classes]


def CDF(
    xtrain: Any,
    ytrain: Any,
    xtest: Any,
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
) -> CDFResult:
    """Train a centroid decision forest and predict the test rows: R's ``CDF::CDF``.

    Parameters
    ----------
    xtrain, xtest : DataFrame (pandas or polars), array-like or sparse matrix
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
        Whether a long fit shows the trees done and the time left, on stderr if it is a terminal.

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
    # R checks the seed before anything else.
    stream = starting_stream(seed, check_choice("streams", streams))
    check_choice("collation", collation)
    check_jobs(n_jobs)
    check_order(xtrain, ytrain, xtest)
    train = read_matrix(xtrain, "xtrain")
    test = read_matrix(xtest, "xtest")
    labels = read_labels(ytrain)
    check_rows(train, labels)
    data = clean(train, test, labels, n_jobs)
    training = data.training
    used, adjusted = read_parameters(
        ntrees, depth, mnode, k, mtry, training.n_features, len(training.kept)
    )
    notes = (*data.notes, *adjusted)
    warn_of(notes)
    form = Form(ddof=1, collation=collation, streams=streams, bootstrap=True)
    with ProgressBar() if progress else nullcontext() as report:
        model = grow_model(training, used, form, stream, n_jobs, report)
    forest = model.forest
    votes = voting.votes(forest, data.test, n_jobs=n_jobs)
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


def _few(items: Any, most: int = 8) -> str:
    """The first few items as text, with the total if there are more."""
    shown = [str(item) for item in items[:most]]
    return ", ".join(shown) + (f", ... ({len(items)} in all)" if len(items) > most else "")
