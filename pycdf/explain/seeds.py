"""Stability: do forests that differ only in their seed select the same features?

:func:`stability` grows the forests; :class:`Stability` holds how often each feature was selected
under each seed, and measures how well any two forests agree on the most selected ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.explain.arguments import whole
from pycdf.explain.fitted import Classes, Rows, feature_names
from pycdf.explain.many_forests import grow, part_of, read_data, read_settings
from pycdf.forest.voting import importance
from pycdf.support.overview import Overview, Overviewed, some
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import plural, shown


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Overviewed):
    """How often forests of different seeds select each feature: the result of :func:`stability`.

    Attributes
    ----------
    shares : DataFrame of shape (n_seeds, n_features)
        How often each feature was selected, as a share of the forest's selections.
    top : int
        Size of the top set: the number of most selected features that are compared.

    Examples
    --------
    >>> from pycdf import load_darwin
    >>> from pycdf.explain import stability
    >>> X, y = load_darwin()
    >>> found = stability(X, y, seeds=3, top=10, ntrees=50)
    >>> found.features.head(2).round(3)
             share    std  smallest  largest  in_top
    feature
    x159     0.011  0.001     0.009    0.011     1.0
    x108     0.010  0.002     0.009    0.012     1.0
    >>> found.jaccard.round(2)
    seed     1     2     3
    seed
    1     1.00  0.25  0.33
    2     0.25  1.00  0.33
    3     0.33  0.33  1.00
    """

    shares: pd.DataFrame
    top: int

    @cached_property
    def features(self) -> pd.DataFrame:
        """DataFrame with one row per feature, the most selected first.

        The columns are ``share``, the mean over the seeds; ``std``, the standard deviation;
        ``smallest`` and ``largest``; and ``in_top``, the share of the forests that have the feature
        in their top set.
        """
        table = pd.DataFrame(
            {
                "share": self.shares.mean(),
                "std": self.shares.std(),
                "smallest": self.shares.min(),
                "largest": self.shares.max(),
                "in_top": self.in_top.mean(),
            }
        )
        return table.sort_values("share", ascending=False, kind="stable")

    @cached_property
    def in_top(self) -> pd.DataFrame:
        """DataFrame (seeds x features): whether the feature is in the top set.

        A tie goes to the first feature.
        """
        ranks = self.shares.rank(axis=1, method="first", ascending=False)
        return ranks <= self.top

    @cached_property
    def shared(self) -> pd.DataFrame:
        """DataFrame (seeds x seeds): how many features two top sets have in common."""
        inside = self.in_top.astype(np.int64)
        return inside @ inside.T

    @cached_property
    def jaccard(self) -> pd.DataFrame:
        """DataFrame (seeds x seeds): the Jaccard index of the top sets; 1 is full agreement.

        It is the number of features in both sets divided by the number in either.
        """
        return self.shared / (2 * self.top - self.shared)

    @cached_property
    def kuncheva(self) -> pd.DataFrame:
        """DataFrame (seeds x seeds): Kuncheva's index of the top sets; 1 is agreement, 0 chance.

        Two random sets of t out of p features are expected to share t * t / p. The index is what
        they share beyond that, divided by its maximum.
        """
        p, top = self.shares.shape[1], self.top
        return (self.shared * p - top * top) / (top * (p - top))

    @cached_property
    def rank_correlation(self) -> pd.DataFrame:
        """DataFrame (seeds x seeds): Spearman's correlation of the shares of all features.

        Tied ranks are averaged.
        """
        ranks = self.shares.rank(axis=1).to_numpy()
        return pd.DataFrame(np.corrcoef(ranks), self.shares.index, self.shares.index)

    @cached_property
    def summary(self) -> pd.Series:
        """Series: the means of ``jaccard``, ``kuncheva`` and ``rank_correlation``.

        The means are over all pairs of seeds.
        """
        pairs = np.triu_indices(len(self.shares), 1)
        measures = ("jaccard", "kuncheva", "rank_correlation")
        return pd.Series({name: getattr(self, name).to_numpy()[pairs].mean() for name in measures})

    def _overview(self) -> Overview:
        seeds, p = self.shares.shape
        found = self.summary
        inside = self.in_top.all()
        always = inside.index[inside].tolist()
        return Overview(
            f"Stability over {seeds} seeds, {plural(p, 'feature')}",
            {
                f"in every top {self.top}": f"{plural(len(always), 'feature')}"
                + (f": {some(always)}" if always else ""),
                f"top {self.top} of two seeds": f"Jaccard {found['jaccard']:.2f}, "
                f"Kuncheva {found['kuncheva']:.2f}",
                "all features": f"rank correlation {found['rank_correlation']:.2f}",
            },
        )


def stability(
    X: Rows,
    y: Classes,
    *,
    seeds: int | Iterable[int] = 10,
    top: int = 20,
    progress: bool = False,
    **parameters: Any,
) -> Stability:
    """Grow forests that differ only in their seed, and compare what they select.

    Disagreement can be reduced by growing more trees. It does not show how the selection would
    change with other rows.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        Training rows, as for ``CDFClassifier.fit``.
    y : array-like of shape (n_rows,)
        Labels of the training rows.
    seeds : int or iterable of int, default=10
        The seeds, or their number: 10 stands for the seeds 1 to 10.
    top : int, default=20
        Size of the top set: how many of the most selected features are compared.
    progress : bool, default=False
        Whether to show the trees done and the time left, in a terminal or a notebook.
    **parameters
        Parameters of :class:`pycdf.CDFClassifier`, such as ``ntrees`` or ``k``.

    Returns
    -------
    Stability
        The shares of selections under each seed, and measures of agreement.

    Examples
    --------
    >>> from pycdf import load_darwin
    >>> from pycdf.explain import stability
    >>> X, y = load_darwin()
    >>> stability(X, y, seeds=3, top=10, ntrees=50)
    Stability over 3 seeds, 450 features
      in every top 10      3 features: x108, x159, x411
      top 10 of two seeds  Jaccard 0.31, Kuncheva 0.45
      all features         rank correlation 0.73
    """
    chosen = _seeds(seeds)
    top = whole(top, "top")
    settings = read_settings(parameters, "seeds, and one forest is grown for each")
    data = read_data(X, y, bool(settings["scale"]))
    shares = []
    with ProgressBar(progress) as bar:
        for at, seed in enumerate(chosen):
            report = part_of(bar, at, len(chosen), settings["ntrees"])
            model = grow(data, settings, seed, report)
            shares.append(importance(model.forest, len(model.kept)))
            _check_top(top, int((shares[-1] > 0).sum()), len(model.kept))
    names = pd.Index(feature_names(model), name="feature")
    return Stability(pd.DataFrame(shares, pd.Index(chosen, name="seed"), names), top)


def _seeds(seeds: int | Iterable[int]) -> list[int]:
    """The seeds as a list of at least two, all different."""
    if not isinstance(seeds, Iterable) or isinstance(seeds, str):
        return list(range(1, whole(seeds, "seeds", 2) + 1))
    chosen = [
        whole(seed, f"seeds[{i}]", -LARGEST_INTEGER, LARGEST_INTEGER)
        for i, seed in enumerate(seeds)
    ]
    if len(set(chosen)) < max(2, len(chosen)):
        raise ValueError(
            f"seeds={shown(chosen)}: pass at least two different seeds, or their number."
        )
    return chosen


def _check_top(top: int, selected: int, features: int) -> None:
    """Raise an error if top sets would contain all features, or some never selected."""
    if selected == 0:
        raise ValueError("no feature is selected, as every tree is a single leaf: raise depth.")
    if features == 1:
        raise ValueError("X has only 1 feature that varies: forests have nothing to choose from.")
    most = min(selected, features - 1)
    if top > selected:
        more = ", or raise ntrees" if most == selected else ""
        raise ValueError(
            f"top={top} is more than the {plural(selected, 'feature')} that a forest selects: pass "
            f"at most {most}{more}."
        )
    if top == features:
        raise ValueError(
            f"top={top} is all {plural(features, 'feature')} of X that vary, which any two forests "
            f"have in common: pass at most {most}."
        )
