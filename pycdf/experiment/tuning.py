"""Parameters chosen by 10-fold cross-validation inside the training rows, as in the paper.

In go training rows, candidates (dictionaries of parameters) and a way to predict with each; out
comes the candidate with the most right predictions over all folds. Ties go to the candidate that
stands first, so a grid begins with the defaults. All methods on a split get the same folds.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.base_r.stream import RStream
from pycdf.validation import stratified_folds

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]
Parameters = dict[str, Any]
Fold = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
"""Positions to train on, and positions to predict."""
Predict = Callable[[Sequence[Parameters], Floats, Labels, Sequence[Fold], int], Iterable[Any]]
"""From candidates, rows, labels, folds and a seed: for each candidate, its predictions by fold."""

FOLDS = 10


def grid(**values: Sequence[Any]) -> tuple[Parameters, ...]:
    """All combinations; the first of each comes first."""
    return tuple(
        dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())
    )


def without(candidates: Sequence[Parameters], fixed: Parameters) -> tuple[Parameters, ...]:
    """What is left to try where some parameters are fixed."""
    left: list[Parameters] = []
    for each in candidates:
        free = {name: value for name, value in each.items() if name not in fixed}
        if free and free not in left:
            left.append(free)
    return tuple(left)


def folds(y: Labels, seed: int) -> list[Fold]:
    """Stratified folds from R's ``set.seed(-seed)``: ``seed`` itself has made the split.

    Rows of a rare class are in as many folds as they can be; with fewer than ten rows in all, each
    is a fold. A fold that leaves one class to train on is left out: it tells nothing.
    """
    codes = np.unique(y, return_inverse=True)[1].astype(np.int32)
    fold = stratified_folds(codes, min(FOLDS, len(y)), RStream(-seed))
    parts = [
        (np.flatnonzero(fold != number), np.flatnonzero(fold == number))
        for number in range(fold.max() + 1)
    ]
    return [(inside, left) for inside, left in parts if len(np.unique(codes[inside])) > 1]


def choose(
    candidates: Sequence[Parameters], predict: Predict, X: Floats, y: Labels, seed: int
) -> Parameters:
    """The candidate that is right most often; the first where no fold can tell.

    A candidate with more neighbours than the smallest training part has rows is not tried.
    """
    parts = folds(y, seed)
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
    """How many rows a candidate needs, by scikit-learn's name and by rknn's."""
    return int(parameters.get("n_neighbors") or parameters.get("k") or 1)


def one_by_one(make: Callable[..., Any]) -> Predict:
    """Predictions of estimators that are made and fitted anew for every candidate and fold."""

    def predict(
        candidates: Sequence[Parameters], X: Floats, y: Labels, parts: Sequence[Fold], seed: int
    ) -> Iterable[Any]:
        for chosen in candidates:
            yield [
                make(seed, **chosen).fit(X[inside], y[inside]).predict(X[left])
                for inside, left in parts
            ]

    return predict


def nested(cut: Callable[[Any, int, Floats], Labels], make: Callable[..., Any]) -> Predict:
    """The same for forests, faster: one with few trees is the beginning of one with many.

    Candidates that differ in ``n_estimators`` alone share a fit; ``cut`` predicts with the first
    trees of it.
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
            for place, shared in enumerate(others):
                if shared in others[:place]:
                    continue
                model = make(seed, **shared).fit(X[inside], y[inside])
                alike = [i for i, each in enumerate(others) if each == shared]
                for i in sorted(alike, key=trees.__getitem__, reverse=True):
                    answers[i].append(cut(model, trees[i], X[left]))
        return answers

    return predict
