"""One method on one split in a worker, and the loop that hands the work out."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from pycdf.experiment import running, tuning, worker
from pycdf.experiment.data import DataSet
from pycdf.experiment.designs import DEFAULT
from pycdf.experiment.methods import Method
from pycdf.experiment.records import DONE, FAILED, ONE_CLASS, Journal
from pycdf.experiment.rrf import SCRATCH

X = np.arange(40.0).reshape(20, 2)
Y = np.array([*"ab"] * 10)
ONE = DataSet("one", X, Y)


def dummy(seed, **given):
    return DummyClassifier(strategy="prior")


@pytest.fixture
def task(monkeypatch):
    """Makes tasks; nothing is warm yet."""
    monkeypatch.setattr(worker, "_WARM", set())
    with worker.stored([ONE], None) as files:

        def make(method=dummy, split=1, y=Y, name="m"):
            kind = method if isinstance(method, Method) else Method(name, name.upper(), method)
            return worker.Task("one", files["one"], y, None, kind, DEFAULT, split, 7, False)

        yield make


def test_matrices_are_there_while_they_are_needed(tmp_path):
    stale = tmp_path / ".matrices" / "left"
    stale.mkdir(parents=True)
    with worker.stored([ONE], tmp_path) as files:
        assert not stale.exists()
        path = Path(files["one"])
        assert path == tmp_path / ".matrices" / f"{ONE.checksum}.npy"
        assert os.name != "posix" or path.parent.stat().st_mode & 0o777 == 0o700
        assert worker.load_matrix(files["one"]).tolist() == X.tolist()
        assert worker.load_matrix.cache_info().currsize > 0
    assert not path.parent.exists()
    assert worker.load_matrix.cache_info().currsize == 0
    with worker.stored([ONE], tmp_path):
        shutil.rmtree(tmp_path / ".matrices")  # by somebody else: not our problem


def test_a_result_has_measures_and_rounded_times(task, monkeypatch):
    warmed = []
    monkeypatch.setattr(worker, "warm_up", lambda method, *_: warmed.append(method.name))
    record = worker.run(task())
    assert (record.key, record.status) == (("one", "m", 1), DONE)
    assert (record.train, record.test) == (14, 6)
    assert all(round(value, 5) == value for value in record.seconds.values())
    assert record.measures["accuracy"] is not None
    worker.run(task(split=2))
    worker.run(task(name="other"))
    assert warmed == ["m", "other"]  # each method once


def test_what_is_undefined_is_none(task):
    class Bare(DummyClassifier):
        predict_proba = property()

    record = worker.run(task(lambda seed: Bare(strategy="most_frequent")))
    assert record.measures["log_loss"] is None
    late = Method("late", "L", dummy, trains_late=True)
    assert worker.run(task(late)).seconds["predict"] is None


def test_temporary_files_of_methods_are_beside_the_matrix(task):
    seen = []

    def look(seed):
        seen.append(SCRATCH.get())
        raise ValueError("x" * 600)

    one = task(look)
    record = worker.run(one)
    assert {*seen} == {Path(one.matrix).parent}
    assert SCRATCH.get() is None
    assert record.status == FAILED
    assert record.message == "ValueError: " + "x" * 488  # 500 letters
    alone = worker.run(task(y=np.full(20, "a")))
    assert (alone.status, alone.train, alone.test) == (ONE_CLASS, 14, 6)
    assert alone.message.startswith("all 14 training rows are of the class 'a'")


def test_work_is_told_from_what_was_done_before_to_the_end(task):
    told = []
    tasks = [task(split=i) for i in (1, 2, 3)]
    with Journal() as journal:
        running._work(tasks, 5, 1, journal, lambda *words: told.append(words))
        assert len(journal.records) == 3
    assert told[0] == (2, 5, "one, M")
    assert told[-1] == (5, 5, "")
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert len(told) == 6  # when a task is handed out, and when it is done


# ---- tuning --------------------------------------------------------------------------------------


def test_ten_folds_or_as_many_as_there_are_rows_or_groups():
    y = np.array([*"ab"] * 15)
    assert len(tuning.folds(y, 1)) == 10
    assert len(tuning.folds(y[:8], 1)) == 8
    groups = np.repeat(np.arange(15), 2)
    assert len(tuning.folds(y, 1, groups)) == 10
    assert len(tuning.folds(y[:12], 1, groups[:12])) == 6
    parts = tuning.folds(y, 1, groups)
    assert sorted(row for _, left in parts for row in left) == [*range(30)]


def test_groups_of_one_class_are_spread_by_class():
    y = np.repeat([*"ab"], 20)
    groups = np.arange(40) // 2
    for _, left in tuning.folds(y, 3, groups):
        assert sorted(y[left]) == [*"aabb"]


@pytest.mark.parametrize(
    ("parameters", "needed"),
    [({"n_neighbors": 7}, 7), ({"k": 3}, 3), ({"C": 1.0}, 1), ({}, 1), ({"k": None}, 1)],
)
def test_how_many_rows_a_candidate_needs(parameters, needed):
    assert tuning._neighbours(parameters) == needed
