"""Check that arrays read from a file form a valid forest.

The kernels index without bounds checks, so everything they rely on is verified here; dtypes and
shapes have been checked before (:mod:`pycdf.files.model`). All checks are vectorised. Their order
matters: each one may use as indices what an earlier one has verified.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Forest

Longs = npt.NDArray[np.int64]


def check_forest(forest: Forest, n_classes: int, n_features: int) -> None:
    """Raise ``ValueError`` unless this is a forest with so many classes and features."""
    n = forest.n_nodes
    _check_starts("tree_start", forest.tree_start, n, least=1)
    _check_starts("class_start", forest.class_start, len(forest.children))
    _check_starts("feature_start", forest.feature_start, len(forest.features))
    _check_starts("centroid_start", forest.centroid_start, len(forest.centroids))
    _within("leaf", forest.leaf, -1, n_classes)
    _within("node_classes", forest.node_classes, 0, n_classes)
    _within("features", forest.features, 0, n_features)
    _within("counts", forest.counts, 0, None)

    first = np.repeat(forest.tree_start[:-1], np.diff(forest.tree_start))
    _check_nodes(forest)
    above = _check_links(forest, first)
    _check_order(forest, above)
    _check_rows(forest, above)
    _check_distinct(forest, n_features)


def _require(holds: Any, sentence: str) -> None:
    if not holds:
        raise ValueError(sentence)


def _within(name: str, values: npt.NDArray[Any], least: int, end: int | None) -> None:
    if values.size:
        low, high = int(values.min()), int(values.max())
        _require(
            low >= least and (end is None or high < end),
            f"{name} contains {low if low < least else high}, which is out of range",
        )


def _check_starts(name: str, starts: Longs, end: int, least: int = 0) -> None:
    """Offsets run from 0 to ``end`` in steps of at least ``least``."""
    _within(name, starts, 0, end + 1)  # so that differences cannot overflow
    _require(
        starts[0] == 0 and starts[-1] == end and (np.diff(starts) >= least).all(),
        f"{name} does not run from 0 to {end}",
    )


def _check_nodes(forest: Forest) -> None:
    """A leaf has neither centroids nor features; a split has one centroid per class."""
    classes, features = np.diff(forest.class_start), np.diff(forest.feature_start)
    split = forest.leaf < 0
    _require(
        (classes[split] >= 2).all() and (features[split] >= 1).all(),
        "a split node has fewer than two centroids or no feature",
    )
    _require(
        not classes[~split].any() and not features[~split].any(),
        "a leaf has centroids or features",
    )
    _require(
        (np.diff(forest.centroid_start) == classes * features).all(),
        "the size of a node's centroids is not classes x features",
    )


def _check_links(forest: Forest, first: Longs) -> Longs:
    """Parents and children agree. Returns each node's parent as a forest index, -1 for roots."""
    n = forest.n_nodes
    node = np.arange(n) - first
    root = node == 0
    _require(
        (forest.parent[root] == -1).all() and (forest.branch[root] == -1).all(),
        "a root has a parent or a branch",
    )
    _require(
        (forest.parent >= -1).all() and (forest.parent[~root] >= 0).all(),
        "a node below the root has no parent",
    )
    _require((forest.parent < node)[~root].all(), "a node comes before its parent")
    inside = np.flatnonzero(~root)
    above = np.full(n, -1, dtype=np.int64)
    above[inside] = first[inside] + forest.parent[inside]
    up = above[inside]
    branch = forest.branch[inside]
    _require(
        (branch >= 0).all() and (branch < np.diff(forest.class_start)[up]).all(),
        "a node is on a branch that its parent does not have",
    )
    link = forest.class_start[up] + branch
    _require(
        (forest.children[link] == node[inside]).all(), "a parent does not list one of its children"
    )
    # Every node below a root has its own link by now, so an equal number of links means no others.
    _require(
        (forest.children >= -1).all() and (forest.children >= 0).sum() == len(inside),
        "a parent lists a child that is not its own",
    )
    return above


def _check_order(forest: Forest, above: Longs) -> None:
    """Depths count from the root, and nodes are in depth-first order, branch by branch."""
    n = forest.n_nodes
    inside = above >= 0
    _require(
        (forest.depth[~inside] == 0).all()
        and (forest.depth[inside] == forest.depth[above[inside]] + 1).all(),
        "a node's depth is not one more than its parent's",
    )
    # In depth-first order the parent is the last preceding node that is one level up.
    keys = np.sort(forest.depth.astype(np.int64) * n + np.arange(n))
    below_root = np.flatnonzero(inside)
    wanted = (forest.depth[below_root].astype(np.int64) - 1) * n + below_root
    latest = keys[np.searchsorted(keys, wanted) - 1] % n
    _require((latest == above[below_root]).all(), "nodes are not in depth-first order")
    owner = np.repeat(np.arange(n), np.diff(forest.class_start))[forest.children >= 0]
    child = forest.children[forest.children >= 0]
    _require((np.diff(child) > 0)[np.diff(owner) == 0].all(), "branches are not in ascending order")


def _check_rows(forest: Forest, above: Longs) -> None:
    """Class counts add up to a node's rows, children to their parent, in-bag counts to a tree."""
    n, n_classes = forest.counts.shape
    rows = forest.rows[above < 0]
    _require((forest.rows >= 1).all(), "a node has no rows")
    _require((rows == rows[0]).all(), "trees were grown on samples of unequal size")
    _require(
        (forest.counts.sum(axis=1, dtype=np.int64) == forest.rows).all(),
        "class counts do not add up to the rows of a node",
    )
    inside = np.flatnonzero(above >= 0)
    cell = above[inside, np.newaxis] * n_classes + np.arange(n_classes)
    below = np.bincount(
        cell.ravel(), weights=forest.counts[inside].ravel(), minlength=n * n_classes
    ).reshape(n, n_classes)
    split = forest.leaf < 0
    _require(
        (below[split] == forest.counts[split]).all(),
        "class counts of children do not add up to their parent's",
    )
    if forest.inbag.shape[1]:
        _require(
            forest.inbag.shape[1] == rows[0]
            and (forest.inbag.sum(axis=1, dtype=np.int64) == rows[0]).all(),
            "in-bag counts do not add up to the rows of a tree",
        )


def _check_distinct(forest: Forest, n_features: int) -> None:
    """A split has one centroid for each class among its rows, and no feature twice."""
    n, n_classes = forest.counts.shape
    owner = np.repeat(np.arange(n), np.diff(forest.class_start))
    seen = np.zeros((n, n_classes), dtype=np.bool_)
    seen[owner, forest.node_classes] = True
    split = forest.leaf < 0
    _require(
        seen.sum() == len(owner) and (seen[split] == (forest.counts[split] > 0)).all(),
        "a node's centroids do not match its classes",
    )
    owner = np.repeat(np.arange(n), np.diff(forest.feature_start))
    chosen = np.sort(owner * n_features + forest.features)
    _require((np.diff(chosen) > 0).all(), "a node has the same feature twice")
