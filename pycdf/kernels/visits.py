"""Where rows go in a tree: the nodes that they visit, and their distances to the centroids there.

:mod:`pycdf.kernels.shuffle` needs them to know which rows a shuffled feature sends elsewhere.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, inlined
from pycdf.kernels.partition import (
    first_nearest,
    new_partition,
    plain_distances,
    sort_by_branch,
    split_at,
)
from pycdf.kernels.route import FELL_OUT, branches_as_r

FIRST, END = range(2)  # columns of Places.spans
UNKNOWN = -1  # a vote

Places = namedtuple("Places", "rows spans votes partition")
"""Where rows go in a tree.

`rows`, sorted by nodes, int32; `spans`: nodes x (FIRST, END), which of them are in a node, int64;
`votes`: the class that the tree votes for, by row, int32; and the scratch arrays of a `partition`.
"""

Visits = namedtuple("Visits", "branch_of distances largest votes starts ends")
"""The rows of each split node, one node after the other, as `Places.rows` has them.

`branch_of` each row, int32; -1 if it has none. `distances` to the centroids, float64: of all rows
to the first centroid, then to the second, and so on; and the `largest` in each node. `votes` for
the rows if they take the branch of that centroid, int32; UNKNOWN until they are needed. `starts`,
nodes x 2, int64: of a node's rows in `branch_of`, and of its numbers in `distances` and `votes`.
`ends`, int64: the last node below each node, plus one.
"""


def new_places(n: int, n_nodes: int, n_classes: int) -> Places:
    """Arrays for `n` rows and a tree of so many nodes."""
    return Places(
        rows=np.empty(n, np.int32),
        spans=np.empty((n_nodes, 2), np.int64),
        votes=np.empty(n, np.int32),
        partition=new_partition(n, n_classes + 1),
    )


def new_visits(n: int, n_nodes: int, visits: int, distances: int) -> Visits:
    """Arrays for `n` rows that visit split nodes so many times, with so many distances in all."""
    return Visits(
        branch_of=np.empty(visits, np.int32),
        distances=np.empty(distances + n),  # the last part is scratch
        largest=np.empty(n_nodes),
        votes=np.full(distances, UNKNOWN, np.int32),
        starts=np.empty((n_nodes, 2), np.int64),
        ends=np.empty(n_nodes, np.int64),
    )


@entry
def place_rows(tree, columns, places):
    """Send all rows down a tree; return how often they visit split nodes, and how many distances
    that makes.

    Parameters
    ----------
    tree : pycdf.forest.arrays.Forest
        Of a single tree.
    columns : float64, features x rows
    places : Places
        Gets the result.
    """
    leaf, class_start, children = tree.leaf, tree.class_start, tree.children
    rows, spans, votes, partition = places.rows, places.spans, places.votes, places.partition
    root, end = tree.tree_start[0], tree.tree_start[1]
    for i in range(rows.size):
        rows[i] = i
    for node in range(end - root):
        spans[node, FIRST] = spans[node, END] = 0
    spans[0, END] = rows.size
    visits = distances = 0
    for node in range(root, end):
        first = spans[node - root, FIRST]
        here = rows[first : spans[node - root, END]]
        if here.size == 0:
            continue
        if leaf[node] >= 0:
            _set_votes(leaf[node], here, votes)
            continue
        split = split_at(tree, node)
        visits += here.size
        distances += here.size * split.n_centroids
        branches_as_r(columns, here, split, partition, None)
        sort_by_branch(here, split.n_centroids + 1, partition)
        for branch in range(split.n_centroids + 1):
            start, stop = partition.starts[branch], partition.starts[branch + 1]
            child = children[class_start[node] + branch - 1] if branch > 0 else FELL_OUT
            if child >= 0:
                spans[child, FIRST] = first + start
                spans[child, END] = first + stop
            else:
                _set_votes(0, here[start:stop], votes)
    return visits, distances


@inlined
def _set_votes(vote, rows, votes):
    for i in range(rows.size):
        votes[rows[i]] = vote


@inlined
def measure_visits(tree, columns, places, visits):
    """Compute the distances of the rows of all split nodes, and the branches that they take."""
    root = tree.tree_start[0]
    n_nodes = visits.ends.size
    for node in range(n_nodes):
        visits.ends[node] = node + 1
    for node in range(n_nodes - 1, 0, -1):
        above = tree.parent[root + node]
        visits.ends[above] = max(visits.ends[above], visits.ends[node])
    done = distances_done = 0
    for node in range(n_nodes):
        here = places.rows[places.spans[node, FIRST] : places.spans[node, END]]
        visits.starts[node, 0] = done
        visits.starts[node, 1] = distances_done
        if tree.leaf[root + node] >= 0 or here.size == 0:
            continue
        split = split_at(tree, root + node)
        distances = visits.distances[distances_done:]
        plain_distances(columns, here, split, distances)
        for i in range(here.size):
            visits.branch_of[done + i] = first_nearest(columns, here, i, split, distances)
        largest = 0.0
        for i in range(here.size * split.n_centroids):
            largest = max(largest, distances[i])
        visits.largest[node] = largest
        done += here.size
        distances_done += here.size * split.n_centroids
