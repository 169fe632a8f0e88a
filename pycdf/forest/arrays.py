"""All trees of a forest as flat arrays.

:mod:`pycdf.forest.growing` fills a :class:`Forest`, and :mod:`pycdf.forest.voting` computes R's
answers from it. Classes and features are numbers here; :mod:`pycdf.forest.tables` adds names.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pycdf.kernels.arrays import read_only
from pycdf.support.overview import Overview
from pycdf.support.wording import plural

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Forest(NamedTuple):
    """Trees stored one after the other, the nodes of each in depth-first order.

    Node ``i`` owns the elements ``x_start[i]`` to ``x_start[i + 1]`` of the array ``x``.
    """

    tree_start: Longs  # first node of each tree, and the number of nodes
    parent: Ints  # node number within the tree; -1 for a root
    branch: Ints  # which centroid of the parent leads here; -1 for a root
    depth: Ints
    rows: Ints  # bootstrap rows in the node, including repeats
    leaf: Ints  # class code that a leaf votes for; -1 for a split node
    counts: Ints  # nodes x classes: rows of each class
    class_start: Longs
    node_classes: Ints  # class code of each centroid
    children: Ints  # node that each centroid leads to; -1 if no row took it
    feature_start: Longs
    features: Ints  # selected features, in order of selection
    centroid_start: Longs
    centroids: Floats  # one centroid after the other, over the selected features
    inbag: npt.NDArray[np.uint8]  # trees x training rows: times drawn (or trees x 0)

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.tree_start) - 1

    @property
    def n_nodes(self) -> int:
        """Number of nodes in all trees."""
        return len(self.leaf)

    def _overview(self) -> Overview:
        return Overview(
            f"Forest: {plural(self.n_trees, 'tree')}, {plural(self.n_nodes, 'node')}",
            header=("array", "dtype", "shape"),
            rows=[
                (name, str(array.dtype), " x ".join(f"{n:,}" for n in array.shape))
                for name, array in self._asdict().items()
            ],
        )

    def __repr__(self) -> str:
        return self._overview().text()

    def _repr_html_(self) -> str:
        return self._overview().html()


class CentroidPlaces(NamedTuple):
    """Where each number in ``Forest.centroids`` belongs."""

    node: Longs
    selection: Longs  # its position in ``Forest.features``
    link: Longs  # the position of its class in ``Forest.node_classes``


def centroid_places(forest: Forest) -> CentroidPlaces:
    """The node, the feature and the class of each number in ``forest.centroids``."""
    node = np.repeat(np.arange(forest.n_nodes), np.diff(forest.centroid_start))
    n_features = np.diff(forest.feature_start)[node]
    offset = np.arange(len(node)) - forest.centroid_start[node]
    return CentroidPlaces(
        node=node,
        selection=forest.feature_start[node] + offset % n_features,
        link=forest.class_start[node] + offset // n_features,
    )


def read_only_forest(forest: Forest) -> Forest:
    """The same forest as read-only views, which the kernels expect."""
    return Forest._make([read_only(array) for array in forest])


def join(first: Forest, more: Forest) -> Forest:
    """Two forests over the same data as one, the second after the first."""
    parts: list[npt.NDArray[Any]] = []
    for name in Forest._fields:
        one, other = getattr(first, name), getattr(more, name)
        if name.endswith("_start"):
            parts.append(np.concatenate([one, other[1:] + one[-1]]))
        elif one.shape[1:] == other.shape[1:]:
            parts.append(np.concatenate([one, other]))
        else:  # one of them has no in-bag counts, so the joint forest has none
            parts.append(np.empty((len(one) + len(other), 0), dtype=one.dtype))
    return Forest(*parts)
