"""What a search found: :class:`Tuned`, and how good it is on rows that were kept away from it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from pycdf.classifier import CDFClassifier
from pycdf.forest.summary import settings_text
from pycdf.support.options import in_python, option
from pycdf.support.overview import Overview, Overviewed
from pycdf.support.wording import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Nested:
    """The honest figure: the whole search in each outer fold, tested on rows it has not seen."""

    measure: str
    tuned: float
    """The measure of the predictions by the winners, over all rows."""
    default: float
    """That of forests with R's defaults, on the same rows."""
    by_fold: pd.DataFrame
    """For each fold both measures, and the settings that won."""
    better: int
    """Rows that only the winners predict right."""
    worse: int
    """Rows that only R's defaults predict right."""
    rows: int

    def sentence(self) -> str:
        """What tuning brings, in words."""
        gain = self.tuned - self.default
        name = self.measure.replace("_", " ")
        what = (
            f"{name} on rows that the search did not see: {self.tuned:.3f} tuned, "
            f"{self.default:.3f} with R's defaults. Of {plural(self.rows, 'row')}, {self.better:,} "
            f"are right only if tuned and {self.worse:,} only by default"
        )
        return f"{what}: {_verdict(gain, self.better, self.worse)}."


def _verdict(gain: float, better: int, worse: int) -> str:
    """Whether the difference may be chance, by the sign test of the rows on which both differ."""
    if better + worse == 0:
        return "no difference"
    from scipy.stats import binomtest  # type: ignore[import-untyped]

    p = float(binomtest(better, better + worse).pvalue)
    if p >= 0.05:
        return f"a difference that may well be chance (p = {p:.2f})"
    return f"{'better' if gain > 0 else 'worse'}, by more than chance (p = {p:.2g})"


@dataclass(frozen=True, eq=False, repr=False)
class Tuned(Overviewed):
    """The result of :func:`pycdf.tune`.

    Attributes
    ----------
    estimator : CDFClassifier
        The winner, fitted on all rows.
    table : DataFrame
        What was tried, the best first; forests that got more trees come before the others.
    measure : str
        What was measured.
    score : float
        The out-of-bag score of the winner, which is too good, since it won by it.
    default_score : float
        The out-of-bag score of R's defaults.
    nested : pycdf.tuning.tuned.Nested or None
        The honest figure.
    seed : int
        The seed of everything that was drawn.
    seconds : float
        How long everything took.

    Examples
    --------
    >>> from pycdf import load_darwin, tune
    >>> X, y = load_darwin()
    >>> found = tune(X, y, space={"depth": [1, 3]}, budget=2, nested=2, ntrees=9, seed=1)
    >>> found.table[["depth", "trees"]].to_numpy().tolist()
    [[3, 9], [1, 9]]
    """

    estimator: CDFClassifier
    table: pd.DataFrame
    measure: str
    score: float
    default_score: float
    nested: Nested | None
    seed: int
    seconds: float

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the scores of all forests that were tried, and the honest figure beside them.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            The axes to draw on. None makes a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from pycdf.plots.tuning import plot_search

        honest = None if self.nested is None else (self.nested.tuned, self.nested.default)
        return plot_search(self.table, self.measure, honest, ax=ax)

    def _overview(self) -> Overview:
        best = self.table.iloc[0].drop(["trees", "r_default", f"oob_{self.measure}"])
        name = self.measure.replace("_", " ")
        facts: dict[str, str | list[str]] = {
            "best": settings_text({str(name): value for name, value in best.items()}),
            "out of bag": f"{name} {self.score:.3f}, R's defaults {self.default_score:.3f}: too "
            "good, because the best of many was chosen",
            "honestly": f"unknown: {option('nested', 5)} measures it"
            if self.nested is None
            else self.nested.sentence(),
        }
        if in_python():
            facts["more"] = ".estimator, .table, .nested.by_fold, .plot()"
        title = (
            f"Tuned: {plural(len(self.table), 'forest')} tried in {self.seconds:.1f} s, "
            f"seed {self.seed}"
        )
        return Overview(title, facts)
