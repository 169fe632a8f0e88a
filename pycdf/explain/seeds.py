"""Stability: do forests that differ in nothing but their seed select the same features?

In go rows, labels and parameters; out comes a :class:`Stability`: how often each feature was
selected under each seed, and how far any two forests agree on the most selected ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.explain.arguments import whole
from pycdf.explain.fitted import feature_names
from pycdf.explain.many_forests import grow, part_of, read_data, read_settings
from pycdf.forest.voting import importance
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import plural


@dataclass(frozen=True, eq=False)
class Stability:
    """What :func:`stability` returns."""

    shares: pd.DataFrame
    """Seeds x features: how often each was selected, as a share of the forest's selections."""
    top: int
    """How many of a forest's features are compared: its top set."""

    @cached_property
    def features(self) -> pd.DataFrame:
        """One line per feature, the most selected first.

        ``share``, the mean over the seeds; ``std``, their standard deviation; ``smallest`` and
        ``largest``; ``in_top``, in what part of the forests the feature is in the top set.
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
        """Seeds x features: whether the feature is in the top set; a tie goes to the first."""
        places = self.shares.rank(axis=1, method="first", ascending=False)
        return places <= self.top

    @cached_property
    def shared(self) -> pd.DataFrame:
        """Seeds x seeds: how many features two top sets have in common."""
        inside = self.in_top.astype(np.int64)
        return inside @ inside.T

    @cached_property
    def jaccard(self) -> pd.DataFrame:
        """Seeds x seeds: features in both top sets by features in either; 1 is full agreement."""
        return self.shared / (2 * self.top - self.shared)

    @cached_property
    def kuncheva(self) -> pd.DataFrame:
        """Seeds x seeds: Kuncheva's index of the top sets; 1 is full agreement, 0 is chance.

        Of p features, two sets of t drawn at random share t * t / p: the index is what they share
        beyond that, by the most that is possible.
        """
        p, top = self.shares.shape[1], self.top
        return (self.shared * p - top * top) / (top * (p - top))

    @cached_property
    def rank_correlation(self) -> pd.DataFrame:
        """Seeds x seeds: Spearman's correlation of all features' shares, tied ranks averaged."""
        ranks = self.shares.rank(axis=1).to_numpy()
        return pd.DataFrame(np.corrcoef(ranks), self.shares.index, self.shares.index)

    @cached_property
    def summary(self) -> pd.Series:
        """The means over all pairs of seeds of ``jaccard``, ``kuncheva``, ``rank_correlation``."""
        pairs = np.triu_indices(len(self.shares), 1)
        measures = ("jaccard", "kuncheva", "rank_correlation")
        return pd.Series({name: getattr(self, name).to_numpy()[pairs].mean() for name in measures})

    def __repr__(self) -> str:
        seeds, p = self.shares.shape
        found = self.summary
        always = self.in_top.all().sum()
        return "\n".join(
            [
                f"Stability over {seeds} seeds, {p:,} features",
                f"  top {self.top}: {always} features are there under every seed; Jaccard "
                f"{found['jaccard']:.2f}, Kuncheva {found['kuncheva']:.2f}",
                f"  rank correlation of all features {found['rank_correlation']:.2f}",
            ]
        )


def stability(
    X: Any,
    y: Any,
    *,
    seeds: int | Iterable[int] = 10,
    top: int = 20,
    progress: bool = False,
    **parameters: Any,
) -> Stability:
    """Grow forests that differ in their seed only, and compare what they select.

    Disagreement is what more trees would mend. It says nothing of how the selection would change
    with other rows.

    Parameters
    ----------
    X, y
        Training rows and their labels, as ``CDFClassifier.fit`` takes them.
    seeds : int or iterable of int, default=10
        The seeds, or how many: 10 are the seeds 1 to 10.
    top : int, default=20
        How many of the most selected features make the top set of a forest.
    progress : bool, default=False
        Whether trees done and time left are shown, on stderr if that is a terminal.
    **parameters
        Of :class:`pycdf.CDFClassifier`, such as ``ntrees`` or ``k``.

    Returns
    -------
    Stability
    """
    chosen = _seeds(seeds)
    top = whole(top, "top")
    settings = read_settings(parameters, "seeds, and one forest is grown for each")
    data = read_data(X, y)
    shares = []
    with ProgressBar() as bar:
        for place, seed in enumerate(chosen):
            report = part_of(bar, place, len(chosen), settings["ntrees"]) if progress else None
            model = grow(data, settings, seed, report)
            shares.append(importance(model.forest, len(model.kept)))
            _check_top(top, int((shares[-1] > 0).sum()), len(model.kept))
    names = pd.Index(feature_names(model), name="feature")
    return Stability(pd.DataFrame(shares, pd.Index(chosen, name="seed"), names), top)


def _seeds(seeds: int | Iterable[int]) -> list[int]:
    """At least two different seeds."""
    if not isinstance(seeds, Iterable) or isinstance(seeds, str):
        return list(range(1, whole(seeds, "seeds", 2) + 1))
    chosen = [
        whole(seed, f"seeds[{i}]", -LARGEST_INTEGER, LARGEST_INTEGER)
        for i, seed in enumerate(seeds)
    ]
    if len(set(chosen)) < max(2, len(chosen)):
        raise ValueError(f"seeds={chosen}: pass two different ones or more, or how many.")
    return chosen


def _check_top(top: int, selected: int, features: int) -> None:
    """Stop where top sets would hold features that were never selected, or all there are."""
    if selected == 0:
        raise ValueError("no feature is selected, as each tree is one leaf: raise depth.")
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
