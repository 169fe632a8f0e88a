"""Send rows down the trees of a forest to the leaves that vote for them.

In go rows (features x rows, doubles) and a `pycdf.forest.arrays.Forest`; out come votes per class and, if
asked for, the node in which each row ends in each tree. A row goes to the first nearest centroid.
Where it has no finite distance, or nobody went that way in training, it falls out of the tree,
which then votes for the first class, as in R.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry
from pycdf.kernels.partition import first_nearest, part_rows, plain_distances

FELL_OUT = -1

Work = namedtuple("Work", "rows parted branch_of place room stack")
"""Where rows are routed. `stack`: nodes that wait (node, first row, behind the last row)."""


def new_work(n: int, n_classes: int) -> Work:
    """Room for `n` rows."""
    return Work(
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n_classes + 2, np.int64),
        np.empty((n_classes + 1) * n),
        np.empty((n + n_classes, 3), np.int64),
    )


@entry(_nrt=False)
def route_rows(forest, columns, work, votes, nodes):
    """Add every tree's vote for every row to `votes` (rows x classes).

    `nodes` (rows x trees, or rows x 0 for none) gets the node of the forest in which a row ends, or
    FELL_OUT.
    """
    leaf, children, centroids = forest.leaf, forest.children, forest.centroids
    class_start, feature_start = forest.class_start, forest.feature_start
    centroid_start, features = forest.centroid_start, forest.features
    rows, parted, branch_of = work.rows, work.parted, work.branch_of
    place, room, stack = work.place, work.room, work.stack
    n = columns.shape[1]
    for tree in range(forest.tree_start.size - 1):
        first_node = forest.tree_start[tree]
        for i in range(n):
            rows[i] = i
        stack[0, 0] = first_node
        stack[0, 1] = 0
        stack[0, 2] = n
        waiting = 1
        while waiting > 0:
            waiting -= 1
            node = stack[waiting, 0]
            start = stack[waiting, 1]
            stop = stack[waiting, 2]
            if node < 0 or leaf[node] >= 0:
                vote = 0 if node < 0 else leaf[node]
                for i in range(start, stop):
                    votes[rows[i], vote] += 1
                if nodes.shape[1] > 0:
                    for i in range(start, stop):
                        nodes[rows[i], tree] = node
                continue
            here = rows[start:stop]
            links = class_start[node]
            found = class_start[node + 1] - links
            first = feature_start[node]
            take = feature_start[node + 1] - first
            center = centroid_start[node]
            plain_distances(columns, here, features, first, take, centroids, center, found, room)
            # branch 0 is for rows that have no nearest centroid
            for c in range(found + 2):
                place[c] = 0
            for i in range(here.size):
                branch = 1 + first_nearest(
                    columns, here[i], features, first, take, centroids, center, found, room,
                    here.size, i,
                )  # fmt: skip
                branch_of[i] = branch
                place[branch + 1] += 1
            for c in range(found + 1):
                place[c + 1] += place[c]
                if place[c + 1] > place[c]:
                    child = children[links + c - 1] if c > 0 else FELL_OUT
                    stack[waiting, 0] = first_node + child if child >= 0 else FELL_OUT
                    stack[waiting, 1] = start + place[c]
                    stack[waiting, 2] = start + place[c + 1]
                    waiting += 1
            part_rows(here, branch_of, place, parted)
