"""Compare a forest with R's, node by node, to the last bit.

A result of :func:`pycdf.CDF` is compared with R's :class:`Answer` to the same call; the first
difference is described in words. There is no tolerance: doubles are equal if their bits are.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class PlainForest:
    """R's trees in preorder, as r_reference/trace.R writes them; counted from 0, -1 for none."""

    tree: np.ndarray
    node: np.ndarray
    parent: np.ndarray
    branch: np.ndarray
    depth: np.ndarray
    rows: np.ndarray
    leaf: np.ndarray
    counts: np.ndarray  # nodes x classes
    class_count: np.ndarray
    classes: np.ndarray  # of all nodes, one after the other, in centroid order
    column_count: np.ndarray
    columns: np.ndarray  # of all nodes, one after the other, in selection order
    centroids: np.ndarray  # of all nodes, class by class


@dataclass(frozen=True)
class Answer:
    """R's answer, and the branches that R took."""

    classes: list[str]
    forest: PlainForest
    votes: np.ndarray
    predictions: list[str]
    probabilities: np.ndarray
    importance: np.ndarray
    names: list[str] | None
    settings: dict[str, int]
    met: dict[str, int]


def node_table(answer: Answer) -> dict[str, np.ndarray]:
    """R's nodes with the columns of ``fit.trees``; labels as text, "" for none."""
    forest = answer.forest
    label = np.array([*answer.classes, ""])
    first_node = np.flatnonzero(forest.node == 0)[forest.tree]
    class_start = np.cumsum(forest.class_count) - forest.class_count
    inside = forest.parent >= 0
    above = class_start[first_node[inside] + forest.parent[inside]] + forest.branch[inside]
    branch_class = np.full(len(forest.node), -1)
    branch_class[inside] = forest.classes[above]
    return {
        "tree": forest.tree,
        "node": forest.node,
        "parent": forest.parent,
        "branch": forest.branch,
        "branch_class": label[branch_class],
        "depth": forest.depth,
        "rows": forest.rows,
        "leaf": label[forest.leaf],
    }


def centroid_table(answer: Answer) -> dict[str, np.ndarray]:
    """R's centroids with the columns of ``fit.centroids``."""
    forest = answer.forest
    sizes = forest.class_count * forest.column_count
    owner = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    branch = place // forest.column_count[owner]
    rank = place % forest.column_count[owner]
    class_start = np.cumsum(forest.class_count) - forest.class_count
    column_start = np.cumsum(forest.column_count) - forest.column_count
    column = forest.columns[column_start[owner] + rank]
    table = {
        "tree": forest.tree[owner],
        "node": forest.node[owner],
        "class": np.array(answer.classes)[forest.classes[class_start[owner] + branch]],
        "branch": branch,
        "rank": rank,
        "column": column,
        "centroid": forest.centroids,
    }
    if answer.names is not None:
        table["feature"] = np.array(answer.names)[column]
    return table


def first_difference(fit: Any, answer: Answer) -> str | None:
    """The first difference between ``fit`` and R, or None; causes come before consequences."""
    return (
        _unequal("classes", [str(label) for label in fit.classes], answer.classes)
        or _unequal("settings", dict(fit.parameters), answer.settings)
        or _table_difference("nodes", fit.trees, node_table(answer))
        or _table_difference("centroids", fit.centroids, centroid_table(answer))
        or _array_difference("rows per class", fit.forest.counts, answer.forest.counts)
        or _array_difference("votes", fit.votes, answer.votes)
        or _unequal("predictions", [str(label) for label in fit.predictions], answer.predictions)
        or _array_difference("probabilities", fit.probabilities.to_numpy(), answer.probabilities)
        or _array_difference(
            "feature importance", fit.feature_importance.to_numpy(), answer.importance
        )
        or _names_difference(fit, answer)
    )


def bits(values: Any) -> np.ndarray:
    """Doubles as their bits, with one NaN for all; anything else unchanged."""
    values = np.asarray(values)
    if values.dtype.kind != "f":
        return values
    plain = np.where(np.isnan(values), np.nan, values.astype(np.float64))
    return plain.view(np.int64)


def _unequal(what: str, ours: Any, theirs: Any) -> str | None:
    return None if ours == theirs else f"{what}: {ours} here, {theirs} in R"


def _array_difference(what: str, ours: np.ndarray, theirs: np.ndarray) -> str | None:
    if ours.shape != theirs.shape:
        return f"{what}: shape {ours.shape} here, {theirs.shape} in R"
    at = np.argwhere(bits(ours) != bits(theirs))
    if not len(at):
        return None
    place = tuple(at[0].tolist())
    return (
        f"{what}: {len(at)} of {theirs.size} differ, the first at {list(place)}: "
        f"{_shown(ours[place])} here, {_shown(theirs[place])} in R"
    )


def _table_difference(what: str, ours: pd.DataFrame, theirs: dict[str, np.ndarray]) -> str | None:
    """Compare column by column; describe the first row that differs completely."""
    mine = {name: _column(ours[name]) for name in theirs}
    length = len(theirs["tree"])
    common = min(length, len(ours))
    wrong = np.zeros(common, dtype=bool)
    for name, column in theirs.items():
        wrong |= bits(mine[name][:common]) != bits(column[:common])
    if not wrong.any():
        if len(ours) == length:
            return None
        return f"{what}: {len(ours)} rows here, {length} in R, equal up to the shorter one's end"
    row = int(np.argmax(wrong))
    where = ", ".join(f"{name} {theirs[name][row]}" for name in ("tree", "node"))
    parts = [
        f"{name}: {_shown(mine[name][row])} here, {_shown(column[row])} in R"
        for name, column in theirs.items()
        if bits(mine[name][row : row + 1]) != bits(column[row : row + 1])
    ]
    return f"{what} ({where}, row {row}): " + "; ".join(parts)


def _column(column: pd.Series) -> np.ndarray:
    if column.dtype.kind in "if":
        return column.to_numpy()
    return np.array(["" if label is None else str(label) for label in column])


def _names_difference(fit: Any, answer: Answer) -> str | None:
    if answer.names is None:
        return None
    return _unequal("features", [str(name) for name in fit.feature_importance.index], answer.names)


def _shown(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{float(value)!r} ({float(value).hex()})"
    return repr(value.item() if isinstance(value, np.generic) else value)
