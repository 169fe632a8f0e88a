"""``Comparison``: the results of an experiment, with its tables and statistical tests."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from pycdf.experiment import tables
from pycdf.experiment.measures import MEASURES, SMALL_IS_GOOD
from pycdf.experiment.paper import PaperSet, check
from pycdf.experiment.resampled import differences
from pycdf.experiment.saving import write
from pycdf.experiment.statistics import Paired, compare_methods
from pycdf.support.overview import Overview, Overviewed, some
from pycdf.support.wording import brief, plural, shown


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Overviewed):
    """The results of :func:`pycdf.compare`.

    Attributes
    ----------
    results : DataFrame
        One row per data set, method and split, with the columns data, method, split, train and test
        (numbers of rows), accuracy, kappa, balanced_accuracy, macro_f1, auc, log_loss, and
        parameters (those that tuning chose, as JSON).
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
        The seconds of each fit, with the columns data, method, split, tune, fit and predict.
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
    seconds: pd.DataFrame
    paper: dict[str, PaperSet]
    warnings: pd.DataFrame

    def table(self, measure: str = "accuracy") -> tables.Table:
        """Means over the splits, data sets x methods, as in the paper's tables.

        Parameters
        ----------
        measure : str, default="accuracy"
            One of accuracy, kappa, balanced_accuracy, macro_f1, auc and log_loss.

        Returns
        -------
        pycdf.experiment.tables.Table
            ``.means`` is the DataFrame; ``.averages`` and ``.wins`` summarise it by method.
        """
        _check(measure)
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
        return compare_methods(means, self.methods[self.reference(measure)], alpha)

    def reference(self, measure: str = "accuracy") -> str:
        """The method that tests compare the others with: CDF, or the first one if CDF did not run.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure to compare, as in :meth:`table`.

        Returns
        -------
        str
            Its name in ``methods``.
        """
        _check(measure)
        measured = set(self.results.dropna(subset=[measure])["method"])
        having = [name for name in self.methods if name in measured]
        if not having:
            raise ValueError(f"no method has a {measure}: there is nothing to compare.")
        return "cdf" if "cdf" in having else having[0]

    def differences(self, measure: str = "accuracy") -> pd.DataFrame:
        """Compare CDF (or the first method) with each other method, data set by data set.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure to compare, as in :meth:`table`.

        Returns
        -------
        DataFrame
            A row for each data set and other method: the number of splits; the mean difference, CDF
            minus the other method, and its standard deviation over the splits; the 95 % interval
            from low to high; t and p of the corrected resampled t-test (Nadeau and Bengio 2003);
            and p with Holm's correction for all rows.
        """
        reference = self.reference(measure)
        return differences(self.results, measure, self.data, self.methods, reference)

    @cached_property
    def checked(self) -> pd.DataFrame:
        """Our means and the paper's figures as a DataFrame, with verdicts.

        The rule for the verdicts is in ``pycdf/experiment/paper.py``.
        """
        return check(self.results, self.paper, list(self.methods))

    def save(self, folder: str | Path, spread: tables.Spread = "none") -> list[Path]:
        """Write results, tables, tests and pictures to a folder.

        Parameters
        ----------
        folder : str or Path
            The folder, which is created if needed; files of an earlier comparison are replaced.
        spread : {"none", "sd", "interval"}, default="none"
            What the tables of means show beside each mean: nothing, as in the paper, the standard
            deviation over the splits, or the 95 % interval of the mean.

        Returns
        -------
        list of Path
            The files that were written. Without matplotlib there are no pictures.
        """
        return write(self, Path(folder), spread)

    def _overview(self) -> Overview:
        made = self.manifest
        title = (
            f"Comparison of {plural(len(self.methods), 'method')} on "
            f"{plural(len(self.data), 'data set')}, {plural(made['splits'], 'split')}, "
            f"seed {made['seed']}, {'tuned' if made['tuned'] else 'not tuned'}"
        )
        facts = {"data": some(self.data)}
        if len(self.failures):
            facts["failed"] = f"{plural(len(self.failures), 'time')}: see .failures"
        facts["more"] = "done.table(measure), done.paired(measure), done.results, done.save(folder)"
        if not len(self.results):
            return Overview(title, facts)
        accuracy, kappa = self.table("accuracy"), self.table("kappa")
        complete = int(accuracy.complete.sum())
        if complete < len(self.data):
            facts["means"] = f"over the {plural(complete, 'data set')} with all methods"
        columns = (self.methods.values(), accuracy.averages, kappa.averages, accuracy.wins)
        return Overview(
            title,
            facts,
            ("method", "accuracy", "kappa", "wins"),
            [
                (brief(name), tables.number(right), tables.number(agreed), f"{wins}")
                for name, right, agreed, wins in zip(*columns, strict=True)
            ],
        )


def _check(measure: str) -> None:
    if measure not in MEASURES:
        raise ValueError(
            f"there is no measure {shown(measure)}: pass one of {', '.join(MEASURES)}."
        )
