"""Rows and labels as scikit-learn's rules want them, for :class:`pycdf.CDFClassifier`.

Where ``CDF()`` cleans its inputs as R does, the estimator refuses them with an error that says what
to do instead.
"""

import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from pycdf.base_r.text import r_texts
from pycdf.inputs.prepare import TrainingData, training_data
from pycdf.inputs.tables import fits_r_integer
from pycdf.support.wording import few, plural, shown

_BLANKS = " \t\r\n"


def read_training(
    estimator: Any, X: Any, y: Any, reset: bool, n_jobs: int | None = 1
) -> TrainingData:
    """The rows and labels of ``fit``, checked; ``reset`` makes their columns the estimator's."""
    refuse_text(X)
    refuse_missing_labels(y)
    # Only a NumPy array says what R's matrix would be; frames and lists are doubles in CDF().
    integer = isinstance(X, np.ndarray) and fits_r_integer(X)
    X, y = validate_data(
        estimator, readable(X), y, reset=reset, ensure_all_finite="allow-nan", ensure_min_samples=2
    )
    refuse_kind(X)
    check_classification_targets(y)
    names = getattr(estimator, "feature_names_in_", None)
    names = None if names is None else tuple(names.tolist())
    return training_data(X, *read_classes(y), names, integer, n_jobs)


def read_new_rows(estimator: Any, X: Any) -> npt.NDArray[Any]:
    """Rows to predict, checked against the columns of training."""
    refuse_text(X)
    X = validate_data(estimator, readable(X), reset=False, ensure_all_finite="allow-nan")
    refuse_kind(X)
    return np.asarray(X)


def readable(X: Any) -> Any:
    """Data in a form of which every supported scikit-learn sees all."""
    if isinstance(X, np.ma.MaskedArray):  # it would take what lies under the mask
        return np.ma.filled(X.astype(np.float64), np.nan)
    polars = sys.modules.get("polars")  # who passes a polars frame has imported it
    if polars is not None and isinstance(X, polars.DataFrame):  # older ones miss the names
        return pd.DataFrame(X.to_numpy(), columns=X.columns)
    return X


def refuse_text(X: Any) -> None:
    """Stop at cells of text, which scikit-learn would read as numbers where it can."""
    if isinstance(X, np.ndarray) and X.dtype.kind == "O":
        columns = [("X", X.ravel())]
    elif hasattr(X, "dtypes") and hasattr(X, "columns"):
        columns = [
            (f"column {name!r} of X", X.iloc[:, j] if hasattr(X, "iloc") else X[:, j])
            for j, (name, dtype) in enumerate(zip(X.columns, X.dtypes, strict=True))
            if not _is_numeric(dtype)
        ]
    else:
        return
    for where, cells in columns:
        for cell in cells:
            if isinstance(cell, str | bytes):
                raise ValueError(
                    f"{where} holds text, such as {shown(cell)}: pass numbers, for example by "
                    "scikit-learn's OrdinalEncoder or OneHotEncoder."
                )


def refuse_kind(X: npt.NDArray[Any]) -> None:
    """Stop at dates and durations, which NumPy would turn into counts of some unit."""
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X holds {X.dtype}: pass numbers, such as days or seconds as floats.")


def refuse_missing_labels(y: Any) -> None:
    """Stop at rows without a label."""
    if y is None:
        return  # scikit-learn says it
    missing = np.flatnonzero(pd.isna(np.asarray(y, dtype=object)))
    if len(missing):
        raise ValueError(
            f"y has no label in {plural(len(missing), 'row')} (NaN, None or NA), at "
            f"{few(missing.tolist())}: drop these rows from X and y."
        )


def read_classes(
    y: npt.NDArray[Any],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any], tuple[str, ...]]:
    """Codes, labels in order of appearance, and what R writes for them."""
    found, first, inverse = np.unique(y, return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    place = np.empty(len(found), dtype=np.int32)
    place[appearance] = np.arange(len(found))
    classes = found[appearance]
    texts = tuple(text.strip(_BLANKS) for text in r_texts(list(classes)))
    for label, text in zip(classes.tolist(), texts, strict=True):
        if text in ("", "NaN"):  # R drops rows with the one, and lets no leaf vote for the other
            raise ValueError(
                f"y has the label {label!r}, which R takes for missing: drop its rows from X and "
                "y, or give the class another name."
            )
    if len(classes) < 2:
        raise ValueError(
            f"y has only the class {classes.tolist()[0]!r} in its {plural(len(y), 'row')}: pass "
            "rows of two classes or more (a stratified split keeps all of them)."
        )
    return place[inverse], classes, texts


def _is_numeric(dtype: Any) -> bool:
    """Of pandas' dtypes or of polars'."""
    return bool(dtype.is_numeric()) if hasattr(dtype, "is_numeric") else dtype.kind in "biuf"
