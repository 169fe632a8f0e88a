"""R's centroid decision forest (CRAN package CDF 0.1.0) in Python, bit for bit.

Each name is fetched when it is asked for: numba, pandas and scikit-learn take long to import, and
`pycdf --help` needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pycdf.api import CDF, CDFResult
    from pycdf.classifier import CDFClassifier, load
    from pycdf.datasets import load_darwin
    from pycdf.modelfile import ModelFileError
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
    from pycdf.rstream import RStream, tree_seed

__all__ = [
    "CDF",
    "AdjustedParameterWarning",
    "CDFClassifier",
    "CDFResult",
    "DroppedColumnsWarning",
    "DroppedRowsWarning",
    "DuplicatedNamesWarning",
    "FilledColumnsWarning",
    "IgnoredColumnsWarning",
    "InputWarning",
    "LabelsInColumnsWarning",
    "MatchedByPositionWarning",
    "ModelFileError",
    "Note",
    "RStream",
    "TextBecameMissingWarning",
    "load",
    "load_darwin",
    "tree_seed",
]
__version__ = "0.1.0"

_HOMES = {
    "pycdf.api": ("CDF", "CDFResult"),
    "pycdf.classifier": ("CDFClassifier", "load"),
    "pycdf.datasets": ("load_darwin",),
    "pycdf.modelfile": ("ModelFileError",),
    "pycdf.rstream": ("RStream", "tree_seed"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME.get(name, "pycdf.notes")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
