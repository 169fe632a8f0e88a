"""Rows and labels checked by scikit-learn's rules, for :class:`pycdf.CDFClassifier`.

Where ``CDF()`` cleans its inputs as R does, the estimator raises an error that says what to do
instead.
"""

import sys
from datetime import date, time, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from pycdf.base_r.text import r_texts
from pycdf.inputs.containers import unwrap
from pycdf.inputs.prepare import TrainingData, training_data
from pycdf.inputs.tables import fits_r_integer
from pycdf.support.wording import few, plural, shown

_BLANKS = " \t\r\n"
_TIMES = (date, time, timedelta, np.datetime64, np.timedelta64, pd.Period)
_ARE_TIMES = (
    "dates or times: pass numbers, such as days since a date. CDF() reads them as R does, dates as "
    "days and times as seconds."
)


def read_training(
    estimator: Any, X: Any, y: Any, reset: bool, n_jobs: int | None = 1, scale: bool = False
) -> TrainingData:
    """Check the rows and labels passed to ``fit``.

    ``reset`` records the columns on the estimator; otherwise they must match the recorded ones.
    ``scale`` standardises the columns.
    """
    X = unwrap(X, "X")
    refuse_cells(X)
    refuse_missing_labels(y)
    # Only a NumPy array can be R's integer matrix; CDF() reads frames and lists as doubles.
    integer = isinstance(X, np.ndarray) and fits_r_integer(X)
    X, y = validate_data(
        estimator, readable(X), y, reset=reset, ensure_all_finite="allow-nan", ensure_min_samples=2
    )
    refuse_non_numeric(X)
    check_classification_targets(y)
    names = getattr(estimator, "feature_names_in_", None)
    names = None if names is None else tuple(names.tolist())
    return training_data(X, *read_classes(y), names, integer, n_jobs, scale)


def read_new_rows(estimator: Any, X: Any) -> npt.NDArray[Any]:
    """Check rows to predict against the columns of the training data."""
    X = unwrap(X, "X")
    refuse_cells(X)
    X = validate_data(estimator, readable(X), reset=False, ensure_all_finite="allow-nan")
    refuse_non_numeric(X)
    return np.asarray(X)


def readable(X: Any) -> Any:
    """Convert containers that some supported version of scikit-learn misreads."""
    if isinstance(X, np.ma.MaskedArray):  # scikit-learn ignores the mask
        return np.ma.filled(X.astype(np.float64), np.nan)
    polars = sys.modules.get("polars")  # polars is loaded if the caller has a frame
    if polars is not None and isinstance(X, polars.DataFrame):  # older versions lose the names
        return pd.DataFrame(X.to_numpy(), columns=X.columns)
    return X


def refuse_cells(X: Any) -> None:
    """Raise an error for text, which scikit-learn converts where it can, and for dates and times.

    NumPy's error on a table of numbers and dates repeats every column and names none.
    """
    if isinstance(X, np.ndarray) and X.dtype.kind == "O":
        columns = [("X", X.ravel())]
    elif hasattr(X, "dtypes") and hasattr(X, "columns"):
        columns = [
            (f"column {shown(name)} of X", X.iloc[:, j] if hasattr(X, "iloc") else X[:, j])
            for j, (name, dtype) in enumerate(zip(X.columns, X.dtypes, strict=True))
            if not _is_numeric(dtype)
        ]
    else:
        return
    for where, cells in columns:
        for cell in cells:
            if isinstance(cell, str | bytes):
                raise ValueError(
                    f"{where} contains text, such as {shown(cell)}: pass numbers, for example with "
                    "scikit-learn's OrdinalEncoder or OneHotEncoder."
                )
            if isinstance(cell, _TIMES):
                raise ValueError(f"{where} contains {_ARE_TIMES}")


def refuse_non_numeric(X: npt.NDArray[Any]) -> None:
    """Raise an error for dates and durations, which NumPy would convert to counts of a unit."""
    if X.dtype.kind not in "biuf":
        what = _ARE_TIMES if X.dtype.kind in "mM" else f"{X.dtype}: pass numbers."
        raise ValueError(f"X contains {what}")


def refuse_missing_labels(y: Any) -> None:
    """Raise an error if any row has no label."""
    if y is None:
        return  # scikit-learn reports it
    missing = np.flatnonzero(pd.isna(np.asarray(y, dtype=object)))
    if len(missing):
        raise ValueError(
            f"y has no label in {plural(len(missing), 'row')} (NaN, None or NA), at "
            f"{few(missing.tolist())}: drop these rows from X and y."
        )


def read_classes(
    y: npt.NDArray[Any],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any], tuple[str, ...]]:
    """Class codes, the labels in order of first appearance, and the text R gives them."""
    found, first, inverse = np.unique(y, return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    code = np.empty(len(found), dtype=np.int32)
    code[appearance] = np.arange(len(found))
    classes = found[appearance]
    if classes.dtype == np.float16:  # which pandas does not accept as names of columns
        classes = classes.astype(np.float32)
    texts = tuple(text.strip(_BLANKS) for text in r_texts(list(classes)))
    for label, text in zip(classes.tolist(), texts, strict=True):
        if text in (
            "",
            "NaN",
        ):  # R drops rows of the first, and no leaf of its votes for the second
            raise ValueError(
                f"y has the label {shown(label)}, which R treats as missing: drop its rows from X "
                "and y, or rename the class."
            )
    if len(classes) < 2:
        raise ValueError(
            f"y has only the class {shown(classes.tolist()[0])} in its {plural(len(y), 'row')}: "
            "pass rows of at least two classes (a stratified split keeps all of them)."
        )
    return code[inverse], classes, texts


def _is_numeric(dtype: Any) -> bool:
    """Whether a dtype of pandas or polars is numeric."""
    return bool(dtype.is_numeric()) if hasattr(dtype, "is_numeric") else dtype.kind in "biuf"
