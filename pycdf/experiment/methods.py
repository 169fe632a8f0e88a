"""The methods of the paper's experiment, and any other classifier, behind one call.

:func:`find` takes a name ("cdf", "rf", "sklearn.svm.LinearSVC(C=0.1)") or an estimator and gives a
:class:`Method`; :func:`run_split` takes one, rows, labels and a split, and gives predictions. All
methods get the same raw features and start from the same seed, that of the split.
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
from pycdf.experiment.tuning import Floats, Labels, Parameters
from pycdf.support.wording import plain


def _nothing() -> None:
    """What is missing for methods that need nothing more."""


@dataclass(frozen=True)
class Method:
    """A classifier that can be compared."""

    name: str
    """What it is called in files and on the command line."""
    title: str
    """What it is called in tables: the paper's name, where it has one."""
    make: Callable[..., Any]
    """From a seed, and parameters by name, an estimator with ``fit`` and ``predict``."""
    grid: tuple[Parameters, ...] = ()
    """The parameters that tuning tries, the defaults first; empty where there is no tuning."""
    needs: str | None = None
    """What must be installed beside pycdf's own requirements."""
    missing: Callable[[], str | None] = _nothing
    """Why it cannot run here and what to do about it, or None."""
    predict_folds: Callable[[Callable[..., Any]], tuning.Predict] = tuning.one_by_one
    """From ``make``, how tuning gets at its predictions."""

    def unavailable(self) -> str | None:
        """Why it cannot run here and what to do about it, or None."""
        return self.missing()


class Outcome(TypedDict):
    """A method's answers for the test rows of a split."""

    predictions: Labels
    probabilities: Floats | None
    """Rows x classes, where the method has them."""
    classes: Labels
    """The columns of ``probabilities``: the classes of the training rows, sorted."""
    parameters: Parameters
    """What tuning chose; empty where there was none."""
    seconds: float
    """Of tuning, training and prediction."""
    warnings: tuple[str, ...]
    """What the method warned of, tuning aside."""


class OneClassError(ValueError):
    """A training part with rows of one class only."""


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

    ``seed`` is the split's (:func:`pycdf.experiment.splits.split_seed`).
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    rows = np.asarray(X, dtype=np.float64)
    labels = np.asarray(y)
    classes = np.unique(labels[train])
    if len(classes) < 2:
        raise OneClassError(
            f"all {len(train)} training rows are of the class {plain(classes[0])!r}: nothing can "
            "be learnt from them."
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
    known = getattr(model, "classes_", classes)
    return np.asarray(model.predict_proba(rows)) if np.array_equal(known, classes) else None


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
    """The method that is meant.

    ``spec`` is a name of :data:`METHODS`; the dotted name of a class of scikit-learn's kind,
    ``"sklearn.linear_model.LogisticRegression"``; either with arguments, ``"cdf(ntrees=1000)"``, or
    with a name of its own ahead, ``"logit=sklearn.linear_model.LogisticRegression(C=0.1)"``; an
    estimator or its class; a pair of a name and one of these; or a :class:`Method`.
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
    known = METHODS.get(target.lower())
    shown = target.rpartition(".")[2] if known is None else known.name
    if known is not None and not name and not arguments:
        return known
    if known is None and "." not in target:
        raise ValueError(specs.unknown(target, METHODS))
    if known is None:
        method = Method(shown, shown, partial(specs.construct, specs.load_class(target), arguments))
    else:
        grid = tuning.without(known.grid, arguments)
        method = replace(known, make=partial(known.make, **arguments), grid=grid)
    specs.check_arguments(method.make, shown, arguments)
    name = name or shown + specs.written(arguments)
    return replace(method, name=name, title=name)
