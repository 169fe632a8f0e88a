"""Partition the training rows of a forest again, as its trees did while they grew.

Random numbers are drawn again in the order of :mod:`pycdf.kernels.grow`; the selected features and
their centroids are known from the forest. This gives the rows of each node, and the class
separability scores of its features on these rows.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, inlined
from pycdf.kernels.grouping import group_by_class, new_class_rows
from pycdf.kernels.partition import new_partition, send_rows, sort_by_branch, split_at
from pycdf.kernels.random import (
    draw_without_replacement,
    new_candidates,
    start_stream,
)
from pycdf.kernels.scores import new_scored, score_features
from pycdf.kernels.strata import draw_sample

FIRST, END = range(2)  # columns of Regrown.spans

Regrown = namedtuple("Regrown", "drawn spans scores means known")
"""The results of :func:`regrow_trees`.

`drawn`: trees x rows, int32: the rows that each tree drew, finally sorted by nodes.
`spans`: nodes x (FIRST, END), int64: which of them are in a node.
`scores`: float64, of each selected feature, in the order of the forest's.
`means`: float64, class means in the order of the forest's centroids.
`known`: bool, for each node whether its class counts are the forest's.
"""

Work = namedtuple("Work", "classes candidates scored partition")
"""Scratch arrays for :func:`regrow_trees`: the records of the kernels that it calls."""


def new_regrown(n_trees: int, n: int, n_nodes: int, n_scores: int, n_means: int) -> Regrown:
    """Arrays for a forest of this size; unknown values are NaN."""
    return Regrown(
        drawn=np.empty((n_trees, n), np.int32),
        spans=np.zeros((n_nodes, 2), np.int64),
        scores=np.full(n_scores, np.nan),
        means=np.full(n_means, np.nan),
        known=np.zeros(n_nodes, np.bool_),
    )


def new_work(n: int, n_features: int, n_classes: int, mtry: int, k: int) -> Work:
    """Scratch arrays for trees of `n` rows with up to `k` features in a node."""
    return Work(
        classes=new_class_rows(n, n_classes),
        candidates=new_candidates(n_features, mtry),
        scored=new_scored(n, n_classes, k),
        partition=new_partition(n, n_classes),
    )


@entry
def regrow_trees(
    forest,
    columns,
    codes,
    rule,
    draws_candidates,
    bootstrap,
    strata,
    rounding,
    state,
    seeds,
    work,
    regrown,
):
    """Partition the rows that each tree drew, as its nodes do.

    Parameters
    ----------
    forest : pycdf.forest.arrays.Forest
    columns : float64, features x rows
        The training matrix.
    codes : int32, rows
        The class of each row.
    rule : Rule
    draws_candidates : bool
        Whether nodes draw candidates again, as they did if the stream is the forest's.
    bootstrap : bool
        Whether trees draw their rows again; otherwise these are given in `regrown.drawn`.
    strata : Strata or None
        The rows by class, if they are drawn class by class.
    rounding : None or True
        How the forest's stream draws samples (:mod:`pycdf.kernels.random`).
    state : uint32
        The random stream.
    seeds : uint32, one for each tree or none
        Where a tree's own stream begins.
    work : Work
    regrown : Regrown
    """
    spans, known = regrown.spans, regrown.known
    classes, candidates, partition = work.classes, work.candidates, work.partition
    n_features, n = columns.shape
    for tree in range(forest.tree_start.size - 1):
        root = forest.tree_start[tree]
        rows = regrown.drawn[tree]
        if seeds.size > 0:
            start_stream(state, seeds[tree])
        if bootstrap:
            draw_sample(state, strata, rows, rounding)
        spans[root, END] = n
        for node in range(root, forest.tree_start[tree + 1]):
            first = spans[node, FIRST]
            here = rows[first : spans[node, END]]
            n_found = group_by_class(here, codes, classes)
            known[node] = _has_same_counts(forest, node, classes, n_found, here.size)
            if forest.leaf[node] >= 0:
                continue
            if draws_candidates and candidates.drawn.size < n_features:
                draw_without_replacement(state, candidates, 0, rounding)  # only the stream matters
            split = split_at(forest, node)
            if known[node]:
                score_features(
                    columns, split.features, split.first_feature, split.n_features, classes,
                    n_found, rule, work.scored,
                )  # fmt: skip
                _keep_scores(forest, node, split, classes, n_found, work.scored, regrown)
            send_rows(columns, here, split, state, partition)
            sort_by_branch(here, split.n_centroids, partition)
            links = forest.class_start[node]
            for branch in range(split.n_centroids):
                child = forest.children[links + branch]
                if child >= 0:
                    spans[root + child, FIRST] = first + partition.starts[branch]
                    spans[root + child, END] = first + partition.starts[branch + 1]


@inlined
def _has_same_counts(forest, node, classes, n_found, n_rows):
    """Whether a node has as many rows of each class as it had when the forest grew."""
    same = 0
    for c in range(n_found):
        size = classes.starts[c + 1] - classes.starts[c]
        same += size if forest.counts[node, classes.codes[c]] == size else 0
    return same == forest.rows[node] == n_rows


@inlined
def _keep_scores(forest, node, split, classes, n_found, scored, regrown):
    """Copy scores and class means of a node to their positions in the forest."""
    links = forest.class_start[node]
    for f in range(split.n_features):
        regrown.scores[split.first_feature + f] = scored.scores[f]
        for c in range(n_found):
            for link in range(split.n_centroids):
                if forest.node_classes[links + link] == classes.codes[c]:
                    position = split.first_centroid + link * split.n_features + f
                    regrown.means[position] = scored.means[f, c]
