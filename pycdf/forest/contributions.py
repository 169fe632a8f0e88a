"""What each feature contributes to the distances by which rows are sent.

A node sends a row to the nearest class centroid. The squared distance between two centroids is a
sum over the node's features: the part of a feature says how much it decides there, however often it
is selected elsewhere. A node counts as much as its split separates the classes, by the decrease of
Gini impurity. docs/algorithm.md has the formulas.
"""

from typing import TYPE_CHECKING

import numpy as np

from pycdf.forest.arrays import Floats, Forest, centroid_places

if TYPE_CHECKING:
    from pycdf.forest.model import Model


def has_contributions(model: "Model") -> bool:
    """Whether the distance is a sum over features; of another, no part is a feature's own."""
    return model.options["distance"] in ("euclidean", "standardized", "manhattan")


def model_contributions(model: "Model") -> Floats | None:
    """Each kept feature's share of what decides; None if features have none."""
    if not has_contributions(model):
        return None
    forest, distance = model.forest, model.options["distance"]
    if distance == "euclidean":
        return contributions(forest, len(model.kept))
    if distance == "standardized":
        shares = distance_shares(forest, node_spreads=model.spreads)
    else:
        shares = absolute_shares(forest)
    return contributions(forest, len(model.kept), shares=shares)


def contributions(
    forest: Forest,
    n_features: int,
    spreads: Floats | None = None,
    shares: Floats | None = None,
) -> Floats:
    """Each feature's share of what decides; all 0 if no split separates anything.

    With ``spreads``, one for each feature, the shares are those of the same splits if every feature
    were divided by its spread. ``shares`` are those of another distance than R's.
    """
    if shares is None:
        shares = distance_shares(forest, spreads)
    by_selection = shares * np.repeat(impurity_decreases(forest), np.diff(forest.feature_start))
    total = by_selection.sum()
    return np.bincount(forest.features, by_selection, n_features) / (total if total > 0 else 1.0)


def distance_shares(
    forest: Forest, spreads: Floats | None = None, node_spreads: Floats | None = None
) -> Floats:
    """Shares of the squared distances between the centroids of a node, for each selected feature.

    They are in the order of ``forest.features``, and sum to 1 in every split node, or to 0 if its
    centroids do not differ. Pairs of classes are weighted by the product of their rows. A class
    without a value of a feature is left out. ``node_spreads``, one for each selected feature, are
    those by which a node divides.
    """
    node, selection, link = centroid_places(forest)
    known = np.isfinite(forest.centroids)
    rows = np.where(known, forest.counts[node, forest.node_classes[link]], 0)
    n = len(forest.features)
    of_feature = np.bincount(selection, rows, n)
    weight = rows / np.maximum(of_feature, 1)[selection]
    centroids = np.where(known, forest.centroids, 0.0)
    away: Floats = centroids - np.bincount(selection, weight * centroids, n)[selection]
    if spreads is not None:
        away /= spreads[forest.features[selection]]
    if node_spreads is not None:
        away /= node_spreads[selection]
    away[~known] = 0.0
    largest = np.zeros(forest.n_nodes)
    np.maximum.at(largest, node, np.abs(away))
    away /= np.where(largest > 0, largest, 1.0)[node]  # the squares cannot overflow
    # The sum over all pairs of classes is that over the distances from the mean, times the rows.
    squares = np.bincount(selection, weight * away**2, n) * of_feature**2
    owner = np.repeat(np.arange(forest.n_nodes), np.diff(forest.feature_start))
    total = np.bincount(owner, squares, forest.n_nodes)
    return squares / np.where(total > 0, total, 1.0)[owner]


def absolute_shares(forest: Forest) -> Floats:
    """As :func:`distance_shares`, of the sums of absolute differences (the Manhattan distance)."""
    shares = np.zeros(len(forest.features))
    for node in np.flatnonzero(forest.leaf < 0):
        part = slice(*forest.feature_start[node : node + 2])
        codes = forest.node_classes[slice(*forest.class_start[node : node + 2])]
        centroids = forest.centroids[slice(*forest.centroid_start[node : node + 2])]
        centroids = centroids.reshape(len(codes), part.stop - part.start)
        rows = forest.counts[node, codes].astype(np.float64)
        for a in range(len(codes)):
            apart = np.abs(centroids[a + 1 :] - centroids[a])
            weights = rows[a] * rows[a + 1 :, np.newaxis]
            shares[part] += np.nansum(weights * apart, axis=0)
        total = shares[part].sum()
        shares[part] /= total if total > 0 else 1.0
    return shares


def impurity_decreases(forest: Forest) -> Floats:
    """How much less Gini impurity the children of a node have than it has, times rows; 0 in leaves.

    The impurity of n rows, n_c of class c, is 1 - sum((n_c / n)^2).
    """
    impurity = forest.rows - (forest.counts.astype(np.float64) ** 2).sum(axis=1) / forest.rows
    first = np.repeat(forest.tree_start[:-1], np.diff(forest.tree_start))
    below = np.flatnonzero(forest.parent >= 0)
    children = np.bincount(
        first[below] + forest.parent[below], impurity[below], minlength=forest.n_nodes
    )
    return np.where(forest.leaf < 0, np.maximum(impurity - children, 0.0), 0.0)


def deciding_ratio(forest: Forest) -> float:
    """How much further apart the classes are on the features that decide than on a typical one.

    In a node, that is the mean distance over the features, each weighted by its share of the
    squared distances, divided by the mean with equal weights; both are geometric means over
    features on which the classes differ at all. The result is the geometric mean of these ratios
    over the splits, weighted by their decrease of impurity; NaN if none of them counts.
    """
    shares = distance_shares(forest)
    owner = np.repeat(np.arange(forest.n_nodes), np.diff(forest.feature_start))[shares > 0]
    shares = shares[shares > 0]
    logarithms = np.log(shares) / 2  # of distances, up to a constant of the node
    counts = np.bincount(owner, minlength=forest.n_nodes)
    deciding = np.bincount(owner, shares * logarithms, forest.n_nodes)
    typical = np.bincount(owner, logarithms, forest.n_nodes) / np.maximum(counts, 1)
    weights = np.where(counts > 0, impurity_decreases(forest), 0.0)
    total = weights.sum()
    return float(np.exp((deciding - typical) @ weights / total)) if total > 0 else float("nan")
