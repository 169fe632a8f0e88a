"""Grow a forest: tree after tree on R's stream, or each tree on its own stream, many at a time.

With R's stream (``streams="r"``) a tree begins where the one before ended, so there is one order
and one core. With ``streams="per_tree"`` every tree begins with a seed of its own
(:func:`pycdf.base_r.seeds.tree_seeds`): trees are grown in pieces, anywhere and in any order
(:mod:`pycdf.support.parallel`), and then joined.
"""

import time
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pycdf.base_r.seeds import tree_seeds
from pycdf.base_r.stream import RStream
from pycdf.forest.arrays import Floats, Forest, Ints, Longs
from pycdf.forest.lab_rules import Growing
from pycdf.forest.screen import build_screen
from pycdf.forest.sorted_columns import needs_order, sorted_columns
from pycdf.inputs.parameters import MOST_LEVELS
from pycdf.kernels.arrays import read_only
from pycdf.kernels.grow import PAUSED, Training, grow_trees, new_batch, new_work
from pycdf.kernels.lab_grow import new_lab_work
from pycdf.kernels.lab_ranks import Order
from pycdf.kernels.lanes import Rule
from pycdf.kernels.random import STATE_WORDS
from pycdf.kernels.screen_layout import Screen
from pycdf.kernels.strata import new_strata
from pycdf.kernels.tree_nodes import (
    BRANCH,
    CENTROIDS,
    CHILD,
    CLASS,
    DEPTH,
    FEATURES,
    LEAF,
    LINKS,
    PARENT,
    ROWS,
    TreeBatch,
)
from pycdf.support.parallel import Shared, count_jobs, in_pieces, in_threads
from pycdf.support.progress import Report

Streams = Literal["r", "per_tree"]
Seeds = npt.NDArray[np.uint32]

_CALL_SECONDS = 0.2
_FIRST_CELLS = 2**20  # numbers that the first batch looks at in each level, to know the speed
_CALL_CELLS = 2**26  # pause also within a tree after looking at so many numbers
_PIECES_PER_JOB = 8  # so that a slow or lost worker costs little


class Grown(NamedTuple):
    """A forest and, if it is not R's, the spread of each of its selected features."""

    forest: Forest
    spreads: Floats | None


class _Batch(NamedTuple):
    """Trees, and the spreads of their selected features unless they are R's."""

    trees: TreeBatch
    spreads: Floats | None


class SharedTraining(Shared):
    """What trees are grown from. The screen is built where trees are grown, and not sent."""

    _training: Training | None = None
    _screen: Screen | None = None
    _order: Order | None = None
    stays_here = (*Shared.stays_here, "_training", "_screen", "_order")

    def __init__(
        self,
        columns: Floats,
        spreads: Floats,
        codes: Ints,
        tie_rank: Ints,
        class_draws: Longs | None,
        rules: Growing | None = None,
        screen: Screen | None = None,
        order: Order | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(columns.nbytes)
        self.rules = rules
        self._screen = screen
        self._order = order
        self._arrays = (columns, spreads, codes, tie_rank)
        self._class_draws = class_draws
        self._settings = settings

    def training(self, n_jobs: int | None = 1) -> Training:
        """The matrix and its screen; threads that need it first wait for one of them."""
        with self._lock:
            if self._training is None:
                columns, spreads, codes, tie_rank = self._arrays
                columns, codes = read_only(columns), read_only(codes)
                screen = self._screen
                if screen is None:
                    screen = build_screen(columns, codes, len(tie_rank), read_only(spreads), n_jobs)
                self._training = Training(
                    columns=columns,
                    screen=screen,
                    codes=codes,
                    tie_rank=read_only(tie_rank),
                    n_classes=len(tie_rank),
                    strata=new_strata(codes, self._class_draws),
                    **self._settings,
                )
            return self._training

    def order(self, score: int) -> Order:
        """The order of the rows in all columns, if this score needs it."""
        with self._lock:
            if self._order is None:
                columns = read_only(self._arrays[0])
                self._order = sorted_columns(columns, needs_order(score))
            return self._order


def grow_forest(
    columns: Floats,
    spreads: Floats,
    codes: Ints,
    tie_rank: Ints,
    *,
    integer: bool,
    ddof: int,
    bootstrap: bool,
    class_draws: Longs | None = None,
    rules: Growing | None = None,
    screen: Screen | None = None,
    order: Order | None = None,
    ntrees: int,
    depth: int,
    mnode: int,
    k: int,
    mtry: int,
    stream: RStream,
    streams: Streams,
    first_tree: int,
    keep_inbag: bool,
    n_jobs: int | None = 1,
    progress: Report | None = None,
) -> Grown:
    """Grow a forest on ``columns`` (features x rows); ``spreads``: their standard deviations.

    ``class_draws`` is the number of bootstrap rows of each class; None draws from all rows, as R
    does. ``rules`` are those of a forest that is not R's. ``screen`` and ``order`` are those of the
    columns; None makes them. ``progress`` is called with the trees done and the trees in all,
    several times a second. With ``streams="per_tree"``, the stream gives only its seed and its way
    of sampling, and ``first_tree`` numbers the trees.
    """
    n_features = len(columns)
    shared = SharedTraining(
        columns,
        spreads,
        codes,
        tie_rank,
        class_draws,
        rules,
        screen,
        order,
        rule=Rule(integer=integer, ddof=ddof),
        depth=min(depth, MOST_LEVELS + 1),  # one level more, to notice trees that want to go on
        mnode=mnode,
        k=min(k, mtry, n_features),
        mtry=min(mtry, n_features),
        bootstrap=bootstrap,
        rounding=stream.rounding,
    )
    if in_threads():
        shared.training(n_jobs)
    if streams == "r":
        no_seeds = np.empty(0, np.uint32)
        return _join(_grow(shared, stream.state, no_seeds, ntrees, keep_inbag, progress))
    jobs = count_jobs(n_jobs)
    seeds = tree_seeds(stream.seed, first_tree, ntrees)
    if jobs == 1:
        return _join(_grow_seeds(shared, seeds, keep_inbag, progress))
    parts = np.array_split(seeds, min(ntrees, _PIECES_PER_JOB * jobs))
    done = 0

    def report(index: int) -> None:
        nonlocal done
        done += len(parts[index])
        if progress is not None:
            progress(done, ntrees)

    pieces = [lambda part=part: (part, keep_inbag) for part in parts]
    grown = in_pieces(_grow_seeds, shared, pieces, n_jobs, report)
    return _join([batch for batches in grown for batch in batches])


def _grow_seeds(
    shared: SharedTraining, seeds: Seeds, keep_inbag: bool, progress: Report | None = None
) -> list[_Batch]:
    """The trees of these seeds."""
    state = np.empty(STATE_WORDS, np.uint32)
    return _grow(shared, state, seeds, len(seeds), keep_inbag, progress)


def _grow(
    shared: SharedTraining,
    state: Seeds,
    seeds: Seeds,
    ntrees: int,
    keep_inbag: bool,
    progress: Report | None,
) -> list[_Batch]:
    """Trees in batches, as many in each as take a fifth of a second."""
    training, rules = shared.training(), shared.rules
    work = new_work(training)
    grow, lab_work = grow_trees, None
    if rules is not None:
        grow = rules.kernel()
        lab_work = new_lab_work(rules.lab, training, work, shared.order(rules.lab.score))
    batches: list[_Batch] = []
    cells = max(1, len(training.codes) * training.mtry)
    size, n_nodes, done = max(1, _FIRST_CELLS // cells), 16, 0
    while done < ntrees and not shared.stopped:
        size = min(size, ntrees - done)
        began = time.perf_counter()
        batch = new_batch(size, max(n_nodes, 16 * size), training, keep_inbag)
        if lab_work is not None:
            lab_work = lab_work._replace(spreads=np.empty(len(batch.features)))
        some = seeds[done : done + size]
        grown = PAUSED
        try:
            while grown == PAUSED and not shared.stopped:
                grown = grow(training, work, state, some, size, batch, lab_work, _CALL_CELLS)
        except BaseException:  # an interrupt: the caller's stream stays at a whole tree
            if work.paused.any():
                state[:] = work.saved_state
            raise
        if grown == PAUSED:
            break
        if grown == 0:  # not even one tree fits
            n_nodes *= 4
            continue
        done += grown
        spreads = None if lab_work is None else lab_work.spreads
        batches.append(_trim(_Batch(batch, spreads), grown))
        _check_levels(batches[-1].trees)
        if progress is not None:
            progress(done, ntrees)
        # An interrupt is noticed between two calls: keep them short, but not so short as to cost.
        size = max(1, int(grown * min(8.0, _CALL_SECONDS / (time.perf_counter() - began))))
    return batches


def _check_levels(batch: TreeBatch) -> None:
    """Raise an error if a tree is deeper than any that R can grow."""
    if batch.nodes[:, DEPTH].max() > MOST_LEVELS:
        raise ValueError(
            f"a tree has more than {MOST_LEVELS:,} levels of splits, where R runs out of stack: "
            "with missing values in the centroids, all rows of a node can take the same branch "
            f"again and again. Pass a depth of at most {MOST_LEVELS}."
        )


def _trim(whole: _Batch, ntrees: int) -> _Batch:
    """Copy what the first ``ntrees`` trees have filled of a batch."""
    batch, spreads = whole
    n_nodes = batch.tree_start[ntrees]
    n_links, n_features, n_centroids = batch.starts[n_nodes, [LINKS, FEATURES, CENTROIDS]]
    trees = TreeBatch(
        tree_start=batch.tree_start[: ntrees + 1],
        nodes=batch.nodes[:n_nodes].copy(),
        counts=batch.counts[:n_nodes].copy(),
        starts=batch.starts[: n_nodes + 1].copy(),
        links=batch.links[:n_links].copy(),
        features=batch.features[:n_features].copy(),
        centroids=batch.centroids[:n_centroids].copy(),
        inbag=batch.inbag[:ntrees],
    )
    return _Batch(trees, None if spreads is None else spreads[:n_features].copy())


def _join(parts: list[_Batch]) -> Grown:
    """Make one forest of batches of trees."""
    batches = [part.trees for part in parts]
    spreads = [part.spreads for part in parts if part.spreads is not None]
    nodes = np.ascontiguousarray(np.concatenate([batch.nodes for batch in batches]).T)
    links = np.ascontiguousarray(np.concatenate([batch.links for batch in batches]).T)
    starts = np.ascontiguousarray(_join_starts([batch.starts for batch in batches]).T)
    forest = Forest(
        tree_start=_join_starts([batch.tree_start for batch in batches]),
        parent=nodes[PARENT],
        branch=nodes[BRANCH],
        depth=nodes[DEPTH],
        rows=nodes[ROWS],
        leaf=nodes[LEAF],
        counts=np.concatenate([batch.counts for batch in batches]),
        class_start=starts[LINKS],
        node_classes=links[CLASS],
        children=links[CHILD],
        feature_start=starts[FEATURES],
        features=np.concatenate([batch.features for batch in batches]),
        centroid_start=starts[CENTROIDS],
        centroids=np.concatenate([batch.centroids for batch in batches]),
        inbag=np.concatenate([batch.inbag for batch in batches]),
    )
    return Grown(forest, np.concatenate(spreads) if spreads else None)


def _join_starts(parts: list[Longs]) -> Longs:
    """Join start positions, each part shifted to begin where the one before ends."""
    joined = parts[:1]
    for part in parts[1:]:
        joined.append(part[1:] + joined[-1][-1])
    return np.concatenate(joined)
