"""The methods of the paper's experiment, and any other classifier, behind one interface.

:func:`find` turns a name ("cdf", "rf", "sklearn.svm.LinearSVC(C=0.1)") or an estimator into a
:class:`Method`, and :func:`run_split` trains it and predicts on one split. All methods get the same
unscaled features and the same seed, that of the split.
"""

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from pycdf.experiment import classifiers as made
from pycdf.experiment import random_knn, rrf, specs, tuning
from pycdf.experiment.class_names import load_class
from pycdf.experiment.tuning import Floats, Labels, Parameters
from pycdf.support.wording import plain
from pycdf.support.wording import shown as quoted


def _nothing() -> None:
    """The ``missing`` of methods that are always available."""


@dataclass(frozen=True)
class Method:
    """A classifier that can be compared."""

    name: str
    """Its name in files and on the command line."""
    title: str
    """Its name in tables: the paper's, if it has one there."""
    make: Callable[..., Any]
    """Builds an estimator with ``fit`` and ``predict`` from a seed and parameters by name."""
    grid: tuple[Parameters, ...] = ()
    """The parameters that tuning tries, the defaults first; empty if there is no tuning."""
    needs: str | None = None
    """What must be installed in addition to pycdf's own requirements."""
    missing: Callable[[], str | None] = _nothing
    """Returns why the method is unavailable and what to do about it, or None."""
    predict_folds: Callable[[Callable[..., Any]], tuning.Predict] = tuning.one_by_one
    """Given ``make``, returns the function that predicts the folds for tuning."""

    def unavailable(self) -> str | None:
        """Why the method is unavailable and what to do about it, or None if it can run."""
        return self.missing()


class Outcome(TypedDict):
    """A method's results on the test rows of a split."""

    predictions: Labels
    probabilities: Floats | None
    """Rows x classes; None if the method has no probabilities."""
    classes: Labels
    """The columns of ``probabilities``: the classes of the training rows, sorted."""
    parameters: Parameters
    """The parameters that tuning chose; empty without tuning."""
    seconds: float
    """The time for tuning, training and prediction."""
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
) -> Outcome:
    """Train on the rows ``train``, with or without tuning, and predict the rows ``test``.

    ``seed`` is that of the split (:func:`pycdf.experiment.splits.split_seed`).
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    rows = np.asarray(X, dtype=np.float64)
    labels = np.asarray(y)
    classes = np.unique(labels[train])
    if len(classes) < 2:
        raise OneClassError(
            f"all {len(train)} training rows are of the class {quoted(plain(classes[0]))}: "
            "training needs two classes or more."
        )
    began = time.perf_counter()
    chosen: Parameters = {}
    with threadpool_limits(1):
        if tuned and method.grid:
            predict = method.predict_folds(method.make)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # candidates that fail to converge are not chosen
                chosen = tuning.choose(method.grid, predict, rows[train], labels[train], seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = method.make(seed, **chosen).fit(rows[train], labels[train])
            predictions = np.asarray(model.predict(rows[test]))
            shares = _probabilities(model, rows[test], classes)
    return Outcome(
        predictions=predictions,
        probabilities=shares,
        classes=classes,
        parameters=chosen,
        seconds=time.perf_counter() - began,
        warnings=tuple(dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in caught)),
    )


def _probabilities(model: Any, rows: Floats, classes: Labels) -> Floats | None:
    if not hasattr(model, "predict_proba"):
        return None
    columns = getattr(model, "classes_", classes)
    return np.asarray(model.predict_proba(rows)) if np.array_equal(columns, classes) else None


_NESTED_TREES = partial(tuning.nested, made.first_trees)
_NESTED_ROUNDS = partial(tuning.nested, made.first_rounds)

METHODS = {
    method.name: method
    for method in (
        Method("cdf", "CDF", made.cdf),
        Method("cart", "CART", made.cart, made.CART_GRID),
        Method("rf", "RF", made.rf, made.RF_GRID, predict_folds=_NESTED_TREES),
        Method(
            "rrf", "RRF", made.rrf, made.RRF_GRID, "R and its package RRF",
            rrf.missing, rrf.predict_folds,
        ),
        Method(
            "xgb", "XGB", made.xgb, made.XGB_GRID, "xgboost",
            made.no_xgboost, _NESTED_ROUNDS,
        ),
        Method("knn", "kNN", made.knn, made.KNN_GRID),
        Method(
            "rknn", "RkNN", made.rknn, made.RKNN_GRID,
            predict_folds=random_knn.predict_folds,
        ),
        Method("svm", "SVM", made.svm, made.SVM_GRID),
    )
}  # fmt: skip
"""The paper's methods by name, in its order."""


def find(spec: Any) -> Method:
    """Find the method that ``spec`` describes.

    ``spec`` is a :class:`Method`; an estimator or its class; a pair of a name and one of these; or
    text. Text is a name in :data:`METHODS` or the full name of a class with scikit-learn's
    interface, such as ``"sklearn.linear_model.LogisticRegression"``. It can have arguments,
    ``"cdf(ntrees=1000)"``, and a name of your own in front,
    ``"logit=sklearn.linear_model.LogisticRegression(C=0.1)"``.
    """
    if isinstance(spec, Method):
        return spec
    if isinstance(spec, str):
        return _from_text(spec)
    name, estimator = spec if isinstance(spec, tuple) and len(spec) == 2 else (None, spec)
    specs.check_estimator(estimator)
    if isinstance(estimator, type):
        name = str(name or estimator.__name__)
        make = partial(specs.construct, estimator, {})
        specs.check_arguments(make, name, {})
        return Method(name, name, make)
    specs.refuse_regressor(estimator)
    name = str(name or type(estimator).__name__)
    return Method(name, name, partial(specs.seeded_copy, estimator))


def _from_text(spec: str) -> Method:
    name, target, arguments = specs.parse(spec)
    ours = METHODS.get(target.lower())
    shown = target.rpartition(".")[2] if ours is None else ours.name
    if ours is not None and not name and not arguments:
        return ours
    if ours is None and "." not in target:
        raise ValueError(specs.unknown(target, METHODS))
    specs.refuse_seeds(shown, arguments)
    if ours is None:
        kind = load_class(target)
        specs.check_estimator(kind)
        method = Method(shown, shown, partial(specs.construct, kind, arguments))
    else:
        grid = tuning.without(ours.grid, arguments)
        method = replace(ours, make=partial(ours.make, **arguments), grid=grid)
    specs.check_arguments(method.make, shown, arguments)
    name = name or shown + specs.written(arguments)
    return replace(method, name=name, title=name)
