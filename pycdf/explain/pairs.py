"""Co-selection: which features are chosen together, in the same node.

In goes a fit; out come the nodes that two features share, for the most selected features as a
square table or for all pairs as a list, beside what they would share by chance.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.arguments import whole
from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.forest.arrays import Forest

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


def coselection(fit: Fit, top: int = 20, *, lift: bool = False) -> pd.DataFrame:
    """In how many nodes two features were selected together, for the most selected ones.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
    top : int, default=20
        How many features; all of them where there are fewer.
    lift : bool, default=False
        Whether to give the counts as multiples of what chance gives (see :func:`coselected_pairs`)
        instead.

    Returns
    -------
    DataFrame
        Features x features, the most selected first. On the diagonal: in how many nodes the feature
        was selected at all; NaN with ``lift=True``.
    """
    top = whole(top, "top")
    model = model_of(fit)
    chosen_by = _features_by_node(model.forest)
    selected = np.bincount(chosen_by.ravel(), minlength=len(model.kept))
    chosen = np.argsort(-selected, kind="stable")[:top]
    place = np.full(len(selected), -1)
    place[chosen] = np.arange(len(chosen))
    node, rank = np.nonzero(place[chosen_by] >= 0)
    inside = np.zeros((len(chosen_by), len(chosen)))
    inside[node, place[chosen_by[node, rank]]] = 1.0
    together = inside.T @ inside  # whole numbers, exact in doubles
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
    """All pairs of features that were selected together in some node.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model

    Returns
    -------
    DataFrame
        One line per pair, the most frequent first: ``first`` and ``second``, the more selected one
        first; ``together``, in how many nodes both were selected; ``expected``, in how many if
        nodes chose as often each feature as they do, without regard to the others they choose (as
        drawing k of unequal chances does, by Hájek's approximation); ``lift``, the one by the
        other. Above 1 features go together more than chance has it. Two reasons are common: they
        separate the same classes, or both are chosen at the roots, where all rows are. A pair that
        was seen once or twice can have any lift.
    """
    model = model_of(fit)
    chosen_by = _features_by_node(model.forest)
    p = len(model.kept)
    selected = np.bincount(chosen_by.ravel(), minlength=p)
    order = np.argsort(-selected, kind="stable")
    place = np.empty(p, dtype=np.int64)
    place[order] = np.arange(p)
    ranked = np.sort(place[chosen_by], axis=1)  # in each node, the most selected feature first
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
    """Split nodes x selected features: each node selects as many."""
    split = int((forest.leaf < 0).sum())
    if split == 0:
        raise ValueError("the fit has no selected features, as each tree is one leaf: raise depth.")
    return forest.features.reshape(split, -1).astype(np.int64)


def _expected(selected: Longs, nodes: int, one: Longs, other: Longs) -> Floats:
    """How many of the nodes would select both features by chance.

    A node draws a fixed number of features, so that each one chosen leaves less room for the next:
    Hájek's (1964) approximation of the joint chance from the single ones.
    """
    chance = selected / nodes
    room = (chance * (1.0 - chance)).sum()
    left = (1.0 - chance[one]) * (1.0 - chance[other])
    crowding = np.divide(left, room, out=np.zeros_like(left), where=left > 0)
    expected: Floats = nodes * (chance[one] * chance[other]) * (1.0 - crowding)
    return expected
