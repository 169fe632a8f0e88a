"""Fit a method on the training rows of a split, and predict the test rows.

All methods get the same rows and the same seed, that of the split. The features are as they are in
the data, unless the method is one that scales them.
"""

import time
import warnings
from contextlib import suppress
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from pycdf.experiment import tuning
from pycdf.experiment.methods import Method
from pycdf.experiment.scaling import standardised
from pycdf.experiment.tuning import Floats, Labels, Parameters
from pycdf.support.wording import plain, shown


class Outcome(TypedDict):
    """A method's results on the test rows of a split."""

    predictions: Labels
    probabilities: Floats | None
    """Rows x classes; None if the method has no probabilities."""
    scores: Floats | None
    """Rows x classes, for the AUC: values of the decision function or, if there is none, the
    probabilities, which may be rounded to 0 and 1."""
    classes: Labels
    """The columns of ``probabilities``: the classes of the training rows, sorted."""
    parameters: Parameters
    """The parameters that tuning chose; empty without tuning."""
    seconds: dict[str, float]
    """The times for tuning, training and prediction: ``tune``, ``fit``, ``predict``."""
    warnings: tuple[str, ...]
    """The method's warnings, except those during tuning."""


class OneClassError(ValueError):
    """The training rows of a split are all of one class."""


def run_split(
    method: Method,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    train: npt.NDArray[np.int64],
    test: npt.NDArray[np.int64],
    seed: int,
    tuned: bool,
    groups: Labels | None = None,
) -> Outcome:
    """Train on the rows ``train``, with or without tuning, and predict the rows ``test``.

    ``seed`` is that of the split (:func:`pycdf.experiment.splits.split_seed`). Rows of one of the
    ``groups`` stay together in tuning.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    rows = np.asarray(X, dtype=np.float64)
    labels = np.asarray(y)
    classes = np.unique(labels[train])
    if len(classes) < 2:
        raise OneClassError(
            f"all {len(train)} training rows are of the class {shown(plain(classes[0]))}: "
            "training needs two classes or more."
        )
    chosen: Parameters = {}
    with threadpool_limits(1):
        clock = [time.perf_counter()]
        if candidates := method.tuned_grid(tuned):
            predict = method.predict_folds(method.make)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # candidates that fail to converge are not chosen
                chosen = tuning.choose(
                    candidates,
                    tuning.scaled(predict) if method.scaled else predict,
                    rows[train],
                    labels[train],
                    seed,
                    None if groups is None else groups[train],
                )
        clock.append(time.perf_counter())
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if method.scaled:
                rows = standardised(rows, train)
            model = method.make(seed, **chosen).fit(rows[train], labels[train])
            clock.append(time.perf_counter())
            predictions = np.asarray(model.predict(rows[test]))
            clock.append(time.perf_counter())
            shares = _probabilities(model, rows[test], classes)
            scores = _decisions(model, rows[test], classes)
    tune, fit, answer = np.diff(clock).tolist()
    if method.trains_late:
        fit, answer = fit + answer, float("nan")
    return Outcome(
        predictions=predictions,
        probabilities=shares,
        scores=shares if scores is None else scores,
        classes=classes,
        parameters=chosen,
        seconds={"tune": tune, "fit": fit, "predict": answer},
        warnings=tuple(dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in caught)),
    )


def _probabilities(model: Any, rows: Floats, classes: Labels) -> Floats | None:
    if not hasattr(model, "predict_proba") or not _has_classes(model, classes):
        return None
    return np.asarray(model.predict_proba(rows))


def _decisions(model: Any, rows: Floats, classes: Labels) -> Floats | None:
    """The decision function, rows x classes; for two classes it has a single column."""
    if not hasattr(model, "decision_function") or not _has_classes(model, classes):
        return None
    values = np.asarray(model.decision_function(rows), dtype=np.float64)
    if values.ndim == 1:
        values = np.column_stack([-values, values])
    return values if values.shape[1] == len(classes) else None


def _has_classes(model: Any, classes: Labels) -> bool:
    """Whether the columns of a model's answers are these classes."""
    return np.array_equal(getattr(model, "classes_", classes), classes)


def warm_up(method: Method, X: Floats, y: Labels, train: npt.NDArray[np.int64], seed: int) -> None:
    """Fit and predict a few training rows, so that imports and compilation take no time later.

    All columns and all classes are there, because what is compiled may depend on them. A method
    that fails on so few rows is as warm as it gets.
    """
    from threadpoolctl import threadpool_limits

    codes = np.unique(y[train], return_inverse=True)[1]
    few = np.concatenate([train[codes == code][:3] for code in range(codes.max() + 1)])
    with warnings.catch_warnings(), suppress(Exception), threadpool_limits(1):
        warnings.simplefilter("ignore")
        model = method.make(seed).fit(X[few], y[few])
        model.predict(X[few])
