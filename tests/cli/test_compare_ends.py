"""What `pycdf compare` hands to the experiment, and how it ends."""

import re
import signal
import sys
import threading
from types import ModuleType, SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from programs import pycdf_run

from pycdf.cli import run_compare

pytestmark = pytest.mark.usefixtures("pictures")
KNN = ("--methods", "knn", "--quick", "--splits", 2)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(20, 3)), columns=[*"abc"])
    frame.assign(y=["u", "v"] * 10).to_csv(tmp_path / "t.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def experiment(monkeypatch):
    """Instead of the experiment an interrupt; what it was called with."""
    called = {}

    def interrupted(reading, methods, count, seed, **more):
        called.update(more, count=count, seed=seed, methods=[one.name for one in methods])
        called["handler"] = signal.getsignal(signal.SIGTERM)
        raise KeyboardInterrupt

    monkeypatch.setattr(run_compare, "run_experiment", interrupted)
    return called


def test_an_interrupt_says_how_to_go_on(folder, experiment):
    before = signal.getsignal(signal.SIGTERM)
    ended = pycdf_run("compare", "t.csv", *KNN, "--seed", 5, "--jobs", 3, "-o", "out")
    assert ended.exit_code == 130
    told = "pycdf: stopped. Finished fits are saved in out: run the same command to resume."
    assert told in ended.stderr.splitlines()
    assert experiment.pop("handler") is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is before
    design = experiment.pop("design")
    assert (design.stratify, design.groups, design.folds) == (False, None, None)
    assert experiment == {
        "count": 2, "seed": 5, "methods": ["knn"], "quick": True, "n_jobs": 3, "output": "out",
        "progress": True,
    }  # fmt: skip


def test_outside_of_the_main_thread_signals_are_left_alone(folder, experiment):
    ends = []
    thread = threading.Thread(target=lambda: ends.append(pycdf_run("compare", "t.csv", *KNN)))
    thread.start()
    thread.join()
    assert ends[0].exit_code == 130
    assert experiment["handler"] is signal.getsignal(signal.SIGTERM)


def test_a_scheduler_of_dask_gets_the_work(folder, experiment, monkeypatch):
    events = []

    class Context:
        def __init__(self, *arguments, **more):
            self.call = (*arguments, *more.items())

        def __enter__(self):
            events.append(("begin", *self.call))

        def __exit__(self, *_):
            events.append(("end", *self.call))

    dask = ModuleType("distributed")
    dask.Client = Context
    monkeypatch.setitem(sys.modules, "distributed", dask)
    monkeypatch.setattr("joblib.parallel_config", Context)
    ended = pycdf_run("compare", "t.csv", *KNN, "--jobs", 3, "--dask", "tcp://here:1")
    assert ended.exit_code == 130
    assert experiment["n_jobs"] is None
    address, backend = "tcp://here:1", ("backend", "dask")
    assert events == [("begin", address), ("begin", backend), ("end", backend), ("end", address)]


def test_without_dask_it_says_what_to_install(folder, experiment, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    ended = pycdf_run("compare", "t.csv", *KNN, "--dask", "tcp://here:1")
    assert ended.exit_code == 1
    assert ended.stderr.splitlines()[-1] == "pycdf: --dask needs dask: pip install distributed."
    assert experiment == {}


def test_what_is_announced(folder, experiment, monkeypatch):
    monkeypatch.setattr(run_compare, "find_all", lambda _: [method("one"), method("two", "no R")])
    monkeypatch.setattr(run_compare, "with_scaling", lambda methods, _: methods)
    (folder / "old").mkdir()
    (folder / "old" / "records.jsonl").write_text("")
    first = pycdf_run("compare", "t.csv", "--splits", 3, "-o", "new").stderr.splitlines()
    again = pycdf_run("compare", "t.csv", "--splits", 3, "-o", "old").stderr.splitlines()
    assert "pycdf: two is unavailable: no R" in first
    announced = (
        "pycdf: 1 data set x 1 method x 3 splits, tuned by 10-fold cross-validation (--quick skips "
        "it); results go to {} (Ctrl-C keeps finished fits)"
    )
    resuming = "pycdf: resuming: {} already has results, which are not computed again"
    assert announced.format("new") in first
    assert announced.format("old") in again
    assert resuming.format("old") in again
    assert resuming.format("new") not in first


def method(name, missing=None):
    return SimpleNamespace(name=name, unavailable=lambda: missing)


def test_the_last_lines(folder, monkeypatch):
    done = pycdf_run("compare", "t.csv", *KNN, "-o", "out")
    assert done.exit_code == 0
    *_, pictures, files, fits = done.stderr.splitlines()
    assert pictures == "pycdf: no pictures: they need matplotlib (pip install matplotlib)"
    assert files.startswith("pycdf: out: ")
    assert re.fullmatch("pycdf: 2 fits took .* s in total, each on one core", fits)
    headings = [line for line in done.stdout.splitlines() if line and "|" not in line]
    assert headings[:2] == ["Accuracy", "Cohen's kappa"]
