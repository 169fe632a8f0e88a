"""``RandomKNNClassifier``: random k nearest neighbours, as in R's package rknn 1.2.

Each of ``r`` kNN classifiers uses ``mtry`` features drawn at random and votes for the majority
class among the ``k`` nearest training rows; the class with the most votes wins. Defaults, distances
and votes are those of rknn.

Distances are the product of two matrices: a sparse one of the features of each classifier, in the
order in which they were drawn, and the squared differences of all pairs of rows, feature by
feature. The product adds up in the same order as R, so that distances are equal to the last bit.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array  # type: ignore[import-untyped]
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from pycdf.base_r.stream import RStream
from pycdf.experiment.tuning import Floats, Labels
from pycdf.inputs.checks import is_whole
from pycdf.support.wording import shown

Longs = npt.NDArray[np.int64]

_CHUNK_BYTES = 2**24  # bytes of squared differences in memory at a time
_EQUALLY_FAR = 1e-4  # rknn's relative tolerance for ties of squared distances


class RandomKNNClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Random k nearest neighbours, as R's ``rknn::rknn``.

    Parameters
    ----------
    k : int, default=1
        Number of nearest training rows that vote. Rows tied with the k-th vote, too; if k is above
        1, squared distances within 0.01 % count as tied.
    r : int, default=500
        Number of kNN classifiers.
    mtry : int, default=None
        Features of each classifier. None means rknn's ``trunc(sqrt(p))`` of the p columns of X.
    seed : int or None, default=None
        As in R's ``set.seed``; None means a random one.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns in training.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if all of them are strings.
    subsets_ : ndarray of shape (r, mtry)
        The columns of each classifier, in the order in which they were drawn.
    tie_order_ : ndarray of shape (r, n_classes)
        If classes are tied among a classifier's neighbours, it votes for the one with the largest
        number here.

    Notes
    -----
    rknn breaks each tie among a classifier's neighbours at random, row by row. Here each classifier
    draws one random order of the classes, so that the prediction for a row does not depend on the
    other rows. Ties among the classifiers' votes go to the class that sorts first, as in rknn.
    """

    classes_: Labels
    n_features_in_: int
    subsets_: Longs
    tie_order_: Longs

    def __init__(
        self, k: int = 1, r: int = 500, mtry: int | None = None, seed: int | None = None
    ) -> None:
        self.k = k
        self.r = r
        self.mtry = mtry
        self.seed = seed

    def fit(self, X: Any, y: Any) -> Self:
        """Draw the features of each classifier, and store the training rows.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, self._codes = np.unique(y, return_inverse=True)
        n, p = X.shape
        _check_whole("k", self.k, n, "training rows")
        _check_whole("r", self.r, None, "")
        mtry = math.isqrt(p) if self.mtry is None else self.mtry
        _check_whole("mtry", mtry, p, "columns")
        stream = RStream(self.seed)
        self.subsets_ = np.array([stream.sample(p, mtry) for _ in range(self.r)])
        self.tie_order_ = np.array([stream.sample(len(self.classes_)) for _ in range(self.r)])
        self._rows = X
        return self

    def predict(self, X: Any) -> Labels:
        """Predict the class with the most votes; ties go to the one that sorts first.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        return self.predict_each(X, [self.k])[0]

    def predict_proba(self, X: Any) -> Floats:
        """The share of classifiers that vote for each class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        shares: Floats = self.votes(X, [self.k])[0] / self.r
        return shares

    def predict_each(self, X: Any, neighbours: Sequence[int]) -> list[Labels]:
        """Predict with each of several numbers of neighbours instead of ``k``."""
        return [self.classes_[counted.argmax(axis=1)] for counted in self.votes(X, neighbours)]

    def votes(self, X: Any, neighbours: Sequence[int]) -> Longs:
        """Count the classifiers that vote for each class: neighbours x rows x classes."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        counted = np.zeros((len(neighbours), len(X), len(self.classes_)), dtype=np.int64)
        done = 0
        for near in distances(self._rows, X, self.subsets_):
            rows = slice(done, done + near.shape[1])
            ordered = np.partition(near, [k - 1 for k in neighbours], axis=2)
            for i, k in enumerate(neighbours):
                among = neighbour_classes(near, reach(ordered[:, :, k - 1], k), self._codes)
                # The order breaks ties, because it counts for less than one neighbour
                winner = (among * among.shape[2] + self.tie_order_[:, np.newaxis]).argmax(axis=2)
                for code in range(len(self.classes_)):
                    counted[i, rows, code] = (winner == code).sum(axis=0)
            done = rows.stop
        return counted


def distances(train: Floats, test: Floats, subsets: Longs) -> Iterator[Floats]:
    """Yield squared distances (subsets x test rows x training rows) for chunks of test rows."""
    r, mtry = subsets.shape
    (n, p) = train.shape
    adds = csr_array(
        (np.ones(subsets.size), subsets.ravel(), np.arange(0, subsets.size + 1, mtry)), shape=(r, p)
    )
    chunk = max(1, _CHUNK_BYTES // (8 * n * max(p, r)))
    for start in range(0, len(test), chunk):
        rows = test[start : start + chunk]
        apart = rows.T[:, :, np.newaxis] - train.T[:, np.newaxis, :]
        yield (adds @ np.square(apart).reshape(p, -1)).reshape(r, len(rows), n)


def reach(kth: Floats, k: int) -> Floats:
    """The largest squared distance of a row that votes: slightly above the k-th smallest.

    For k = 1, rknn counts only exact ties.
    """
    return kth * (1.0 + _EQUALLY_FAR) if k > 1 else kth


def neighbour_classes(near: Floats, farthest: Floats, codes: npt.NDArray[np.intp]) -> Longs:
    """Count the neighbours of each class within ``farthest`` (subsets x test rows x classes)."""
    voting = near <= farthest[:, :, np.newaxis]
    return np.stack(
        [voting[:, :, codes == code].sum(axis=2) for code in range(codes.max() + 1)], axis=2
    )


def _check_whole(name: str, value: Any, most: int | None, of: str) -> None:
    if not is_whole(value) or value < 1 or (most is not None and value > most):
        limit = "of at least 1" if most is None else f"from 1 to {most:,}, the number of {of}"
        raise ValueError(f"{name}={shown(value)}: pass a whole number {limit}.")
