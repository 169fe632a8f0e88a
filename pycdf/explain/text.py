"""One tree of a forest as plain text, for reading in a terminal.

Each node is shown with its rows per class, the features that it selected with the centroid of each
class on them, and the branch that each centroid leads to.
"""

from collections import deque
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.arguments import whole
from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.forest.model import STANDARDISED, Model
from pycdf.forest.summary import leaf_note, other_rules_text
from pycdf.support.wording import clipped, one_line, plural

_MOST_DIGITS = 17  # enough to distinguish any two doubles
_LARGE = 1e9  # larger numbers are easier to read with an exponent
_LEAST_WIDTH = 60  # beside the margin of a deep node
_HEAD = 12  # width at which class names are wrapped in a table that is too wide
_CORNER = "centroid of"
_LONGEST = 200  # characters of a name: longer ones are truncated
_LEVELS = 20  # of indentation; what is below is written further down, so that lines stay short


def export_text(
    fit: Fit,
    tree: int = 0,
    *,
    decimals: int = 3,
    max_features: int | None = None,
    width: int = 100,
) -> str:
    """Write one tree as text.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    tree : int, default=0
        The number of the tree, counted from 0.
    decimals : int, default=3
        Number of decimals of the centroids. More digits are shown where these are not enough to
        distinguish the centroids of a feature.
    max_features : int or None, default=None
        How many features to show per node, the best first; None shows all.
    width : int, default=100
        Maximum number of characters in a line. Longer lists of classes are wrapped, and wide tables
        are continued below. Names are never truncated, and deeply indented nodes may exceed the
        width.

    Returns
    -------
    str
        The tree, with nodes numbered and branches ordered as in ``fit.trees``. A branch that no
        training row took is shown with the class that the tree votes for when a new row takes it.
        Nodes that are split 20 levels below the margin are continued at the end, with their depth.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import export_text
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, depth=1, k=2, seed=1).fit(X, y)
    >>> print(export_text(fit))
    Tree 0 of 10: 174 bootstrap rows, 1 split, 2 leaves
    A row takes the branch of the class whose centroid is nearest on the node's features.
    <BLANKLINE>
    node 0: 174 rows (P: 93, H: 81)
    |   centroid of          P         H
    |   x105          5078.602  2457.963
    |   x108         16739.086  7050.111
    |-- nearest to P: node 1, leaf, votes P: 51 rows (P: 42, H: 9)
    `-- nearest to H: node 2, leaf, votes H: 123 rows (P: 51, H: 72)
    """
    model = model_of(fit)
    last = model.forest.n_trees - 1
    tree = whole(tree, "tree", 0, last, ", a tree of the forest")
    decimals = whole(decimals, "decimals", 0, _MOST_DIGITS - 1)
    most = len(model.kept) if max_features is None else whole(max_features, "max_features", 1)
    width = whole(width, "width", 1)
    return "\n".join(_lines(_Tree(model, feature_names(fit), tree), decimals, most, width)) + "\n"


class _Tree:
    """The nodes of one tree, with the names of classes and features."""

    def __init__(self, model: Model, names: npt.NDArray[np.object_], tree: int) -> None:
        self.forest = model.forest
        self.number = tree
        self.names = [clipped(one_line(name), _LONGEST) for name in names]
        self.classes = [clipped(one_line(label), _LONGEST) for label in model.classes]
        self.scaled = model.scaling is not None
        self.sample = "bootstrap rows" if model.options["bootstrap"] else "rows"
        self.rules = other_rules_text(model.options)
        self.leaf_note = leaf_note(model.options)
        self.first, self.end = (int(at) for at in self.forest.tree_start[tree : tree + 2])

    def part(self, name: str, node: int) -> npt.NDArray[Any]:
        """The elements of the forest's array ``name`` that belong to a node."""
        starts = {"features": "feature", "centroids": "centroid"}.get(name, "class")
        start, stop = getattr(self.forest, f"{starts}_start")[self.first + node :][:2]
        values: npt.NDArray[Any] = getattr(self.forest, name)[start:stop]
        return values

    def is_split(self, node: int) -> bool:
        """Whether a node is split."""
        return bool(self.forest.leaf[self.first + node] < 0)

    def head(self, node: int) -> list[str]:
        """The parts of a heading: ``node 2, leaf, votes P:``, ``12 rows``, ``(P: 10,`` ..."""
        counts = self.forest.counts[self.first + node].tolist()
        there = [(label, n) for label, n in zip(self.classes, counts, strict=True) if n]
        shown = ", \n".join(f"{label}: {n:,}" for label, n in there)
        vote = self.forest.leaf[self.first + node]
        leaf = "" if self.is_split(node) else f", leaf, votes {self.classes[vote]}"
        return [f"node {node}{leaf}:", plural(sum(counts), "row"), *f"({shown})".split(" \n")]


def _lines(tree: _Tree, decimals: int, most: int, width: int) -> Iterator[str]:
    forest = tree.forest
    splits = int((forest.leaf[tree.first : tree.end] < 0).sum())
    leaves = tree.end - tree.first - splits
    yield (
        f"Tree {tree.number} of {forest.n_trees:,}: {forest.rows[tree.first]:,} {tree.sample}, "
        f"{plural(splits, 'split')}, {plural(leaves, 'leaf')}"
    )
    yield "A row takes the branch of the class whose centroid is nearest on the node's features."
    if tree.rules:
        yield f"This forest is not R's: {tree.rules}"
    if tree.leaf_note:
        yield tree.leaf_note
    if tree.scaled:
        yield f"Centroids are in {STANDARDISED}."
    yield ""
    # A stack of what is still to be written: parts of the heading, margin below it, node number.
    waiting: list[tuple[list[str], str, int]] = [(tree.head(0), "", 0)]
    continued: deque[int] = deque()
    while waiting:
        parts, margin, node = waiting.pop()
        split = node >= 0 and tree.is_split(node)
        inner = margin + ("|   " if split else "    ")
        end = max(width, len(inner) + _LEAST_WIDTH)
        below = split and len(margin) == 4 * _LEVELS
        yield from _fill([*parts, "continued below"] if below else parts, inner, end)
        if below:
            continued.append(node)
        elif split:
            yield from _table(tree, node, inner, decimals, most, end)
            waiting += _branches(tree, node, margin)
        if not waiting and continued:
            node = continued.popleft()
            yield ""
            yield f"Depth {forest.depth[tree.first + node]:,}:"
            waiting = [(tree.head(node), "", node)]


def _fill(parts: list[str], margin: str, end: int) -> Iterator[str]:
    """Join parts with blanks into lines of at most ``end`` characters."""
    line = parts[0]
    for part in parts[1:]:
        if len(line) + 1 + len(part) > end:
            yield line
            line = f"{margin}{part}"
        else:
            line = f"{line} {part}"
    yield line


def _branches(tree: _Tree, node: int, margin: str) -> list[tuple[list[str], str, int]]:
    """The branches of a node in reverse order, for the stack."""
    codes, children = tree.part("node_classes", node), tree.part("children", node)
    branches = []
    for place, (code, child) in enumerate(zip(codes.tolist(), children.tolist(), strict=True)):
        is_last = place == len(codes) - 1
        there = (
            tree.head(child)
            if child >= 0
            else [f"no training row took this branch; votes {tree.classes[0]}"]
        )
        there[0] = (
            f"{margin}{'`' if is_last else '|'}-- nearest to {tree.classes[code]}: {there[0]}"
        )
        branches.append((there, margin + ("    " if is_last else "|   "), child))
    return branches[::-1]


def _table(
    tree: _Tree, node: int, margin: str, decimals: int, most: int, end: int
) -> Iterator[str]:
    """The features of a split node, with the centroid of each class."""
    features, codes = tree.part("features", node), tree.part("node_classes", node)
    centroids = tree.part("centroids", node).reshape(len(codes), len(features))
    rows = [_texts(values, decimals) for values in centroids.T[:most].tolist()]
    cells = [list(column) for column in zip(*rows, strict=True)]
    heads = [[tree.classes[code]] for code in codes]
    names = [tree.names[feature] for feature in features[:most].tolist()]
    available = end - len(margin) - max(map(len, (_CORNER, *names)))
    if sum(_width(*column) for column in zip(heads, cells, strict=True)) > available:
        heads = [wrap(head[0], max(_HEAD, *map(len, column)))
                 for head, column in zip(heads, cells, strict=True)]  # fmt: skip
    for part in _side_by_side(heads, cells, available):
        yield from _columns(margin, names, heads[part], cells[part])
    if len(features) > most:
        yield f"{margin}and {plural(len(features) - most, 'more feature')}"


def _side_by_side(heads: list[list[str]], cells: list[list[str]], width: int) -> Iterator[slice]:
    """Groups of columns that fit into ``width`` characters, at least one column each."""
    start, used = 0, 0
    for at, column in enumerate(zip(heads, cells, strict=True)):
        used += _width(*column)
        if used > width and at > start:
            yield slice(start, at)
            start, used = at, _width(*column)
    yield slice(start, len(heads))


def _width(head: list[str], column: list[str]) -> int:
    """The width of a column, including the blanks before it."""
    return 2 + max(map(len, (*head, *column)))


def _columns(
    margin: str, names: list[str], heads: list[list[str]], cells: list[list[str]]
) -> Iterator[str]:
    """The lines of a table: column heads, then one line per feature."""
    tallest = max(map(len, heads))
    first = [_CORNER, *[""] * (tallest - 1), *names]
    lines = [f"{margin}{name:<{max(map(len, first))}}" for name in first]
    for head, column in zip(heads, cells, strict=True):
        texts = [*head, *[""] * (tallest - len(head)), *column]
        width = _width(head, column)
        lines = [f"{line}{text:>{width}}" for line, text in zip(lines, texts, strict=True)]
    for line in lines:
        yield line.rstrip()


def _texts(values: list[float], decimals: int) -> list[str]:
    """Numbers as text with enough digits that different numbers look different."""
    known = {value for value in values if value == value}
    forms = [f".{digits}g" for digits in range(decimals + 1, _MOST_DIGITS + 1)]
    if max(map(abs, known), default=0.0) < _LARGE:
        forms.insert(0, f".{decimals}f")
    for form in forms:
        if len({_number(value, form) for value in known}) == len(known):
            break
    return [_number(value, form) for value in values]


def _number(value: float, form: str) -> str:
    """A number as text, without a minus sign before zero."""
    text = format(value, form)
    if value != value:
        return "missing"
    return text if text.strip("-0.") else text.lstrip("-")
