"""R's centroid decision forest (CRAN package CDF 0.1.0) in Python, bit for bit.

Names are imported on first use: numba, pandas and scikit-learn are slow to import, and
`pycdf --help` needs none of them.
"""

from typing import TYPE_CHECKING

from pycdf.support.lazy import attach

if TYPE_CHECKING:
    from pycdf import explain, laboratory, plots
    from pycdf.api import CDF
    from pycdf.base_r.seeds import tree_seed
    from pycdf.base_r.stream import RStream
    from pycdf.classifier import CDFClassifier
    from pycdf.datasets import load_darwin
    from pycdf.experiment.compare import compare
    from pycdf.experiment.comparison import Comparison
    from pycdf.files.model import ModelFileError
    from pycdf.files.tables.errors import DataFileError
    from pycdf.files.tables.reading import read_table
    from pycdf.inputs.mixed_columns import GowerEncoder
    from pycdf.inputs.notes import (
        AdjustedParameterWarning,
        DatesInSecondsWarning,
        DroppedColumnsWarning,
        DroppedRowsWarning,
        DuplicatedNamesWarning,
        FilledColumnsWarning,
        GuessedFormatWarning,
        IgnoredColumnsWarning,
        InputWarning,
        LabelsInColumnsWarning,
        MatchedByPositionWarning,
        Note,
        TextBecameMissingWarning,
        TrainingRowsWarning,
    )
    from pycdf.loading import load
    from pycdf.report.html import html_report
    from pycdf.result import CDFResult
    from pycdf.tuning.search import tune
    from pycdf.tuning.tuned import Tuned

__all__ = [
    "CDF",
    "AdjustedParameterWarning",
    "CDFClassifier",
    "CDFResult",
    "Comparison",
    "DataFileError",
    "DatesInSecondsWarning",
    "DroppedColumnsWarning",
    "DroppedRowsWarning",
    "DuplicatedNamesWarning",
    "FilledColumnsWarning",
    "GowerEncoder",
    "GuessedFormatWarning",
    "IgnoredColumnsWarning",
    "InputWarning",
    "LabelsInColumnsWarning",
    "MatchedByPositionWarning",
    "ModelFileError",
    "Note",
    "RStream",
    "TextBecameMissingWarning",
    "TrainingRowsWarning",
    "Tuned",
    "compare",
    "explain",
    "html_report",
    "laboratory",
    "load",
    "load_darwin",
    "plots",
    "read_table",
    "tree_seed",
    "tune",
]
__version__ = "0.1.0"

# A type checker would accept any name if it saw __getattr__.
if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(
        __name__,
        {
            "api": ("CDF",),
            "classifier": ("CDFClassifier",),
            "datasets": ("load_darwin",),
            "experiment.compare": ("compare",),
            "experiment.comparison": ("Comparison",),
            "explain": (),
            "files.model": ("ModelFileError",),
            "files.tables.errors": ("DataFileError",),
            "files.tables.reading": ("read_table",),
            "inputs.mixed_columns": ("GowerEncoder",),
            "inputs.notes": (
                "AdjustedParameterWarning", "DatesInSecondsWarning", "DroppedColumnsWarning",
                "DroppedRowsWarning", "DuplicatedNamesWarning", "FilledColumnsWarning",
                "GuessedFormatWarning",
                "IgnoredColumnsWarning", "InputWarning", "LabelsInColumnsWarning",
                "MatchedByPositionWarning", "Note", "TextBecameMissingWarning",
                "TrainingRowsWarning",
            ),
            "laboratory": (),
            "loading": ("load",),
            "plots": (),
            "report.html": ("html_report",),
            "result": ("CDFResult",),
            "tuning.search": ("tune",),
            "tuning.tuned": ("Tuned",),
            "base_r.seeds": ("tree_seed",),
            "base_r.stream": ("RStream",),
        },
    )  # fmt: skip
