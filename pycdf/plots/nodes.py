"""One tree of a forest as a list of nodes, and the texts shown in its picture.

Classes are codes in the requested order, features are positions among the kept ones. The numbers
are those of :mod:`pycdf.forest.tables`, for one tree at a time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Forest

_LARGE, _SMALL = 1e7, 1e-3  # outside these, numbers are shorter with an exponent
_MOST_DECIMALS = 5


@dataclass(frozen=True, eq=False)
class Node:
    """Everything that is shown about a node."""

    number: int
    parent: int
    """Number of the parent node; -1 for the root."""
    branch_class: int
    """Class of the centroid that leads here; -1 for the root."""
    depth: int
    counts: dict[int, int]
    """Number of training rows of each class in the node."""
    vote: int
    """Class that a leaf votes for; -1 for a split node."""
    below: int
    """Number of descendants."""
    features: tuple[int, ...]
    """Selected features, in the order of selection."""
    centroids: dict[int, npt.NDArray[np.float64]]
    """Centroid of each class on these features."""
    sent: dict[int, int]
    """Number of training rows nearest to each centroid, which take its branch."""

    @property
    def rows(self) -> int:
        """Number of training rows in the node."""
        return sum(self.counts.values())


def read_tree(forest: Forest, tree: int, order: Sequence[int]) -> list[Node]:
    """The nodes of a tree, parents before children, siblings by the ``order`` of their classes."""
    first, last = (int(at) for at in forest.tree_start[tree : tree + 2])
    position = {code: at for at, code in enumerate(order)}
    nodes: list[Node] = []
    waiting = [(first, -1)]
    while waiting:
        at, branch_class = waiting.pop()
        features = forest.features[_part(forest.feature_start, at)]
        classes = forest.node_classes[_part(forest.class_start, at)].tolist()
        children = forest.children[_part(forest.class_start, at)].tolist()
        centroids = forest.centroids[_part(forest.centroid_start, at)]
        centroids = centroids.reshape(len(classes), len(features))
        branches = sorted(
            zip(classes, children, centroids, strict=True), key=lambda branch: position[branch[0]]
        )
        counts = {code: int(forest.counts[at, code]) for code in order if forest.counts[at, code]}
        nodes.append(
            Node(
                number=at - first,
                parent=int(forest.parent[at]),
                branch_class=branch_class,
                depth=int(forest.depth[at]),
                counts=counts,
                vote=int(forest.leaf[at]),
                below=_below(forest, at, last),
                features=tuple(features.tolist()),
                centroids={code: centroid for code, _, centroid in branches},
                sent={
                    code: int(forest.rows[first + child]) if child >= 0 else 0
                    for code, child, _ in branches
                },
            )
        )
        waiting += [(first + child, code) for code, child, _ in reversed(branches) if child >= 0]
    return nodes


def _part(starts: npt.NDArray[np.int64], at: int) -> slice:
    """The slice of an array that belongs to a node."""
    return slice(int(starts[at]), int(starts[at + 1]))


def _below(forest: Forest, at: int, last: int) -> int:
    """Number of descendants of a node: the deeper nodes that directly follow it."""
    shallow = np.flatnonzero(forest.depth[at + 1 : last] <= forest.depth[at])
    return int(shallow[0]) if len(shallow) else last - at - 1


def number_texts(values: Sequence[float], decimals: int | None) -> list[str]:
    """Numbers to be compared, all with the same number of decimals.

    ``decimals=None`` uses two, as in the paper, but more if the numbers are close and fewer if they
    are far apart, so that two or three digits of their range are visible.
    """
    if decimals is None:
        known = [value for value in values if math.isfinite(value)]
        largest = max(map(abs, known), default=0.0)
        spread = (max(known) - min(known) if known else 0.0) or largest
        power = math.floor(math.log10(spread)) if spread > 0 else 0
        decimals = max(0, 2 - power if power >= 0 else 1 - power)
        if largest >= _LARGE or (decimals > _MOST_DECIMALS and largest < _SMALL):
            return [_number(value, ".2e") for value in values]
    return [_number(value, f".{decimals}f") for value in values]


def _number(value: float, form: str) -> str:
    """A number as text with a typographic minus sign, and none before a zero."""
    if math.isnan(value):
        return "missing"
    text = format(value, form)
    if text.startswith("-") and not text.strip("-0."):
        text = text[1:]
    return text.replace("-", "−")


def p_text(p: float) -> str:
    """A p-value with at most two digits, short enough for a table."""
    if math.isnan(p):
        return "–"
    if p >= 0.001 or p == 0:
        return f"{p:.2g}"
    return f"{p:.0e}".replace("e-0", "e-").replace("-", "−")
