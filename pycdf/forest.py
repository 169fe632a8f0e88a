"""All trees of a forest in plain arrays, and what a forest answers.

:func:`grow_forest` takes a training matrix, class codes and a stream and returns a :class:`Forest`;
:func:`votes`, :func:`winners` and :func:`importance` turn it into R's answers. Classes and features
are numbers here; names come in at the surface (:mod:`pycdf.api`, :mod:`pycdf.tables`).
"""

import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pycdf import route
from pycdf.progress import Report
from pycdf.route import FELL_OUT
from pycdf.rstream import RStream
from pycdf.screen import build_screen
from pycdf.separability import Rule
from pycdf.tree import Training, grow_trees, new_work

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CALL_SECONDS = 0.2
_CHUNK = 512  # rows that are routed together

_Batch = tuple[npt.NDArray[Any], ...]  # what the kernel fills: see grow_trees()


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
    inbag: npt.NDArray[np.uint8]  # trees x training rows: how often each was drawn; or x 0

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
    ddof: int = 1,
    ntrees: int,
    depth: int,
    mnode: int,
    k: int,
    mtry: int,
    stream: RStream,
    keep_inbag: bool = False,
    progress: Report | None = None,
) -> Forest:
    """Grow a forest on ``columns`` (features x rows); ``spreads``: their standard deviations.

    ``progress`` is called with the trees done and the trees in all, several times a second.
    """
    n_classes = len(tie_rank)
    screen = build_screen(columns, codes, n_classes, spreads)
    training = Training(
        columns, screen, codes, tie_rank, n_classes, Rule(integer, ddof), depth, mnode, k, mtry
    )
    take = min(k, mtry)
    work = new_work(training)
    parts: list[_Batch] = []
    batch, room, done = 1, 16, 0
    while done < ntrees:
        batch = min(batch, ntrees - done)
        began = time.perf_counter()
        part = _empty_batch(batch, max(room, 16 * batch), n_classes, take, len(codes) * keep_inbag)
        grown = grow_trees(training, work, stream._state, batch, *part)
        if grown == 0:
            room *= 4
            continue
        done += grown
        parts.append(_cut(part, grown))
        if progress is not None:
            progress(done, ntrees)
        # An interrupt is noticed between two calls: keep them short, but not so short as to cost.
        batch = max(1, int(grown * min(8.0, _CALL_SECONDS / (time.perf_counter() - began))))
    return _join(parts)


def _empty_batch(ntrees: int, n_nodes: int, n_classes: int, take: int, n_rows: int) -> _Batch:
    """Room for about ``n_nodes`` nodes."""
    links = n_nodes + n_classes
    return (
        np.zeros(ntrees + 1, dtype=np.int64),
        np.empty((n_nodes, 5), dtype=np.int32),
        np.empty((n_nodes, n_classes), dtype=np.int32),
        np.empty((n_nodes, 3), dtype=np.int64),
        np.empty((links, 2), dtype=np.int32),
        np.empty(n_nodes * take, dtype=np.int32),
        np.empty(links * take, dtype=np.float64),
        np.empty((ntrees, n_rows), dtype=np.uint8),
    )


def _cut(batch: _Batch, ntrees: int) -> _Batch:
    """What ``ntrees`` trees have filled of a batch, in arrays of its size."""
    tree_start, nodes, counts, ends, links, features, centroids, inbag = batch
    n_nodes = tree_start[ntrees]
    n_links, n_features, n_centroids = ends[n_nodes - 1]
    return (
        tree_start[: ntrees + 1], nodes[:n_nodes].copy(), counts[:n_nodes].copy(),
        ends[:n_nodes].copy(), links[:n_links].copy(), features[:n_features].copy(),
        centroids[:n_centroids].copy(), inbag[:ntrees],
    )  # fmt: skip


def _join(parts: list[_Batch]) -> Forest:
    """Lay batches of trees end to end."""
    starts, nodes, counts, ends, links, features, centroids, inbag = zip(*parts, strict=True)
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
        inbag=np.concatenate(inbag),
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
    _route(forest, test, counted, np.empty((len(test), 0), dtype=np.int64))
    return counted


def end_nodes(forest: Forest, test: Floats) -> Longs:
    """The node of the forest in which each row ends in each tree (rows x trees), or FELL_OUT."""
    nodes = np.empty((len(test), forest.n_trees), dtype=np.int64)
    _route(forest, test, np.zeros((len(test), forest.counts.shape[1]), dtype=np.int64), nodes)
    return nodes


def _route(forest: Forest, test: Floats, counted: Longs, nodes: Longs) -> None:
    """Route rows in parts, small enough that their columns stay in the cache."""
    for start in range(0, len(test), _CHUNK):
        part = slice(start, start + _CHUNK)
        columns = np.ascontiguousarray(test[part].T)
        work = route.new_work(columns.shape[1], counted.shape[1])
        route.route_rows(forest, columns, work, counted[part], nodes[part])


def votes_by_tree(forest: Forest, test: Floats) -> Ints:
    """The class code that each tree votes for (rows x trees)."""
    nodes = end_nodes(forest, test)
    return np.where(nodes == FELL_OUT, np.int32(0), forest.leaf[nodes])


def winners(counted: Longs) -> Longs:
    """The class with most votes; ties go to the class that came first in training."""
    winner: Longs = counted.argmax(axis=1)
    return winner


def importance(forest: Forest, n_features: int) -> Floats:
    """How often each feature was selected, as a share of all selections."""
    return np.bincount(forest.features, minlength=n_features) / max(len(forest.features), 1)
