"""R's centroid decision forest (CRAN package CDF 0.1.0) in Python, bit for bit."""

from pycdf.api import CDF, CDFResult
from pycdf.datasets import load_darwin
from pycdf.notes import (
    AdjustedParameterWarning,
    DroppedColumnsWarning,
    DroppedRowsWarning,
    DuplicatedNamesWarning,
    FilledColumnsWarning,
    IgnoredColumnsWarning,
    InputWarning,
    LabelsInColumnsWarning,
    MatchedByPositionWarning,
    Note,
    TextBecameMissingWarning,
)
from pycdf.rstream import RStream

__all__ = [
    "CDF",
    "AdjustedParameterWarning",
    "CDFResult",
    "DroppedColumnsWarning",
    "DroppedRowsWarning",
    "DuplicatedNamesWarning",
    "FilledColumnsWarning",
    "IgnoredColumnsWarning",
    "InputWarning",
    "LabelsInColumnsWarning",
    "MatchedByPositionWarning",
    "Note",
    "RStream",
    "TextBecameMissingWarning",
    "load_darwin",
]
__version__ = "0.1.0"
