"""All trees of a forest in plain arrays, and what a forest answers.

:mod:`pycdf.forest.growing` makes a :class:`Forest`; :func:`votes`, :func:`winners` and :func:`importance`
turn it into R's answers. Classes and features are numbers here; names come in at the surface
(:mod:`pycdf.api`, :mod:`pycdf.forest.tables`).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pycdf.kernels.arrays import read_only

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Forest(NamedTuple):
    """Trees laid end to end, the nodes of a tree in depth-first order.

    ``x_start[i]`` to ``x_start[i + 1]`` is where node ``i`` keeps its part of the array ``x``.
    """

    tree_start: Longs  # where each tree's nodes begin
    parent: Ints  # number within the tree, -1 for a root
    branch: Ints  # which of the parent's centroids leads here, -1 for a root
    depth: Ints
    rows: Ints  # bootstrap rows in the node, repeats counted
    leaf: Ints  # class code of a leaf, -1 for a node that is split
    counts: Ints  # nodes x classes: rows of each class
    class_start: Longs
    node_classes: Ints  # class codes of the centroids, in their order
    children: Ints  # node number within the tree for each centroid, -1 where no row went
    feature_start: Longs
    features: Ints  # selected features, in order of selection
    centroid_start: Longs
    centroids: Floats  # centroid after centroid, each over the selected features
    inbag: npt.NDArray[np.uint8]  # trees x training rows: how often each was drawn; or x 0

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.tree_start) - 1

    @property
    def n_nodes(self) -> int:
        """How many nodes there are in all trees."""
        return len(self.leaf)


def read_only_forest(forest: Forest) -> Forest:
    """The same forest, in such views."""
    return Forest._make([read_only(array) for array in forest])


def join(first: Forest, more: Forest) -> Forest:
    """Two forests over the same data, laid end to end."""
    parts: list[npt.NDArray[Any]] = []
    for name in Forest._fields:
        one, other = getattr(first, name), getattr(more, name)
        if name.endswith("_start"):
            parts.append(np.concatenate([one, other[1:] + one[-1]]))
        elif one.shape[1:] == other.shape[1:]:
            parts.append(np.concatenate([one, other]))
        else:  # the in-bag counts of the first trees were not kept: those of the others are no use
            parts.append(np.empty((len(one) + len(other), 0), dtype=one.dtype))
    return Forest(*parts)
