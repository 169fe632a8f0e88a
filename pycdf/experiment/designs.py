"""How the rows of a data set are divided into training and test rows, split by split.

The default is the paper's: random rows (:func:`pycdf.experiment.splits.split`). A :class:`Design`
can also keep the shares of the classes (``stratify``), keep the rows of a group together
(``groups``, such as the samples of a patient), and repeat cross-validation (``folds``) instead of
drawing random splits. What is drawn, rows or whole groups, is called a unit here. R draws the same
units; parity_tests/test_experiment_splits.py has the code.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.stream import RStream
from pycdf.experiment.splits import TRAINING_SHARE, Rows, split, split_seed
from pycdf.support.wording import plain, plural, shown
from pycdf.validation import shuffled_folds, stratified_folds

Labels = npt.NDArray[Any]
Codes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Design:
    """The rule that divides rows; the default is the paper's random splits."""

    stratify: bool = False
    """Whether to draw from each class on its own, so that all splits have the same class sizes."""
    groups: str | None = None
    """The column whose equal cells are rows that stay together; None if rows are independent."""
    folds: int | None = None
    """Number of folds of repeated cross-validation; None means random splits."""

    def split(self, y: Labels, groups: Labels | None, seed: int, i: int) -> tuple[Rows, Rows]:
        """The training rows and test rows of split ``i``, which counts from 1."""
        if self == DEFAULT:
            return split(len(y), seed, i)
        units, classes = self.units(y, groups)
        count = len(classes)
        if self.folds is None:
            stream = RStream(split_seed(seed, i))
            drawn = _strata(classes, stream) if self.stratify else _share(count, stream)
        else:
            repeat, fold = divmod(i - 1, self.folds)
            stream = RStream(split_seed(seed, repeat + 1))
            deal = stratified_folds if self.stratify else shuffled_folds
            drawn = np.flatnonzero(deal(classes, self.folds, stream) != fold)
        if groups is None:
            return drawn, np.setdiff1d(np.arange(count), drawn)
        train = np.concatenate([np.flatnonzero(units == unit) for unit in drawn])
        return train, np.setdiff1d(np.arange(len(y)), train)

    def units(self, y: Labels, groups: Labels | None) -> tuple[Codes, Codes]:
        """The unit of each row, and the class of each unit, both numbered by first appearance.

        Without ``stratify`` classes do not matter, and all units are of class 0.
        """
        codes = pd.factorize(y)[0].astype(np.int32)
        units = np.arange(len(y)) if groups is None else pd.factorize(groups)[0]
        first = np.unique(units, return_index=True)[1]
        classes = codes[first] if self.stratify else np.zeros(len(first), dtype=np.int32)
        return units.astype(np.int32), classes

    def check(self, y: Labels, groups: Labels | None) -> None:
        """Raise ``ValueError`` if rows with these labels and groups cannot be divided so."""
        units, classes = self.units(y, groups)
        what = "row" if groups is None else "group"
        if len(classes) < (self.folds or 2):
            raise ValueError(
                f"{plural(len(classes), what)} cannot be divided into "
                f"{plural(self.folds, 'fold') if self.folds else 'training and test rows'}."
            )
        if self.stratify and self.folds is None and len(np.unique(classes)) == len(classes):
            raise ValueError(f"every class has a single {what}: there is none left to test.")
        if self.stratify and groups is not None:
            mixed = pd.factorize(y)[0] != classes[units]
            if mixed.any():
                group = shown(plain(groups[int(np.argmax(mixed))]))
                raise ValueError(
                    f"the group {group} of {self.groups} has rows of several classes, so the "
                    "groups cannot be drawn by class: leave out --stratify."
                )

    @property
    def rule(self) -> str:
        """The rule in R's words, for the manifest."""
        units = "n" if self.groups is None else "g"
        each = " of each class" if self.stratify else ""
        if self.folds is None:
            share = f"floor(0.7 * {units})"
            share = f"max(1, {share})" if self.stratify else share
            rule = f"set.seed(seed + i); train <- sample({units}, {share}){each}; i = 1, 2, ..."
        else:
            rule = (
                f"set.seed(seed + r); sample({units}){each}, dealt to {self.folds} folds; r = 1, "
                "2, ..."
            )
        return rule if self.groups is None else f"{rule}; g groups of {self.groups}"

    @property
    def words(self) -> str:
        """The design in a few words, for reports and captions."""
        by = " by class" if self.stratify else ""
        kept = "" if self.groups is None else f", with equal {self.groups} kept together"
        if self.folds is None:
            return f"random splits{by} into 70 % training and 30 % test rows{kept}"
        return f"folds of repeated {self.folds}-fold cross-validation{by}{kept}"


DEFAULT = Design()


def _share(count: int, stream: RStream) -> Rows:
    drawn: Rows = stream.sample(count, math.floor(TRAINING_SHARE * count))
    return drawn


def _strata(classes: Codes, stream: RStream) -> Rows:
    """At least one unit of each class, drawn class by class."""
    drawn = []
    for code in range(classes.max() + 1):
        units = np.flatnonzero(classes == code)
        share = max(1, math.floor(TRAINING_SHARE * len(units)))
        drawn.append(units[stream.sample(len(units), share)])
    return np.concatenate(drawn)
