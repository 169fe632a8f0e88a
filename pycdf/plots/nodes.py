"""One tree of a forest as a list of nodes, with the texts that a picture shows of them.

In goes a model and the number of a tree; out come its nodes, each above its branches, with classes
as codes in the order asked for and features as positions among the kept ones. The numbers are those
of :mod:`pycdf.forest.tables`, for one tree at a time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pycdf.forest.arrays import Forest

_LARGE, _SMALL = 1e7, 1e-3  # beyond these, numbers are shorter with an exponent
_MOST_DECIMALS = 5


@dataclass(frozen=True, eq=False)
class Node:
    """A node with all that a reader may ask of it."""

    number: int
    parent: int
    """Number of the node above, -1 for the root."""
    branch_class: int
    """Class of the centroid that leads here, -1 for the root."""
    depth: int
    counts: dict[int, int]
    """Training rows of each class that is here."""
    vote: int
    """Class that a leaf votes for, -1 for a node that is split."""
    below: int
    """How many nodes hang below, at any depth."""
    features: tuple[int, ...]
    """Selected features, in the order of their selection."""
    centroids: dict[int, npt.NDArray[np.float64]]
    """Each class's centroid on them."""
    sent: dict[int, int]
    """How many training rows are nearest to each class's centroid, and so take its branch."""

    @property
    def rows(self) -> int:
        """Training rows in the node."""
        return sum(self.counts.values())


def read_tree(forest: Forest, tree: int, order: Sequence[int]) -> list[Node]:
    """The nodes of a tree, each above its branches, and these by ``order`` of their classes."""
    first, last = (int(at) for at in forest.tree_start[tree : tree + 2])
    place = {code: at for at, code in enumerate(order)}
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
            zip(classes, children, centroids, strict=True), key=lambda branch: place[branch[0]]
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
    """Where a node keeps its part of an array."""
    return slice(int(starts[at]), int(starts[at + 1]))


def _below(forest: Forest, at: int, last: int) -> int:
    """How many nodes hang below a node: those that follow it and lie deeper."""
    shallow = np.flatnonzero(forest.depth[at + 1 : last] <= forest.depth[at])
    return int(shallow[0]) if len(shallow) else last - at - 1


def number_texts(values: Sequence[float], decimals: int | None) -> list[str]:
    """Numbers that are compared with each other, with as many decimals each.

    None: two, as in the paper; more where the numbers are close, fewer where they are far apart, so
    that two or three digits of their spread are seen.
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
    """A number as text, with a true minus sign, but none before a zero."""
    if math.isnan(value):
        return "missing"
    text = format(value, form)
    if text.startswith("-") and not text.strip("-0."):
        text = text[1:]
    return text.replace("-", "−")


def p_text(p: float) -> str:
    """A p-value in two digits at most, as short as a table needs it."""
    if math.isnan(p):
        return "–"
    if p >= 0.001 or p == 0:
        return f"{p:.2g}"
    return f"{p:.0e}".replace("e-0", "e-").replace("-", "−")
