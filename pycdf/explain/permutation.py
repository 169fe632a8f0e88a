"""Permutation importance: the accuracy that trees lose when a feature is shuffled.

The definition is Breiman's: a tree votes for its out-of-bag rows, the values of one feature are
shuffled among them, the tree votes again, and the loss of accuracy is averaged over the trees. A
tree that does not use a feature cannot lose anything, so it is skipped: the work depends on how
many features the trees use, not on how many there are.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.stream import RStream
from pycdf.explain.arguments import stream_of, whole
from pycdf.explain.fitted import Classes, Fit, Rows, feature_names, model_of, read_training
from pycdf.explain.out_of_bag import left_out
from pycdf.forest.arrays import Forest, read_only_forest
from pycdf.kernels import route
from pycdf.kernels.arrays import read_only
from pycdf.support.progress import ProgressBar, Report

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]

_COPIES = 2048  # shuffled rows routed together, so that their columns stay in the cache


def permutation_importance(
    fit: Fit,
    X: Rows,
    y: Classes,
    *,
    n_repeats: int = 5,
    seed: int | RStream | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Compute the mean loss of a tree's out-of-bag accuracy when a feature is shuffled.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like of shape (n_rows, n_features)
        The training rows, in their original order.
    y : array-like of shape (n_rows,)
        The labels of the training rows.
    n_repeats : int, default=5
        How often each feature is shuffled in each tree.
    seed : int, RStream or None, default=None
        Seed of the shuffles, or the stream to draw them from. None starts from fresh randomness.
    progress : bool, default=False
        Whether to show the trees done and the time left, on stderr if it is a terminal.

    Returns
    -------
    DataFrame
        One row per feature of the forest, the most important first, indexed by ``feature``, with
        the columns ``importance``, the mean over the repeats; ``std``, their standard deviation
        (NaN for a single repeat); and ``trees``, the number of trees that use the feature.

    Notes
    -----
    Importance is measured in the accuracy of a single tree: 0.01 means that a tree gets one more
    out-of-bag row in a hundred wrong, on average over all trees with out-of-bag rows, including
    those that do not use the feature. Values slightly below 0 are due to chance. ``std`` reflects
    the randomness of the shuffles only, not the variation between forests or samples.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import permutation_importance
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> permutation_importance(fit, X, y, seed=1).head(3).round(4)
             importance     std  trees
    feature
    x162         0.0269  0.0038      6
    x253         0.0223  0.0039      6
    x108         0.0199  0.0042      5
    """
    repeats = whole(n_repeats, "n_repeats")
    model = model_of(fit)
    training = read_training(fit, X, y)
    rows, codes = training.rows, training.codes
    with ProgressBar() as bar:
        report = bar if progress else None
        losses, trees = _losses(model.forest, rows, codes, repeats, stream_of(seed), report)
    table = pd.DataFrame(
        {
            "importance": losses.mean(axis=0),
            "std": losses.std(axis=0, ddof=1) if repeats > 1 else np.nan,
            "trees": trees,
        },
        index=pd.Index(feature_names(fit), name="feature"),
    )
    return table.sort_values("importance", ascending=False, kind="stable")


def _losses(
    forest: Forest,
    rows: Floats,
    codes: Codes,
    repeats: int,
    stream: RStream,
    report: Report | None,
) -> tuple[Floats, Longs]:
    """Mean losses of accuracy (repeats x features), and how many trees use each feature."""
    total = np.zeros((repeats, rows.shape[1]))
    trees = np.zeros(rows.shape[1], dtype=np.int64)
    counted = 0
    for tree, outside in enumerate(left_out(forest)):
        view, used = _single_tree(forest, tree)
        trees[used] += 1
        if outside.any():
            counted += 1
            columns = np.ascontiguousarray(rows[np.ix_(outside, used)].T)
            lost = _lost_votes(view, columns, codes[outside], repeats, stream)
            total[:, used] += lost / outside.sum()
        if report is not None:
            report(tree + 1, forest.n_trees)
    return total / counted, trees


def _single_tree(forest: Forest, tree: int) -> tuple[Forest, Longs]:
    """One tree as a forest over the features that it uses, and the numbers of these."""
    first, last = forest.feature_start[forest.tree_start[tree : tree + 2]]
    used, local = np.unique(forest.features[first:last], return_inverse=True)
    alone = forest._replace(
        tree_start=forest.tree_start[tree : tree + 2],
        features=local.astype(forest.features.dtype),
        feature_start=forest.feature_start - first,
    )
    return read_only_forest(alone), used.astype(np.int64)


def _lost_votes(
    tree: Forest, columns: Floats, codes: Codes, repeats: int, stream: RStream
) -> Longs:
    """How many correct votes a tree loses (repeats x features) on ``columns`` (features x rows).

    Copies of the rows, each with one feature shuffled, are routed through the tree in one call. For
    each feature, and within it for each repeat, as many uniform numbers are drawn as there are
    rows; the order that sorts them is the shuffle.
    """
    n_features, n = columns.shape
    right = _right_votes(tree, columns, codes).sum()
    shuffles = np.repeat(np.arange(n_features), repeats)  # the feature of each
    after = np.empty(len(shuffles), dtype=np.int64)
    calls = -(-len(shuffles) * n // _COPIES)
    side_by_side = -(-len(shuffles) // max(1, calls))
    copies = np.tile(columns, side_by_side)
    codes = np.tile(codes, side_by_side)
    cells = copies.reshape(n_features, side_by_side, n)
    for start in range(0, len(shuffles), max(1, side_by_side)):
        features = shuffles[start : start + side_by_side]
        draws = stream.uniform(len(features) * n).reshape(len(features), n)
        order = draws.argsort(axis=1, kind="stable")
        own = np.arange(len(features))
        cells[features, own] = np.take_along_axis(columns[features], order, axis=1)
        votes = _right_votes(tree, copies, codes).reshape(side_by_side, n)
        after[start : start + len(features)] = votes[own].sum(axis=1)
        cells[features, own] = columns[features]
    lost: Longs = right - after.reshape(n_features, repeats).T
    return lost


def _right_votes(tree: Forest, columns: Floats, codes: Codes) -> Longs:
    """1 for each row that the tree classifies correctly, otherwise 0."""
    n, n_classes = len(codes), tree.counts.shape[1]
    votes = np.zeros((n, n_classes), dtype=np.int64)
    work = route.new_work(n, n_classes)
    no_nodes = np.empty((n, 0), dtype=np.int64)
    route.route_rows(tree, read_only(columns), work, votes, no_nodes)
    return votes[np.arange(n), codes]
