"""``export_text``: one tree of a forest in plain text.

In goes a fit, which may come from a file, and the number of a tree; out come lines for people: each
node with its rows per class, the features that it selected with the centroid of each class on them,
and the branch that each centroid leads to.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.arguments import whole
from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.model import Model
from pycdf.notes import plural
from pycdf.plots.style import one_line

_MOST_DIGITS = 17  # tell any two doubles apart
_LARGE = 1e9  # from here on, numbers are easier to read with an exponent


def export_text(
    fit: Fit, tree: int = 0, *, decimals: int = 3, max_features: int | None = None
) -> str:
    """One tree as text.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
    tree : int, default=0
        Which tree, counted from 0.
    decimals : int, default=3
        Of the centroids. Where they are not enough to tell a feature's centroids apart, more digits
        are shown.
    max_features : int or None, default=None
        How many features to show of a node, the best ones; None for all.

    Returns
    -------
    str
        Nodes are numbered as in ``fit.trees``, and branches come in their order there. A branch
        that no training row took is shown, too, with the class that the tree votes for where a new
        row takes it.
    """
    model = model_of(fit)
    last = model.forest.n_trees - 1
    tree = whole(tree, "tree", 0, last, ", a tree of the forest")
    decimals = whole(decimals, "decimals", 0, _MOST_DIGITS - 1)
    most = len(model.kept) if max_features is None else whole(max_features, "max_features", 1)
    return "\n".join(_lines(_Tree(model, feature_names(fit), tree), decimals, most)) + "\n"


class _Tree:
    """The nodes of one tree, with names."""

    def __init__(self, model: Model, names: npt.NDArray[np.object_], tree: int) -> None:
        self.forest = model.forest
        self.number = tree
        self.names = [one_line(name) for name in names]
        self.classes = [one_line(label) for label in model.classes]
        self.sample = "bootstrap rows" if model.options["bootstrap"] else "rows"
        self.first, self.end = (int(at) for at in self.forest.tree_start[tree : tree + 2])

    def part(self, name: str, node: int) -> npt.NDArray[Any]:
        """A node's part of the forest's array ``name``."""
        starts = {"features": "feature", "centroids": "centroid"}.get(name, "class")
        start, stop = getattr(self.forest, f"{starts}_start")[self.first + node :][:2]
        values: npt.NDArray[Any] = getattr(self.forest, name)[start:stop]
        return values

    def rows(self, node: int) -> str:
        """How many rows a node has, of which classes: ``12 rows (P: 10, H: 2)``."""
        counts = self.forest.counts[self.first + node].tolist()
        shown = [
            f"{label}: {count:,}"
            for label, count in zip(self.classes, counts, strict=True)
            if count
        ]
        return f"{plural(sum(counts), 'row')} ({', '.join(shown)})"

    def head(self, node: int) -> str:
        """A node in a line."""
        vote = self.forest.leaf[self.first + node]
        leaf = f", leaf, votes {self.classes[vote]}" if vote >= 0 else ""
        return f"node {node}{leaf}: {self.rows(node)}"


def _lines(tree: _Tree, decimals: int, most: int) -> Iterator[str]:
    forest = tree.forest
    splits = int((forest.leaf[tree.first : tree.end] < 0).sum())
    leaves = tree.end - tree.first - splits
    yield (
        f"Tree {tree.number} of {forest.n_trees:,}: {forest.rows[tree.first]:,} {tree.sample}, "
        f"{plural(splits, 'split')}, {leaves:,} {'leaf' if leaves == 1 else 'leaves'}"
    )
    yield "A row takes the branch of the class whose centroid is nearest on the node's features."
    yield ""
    # what waits to be told, the next one last: its line, the margin below it, its node or -1
    waiting = [(tree.head(0), "", 0)]
    while waiting:
        line, margin, node = waiting.pop()
        yield line
        if node >= 0 and forest.leaf[tree.first + node] < 0:
            yield from _table(tree, node, f"{margin}|   ", decimals, most)
            waiting += _branches(tree, node, margin)


def _branches(tree: _Tree, node: int, margin: str) -> list[tuple[str, str, int]]:
    """The branches of a node, the first one last."""
    codes, children = tree.part("node_classes", node), tree.part("children", node)
    told = []
    for place, (code, child) in enumerate(zip(codes.tolist(), children.tolist(), strict=True)):
        is_last = place == len(codes) - 1
        there = (
            tree.head(child)
            if child >= 0
            else f"no training row took this branch; votes {tree.classes[0]}"
        )
        line = f"{margin}{'`' if is_last else '|'}-- nearest to {tree.classes[code]}: {there}"
        told.append((line, margin + ("    " if is_last else "|   "), child))
    return told[::-1]


def _table(tree: _Tree, node: int, margin: str, decimals: int, most: int) -> Iterator[str]:
    """The features of a node that is split, with the centroid of each class."""
    features, codes = tree.part("features", node), tree.part("node_classes", node)
    centroids = tree.part("centroids", node).reshape(len(codes), len(features))
    cells = [["centroid of", *(tree.classes[code] for code in codes)]]
    for feature, values in zip(features[:most].tolist(), centroids.T.tolist(), strict=False):
        cells.append([tree.names[feature], *_texts(values, decimals)])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for name, *values in cells:
        shown = [f"{value:>{width}}" for value, width in zip(values, widths[1:], strict=True)]
        yield f"{margin}{name:<{widths[0]}}  {'  '.join(shown)}"
    if len(features) > most:
        yield f"{margin}and {plural(len(features) - most, 'more feature')}"


def _texts(values: list[float], decimals: int) -> list[str]:
    """Numbers to compare: those that differ look different."""
    known = {value for value in values if value == value}
    forms = [f".{digits}g" for digits in range(decimals + 1, _MOST_DIGITS + 1)]
    if max(map(abs, known), default=0.0) < _LARGE:
        forms.insert(0, f".{decimals}f")
    for form in forms:
        if len({_number(value, form) for value in known}) == len(known):
            break
    return [_number(value, form) for value in values]


def _number(value: float, form: str) -> str:
    """A number as text, without a minus before zero."""
    text = format(value, form)
    if value != value:
        return "missing"
    return text if text.strip("-0.") else text.lstrip("-")
