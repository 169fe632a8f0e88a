"""Proximity: which rows the forest keeps together, as numbers and as points in the plane.

In go a fit and rows; out comes, for each two rows, the share of trees in which they end in the same
leaf, or the two coordinates of each row that show these shares best. A row that falls out of a tree
ends in no leaf and shares nothing there.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.fitted import Fit, model_of, read_rows
from pycdf.explain.out_of_bag import left_out
from pycdf.explain.same_rows import are_training_rows
from pycdf.forest import voting
from pycdf.kernels.route import FELL_OUT
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

_MOST_ROWS = 20_000  # whose proximities take 3.2 GB
_LANDMARKS = 1_000  # rows that are laid out among themselves; more are laid out by these
_ROWS = 64  # that are compared with all others, tree after tree: their counts stay in the cache
_NOWHERE = FELL_OUT - 1  # two rows that fall out share no leaf


def proximity(fit: Fit, X: Any, *, out_of_bag: bool = False) -> Floats:
    """The share of trees in which two rows end in the same leaf.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
    X
        Rows with the columns of training; up to 20,000.
    out_of_bag : bool, default=False
        For the rows of training, in their order: whether to count only the trees that drew neither
        row. Trees keep the rows that they were grown on apart by class better than new ones.

    Returns
    -------
    ndarray of shape (n_rows, n_rows)
        Symmetric, from 0 to 1, with 1 on the diagonal. With ``out_of_bag=True``, NaN for two rows
        that no tree left out together.
    """
    nodes, outside = _ends(fit, X, out_of_bag)
    if len(nodes) > _MOST_ROWS:
        raise ValueError(
            f"X has {plural(len(nodes), 'row')}, whose proximities would not fit in memory: pass "
            f"at most {_MOST_ROWS:,}, such as X.sample({_MOST_ROWS}); embedding() takes more."
        )
    shares = _shares(nodes, nodes, outside, outside)
    np.fill_diagonal(shares, 1.0)
    return shares


def embedding(fit: Fit, X: Any, *, out_of_bag: bool = False) -> Floats:
    """Rows as points in the plane: near where the forest keeps them together.

    Classical multidimensional scaling of the distances ``sqrt(1 - proximity)``, which are those of
    points in a space of many dimensions: the plane keeps the two in which they spread most. With
    more than 1,000 rows, 1,000 of them at equal steps (landmarks) are laid out so, and each other
    row is put where its distances to these place it.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
    X
        Rows with the columns of training.
    out_of_bag : bool, default=False
        As in :func:`proximity`.

    Returns
    -------
    ndarray of shape (n_rows, 2)
        The first coordinate spreads more. In each, the value farthest from 0 is positive.
    """
    nodes, outside = _ends(fit, X, out_of_bag)
    n = len(nodes)
    marks = np.arange(n) if n <= _LANDMARKS else np.linspace(0, n - 1, _LANDMARKS).astype(np.int64)
    at_marks = None if outside is None else outside[marks]
    shares = _shares(nodes, nodes[marks], outside, at_marks)
    shares[marks, np.arange(len(marks))] = 1.0
    if np.isnan(shares).any():
        raise ValueError(
            "out_of_bag=True: some two rows were never left out by the same tree, so that nothing "
            "is known of their distance. Fit more trees, or pass out_of_bag=False."
        )
    return _laid_out(1.0 - shares, marks)


def _ends(fit: Fit, X: Any, out_of_bag: bool) -> tuple[Longs, npt.NDArray[np.bool_] | None]:
    """The node in which each row ends in each tree, and which trees left it out, if that counts."""
    model = model_of(fit)
    rows = read_rows(fit, X)
    if len(rows) == 0:
        raise ValueError("X has no rows: pass at least one.")
    if not out_of_bag:
        return voting.end_nodes(model.forest, rows), None
    outside = left_out(model.forest).T
    if len(outside) != len(rows):
        raise ValueError(
            f"out_of_bag=True: X has {plural(len(rows), 'row')} and the forest was grown on "
            f"{len(outside):,}: pass the rows of training, those with a label, in their order, or "
            "out_of_bag=False."
        )
    if not are_training_rows(model.forest, rows):
        raise ValueError(
            "out_of_bag=True: X is not what the forest was grown on: its means are not those of "
            "the forest's centroids. Pass the rows of training, in their order, or "
            "out_of_bag=False."
        )
    return voting.end_nodes(model.forest, rows), outside


def _shares(
    nodes: Longs,
    others: Longs,
    outside: npt.NDArray[np.bool_] | None,
    others_outside: npt.NDArray[np.bool_] | None,
) -> Floats:
    """The share of trees in which rows end in the leaf of others (rows x others)."""
    together = np.zeros((len(nodes), len(others)), dtype=np.float32)  # exact: whole, below 2^24
    trees = np.full((1, 1), nodes.shape[1], dtype=np.float32)
    if outside is not None and others_outside is not None:
        nodes = np.where(outside, nodes, FELL_OUT)
        others = np.where(others_outside, others, FELL_OUT)
        trees = outside.astype(np.float32) @ others_outside.astype(np.float32).T
    ours = nodes.T.astype(np.int32, order="C")
    theirs = np.where(others == FELL_OUT, _NOWHERE, others).T.astype(np.int32, order="C")
    for start in range(0, len(nodes), _ROWS):
        part = together[start : start + _ROWS]
        same = np.empty(part.shape, dtype=np.bool_)
        for our, their in zip(ours[:, start : start + _ROWS, np.newaxis], theirs, strict=True):
            np.equal(our, their, out=same)
            part += same
    shares = np.full(together.shape, np.nan)
    np.divide(together, trees, out=shares, where=trees > 0, dtype=np.float64)
    return shares


def _laid_out(squared: Floats, marks: Longs) -> Floats:
    """Coordinates from squared distances of all rows to the landmarks, which are among them."""
    among = squared[marks]
    mean = among.mean(axis=0)
    centred = -0.5 * (among - mean - mean[:, np.newaxis] + mean.mean())
    values, vectors = np.linalg.eigh(centred)
    points = np.zeros((len(squared), 2))
    for axis, best in enumerate(np.argsort(values)[::-1][:2]):
        if values[best] > 1e-12 * len(marks):  # else rounding errors of a 0
            points[:, axis] = -0.5 * (squared - mean) @ vectors[:, best] / np.sqrt(values[best])
    farthest = points[np.abs(points).argmax(axis=0), [0, 1]]
    return points * np.where(farthest < 0, -1.0, 1.0)
