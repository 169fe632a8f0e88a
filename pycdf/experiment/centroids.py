"""Two classics for gene expression that, like CDF, compare rows with the centroids of classes.

Both assume that features are independent within a class and vary equally in all classes.
:class:`DiagonalLDA` (Dudoit, Fridlyand and Speed 2002) uses all features;
:class:`ShrunkenCentroids` (Tibshirani, Hastie, Narasimhan and Chu 2002, the method of R's package
pamr) moves the centroids towards the overall one, so that features without a difference drop out.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp, softmax  # type: ignore[import-untyped]
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from pycdf.support.wording import shown

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]


class _NearestCentroid(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The class with the nearest centroid, each feature divided by its spread."""

    classes_: Labels
    n_features_in_: int

    def _moments(self, X: Any, y: Any) -> tuple[Floats, Floats]:
        """Check the training rows; the number of rows of each class, and the pooled sds."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, codes, sizes = np.unique(y, return_inverse=True, return_counts=True)
        if len(self.classes_) < 2:
            raise ValueError("y has only one class: pass rows of two classes or more.")
        if len(y) == len(self.classes_):
            raise ValueError("every class has a single row: a spread needs two rows of a class.")
        self.centroids_ = np.stack([X[codes == j].mean(axis=0) for j in range(len(sizes))])
        self.overall_ = X.mean(axis=0)
        squares = np.square(X - self.centroids_[codes]).sum(axis=0)
        return sizes.astype(np.float64), np.sqrt(squares / (len(y) - len(sizes)))

    def _distances(self, X: Floats, centroids: Floats) -> Floats:
        """Squared distances to the centroids, rows x classes."""
        scaled = X / self.spread_
        return np.stack(
            [np.square(scaled - one / self.spread_).sum(axis=1) for one in centroids], axis=1
        )

    def _checked(self, X: Any) -> Floats:
        check_is_fitted(self)
        checked: Floats = validate_data(self, X, reset=False, dtype=np.float64)
        return checked

    def _log_likelihoods(self, X: Floats) -> Floats:
        """Rows x classes, up to a number that is the same for all classes of a row."""
        raise NotImplementedError

    def decision_function(self, X: Any) -> Floats:
        """The log-odds of each class against the others, if the assumptions hold.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes), or (n_rows,) for two classes
            For two classes, the log-odds of the second one.
        """
        values = self._log_likelihoods(self._checked(X))
        if values.shape[1] == 2:
            return np.asarray(values[:, 1] - values[:, 0])
        others = [np.delete(values, j, axis=1) for j in range(values.shape[1])]
        odds: Floats = values - np.stack([logsumexp(each, axis=1) for each in others], axis=1)
        return odds

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, if the assumptions hold.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        return np.asarray(softmax(self._log_likelihoods(self._checked(X)), axis=1))

    def predict(self, X: Any) -> Labels:
        """Predict the most likely class; ties go to the one that sorts first.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        best = self._log_likelihoods(self._checked(X)).argmax(axis=1)
        return np.asarray(self.classes_[best])


class DiagonalLDA(_NearestCentroid):
    """Diagonal linear discriminant analysis, by maximum likelihood: classes count equally.

    Features that do not vary within any class are ignored.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    centroids_ : ndarray of shape (n_classes, n_features)
        The means of each class.
    spread_ : ndarray of shape (n_features,)
        The pooled standard deviation within classes; infinite if it is zero.
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Compute the centroids and the pooled standard deviations.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)

        Returns
        -------
        self
        """
        _, spread = self._moments(X, y)
        self.spread_ = np.where(spread > 0, spread, np.inf)
        return self

    def _log_likelihoods(self, X: Floats) -> Floats:
        return -self._distances(X, self.centroids_) / 2


class ShrunkenCentroids(_NearestCentroid):
    """Nearest shrunken centroids.

    Parameters
    ----------
    shrinkage : float, default=0.5
        The threshold, as a fraction of the largest one, at which all centroids are equal: 0 does
        not shrink. It is usually chosen by cross-validation.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    centroids_ : ndarray of shape (n_classes, n_features)
        The means of each class, not shrunken.
    spread_ : ndarray of shape (n_features,)
        The pooled standard deviation within classes plus its median over the features.
    priors_ : ndarray of shape (n_classes,)
        The share of each class in the training rows.
    """

    def __init__(self, shrinkage: float = 0.5) -> None:
        self.shrinkage = shrinkage

    def fit(self, X: Any, y: Any) -> Self:
        """Compute the centroids, the pooled standard deviations and the largest threshold.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)

        Returns
        -------
        self
        """
        sizes, spread = self._moments(X, y)
        spread = spread + np.median(spread)
        self.spread_ = np.where(spread > 0, spread, np.inf)
        n = sizes.sum()
        self.priors_ = sizes / n
        self._scale = np.sqrt(1 / sizes - 1 / n)[:, np.newaxis] * self.spread_
        apart = self.centroids_ - self.overall_
        self._deviations = np.divide(
            apart, self._scale, out=np.zeros_like(apart), where=np.isfinite(self._scale)
        )
        return self

    def shrunken(self, shrinkage: float) -> Floats:
        """The centroids after shrinking, classes x features."""
        if not 0 <= shrinkage <= 1:
            raise ValueError(f"shrinkage={shown(shrinkage)}: pass a number from 0 to 1.")
        size = np.abs(self._deviations)
        left = np.sign(self._deviations) * np.maximum(size - shrinkage * size.max(), 0.0)
        moved = left * np.where(np.isfinite(self._scale), self._scale, 0.0)
        centroids: Floats = self.overall_ + moved
        return centroids

    def _log_likelihoods(self, X: Floats) -> Floats:
        return self._posterior(X, self.shrinkage)

    def _posterior(self, X: Floats, shrinkage: float) -> Floats:
        values: Floats = np.log(self.priors_) - self._distances(X, self.shrunken(shrinkage)) / 2
        return values

    def predict_each(self, X: Any, shrinkages: Sequence[float]) -> list[Labels]:
        """Predict with each of several values instead of ``shrinkage``."""
        X = self._checked(X)
        return [self.classes_[self._posterior(X, one).argmax(axis=1)] for one in shrinkages]
