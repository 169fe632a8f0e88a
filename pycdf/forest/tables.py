"""A forest as tables: one row per node, and one row per node, class and selected feature.

In go a :class:`pycdf.forest.arrays.Forest` and the names of its classes and features; out come DataFrames
that serve readers, plots and the comparison with R alike. Trees, nodes, branches and ranks count
from 0.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.forest.arrays import Forest


def _named(codes: npt.NDArray[np.int32], names: npt.NDArray[Any]) -> npt.NDArray[np.object_]:
    """The names of codes; None for -1."""
    lookup = np.empty(len(names) + 1, dtype=object)
    lookup[:-1] = names
    return lookup[codes]


def node_table(forest: Forest, classes: npt.NDArray[Any]) -> pd.DataFrame:
    """One row per node.

    ``branch`` is the position, among the parent's centroids, of the one that leads here, and
    ``branch_class`` its class; ``rows`` counts the bootstrap rows, repeats included; ``leaf`` is
    the class that a leaf votes for, None for a node that is split.
    """
    tree, first = _tree_of_node(forest)
    inside = forest.parent >= 0
    link = forest.class_start[first + np.where(inside, forest.parent, 0)] + forest.branch
    branch_code = np.full(forest.n_nodes, -1, dtype=np.int32)
    branch_code[inside] = forest.node_classes[link[inside]]
    return pd.DataFrame(
        {
            "tree": tree,
            "node": np.arange(forest.n_nodes) - first,
            "parent": forest.parent,
            "branch": forest.branch,
            "branch_class": pd.Series(_named(branch_code, classes), dtype=object),
            "depth": forest.depth,
            "rows": forest.rows,
            "leaf": pd.Series(_named(forest.leaf, classes), dtype=object),
        }
    )


def centroid_table(
    forest: Forest, classes: npt.NDArray[Any], features: npt.NDArray[Any]
) -> pd.DataFrame:
    """One row per node, class and selected feature.

    Within a node the classes come in the order of its branches, the features in the order of their
    selection (``rank``); ``column`` is the feature's position among the kept ones.
    """
    tree, first = _tree_of_node(forest)
    n_classes = np.diff(forest.class_start)
    n_features = np.diff(forest.feature_start)
    sizes = n_classes * n_features
    node = np.repeat(np.arange(forest.n_nodes), sizes)
    place = np.arange(len(node)) - np.repeat(forest.centroid_start[:-1], sizes)
    branch = place // n_features[node]
    rank = place % n_features[node]
    column = forest.features[forest.feature_start[node] + rank]
    code = forest.node_classes[forest.class_start[node] + branch]
    return pd.DataFrame(
        {
            "tree": tree[node],
            "node": node - first[node],
            "class": pd.Series(_named(code, classes), dtype=object),
            "branch": branch,
            "rank": rank,
            "feature": features[column],
            "column": column,
            "centroid": forest.centroids,
        }
    )


def _tree_of_node(forest: Forest) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The tree of each node, and the number of that tree's first node."""
    tree = np.repeat(np.arange(forest.n_trees), np.diff(forest.tree_start))
    return tree, forest.tree_start[tree]
