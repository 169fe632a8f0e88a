"""A forest as tables: one row per node, and one row per node, class and selected feature.

The DataFrames serve readers, plots and the comparison with R alike. Trees, nodes, branches and
ranks are counted from 0.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.forest.arrays import Forest, centroid_places


def _named(codes: npt.NDArray[np.int32], names: npt.NDArray[Any]) -> npt.NDArray[np.object_]:
    """The name of each code; None for -1."""
    lookup = np.empty(len(names) + 1, dtype=object)
    lookup[:-1] = names
    return lookup[codes]


def node_table(forest: Forest, classes: npt.NDArray[Any]) -> pd.DataFrame:
    """List the nodes of a forest.

    Parameters
    ----------
    forest : pycdf.forest.arrays.Forest
        The trees.
    classes : ndarray of shape (n_classes,)
        The labels of the class codes.

    Returns
    -------
    DataFrame
        One row per node, with the columns ``tree``; ``node``, its number within the tree;
        ``parent``, -1 for a root; ``branch``, the position among the parent's centroids of the one
        that leads to this node, and ``branch_class``, the class of that centroid; ``depth``;
        ``rows``, the number of bootstrap rows including repeats; and ``leaf``, the class that a
        leaf votes for, None for a split node.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.forest.tables import node_table
    >>> X, y = load_darwin()
    >>> model = CDFClassifier(ntrees=2, depth=1, seed=1).fit(X, y).model_
    >>> node_table(model.forest, model.classes)
       tree  node  parent  branch branch_class  depth  rows  leaf
    0     0     0      -1      -1         None      0   174  None
    1     0     1       0       0            P      1    54     P
    2     0     2       0       1            H      1   120     H
    3     1     0      -1      -1         None      0   174  None
    4     1     1       0       0            P      1    59     P
    5     1     2       0       1            H      1   115     H
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
    """List the centroids of a forest, feature by feature.

    Parameters
    ----------
    forest : pycdf.forest.arrays.Forest
        The trees.
    classes : ndarray of shape (n_classes,)
        The labels of the class codes.
    features : ndarray of shape (n_kept_features,)
        The names of the kept features.

    Returns
    -------
    DataFrame
        One row per node, class and selected feature, with the columns ``tree``, ``node``,
        ``class``, ``branch``, ``rank``, ``feature``, ``column`` and ``centroid``. Within a node,
        classes are in the order of its branches and features in the order of selection (``rank``,
        the best is 0); ``column`` is the position of the feature among the kept ones.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.forest.tables import centroid_table
    >>> X, y = load_darwin()
    >>> model = CDFClassifier(ntrees=2, depth=1, k=2, seed=1).fit(X, y).model_
    >>> centroid_table(model.forest, model.classes, X.columns.to_numpy()[model.kept]).head(4)
       tree  node class  branch  rank feature  column      centroid
    0     0     0     P       0     0    x105     104   5078.602151
    1     0     0     P       0     1    x108     107  16739.086022
    2     0     0     H       1     0    x105     104   2457.962963
    3     0     0     H       1     1    x108     107   7050.111111
    """
    tree, first = _tree_of_node(forest)
    node, selection, link = centroid_places(forest)
    column = forest.features[selection]
    code = forest.node_classes[link]
    return pd.DataFrame(
        {
            "tree": tree[node],
            "node": node - first[node],
            "class": pd.Series(_named(code, classes), dtype=object),
            "branch": link - forest.class_start[node],
            "rank": selection - forest.feature_start[node],
            "feature": features[column],
            "column": column,
            "centroid": forest.centroids,
        }
    )


def _tree_of_node(forest: Forest) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The tree of each node, and the position of that tree's first node."""
    tree = np.repeat(np.arange(forest.n_trees), np.diff(forest.tree_start))
    return tree, forest.tree_start[tree]
