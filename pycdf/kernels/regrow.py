"""Part the training rows of a forest as its trees did while they grew: the kernel.

In go a grown forest, its training matrix (features x rows) and the stream from where it began; out
come the rows of each node and the class separability scores of its features on them. All that is
random is drawn again in the order of :mod:`pycdf.kernels.grow`; what was chosen is known.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry
from pycdf.kernels.partition import part_rows, send_rows
from pycdf.kernels.random import draw_with_replacement, draw_without_replacement, start_stream
from pycdf.kernels.scores import group_by_class, new_lanes, score_of, settle_lanes
from pycdf.kernels.simd import LANES

Work = namedtuple(
    "Work",
    "parted branch_of grouped order offsets place pool candidates drawn room distances lanes",
)
"""Where trees are grown again; the names are those of :mod:`pycdf.kernels.grow`."""


def new_work(n: int, n_features: int, n_classes: int, mtry: int) -> Work:
    """Room for trees of `n` rows."""
    pool = np.arange(n_features, dtype=np.int32)
    return Work(
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n_classes, np.int32),
        np.empty(n_classes + 1, np.int64),
        np.empty(n_classes + 1, np.int64),
        pool,
        pool[:mtry].copy(),
        np.empty(mtry, np.int32),
        np.empty(n * (n_classes + 1)),
        np.empty(n_classes),
        new_lanes(n, n_classes),
    )


@entry(_nrt=False)
def grow_known_trees(
    forest, columns, codes, rule, with_stream, bootstrap, state, seeds, work, drawn, spans, scores,
    means, known,
):  # fmt: skip
    """Part the rows that each tree drew (`drawn`, filled in if `bootstrap`) as its nodes do.

    Fills, per node: `spans`, and in `known` whether its class counts are the forest's; per selected
    feature `scores`; and `means` as the forest has its centroids. `seeds` (one for each tree, or
    none): where a tree's own stream begins.
    """
    leaf, counts = forest.leaf, forest.counts
    children, centroids = forest.children, forest.centroids
    class_start, feature_start = forest.class_start, forest.feature_start
    centroid_start, features, node_classes = (
        forest.centroid_start, forest.features, forest.node_classes,
    )  # fmt: skip
    parted, branch_of, grouped = work.parted, work.branch_of, work.grouped
    order, offsets, place = work.order, work.offsets, work.place
    pool, candidates, room, distances = work.pool, work.candidates, work.room, work.distances
    lanes, lane_means, lane_spreads = work.lanes, work.lanes.means, work.lanes.spreads
    places = work.drawn
    n_classes = counts.shape[1]
    n_features, n = columns.shape
    for tree in range(forest.tree_start.size - 1):
        root = forest.tree_start[tree]
        rows = drawn[tree]
        if seeds.size > 0:
            start_stream(state, seeds[tree])
        if bootstrap:
            draw_with_replacement(state, n, rows)
        spans[root, 1] = n
        for node in range(root, forest.tree_start[tree + 1]):
            start = spans[node, 0]
            stop = spans[node, 1]
            here = rows[start:stop]
            found = group_by_class(here, codes, n_classes, order, grouped, offsets, place)
            total = 0
            for c in range(found):
                size = offsets[c + 1] - offsets[c]
                total += size if counts[node, order[c]] == size else 0
            known[node] = total == forest.rows[node] == here.size
            if leaf[node] >= 0:
                continue
            if with_stream and candidates.size < n_features:
                draw_without_replacement(state, pool, places, candidates)
            links = class_start[node]
            n_links = class_start[node + 1] - links
            begin = feature_start[node]
            take = feature_start[node + 1] - begin
            center = centroid_start[node]
            if known[node]:
                for first in range(begin, begin + take, LANES):
                    last = min(first + LANES, begin + take)
                    settle_lanes(
                        columns, features, first, last, grouped, offsets, found, rule, lanes
                    )
                    for f in range(first, last):
                        scores[f] = score_of(lane_means, lane_spreads, f - first, found)
                        for c in range(found):
                            at = center + f - begin
                            for link in range(n_links):
                                if node_classes[links + link] == order[c]:
                                    means[at + link * take] = lane_means[f - first, c]
            send_rows(
                columns, here, features[begin : begin + take], take, centroids[center:], n_links,
                room, distances, state, branch_of,
            )  # fmt: skip
            for c in range(n_links + 1):
                place[c] = 0
            for i in range(here.size):
                place[branch_of[i] + 1] += 1
            for c in range(n_links):
                place[c + 1] += place[c]
                child = children[links + c]
                if child >= 0:
                    spans[root + child, 0] = start + place[c]
                    spans[root + child, 1] = start + place[c + 1]
            part_rows(here, branch_of, place, parted)
