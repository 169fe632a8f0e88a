"""The result of ``CDF()``: R's three answers, and the forest behind them as tables."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.forest import voting
from pycdf.forest.arrays import Forest
from pycdf.forest.model import Model
from pycdf.forest.rows import names_of_features, read_rows
from pycdf.forest.summary import settings_text
from pycdf.forest.tables import centroid_table, node_table
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.kinds import Table
from pycdf.inputs.notes import Note
from pycdf.inputs.parameters import Parameters
from pycdf.support.overview import Overview, Overviewed, some
from pycdf.support.wording import plural

if TYPE_CHECKING:
    from pycdf.classifier import CDFClassifier


@dataclass(frozen=True, eq=False, repr=False)
class CDFResult(Overviewed):
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
      parameters  ntrees=10, depth=3, mnode=3, k=12, mtry=90
      trained on  87 rows, 450 features
      classes     2: P, H
      predicted   87 test rows: P: 45, H: 42
      accuracy    unknown without labels: pycdf.explain.confusion(ytest, fit.predictions)
      more        fit.probabilities, fit.feature_importance, fit.trees, fit.model.save(file)
                  pycdf.plots, pycdf.explain
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
    forest: Forest
    parameters: Parameters
    seed: int
    notes: tuple[Note, ...]
    model_: Model
    _test: npt.NDArray[np.float64]

    @cached_property
    def model(self) -> "CDFClassifier":
        """The forest as a fitted :class:`pycdf.CDFClassifier`, to predict further rows."""
        from pycdf.classifier import CDFClassifier  # imports scikit-learn

        return CDFClassifier.from_model(self.model_)

    def predict(self, xnew: Table, n_jobs: int | None = None) -> npt.NDArray[Any]:
        """Predict further rows.

        Parameters
        ----------
        xnew : DataFrame (pandas or polars), array-like or sparse matrix
            Rows with the columns of xtrain, matched by name if both tables have names, otherwise by
            position. Columns that the forest does not use may be missing; for any other an error is
            raised, because medians of the training columns, with which R fills them, are not kept.
        n_jobs : int or None, default=None
            Number of cores, as in :func:`CDF`.

        Returns
        -------
        ndarray of shape (n_rows,)
            The predicted labels, as if the rows had been in xtest.

        Examples
        --------
        >>> from pycdf import CDF, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDF(X[::2], y[::2], X[1:3], ntrees=10, seed=1)
        >>> fit.predict(X[1::2])[:5].tolist()
        ['P', 'P', 'P', 'H', 'P']
        """
        check_jobs(n_jobs)
        names = names_of_features(self.model_, self.feature_importance.index)
        rows = read_rows(self.model_, names, xnew, "xnew")
        return self.classes[voting.winners(self.model_.votes(rows, n_jobs, only_kept=True))]

    @cached_property
    def trees(self) -> pd.DataFrame:
        """DataFrame with one row per node (see :func:`pycdf.forest.tables.node_table`)."""
        return node_table(self.forest, self.classes)

    @cached_property
    def centroids(self) -> pd.DataFrame:
        """DataFrame with one row per node, class and selected feature.

        See :func:`pycdf.forest.tables.centroid_table`. With ``scale=True``, centroids are in
        standard deviations from the mean of the training rows.
        """
        features = self.feature_importance.index.to_numpy()
        return centroid_table(self.forest, self.classes, features)

    @cached_property
    def votes(self) -> npt.NDArray[np.int32]:
        """ndarray of shape (n_test_rows, ntrees): the class that each tree votes for.

        The values are positions in ``classes``.
        """
        return self.model_.votes_by_tree(self._test, only_kept=True)

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

    def _overview(self) -> Overview:
        facts: dict[str, str | list[str]] = {
            "parameters": settings_text(self.parameters),
            "trained on": f"{plural(int(self.forest.rows[0]), 'row')}, "
            f"{plural(len(self.feature_importance), 'feature')}"
            f"{'' if self.model_.scaling is None else ', standardised'}",
            "classes": f"{len(self.classes)}: {some(list(self.classes))}",
        }
        if len(self.predictions):
            counts = Counter(self.predictions.tolist())
            found = [
                f"{label}: {counts[key]:,}"
                for label, key in zip(self.classes, self.classes.tolist(), strict=True)
            ]
            facts["predicted"] = f"{plural(len(self.predictions), 'test row')}: {some(found)}"
            facts["accuracy"] = (
                "unknown without labels: pycdf.explain.confusion(ytest, fit.predictions)"
            )
        facts["more"] = [
            "fit.probabilities, fit.feature_importance, fit.trees, fit.model.save(file)",
            "pycdf.plots, pycdf.explain",
        ]
        if self.notes:
            facts["notes"] = [note.message for note in self.notes]
        title = (
            f"Centroid decision forest: {plural(self.forest.n_trees, 'tree')}, "
            f"{plural(self.forest.n_nodes, 'node')}, seed {self.seed}"
        )
        return Overview(title, facts)
