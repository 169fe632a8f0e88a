"""What the estimator refuses, where ``CDF()`` cleans as R does.

In go the parameters, rows and labels of :class:`pycdf.classifier.CDFClassifier`; out come the
parameters in use and the classes, or a ValueError that names what is wrong and what to do instead.
"""

import sys
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.stream import RStream
from pycdf.base_r.text import r_texts
from pycdf.inputs.parameters import Parameters, read_parameters
from pycdf.support.wording import few, plural

_BLANKS = " \t\r\n"
_LEAST = {"ntrees": 1, "depth": 0, "mnode": 1, "k": 1, "mtry": 1}
_CHOICES: dict[str, tuple[Any, ...]] = {
    "collation": ("icu", "C"),
    "spread": ("sample", "population"),
    "streams": ("r", "per_tree"),
    "bootstrap": (True, False),
    "oob_score": (False, True),
    "warm_start": (False, True),
    "progress": (False, True),
}


def check_parameters(values: dict[str, Any]) -> None:
    """Stop at a parameter that is out of range whatever the data."""
    for name, least in _LEAST.items():
        value = values[name]
        if value is None and name in ("k", "mtry"):
            continue
        if not is_whole(value) or not least <= value <= LARGEST_INTEGER:
            default = ", or None for R's default" if name in ("k", "mtry") else ""
            raise ValueError(
                f"{name}={_shown(value)}: pass a whole number from {least} to {LARGEST_INTEGER}"
                f"{default}."
            )
    for name in _CHOICES:
        check_choice(name, values[name])
    check_jobs(values["n_jobs"])
    if values["oob_score"] and not values["bootstrap"]:
        raise ValueError(
            "oob_score=True needs bootstrap=True: without a bootstrap every tree sees every row."
        )
    seed = values["seed"]
    whole = is_whole(seed) and abs(seed) <= LARGEST_INTEGER
    if not (seed is None or isinstance(seed, RStream) or whole):
        raise ValueError(
            f"seed={_shown(seed)}: pass a whole number from -{LARGEST_INTEGER} to "
            f"{LARGEST_INTEGER}, an RStream, or None for fresh randomness."
        )


def check_choice(name: str, value: Any) -> Any:
    """The value, if the parameter knows it."""
    plain = bool(value) if isinstance(value, np.bool) else value
    choices = _CHOICES[name]
    # by type, too: 1 is equal to True
    if not any(isinstance(plain, type(known)) and plain == known for known in choices):
        raise ValueError(f"{name}={_shown(value)}: pass {' or '.join(map(repr, choices))}.")
    return plain


def check_jobs(n_jobs: Any, name: str = "n_jobs") -> None:
    """Stop at a number of jobs that means nothing to joblib; ``name``: what the caller calls it."""
    if n_jobs is not None and (not is_whole(n_jobs) or n_jobs == 0):
        raise ValueError(
            f"{name}={_shown(n_jobs)}: pass a number of cores, -1 for all of them, or None for one "
            "(or what joblib.parallel_config says)."
        )


def parameters_in_use(values: dict[str, Any], given: int, kept: int) -> Parameters:
    """ntrees, depth, mnode, k and mtry: R's defaults on the columns as given, at most the kept."""
    for name in ("k", "mtry"):
        if values[name] is not None and values[name] > given:
            raise ValueError(
                f"{name}={values[name]} is more than the {plural(given, 'column')} of X: pass at "
                f"most {given}, or None for R's default."
            )
    chosen = {name: None if values[name] is None else int(values[name]) for name in _LEAST}
    used, _ = read_parameters(**chosen, given=given, kept=kept)
    return used


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
                    f"{where} holds text, such as {_shown(cell)}: pass numbers, for example by "
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


def is_whole(value: Any) -> bool:
    """Whether it is a whole number by its type; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool | np.bool)


def _is_numeric(dtype: Any) -> bool:
    """Of pandas' dtypes or of polars'."""
    return bool(dtype.is_numeric()) if hasattr(dtype, "is_numeric") else dtype.kind in "biuf"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
