"""Silent changes that R makes to its inputs, reported as warnings and kept on the result.

Reading the inputs creates a :class:`Note` for each such change. :func:`warn_of` issues one warning
per note, each kind with its own category, on the caller's line; the result keeps the notes as
``fit.notes``. To silence one kind, or all::

    warnings.simplefilter("ignore", pycdf.DroppedColumnsWarning)
    warnings.simplefilter("ignore", pycdf.InputWarning)
"""

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


class InputWarning(UserWarning):
    """A change to the inputs that R makes silently; the base class of the categories below."""

    def __init__(self, message: str = "", note: "Note | None" = None) -> None:
        super().__init__(message)
        self.note = note


class DroppedColumnsWarning(InputWarning):
    """Training columns were dropped: constant, all missing, infinite, too large or too small."""


class FilledColumnsWarning(InputWarning):
    """Columns that the test rows lack were filled with the medians of the training rows."""


class IgnoredColumnsWarning(InputWarning):
    """The test rows have columns that the training rows do not have; they were ignored."""


class DuplicatedNamesWarning(InputWarning):
    """Training columns share a name: each one uses the first test column of that name."""


class MatchedByPositionWarning(InputWarning):
    """Only one table has column names: columns were matched by position."""


class TextBecameMissingWarning(InputWarning):
    """Cells of text that are not numbers became missing values."""


class DatesInSecondsWarning(InputWarning):
    """Columns have times at midnight, which count seconds; R's Date counts days."""


class DroppedRowsWarning(InputWarning):
    """Training rows without a label were dropped."""


class LabelsInColumnsWarning(InputWarning):
    """A training column equals the labels."""


class TrainingRowsWarning(InputWarning):
    """Rows whose predictions are judged were in training, so that they look too good."""


class AdjustedParameterWarning(InputWarning):
    """A parameter was truncated to a whole number, or clamped to its limits."""


class GuessedFormatWarning(InputWarning):
    """A file was read by a guess: its encoding, decimal mark, sheet or header."""


CATEGORIES: dict[str, type[InputWarning]] = {
    "dropped_columns": DroppedColumnsWarning,
    "filled_columns": FilledColumnsWarning,
    "ignored_columns": IgnoredColumnsWarning,
    "duplicated_names": DuplicatedNamesWarning,
    "matched_by_position": MatchedByPositionWarning,
    "text_became_missing": TextBecameMissingWarning,
    "dates_in_seconds": DatesInSecondsWarning,
    "dropped_rows": DroppedRowsWarning,
    "labels_in_columns": LabelsInColumnsWarning,
    "training_rows": TrainingRowsWarning,
    "adjusted_parameter": AdjustedParameterWarning,
    "guessed_format": GuessedFormatWarning,
}


@dataclass(frozen=True)
class Note:
    """One change that was made to the inputs.

    Attributes
    ----------
    kind : str
        The kind of change, such as "dropped_columns".
    count : int
        Number of columns, rows, names or parameters concerned; for text that became missing, the
        number of cells.
    names : tuple
        Names of the columns or parameters, or positions of the rows.
    message : str
        The text of the warning.

    Examples
    --------
    >>> import warnings
    >>> from pycdf import CDF
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     fit = CDF([[1, 7], [2, 7], [4, 7], [5, 7]], list("aabb"), [[3, 7]], ntrees=5, seed=1)
    >>> [(note.kind, note.names) for note in fit.notes]
    [('dropped_columns', (1,))]
    """

    kind: str
    count: int
    names: tuple[Any, ...]
    message: str

    @property
    def category(self) -> type[InputWarning]:
        """The category of the warning, a subclass of :class:`pycdf.InputWarning`."""
        return CATEGORIES[self.kind]


def warn_of(notes: Iterable[Note]) -> None:
    """Issue one warning per note, on the line that called into this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "pycdf":
        level, frame = level + 1, frame.f_back
    for note in notes:
        warnings.warn(note.category(note.message, note), stacklevel=level)
