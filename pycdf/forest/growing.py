"""Grow a forest: tree after tree on R's stream, or each tree on its own stream, many at a time.

In go a training matrix, class codes and a stream; out comes a :class:`pycdf.forest.arrays.Forest`. With
R's stream (``streams="r"``) a tree begins where the one before ended, so there is one order and one
core. With ``streams="per_tree"`` every tree begins with a seed of its own
(:func:`pycdf.base_r.stream.tree_seeds`): trees are grown in pieces, anywhere and in any order
(:mod:`pycdf.support.parallel`), and laid end to end.
"""

import time
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pycdf.base_r.stream import RStream, tree_seeds
from pycdf.forest.arrays import Floats, Forest, Ints, Longs
from pycdf.forest.screen import build_screen
from pycdf.kernels.arrays import read_only
from pycdf.kernels.grow import Training, grow_trees, new_work
from pycdf.kernels.random import STATE_WORDS
from pycdf.kernels.scores import Rule
from pycdf.support.parallel import Shared, count_jobs, in_pieces, in_threads
from pycdf.support.progress import Report

Streams = Literal["r", "per_tree"]
Seeds = npt.NDArray[np.uint32]

_CALL_SECONDS = 0.2
_PIECES_PER_JOB = 8  # so that a slow or lost worker costs little

_Batch = tuple[npt.NDArray[Any], ...]  # what the kernel fills: see grow_trees()


class Ground(Shared):
    """What trees are grown on. The screen is built where trees are grown, and not sent."""

    _training: Training | None = None
    stays_here = (*Shared.stays_here, "_training")

    def __init__(self, columns: Floats, spreads: Floats, codes: Ints, tie_rank: Ints, *how: Any):
        super().__init__(columns.nbytes)
        self._given = (columns, spreads, codes, tie_rank, *how)

    def training(self, n_jobs: int | None = 1) -> Training:
        """The matrix and its screen; threads that need it first wait for one of them."""
        with self._lock:
            if self._training is None:
                columns, spreads, codes, ranks = map(read_only, self._given[:4])
                screen = build_screen(columns, codes, len(ranks), spreads, n_jobs)
                how = self._given[4:]
                self._training = Training(columns, screen, codes, ranks, len(ranks), *how)
            return self._training


def grow_forest(
    columns: Floats,
    spreads: Floats,
    codes: Ints,
    tie_rank: Ints,
    *,
    integer: bool,
    ddof: int = 1,
    bootstrap: bool = True,
    ntrees: int,
    depth: int,
    mnode: int,
    k: int,
    mtry: int,
    stream: RStream,
    streams: Streams = "r",
    first_tree: int = 0,
    n_jobs: int | None = 1,
    keep_inbag: bool = False,
    progress: Report | None = None,
) -> Forest:
    """Grow a forest on ``columns`` (features x rows); ``spreads``: their standard deviations.

    ``progress`` is called with the trees done and the trees in all, several times a second. With
    ``streams="per_tree"``, the stream gives only its seed, and ``first_tree`` numbers the trees.
    """
    how = (Rule(integer, ddof), depth, mnode, k, mtry, bootstrap)
    ground = Ground(columns, spreads, codes, tie_rank, *how)
    if in_threads():
        ground.training(n_jobs)
    if streams == "r":
        none = np.empty(0, np.uint32)
        return _join(_grow(ground, stream.state, none, ntrees, keep_inbag, progress))
    jobs = count_jobs(n_jobs)
    seeds = tree_seeds(stream.seed, first_tree, ntrees)
    if jobs == 1:
        return _join(_grow_seeds(ground, seeds, keep_inbag, progress))
    parts = np.array_split(seeds, min(ntrees, _PIECES_PER_JOB * jobs))
    done = 0

    def report(index: int) -> None:
        nonlocal done
        done += len(parts[index])
        if progress is not None:
            progress(done, ntrees)

    pieces = [lambda part=part: (part, keep_inbag) for part in parts]
    grown = in_pieces(_grow_seeds, ground, pieces, n_jobs, report)
    return _join([batch for batches in grown for batch in batches])


def _grow_seeds(
    ground: Ground, seeds: Seeds, keep_inbag: bool, progress: Report | None = None
) -> list[_Batch]:
    """The trees of these seeds."""
    state = np.empty(STATE_WORDS, np.uint32)
    return _grow(ground, state, seeds, len(seeds), keep_inbag, progress)


def _grow(
    ground: Ground,
    state: Seeds,
    seeds: Seeds,
    ntrees: int,
    keep_inbag: bool,
    progress: Report | None,
) -> list[_Batch]:
    """Trees in batches, as many in each as take a fifth of a second."""
    training = ground.training()
    n_classes, take = training.n_classes, min(training.k, training.mtry)
    n_rows = len(training.codes) * keep_inbag
    work = new_work(training)
    batches: list[_Batch] = []
    size, room, done = 1, 16, 0
    while done < ntrees and not ground.stopped:
        size = min(size, ntrees - done)
        began = time.perf_counter()
        batch = _empty_batch(size, max(room, 16 * size), n_classes, take, n_rows)
        grown = grow_trees(training, work, state, seeds[done : done + size], size, *batch)
        if grown == 0:
            room *= 4
            continue
        done += grown
        batches.append(_cut(batch, grown))
        if progress is not None:
            progress(done, ntrees)
        # An interrupt is noticed between two calls: keep them short, but not so short as to cost.
        size = max(1, int(grown * min(8.0, _CALL_SECONDS / (time.perf_counter() - began))))
    return batches


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
