"""Grow centroid trees.

A tree is grown on a bootstrap sample. A node draws candidate features, chooses the k with the best
class separability score (`pycdf.selection`), takes the class means on them as centroids, and sends
each row to the branch of the nearest one (`pycdf.partition`). Everything random comes from one
stream, in R's order: the bootstrap, then node by node, depth first, the candidates and the ties.

In go the training matrix (features x rows), class codes and a stream; out come flat arrays of nodes
(see `pycdf.forest.Forest`).
"""

from collections import namedtuple

import numpy as np

from pycdf._jit import entry, inner, once
from pycdf.partition import send_rows
from pycdf.rstream import draw_with_replacement, draw_without_replacement
from pycdf.selection import choose_features, new_choice
from pycdf.separability import group_by_class

Training = namedtuple(
    "Training", "columns screen codes tie_rank n_classes integer depth mnode k mtry"
)
"""What a forest is grown from. `tie_rank` orders the classes in leaf ties; -1: never in a leaf."""


@once
def _leaf_class(counts, tie_rank):
    """The most frequent class; R gives ties to the label that sorts first."""
    best = -1
    for code in range(counts.size):
        if tie_rank[code] < 0 or counts[code] == 0:
            continue
        if (
            best < 0
            or counts[code] > counts[best]
            or (counts[code] == counts[best] and tie_rank[code] < tie_rank[best])
        ):
            best = code
    return max(best, 0)


@inner
def _with_room(array, used, extra):
    """The array, or a larger copy of it, with room for `extra` more rows."""
    if used + extra <= array.shape[0]:
        return array
    larger = np.empty((max(2 * array.shape[0], used + extra), array.shape[1]), array.dtype)
    for i in range(used):
        for j in range(array.shape[1]):
            larger[i, j] = array[i, j]
    return larger


@entry
def grow_trees(training, state, ntrees, importance):
    """Grow `ntrees` trees on the stream `state`; count selections in `importance`.

    Returns where trees begin; per node: (parent, branch, depth, rows, leaf), class counts, and
    where its centroids' classes, features and values end; then (class, child) per centroid,
    features, values.
    """
    columns, screen, codes, tie_rank = (
        training.columns, training.screen, training.codes, training.tie_rank,
    )  # fmt: skip
    n_classes, integer, mtry = training.n_classes, training.integer, training.mtry
    n_features, n = columns.shape
    take = min(training.k, mtry)

    rows = np.empty(n, np.int32)
    parted = np.empty(n, np.int32)
    branch_of = np.empty(n, np.int32)
    grouped = np.empty(n, np.int32)
    order = np.empty(n_classes, np.int32)
    offsets = np.empty(n_classes + 1, np.int64)
    place = np.empty(n_classes + 1, np.int64)
    pool = np.empty(n_features, np.int32)
    for j in range(n_features):
        pool[j] = j
    candidates = pool[:mtry].copy()
    drawn = np.empty(mtry, np.int32)
    chosen = np.empty(take, np.int32)
    centers = np.empty(take * n_classes)
    room = new_choice(screen, n, n_classes, mtry, take)
    values = np.empty(n)
    plain = np.empty(n * n_classes)
    distances = np.empty(n_classes)

    tree_start = np.zeros(ntrees + 1, np.int64)
    nodes = np.empty((16 * ntrees, 5), np.int32)
    counts = np.empty((16 * ntrees, n_classes), np.int32)
    ends = np.zeros((16 * ntrees, 3), np.int64)
    links = np.empty((16 * ntrees, 2), np.int32)
    features = np.empty((8 * ntrees * take, 1), np.int32)
    centroids = np.empty((16 * ntrees * take, 1))
    n_nodes = n_links = n_chosen = n_centers = 0
    # nodes that wait to be grown: first row, behind the last row, depth, parent, branch
    stack = np.empty((64, 5), np.int64)

    for tree in range(ntrees):
        first = n_nodes
        draw_with_replacement(state, n, rows)
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, n, 0, -1, -1
        waiting = 1
        while waiting > 0:
            waiting -= 1
            start, stop, depth = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
            above, branch = stack[waiting, 3], stack[waiting, 4]
            here = rows[start:stop]
            found = group_by_class(here, codes, n_classes, order, grouped, offsets, place)

            nodes = _with_room(nodes, n_nodes, 1)
            counts = _with_room(counts, n_nodes, 1)
            ends = _with_room(ends, n_nodes, 1)
            node = n_nodes
            n_nodes += 1
            nodes[node, 0], nodes[node, 1], nodes[node, 2] = above, branch, depth
            nodes[node, 3], nodes[node, 4] = stop - start, -1
            for c in range(n_classes):
                counts[node, c] = 0
            for c in range(found):
                counts[node, order[c]] = offsets[c + 1] - offsets[c]
            if above >= 0:
                before = ends[first + above - 1, 0] if first + above > 0 else 0
                links[before + branch, 1] = node - first

            if depth >= training.depth or stop - start < training.mnode or found == 1:
                nodes[node, 4] = _leaf_class(counts[node], tie_rank)
            else:
                if mtry < n_features:
                    draw_without_replacement(state, pool, drawn, candidates)
                choose_features(
                    columns, screen, integer, grouped, offsets, found, candidates, take, room,
                    chosen, centers,
                )  # fmt: skip
                send_rows(
                    columns, here, chosen, centers, found, values, plain, distances, state,
                    branch_of,
                )  # fmt: skip

                links = _with_room(links, n_links, found)
                for c in range(found):
                    links[n_links + c, 0] = order[c]
                    links[n_links + c, 1] = -1
                features = _with_room(features, n_chosen, take)
                for f in range(take):
                    features[n_chosen + f, 0] = chosen[f]
                    importance[chosen[f]] += 1
                centroids = _with_room(centroids, n_centers, found * take)
                for i in range(found * take):
                    centroids[n_centers + i, 0] = centers[i]
                n_links += found
                n_chosen += take
                n_centers += found * take

                # The rows of each branch stay in their order, next to each other.
                for c in range(found + 1):
                    place[c] = 0
                for i in range(here.size):
                    place[branch_of[i] + 1] += 1
                stack = _with_room(stack, waiting, found)
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
                for i in range(here.size):
                    parted[place[branch_of[i]]] = here[i]
                    place[branch_of[i]] += 1
                for i in range(here.size):
                    here[i] = parted[i]
            ends[node, 0], ends[node, 1], ends[node, 2] = n_links, n_chosen, n_centers
        tree_start[tree + 1] = n_nodes
    return (
        tree_start, nodes[:n_nodes], counts[:n_nodes], ends[:n_nodes],
        links[:n_links], features[:n_chosen, 0], centroids[:n_centers, 0],
    )  # fmt: skip
