"""Successive halving: who goes on, and when the time is over; with trials that take no time."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from same_forest import assert_same_forest

from pycdf import CDFClassifier
from pycdf.explain.many_forests import read_data
from pycdf.support.parallel import Shared
from pycdf.tuning import halving
from pycdf.tuning.halving import Search, Trial, halve, out_of_bag_score, ranked
from pycdf.tuning.space import r_settings


@pytest.fixture
def race(monkeypatch):
    """Run a search whose trials only take time: ``cost`` of their trees, each."""

    def run(count, seconds=None, cost=lambda trees: 0):
        now, begun = [100.0], []

        def try_it(search, trial, trees):
            assert (trial.model is None) == (trees == 9)
            begun.append((trial.number, trees))
            now[0] += cost(trees)
            # the higher the better, but R's defaults, number 0, are the worst
            return replace(trial, trees=trees, score=trial.number / 100, model=object())

        monkeypatch.setattr(halving, "_try", try_it)
        monkeypatch.setattr(halving.time, "monotonic", lambda: now[0])
        told = []
        candidates = [{"depth": number} for number in range(count)]
        trials = halve(Shared(1), candidates, 243, 1, seconds, told.append)
        assert told == [1] * len(begun)
        assert [trial.settings["depth"] for trial in trials] == [one.number for one in trials]
        return trials, [[number for number, had in begun if had == n] for n in (9, 27, 81, 243)]

    return run


def test_a_third_goes_on_to_the_next_round_and_rs_defaults(race):
    trials, rounds = race(30)
    assert rounds == [[*range(30)], [0, *range(20, 30)], [0, *range(26, 30)], [0, 28, 29]]
    assert [trial.number for trial in trials] == [
        29, 28, 0,  # all trees
        27, 26,
        25, 24, 23, 22, 21, 20,
        *range(19, 0, -1),
    ]  # fmt: skip
    assert [trial.trees for trial in trials] == [243] * 3 + [81] * 2 + [27] * 6 + [9] * 19


def test_two_settings_stay_to_the_end(race):
    assert race(2)[1] == [[0, 1]] * 4


def test_half_of_the_time_is_for_the_first_round(race):
    # After 16 seconds the first 15 are over, and after 32 all 30; the last round takes its turn.
    trials, rounds = race(100, 30, lambda trees: {9: 1, 27: 4, 81: 1, 243: 1}[trees])
    assert rounds == [[*range(16)], [0, 10, 11, 12], [0, 11, 12], [0, 11, 12]]
    assert len(trials) == 16


def test_no_trial_begins_when_the_time_is_just_over(race):
    rounds = race(100, 16, lambda trees: 1)[1]
    assert rounds == [[*range(8)], [0, 5, 6, 7], [0, 6, 7], [0, 6, 7]]


def test_rs_defaults_are_tried_in_any_case(race):
    rounds = race(9, 1e-9, lambda trees: 1)[1]
    assert rounds == [[0, 1, 2, 3], *[[0, 2, 3]] * 3]


def test_equal_scores_are_in_the_order_of_the_candidates():
    scores = [-1.0, 0.5, math.nan, 0.5, -1.0]
    trials = [Trial({}, 9, score, None, number) for number, score in enumerate(scores)]
    assert [trial.number for trial in ranked(trials[::-1])] == [1, 3, 0, 4, 2]


def test_rows_without_an_out_of_bag_vote_do_not_count():
    data = SimpleNamespace(columns=None, codes=np.array([0, 1, 1, 0], dtype=np.int32))

    def score(votes, measure="accuracy"):
        model = SimpleNamespace(out_of_bag_votes=lambda columns: np.array(votes))
        return out_of_bag_score(model, data, measure)

    votes = [[2, 1], [0, 0], [0, 3], [1, 2]]
    assert score(votes) == 2 / 3
    assert score(votes, "balanced_accuracy") == 0.75
    assert math.isnan(score([[0, 0]] * 4))


def test_settings_are_held_to_the_columns_that_vary():
    """As CDFClassifier does; the search may have drawn them for more columns."""
    random = np.random.default_rng(3)
    X, y = random.normal(size=(40, 6)), np.arange(40) % 2
    X[:, 2:] = 1.0
    data = read_data(X, y)
    settings = r_settings(6) | {"k": 5, "mtry": 4}
    search = Search(data, 6, "accuracy", 3)
    first = halving._try(search, Trial(settings, 0, math.nan, None, 0), 5)
    more = halving._try(search, first, 9)
    assert (more.trees, more.number, more.settings) == (9, 0, settings)
    fit = CDFClassifier(**settings | {"k": 2, "mtry": 2}, ntrees=9, streams="per_tree", seed=3).fit(
        X, y
    )
    assert_same_forest(fit.model_.forest, more.model.forest)


def test_rows_are_sorted_once_and_only_for_a_score_that_compares_them():
    random = np.random.default_rng(4)
    data = read_data(random.normal(size=(20, 3)), np.arange(20) % 2)
    search = Search(data, 3, "accuracy", 1)
    before = search.prepared("css")
    assert before.order is None
    sorted_ = search.prepared("auc")
    assert sorted_.order.lines.shape == (3, 20)
    assert sorted_.screen is before.screen
    assert search.prepared("auc").order is sorted_.order
    assert search.prepared("css").order is sorted_.order
