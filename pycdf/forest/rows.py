"""Read a caller's table into the rows that a model's forest takes."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.forest.model import Model
from pycdf.inputs import note_texts
from pycdf.inputs.matching import find_columns
from pycdf.inputs.notes import warn_of
from pycdf.inputs.tables import read_matrix


def names_of_features(model: Model, importance: pd.Index | None = None) -> pd.Index | None:
    """The names of the columns that a forest uses; None if they have none.

    A model stores only names that are text. The index of R's ``feature_importance`` has names of
    any kind, or positions if there are none.
    """
    if model.feature_names is not None:
        return pd.Index(model.feature_names, dtype=object).take(model.kept)
    if importance is None or importance.equals(pd.Index(model.kept)):
        return None
    return importance


def read_rows(model: Model, names: pd.Index | None, X: Any, name: str) -> npt.NDArray[np.float64]:
    """Rows as the forest takes them: those of :func:`read_own_rows`, scaled if the model scales."""
    return model.scaled(read_own_rows(model, names, X, name))


def read_own_rows(
    model: Model, names: pd.Index | None, X: Any, name: str
) -> npt.NDArray[np.float64]:
    """Rows x features of the forest, which are called ``names``; messages call the table ``name``.

    Columns are matched by name if both sides have names, otherwise by position. Columns that the
    forest does not use may be missing.
    """
    matrix = read_matrix(X, name)
    source, notes = find_columns(
        names, model.kept, model.n_features, model.feature_names, matrix, name
    )
    warn_of([*notes, *note_texts.text_became_missing(matrix, name, source)])
    return np.ascontiguousarray(matrix.values[:, source], dtype=np.float64)
