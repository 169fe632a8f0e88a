"""Co-selection: which features are selected together in the same node, compared with chance."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.arguments import whole
from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.forest.arrays import Forest

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


def coselection(fit: Fit, top: int = 20, *, lift: bool = False) -> pd.DataFrame:
    """Count the nodes that selected two features together, for the most selected features.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    top : int, default=20
        Maximum number of features.
    lift : bool, default=False
        Whether to return the ratio of the counts to those expected by chance instead (see
        :func:`coselected_pairs`).

    Returns
    -------
    DataFrame
        Features x features, the most selected first. The diagonal counts the nodes that selected
        the feature at all; it is NaN with ``lift=True``.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import coselection
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> coselection(fit, top=3)
    feature  x271  x408  x89
    feature
    x271       10     1    1
    x408        1     9    0
    x89         1     0    8
    """
    top = whole(top, "top")
    model = model_of(fit)
    chosen_by = _features_by_node(model.forest)
    selected = np.bincount(chosen_by.ravel(), minlength=len(model.kept))
    chosen = np.argsort(-selected, kind="stable")[:top]
    position = np.full(len(selected), -1)
    position[chosen] = np.arange(len(chosen))
    node, rank = np.nonzero(position[chosen_by] >= 0)
    inside = np.zeros((len(chosen_by), len(chosen)))
    inside[node, position[chosen_by[node, rank]]] = 1.0
    together = inside.T @ inside  # integers, exact in doubles
    names = pd.Index(feature_names(fit)[chosen], name="feature")
    if not lift:
        return pd.DataFrame(together.astype(np.int64), names, names)
    one, other = np.ix_(chosen, chosen)
    expected = _expected(selected, len(chosen_by), one, other)
    ratio = np.full(together.shape, np.nan)
    apart = ~np.eye(len(chosen), dtype=bool) & (expected > 0)
    np.divide(together, expected, out=ratio, where=apart)
    return pd.DataFrame(ratio, names, names)


def coselected_pairs(fit: Fit) -> pd.DataFrame:
    """List all pairs of features that were selected together in some node.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.

    Returns
    -------
    DataFrame
        One row per pair, the most frequent first: ``first`` and ``second``, the more selected
        feature first; ``together``, the number of nodes that selected both; ``expected``, the
        number expected by chance; and ``lift``, the ratio of the two.

    Notes
    -----
    ``expected`` assumes that nodes select each feature as often as they do, but independently of
    the other features they select. It is Hájek's approximation for drawing k features with unequal
    probabilities. A lift above 1 means that two features are selected together more often than by
    chance. Two reasons are common: they separate the same classes, or both are selected in the
    roots, which see all rows. A pair that was seen once or twice can have any lift.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import coselected_pairs
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> coselected_pairs(fit).head(3).round(2)
      first second  together  expected  lift
    0  x271   x105         4      1.27  3.15
    1  x411   x297         4      0.76  5.28
    2  x271    x91         3      0.95  3.16
    """
    model = model_of(fit)
    chosen_by = _features_by_node(model.forest)
    p = len(model.kept)
    selected = np.bincount(chosen_by.ravel(), minlength=p)
    order = np.argsort(-selected, kind="stable")
    position = np.empty(p, dtype=np.int64)
    position[order] = np.arange(p)
    ranked = np.sort(position[chosen_by], axis=1)  # in each node, the most selected feature first
    one, other = np.triu_indices(ranked.shape[1], 1)
    pairs, together = np.unique(ranked[:, one] * p + ranked[:, other], return_counts=True)
    frequent = np.argsort(-together, kind="stable")
    first, second = order[pairs[frequent] // p], order[pairs[frequent] % p]
    together = together[frequent]
    expected = _expected(selected, len(chosen_by), first, second)
    names = feature_names(fit)
    return pd.DataFrame(
        {
            "first": names[first],
            "second": names[second],
            "together": together,
            "expected": expected,
            "lift": together / expected,
        }
    )


def _features_by_node(forest: Forest) -> Longs:
    """The selected features of each split node (split nodes x k)."""
    split = int((forest.leaf < 0).sum())
    if split == 0:
        raise ValueError(
            "the fit has no selected features, as every tree is a single leaf: raise depth."
        )
    return forest.features.reshape(split, -1).astype(np.int64)


def _expected(selected: Longs, nodes: int, one: Longs, other: Longs) -> Floats:
    """How many of the nodes are expected to select both features by chance.

    A node selects a fixed number of features, so each one selected makes the others less likely.
    Hájek's (1964) approximation gives the joint probability from the marginal ones.
    """
    chance = selected / nodes
    variance = (chance * (1.0 - chance)).sum()
    left = (1.0 - chance[one]) * (1.0 - chance[other])
    # Without variance, every node selects the same features.
    crowding = left / variance if variance > 0 else np.zeros_like(left)
    expected: Floats = nodes * (chance[one] * chance[other]) * (1.0 - crowding)
    return expected
