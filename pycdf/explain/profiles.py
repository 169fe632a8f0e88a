"""Class means on the features that a forest selects most.

A forest stores the class centroids of its roots, but not how far rows scatter around them. Rows and
labels provide both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.arguments import check_pair, whole
from pycdf.explain.fitted import Classes, Fit, Rows, feature_names, model_of, read_labelled
from pycdf.forest import voting
from pycdf.forest.arrays import Forest
from pycdf.forest.contributions import model_contributions
from pycdf.support.overview import Overview, Overviewed
from pycdf.support.wording import brief, no_column, plural, shown

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Profiles(Overviewed):
    """Class means on the most selected features: the result of :func:`class_profiles`.

    Attributes
    ----------
    features : ndarray of shape (n_features,)
        Names of the features, the most selected first.
    classes : ndarray of shape (n_classes,)
        Labels of the classes, sorted.
    shares : ndarray of shape (n_features,)
        How often each feature was selected, as a share of all selections.
    means : ndarray of shape (n_features, n_classes)
        Class means in the units of the columns, also if the forest scales them; NaN for a class
        without rows.
    scaled : ndarray of shape (n_features, n_classes)
        If rows were given, the class means minus the overall mean of the feature, in its standard
        deviations. Otherwise the class means minus their average, as shares of the largest such
        distance.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import class_profiles
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> profiles = class_profiles(fit, top=3)
    >>> profiles.features.tolist()
    ['x271', 'x89', 'x105']
    >>> profiles.scaled.round(2).tolist()
    [[-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]]
    """

    features: npt.NDArray[np.object_]
    classes: npt.NDArray[Any]
    shares: Floats
    means: Floats
    scaled: Floats

    def _overview(self) -> Overview:
        return Overview(
            f"Class means of {plural(len(self.features), 'feature')}",
            header=["feature", *map(brief, self.classes)],
            rows=[
                [brief(name), *(f"{mean:.4g}" for mean in means)]
                for name, means in zip(self.features, self.means, strict=True)
            ],
        )


def class_profiles(
    fit: Fit,
    top: int = 30,
    *,
    X: Rows | None = None,
    y: Classes | None = None,
    features: Sequence[Any] | None = None,
    by: str = "selection",
) -> Profiles:
    """Compute the class means on the features that are selected most, or on others.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    top : int, default=30
        Maximum number of features. Features that were never selected are left out; without rows,
        so are those that no root selected, since deeper nodes see only some of the rows.
    X : DataFrame, array-like or None, default=None
        Rows to average. None uses the centroids in the roots of the trees: each is the mean of a
        class in a bootstrap sample, and their average over the trees, weighted by rows, is close
        to the mean of the training rows.
    y : array-like or None, default=None
        Labels of the rows in X.
    features : sequence or None, default=None
        The names of the features, in the order to show. None takes the first ones by ``by``.
    by : {"selection", "contribution"}, default="selection"
        Whether to take the features that were selected most, or those that contribute most to the
        distances by which rows are sent (:func:`contribution_table`).

    Returns
    -------
    Profiles
        Names, class means and scaled class means of the features.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import class_profiles
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> profiles = class_profiles(fit, top=3, X=X, y=y)
    >>> profiles.classes.tolist()
    ['H', 'P']
    >>> profiles.means.round(1).tolist()
    [[2907.1, 10296.0], [3.8, 2.9], [31515.6, 69729.3]]
    """
    model = model_of(fit)
    top = whole(top, "top")
    check_pair(X, y)
    order = voting.sorted_codes(model.classes)
    shares = voting.importance(model.forest, len(model.kept))
    if X is None or y is None:
        means = _root_means(model.forest, len(model.kept))
        usable = ~np.all(np.isnan(means), axis=1)
    else:
        rows, codes = read_labelled(fit, X, y)
        usable = shares > 0
    if by not in ("selection", "contribution"):
        raise ValueError(f"by={shown(by)}: pass 'selection' or 'contribution'.")
    measure = shares if by == "selection" else model_contributions(model)
    if measure is None:
        raise ValueError(
            f"by={shown(by)}: the forest's distance is not a sum over features. Pass 'selection'."
        )
    ranked = np.argsort(-measure, kind="stable")
    if features is not None:
        ranked = np.array([_position(fit, one) for one in features], dtype=np.int64)
    best = ranked[usable[ranked]][:top]
    if not len(best):
        raise ValueError("no tree of this forest is split, so it has no centroids.")
    if X is None:
        means = means[best]
        scaled = _from_middle(means)
    else:
        means, scaled = _row_means(rows[:, best], codes, len(order))
    if model.scaling is not None:
        means = model.scaling.take(best).in_own_units(means)
    return Profiles(
        features=feature_names(fit)[best],
        classes=model.classes[order],
        shares=shares[best],
        means=means[:, order],
        scaled=scaled[:, order],
    )


def _position(fit: Fit, feature: Any) -> int:
    """The number of a feature in the forest, by its name."""
    names = feature_names(fit).tolist()
    if feature not in names:
        raise ValueError(no_column(str(feature), [str(one) for one in names], "the forest"))
    return int(names.index(feature))


def _root_means(forest: Forest, n_features: int) -> Floats:
    """Means of the roots' centroids, weighted by their rows (features x classes)."""
    n_classes = forest.counts.shape[1]
    sums, weights = np.zeros((n_features, n_classes)), np.zeros((n_features, n_classes))
    for root in forest.tree_start[:-1]:
        features = forest.features[slice(*forest.feature_start[root : root + 2])]
        classes = forest.node_classes[slice(*forest.class_start[root : root + 2])]
        centroids = forest.centroids[slice(*forest.centroid_start[root : root + 2])]
        centroids = centroids.reshape(len(classes), len(features)).T
        weight = np.where(np.isfinite(centroids), forest.counts[root, classes], 0)
        cells = np.ix_(features, classes)
        sums[cells] += np.where(weight > 0, centroids, 0.0) * weight
        weights[cells] += weight
    return np.divide(sums, weights, out=np.full_like(sums, np.nan), where=weights > 0)


def _from_middle(means: Floats) -> Floats:
    """Class means minus their average, scaled so that the furthest is at -1 or 1."""
    away = means - np.nanmean(means, axis=1, keepdims=True)
    furthest = np.nanmax(np.abs(away), axis=1, keepdims=True)
    scaled: Floats = away / np.where(furthest > 0, furthest, 1.0)
    return scaled


def _row_means(rows: Floats, codes: npt.NDArray[np.int32], n_classes: int) -> tuple[Floats, Floats]:
    """Class means, and the same in standard deviations from the mean (features x classes)."""
    known = np.isfinite(rows)
    filled = np.where(known, rows, 0.0)
    of_class = codes[:, np.newaxis] == np.arange(n_classes)
    counts, sums = known.T.astype(float) @ of_class, filled.T @ of_class
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    n = np.maximum(known.sum(axis=0), 1)
    middle = filled.sum(axis=0) / n
    away = np.where(known, rows - middle, 0.0)
    spread = np.sqrt((away**2).sum(axis=0) / np.maximum(n - 1, 1))[:, np.newaxis]
    return means, (means - middle[:, np.newaxis]) / np.where(spread > 0, spread, 1.0)
