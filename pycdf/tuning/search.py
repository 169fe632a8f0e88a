"""``tune``: find the settings of a forest that suit the data, and how good they really are."""

import secrets
import time
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.stream import RStream
from pycdf.classifier import CDFClassifier
from pycdf.explain.arguments import whole
from pycdf.explain.many_forests import read_data
from pycdf.forest.voting import winners
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.kinds import LabelList, Table
from pycdf.inputs.prepare import TrainingData
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import shown
from pycdf.tuning.folds import take_fold
from pycdf.tuning.halving import ROUNDS, Search, Trial, halve, model_of, sizes_of_rounds
from pycdf.tuning.space import draw_settings, read_space
from pycdf.tuning.tuned import Nested, Tuned
from pycdf.validation import measures, stratified_folds

Longs = npt.NDArray[np.int64]

MEASURES = ("accuracy", "kappa", "balanced_accuracy")
_MOST = 10_000  # settings, if only the time is limited


def tune(
    X: Table,
    y: LabelList,
    *,
    space: Mapping[str, Iterable[Any]] | None = None,
    budget: int | None = None,
    seconds: float | None = None,
    measure: str = "accuracy",
    nested: int = 5,
    ntrees: int = 500,
    seed: int | None = None,
    n_jobs: int | None = -1,
    progress: bool = False,
) -> Tuned:
    """Search for the settings with the best out-of-bag score, and measure honestly what they bring.

    R's defaults and random combinations of the space are tried with few trees (18 of 500), the best
    third of them with three times as many, and so on, until the best 27th has all trees (successive
    halving). The best of many out-of-bag scores is too good: it was chosen for being high. So the
    whole search is also repeated on the training rows of outer folds, and its winners predict the
    rows that they have never seen, beside forests with R's defaults.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        Training rows, as for :meth:`pycdf.CDFClassifier.fit`.
    y : array-like of shape (n_rows,)
        Their labels.
    space : dict or None, default=None
        The values to try, a list for each parameter: k, mtry, depth, mnode, distance,
        feature_score, redundancy, vote, class_weight. What it does not name stays as in R. None
        tries k, mtry, depth, mnode, distance, feature_score and class_weight.
    budget : int or None, default=None
        How many forests with different settings to try; None is 100, or no limit with ``seconds``.
    seconds : float or None, default=None
        How long to search, with all outer folds. The result then depends on the machine.
    measure : {"accuracy", "kappa", "balanced_accuracy"}, default="accuracy"
        What to make as large as possible.
    nested : int, default=5
        Number of outer folds; 0 leaves the honest figure out, and takes a sixth of the time.
    ntrees : int, default=500
        Number of trees of the final forests.
    seed : int or None, default=None
        The seed of everything that is drawn. None draws one.
    n_jobs : int or None, default=-1
        Number of cores; -1 uses all. The result does not depend on it, unless ``seconds`` is given.
    progress : bool, default=False
        Whether to show the forests done and the time left, in a terminal or a notebook.

    Returns
    -------
    Tuned
        The fitted estimator, the table of what was tried, the honest figure and a picture.

    Examples
    --------
    >>> from pycdf import load_darwin, tune
    >>> X, y = load_darwin()
    >>> found = tune(X, y, budget=9, nested=2, ntrees=30, seed=1)
    >>> found.table[["k", "depth", "feature_score", "trees", "oob_accuracy"]].head(2).round(3)
           k depth feature_score  trees  oob_accuracy
    rank
    0     24     3         welch     30         0.885
    1     12     3           css     30         0.856
    >>> found.estimator.predict(X[:3]).tolist()
    ['P', 'P', 'H']
    """
    return search_settings(
        read_data(X, y), space=space, budget=budget, seconds=seconds, measure=measure,
        nested=nested, ntrees=ntrees, seed=seed, n_jobs=n_jobs, progress=progress,
    )  # fmt: skip


def search_settings(
    data: TrainingData,
    *,
    space: Mapping[str, Iterable[Any]] | None,
    budget: int | None,
    seconds: float | None,
    measure: str,
    nested: int,
    ntrees: int,
    seed: int | None,
    n_jobs: int | None,
    progress: bool,
) -> Tuned:
    """:func:`tune`, with data that have been read."""
    began = time.monotonic()
    values = read_space(space, data.n_features)
    most = _MOST if seconds is not None else 100
    most = most if budget is None else whole(budget, "budget", 2)
    if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
        raise ValueError(f"seconds={shown(seconds)}: pass a number above 0, or None.")
    if measure not in MEASURES:
        raise ValueError(f"measure={shown(measure)}: pass {', '.join(map(repr, MEASURES))}.")
    nested = whole(nested, "nested", 0, len(data.codes), ", the number of rows")
    if nested == 1:
        raise ValueError("nested=1: pass at least 2 folds, or 0 for none.")
    ntrees = whole(ntrees, "ntrees")
    check_jobs(n_jobs)
    if seed is None:
        seed = secrets.randbelow(LARGEST_INTEGER)
    seed = whole(seed, "seed", -LARGEST_INTEGER, LARGEST_INTEGER)
    stream = RStream(seed)
    candidates = draw_settings(values, most, data.n_features, stream)
    each = None if seconds is None else seconds / (nested + 1)
    total = (sum(sizes_of_rounds(len(candidates))) + ROUNDS) * (nested + 1)
    done = 0
    with ProgressBar(progress, unit="forests") as bar:

        def report(more: int) -> None:
            nonlocal done
            done += more
            bar(min(done, total), total)

        search = Search(data, data.n_features, measure, seed)
        trials = halve(search, candidates, ntrees, n_jobs, each, report)
        honest = None
        if nested:
            fold_of = stratified_folds(data.codes, nested, stream)
            answers = [
                _test_fold(
                    data, fold_of == fold, candidates, ntrees, measure, seed, n_jobs, each, report
                )
                for fold in range(nested)
            ]
            honest = _measured(data, fold_of, answers, measure)
    return Tuned(
        estimator=CDFClassifier.from_model(model_of(trials[0])),
        table=_table(trials, measure, values),
        measure=measure,
        score=trials[0].score,
        default_score=next(trial.score for trial in trials if trial.number == 0),
        nested=honest,
        seed=seed,
        seconds=time.monotonic() - began,
    )


Answers: TypeAlias = tuple[Longs, Longs, Trial]
"""The predictions of the winner and of R's defaults for a fold, and the winner."""


def _test_fold(
    data: TrainingData, outside: Any, candidates: list[dict[str, Any]], ntrees: int, measure: str,
    seed: int, n_jobs: int | None, seconds: float | None, report: Any,
) -> Answers:  # fmt: skip
    """What the winner of a search without these rows predicts for them, and R's defaults."""
    fold = take_fold(data, outside)
    search = Search(fold.train, data.n_features, measure, seed)
    trials = halve(search, candidates, ntrees, n_jobs, seconds, report)
    default = next(trial for trial in trials if trial.number == 0)
    tuned, by_default = (
        fold.codes[winners(model_of(one).votes(fold.test, n_jobs))] for one in (trials[0], default)
    )
    return tuned, by_default, trials[0]


def _measured(data: TrainingData, fold_of: Any, answers: list[Answers], measure: str) -> Nested:
    """The measures of both, fold by fold and over all rows."""
    codes = data.codes.astype(np.int64)
    found = np.empty((2, len(codes)), dtype=np.int64)
    by_fold = []
    for fold, (tuned, default, trial) in enumerate(answers):
        rows = fold_of == fold
        found[:, rows] = tuned, default
        one, other = (_measure(codes[rows], found[i, rows], measure, data) for i in range(2))
        by_fold.append({"tuned": one, "default": other, **trial.settings})
    tuned_score, default_score = (_measure(codes, found[i], measure, data) for i in range(2))
    right = found == codes
    return Nested(
        measure=measure,
        tuned=tuned_score,
        default=default_score,
        by_fold=pd.DataFrame(by_fold).rename_axis("fold"),
        better=int((right[0] & ~right[1]).sum()),
        worse=int((right[1] & ~right[0]).sum()),
        rows=len(codes),
    )


def _measure(codes: Any, found: Any, measure: str, data: TrainingData) -> float:
    return measures(codes, found, np.zeros((len(codes), len(data.classes))))[measure, -1]


def _table(trials: list[Trial], measure: str, values: Mapping[str, Any]) -> pd.DataFrame:
    lines = [
        {
            **{name: trial.settings[name] for name in values},
            "trees": trial.trees,
            f"oob_{measure}": trial.score,
            "r_default": trial.number == 0,
        }
        for trial in trials
    ]
    table = pd.DataFrame(lines).rename_axis("rank")
    for name in values:  # pandas makes NaN of None in columns of text
        table[name] = pd.Series([line[name] for line in lines], dtype=object)
    return table
