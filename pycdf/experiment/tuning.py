"""Tune parameters by 10-fold cross-validation within the training rows, as in the paper.

:func:`choose` picks the candidate (a dictionary of parameters) with the most correct predictions
over all folds. Ties go to the first candidate, so a grid starts with the defaults. All methods on a
split get the same folds.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.stream import RStream
from pycdf.experiment.scaling import standardised
from pycdf.validation import stratified_folds

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]
Parameters = dict[str, Any]
Fold = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
"""The positions to train on, and the positions to predict."""
Predict = Callable[[Sequence[Parameters], Floats, Labels, Sequence[Fold], int], Iterable[Any]]
"""Given candidates, rows, labels, folds and a seed, each candidate's predictions by fold."""

FOLDS = 10


def grid(**values: Sequence[Any]) -> tuple[Parameters, ...]:
    """All combinations of values, starting with the first value of each parameter."""
    return tuple(
        dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())
    )


def without(candidates: Sequence[Parameters], fixed: Parameters) -> tuple[Parameters, ...]:
    """The distinct candidates that remain if some parameters are fixed."""
    left: list[Parameters] = []
    for each in candidates:
        free = {name: value for name, value in each.items() if name not in fixed}
        if free and free not in left:
            left.append(free)
    return tuple(left)


def folds(y: Labels, seed: int, groups: Labels | None = None) -> list[Fold]:
    """Stratified folds, drawn with R's ``set.seed(-seed)``, as ``seed`` itself drew the split.

    The rows of a rare class are spread over as many folds as possible; with fewer than ten rows in
    all, each row is a fold. A fold that leaves only one class to train on is skipped. Rows of a
    group stay together; the folds are then stratified only if no group has rows of two classes.
    """
    codes = np.unique(y, return_inverse=True)[1].astype(np.int32)
    stream = RStream(-seed)
    if groups is None:
        fold = stratified_folds(codes, min(FOLDS, len(y)), stream)
    else:
        units = pd.factorize(groups)[0]
        classes = codes[np.unique(units, return_index=True)[1]]
        if (classes[units] != codes).any():
            classes[:] = 0
        fold = stratified_folds(classes, min(FOLDS, len(classes)), stream)[units]
    parts = [
        (np.flatnonzero(fold != number), np.flatnonzero(fold == number))
        for number in range(fold.max() + 1)
    ]
    return [(inside, left) for inside, left in parts if len(np.unique(codes[inside])) > 1]


def choose(
    candidates: Sequence[Parameters],
    predict: Predict,
    X: Floats,
    y: Labels,
    seed: int,
    groups: Labels | None = None,
) -> Parameters:
    """The candidate with the most correct predictions, or the first if there are no folds.

    A candidate that needs more neighbours than a fold has training rows is not tried.
    """
    parts = folds(y, seed, groups)
    if not parts:
        return candidates[0]
    rows = min(len(inside) for inside, _ in parts)
    tried = [each for each in candidates if _neighbours(each) <= rows]
    right = [
        sum(int((guess == y[left]).sum()) for guess, (_, left) in zip(answer, parts, strict=True))
        for answer in predict(tried, X, y, parts, seed)
    ]
    return tried[int(np.argmax(right))]


def _neighbours(parameters: Parameters) -> int:
    """A candidate's number of neighbours, under scikit-learn's name or rknn's."""
    return int(parameters.get("n_neighbors") or parameters.get("k") or 1)


def one_by_one(make: Callable[..., Any]) -> Predict:
    """Predict folds with a new estimator for every candidate and fold."""

    def predict(
        candidates: Sequence[Parameters], X: Floats, y: Labels, parts: Sequence[Fold], seed: int
    ) -> Iterable[Any]:
        for chosen in candidates:
            yield [
                make(seed, **chosen).fit(X[inside], y[inside]).predict(X[left])
                for inside, left in parts
            ]

    return predict


def by_parameter(name: str, make: Callable[..., Any]) -> Predict:
    """Predict folds with one fit for all values of a parameter that matters only in prediction.

    The estimator's ``predict_each(X, values)`` predicts with each of the values.
    """

    def predict(
        candidates: Sequence[Parameters], X: Floats, y: Labels, parts: Sequence[Fold], seed: int
    ) -> Iterable[Any]:
        values = [each[name] for each in candidates]
        by_fold = [
            make(seed).fit(X[inside], y[inside]).predict_each(X[left], values)
            for inside, left in parts
        ]
        return zip(*by_fold, strict=True)

    return predict


def nested(
    predict_first: Callable[[Any, int, Floats], Labels], make: Callable[..., Any]
) -> Predict:
    """Predict folds faster for forests, in which a smaller forest is the start of a larger one.

    Candidates that differ only in ``n_estimators`` share a fit; ``predict_first`` predicts with its
    first trees.
    """

    def predict(
        candidates: Sequence[Parameters], X: Floats, y: Labels, parts: Sequence[Fold], seed: int
    ) -> Iterable[Any]:
        if "n_estimators" not in candidates[0]:
            return one_by_one(make)(candidates, X, y, parts, seed)
        answers: list[list[Labels]] = [[] for _ in candidates]
        trees = [each["n_estimators"] for each in candidates]
        others = [{**each, "n_estimators": max(trees)} for each in candidates]
        for inside, left in parts:
            for j, shared in enumerate(others):
                if shared in others[:j]:
                    continue
                model = make(seed, **shared).fit(X[inside], y[inside])
                alike = [i for i, each in enumerate(others) if each == shared]
                for i in sorted(alike, key=trees.__getitem__, reverse=True):
                    answers[i].append(predict_first(model, trees[i], X[left]))
        return answers

    return predict


def scaled(predict: Predict) -> Predict:
    """Predict each fold with features that are standardised by the fold's own training rows."""

    def predict_scaled(
        candidates: Sequence[Parameters], X: Floats, y: Labels, parts: Sequence[Fold], seed: int
    ) -> Iterable[Any]:
        by_fold = [
            [answer for [answer] in predict(candidates, standardised(X, part[0]), y, [part], seed)]
            for part in parts
        ]
        return zip(*by_fold, strict=True)

    return predict_scaled
