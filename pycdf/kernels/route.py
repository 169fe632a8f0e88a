"""Send rows down the trees of a forest to the leaves that vote for them.

A row goes to the first nearest centroid. If it has no finite distance, or no training row went that
way, it falls out of the tree, which then votes for the first class, as in R.
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

FELL_OUT = -1

_NODE, _FIRST, _END = range(3)  # columns of the stack

Work = namedtuple("Work", "rows partition stack")
"""Scratch arrays for :func:`route_rows`: `rows`, sorted by nodes, int32; those of the `partition`;
and the `stack` of nodes still to visit, with their rows, int64."""


def new_work(n: int, n_classes: int) -> Work:
    """Scratch arrays for `n` rows."""
    return Work(
        rows=np.empty(n, np.int32),
        partition=new_partition(n, n_classes + 1),
        stack=np.empty((n + n_classes, 3), np.int64),
    )


@entry(_nrt=False)
def route_rows(forest, columns, work, votes, nodes):
    """Add every tree's vote for every row to `votes`.

    Parameters
    ----------
    forest : pycdf.forest.arrays.Forest
    columns : float64, features x rows
    work : Work
    votes : int64, rows x classes
    nodes : int64, rows x trees, or rows x 0
        Gets the node of the forest in which a row ends, or FELL_OUT.
    """
    rows, stack = work.rows, work.stack
    n = columns.shape[1]
    for tree in range(forest.tree_start.size - 1):
        root = forest.tree_start[tree]
        for i in range(n):
            rows[i] = i
        _push(stack, 0, root, 0, n)
        waiting = 1
        while waiting > 0:
            waiting -= 1
            node, first, end = stack[waiting, _NODE], stack[waiting, _FIRST], stack[waiting, _END]
            here = rows[first:end]
            if node < 0 or forest.leaf[node] >= 0:
                _vote(forest, tree, node, here, votes, nodes)
            else:
                _choose_branches(forest, node, columns, here, work.partition)
                waiting = _push_children(
                    forest, node, root, stack, waiting, first, work.partition.starts
                )


@inlined
def _vote(forest, tree, node, rows, votes, nodes):
    """Count the vote of a leaf for its rows."""
    vote = 0 if node < 0 else forest.leaf[node]
    for i in range(rows.size):
        votes[rows[i], vote] += 1
    if nodes.shape[1] > 0:
        for i in range(rows.size):
            nodes[rows[i], tree] = node


@inlined
def _choose_branches(forest, node, columns, rows, scratch):
    """Sort the rows of a node by branch: 0 for rows without a nearest centroid, then the others."""
    split = split_at(forest, node)
    distances, branch_of = scratch.distances, scratch.branch_of
    plain_distances(columns, rows, split, distances)
    for i in range(rows.size):
        branch_of[i] = 1 + first_nearest(columns, rows, i, split, distances)
    sort_by_branch(rows, split.n_centroids + 1, scratch)


@inlined
def _push_children(forest, node, root, stack, waiting, first, starts):
    """Put the branches that have rows on the stack; return its new height."""
    links = forest.class_start[node]
    for branch in range(forest.class_start[node + 1] - links + 1):
        if starts[branch + 1] > starts[branch]:
            child = forest.children[links + branch - 1] if branch > 0 else FELL_OUT
            _push(
                stack, waiting, root + child if child >= 0 else FELL_OUT,
                first + starts[branch], first + starts[branch + 1],
            )  # fmt: skip
            waiting += 1
    return waiting


@inlined
def _push(stack, position, node, first, end):
    """Put a node and its rows on the stack."""
    stack[position, _NODE] = node
    stack[position, _FIRST] = first
    stack[position, _END] = end
