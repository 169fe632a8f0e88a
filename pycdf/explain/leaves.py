"""Proximity: how often two rows end in the same leaf, as a matrix and as points in the plane.

A row that reaches no leaf of a tree shares none with any other row there.
"""

import numpy as np
import numpy.typing as npt

from pycdf.explain.fitted import Fit, Rows, model_of, read_rows
from pycdf.explain.out_of_bag import left_out
from pycdf.explain.same_rows import are_training_rows
from pycdf.forest.model import Model
from pycdf.kernels.route import FELL_OUT
from pycdf.support.options import option
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

_MOST_ROWS = 20_000  # their proximities take 3.2 GB
_LANDMARKS = 1_000  # rows that are scaled exactly; further rows are placed relative to these
_ROWS = 64  # rows compared with all others at a time, so that their counts stay in the cache
_NO_LEAF = FELL_OUT - 1  # differs from FELL_OUT: two rows without a leaf share none


def proximity(fit: Fit, X: Rows, *, out_of_bag: bool = False) -> Floats:
    """Compute the share of trees in which two rows end in the same leaf.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like of shape (n_rows, n_features)
        Rows with the columns of the training data; at most 20,000.
    out_of_bag : bool, default=False
        Whether to count only the trees that drew neither of the two rows. X must then be the
        training rows in their original order. Trees separate the classes of the rows that they
        were grown on better than those of new rows.

    Returns
    -------
    ndarray of shape (n_rows, n_rows)
        A symmetric matrix of values from 0 to 1, with 1 on the diagonal. With
        ``out_of_bag=True``, NaN for two rows that no tree left out together.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import proximity
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> proximity(fit, X[:3]).tolist()
    [[1.0, 0.3, 0.1], [0.3, 1.0, 0.0], [0.1, 0.0, 1.0]]
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


def embedding(fit: Fit, X: Rows, *, out_of_bag: bool = False) -> Floats:
    """Arrange rows as points in the plane, near each other if they share many leaves.

    This is classical multidimensional scaling of the distances ``sqrt(1 - proximity)``, which are
    Euclidean in a space of many dimensions: the plane keeps the two with the largest spread. With
    more than 1,000 rows, 1,000 equally spaced rows (landmarks) are scaled, and the other rows are
    placed by their distances to these.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like of shape (n_rows, n_features)
        Rows with the columns of the training data.
    out_of_bag : bool, default=False
        As in :func:`proximity`.

    Returns
    -------
    ndarray of shape (n_rows, 2)
        The coordinates; the first has the larger spread. In each, the value farthest from 0 is
        positive.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import embedding
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> embedding(fit, X[:3]).round(3).tolist()
    [[-0.206, 0.449], [-0.375, -0.37], [0.581, -0.08]]
    """
    return _embedded(*_ends(fit, X, out_of_bag))


def embedding_of_rows(
    model: Model, rows: Floats, outside: npt.NDArray[np.bool_] | None = None
) -> Floats:
    """Points for rows x features of the forest, as :func:`embedding` arranges them.

    ``outside`` (rows x trees) are the trees that did not draw a row, if only these count.
    """
    return _embedded(model.end_nodes(rows, only_kept=True), outside)


def _embedded(nodes: Longs, outside: npt.NDArray[np.bool_] | None) -> Floats:
    n = len(nodes)
    marks = np.arange(n) if n <= _LANDMARKS else np.linspace(0, n - 1, _LANDMARKS).astype(np.int64)
    at_marks = None if outside is None else outside[marks]
    shares = _shares(nodes, nodes[marks], outside, at_marks)
    shares[marks, np.arange(len(marks))] = 1.0
    if np.isnan(shares).any():
        raise ValueError(
            f"{option('out_of_bag', True)}: two of the rows were never left out by the same tree, "
            "so their distance is unknown. Fit more trees, or pass "
            f"{option('out_of_bag', False)}."
        )
    return _laid_out(1.0 - shares, marks)


def _ends(fit: Fit, X: Rows, out_of_bag: bool) -> tuple[Longs, npt.NDArray[np.bool_] | None]:
    """The node in which each row ends in each tree and, if asked for, which trees left it out."""
    model = model_of(fit)
    rows = read_rows(fit, X)
    if len(rows) == 0:
        raise ValueError("X has no rows: pass at least one.")
    if not out_of_bag:
        return model.end_nodes(rows, only_kept=True), None
    outside = left_out(model.forest).T
    if len(outside) != len(rows):
        raise ValueError(
            f"{option('out_of_bag', True)}: X has {plural(len(rows), 'row')} and the forest was "
            f"grown on {len(outside):,}: pass the training rows that have a label, in their "
            f"original order, or {option('out_of_bag', False)}."
        )
    if not are_training_rows(model.forest, rows):
        raise ValueError(
            f"{option('out_of_bag', True)}: X is not what the forest was grown on: its means are "
            "not those of the forest's centroids. Pass the training rows, in their original order, "
            f"or {option('out_of_bag', False)}."
        )
    return model.end_nodes(rows, only_kept=True), outside


def _shares(
    nodes: Longs,
    others: Longs,
    outside: npt.NDArray[np.bool_] | None,
    others_outside: npt.NDArray[np.bool_] | None,
) -> Floats:
    """The share of trees in which rows and others end in the same leaf (rows x others)."""
    together = np.zeros((len(nodes), len(others)), dtype=np.float32)  # exact: integers below 2^24
    trees = np.full((1, 1), nodes.shape[1], dtype=np.float32)
    if outside is not None and others_outside is not None:
        nodes = np.where(outside, nodes, FELL_OUT)
        others = np.where(others_outside, others, FELL_OUT)
        trees = outside.astype(np.float32) @ others_outside.astype(np.float32).T
    ours = nodes.T.astype(np.int32, order="C")
    theirs = np.where(others == FELL_OUT, _NO_LEAF, others).T.astype(np.int32, order="C")
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
    """Coordinates from the squared distances of all rows to the landmarks (``marks``)."""
    among = squared[marks]
    mean = among.mean(axis=0)
    centred = -0.5 * (among - mean - mean[:, np.newaxis] + mean.mean())
    values, vectors = np.linalg.eigh(centred)
    points = np.zeros((len(squared), 2))
    for axis, best in enumerate(np.argsort(values)[::-1][:2]):
        if values[best] > 1e-12 * len(marks):  # otherwise a zero with rounding errors
            points[:, axis] = -0.5 * (squared - mean) @ vectors[:, best] / np.sqrt(values[best])
    farthest = points[np.abs(points).argmax(axis=0), [0, 1]]
    return points * np.where(farthest < 0, -1.0, 1.0)
