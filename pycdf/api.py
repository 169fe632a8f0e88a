"""``CDF()``: R's one function, and its result.

In go training rows, their labels, and test rows; out comes a :class:`CDFResult` with R's three
answers (predictions, probabilities, feature importance) and the forest behind them, as tables.
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
from pycdf.inputs.labels import Labels, read_labels
from pycdf.inputs.notes import Note, tell
from pycdf.inputs.parameters import Parameters, read_parameters
from pycdf.inputs.prepare import clean
from pycdf.inputs.tables import Matrix, read_matrix
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import plural

if TYPE_CHECKING:
    from pycdf.classifier import CDFClassifier


@dataclass(frozen=True, eq=False)
class CDFResult:
    """What :func:`CDF` returns. ``fit["predictions"]`` is ``fit.predictions``, as in R."""

    predictions: npt.NDArray[Any]
    """The predicted label of each test row, in the labels' own type."""
    probabilities: pd.DataFrame
    """The share of trees that vote for each class: one column per class, in order of appearance."""
    feature_importance: pd.Series
    """How often each kept feature was selected, as a share of all selections."""
    classes: npt.NDArray[Any]
    """The class labels, in their order of appearance in ytrain."""
    forest: Forest = field(repr=False)
    """All trees in plain arrays."""
    parameters: Parameters
    """ntrees, depth, mnode, k and mtry as they were used."""
    seed: int
    """The seed of the stream; it repeats the forest also where none was given."""
    notes: tuple[Note, ...]
    """What was done to the inputs that the caller may regret (see :mod:`pycdf.inputs.notes`)."""
    model_: Model = field(repr=False)
    """The forest with the names of its classes and columns, as ``CDFClassifier.model_`` is."""
    _test: npt.NDArray[np.float64] = field(repr=False)

    @cached_property
    def model(self) -> "CDFClassifier":
        """The fitted scikit-learn estimator, for more rows with the columns of xtrain."""
        from pycdf.classifier import CDFClassifier  # imports scikit-learn

        return CDFClassifier.from_model(self.model_)

    @cached_property
    def trees(self) -> pd.DataFrame:
        """One row per node (see :func:`pycdf.forest.tables.node_table`)."""
        return node_table(self.forest, self.classes)

    @cached_property
    def centroids(self) -> pd.DataFrame:
        """One row per node, class and selected feature: :func:`pycdf.forest.tables.centroid_table`."""
        features = self.feature_importance.index.to_numpy()
        return centroid_table(self.forest, self.classes, features)

    @cached_property
    def votes(self) -> npt.NDArray[np.int32]:
        """Which class each tree votes for: test rows x trees, positions in ``classes``."""
        return voting.votes_by_tree(self.forest, self._test)

    def __getitem__(self, name: str) -> Any:
        if name in self.keys():
            return getattr(self, name)
        raise KeyError(f"{name!r}; there are {', '.join(self.keys())}")

    def keys(self) -> list[str]:
        """The names of R's list, then what there is beyond it."""
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
    xtrain, xtest
        DataFrames of pandas or polars, arrays or nested lists; NaN, None and NA are missing. Text
        is read as R reads numbers, categoricals as R's factors, dates as days, times as seconds.
        Columns are matched by name where both have names, else by position.
    ytrain
        One label per training row.
    ntrees, depth, mnode
        Number of trees; levels of splits; the smallest node that is split.
    k, mtry
        Features selected, and features drawn, in a node. None is R's default on the
        columns as given: ``round(2 * log(p))`` and ``round(0.2 * p)``.
    seed
        A whole number is R's ``set.seed``; an :class:`RStream` goes on where it stands and is left
        where R's would be; None is fresh randomness.
    collation
        How labels sort where a leaf's vote is tied: "icu" as R does in most locales, "C" by code
        point as R does in the C locale.
    streams
        "r": all trees on R's one stream, one after the other. "per_tree": a stream for each tree,
        so that they can be grown in parallel; another forest than R's, of the same accuracy.
    n_jobs
        Cores for prediction, and with ``streams="per_tree"`` for growing; -1 is all. None is one,
        or what ``joblib.parallel_config`` says. The answer is the same for any number.
    progress
        Whether a long fit shows trees done and time left, on stderr if that is a terminal.

    Notes
    -----
    What R does silently with the inputs is told by warnings (:class:`pycdf.InputWarning`) and kept
    in ``notes``.
    """
    # As in R the seed is looked at first.
    stream = starting_stream(seed, check_choice("streams", streams))
    check_choice("collation", collation)
    check_jobs(n_jobs)
    _check_order(xtrain, ytrain, xtest)
    train = read_matrix(xtrain, "xtrain")
    test = read_matrix(xtest, "xtest")
    labels = read_labels(ytrain)
    _check_rows(train, labels)
    data = clean(train, test, labels, n_jobs)
    training = data.training
    used, adjusted = read_parameters(
        ntrees, depth, mnode, k, mtry, training.n_features, len(training.kept)
    )
    notes = (*data.notes, *adjusted)
    tell(notes)
    form = Form(ddof=1, collation=collation, streams=streams, bootstrap=True)
    with ProgressBar() if progress else nullcontext() as report:
        model = grow_model(training, used, form, stream, n_jobs, report)
    forest = model.forest
    votes = voting.votes(forest, data.test, n_jobs=n_jobs)
    return CDFResult(
        predictions=labels.values[voting.winners(votes)],
        probabilities=pd.DataFrame(votes / forest.n_trees, index=test.index, columns=labels.values),
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


def _check_order(xtrain: Any, ytrain: Any, xtest: Any) -> None:
    """Stop at arguments in another order: a table where the labels belong, labels in its place."""
    if not _is_table(ytrain):
        return
    for name, data in (("xtrain", xtrain), ("xtest", xtest)):
        if data is not None and not _is_table(data):
            raise ValueError(
                f"ytrain is a table and {name} is not: swap them. "
                "The order is CDF(xtrain, ytrain, xtest)."
            )


def _is_table(data: Any) -> bool:
    """Whether there are several columns, as far as the container tells without being read."""
    if hasattr(data, "shape"):
        return len(data.shape) == 2 and data.shape[1] > 1
    if isinstance(data, list | tuple) and data:
        return isinstance(data[0], list | tuple | np.ndarray) and len(data[0]) > 1
    return False


def _check_rows(train: Matrix, labels: Labels) -> None:
    """Stop where R does: too few rows, columns or classes, more or fewer labels than rows."""
    n, p = train.values.shape
    if n < 2 or p < 1:
        raise ValueError(
            f"xtrain has {plural(n, 'row')} and {plural(p, 'column')}: "
            "pass at least two rows and one column."
        )
    count = len(labels.codes)
    if count != n:
        remedy = (
            "is xtrain turned? Pass xtrain.T."
            if count == p
            else "pass one label per row, both from the same split."
        )
        raise ValueError(
            f"ytrain has {plural(count, 'label')} and xtrain {plural(n, 'row')}: {remedy}"
        )
    if len(labels.values) < 2:
        found = f"only the class {labels.texts[0]!r}" if labels.texts else "no label"
        raise ValueError(
            f"ytrain has {found} in its {plural(n, 'row')}: pass training rows of two classes "
            "or more (a stratified split keeps all of them)."
        )


def _few(items: Any, most: int = 8) -> str:
    """The first few of many, as text."""
    shown = [str(item) for item in items[:most]]
    return ", ".join(shown) + (f", ... ({len(items)} in all)" if len(items) > most else "")
