"""Accept a fit in any of its forms, and read rows and labels to match it.

A fit is a fitted :class:`pycdf.CDFClassifier`, the result of :func:`pycdf.CDF`, or a
:class:`pycdf.forest.model.Model`. Only the result of ``CDF()`` stores column names that are not
text.
"""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.arguments import whole
from pycdf.explain.regrowth import Growth, grow_again
from pycdf.explain.same_rows import are_training_rows
from pycdf.forest import rows
from pycdf.forest.model import Model
from pycdf.forest.rows import names_of_features
from pycdf.forest.training import same_labels
from pycdf.inputs.kinds import LabelList, Table
from pycdf.inputs.labels import read_labels
from pycdf.result import CDFResult
from pycdf.support.wording import agree, few, plural, shown

if TYPE_CHECKING:
    from pycdf.classifier import CDFClassifier

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The rows and labels that a model was grown on, read and checked."""

    model: Model
    rows: Floats
    """Rows x features of the forest; missing values are NaN."""
    codes: Codes
    """Class of each row, as a position in the model's ``classes``."""
    own: Floats
    """The rows in the units of their columns; ``rows`` are scaled if the model scales."""

    @cached_property
    def growth(self) -> Growth:
        """Which rows were in each node while the forest grew."""
        return grow_again(self.model, self.rows, self.codes)


if TYPE_CHECKING:
    Fit: TypeAlias = CDFClassifier | CDFResult | Model
else:  # without importing scikit-learn
    Fit = CDFResult | Model
Rows: TypeAlias = Table | TrainingRows
Classes: TypeAlias = LabelList | TrainingRows


def model_of(fit: Fit) -> Model:
    """The model of a fit."""
    if isinstance(fit, Model):
        return fit
    if isinstance(fit, CDFResult):
        return fit.model_
    estimators = sys.modules.get("pycdf.classifier")  # it is loaded if the caller has an estimator
    if estimators is not None and isinstance(fit, estimators.CDFClassifier):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(fit)
        model: Model = fit.model_
        return model
    raise TypeError(f"fit is {_described(fit)}.")


def _described(fit: Any) -> str:
    """What was passed instead of a fit, and what to pass."""
    kind = type(fit).__name__
    if isinstance(fit, str | os.PathLike):
        return f"{shown(os.fspath(fit))}: pass pycdf.load of that file"
    if isinstance(fit, type):
        return f"the class {fit.__name__}: pass a fitted one, {fit.__name__}(...).fit(X, y)"
    if hasattr(fit, "best_estimator_"):
        return f"a {kind}: pass its best_estimator_"
    if hasattr(fit, "named_steps"):
        return (
            f"a {kind}: pass its last step, fit[-1], and rows as the steps before it make them, "
            "fit[:-1].transform(X)"
        )
    return (
        f"a {kind}: pass a fitted CDFClassifier, the result of CDF(), or a pycdf.forest.model.Model"
    )


def feature_names(fit: Fit) -> npt.NDArray[np.object_]:
    """The names of the forest's features, as in ``feature_importance``.

    Columns without names are identified by their position in the training data.
    """
    model = model_of(fit)
    own = _own_names(fit, model)
    names = np.empty(len(model.kept), dtype=object)
    names[:] = model.kept.tolist() if own is None else own.tolist()
    return names


def _own_names(fit: Fit, model: Model) -> pd.Index | None:
    """The names of the kept columns; None if they have none."""
    importance = fit.feature_importance.index if isinstance(fit, CDFResult) else None
    return names_of_features(model, importance)


def read_rows(fit: Fit, X: Rows, name: str = "X") -> Floats:
    """Rows x features of the forest, as it takes them; messages call the table ``name``.

    They are scaled if the model scales. Columns are matched by name if both sides have names,
    otherwise by position. Columns that the forest does not use may be missing. The rows of
    :class:`TrainingRows` are returned as they are.
    """
    if isinstance(X, TrainingRows):
        return X.rows
    model = model_of(fit)
    return rows.read_rows(model, _own_names(fit, model), X, name)


def _read_own_rows(fit: Fit, X: Table) -> Floats:
    model = model_of(fit)
    return rows.read_own_rows(model, _own_names(fit, model), X, "X")


def read_codes(fit: Fit, y: Classes, name: str = "y") -> Codes:
    """The class of each row, as a position in the model's ``classes``; none may be missing."""
    if isinstance(y, TrainingRows):
        return y.codes
    codes = _codes(model_of(fit), y, name)
    missing = np.flatnonzero(codes < 0).tolist()
    if missing:
        raise ValueError(
            f"{name} has no label in {plural(len(missing), 'row')}, at {few(missing)}: drop these "
            "rows."
        )
    return codes


def _codes(model: Model, y: Classes, name: str) -> Codes:
    """Like :func:`read_codes`, but with -1 for rows without a label."""
    labels = read_labels(y, name)
    texts = read_labels(model.classes, "classes").texts
    known: dict[str, int] = dict(zip(texts, range(len(texts)), strict=True))
    if len(texts) < len(model.classes):  # labels that differ only by blanks, for example
        known = {}
    code_of = np.array([*(known.get(text, -1) for text in labels.texts), -1], dtype=np.int32)
    codes = code_of[labels.codes]
    unread = np.flatnonzero((codes < 0) & (labels.codes >= 0))
    if len(unread):
        # NumPy writes ["a", 1e5] as "a" and "100000.0", and the estimator's classes are NumPy's
        values = np.asarray(y).ravel()[unread].tolist()
        by_value = {label: code for code, label in enumerate(model.classes.tolist())}
        codes[unread] = [by_value.get(value, -1) for value in values]
        unknown = dict.fromkeys(labels.codes[unread[codes[unread] < 0]].tolist())
        _refuse_unknown([labels.values[code] for code in unknown], model, name)
    return codes


def _refuse_unknown(unknown: list[Any], model: Model, name: str) -> None:
    if unknown:
        one = agree(unknown, "a label", "labels")
        raise ValueError(
            f"{name} has {one} that the model does not have: {few(unknown)}. Its classes are "
            f"{few(model.classes.tolist(), most=8)}."
        )


def read_labelled(fit: Fit, X: Rows, y: Classes) -> tuple[Floats, Codes]:
    """Rows and their classes, one class per row."""
    rows, codes = read_rows(fit, X), read_codes(fit, y)
    _check_one_label_per_row(rows, codes)
    return rows, codes


def _check_one_label_per_row(rows: Floats, codes: Codes) -> None:
    if len(rows) != len(codes):
        raise ValueError(
            f"y has {plural(len(codes), 'label')} and X {plural(len(rows), 'row')}: pass one label "
            "per row."
        )


def read_training(fit: Fit, X: Rows, y: Classes) -> TrainingRows:
    """The training rows and their classes, checked against the forest.

    Rows without a label are left out, as in ``CDF()``. The forest must store which rows each tree
    drew: row i is column i of ``forest.inbag``. The result may be passed as both ``X`` and ``y``
    wherever training rows are expected, and is then not read again.
    """
    model = model_of(fit)
    if isinstance(X, TrainingRows) and X is y and X.model is model:
        return X
    own = X.own if isinstance(X, TrainingRows) else _read_own_rows(fit, X)
    codes = _codes(model, y, "y")
    _check_one_label_per_row(own, codes)
    own, codes = own[codes >= 0], codes[codes >= 0]
    rows = model.scaled(own)
    inbag = model.forest.inbag
    if inbag.shape[1] == 0:
        raise ValueError(
            "this needs to know which rows each tree drew, and the forest does not store them: "
            "fit again."
        )
    wanted = "pass the training rows and labels, in their original order."
    if len(rows) != inbag.shape[1]:
        raise ValueError(
            f"X has {plural(len(rows), 'labelled row')} and the forest was grown on "
            f"{inbag.shape[1]:,}: {wanted}"
        )
    if not same_labels(model.forest, codes):
        raise ValueError(f"some rows have a different label in y than in training: {wanted}")
    if not are_training_rows(model.forest, rows, codes):
        raise ValueError(
            "X is not what the forest was grown on: its class means are not the forest's "
            "centroids. Pass the training rows, unchanged and in their original order."
        )
    return TrainingRows(model, rows, codes, own)


def tree_numbers(model: Model, tree: Any) -> list[int]:
    """The numbers of one tree, of several, or (None) of all."""
    n = model.forest.n_trees
    if tree is None:
        return list(range(n))
    chosen = list(tree) if isinstance(tree, Iterable) and not isinstance(tree, str) else [tree]
    if not chosen:
        raise ValueError("tree is empty: pass a whole number, several, or None for all.")
    return [whole(one, "tree", 0, n - 1, ", a tree of the forest") for one in chosen]
