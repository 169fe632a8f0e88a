"""Grow centroid trees.

A tree is grown on a bootstrap sample, or on all rows. A node draws candidate features, chooses the
k with the best class separability score (`pycdf.kernels.select`), takes the class means on them as
centroids, and sends each row to the branch of the nearest one (`pycdf.kernels.partition`). Everything
random comes from one stream, in R's order: the bootstrap, then node by node, depth first, the
candidates and the ties. The stream goes on from tree to tree, as in R, or begins anew with a seed
for each tree.

In go the training matrix (features x rows), class codes and a stream; out come flat arrays of nodes
(see `pycdf.forest.arrays.Forest`).
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, once
from pycdf.kernels.partition import part_rows, send_rows
from pycdf.kernels.random import (
    STATE_WORDS,
    draw_with_replacement,
    draw_without_replacement,
    start_stream,
)
from pycdf.kernels.scores import group_by_class
from pycdf.kernels.select import choose_features, new_choice

Training = namedtuple(
    "Training", "columns screen codes tie_rank n_classes rule depth mnode k mtry bootstrap"
)
"""What a forest is grown from. `tie_rank` orders the classes in leaf ties; -1: never in a leaf."""


Work = namedtuple(
    "Work",
    "rows parted branch_of grouped order offsets place pool candidates drawn chosen centers "
    "distances_room distances stack before room",
)
"""Where trees are grown. `stack`: nodes that wait (first row, behind the last row, depth, parent,
branch); `before`: the stream before the tree; `room`: for the choice of features."""


@once
def _leaf_class(order, offsets, found, tie_rank):
    """The most frequent class of a node.

    R gives ties to the label that sorts first, and among labels that sort alike to the first to
    appear in the node; that is the order in which they come here.
    """
    best = 0
    most = 0
    for c in range(found):
        code = order[c]
        count = offsets[c + 1] - offsets[c]
        if tie_rank[code] >= 0 and (
            count > most or (count == most and tie_rank[code] < tie_rank[best])
        ):
            best = code
            most = count
    return best


def new_work(training: Training) -> Work:
    """Room to grow trees in."""
    n_features, n = training.columns.shape
    n_classes, mtry = training.n_classes, training.mtry
    take = min(training.k, mtry)
    pool = np.arange(n_features, dtype=np.int32)
    return Work(
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n_classes, np.int32),
        np.empty(n_classes + 1, np.int64),
        np.empty(n_classes + 1, np.int64),
        pool,
        pool[:mtry].copy(),
        np.empty(mtry, np.int32),
        np.empty(take, np.int32),
        np.empty(take * n_classes),
        np.empty(n * (n_classes + 1)),
        np.empty(n_classes),
        np.empty((n + n_classes, 5), np.int64),
        np.empty(STATE_WORDS, np.uint32),
        new_choice(training.screen, n, n_classes, mtry, take),
    )


@entry(_nrt=False)
def grow_trees(
    training, work, state, seeds, ntrees, tree_start, nodes, counts, ends, links, features,
    centroids, inbag,
):  # fmt: skip
    """Grow up to `ntrees` trees on the stream `state`; returns how many found room.

    `seeds` (one for each tree, or none): where a tree's own stream begins.

    Fills, per node: `nodes` (parent, branch, depth, rows, leaf class), `counts` of its classes, and
    `ends`: where its links, features and centroids end; per centroid: `links` (class, child); per
    tree, unless it has no columns, `inbag`: how often each row is in the bootstrap sample. A tree
    that finds no room is given back, its draws too, so that it can be grown again.
    """
    columns, screen, codes, tie_rank = (
        training.columns, training.screen, training.codes, training.tie_rank,
    )  # fmt: skip
    n_classes, rule, mtry = training.n_classes, training.rule, training.mtry
    n_features, n = columns.shape
    take = min(training.k, mtry)
    rows, parted, branch_of, grouped = work.rows, work.parted, work.branch_of, work.grouped
    order, offsets, place = work.order, work.offsets, work.place
    pool, candidates, drawn = work.pool, work.candidates, work.drawn
    chosen, centers, room, stack = work.chosen, work.centers, work.room, work.stack
    distances_room, distances, before = work.distances_room, work.distances, work.before

    node = 0
    n_links = n_chosen = n_centers = 0
    for tree in range(ntrees):
        first = tree_start[tree]
        for i in range(state.size):
            before[i] = state[i]
        if seeds.size > 0:
            start_stream(state, seeds[tree])
        if training.bootstrap:
            draw_with_replacement(state, n, rows)
        else:
            for i in range(n):
                rows[i] = i
        if inbag.shape[1] > 0:
            for i in range(n):
                inbag[tree, i] = 0
            for i in range(n):
                inbag[tree, rows[i]] += 1  # more than 255 times: less likely than 1 in 10^500
        stack[0, 0] = 0
        stack[0, 1] = n
        stack[0, 2] = 0
        stack[0, 3] = -1
        stack[0, 4] = -1
        waiting = 1
        while waiting > 0:
            if (
                node == nodes.shape[0]
                or n_links + n_classes > links.shape[0]
                or n_chosen + take > features.size
                or n_centers + take * n_classes > centroids.size
            ):
                for i in range(state.size):
                    state[i] = before[i]
                return tree
            waiting -= 1
            start = stack[waiting, 0]
            stop = stack[waiting, 1]
            depth = stack[waiting, 2]
            above = stack[waiting, 3]
            branch = stack[waiting, 4]
            here = rows[start:stop]
            found = group_by_class(here, codes, n_classes, order, grouped, offsets, place)
            nodes[node, 0] = above
            nodes[node, 1] = branch
            nodes[node, 2] = depth
            nodes[node, 3] = stop - start
            nodes[node, 4] = -1
            for c in range(n_classes):
                counts[node, c] = 0
            for c in range(found):
                counts[node, order[c]] = offsets[c + 1] - offsets[c]
            if above >= 0:
                begin = ends[first + above - 1, 0] if first + above > 0 else 0
                links[begin + branch, 1] = node - first

            if depth >= training.depth or stop - start < training.mnode or found == 1:
                nodes[node, 4] = _leaf_class(order, offsets, found, tie_rank)
            else:
                if mtry < n_features:
                    draw_without_replacement(state, pool, drawn, candidates)
                choose_features(
                    columns, screen, rule, grouped, offsets, found, candidates, take, room,
                    chosen, centers,
                )  # fmt: skip
                send_rows(
                    columns, here, chosen, take, centers, found, distances_room, distances, state,
                    branch_of,
                )  # fmt: skip
                for c in range(found):
                    links[n_links + c, 0] = order[c]
                    links[n_links + c, 1] = -1
                for f in range(take):
                    features[n_chosen + f] = chosen[f]
                for i in range(found * take):
                    centroids[n_centers + i] = centers[i]
                n_links += found
                n_chosen += take
                n_centers += found * take

                for c in range(found + 1):
                    place[c] = 0
                for i in range(here.size):
                    place[branch_of[i] + 1] += 1
                for c in range(found):
                    place[c + 1] += place[c]
                for c in range(found - 1, -1, -1):  # the first branch is grown first
                    if place[c + 1] > place[c]:
                        stack[waiting, 0] = start + place[c]
                        stack[waiting, 1] = start + place[c + 1]
                        stack[waiting, 2] = depth + 1
                        stack[waiting, 3] = node - first
                        stack[waiting, 4] = c
                        waiting += 1
                part_rows(here, branch_of, place, parted)
            ends[node, 0] = n_links
            ends[node, 1] = n_chosen
            ends[node, 2] = n_centers
            node += 1
        tree_start[tree + 1] = node
    return ntrees
