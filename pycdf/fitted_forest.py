"""What a fitted estimator can do: predict, count votes, report importances, save itself.

A model numbers its classes in order of first appearance, as R does. The arrays returned here have
them sorted, as scikit-learn requires.
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
from pycdf.inputs.kinds import Table
from pycdf.inputs.sklearn_rules import read_new_rows
from pycdf.kernels.route import FELL_OUT

Floats = npt.NDArray[np.float64]


class FittedForest(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The part of :class:`pycdf.CDFClassifier` that needs a model but no training rows."""

    model_: Model
    classes_: npt.NDArray[Any]
    n_jobs: int | None

    def set_model(self, model: Model) -> None:
        """Use this model for all predictions from now on."""
        self.model_ = model
        self.classes_ = model.classes[sorted_codes(model.classes)]

    def predict(self, X: Table) -> npt.NDArray[Any]:
        """Predict the class that most trees vote for.

        A tie goes to the class that appeared first in training, as in R.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Rows with the columns of the training data, in the same order.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels.

        Examples
        --------
        >>> from pycdf import CDFClassifier, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
        >>> fit.predict(X[:5]).tolist()
        ['P', 'P', 'H', 'P', 'P']
        """
        rows = self._rows(X)
        counted = self.model_.votes(rows, self.n_jobs)
        return self.model_.classes[voting.winners(counted)]

    def predict_proba(self, X: Table) -> Floats:
        """Compute the share of trees that vote for each class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Rows with the columns of the training data, in the same order.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            One column per class, in the order of ``classes_``. Classes that lose a tie for the most
            votes are one unit in the last place below the winner, so that the largest share always
            belongs to the predicted class.

        Examples
        --------
        >>> from pycdf import CDFClassifier, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
        >>> fit.predict_proba(X[2:4]).tolist()
        [[0.8, 0.2], [0.1, 0.9]]
        """
        rows = self._rows(X)
        counted = self.model_.votes(rows, self.n_jobs)
        return shares(counted)[:, sorted_codes(self.model_.classes)]

    def predict_log_proba(self, X: Table) -> Floats:
        """Compute the natural logarithm of :meth:`predict_proba`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Rows with the columns of the training data, in the same order.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            One column per class, in the order of ``classes_``; minus infinity for a class that
            no tree votes for.

        Examples
        --------
        >>> from pycdf import CDFClassifier, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
        >>> fit.predict_log_proba(X[2:4]).round(3).tolist()
        [[-0.223, -1.609], [-2.303, -0.105]]
        """
        with np.errstate(divide="ignore"):
            logarithms: Floats = np.log(self.predict_proba(X))
        return logarithms

    def votes(self, X: Table) -> npt.NDArray[np.int64]:
        """Find the class that each tree votes for.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Rows with the columns of the training data, in the same order.

        Returns
        -------
        ndarray of shape (n_rows, ntrees)
            Positions in ``classes_``.

        Examples
        --------
        >>> from pycdf import CDFClassifier, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
        >>> fit.votes(X[2:4]).tolist()
        [[0, 1, 1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, 1, 1, 1, 1]]
        """
        rows = self._rows(X)
        codes = self.model_.votes_by_tree(rows, self.n_jobs)
        return np.argsort(sorted_codes(self.model_.classes))[codes]

    def apply(self, X: Table) -> npt.NDArray[np.int64]:
        """Find the node in which each row ends in each tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Rows with the columns of the training data, in the same order.

        Returns
        -------
        ndarray of shape (n_rows, ntrees)
            Node numbers. The root is 0 and nodes are numbered depth first within their tree, as in
            the table ``trees`` of ``CDF()``. -1 means that the row reaches no leaf of the tree:
            it has no finite distance to any centroid, or takes a branch that no training row took.
            The tree then votes for the class that appeared first in training.

        Examples
        --------
        >>> from pycdf import CDFClassifier, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
        >>> fit.apply(X[2:4]).tolist()
        [[5, 11, 8, 7, 11, 8, 8, 7, 10, 7], [2, 7, 5, 5, 2, 2, 2, 9, 3, 12]]
        """
        rows, forest = self._rows(X), self.model_.forest
        nodes = self.model_.end_nodes(rows, self.n_jobs)
        return np.where(nodes == FELL_OUT, FELL_OUT, nodes - forest.tree_start[:-1])

    @property
    def feature_importances_(self) -> Floats:
        """ndarray of shape (n_features,): each column's share of all selections.

        Columns that do not vary are dropped before training and have 0.
        """
        check_is_fitted(self)
        return self.model_.importances()

    @property
    def oob_score_(self) -> float:
        """float: accuracy of the out-of-bag votes on the training rows that have any."""
        return self._out_of_bag("oob_score_").accuracy

    @property
    def oob_decision_function_(self) -> Floats:
        """ndarray of shape (n_rows, n_classes): shares of the out-of-bag votes.

        NaN for rows that every tree drew.
        """
        counted = self._out_of_bag("oob_decision_function_").votes
        return shares(counted)[:, sorted_codes(self.model_.classes)]

    def _out_of_bag(self, name: str) -> voting.OutOfBag:
        model: Model | None = getattr(self, "model_", None)
        if model is None or model.out_of_bag is None:
            raise AttributeError(
                f"{type(self).__name__!r} has no {name!r}: fit it with oob_score=True."
            )
        return model.out_of_bag

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file that :func:`pycdf.load` reads.

        Parameters
        ----------
        path : str or path-like
            The file to write. An existing file is replaced.

        Examples
        --------
        >>> from pycdf import CDFClassifier, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "model.cdf")
        >>> fit.save(path)
        >>> os.path.exists(path)
        True
        """
        from pycdf.files.model import save_model

        check_is_fitted(self)
        save_model(self.model_, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def _rows(self, X: Table) -> npt.NDArray[Any]:
        check_is_fitted(self)
        check_jobs(self.n_jobs)
        return read_new_rows(self, X)
