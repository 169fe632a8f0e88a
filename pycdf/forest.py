"""All trees of a forest in plain arrays, and what a forest answers.

:func:`grow_forest` takes a training matrix, class codes and a stream and returns a :class:`Forest`;
:func:`votes`, :func:`winners` and :func:`importance` turn it into R's answers. Classes and features
are numbers here; names come in at the surface (:mod:`pycdf.api`, :mod:`pycdf.tables`).
"""

import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pycdf.route import FELL_OUT, count_votes, end_nodes
from pycdf.rstream import RStream
from pycdf.screen import build_screen
from pycdf.tree import Training, grow_trees

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CALL_SECONDS = 0.2


class Forest(NamedTuple):
    """Trees laid end to end, the nodes of a tree in depth-first order.

    ``x_start[i]`` to ``x_start[i + 1]`` is where node ``i`` keeps its part of the array ``x``.
    """

    tree_start: Longs  # where each tree's nodes begin
    parent: Ints  # number within the tree, -1 for a root
    branch: Ints  # which of the parent's centroids leads here, -1 for a root
    depth: Ints
    rows: Ints  # bootstrap rows in the node, repeats counted
    leaf: Ints  # class code of a leaf, -1 for a node that is split
    counts: Ints  # nodes x classes: rows of each class
    class_start: Longs
    node_classes: Ints  # class codes of the centroids, in their order
    children: Ints  # node number within the tree for each centroid, -1 where no row went
    feature_start: Longs
    features: Ints  # selected features, in order of selection
    centroid_start: Longs
    centroids: Floats  # centroid after centroid, each over the selected features

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.tree_start) - 1

    @property
    def n_nodes(self) -> int:
        """How many nodes there are in all trees."""
        return len(self.leaf)


def grow_forest(
    columns: Floats,
    spreads: Floats,
    codes: Ints,
    tie_rank: Ints,
    *,
    integer: bool,
    ntrees: int,
    depth: int,
    mnode: int,
    k: int,
    mtry: int,
    stream: RStream,
) -> tuple[Forest, Longs]:
    """Grow a forest on ``columns`` (features x rows); also tell how often each was chosen."""
    n_classes = len(tie_rank)
    screen = build_screen(columns, codes, n_classes, spreads)
    training = Training(columns, screen, codes, tie_rank, n_classes, integer, depth, mnode, k, mtry)
    chosen = np.zeros(len(columns), dtype=np.int64)
    parts = []
    batch, done = 1, 0
    while done < ntrees:
        batch = min(batch, ntrees - done)
        began = time.perf_counter()
        parts.append(grow_trees(training, stream._state, batch, chosen))
        done += batch
        # An interrupt is noticed between two calls: keep them short, but not so short as to cost.
        batch = max(1, int(batch * min(8.0, _CALL_SECONDS / (time.perf_counter() - began))))
    return _join(parts), chosen


def _join(parts: list[tuple[npt.NDArray[Any], ...]]) -> Forest:
    """Lay batches of trees, as the kernel returns them, end to end."""
    starts, nodes, counts, ends, links, features, centroids = zip(*parts, strict=True)
    trees = _go_on([start[1:, np.newaxis] for start in starts])[:, 0]
    node_ends = _go_on(list(ends))
    parent, branch, depth, rows, leaf = np.ascontiguousarray(np.concatenate(nodes).T)
    classes, children = np.ascontiguousarray(np.concatenate(links).T)
    return Forest(
        tree_start=trees,
        parent=parent,
        branch=branch,
        depth=depth,
        rows=rows,
        leaf=leaf,
        counts=np.concatenate(counts),
        class_start=np.ascontiguousarray(node_ends[:, 0]),
        node_classes=classes,
        children=children,
        feature_start=np.ascontiguousarray(node_ends[:, 1]),
        features=np.concatenate(features),
        centroid_start=np.ascontiguousarray(node_ends[:, 2]),
        centroids=np.concatenate(centroids),
    )


def _go_on(ends: list[Longs]) -> Longs:
    """Join columns of end positions: each batch goes on where the one before ended; a 0 ahead."""
    joined = [np.zeros((1, ends[0].shape[1]), dtype=np.int64)]
    for part in ends:
        joined.append(part + joined[-1][-1])
    return np.concatenate(joined)


def votes(forest: Forest, test: Floats) -> Longs:
    """How many trees vote for each class (rows x classes)."""
    counted = np.zeros((len(test), forest.counts.shape[1]), dtype=np.int64)
    count_votes(forest, test, counted)
    return counted


def votes_by_tree(forest: Forest, test: Floats) -> Ints:
    """The class code that each tree votes for (rows x trees)."""
    nodes = np.empty((len(test), forest.n_trees), dtype=np.int64)
    end_nodes(forest, test, nodes)
    return np.where(nodes == FELL_OUT, np.int32(0), forest.leaf[nodes])


def winners(counted: Longs) -> Longs:
    """The class with most votes; ties go to the class that came first in training."""
    winner: Longs = counted.argmax(axis=1)
    return winner


def importance(chosen: Longs) -> Floats:
    """Selection counts as shares of all selections (all zero if nothing was selected)."""
    return chosen / max(int(chosen.sum()), 1)
