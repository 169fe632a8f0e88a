"""A score and a rank test for each feature that a node selected.

:func:`split_evidence` returns them as a table; its notes say what the p-values mean, and what they
do not.
"""

import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.fitted import (
    Classes,
    Fit,
    Rows,
    TrainingRows,
    feature_names,
    model_of,
    read_training,
    tree_numbers,
)
from pycdf.explain.permutation_tests import permutation_p_values
from pycdf.explain.rank_tests import rank_test
from pycdf.forest.arrays import Forest
from pycdf.forest.tables import node_table
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]

_KRUSKAL = "Kruskal-Wallis rank sum test"
_WILCOXON = "Wilcoxon rank sum test with continuity correction"
_WILCOXON_EXACT = "Wilcoxon rank sum exact test"


def split_evidence(
    fit: Fit, X: Rows, y: Classes, tree: int | Sequence[int] | None = None
) -> pd.DataFrame:
    """Measure how well each selected feature separates the classes in its node.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X, y : array-like
        The training rows and their labels, in their original order. They are checked: with other
        rows the class means would not be the forest's centroids.
    tree : int, sequence of int or None, default=None
        The trees to include, counted from 0; None includes all.

    Returns
    -------
    DataFrame
        One row per split node and selected feature: ``tree``, ``node`` and ``depth`` as in
        ``fit.trees``; ``rank`` and ``feature``, the best feature first; ``score``, the class
        separability score for which the feature was selected, on the ``rows`` of the bootstrap
        sample in the node, NaN if the forest selects by another score; ``test``, ``statistic`` and
        ``p_value``, the ``wilcox.test`` of R 4.6 on
        the node's two classes (that of the first branch first) or ``kruskal.test`` on more classes,
        on the ``distinct_rows`` in the node, each counted once however often it was drawn;
        ``p_permutation``, the p-value over all ways to deal the values to the classes;
        ``candidates``, the number of features from which the node chose (mtry); and
        ``p_adjusted``, ``p_permutation`` times that number, at most 1. NaN where R's test stops
        because a class has no value of the feature, and for nodes whose rows are not known; a
        warning reports the latter.

    Notes
    -----
    A feature is in this table *because* it separates the classes: it was the best of
    ``candidates`` on the same rows. Its p-value is therefore often small even if there is nothing
    to find. ``p_adjusted`` (Bonferroni) corrects for that choice: if no feature is related to the
    classes, the probability that any of the values in the root of a single tree is below 0.05 is at
    most 5 %. ``benchmarks/calibration.py`` measures it.

    The correction starts from ``p_permutation`` because the approximations behind R's ``p_value``,
    made for values around 0.05, are too small by orders of magnitude far out in the tail if values
    are tied and a class is small. For two classes it belongs to the same Wilcoxon test, and is
    equal to ``p_value`` if both have fewer than 50 rows, or no values are tied. For more classes it
    is the smallest p-value of the Wilcoxon tests of each class against the rest, times their
    number.

    Nothing else is corrected for. Below the root, rows were assigned by the centroids of these very
    classes, which separates them before the test. The trees of a forest draw from the same rows:
    500 trees are not 500 independent findings. And the rows are those on which the features were
    chosen: only new rows can confirm a difference.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import split_evidence
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> table = split_evidence(fit, X, y, tree=0)
    >>> table[["node", "rank", "feature", "score", "p_adjusted"]].head(3).round(5)
       node  rank feature    score  p_adjusted
    0     0     0    x105  0.55875     0.00040
    1     0     1    x108  0.55522     0.00001
    2     0     2     x33  0.54162     0.00012
    """
    model = model_of(fit)
    trees = tree_numbers(model, tree)
    training = read_training(fit, X, y)
    growth, forest = training.growth, model.forest
    nodes = np.concatenate(
        [np.arange(forest.tree_start[one], forest.tree_start[one + 1]) for one in trees]
    )
    nodes = nodes[forest.leaf[nodes] < 0]
    _tell_unknown(int((~growth.known[nodes]).sum()), len(nodes))
    return _table(training, feature_names(fit), nodes)


def _tell_unknown(count: int, total: int) -> None:
    if count:
        warnings.warn(
            f"the rows of {plural(count, 'node')} of {total:,} are not known, and their scores and "
            "p-values are NaN: chance sent rows there that lay between two centroids, and the "
            "forest's stream had been drawn from before it began. With seed=<a number> all are "
            "known.",
            UserWarning,
            stacklevel=3,
        )


def _table(
    training: TrainingRows, names: npt.NDArray[np.object_], nodes: npt.NDArray[np.int64]
) -> pd.DataFrame:
    model, rows, codes, growth = training.model, training.rows, training.codes, training.growth
    forest = model.forest
    take = np.diff(forest.feature_start)[nodes]
    first = np.cumsum(take) - take
    owner = np.repeat(nodes, take)
    rank = np.arange(len(owner)) - np.repeat(first, take)
    selected = forest.feature_start[owner] + rank
    found = np.full((3, len(owner)), np.nan)
    test = np.empty(len(owner), dtype=object)
    distinct = np.zeros(len(nodes), dtype=np.int64)
    tree_of = np.searchsorted(forest.tree_start, nodes, side="right") - 1
    for i, (node, tree) in enumerate(zip(nodes.tolist(), tree_of.tolist(), strict=True)):
        part = slice(first[i], first[i] + take[i])
        if not growth.known[node]:
            continue
        here = np.unique(growth.rows[tree, slice(*growth.spans[node])])
        distinct[i] = len(here)
        groups = _groups(forest, node, codes[here])
        features = forest.features[selected[part]]
        values = rows[here[:, np.newaxis], features]
        result = rank_test(values, groups)
        by_permutation = permutation_p_values(values, groups, result)
        found[:, part] = result.statistic, result.p_value, by_permutation
        test[part] = _KRUSKAL if groups.max() > 1 else _WILCOXON
        test[part][result.exact] = _WILCOXON_EXACT
    candidates = model.parameters["mtry"]
    table = node_table(forest, model.classes).loc[owner, ["tree", "node", "depth", "rows"]]
    table = table.reset_index(drop=True)
    table.insert(3, "rank", rank)
    table.insert(4, "feature", names[forest.features[selected]])
    table.insert(5, "score", growth.scores[selected])
    return table.assign(
        distinct_rows=np.repeat(distinct, take),
        test=test,
        statistic=found[0],
        p_value=found[1],
        p_permutation=found[2],
        candidates=candidates,
        p_adjusted=np.minimum(found[2] * candidates, 1.0),
    )


def _groups(forest: Forest, node: int, codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """The position of each row's own class among the branches."""
    classes = forest.node_classes[forest.class_start[node] : forest.class_start[node + 1]]
    place = np.empty(forest.counts.shape[1], dtype=np.int64)
    place[classes] = np.arange(len(classes))
    return place[codes]
