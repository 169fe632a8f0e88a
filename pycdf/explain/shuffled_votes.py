"""Shuffle one feature after the other among the out-of-bag rows of each tree, and count votes.

:mod:`pycdf.kernels.shuffle` does the work for one tree. Trees are independent of each other but for
the random stream, on which each one begins where the one before it ended.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pycdf.base_r.stream import RStream
from pycdf.explain.out_of_bag import left_out
from pycdf.forest import voting
from pycdf.forest.arrays import Forest, read_only_forest
from pycdf.forest.lab_rules import Sending
from pycdf.kernels import shuffle, visits
from pycdf.kernels.arrays import read_only
from pycdf.kernels.random_order import skip_draws
from pycdf.support.parallel import Shared, count_jobs, in_pieces
from pycdf.support.progress import Report

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]

_PIECE = 16  # trees whose results are collected together
_ROUND = 4  # pieces for each core, before progress is shown and results are added up


@dataclass(frozen=True, eq=False)
class Losses:
    """The right votes that trees lose when a feature is shuffled."""

    by_repeat: Floats
    """Repeats x features: the mean over the trees, each as a share of its out-of-bag rows."""
    by_row: Ints
    """Features x rows: the number of lost votes, over all trees and repeats."""
    trees: Longs
    """How many trees use each feature."""


class _ForestAndRows(Shared):
    """What all pieces of the work need."""

    def __init__(
        self, forest: Forest, rows: Floats, codes: Ints, repeats: int, sending: Sending | None
    ) -> None:
        self.sending = sending
        self.forest = read_only_forest(forest)
        self.rows = rows
        self.codes = codes
        self.repeats = repeats
        super().__init__(rows.nbytes + sum(array.nbytes for array in forest))


def count_losses(
    forest: Forest,
    rows: Floats,
    codes: Ints,
    repeats: int,
    stream: RStream,
    n_jobs: int | None = 1,
    report: Report = lambda done, total: None,
    sending: Sending | None = None,
) -> Losses:
    """Shuffle every feature that a tree uses ``repeats`` times among its out-of-bag rows.

    ``rows`` are rows x features of the forest. The result does not depend on ``n_jobs``.
    ``sending`` is None for R's distance.
    """
    outside = left_out(forest)
    n, n_features = rows.shape
    losses = Losses(
        by_repeat=np.zeros((repeats, n_features)),
        by_row=np.zeros((n_features, n), dtype=np.int32),
        trees=np.zeros(n_features, dtype=np.int64),
    )
    shared = _ForestAndRows(forest, rows, codes, repeats, sending)
    step = _PIECE * _ROUND * count_jobs(n_jobs)
    for start in range(0, forest.n_trees, step):
        pieces = []
        for first in range(start, min(start + step, forest.n_trees), _PIECE):
            trees = range(first, min(first + _PIECE, forest.n_trees))
            state = stream.state.copy()
            pieces.append(lambda trees=trees, state=state: (trees, state))
            draws = sum(len(_used(forest, tree)) * int(outside[tree].sum()) for tree in trees)
            skip_draws(stream.state, draws * repeats)
        for features, lost_by_tree, by_row in in_pieces(_lose_votes, shared, pieces, n_jobs):
            losses.by_row[features] += by_row
            for used, share in lost_by_tree:
                losses.by_repeat[:, used] += share
                losses.trees[used] += 1
        report(min(start + step, forest.n_trees), forest.n_trees)
    losses.by_repeat[:] /= outside.any(axis=1).sum()
    return losses


def _used(forest: Forest, tree: int) -> Longs:
    """The features that a tree uses, in ascending order."""
    return np.unique(forest.features[_selections(forest, tree)]).astype(np.int64)


def _selections(forest: Forest, tree: int) -> slice:
    return slice(*forest.feature_start[forest.tree_start[tree : tree + 2]])


def _lose_votes(
    shared: _ForestAndRows, trees: range, state: Words
) -> tuple[Longs, list[tuple[Longs, Floats]], Ints]:
    """The work for some trees, from a ``state`` of the stream on.

    Returns all features that these trees use; for each tree the features that it uses and the
    shares of votes that it loses (repeats x features); and the lost votes by feature and row.
    """
    forest, n = shared.forest, len(shared.rows)
    used = [_used(forest, tree) for tree in trees]
    features = np.unique(np.concatenate(used))
    by_row = np.zeros((len(features), n), dtype=np.int32)
    shares = []
    for tree, own in zip(trees, used, strict=True):
        if shared.stopped:
            break
        outside = np.flatnonzero(forest.inbag[tree] == 0)
        lost = np.zeros((len(own), shared.repeats), dtype=np.int64)
        if len(outside) and len(own):
            lines = np.searchsorted(features, own)
            _lose_votes_of_tree(shared, tree, own, outside, state, lost, by_row, lines)
        shares.append((own, lost.T / max(1, len(outside))))
    return features, shares, by_row


def _lose_votes_of_tree(
    shared: _ForestAndRows,
    tree: int,
    used: Longs,
    outside: Longs,
    state: Words,
    lost: Longs,
    by_row: Ints,
    lines: Longs,
) -> None:
    forest, codes = shared.forest, read_only(shared.codes[outside])
    columns = np.ascontiguousarray(shared.rows[np.ix_(outside, used)].T)
    n, n_classes = len(outside), forest.counts.shape[1]
    n_nodes = int(np.diff(forest.tree_start[tree : tree + 2])[0])
    alone, users = _single_tree(forest, tree, used)
    if shared.sending is not None:
        own = slice(*forest.feature_start[forest.tree_start[tree : tree + 2]])
        spreads = shared.sending.spreads[own]
        sending = shared.sending._replace(spreads=spreads)
        _lose_votes_by_routing(alone, columns, codes, sending, state, lost, by_row, lines, outside)
        return
    places = visits.new_places(n, n_nodes, n_classes)
    there = visits.new_visits(n, n_nodes, *visits.place_rows(alone, columns, places))
    work = shuffle.new_work(n, n_classes)
    shuffle.lose_votes(
        alone, columns, codes, places, there, users, state, work, lost, by_row, lines, outside
    )


def _lose_votes_by_routing(
    tree: Forest,
    columns: Floats,
    codes: Ints,
    sending: Sending,
    state: Words,
    lost: Longs,
    by_row: Ints,
    lines: Longs,
    outside: Longs,
) -> None:
    """Send all rows down the tree again for every shuffle, by another distance than R's."""

    routing = voting.Routing(tree, sending=sending)

    def right() -> Ints:
        votes = voting.votes_by_tree(routing, columns.T, 1)[:, 0]
        found: Ints = (votes == codes).astype(np.int32)
        return found

    stream = RStream.at(0, state)
    before = right()
    for feature in range(len(columns)):
        values = columns[feature].copy()
        for repeat in range(lost.shape[1]):
            order = np.argsort(stream.uniform(len(values)), kind="stable")
            columns[feature] = values[order]
            change = before - right()
            lost[feature, repeat] = change.sum()
            by_row[lines[feature], outside] += change
        columns[feature] = values
    state[:] = stream.state


def _single_tree(forest: Forest, tree: int, used: Longs) -> tuple[Forest, shuffle.Users]:
    """One tree as a forest over the features that it uses, and the nodes that use each of these."""
    chosen = _selections(forest, tree)
    local = np.searchsorted(used, forest.features[chosen]).astype(np.int32)
    alone = forest._replace(
        tree_start=forest.tree_start[tree : tree + 2],
        features=local,
        feature_start=forest.feature_start - chosen.start,
    )
    root, end = alone.tree_start
    starts = alone.feature_start[root : end + 1]
    node = np.repeat(np.arange(end - root), np.diff(starts))
    order = np.argsort(local, kind="stable")
    users = shuffle.Users(
        starts=np.searchsorted(local[order], np.arange(len(used) + 1)).astype(np.int64),
        nodes=node[order],
        ranks=(np.arange(len(local)) - starts[node])[order],
    )
    return read_only_forest(alone), users
