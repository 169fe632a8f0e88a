"""Permutation importance by sending every shuffled row down the whole tree again.

It takes some thirty times as long as :mod:`pycdf.explain.shuffled_votes`, which only sends rows
whose path meets the feature, and only from there on.
"""

import numpy as np

from pycdf.forest.arrays import read_only_forest
from pycdf.kernels import route
from pycdf.kernels.arrays import read_only


def losses(forest, rows, codes, repeats, stream):
    """Mean losses of accuracy (repeats x features), and lost votes (features x rows)."""
    total = np.zeros((repeats, rows.shape[1]))
    by_row = np.zeros(rows.shape[::-1], dtype=np.int64)
    counted = 0
    for tree, drawn in enumerate(forest.inbag):
        outside = np.flatnonzero(drawn == 0)
        if not len(outside):
            continue
        counted += 1
        first, last = forest.feature_start[forest.tree_start[tree : tree + 2]]
        used, local = np.unique(forest.features[first:last], return_inverse=True)
        alone = read_only_forest(
            forest._replace(
                tree_start=forest.tree_start[tree : tree + 2],
                features=local.astype(np.int32),
                feature_start=forest.feature_start - first,
            )
        )
        columns, own = np.ascontiguousarray(rows[np.ix_(outside, used)].T), codes[outside]
        right = right_votes(alone, columns, own)
        for line, feature in enumerate(used):
            for repeat in range(repeats):
                order = stream.uniform(len(outside)).argsort(kind="stable")
                shuffled = columns.copy()
                shuffled[line] = columns[line][order]
                lost = right - right_votes(alone, shuffled, own)
                total[repeat, feature] += lost.sum() / len(outside)
                by_row[feature, outside] += lost
    return total / counted, by_row


def right_votes(tree, columns, codes):
    """1 for each row that the tree classifies correctly, otherwise 0."""
    n, n_classes = len(codes), tree.counts.shape[1]
    votes = np.zeros((n, n_classes), dtype=np.int64)
    work = route.new_work(n, n_classes)
    route.route_rows(tree, read_only(columns), work, votes, np.empty((n, 0), dtype=np.int64), None)
    return votes[np.arange(n), codes]
