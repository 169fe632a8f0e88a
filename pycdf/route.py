"""Send rows down the trees of a forest to the leaves that vote for them.

In go rows (row-major doubles) and a :class:`pycdf.forest.Forest`; out come votes per class, or the
node in which each row ends in each tree. A row goes to the first nearest centroid. Where a row has
no finite distance, or nobody went that way in training, it falls out of the tree, which then votes
for the first class, as in R.
"""

import numpy as np

from pycdf._jit import entry, inner
from pycdf.extended import add80

FELL_OUT = -1


@inner
def _plain_distance(row, features, centroid):
    """Squared distance in plain doubles, missing terms left out."""
    total = 0.0
    for f in range(features.size):
        apart = row[features[f]] - centroid[f]
        square = apart * apart
        if square == square:
            total += square
    return total


@inner
def squared_distance(row, features, centroid):
    """R's squared distance: an 80-bit sum, missing terms left out."""
    high = 0.0
    low = 0.0
    for f in range(features.size):
        apart = row[features[f]] - centroid[f]
        square = apart * apart
        if square == square:
            high, low = add80(high, low, square)
    return high


@inner
def nearest(row, features, centroids, n_centroids):
    """The first nearest centroid; -1 where no distance is finite.

    A plain sum of f squares is at most f + 2 roundings off R's, so it decides alone unless
    the runner-up is closer than that.
    """
    n_features = features.size
    best = 0
    smallest = np.inf
    runner_up = np.inf
    for c in range(n_centroids):
        distance = _plain_distance(row, features, centroids[c * n_features : (c + 1) * n_features])
        if distance < smallest:
            runner_up = smallest
            smallest = distance
            best = c
        elif distance < runner_up:
            runner_up = distance
    if runner_up * (1.0 - (n_features + 4) * 2.0**-51) > smallest:
        return best
    best = -1
    smallest = np.inf
    for c in range(n_centroids):
        distance = squared_distance(row, features, centroids[c * n_features : (c + 1) * n_features])
        if distance < smallest:
            smallest = distance
            best = c
    return best


@inner
def descend(forest, tree, row):
    """The node of ``tree``, counted over the forest, in which a row ends; or FELL_OUT."""
    first = forest.tree_start[tree]
    here = first
    while forest.leaf[here] < 0:
        links = forest.class_start[here]
        branch = nearest(
            row,
            forest.features[forest.feature_start[here] : forest.feature_start[here + 1]],
            forest.centroids[forest.centroid_start[here] : forest.centroid_start[here + 1]],
            forest.class_start[here + 1] - links,
        )
        if branch < 0:
            return FELL_OUT
        child = forest.children[links + branch]
        if child < 0:
            return FELL_OUT
        here = first + child
    return here


@entry
def count_votes(forest, test, votes):
    """Add every tree's vote for every row to ``votes`` (rows x classes)."""
    for tree in range(forest.tree_start.size - 1):
        for i in range(test.shape[0]):
            node = descend(forest, tree, test[i])
            votes[i, 0 if node < 0 else forest.leaf[node]] += 1


@entry
def end_nodes(forest, test, nodes):
    """The node in which each row ends in each tree (rows x trees), or FELL_OUT."""
    for tree in range(forest.tree_start.size - 1):
        for i in range(test.shape[0]):
            nodes[i, tree] = descend(forest, tree, test[i])
