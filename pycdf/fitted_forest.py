"""What a fitted estimator answers: predictions, probabilities, votes, nodes, importances, a file.

Inside a model, classes are numbered in their order of appearance, as in R. Here they are sorted, as
scikit-learn wants them.
"""

import os
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from pycdf.forest import voting
from pycdf.forest.model import Model
from pycdf.forest.voting import shares, sorted_codes
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.sklearn_rules import read_new_rows
from pycdf.kernels.route import FELL_OUT

Floats = npt.NDArray[np.float64]


class FittedForest(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The part of :class:`pycdf.CDFClassifier` that needs a model, and no training rows."""

    model_: Model
    classes_: npt.NDArray[Any]
    n_jobs: int | None

    def set_model(self, model: Model) -> None:
        """Answer by this model from now on."""
        self.model_ = model
        self.classes_ = model.classes[sorted_codes(model.classes)]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class that most trees vote for; ties go to the one that came first in training.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            With the columns of training, in their order.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        rows = self._rows(X)
        counted = self.model_.votes(rows, self.n_jobs)
        return self.model_.classes[voting.winners(counted)]

    def predict_proba(self, X: Any) -> Floats:
        """The share of trees that vote for each class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Columns as in ``classes_``. Classes that lose a tie for the most votes are one unit in
            the last place below the winner, so that the largest share is the prediction.
        """
        rows = self._rows(X)
        counted = self.model_.votes(rows, self.n_jobs)
        return shares(counted)[:, sorted_codes(self.model_.classes)]

    def votes(self, X: Any) -> npt.NDArray[np.int64]:
        """The class that each tree votes for.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, ntrees)
            Positions in ``classes_``.
        """
        rows, model = self._rows(X), self.model_
        codes = voting.votes_by_tree(model.forest, rows, model.kept, self.n_jobs)
        return np.argsort(sorted_codes(self.model_.classes))[codes]

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """The node in which each row ends in each tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, ntrees)
            Nodes are numbered within their tree from 0, the root, depth first, as in ``CDF()``'s
            table ``trees``. -1 where a row falls out of a tree: it has no finite distance to any
            centroid, or it goes where no training row went. Such a tree votes for the class that
            came first in training.
        """
        rows, forest = self._rows(X), self.model_.forest
        nodes = voting.end_nodes(forest, rows, self.model_.kept, self.n_jobs)
        return np.where(nodes == FELL_OUT, FELL_OUT, nodes - forest.tree_start[:-1])

    @property
    def feature_importances_(self) -> Floats:
        """How often each column was selected, as a share of all selections; 0 if it was dropped."""
        check_is_fitted(self)
        return self.model_.importances()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file; :func:`pycdf.load` reads it.

        Parameters
        ----------
        path : str or path-like
        """
        from pycdf.files.model import save_model

        check_is_fitted(self)
        save_model(self.model_, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _rows(self, X: Any) -> npt.NDArray[Any]:
        check_is_fitted(self)
        check_jobs(self.n_jobs)
        return read_new_rows(self, X)
