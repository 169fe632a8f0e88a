"""Check that arrays read from a file form a valid forest.

The kernels index without bounds checks, so everything they rely on is verified here; dtypes and
shapes have been checked before (:mod:`pycdf.files.header`). All checks are vectorised, over some
trees at a time, so that they take little memory beside the forest. Their order matters: each one
may use as indices what an earlier one has verified.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Forest
from pycdf.forest.voting import OutOfBag
from pycdf.inputs.parameters import MOST_LEVELS, Parameters
from pycdf.inputs.scaling import Scaling

Longs = npt.NDArray[np.int64]

_CELLS = 2**18  # class counts that are checked at a time; a tree is never divided


def check_forest(
    forest: Forest, n_classes: int, n_features: int, parameters: Parameters, bootstrap: bool
) -> None:
    """Raise ``ValueError`` unless the forest has so many classes and features, and these settings.

    ``bootstrap`` is the option: whether trees were grown on a bootstrap sample.
    """
    _check_starts("tree_start", forest.tree_start, forest.n_nodes, least=1)
    _check_starts("class_start", forest.class_start, len(forest.children))
    _check_starts("feature_start", forest.feature_start, len(forest.features))
    _check_starts("centroid_start", forest.centroid_start, len(forest.centroids))
    _within("leaf", forest.leaf, -1, n_classes)
    _within("node_classes", forest.node_classes, 0, n_classes)
    _within("features", forest.features, 0, n_features)
    _within("counts", forest.counts, 0, None)
    _check_parameters(parameters, n_features, forest)
    _check_samples(forest, bootstrap)
    for part in _parts(forest):
        _check_nodes(part, parameters)
        above = _check_links(part)
        _check_order(part, above)
        _check_rows(part, above)
        _check_distinct(part, n_features)


def check_scaling(scaling: Scaling, n_features: int) -> None:
    """Raise ``ValueError`` unless so many features can be scaled by it."""
    _require(
        len(scaling.means) == n_features,
        "it does not have one mean and one standard deviation per column that the forest uses",
    )
    _require(np.isfinite(scaling.means).all(), "a mean of its columns is not a number")
    _require(
        (np.isfinite(scaling.spreads) & (scaling.spreads > 0)).all(),
        "a standard deviation of its columns is not a positive number",
    )


def check_out_of_bag(judged: OutOfBag, inbag: npt.NDArray[np.uint8]) -> None:
    """Raise ``ValueError`` unless every tree has one vote for each row that it did not draw."""
    _within("oob_votes", judged.votes, 0, None)
    _require(
        np.array_equal(judged.votes.sum(axis=1, dtype=np.int64), (inbag == 0).sum(axis=0)),
        "a row does not have one out-of-bag vote from each tree that did not draw it",
    )
    _require(
        judged.right <= judged.votes.any(axis=1).sum(),
        "more rows are right out of bag than have out-of-bag votes",
    )


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


def _check_parameters(parameters: Parameters, n_features: int, forest: Forest) -> None:
    """No more features are drawn or selected than there are, and no tree is deeper than allowed."""
    for name in ("k", "mtry"):
        _require(
            parameters[name] <= n_features,
            f"its parameter {name} is more than the {n_features:,} columns that the forest uses",
        )
    deepest = int(forest.depth.max())
    _require(
        deepest <= min(parameters["depth"], MOST_LEVELS),
        f"a tree has {deepest:,} levels of splits, more than its parameter depth or than the "
        f"{MOST_LEVELS:,} that a tree can have",
    )


def _check_samples(forest: Forest, bootstrap: bool) -> None:
    """All trees were grown on samples of the same size, and in-bag counts add up to it."""
    rows = forest.rows[forest.tree_start[:-1]]
    _require((rows == rows[0]).all(), "trees were grown on samples of unequal size")
    if forest.inbag.shape[1]:
        _require(
            forest.inbag.shape[1] == rows[0]
            and (forest.inbag.sum(axis=1, dtype=np.int64) == rows[0]).all(),
            "in-bag counts do not add up to the rows of a tree",
        )
        _require(
            bootstrap or forest.inbag.max() == 1,
            "a tree without a bootstrap was not grown on every row once",
        )


def _parts(forest: Forest) -> Iterator[Forest]:
    """Some trees of the forest at a time, as a forest."""
    most = max(1, _CELLS // forest.counts.shape[1])
    first = 0
    while first < forest.n_trees:
        end = int(np.searchsorted(forest.tree_start, forest.tree_start[first] + most, "right")) - 1
        end = max(end, first + 1)
        yield _some_trees(forest, first, end)
        first = end


def _some_trees(forest: Forest, first: int, end: int) -> Forest:
    nodes = slice(forest.tree_start[first], forest.tree_start[end])

    def of(name: str) -> slice:
        starts = getattr(forest, f"{name}_start")
        return slice(starts[nodes.start], starts[nodes.stop])

    def shifted(name: str, part: slice) -> Longs:
        starts = getattr(forest, f"{name}_start")[part.start : part.stop + 1]
        moved: Longs = starts - starts[0]
        return moved

    return Forest(
        tree_start=shifted("tree", slice(first, end)),
        parent=forest.parent[nodes],
        branch=forest.branch[nodes],
        depth=forest.depth[nodes],
        rows=forest.rows[nodes],
        leaf=forest.leaf[nodes],
        counts=forest.counts[nodes],
        class_start=shifted("class", nodes),
        node_classes=forest.node_classes[of("class")],
        children=forest.children[of("class")],
        feature_start=shifted("feature", nodes),
        features=forest.features[of("feature")],
        centroid_start=shifted("centroid", nodes),
        centroids=forest.centroids[of("centroid")],
        inbag=forest.inbag[first:end],
    )


def _check_nodes(forest: Forest, parameters: Parameters) -> None:
    """A leaf has neither centroids nor features; a split has one centroid per class."""
    classes, features = np.diff(forest.class_start), np.diff(forest.feature_start)
    split = forest.leaf < 0
    _require((classes[split] >= 2).all(), "a split node has fewer than two centroids")
    selected = min(parameters["k"], parameters["mtry"])
    _require(
        (features[split] == selected).all(),
        f"a split node does not have {selected} features, as its parameters k and mtry say",
    )
    _require(
        (forest.rows[split] >= parameters["mnode"]).all(),
        "a node with fewer rows than its parameter mnode is split",
    )
    _require(
        not classes[~split].any() and not features[~split].any(),
        "a leaf has centroids or features",
    )
    _require(
        (np.diff(forest.centroid_start) == classes * features).all(),
        "the size of a node's centroids is not classes x features",
    )


def _check_links(forest: Forest) -> Longs:
    """Parents and children agree. Returns each node's parent as a forest index, -1 for roots."""
    n = forest.n_nodes
    first = np.repeat(forest.tree_start[:-1], np.diff(forest.tree_start))
    node = np.arange(n) - first
    root = node == 0
    _require(
        (forest.parent[root] == -1).all() and (forest.branch[root] == -1).all(),
        "a root has a parent or a branch",
    )
    inside = np.flatnonzero(~root)
    parent, branch = forest.parent[inside], forest.branch[inside]
    _require((parent >= 0).all(), "a node below the root has no parent")
    _require((parent < node[inside]).all(), "a node comes before its parent")
    above = np.full(n, -1, dtype=np.int64)
    above[inside] = first[inside] + parent
    up = above[inside]
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
    """Class counts add up to a node's rows, and those of children to their parent's."""
    n, n_classes = forest.counts.shape
    _require((forest.rows >= 1).all(), "a node has no rows")
    _require(
        (forest.counts.sum(axis=1, dtype=np.int64) == forest.rows).all(),
        "class counts do not add up to the rows of a node",
    )
    inside = np.flatnonzero(above >= 0)
    up = above[inside]
    split = forest.leaf < 0
    step = max(1, _CELLS // n)
    for first in range(0, n_classes if len(inside) else 0, step):
        counts = forest.counts[:, first : first + step]
        width = counts.shape[1]
        cell = (up[:, np.newaxis] * width + np.arange(width)).ravel()
        below = np.bincount(cell, weights=counts[inside].ravel(), minlength=n * width)
        _require(
            (below.reshape(n, width)[split] == counts[split]).all(),
            "class counts of children do not add up to their parent's",
        )


def _check_distinct(forest: Forest, n_features: int) -> None:
    """A split has one centroid for each class among its rows, and no feature twice."""
    n, n_classes = forest.counts.shape
    links = np.diff(forest.class_start)
    owner = np.repeat(np.arange(n), links)
    codes = np.sort(owner * n_classes + forest.node_classes)
    split = forest.leaf < 0
    _require(
        (np.diff(codes) > 0).all()
        and (forest.counts[owner, forest.node_classes] > 0).all()
        and (np.count_nonzero(forest.counts, axis=1)[split] == links[split]).all(),
        "a node's centroids do not match its classes",
    )
    owner = np.repeat(np.arange(n), np.diff(forest.feature_start))
    chosen = np.sort(owner * n_features + forest.features)
    _require((np.diff(chosen) > 0).all(), "a node has the same feature twice")
