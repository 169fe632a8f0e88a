"""Soft votes: a leaf votes for every class with its share of the leaf's rows.

R's trees vote for one class each. A row that falls out of a tree has no leaf: as with hard votes,
the tree then votes for the first class.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Floats, Forest, Longs
from pycdf.forest.voting import Routing, end_nodes, out_of_bag_nodes
from pycdf.kernels.route import FELL_OUT

_CHUNK = 4096  # rows whose nodes are kept at any time


def node_votes(forest: Forest, *, soft: bool) -> Floats:
    """The vote of each node (nodes x classes), and in the last line that for rows in no leaf.

    Soft votes are the shares of the classes; hard ones are 1 for the class of a leaf.
    """
    votes = np.zeros((forest.n_nodes + 1, forest.counts.shape[1]))
    if soft:
        votes[:-1] = forest.counts / forest.counts.sum(axis=1, keepdims=True)
    else:
        votes[:-1][np.arange(forest.n_nodes), forest.leaf] = 1.0
    votes[-1, 0] = 1.0
    return votes


def soft_votes(routing: Routing, rows: npt.NDArray[Any], n_jobs: int | None) -> Floats:
    """The sum of all trees' shares for each class (rows x classes)."""
    shares = node_votes(routing.forest, soft=True)
    parts = [
        _sum(shares, end_nodes(routing, rows[i : i + _CHUNK], n_jobs))
        for i in range(0, max(1, len(rows)), _CHUNK)
    ]
    return np.concatenate(parts)


def soft_out_of_bag_votes(routing: Routing, columns: Floats, n_jobs: int | None) -> Floats:
    """The sum of the shares for each training row by the trees that did not draw it."""
    shares = node_votes(routing.forest, soft=True)
    total = np.zeros((columns.shape[1], routing.forest.counts.shape[1]))
    for rows, nodes, outside in out_of_bag_nodes(routing, columns, n_jobs):
        total[rows] = _sum(shares, nodes, outside)
    return total


def _sum(shares: Floats, nodes: Longs, counts: npt.NDArray[np.bool_] | None = None) -> Floats:
    """Sum tree after tree, so that a row's sum does not depend on the rows beside it."""
    assert FELL_OUT == -1  # the last line of the shares
    total = np.zeros((len(nodes), shares.shape[1]))
    for tree in range(nodes.shape[1]):
        votes = shares[nodes[:, tree]]
        total += votes if counts is None else votes * counts[:, tree, None]
    return total
