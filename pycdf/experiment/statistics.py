"""Paired statistical tests of methods across data sets (Demšar 2006).

They are Friedman's test, Wilcoxon's signed-rank test of one method against each other with Holm's
correction, and Nemenyi's critical difference of mean ranks. Only data sets on which every method
has a mean are used; a method without any mean is left out.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats  # type: ignore[import-untyped]

from pycdf.support.overview import Overview, Overviewed
from pycdf.support.wording import brief, plural

Floats = npt.NDArray[np.float64]
TESTS = ("Mean rank", "Won/tied/lost", "Median difference", "W", "p", "p (Holm)")
"""Titles of :meth:`Paired.tests`."""
_EQUAL = 12  # decimals to round to, so that means do not differ by their order of summation


@dataclass(frozen=True, eq=False, repr=False)
class Paired(Overviewed):
    """The results of comparing methods across data sets."""

    data: tuple[str, ...]
    """The data sets that were used."""
    reference: str
    """The method that the others are compared with."""
    mean_ranks: pd.Series
    """By method; 1 is best, and tied methods share the mean of their ranks."""
    friedman: tuple[float, float]
    """Chi-squared and p-value; NaN for fewer than three methods or two data sets."""
    wilcoxon: pd.DataFrame
    """One row per other method: wins, ties and losses of the reference, the median difference,
    the smaller rank sum, the exact p-value, and the p-value with Holm's correction."""
    critical_difference: float
    """Mean ranks that differ by less do not differ significantly (Nemenyi)."""
    alpha: float
    """The significance level."""

    @property
    def smallest_p(self) -> float:
        """The smallest corrected p-value that is possible with so few data sets."""
        return min(1.0, len(self.wilcoxon) * 2.0 ** (1 - len(self.data)))

    @property
    def groups(self) -> list[list[str]]:
        """The maximal groups of methods whose mean ranks do not differ significantly."""
        return alike(self.mean_ranks, self.critical_difference)

    def _overview(self) -> Overview:
        chi2, p = self.friedman
        facts = {"Friedman": f"chi-squared {chi2:.2f}, p = {p:.4g}"} if chi2 == chi2 else {}
        facts["Nemenyi"] = (
            f"mean ranks that differ by less than {self.critical_difference:.2f} do not differ "
            f"significantly ({self.alpha:.0%} level)"
        )
        facts["Wilcoxon"] = f"{brief(self.reference)} against each other method, on its line"
        return Overview(
            f"Paired comparison of {plural(len(self.mean_ranks), 'method')} on "
            f"{plural(len(self.data), 'data set')}",
            facts,
            ["Method", *TESTS],
            [
                [brief(name), *self.tests(str(name))]
                for name in self.mean_ranks.sort_values(kind="stable").index
            ],
        )

    def tests(self, method: str) -> list[str]:
        """A method's rank and test as text, in the order of ``TESTS``; the reference has none."""
        rank = f"{self.mean_ranks[method]:.2f}"
        if method not in self.wilcoxon.index:
            return [rank, *[""] * (len(TESTS) - 1)]
        row = self.wilcoxon.loc[method]
        return [
            rank,
            f"{row['wins']:.0f}/{row['ties']:.0f}/{row['losses']:.0f}",
            f"{row['median']:+.4f}",
            f"{row['W']:.1f}",
            f"{row['p']:.4f}",
            f"{row['p_holm']:.4f}",
        ]


def compare_methods(means: pd.DataFrame, reference: str, alpha: float = 0.05) -> Paired:
    """Compare the columns of ``means`` (data sets x methods), where larger is better."""
    complete = means.dropna(axis=1, how="all").dropna().round(_EQUAL)
    n, k = complete.shape
    ranks = (-complete).rank(axis=1).mean()
    tested = (float("nan"), float("nan"))
    if k > 2 and n > 1 and (complete.nunique(axis=1) > 1).any():
        found = stats.friedmanchisquare(*complete.to_numpy().T)
        tested = float(found.statistic), float(found.pvalue)
    return Paired(
        data=tuple(complete.index),
        reference=reference,
        mean_ranks=ranks,
        friedman=tested,
        wilcoxon=_against(complete, reference),
        critical_difference=critical_difference(k, n, alpha),
        alpha=alpha,
    )


def _against(means: pd.DataFrame, reference: str) -> pd.DataFrame:
    rows = {}
    for other in means.columns.drop(reference):
        gain = (means[reference] - means[other]).round(_EQUAL).to_numpy()
        smaller, p = signed_rank(gain)
        rows[other] = {
            "wins": int((gain > 0).sum()),
            "ties": int((gain == 0).sum()),
            "losses": int((gain < 0).sum()),
            "median": float(np.median(gain)) if len(gain) else float("nan"),
            "W": smaller,
            "p": p,
        }
    table = pd.DataFrame.from_dict(rows, orient="index")
    if len(table):
        table["p_holm"] = holm(table["p"].to_numpy())
    return table


def signed_rank(differences: Floats) -> tuple[float, float]:
    """Wilcoxon's exact two-sided signed-rank test: the smaller rank sum, and the p-value.

    Zeros are left out. Ties share the mean of their ranks, and the p-value is still exact: it
    counts the rank sums of all combinations of signs.
    """
    differences = differences[differences != 0]
    # Doubled ranks are whole numbers even if they are shared
    doubled = np.rint(2 * stats.rankdata(np.abs(differences))).astype(np.int64)
    total = int(doubled.sum())
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] / 2 + ways[: total + 1 - rank] / 2
        ways[:rank] /= 2
    up = int(doubled[differences > 0].sum())
    smaller = min(up, total - up)
    return smaller / 2, float(min(1.0, 2 * ways[: smaller + 1].sum()))


def holm(p: Floats) -> Floats:
    """P-values with Holm's correction for multiple tests."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


def critical_difference(methods: int, data_sets: int, alpha: float = 0.05) -> float:
    """Nemenyi's critical difference: larger differences of mean ranks are significant."""
    if methods < 2 or data_sets < 1:
        return float("nan")
    q = stats.studentized_range.ppf(1 - alpha, methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(methods * (methods + 1) / (6 * data_sets)))


def alike(ranks: pd.Series, width: float) -> list[list[str]]:
    """Maximal groups of methods whose ranks span at most ``width``."""
    ordered = ranks.sort_values(kind="stable")
    runs: list[list[str]] = []
    for start in range(len(ordered)):
        stop = int((ordered <= ordered.iloc[start] + width).sum())
        run = ordered.index[start:stop].tolist()
        if len(run) > 1 and not (runs and set(run) <= set(runs[-1])):
            runs.append(run)
    return runs
