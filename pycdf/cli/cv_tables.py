"""The tables of a cross-validation: measures with intervals, folds, predictions, confusion."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.confusion_matrix import confusion_of_codes
from pycdf.support.wording import plural
from pycdf.validation import OVERALL, interval, measures

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Measures = dict[tuple[str, int], float]


class Repeat(NamedTuple):
    """The predictions of all rows, each by the forest that was grown without its fold."""

    fold: Longs
    """The fold of each row, from 0 on."""
    found: Longs
    """The predicted class of each row, as a code."""
    shares: Floats
    """The share of trees that vote for each class (rows x classes)."""


class CrossValidation:
    """All repeats of a cross-validation; rows that are not ``counted`` enter no measure."""

    def __init__(
        self,
        classes: npt.NDArray[Any],
        codes: Longs,
        counted: Bools,
        folds: int,
        repeats: Sequence[Repeat],
    ) -> None:
        self.classes, self.codes, self.counted = classes, codes, counted
        self.folds, self.repeats = folds, repeats

    def _measures(self, repeat: Repeat, rows: Bools) -> Measures:
        rows = rows & self.counted
        return measures(self.codes[rows], repeat.found[rows], repeat.shares[rows])

    def _fold_measures(self) -> Iterator[tuple[int, int, int, Measures]]:
        """Number of the repeat and of the fold, its rows, and its measures, if there are rows."""
        for number, repeat in enumerate(self.repeats, 1):
            for part in range(self.folds):
                rows = repeat.fold == part
                if count := int((rows & self.counted).sum()):
                    yield number, part + 1, count, self._measures(repeat, rows)

    def summary(self) -> pd.DataFrame:
        """One row per measure, for all classes together and for each class against the others.

        ``all_rows`` is computed over all rows of a repeat at once, and averaged over repeats;
        ``mean``, ``sd`` and the 95 % interval from ``low`` to ``high`` are over the ``folds`` of
        all repeats in which the measure is defined.
        """
        everything = [self._measures(one, np.ones_like(self.counted)) for one in self.repeats]
        by_fold = [found for *_, found in self._fold_measures()]
        lines = []
        for name, code in everything[0]:
            of_folds = interval([one[name, code] for one in by_fold], name, 1 / self.folds)
            pooled = float(np.mean([one[name, code] for one in everything]))
            label = "" if code < 0 else self.classes[code]
            lines.append([name, label, pooled, *of_folds])
        names = ["measure", "class", "all_rows", "mean", "sd", "low", "high", "folds"]
        return pd.DataFrame(lines, columns=names)

    def by_fold(self) -> pd.DataFrame:
        """One row per fold."""
        order = ["accuracy", "kappa", "balanced_accuracy", "auc"]
        lines = [
            [repeat, fold, rows, *(found[name, -1] for name in order)]
            for repeat, fold, rows, found in self._fold_measures()
        ]
        return pd.DataFrame(lines, columns=["repeat", "fold", "rows", *order])

    def predictions(self, ids: pd.DataFrame) -> pd.DataFrame:
        """One row per repeat and row: its ids, fold, label, prediction and probabilities."""
        tables = []
        for number, repeat in enumerate(self.repeats, 1):
            found = pd.Series(self.classes[repeat.found], dtype=object).where(self.counted, None)
            table = ids.assign(
                repeat=number,
                fold=repeat.fold + 1,
                label=self.classes[self.codes],
                prediction=found.array,
            )
            shares = pd.DataFrame(repeat.shares, columns=[f"prob_{one}" for one in self.classes])
            shares.loc[~self.counted] = np.nan
            tables.append(pd.concat([table, shares], axis=1))
        return pd.concat(tables, ignore_index=True)

    def confusion(self) -> pd.DataFrame:
        """The confusion matrix over all repeats."""
        codes = np.concatenate([self.codes[self.counted]] * len(self.repeats))
        found = np.concatenate([repeat.found[self.counted] for repeat in self.repeats])
        return confusion_of_codes(codes, found, self.classes)

    def headline(self) -> str:
        """The measures of all classes together, in a line."""
        shown = []
        for one in self.summary()[: len(OVERALL)].to_dict("records"):
            title = "AUC" if one["measure"] == "auc" else one["measure"].replace("_", " ")
            width = "" if np.isnan(one["low"]) else f" ({one['low']:.3f} to {one['high']:.3f})"
            shown.append(f"{title} {one['all_rows']:.4f}{width}")
        n = plural(self.folds * len(self.repeats), "fold")
        return f"{', '.join(shown)}; in brackets 95 % intervals over {n}"
