"""Successive halving: many settings with few trees, the better ones with more.

All forests of a search have the same tree seeds, so that their trees have the same bootstrap
samples (with the same class weights): settings are compared on the same draws. Trees are added to
those that are there already. The answer does not depend on the number of cores.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pycdf.base_r.stream import RStream
from pycdf.explain.many_forests import read_settings
from pycdf.forest.model import Model
from pycdf.forest.sorted_columns import sorted_columns
from pycdf.forest.training import Prepared, extend, grow_model, prepare, read_form
from pycdf.forest.voting import shares, winners
from pycdf.inputs.checks import check_parameters, parameters_in_use
from pycdf.inputs.prepare import TrainingData
from pycdf.kernels.arrays import read_only
from pycdf.support.parallel import Shared, count_jobs, in_pieces
from pycdf.tuning.space import Settings
from pycdf.validation import measures

KEEP = 3  # one in so many goes on to the next round, with so many times the trees
ROUNDS = 4
_FEWEST = 9  # trees of the first round: nearly all rows are out of bag in at least one of them
_BLOCK = 4  # settings for each core, after which the clock is looked at
_FIRST = 0.5  # share of the seconds for the first round


@dataclass(frozen=True, eq=False)
class Trial:
    """Settings that were tried, with their out-of-bag score."""

    settings: Settings
    trees: int
    score: float
    model: Model | None
    """The forest; None before the first round."""
    number: int
    """Its place among the candidates; 0 is R's defaults."""


class Search(Shared):
    """What all trials of a search share."""

    _prepared: Prepared | None = None
    stays_here = (*Shared.stays_here, "_prepared")

    def __init__(self, data: TrainingData, columns: int, measure: str, seed: int) -> None:
        super().__init__(data.columns.nbytes)
        self.data = data
        self.columns = columns
        self.measure = measure
        self.seed = seed
        self.defaults = read_settings({"streams": "per_tree"}, "seed of the search")

    def prepared(self, score: Any) -> Prepared:
        """What all forests with this score need, made by the first of them."""
        with self._lock:
            if self._prepared is None:
                self._prepared = prepare(self.data)
            if self._prepared.order is None and score == "auc":
                order = sorted_columns(read_only(self.data.columns), needed=True)
                self._prepared = self._prepared._replace(order=order)
            return self._prepared


def trees_of_rounds(ntrees: int) -> list[int]:
    """How many trees a forest has in each round."""
    fewest = min(ntrees, _FEWEST)
    return [max(fewest, ntrees // KEEP**later) for later in range(ROUNDS - 1, -1, -1)]


def sizes_of_rounds(settings: int) -> list[int]:
    """How many settings there are in each round; the last one has at least two, if there are."""
    return [min(settings, max(2, -(-settings // KEEP**done))) for done in range(ROUNDS)]


def halve(
    search: Search,
    candidates: Sequence[Settings],
    ntrees: int,
    n_jobs: int | None,
    seconds: float | None,
    report: Callable[[int], None],
) -> list[Trial]:
    """All trials, the best first: those with more trees before others.

    ``report`` gets the number of trials that were done. With ``seconds`` no trial begins after so
    many, but R's defaults, which are first, are always tried.
    """
    began = time.monotonic()
    trials: dict[int, Trial] = {}
    waiting = [Trial(settings, 0, float("nan"), None, i) for i, settings in enumerate(candidates)]
    for turn, trees in enumerate(trees_of_rounds(ntrees)):
        end = None
        if seconds is not None:
            end = began + seconds * (_FIRST if turn == 0 else 1.0)
        done = _run(search, waiting, trees, n_jobs, end, report)
        trials |= {trial.number: trial for trial in done}
        # R's defaults stay in the race, as what everything is compared with.
        best = ranked(done)[: sizes_of_rounds(len(trials))[min(turn + 1, ROUNDS - 1)]]
        waiting = sorted({trials[0], *best}, key=lambda trial: trial.number)
    return ranked(list(trials.values()))


def ranked(trials: Sequence[Trial]) -> list[Trial]:
    """The best first: by trees and score; of equal ones the first."""
    return sorted(trials, key=lambda one: (-one.trees, -np.nan_to_num(one.score, nan=-2.0),
                                           one.number))  # fmt: skip


def model_of(trial: Trial) -> Model:
    """The forest of a trial that was made."""
    assert trial.model is not None
    return trial.model


def _run(
    search: Search,
    waiting: Sequence[Trial],
    trees: int,
    n_jobs: int | None,
    end: float | None,
    report: Callable[[int], None],
) -> list[Trial]:
    """Give all trials so many trees, until the time is over."""
    block = len(waiting) if end is None else _BLOCK * count_jobs(n_jobs)
    done: list[Trial] = []
    while len(done) < len(waiting) and (not done or end is None or time.monotonic() < end):
        some = waiting[len(done) : len(done) + block]
        pieces = [lambda trial=trial: (trial, trees) for trial in some]
        done += in_pieces(_try, search, pieces, n_jobs, lambda _: report(1))
    return done


def _try(search: Search, trial: Trial, trees: int) -> Trial:
    if trial.trees == trees:
        return trial
    data, p = search.data, len(search.data.kept)
    settings: dict[str, Any] = {**search.defaults, **trial.settings, "ntrees": trees}
    check_parameters(settings)
    settings |= {"k": min(settings["k"], p), "mtry": min(settings["mtry"], p)}
    used = parameters_in_use(settings, search.columns, p)
    form = read_form(settings, data.classes)
    prepared = search.prepared(settings["feature_score"])
    if trial.model is not None:
        model = extend(trial.model, data, used, form, n_jobs=1, prepared=prepared)
    else:
        model = grow_model(data, used, form, RStream(search.seed), prepared=prepared)
    score = out_of_bag_score(model, data, search.measure)
    return replace(trial, trees=trees, score=score, model=model)


def out_of_bag_score(model: Model, data: TrainingData, measure: str) -> float:
    """How good the out-of-bag votes are, on the rows that have any; NaN if none has."""
    votes = model.out_of_bag_votes(data.columns)
    voted = votes.any(axis=1)
    if not voted.any():
        return float("nan")
    votes, codes = votes[voted], data.codes[voted].astype(np.int64)
    if measure == "accuracy":  # without all the others, which take longer
        return float((winners(votes) == codes).mean())
    return measures(codes, winners(votes), shares(votes))[measure, -1]
