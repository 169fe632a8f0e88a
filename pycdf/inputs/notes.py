"""What R does silently and a user may regret: told as warnings, and kept on the result.

Reading the inputs makes a :class:`Note` of each such thing; :func:`tell` issues one warning per
note, of a category of its own, on the line of the caller; the notes stay on the result as
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
    """Something that R does silently with its inputs; the categories below tell what."""


class DroppedColumnsWarning(InputWarning):
    """Training columns were left out: constant, all missing, infinite, too large or too small."""


class FilledColumnsWarning(InputWarning):
    """Columns that the test rows lack were filled with the medians of the training rows."""


class IgnoredColumnsWarning(InputWarning):
    """The test rows have columns that the training rows have not."""


class DuplicatedNamesWarning(InputWarning):
    """Training columns share a name: each takes the first test column of that name."""


class MatchedByPositionWarning(InputWarning):
    """Only one side has column names: they play no part."""


class TextBecameMissingWarning(InputWarning):
    """Cells of text that are not numbers became missing."""


class DroppedRowsWarning(InputWarning):
    """Training rows without a label were left out."""


class LabelsInColumnsWarning(InputWarning):
    """A training column equals the labels."""


class AdjustedParameterWarning(InputWarning):
    """A parameter was cut to a whole number, or to its limits."""


CATEGORIES: dict[str, type[InputWarning]] = {
    "dropped_columns": DroppedColumnsWarning,
    "filled_columns": FilledColumnsWarning,
    "ignored_columns": IgnoredColumnsWarning,
    "duplicated_names": DuplicatedNamesWarning,
    "matched_by_position": MatchedByPositionWarning,
    "text_became_missing": TextBecameMissingWarning,
    "dropped_rows": DroppedRowsWarning,
    "labels_in_columns": LabelsInColumnsWarning,
    "adjusted_parameter": AdjustedParameterWarning,
}


@dataclass(frozen=True)
class Note:
    """One thing that was done to the inputs."""

    kind: str
    """One of the keys of ``CATEGORIES``."""
    count: int
    """How many columns, rows, names or parameters; for text that became missing, how many cells."""
    names: tuple[Any, ...]
    """Which ones: names of columns or parameters, positions of rows."""
    message: str
    """What the warning says."""

    @property
    def category(self) -> type[InputWarning]:
        """The category of its warning."""
        return CATEGORIES[self.kind]


def tell(notes: Iterable[Note]) -> None:
    """One warning per note, on the line that called into this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "pycdf":
        level, frame = level + 1, frame.f_back
    for note in notes:
        warnings.warn(note.message, note.category, stacklevel=level)
