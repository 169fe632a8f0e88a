"""Check that rows are those a forest was grown on, in the same order.

The centroids of the roots must be the means of the rows that each tree drew. Other rows, or the
same rows in another order, would pass as rows that a tree did not draw although it did, and make
the trees look better than they are.
"""

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Forest

Floats = npt.NDArray[np.float64]

# A mean summed in another order may differ in its last bits. This share of the feature's largest
# value allows for that, but not for a different row.
SAME_MEAN = 1e-12


def are_training_rows(
    forest: Forest, rows: Floats, codes: npt.NDArray[np.int32] | None = None
) -> bool:
    """Whether ``rows`` (rows x features) have the means that the roots store.

    Without ``codes`` the means are taken over all classes, and features with missing values are
    skipped, since a root does not store how many of them each class has.
    """
    largest = largest_values(rows)
    one_group = np.zeros(len(rows), dtype=np.int32)
    for tree, root in enumerate(forest.tree_start[:-1]):
        features = forest.features[slice(*forest.feature_start[root : root + 2])]
        present = forest.node_classes[slice(*forest.class_start[root : root + 2])]
        centroids = forest.centroids[slice(*forest.centroid_start[root : root + 2])]
        centroids = centroids.reshape(len(present), len(features))
        if codes is None:
            known = ~np.isnan(rows[:, features]).any(axis=0)
            features, centroids = features[known], centroids[:, known]
            sizes = forest.counts[root, present]
            centroids = (sizes / sizes.sum()) @ centroids
            present = np.zeros(1, dtype=np.int32)
        groups = one_group if codes is None else codes
        weights = np.where(groups == present[:, np.newaxis], forest.inbag[tree], 0.0)
        if not _same_means(rows[:, features], weights, centroids, largest[features]):
            return False
    return True


def largest_values(rows: Floats) -> Floats:
    """The largest finite absolute value of each feature."""
    size = np.abs(rows)
    largest: Floats = np.max(size, axis=0, where=np.isfinite(size), initial=0.0)
    return largest


def _same_means(values: Floats, weights: Floats, centroids: Floats, largest: Floats) -> bool:
    """Whether the weighted means of ``values`` (rows x features) are the ``centroids``."""
    there = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means = weights @ np.where(there, values, 0.0) / (weights @ there)
        same = np.abs(means - centroids) <= SAME_MEAN * largest
    return bool((same | (np.isnan(means) & np.isnan(centroids))).all())
