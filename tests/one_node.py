"""The class separability scores of all columns, by the kernel that grows a forest again."""

import numpy as np

from pycdf.forest.arrays import Forest
from pycdf.kernels.lanes import Rule
from pycdf.kernels.random import STATE_WORDS
from pycdf.kernels.regrow import new_regrown, new_work, regrow_trees
from pycdf.kernels.strata import new_strata


def scores(X, codes, integer=False):
    """R's score of every column of ``X`` for classes 0, 1, 2, ...: that of a root with all rows.

    The forest is a single node which is split by all columns. ``integer`` follows R's integer
    matrices. A column that cannot be scored has 0.
    """
    columns = np.ascontiguousarray(np.asarray(X, dtype=np.float64).T)
    codes = np.asarray(codes, dtype=np.int32)
    (p, n), counts = columns.shape, np.bincount(codes).astype(np.int32)
    n_classes = len(counts)

    def ints(*values):
        return np.array(values, dtype=np.int32)

    def starts(size):
        return np.array([0, size], dtype=np.int64)

    forest = Forest(
        tree_start=starts(1),
        parent=ints(-1),
        branch=ints(-1),
        depth=ints(0),
        rows=ints(n),
        leaf=ints(-1),
        counts=counts[np.newaxis],
        class_start=starts(n_classes),
        node_classes=np.arange(n_classes, dtype=np.int32),
        children=np.full(n_classes, -1, dtype=np.int32),
        feature_start=starts(p),
        features=np.arange(p, dtype=np.int32),
        centroid_start=starts(n_classes * p),
        centroids=np.zeros(n_classes * p),
        inbag=np.ones((1, n), dtype=np.uint8),
    )
    regrown = new_regrown(n_trees=1, n=n, n_nodes=1, n_scores=p, n_means=n_classes * p)
    regrown.drawn[0] = np.arange(n)
    state = np.zeros(STATE_WORDS, np.uint32)
    regrow_trees(
        forest, columns, codes, Rule(integer=bool(integer), ddof=1), False, False,
        new_strata(codes, None), None, state, np.empty(0, np.uint32),
        new_work(n, p, n_classes, mtry=p, k=p), regrown,
    )  # fmt: skip
    assert regrown.known.all()
    return regrown.scores
