"""Grow centroid trees.

A tree is grown on a bootstrap sample, or on all rows. A node draws candidate features, chooses the
k with the best class separability scores (:mod:`pycdf.kernels.select`), uses the class means on
them as centroids, and sends each row to the branch of the nearest one
(:mod:`pycdf.kernels.partition`). Everything random comes from one stream, in R's order: the
bootstrap, then node by node, depth first, the candidates and the ties. The stream continues from
tree to tree, as in R, or starts again with a seed for each tree.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import Kernel, entry, inlined
from pycdf.kernels.grouping import group_by_class, leaf_class, new_class_rows
from pycdf.kernels.partition import Split, new_partition, send_rows, sort_by_branch
from pycdf.kernels.random import (
    STATE_WORDS,
    draw_without_replacement,
    new_candidates,
    start_stream,
)
from pycdf.kernels.select import choose_features, count_needed, new_selection
from pycdf.kernels.tree_nodes import (
    CENTROIDS,
    DEPTH,
    END,
    FEATURES,
    FIRST,
    LEAF,
    LINKS,
    ROWS,
    TreeBatch,
    add_links,
    add_node,
    copy_words,
    count_draws,
    draw_rows,
    has_space,
    link_parent,
    pause_at,
    push_children,
    push_node,
)

Training = namedtuple(
    "Training",
    "columns screen codes tie_rank n_classes rule depth mnode k mtry bootstrap strata rounding",
)
"""What a forest is grown from.

`columns`: the matrix, features x rows, float64; `screen`: its Screen; `codes`: the class of each
row, int32. `tie_rank` orders the classes in leaf ties, int32; -1: no leaf votes for it. `rule`: the
Rule of standard deviations. `strata`: the Strata of a bootstrap that is drawn class by class, and
None if it is R's. `rounding`: None, or True for R's sampling before 3.6.0. The others are R's
parameters, `k` at most `mtry`.
"""

PAUSED = -1  # what grow_trees returns in the middle of its work

Work = namedtuple("Work", "rows classes candidates selection partition stack saved_state paused")
"""Scratch arrays for :func:`grow_trees`.

`rows` of a tree, sorted by nodes, int32; the records of the kernels that choose features and
partition rows; the `stack` of nodes still to grow, int64; the stream's state before the tree,
uint32; and where growing was `paused`, int64: the tree, the next node, the tree's root, and the
height of the stack, which is 0 between trees.
"""


def new_batch(ntrees: int, n_nodes: int, training: Training, keep_inbag: bool) -> TreeBatch:
    """Arrays for up to `ntrees` trees with up to `n_nodes` nodes in all."""
    n_links = n_nodes + training.n_classes
    return TreeBatch(
        tree_start=np.zeros(ntrees + 1, np.int64),
        nodes=np.empty((n_nodes, 5), np.int32),
        counts=np.empty((n_nodes, training.n_classes), np.int32),
        starts=np.zeros((n_nodes + 1, 3), np.int64),
        links=np.empty((n_links, 2), np.int32),
        features=np.empty(n_nodes * training.k, np.int32),
        centroids=np.empty(n_links * training.k),
        inbag=np.empty((ntrees, len(training.codes) * keep_inbag), np.uint8),
    )


def new_work(training: Training) -> Work:
    """Scratch arrays for a batch of any size."""
    n_features, n = training.columns.shape
    n_classes, mtry = training.n_classes, training.mtry
    return Work(
        rows=np.empty(n, np.int32),
        classes=new_class_rows(n, n_classes),
        candidates=new_candidates(n_features, mtry),
        selection=new_selection(training.screen, n, n_classes, mtry, training.k),
        partition=new_partition(n, n_classes),
        stack=np.empty((n + n_classes, 5), np.int64),
        saved_state=np.empty(STATE_WORDS, np.uint32),
        paused=np.zeros(4, np.int64),
    )


@inlined
def split_as_r(training, work, here, split, state, rules):
    """Choose the features of a node by R's score, and send its rows by R's distance."""
    columns, rule, classes = training.columns, training.rule, work.classes
    n_found, mtry, drawn = split.n_centroids, training.mtry, work.candidates.drawn
    if mtry < columns.shape[0]:  # R draws nothing if all are candidates
        needed = count_needed(classes, n_found, rule.ddof, split.n_features, mtry)
        draw_without_replacement(state, work.candidates, needed, training.rounding)
    choose_features(columns, training.screen, rule, classes, drawn, work.selection, split)
    send_rows(columns, here, split, state, work.partition)


def new_grower(split_rows: Kernel, name: str, kept: bool = True) -> Kernel:
    """The kernel of this name that grows trees whose nodes are split by `split_rows`.

    What `split_rows(training, work, here, split, state, rules)` does: draw candidates, write the
    chosen features and their class means to `split`, and the branch of each row `here` to
    `work.partition.branch_of`. If the grower is not `kept` in the cache, it is compiled in each
    process.
    """

    def grow(training, work, state, seeds, ntrees, batch, rules, most_cells):
        """Grow up to `ntrees` trees; return how many fit into the batch, or PAUSED.

        A tree that does not fit is undone, including its draws, so that it can be grown again. A
        call that pauses does not lose anything: the same call continues.

        Parameters
        ----------
        training : Training
        work : Work
        state : uint32
            The random stream, which is advanced.
        seeds : uint32, one for each tree or none
            Where a tree's own stream begins.
        ntrees : int
        batch : TreeBatch
        rules : None or a record
            What `split_rows` needs besides: nothing, if the forest is R's.
        most_cells : int
            Pause between two nodes after looking at so many cells (candidates x rows).
        """
        # Arrays are taken out of the larger records here: each access costs compile time.
        nodes, starts, links = batch.nodes, batch.starts, batch.links
        k, rows, classes, stack = training.k, work.rows, work.classes, work.stack
        partition, paused = work.partition, work.paused
        tree, node, root, waiting = paused[0], paused[1], paused[2], paused[3]
        cells = 0
        while tree < ntrees:
            if waiting == 0:
                root = node
                copy_words(state, work.saved_state)
                if seeds.size > 0:
                    start_stream(state, seeds[tree])
                draw_rows(training.bootstrap, training.strata, state, rows, training.rounding)
                count_draws(rows, batch.inbag, tree)
                push_node(stack, 0, -1, -1, 0, 0, rows.size)
                waiting = 1
            while waiting > 0:
                if cells > most_cells:
                    pause_at(paused, tree, node, root, waiting)
                    return PAUSED
                if not has_space(batch, node, training.n_classes, k):
                    copy_words(work.saved_state, state)
                    pause_at(paused, 0, 0, 0, 0)
                    return tree
                waiting -= 1
                first, end = stack[waiting, FIRST], stack[waiting, END]
                here = rows[first:end]
                n_found = group_by_class(here, training.codes, classes)
                add_node(nodes, batch.counts, node, stack, waiting, classes, n_found)
                link_parent(nodes, starts, links, node, root)
                n_centroids = n_features = 0
                if (
                    nodes[node, DEPTH] >= training.depth
                    or nodes[node, ROWS] < training.mnode
                    or n_found == 1
                ):
                    nodes[node, LEAF] = leaf_class(classes, n_found, training.tie_rank)
                else:
                    n_centroids, n_features = n_found, min(k, work.candidates.drawn.size)
                    cells += here.size * training.mtry
                    split = Split(
                        features=batch.features,
                        first_feature=starts[node, FEATURES],
                        n_features=n_features,
                        centroids=batch.centroids,
                        first_centroid=starts[node, CENTROIDS],
                        n_centroids=n_centroids,
                    )
                    split_rows(training, work, here, split, state, rules)
                    sort_by_branch(here, n_centroids, partition)
                    waiting = push_children(
                        stack, waiting, node - root, nodes[node, DEPTH] + 1, first, n_centroids,
                        partition.starts,
                    )  # fmt: skip
                    add_links(links, starts[node, LINKS], classes, n_centroids)
                starts[node + 1, LINKS] = starts[node, LINKS] + n_centroids
                starts[node + 1, FEATURES] = starts[node, FEATURES] + n_features
                starts[node + 1, CENTROIDS] = starts[node, CENTROIDS] + n_centroids * n_features
                node += 1
            tree += 1
            batch.tree_start[tree] = node
        pause_at(paused, 0, 0, 0, 0)
        return ntrees

    grow.__name__ = grow.__qualname__ = name  # in the cache
    return entry(kept=kept)(grow)


grow_trees = new_grower(split_as_r, "grow_trees")
