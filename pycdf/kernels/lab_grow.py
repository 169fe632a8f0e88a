"""Grow trees with other distances and scores than R's.

Everything else is as in :mod:`pycdf.kernels.grow`: what is drawn, and in which order, the
centroids, ties, and where a tree stops.
"""

from collections import namedtuple

from pycdf.kernels.compile import Kernel, entry
from pycdf.kernels.grouping import group_by_class, leaf_class
from pycdf.kernels.grow import PAUSED, Training, Work
from pycdf.kernels.lab_choice import (
    choose_best,
    exact_scores,
    keep_contenders,
    measure_spreads,
    new_choice,
    new_scorer,
)
from pycdf.kernels.lab_distances import distance_of
from pycdf.kernels.lab_partition import new_measure, new_measured
from pycdf.kernels.lab_ranks import Order
from pycdf.kernels.lab_scores import score_of
from pycdf.kernels.partition import Split, nearest_or_tied, send_rows, sort_by_branch
from pycdf.kernels.random import draw_without_replacement, start_stream
from pycdf.kernels.select import choose_features
from pycdf.kernels.tree_nodes import (
    CENTROIDS,
    DEPTH,
    END,
    FEATURES,
    FIRST,
    LEAF,
    LINKS,
    ROWS,
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

R = 0  # the number of R's distance, and of R's score

Lab = namedtuple("Lab", "distance score redundancy")
"""The numbers of a distance and of a score, int64, and how much a feature loses by its correlation
with one that is chosen already, float64 from 0 to 1."""

LabWork = namedtuple("LabWork", "choice measured")
"""Scratch arrays of the kernels that choose features and measure distances."""


def new_lab_work(training: Training, work: Work, order: Order) -> LabWork:
    """Scratch arrays for a batch of any size; it shares some with `work`."""
    n, n_classes, lanes = len(training.codes), training.n_classes, work.selection.scored.lanes
    return LabWork(
        choice=new_choice(n, n_classes, training.mtry, training.k, lanes, order),
        measured=new_measured(training.k, n_classes),
    )


def new_grower(distance: Kernel, score: Kernel, own: bool) -> Kernel:
    """The kernel that grows trees by a distance and a score, which take a number first.

    If one of them is not pycdf's `own`, the kernel is compiled in each process.
    """
    measure = new_measure(distance)
    score_candidates = new_scorer(score)

    def grow_lab_trees(
        training, lab, work, lab_work, state, seeds, ntrees, batch, spreads, most_cells
    ):
        """Grow up to `ntrees` trees; return how many fit into the batch, or PAUSED.

        As :func:`pycdf.kernels.grow.grow_trees`. `spreads`, float64, gets a spread for each element
        of `batch.features`.
        """
        nodes, starts, links = batch.nodes, batch.starts, batch.links
        columns, k, drawn = training.columns, training.k, work.candidates.drawn
        rows, classes, stack, partition = work.rows, work.classes, work.stack, work.partition
        paused, choice, measured = work.paused, lab_work.choice, lab_work.measured
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
                    n_centroids, n_features = n_found, min(k, drawn.size)
                    cells += here.size * training.mtry
                    split = Split(
                        features=batch.features,
                        first_feature=starts[node, FEATURES],
                        n_features=n_features,
                        centroids=batch.centroids,
                        first_centroid=starts[node, CENTROIDS],
                        n_centroids=n_centroids,
                    )
                    if training.mtry < columns.shape[0]:
                        draw_without_replacement(
                            state, work.candidates, training.mtry, training.rounding
                        )
                    if lab.score == R and lab.redundancy == 0.0:
                        choose_features(
                            columns, training.screen, training.rule, classes, drawn,
                            work.selection, split,
                        )  # fmt: skip
                    else:
                        scored, some = work.selection.scored, drawn
                        if lab.score == R:
                            count = keep_contenders(
                                training.screen, training.rule, classes, drawn, lab.redundancy,
                                n_features, work.selection, n_centroids,
                            )  # fmt: skip
                            some = work.selection.contenders[:count]
                            exact_scores(
                                columns, some, count, classes, n_centroids, training.rule, scored
                            )
                        else:
                            score_candidates(
                                lab.score, columns, classes, n_centroids, drawn, scored.scores,
                                choice,
                            )  # fmt: skip
                        choose_best(
                            columns, training.rule, classes, some, lab.redundancy, work.selection,
                            split, choice,
                        )  # fmt: skip
                    measure_spreads(columns, classes, split, spreads, choice)
                    if lab.distance == R:
                        send_rows(columns, here, split, state, partition)
                    else:
                        for i in range(here.size):
                            measure(lab.distance, columns, here[i], split, spreads, measured)
                            partition.branch_of[i] = nearest_or_tied(
                                measured.distances, n_centroids, state
                            )
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

    grow_lab_trees.__qualname__ = grow_lab_trees.__name__  # in the cache
    return entry(kept=own)(grow_lab_trees)


grow_lab_trees = new_grower(distance_of, score_of, own=True)
