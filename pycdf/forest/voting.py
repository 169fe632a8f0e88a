"""Votes of a forest, and what follows from them: winners, shares, out-of-bag votes, importance.

Classes and features are numbers here; :class:`pycdf.forest.model.Model` adds their names.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pycdf.base_r import long_double
from pycdf.forest.arrays import Floats, Forest, Ints, Longs, read_only_forest
from pycdf.forest.lab_rules import Sending
from pycdf.inputs.scaling import Scaling
from pycdf.kernels import route
from pycdf.kernels.arrays import read_only
from pycdf.kernels.route import FELL_OUT
from pycdf.support.parallel import Shared, count_jobs, in_pieces, in_threads

Votes: TypeAlias = Longs | Ints | Floats  # hard votes are counts, soft ones sums of shares

_BAG_CHUNK = 4096  # rows whose votes are kept tree by tree at any time
_CHUNK = 512  # rows that are routed together
_CELLS = 2**23  # upper limit on the numbers routed together
_SAME_IF_ROUNDED_ONCE = 2048
_CALL_VOTES = 2**20  # rows x trees x classes per call; an interrupt is noticed between calls
_WORTH_SENDING = 5_000_000  # rows x trees; with fewer, sending to other machines takes longer


class OutOfBag(NamedTuple):
    """How the training rows are judged by the trees that did not draw them."""

    votes: Ints | Floats
    """Rows x classes; soft votes are sums of shares."""
    right: int
    """Rows that have votes, most of them for their own class."""

    @property
    def accuracy(self) -> float:
        """Share of the rows with votes that are right; NaN if there are none."""
        voted = int(self.votes.any(axis=1).sum())
        return self.right / voted if voted else float("nan")


class Routing(NamedTuple):
    """A forest, and how rows are sent down its trees."""

    forest: Forest
    kept: Longs | None = None
    """The columns of the rows that hold the forest's features; None means all, in order."""
    scaling: Scaling | None = None
    """That of these columns; None means that they are as the forest needs them."""
    sending: Sending | None = None
    """By which distance; None means R's. A model knows what is right for it."""


class Routes(Shared):
    """What all pieces of work on a routing share.

    If there are many rows, features that no node uses are left out and the others renumbered.
    """

    def __init__(self, routing: Routing, columns: Longs, n_rows: int) -> None:
        forest, scaling = routing.forest, routing.scaling
        self.sending = routing.sending
        if n_rows * len(columns) > 8 * len(forest.features):
            used = np.zeros(len(columns), dtype=np.bool_)
            used[forest.features] = True
            columns = columns[used]
            scaling = None if scaling is None else scaling.take(used)
            renumbered = (np.cumsum(used) - 1).astype(np.int32)
            forest = forest._replace(features=renumbered[forest.features])
        self.columns = columns
        self.scaling = scaling
        # Routing does not need the in-bag counts.
        self.forest = read_only_forest(forest._replace(inbag=forest.inbag[:, :0]))
        super().__init__(sum(array.nbytes for array in self.forest))

    def select_columns(self, rows: npt.NDArray[Any]) -> Floats:
        """A copy of the needed columns of some rows (columns x rows), scaled as in training."""
        columns = np.ascontiguousarray(rows.T[self.columns], dtype=np.float64)
        if self.scaling is not None:
            self.scaling.scale_columns(columns)
        return columns


def votes(routing: Routing, rows: npt.NDArray[Any], n_jobs: int | None) -> Longs:
    """How many trees vote for each class (rows x classes).

    Rows may have any numeric dtype and memory layout, or be a memory map: they are read in chunks.
    """
    parts = _route(routing, rows, n_jobs, keep=False)
    return np.concatenate([counted for counted, _ in parts])


def end_nodes(routing: Routing, rows: npt.NDArray[Any], n_jobs: int | None) -> Longs:
    """The node in which each row ends in each tree (rows x trees), or FELL_OUT."""
    parts = _route(routing, rows, n_jobs, keep=True)
    return np.concatenate([nodes for _, nodes in parts])


def _route(
    routing: Routing, rows: npt.NDArray[Any], n_jobs: int | None, *, keep: bool
) -> list[tuple[Longs, Longs]]:
    """Votes and, if ``keep``, end nodes, of one chunk of rows after the other.

    A chunk is small enough for its columns to stay in the processor's cache.
    """
    columns = np.arange(rows.shape[1]) if routing.kept is None else routing.kept
    routes = Routes(routing, columns, len(rows))
    local = in_threads()
    if not local and len(rows) * routing.forest.n_trees < _WORTH_SENDING:
        n_jobs = 1
    jobs = count_jobs(n_jobs)
    most = min(_CHUNK, max(16, _CELLS // max(1, len(routes.columns))), -(-len(rows) // jobs))
    starts = range(0, max(1, len(rows)), max(1, most))
    if jobs == 1 or local:
        pieces = [lambda i=i: (rows[i : i + most], False, keep) for i in starts]
    else:  # send only the columns that are needed
        pieces = [
            lambda i=i: (routes.select_columns(rows[i : i + most]), True, keep) for i in starts
        ]
    return in_pieces(_route_part, routes, pieces, n_jobs)


def _route_part(
    routes: Routes, part: npt.NDArray[Any], selected: bool, keep: bool
) -> tuple[Longs, Longs]:
    columns = read_only(part if selected else routes.select_columns(part))
    n, n_classes = columns.shape[1], routes.forest.counts.shape[1]
    starts = routes.forest.tree_start
    counted = np.zeros((n, n_classes), dtype=np.int64)
    nodes = np.empty((n, routes.forest.n_trees * keep), dtype=np.int64)
    work = route.new_work(n, n_classes)
    send, rules = route.route_rows, None
    if routes.sending is not None:
        send, rules = routes.sending.kernel(), routes.sending.rules(routes.forest)
    step = max(1, _CALL_VOTES // max(1, n * n_classes))
    for first in range(0, routes.forest.n_trees, step):
        if routes.stopped:
            break
        some = routes.forest._replace(tree_start=starts[first : first + step + 1])
        ends = np.empty((n, some.n_trees * keep), dtype=np.int64)
        send(some, columns, work, counted, ends, rules)
        nodes[:, first : first + step] = ends
    return counted, nodes


def votes_by_tree(routing: Routing, rows: npt.NDArray[Any], n_jobs: int | None) -> Ints:
    """The class code that each tree votes for (rows x trees)."""
    return leaf_votes(routing.forest, end_nodes(routing, rows, n_jobs))


def leaf_votes(forest: Forest, nodes: Longs) -> Ints:
    """The class codes that end nodes vote for."""
    return np.where(nodes == FELL_OUT, np.int32(0), forest.leaf[nodes])


def winners(counted: Votes) -> Longs:
    """The class with the most votes; a tie goes to the class that appeared first in training."""
    winner: Longs = counted.argmax(axis=1)
    return winner


def importance(forest: Forest, n_features: int) -> Floats:
    """How often each feature was selected, as a share of all selections."""
    return np.bincount(forest.features, minlength=n_features) / max(len(forest.features), 1)


def sorted_codes(classes: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The order that sorts labels, as positions."""
    try:
        return np.argsort(classes)
    except TypeError:  # labels of several types, which only CDF() accepts
        texts = [(type(label).__name__, str(label)) for label in classes]
        return np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.intp)


def vote_shares(counted: Votes, total: Any) -> Floats:
    """Votes over their total (a number, or one per row), NaN if that is 0, as R divides them.

    R's rowMeans() rounds the quotient to 64 bits and then to a double. Up to a total of 2048 that
    is the double nearest to the quotient.
    """
    totals = np.broadcast_to(total, counted.shape)
    share = np.full(counted.shape, np.nan)
    np.divide(counted, totals, out=share, where=totals > 0)
    large = totals > _SAME_IF_ROUNDED_ONCE
    if counted.dtype.kind == "i" and large.any():  # soft votes, which R does not have, are floats
        pairs, place = np.unique(
            np.stack([counted[large], totals[large]]), axis=1, return_inverse=True
        )
        quotients = [
            long_double.to_double(long_double.quotient((votes, 0), (trees, 0)))
            for votes, trees in pairs.T.tolist()
        ]
        share[large] = np.array(quotients)[place.ravel()]
    return share


def shares(counted: Votes) -> Floats:
    """Votes as shares of each row's total; NaN for rows without votes.

    scikit-learn predicts the first class with the largest share. Classes that lose a tie are
    therefore one unit in the last place lower than the winner.
    """
    share = vote_shares(counted, counted.sum(axis=1, keepdims=True))
    lost = counted == counted.max(axis=1, keepdims=True)
    lost[np.arange(len(counted)), winners(counted)] = False
    return np.where(lost, np.nextafter(share, 0.0), share)


def out_of_bag_votes(
    routing: Routing, columns: Floats, n_jobs: int | None
) -> npt.NDArray[np.int64]:
    """Votes for each training row by the trees that did not draw it (rows x classes).

    ``columns`` are the routing's features x rows.
    """
    counted = np.zeros((columns.shape[1], routing.forest.counts.shape[1]), dtype=np.int64)
    for rows, nodes, outside in out_of_bag_nodes(routing, columns, n_jobs):
        found = leaf_votes(routing.forest, nodes)
        for code in range(counted.shape[1]):
            counted[rows, code] = ((found == code) & outside).sum(axis=1)
    return counted


def out_of_bag_nodes(
    routing: Routing, columns: Floats, n_jobs: int | None
) -> Iterator[tuple[slice, Longs, npt.NDArray[np.bool_]]]:
    """For some rows at a time: the node in which each ends, and which trees did not draw it."""
    inbag, n = routing.forest.inbag, columns.shape[1]
    if inbag.shape[1] != n:
        raise ValueError(
            "oob_score=True needs to know which rows each tree drew, and this forest does not "
            "store them: fit again."
        )
    for start in range(0, n, _BAG_CHUNK):
        rows = slice(start, start + _BAG_CHUNK)
        nodes = end_nodes(routing, columns[:, rows].T, n_jobs)
        yield rows, nodes, inbag[:, rows].T == 0
