"""``Comparison``: the results of an experiment, with its tables and statistical tests."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from pycdf.experiment import tables
from pycdf.experiment.measures import MEASURES, SMALL_IS_GOOD
from pycdf.experiment.paper import PaperSet, check
from pycdf.experiment.report import write
from pycdf.experiment.statistics import Paired, compare_methods
from pycdf.support.wording import brief, plural, shown


@dataclass(frozen=True, eq=False)
class Comparison:
    """The results of :func:`pycdf.compare`.

    Attributes
    ----------
    results : DataFrame
        One row per data set, method and split, with the columns data, method, split, train and test
        (numbers of rows), accuracy, kappa, balanced_accuracy, macro_f1, log_loss, and parameters
        (those that tuning chose, as JSON).
    failures : DataFrame
        What failed, with the columns data, method, split and message. The method is empty if the
        data set cannot be used, and the split is missing if the method could not run at all.
    methods : dict of str to str
        Names and titles of the methods that ran, in order.
    data : tuple of str
        Names of the data sets, in order.
    manifest : dict
        Everything needed to repeat the run: versions, seeds, parameters and checksums.
    notes : tuple of str
        Notes on what was guessed or left out while reading the data.
    seconds : DataFrame
        The time of each fit, with the columns data, method, split and seconds.
    paper : dict
        The paper's data sets among ``data``, recognised by their numbers of rows, columns and rows
        per class.
    warnings : DataFrame
        Warnings of the methods' libraries, with the columns data, method, split and message.

    Examples
    --------
    >>> from pycdf import compare
    >>> done = compare(methods=["cdf(ntrees=20)", "knn"], splits=3, quick=True)
    >>> done.results[["data", "method", "split", "accuracy"]].head(3).round(3)
         data          method  split  accuracy
    0  darwin  cdf(ntrees=20)      1     0.868
    1  darwin  cdf(ntrees=20)      2     0.868
    2  darwin  cdf(ntrees=20)      3     0.830
    >>> done.table("kappa").means.round(3)
            cdf(ntrees=20)    kNN
    data
    darwin            0.71  0.438
    >>> len(done.failures)
    0
    """

    results: pd.DataFrame
    failures: pd.DataFrame
    methods: dict[str, str]
    data: tuple[str, ...]
    manifest: dict[str, Any]
    notes: tuple[str, ...]
    seconds: pd.DataFrame = field(repr=False)
    paper: dict[str, PaperSet] = field(repr=False)
    warnings: pd.DataFrame = field(repr=False)

    def table(self, measure: str = "accuracy") -> tables.Table:
        """Means over the splits, data sets x methods, as in the paper's tables.

        Parameters
        ----------
        measure : str, default="accuracy"
            One of accuracy, kappa, balanced_accuracy, macro_f1 and log_loss.

        Returns
        -------
        pycdf.experiment.tables.Table
            ``.means`` is the DataFrame; ``.averages`` and ``.wins`` summarise it by method.
        """
        if measure not in MEASURES:
            raise ValueError(
                f"there is no measure {shown(measure)}: pass one of {', '.join(MEASURES)}."
            )
        return tables.table(self.results, measure, self.data, self.methods)

    def paired(self, measure: str = "accuracy", alpha: float = 0.05) -> Paired:
        """Test across data sets whether the methods differ.

        Friedman's test compares all methods, Nemenyi's their mean ranks, and Wilcoxon's
        signed-rank test CDF (or the first method, if CDF did not run) with each other method.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure to compare, as in :meth:`table`.
        alpha : float, default=0.05
            The significance level of Nemenyi's critical difference.

        Returns
        -------
        pycdf.experiment.statistics.Paired
        """
        means = self.table(measure).means
        if measure in SMALL_IS_GOOD:
            means = -means
        titles = means.dropna(axis=1, how="all").columns.tolist()
        if not titles:
            raise ValueError(f"no method has a {measure}: there is nothing to compare.")
        cdf = self.methods.get("cdf", "")
        return compare_methods(means, cdf if cdf in titles else titles[0], alpha)

    @cached_property
    def checked(self) -> pd.DataFrame:
        """Our means and the paper's figures as a DataFrame, with verdicts.

        The rule for the verdicts is in ``pycdf/experiment/paper.py``.
        """
        return check(self.results, self.paper, list(self.methods))

    def save(self, folder: str | Path) -> list[Path]:
        """Write results, tables, tests and pictures to a folder.

        Parameters
        ----------
        folder : str or Path
            The folder, which is created if needed; files of an earlier comparison are replaced.

        Returns
        -------
        list of Path
            The files that were written. Without matplotlib there are no pictures.
        """
        return write(self, Path(folder))

    def __repr__(self) -> str:
        lines = [
            f"Comparison of {plural(len(self.methods), 'method')} on "
            f"{plural(len(self.data), 'data set')}, {plural(self.manifest['splits'], 'split')}, "
            f"seed {self.manifest['seed']}, {'tuned' if self.manifest['tuned'] else 'not tuned'}"
        ]
        if len(self.results):
            means = self.table().means.rename(index=brief, columns=brief)
            lines.append(means.round(tables.DIGITS).to_string())
        if len(self.failures):
            lines.append(f"{plural(len(self.failures), 'failure')}: see .failures")
        return "\n".join(lines)
