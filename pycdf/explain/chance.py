"""Selection chance: how often would a feature be selected if the labels were random?

Forests are grown with the same parameters on labels that are shuffled among the rows. This keeps
what makes chance unequal. All trees share the same rows, so a feature that happens to separate
shuffled labels does so in many trees at once; assuming equal chances for all features would make
almost any of them look important. And some features are selected more often whatever the labels,
such as those with a large range where classes have so few rows that they have no spread. Each
feature is therefore compared with its own average.
"""

from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.stream import RStream
from pycdf.base_r.text import r_texts
from pycdf.explain.arguments import stream_of, whole
from pycdf.explain.fitted import Classes, Fit, Rows, feature_names, model_of, read_training
from pycdf.explain.many_forests import part_of
from pycdf.forest.model import Model
from pycdf.forest.training import grow_like
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.prepare import training_data
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import shown

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Null = Literal["pooled", "feature"]

_ROUNDING = 1e-12  # multiples that differ by less count as equal
_ALIKE = 5  # pseudo-forests with equal shares, which steady the averages of rare features


def selection_chance(
    fit: Fit,
    X: Rows,
    y: Classes,
    *,
    n_repeats: int = 50,
    null: Null = "pooled",
    seed: int | RStream | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare how often each feature was selected with forests grown on shuffled labels.

    The quantity compared is a feature's share of all selections, R's importance, because forests on
    shuffled labels have more nodes.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like of shape (n_rows, n_features)
        The training rows, in their original order.
    y : array-like of shape (n_rows,)
        The labels of the training rows.
    n_repeats : int, default=50
        Number of forests grown on shuffled labels; each takes about as long as the fit.
    null : {"pooled", "feature"}, default="pooled"
        The null distribution of a feature. "pooled" uses every feature of every shuffled forest,
        each as a multiple of its own average. A few repeats are enough, even for thousands of
        features, but the multiples are assumed to vary in the same way for all features. "feature"
        uses only the feature itself and assumes nothing, but no p-value is then below
        1 / (n_repeats + 1): with thousands of features, nothing remains after adjustment unless
        there are thousands of repeats.
    seed : int, RStream or None, default=None
        Seed of R's stream, or the stream itself, which shuffles the labels and grows the forests.
        None starts from fresh randomness.
    n_jobs : int or None, default=None
        Number of cores, as in :class:`pycdf.CDFClassifier`. It only matters if the fit has
        ``streams="per_tree"``.
    progress : bool, default=False
        Whether to show the trees done and the time left, in a terminal or a notebook.

    Returns
    -------
    DataFrame
        One row per feature of the forest, the most selected first, indexed by ``feature``:
        ``selected``, the number of nodes of the fit that selected it; ``expected``, that number if
        nodes chose features blindly, nodes * k / features, the same for all; ``shuffled``, the
        average number with shuffled labels, scaled to the number of selections of the fit;
        ``p_value``, (1 + b) / (1 + m), where b of the m shares from shuffled labels (as multiples,
        with the pooled null) are at least the feature's; and ``p_adjusted``, the p-value adjusted
        by Benjamini and Hochberg's method. With the pooled null the latter is a false discovery
        rate: among the features with a p-value at most this large, about that share would be
        expected there even if the labels were random.

    Notes
    -----
    The p-values answer whether the labels matter to a feature, not by how much, nor whether the
    forest needs it: of ten copies of a good feature, each one is selected. The null hypothesis
    concerns the labels as a whole. If some features are very informative, fewer selections are left
    for the others than on shuffled labels, so that their p-values are conservative. If k is not
    much smaller than mtry, nodes select most of what they draw, and frequencies carry little
    information.

    A multiple of the pooled null is a feature's share in one forest divided by its mean over the
    other forests, the fit and the shuffled ones alike, to which 5 pseudo-forests with equal shares
    are added. If the labels are random, the fit is a forest like any other, so that no feature has
    an advantage and, over all features, 5 % of the p-values are below 0.05.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import selection_chance
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> table = selection_chance(fit, X, y, n_repeats=5, seed=1)
    >>> table.head(3).round(3)
             selected  expected  shuffled  p_value  p_adjusted
    feature
    x271           10     1.573     1.938    0.004       0.220
    x408            9     1.573     1.423    0.003       0.220
    x89             8     1.573     3.032    0.025       0.361
    """
    repeats = whole(n_repeats, "n_repeats")
    if null not in ("pooled", "feature"):
        raise ValueError(f"null={shown(null)}: pass 'pooled' or 'feature'.")
    check_jobs(n_jobs)
    model = model_of(fit)
    training = read_training(fit, X, y)
    rows, codes = training.rows, training.codes
    selected = np.bincount(model.forest.features, minlength=rows.shape[1])
    total = int(selected.sum())
    if total == 0:
        raise ValueError(
            "the fit has no selected features: every tree is a single leaf. Fit with a depth of at "
            "least 1, and mnode below the number of rows."
        )
    with ProgressBar(progress) as bar:
        shares = _shuffled_shares(model, rows, codes, repeats, stream_of(seed), n_jobs, bar)
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
    bar: ProgressBar,
) -> Floats:
    """Shares of selections in forests on shuffled labels (repeats x features).

    Each repeat draws the order of the labels, R's ``sample(n)``, and then grows its forest.
    """
    texts = r_texts(list(model.classes))
    data = training_data(rows, codes, model.classes, texts, None, model.options["integer"])
    if len(data.kept) < rows.shape[1]:
        raise ValueError(
            "some columns of X do not vary although they did in training: pass the training rows."
        )
    shares = np.empty((repeats, rows.shape[1]))
    for repeat in range(repeats):
        shuffled = replace(data, codes=codes[stream.sample(len(codes))])
        report = part_of(bar, repeat, repeats, model.forest.n_trees)
        shares[repeat] = grow_like(model, shuffled, stream, n_jobs, report).importances()
    return shares


def _p_values(shares: Floats, shuffled: Floats, null: Null) -> Floats:
    """(1 + number of shuffled shares that are as large) / (1 + number of shuffled shares)."""
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
    """Shares (forests x features) divided by the average share in the other forests."""
    forests, features = shares.shape
    others = shares.sum(axis=0) - shares + _ALIKE / features
    multiples: Floats = shares / (others / (forests - 1 + _ALIKE))
    return multiples


def adjusted(p_values: Floats) -> Floats:
    """P-values adjusted by Benjamini and Hochberg's method: R's ``p.adjust(p, "BH")``."""
    n = len(p_values)
    order = np.argsort(p_values)[::-1]
    raised = n / np.arange(n, 0, -1) * p_values[order]
    result = np.empty(n)
    result[order] = np.minimum.accumulate(raised)
    return result
