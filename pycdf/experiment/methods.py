"""The methods of the paper's experiment, its rivals, and any other classifier, by name.

:func:`find` turns a name ("cdf", "rf", "sklearn.svm.LinearSVC(C=0.1)") or an estimator into a
:class:`Method`, which :mod:`pycdf.experiment.fitting` runs.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pycdf.experiment import classifiers as made
from pycdf.experiment import rivals, rrf, specs, tuning
from pycdf.experiment.class_names import load_class
from pycdf.experiment.tuning import Parameters
from pycdf.support.wording import brief, few
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
    scaled: bool = False
    """Whether the features are standardised first, with the training rows' means and sds."""
    always_tuned: bool = False
    """Whether it is tuned even if others are not, because there is no sensible default."""
    trains_late: bool = False
    """Whether training takes place in ``predict``, so that the two times cannot be told apart."""

    def unavailable(self) -> str | None:
        """Why the method is unavailable and what to do about it, or None if it can run."""
        return self.missing()

    def tuned_grid(self, tuned: bool) -> tuple[Parameters, ...]:
        """The parameters to try if methods are ``tuned``, or if they are not."""
        return self.grid if tuned or self.always_tuned else ()


_NESTED_TREES = partial(tuning.nested, made.first_trees)
_NESTED_ROUNDS = partial(tuning.nested, made.first_rounds)

METHODS = {
    method.name: method
    for method in (
        # The paper's, in its order
        Method("cdf", "CDF", made.cdf),
        Method("cart", "CART", made.cart, made.CART_GRID),
        Method("rf", "RF", made.rf, made.RF_GRID, predict_folds=_NESTED_TREES),
        Method(
            "rrf", "RRF", made.rrf, made.RRF_GRID, "R and its package RRF",
            rrf.missing, rrf.predict_folds, trains_late=True,
        ),
        Method(
            "xgb", "XGB", made.xgb, made.XGB_GRID, "xgboost",
            made.no_xgboost, _NESTED_ROUNDS,
        ),
        Method("knn", "kNN", made.knn, made.KNN_GRID),
        Method(
            "rknn", "RkNN", made.rknn, made.RKNN_GRID,
            predict_folds=partial(tuning.by_parameter, "k"),
        ),
        Method("svm", "SVM", made.svm, made.SVM_GRID),
        # Others that are usual for such data
        Method(
            "nsc", "NSC", rivals.nsc, rivals.NSC_GRID,
            predict_folds=partial(tuning.by_parameter, "shrinkage"), always_tuned=True,
        ),
        Method("dlda", "DLDA", rivals.dlda),
        Method("lsvm", "linear SVM", rivals.lsvm, rivals.LSVM_GRID, scaled=True),
        Method("enet", "elastic net", rivals.enet, rivals.ENET_GRID, scaled=True),
        Method("et", "ExtraTrees", rivals.et, rivals.ET_GRID),
        Method("oblique", "oblique RF", rivals.oblique, (), "treeple", rivals.no_treeple),
        Method(
            "lgbm", "LightGBM", rivals.lgbm, rivals.LGBM_GRID, "lightgbm", rivals.no_lightgbm,
            partial(tuning.nested, rivals.first_rounds),
        ),
    )
}  # fmt: skip
"""All methods with a short name."""

SETS = {"paper": tuple(METHODS)[:8], "rivals": tuple(METHODS)[8:]}
"""Names for several methods at once."""


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


def find_all(methods: str | Iterable[Any]) -> list[Method]:
    """Find all methods; two with the same name are refused."""
    if isinstance(methods, str):
        methods = specs.split_list(methods)
    elif hasattr(methods, "fit"):
        methods = [methods]
    elif not isinstance(methods, Iterable):
        raise TypeError(
            f"methods is {quoted(methods)}: pass names or estimators, such as ['cdf', 'rf']."
        )
    found = [
        find(one)
        for given in methods
        for one in (SETS.get(given, (given,)) if isinstance(given, str) else (given,))
    ]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"two methods are called {quoted(name)}: rename one, as in mine={brief(name)} or, "
                "in "
                f"Python, ('mine', estimator)."
            )
    if not found:
        raise ValueError("methods is empty: pass at least one, such as cdf.")
    return found


def with_scaling(methods: Sequence[Method], scale: str | Iterable[str]) -> list[Method]:
    """The methods, of which those named in ``scale`` standardise the features."""
    wanted = specs.split_list(scale) if isinstance(scale, str) else [str(one) for one in scale]
    names = [one.name for one in methods]
    for name in wanted:
        if name != "all" and name not in names:
            raise ValueError(
                f"scale names {quoted(name)}, which is not compared: choose from {few(names, 99)}, "
                "or all."
            )
    chosen = {*names} if "all" in wanted else {*wanted}
    return [replace(one, scaled=True) if one.name in chosen else one for one in methods]
