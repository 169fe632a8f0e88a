"""Selection chance: how often would a feature be selected if the labels meant nothing?

In go a fit and the rows and labels that it was trained on; out comes one line per feature: how
often it was selected, how often by chance, and how likely that much is. Forests are grown anew,
with the same parameters, on labels that are shuffled among the rows. That keeps what makes chance
unequal: all trees share the same rows, so that a feature which separates shuffled labels by luck
does so in many trees at once. Equal chances for all would make almost any feature look important.
And some features are selected more than others whatever the labels, such as those of a large range
where classes have so few rows that they have no spread: each is measured by its own average.
"""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.stream import RStream
from pycdf.base_r.text import r_texts
from pycdf.explain.arguments import stream_of, whole
from pycdf.explain.fitted import Fit, feature_names, model_of, read_training
from pycdf.explain.many_forests import grow_like, part_of
from pycdf.forest.model import Model
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.prepare import training_data
from pycdf.support.progress import ProgressBar

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Null = Literal["pooled", "feature"]

_ROUNDING = 1e-12  # multiples that are less apart are equal
_ALIKE = 5  # forests that select all features alike: few others tell little of a rare feature


def selection_chance(
    fit: Fit,
    X: Any,
    y: Any,
    *,
    repeats: int = 50,
    null: Null = "pooled",
    seed: int | RStream | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare how often each feature was selected with forests on shuffled labels.

    What is compared is a feature's share of all selections, R's importance: forests on shuffled
    labels have more nodes.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
    X, y
        The rows and labels of training, in their order.
    repeats : int, default=50
        How many forests are grown on shuffled labels; each takes about as long as the fit.
    null : {"pooled", "feature"}, default="pooled"
        With what a feature is compared. "pooled": with every feature of every shuffled forest, each
        by how many times its own average it was selected. Few repeats suffice, and thousands of
        features can be told apart; it takes for granted that these multiples vary alike. "feature":
        only with itself, which assumes nothing, but no p-value is then below 1 / (repeats + 1):
        with thousands of features, too much to be left after adjusting unless there are thousands
        of repeats.
    seed : int, RStream or None, default=None
        R's stream shuffles the labels and grows the forests; a whole number repeats them.
    n_jobs : int or None, default=None
        As in :class:`pycdf.CDFClassifier`: cores for growing, of use where the fit has
        ``streams="per_tree"``.
    progress : bool, default=False
        Whether trees done and time left are shown, on stderr if that is a terminal.

    Returns
    -------
    DataFrame
        One line per feature of the forest, the most selected first. ``selected``: in how many nodes
        of the fit. ``expected``: in how many, if nodes took features blindly: nodes * k / features,
        the same for all. ``shuffled``: in how many on average with shuffled labels, per as many
        selections as the fit has. ``p_value``: (1 + b) / (1 + m), where b of the m shares from
        shuffled labels (as multiples, with the pooled null) are at least the feature's.
        ``p_adjusted``: after Benjamini and Hochberg. With the pooled null it can be read directly:
        of all features with a p-value as small as this one, about that share would be there if
        labels meant nothing.

    Notes
    -----
    The p-values ask whether labels matter to a feature, not by how much, nor whether the forest
    would miss it: of ten copies of a good feature each is selected. The question is put for the
    labels as a whole; where some features tell a lot, the others have fewer selections left to win
    than on shuffled labels, and their p-values err on the side of caution. Where k is not much
    smaller than mtry, nodes select most of what they draw, and frequencies can tell little.

    The multiples of the pooled null: a feature's share in one forest, by its mean over the others,
    shuffled ones and the fit alike, among which 5 more are counted that select all features alike.
    If labels mean nothing, the fit is one of these forests like any other, so that no feature has
    an advantage and, over all of them, 5 in 100 p-values are below 0.05.
    """
    repeats = whole(repeats, "repeats")
    if null not in ("pooled", "feature"):
        raise ValueError(f"null={null!r}: pass 'pooled' or 'feature'.")
    check_jobs(n_jobs)
    model = model_of(fit)
    training = read_training(fit, X, y)
    rows, codes = training.rows, training.codes
    selected = np.bincount(model.forest.features, minlength=rows.shape[1])
    total = int(selected.sum())
    if total == 0:
        raise ValueError(
            "the fit has no selected feature: each tree is one leaf. Fit with depth of at least 1, "
            "and mnode below the number of rows."
        )
    with ProgressBar() as bar:
        shares = _shuffled_shares(
            model, rows, codes, repeats, stream_of(seed), n_jobs, bar if progress else None
        )
    p_value = _p_values(selected / total, shares, null)
    table = pd.DataFrame(
        {
            "selected": selected,
            "expected": total / len(selected),
            "shuffled": shares.mean(axis=0) * total,
            "p_value": p_value,
            "p_adjusted": adjusted(p_value),
        },
        index=pd.Index(feature_names(fit), name="feature"),
    )
    return table.sort_values("selected", ascending=False, kind="stable")


def _shuffled_shares(
    model: Model,
    rows: Floats,
    codes: Codes,
    repeats: int,
    stream: RStream,
    n_jobs: int | None,
    bar: ProgressBar | None,
) -> Floats:
    """Shares of selections (repeats x features) in forests on shuffled labels.

    Each repeat draws the order of the labels, R's ``sample(n)``, then grows its forest.
    """
    texts = r_texts(list(model.classes))
    data = training_data(rows, codes, model.classes, texts, None, model.options["integer"])
    if len(data.kept) < rows.shape[1]:
        raise ValueError("some columns of X do not vary, and did in training: pass its rows.")
    shares = np.empty((repeats, rows.shape[1]))
    for repeat in range(repeats):
        shuffled = replace(data, codes=codes[stream.sample(len(codes))])
        report = part_of(bar, repeat, repeats, model.forest.n_trees) if bar else None
        shares[repeat] = grow_like(model, shuffled, stream, n_jobs, report).importances()
    return shares


def _p_values(shares: Floats, shuffled: Floats, null: Null) -> Floats:
    """(1 + shares from shuffled labels that are as large) / (1 + all of them)."""
    if null == "feature":
        as_large, of = (shuffled >= shares).sum(axis=0), len(shuffled)
    else:
        multiples = _multiples(np.vstack([shares, shuffled]))
        own, pool = multiples[0], np.sort(multiples[1:], axis=None)
        least = own * (1 - _ROUNDING)
        as_large, of = len(pool) - np.searchsorted(pool, least, side="left"), len(pool)
    p_values: Floats = (1 + as_large) / (1 + of)
    return p_values


def _multiples(shares: Floats) -> Floats:
    """Shares (forests x features) by what the other forests have for the feature on average."""
    forests, features = shares.shape
    others = shares.sum(axis=0) - shares + _ALIKE / features
    multiples: Floats = shares / (others / (forests - 1 + _ALIKE))
    return multiples


def adjusted(p_values: Floats) -> Floats:
    """P-values adjusted by Benjamini and Hochberg's rule: R's ``p.adjust(p, "BH")``."""
    n = len(p_values)
    order = np.argsort(p_values)[::-1]
    raised = n / np.arange(n, 0, -1) * p_values[order]
    result = np.empty(n)
    result[order] = np.minimum(1.0, np.minimum.accumulate(raised))
    return result
