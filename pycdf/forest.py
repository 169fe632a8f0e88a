"""All trees of a forest in plain arrays, and what a forest answers.

:mod:`pycdf.growth` makes a :class:`Forest`; :func:`votes`, :func:`winners` and :func:`importance`
turn it into R's answers. Classes and features are numbers here; names come in at the surface
(:mod:`pycdf.api`, :mod:`pycdf.tables`).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pycdf.kernels import route
from pycdf.kernels.arrays import read_only
from pycdf.kernels.route import FELL_OUT
from pycdf.support.parallel import Shared, count_jobs, in_pieces, in_threads

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CHUNK = 512  # rows that are routed together
_CELLS = 2**23  # and at most so many numbers
_TREES = 4096  # through which they are sent in one call: an interrupt is noticed between two
_WORTH_SENDING = 5_000_000  # rows x trees: less is answered sooner here than by other machines


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


def read_only_forest(forest: Forest) -> Forest:
    """The same forest, in such views."""
    return Forest._make([read_only(array) for array in forest])


class Routes(Shared):
    """A forest to send rows down, and the columns of the rows that are its features.

    For many rows only features that some node looks at are taken, and numbered anew.
    """

    def __init__(self, forest: Forest, columns: Longs, n_rows: int) -> None:
        if n_rows * len(columns) > 8 * len(forest.features):
            looked_at = np.zeros(len(columns), dtype=np.bool_)
            looked_at[forest.features] = True
            columns = columns[looked_at]
            renumbered = (np.cumsum(looked_at) - 1).astype(np.int32)
            forest = forest._replace(features=renumbered[forest.features])
        self.columns = columns
        # What is not needed on the way is not sent.
        self.forest = read_only_forest(forest._replace(inbag=forest.inbag[:, :0]))
        super().__init__(sum(array.nbytes for array in self.forest))

    def take(self, rows: npt.NDArray[Any]) -> Floats:
        """These rows' columns (columns x rows)."""
        return np.ascontiguousarray(rows.T[self.columns], dtype=np.float64)


def votes(
    forest: Forest, rows: npt.NDArray[Any], kept: Longs | None = None, n_jobs: int | None = 1
) -> Longs:
    """How many trees vote for each class (rows x classes).

    ``rows`` hold the forest's features in the columns ``kept``; without it, just these. They may be
    of any type of number, in any order in memory, or a memory map: they are read in parts.
    """
    return np.concatenate([counted for counted, _ in _route(forest, rows, kept, False, n_jobs)])


def end_nodes(
    forest: Forest, rows: npt.NDArray[Any], kept: Longs | None = None, n_jobs: int | None = 1
) -> Longs:
    """The node of the forest in which each row ends in each tree (rows x trees), or FELL_OUT."""
    return np.concatenate([nodes for _, nodes in _route(forest, rows, kept, True, n_jobs)])


def _route(
    forest: Forest, rows: npt.NDArray[Any], kept: Longs | None, keep: bool, n_jobs: int | None
) -> list[tuple[Longs, Longs]]:
    """Votes and, if kept, end nodes: of rows in parts whose columns are few enough for a cache."""
    columns = np.arange(rows.shape[1]) if kept is None else kept
    routes = Routes(forest, columns, len(rows))
    local = in_threads()
    if not local and len(rows) * forest.n_trees < _WORTH_SENDING:
        n_jobs = 1
    jobs = count_jobs(n_jobs)
    most = min(_CHUNK, max(16, _CELLS // max(1, len(routes.columns))), -(-len(rows) // jobs))
    starts = range(0, max(1, len(rows)), max(1, most))
    if jobs == 1 or local:
        pieces = [lambda i=i: (rows[i : i + most], False, keep) for i in starts]
    else:  # send what is needed, not all columns
        pieces = [lambda i=i: (routes.take(rows[i : i + most]), True, keep) for i in starts]
    return in_pieces(_route_part, routes, pieces, n_jobs)


def _route_part(
    routes: Routes, part: npt.NDArray[Any], taken: bool, keep: bool
) -> tuple[Longs, Longs]:
    columns = read_only(part if taken else routes.take(part))
    n, n_classes = columns.shape[1], routes.forest.counts.shape[1]
    starts = routes.forest.tree_start
    counted = np.zeros((n, n_classes), dtype=np.int64)
    nodes = np.empty((n, routes.forest.n_trees * keep), dtype=np.int64)
    work = route.new_work(n, n_classes)
    for first in range(0, routes.forest.n_trees, _TREES):
        if routes.stopped:
            break
        some = routes.forest._replace(tree_start=starts[first : first + _TREES + 1])
        ends = np.empty((n, some.n_trees * keep), dtype=np.int64)
        route.route_rows(some, columns, work, counted, ends)
        nodes[:, first : first + _TREES] = ends
    return counted, nodes


def votes_by_tree(
    forest: Forest, rows: npt.NDArray[Any], kept: Longs | None = None, n_jobs: int | None = 1
) -> Ints:
    """The class code that each tree votes for (rows x trees)."""
    nodes = end_nodes(forest, rows, kept, n_jobs)
    return np.where(nodes == FELL_OUT, np.int32(0), forest.leaf[nodes])


def winners(counted: Longs) -> Longs:
    """The class with most votes; ties go to the class that came first in training."""
    winner: Longs = counted.argmax(axis=1)
    return winner


def importance(forest: Forest, n_features: int) -> Floats:
    """How often each feature was selected, as a share of all selections."""
    return np.bincount(forest.features, minlength=n_features) / max(len(forest.features), 1)
