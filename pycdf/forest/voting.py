"""What a forest answers: votes, winners, shares, out-of-bag votes and importance.

Classes and features are numbers here; names come in with :class:`pycdf.forest.model.Model`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Floats, Forest, Ints, Longs, read_only_forest
from pycdf.kernels import route
from pycdf.kernels.arrays import read_only
from pycdf.kernels.route import FELL_OUT
from pycdf.support.parallel import Shared, count_jobs, in_pieces, in_threads

_BAG_CHUNK = 4096  # rows whose votes by tree are held at a time


_CHUNK = 512  # rows that are routed together
_CELLS = 2**23  # and at most so many numbers
_TREES = 4096  # through which they are sent in one call: an interrupt is noticed between two
_WORTH_SENDING = 5_000_000  # rows x trees: less is answered sooner here than by other machines


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


def sorted_codes(classes: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The positions of labels in their sorted order."""
    try:
        return np.argsort(classes)
    except TypeError:  # labels of several types, which only CDF() accepts
        texts = [(type(label).__name__, str(label)) for label in classes]
        return np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.intp)


def shares(counted: npt.NDArray[np.int64]) -> Floats:
    """Votes as shares of the row's votes; NaN where there are none.

    scikit-learn takes the first largest share for the prediction. Classes that lose a tie for it
    are therefore put just below: by one unit in the last place.
    """
    total = counted.sum(axis=1, keepdims=True)
    share = np.full(counted.shape, np.nan)
    np.divide(counted, total, out=share, where=total > 0)
    lost = counted == counted.max(axis=1, keepdims=True)
    lost[np.arange(len(counted)), winners(counted)] = False
    return np.where(lost, np.nextafter(share, 0.0), share)


def out_of_bag_votes(
    forest: Forest, columns: Floats, n_jobs: int | None = 1
) -> npt.NDArray[np.int64]:
    """Votes for training rows (rows x classes), each by the trees that did not draw it.

    ``columns``: kept features x rows.
    """
    inbag, n_classes = forest.inbag, forest.counts.shape[1]
    n = columns.shape[1]
    if inbag.shape[1] != n:
        raise ValueError(
            "oob_score=True needs to know which rows each tree drew, and this forest was kept "
            "without that: fit anew."
        )
    counted = np.zeros((n, n_classes), dtype=np.int64)
    for start in range(0, n, _BAG_CHUNK):
        rows = slice(start, start + _BAG_CHUNK)
        found = votes_by_tree(forest, columns[:, rows].T, n_jobs=n_jobs)
        outside = inbag[:, rows].T == 0
        for code in range(n_classes):
            counted[rows, code] = ((found == code) & outside).sum(axis=1)
    return counted
