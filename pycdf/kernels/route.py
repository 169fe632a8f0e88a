"""Send rows down the trees of a forest to the leaves that vote for them.

A row goes to the first nearest centroid. If it has no finite distance, or no training row went that
way, it falls out of the tree, which then votes for the first class, as in R.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import Kernel, entry, inlined
from pycdf.kernels.partition import (
    first_nearest,
    new_partition,
    plain_distances,
    sort_by_branch,
    split_at,
)

FELL_OUT = -1

NODE, FIRST, END = range(3)  # columns of the stack

Work = namedtuple("Work", "rows partition stack")
"""Scratch arrays for `route_rows`: `rows`, sorted by nodes, int32; those of the `partition`;
and the `stack` of nodes still to visit, with their rows, int64."""


def new_work(n: int, n_classes: int) -> Work:
    """Scratch arrays for `n` rows."""
    return Work(
        rows=np.empty(n, np.int32),
        partition=new_partition(n, n_classes + 1),
        stack=np.empty((n + n_classes, 3), np.int64),
    )


def new_router(choose_branches: Kernel, name: str, kept: bool = True) -> Kernel:
    """The kernel of this name that sends rows to the branches that `choose_branches` finds.

    `choose_branches(columns, rows, split, partition, rules)` writes the branch of each row to
    `partition.branch_of`: 0 without a nearest centroid, otherwise 1 + its number. If the router is
    not `kept` in the cache, it is compiled in each process.
    """

    def route(forest, columns, work, votes, nodes, rules):
        """Add every tree's vote for every row to `votes`.

        Parameters
        ----------
        forest : pycdf.forest.arrays.Forest
        columns : float64, features x rows
        work : Work
        votes : int64, rows x classes
        nodes : int64, rows x trees, or rows x 0
            Gets the node of the forest in which a row ends, or FELL_OUT.
        rules : None or a record
            What `choose_branches` needs besides: nothing, if the forest is R's.
        """
        # Arrays are taken out of the forest here: each access costs compile time.
        tree_start, leaf = forest.tree_start, forest.leaf
        class_start, children = forest.class_start, forest.children
        rows, stack, partition = work.rows, work.stack, work.partition
        n = columns.shape[1]
        for tree in range(tree_start.size - 1):
            root = tree_start[tree]
            for i in range(n):
                rows[i] = i
            push_node(stack, 0, root, 0, n)
            waiting = 1
            while waiting > 0:
                waiting -= 1
                node, first, end = stack[waiting, NODE], stack[waiting, FIRST], stack[waiting, END]
                here = rows[first:end]
                if node < 0 or leaf[node] >= 0:
                    count_votes(0 if node < 0 else leaf[node], tree, node, here, votes, nodes)
                else:
                    split = split_at(forest, node)
                    choose_branches(columns, here, split, partition, rules)
                    sort_by_branch(here, split.n_centroids + 1, partition)
                    waiting = push_branches(
                        children, class_start[node], split.n_centroids, root, stack, waiting, first,
                        partition.starts,
                    )  # fmt: skip

    route.__name__ = route.__qualname__ = name  # in the cache
    return entry(kept=kept)(route)


@inlined
def count_votes(vote, tree, node, rows, votes, nodes):
    """Count the vote of a leaf for its rows, and write where they end, if that is wanted."""
    for i in range(rows.size):
        votes[rows[i], vote] += 1
    if nodes.shape[1] > 0:
        for i in range(rows.size):
            nodes[rows[i], tree] = node


@inlined
def branches_as_r(columns, rows, split, scratch, rules):
    """Find the branch of each row by R's distance."""
    distances, branch_of = scratch.distances, scratch.branch_of
    plain_distances(columns, rows, split, distances)
    for i in range(rows.size):
        branch_of[i] = 1 + first_nearest(columns, rows, i, split, distances)


@inlined
def push_branches(children, links, n_centroids, root, stack, waiting, first, starts):
    """Put the branches that have rows on the stack; return its new height."""
    for branch in range(n_centroids + 1):
        if starts[branch + 1] > starts[branch]:
            child = children[links + branch - 1] if branch > 0 else FELL_OUT
            push_node(
                stack, waiting, root + child if child >= 0 else FELL_OUT,
                first + starts[branch], first + starts[branch + 1],
            )  # fmt: skip
            waiting += 1
    return waiting


@inlined
def push_node(stack, position, node, first, end):
    """Put a node and its rows on the stack."""
    stack[position, NODE] = node
    stack[position, FIRST] = first
    stack[position, END] = end


route_rows = new_router(branches_as_r, "route_rows")
