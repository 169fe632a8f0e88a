"""Choose the features of a node: the k candidates with the best class separability scores.

All candidates are screened in fast arithmetic (:mod:`pycdf.kernels.screen_bounds`), and those that
can be among the best are scored exactly (:mod:`pycdf.kernels.scores`). Ties go to the candidate
that was drawn first. If the ranges of the winners do not even overlap, their order is known, too,
and only their means are computed.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inlined, inner
from pycdf.kernels.heap import keep_largest, new_heap, sort_heap
from pycdf.kernels.scores import measure_means, new_scored, score_features
from pycdf.kernels.screen_bounds import (
    add_weights,
    new_node_weights,
    new_tile,
    reset_weights,
    score_ranges,
)
from pycdf.kernels.screen_layout import Screen

Selection = namedtuple("Selection", "weights tile low high contenders scored heap")
"""Scratch arrays for :func:`choose_features`.

`weights` and `tile` are for the screen; `low` and `high`, float32, are the ends of each candidate's
range of scores; `contenders`, int32, are the features that can be among the best; `scored` has
their exact scores, and `heap` the best of them.
"""


def new_selection(screen: Screen, n: int, n_classes: int, mtry: int, k: int) -> Selection:
    """Scratch arrays for nodes of up to `n` rows, `mtry` candidates and `k` chosen features."""
    return Selection(
        weights=new_node_weights(screen, n, n_classes),
        tile=new_tile(n_classes),
        low=np.empty(mtry, np.float32),
        high=np.empty(mtry, np.float32),
        contenders=np.empty(mtry, np.int32),
        scored=new_scored(n, n_classes, mtry),
        heap=new_heap(k),
    )


@inlined
def count_needed(classes, n_classes, ddof, k, mtry):
    """How many of a node's `mtry` candidates matter: `k`, if all scores will be 0."""
    n_scored = 0
    for c in range(n_classes):
        n_scored += classes.starts[c + 1] - classes.starts[c] > ddof
    return mtry if n_scored > 1 else k


@inner
def choose_features(columns, screen, rule, classes, candidates, scratch, split):
    """Write the best candidates of a node, best first, and their class means to `split`.

    Parameters
    ----------
    columns : float64, features x rows
    screen : Screen
        The same matrix in single precision.
    rule : Rule
    classes : ClassRows
        The rows of the node.
    candidates : int32
        Only the first :func:`count_needed` are read.
    scratch : Selection
    split : Split
        How many features are chosen, how many classes there are, and where the results go. If
        there are fewer candidates, fewer are chosen.
    """
    low, high, contenders = scratch.low, scratch.high, scratch.contenders
    means, heap = scratch.scored.means, scratch.heap
    # Never more than there is space for, whatever is asked.
    candidates = candidates[: contenders.size]
    n_classes, n_contenders = split.n_centroids, candidates.size
    k = min(split.n_features, n_contenders, heap.positions.size)
    n_scored = add_weights(screen, classes, n_classes, rule.ddof, scratch.weights)
    # No pair has both standard deviations: all scores are 0, and the first candidates win.
    settled = n_scored < 2
    if settled:
        n_contenders = k
    if k < n_contenders:
        weights, tile = scratch.weights, scratch.tile
        score_ranges(screen, candidates, weights, n_scored, rule.ddof, tile, low, high)
        bar = keep_largest(low, candidates.size, k, heap)  # k candidates score at least as much
        n_contenders = count_contenders(high[: candidates.size], np.float32(bar))
        settled = n_contenders == k and list_if_settled(candidates, low, high, k, heap, contenders)
        if not settled:
            list_contenders(candidates, high, bar, contenders)
    else:
        for i in range(n_contenders):
            contenders[i] = candidates[i]
    reset_weights(screen, classes, n_classes, scratch.weights)
    if settled:
        measure_means(columns, contenders, k, classes, n_classes, scratch.scored)
        for f in range(k):
            heap.positions[f] = f
    else:
        score_features(
            columns, contenders, 0, n_contenders, classes, n_classes, rule, scratch.scored
        )
        keep_largest(scratch.scored.scores, n_contenders, k, heap)
        sort_heap(k, heap)
    for f in range(k):
        best = heap.positions[f]
        split.features[split.first_feature + f] = contenders[best]
        for c in range(n_classes):
            split.centroids[split.first_centroid + c * split.n_features + f] = means[best, c]


@inner
def count_contenders(high, bar):
    """How many ranges reach the bar, or are unknown."""
    n_contenders = 0
    for i in range(high.size):
        n_contenders += not high[i] < bar
    return n_contenders


@inner
def list_contenders(candidates, high, bar, contenders):
    """List the candidates whose ranges reach the bar, in their order."""
    n_contenders = 0
    for i in range(candidates.size):
        if not high[i] < bar:
            contenders[n_contenders] = candidates[i]
            n_contenders += 1


@inner
def list_if_settled(candidates, low, high, k, heap, contenders):
    """List the `k` candidates of a heap, best first, if their ranges do not overlap.

    The heap is that of the largest `low`, and is sorted. Return whether there is no overlap.
    """
    sort_heap(k, heap)
    positions = heap.positions
    for f in range(1, k):
        if not high[positions[f]] < low[positions[f - 1]]:
            return False
    for f in range(k):
        contenders[f] = candidates[positions[f]]
    return True
