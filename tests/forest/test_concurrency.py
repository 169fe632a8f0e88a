"""Many threads, a fork, an interrupt: the same bits, and nothing broken afterwards."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from programs import new_process, python_ok
from same_forest import assert_same_forest

from pycdf import CDF, CDFClassifier, RStream, load_darwin
from pycdf.forest import growing

X, Y = load_darwin()
ROWS = X.to_numpy()


def a_fit(seed, streams="r", n_jobs=None):
    return CDF(X, Y, X, ntrees=30, seed=seed, streams=streams, n_jobs=n_jobs)


@pytest.mark.parametrize("streams", ["r", "per_tree"])
def test_many_threads_fit_and_predict_the_same_bits(streams):
    seeds = list(range(6)) * 4
    alone = {seed: a_fit(seed, streams) for seed in set(seeds)}
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda seed: a_fit(seed, streams, n_jobs=2), seeds))
    for seed, fit in zip(seeds, together, strict=True):
        assert_same_forest(fit.forest, alone[seed].forest)
        pd.testing.assert_frame_equal(
            fit.probabilities, alone[seed].probabilities, check_exact=True
        )


def test_many_threads_share_one_fitted_model():
    model = CDFClassifier(ntrees=50, seed=1).fit(X, Y)
    alone = model.predict_proba(X)
    parts = [slice(start, start + 40) for start in range(0, len(X), 10)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda part: model.predict_proba(X[part]), parts))
    for part, found in zip(parts, together, strict=True):
        np.testing.assert_array_equal(alone[part], found)


COLD = """
import sys, threading
from pycdf import CDF, load_darwin
X, y = load_darwin()
found, start = [], threading.Barrier(4)
def work():
    start.wait()
    found.append(CDF(X, y, X, ntrees=3, seed=1).probabilities)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(found) == 4 and all(found[0].equals(other) for other in found)
"""


@pytest.mark.endurance
def test_threads_may_be_the_first_to_call_the_kernels():
    python_ok("-c", COLD, timeout=120)


def test_threads_that_need_the_screen_wait_for_the_one_that_builds_it(monkeypatch):
    built, original = [], growing.build_screen

    def slowly(*arguments):
        built.append(arguments)
        time.sleep(0.2)
        return original(*arguments)

    monkeypatch.setattr(growing, "build_screen", slowly)
    columns, codes = np.random.default_rng(1).normal(size=(3, 8)), np.arange(8, dtype=np.int32) % 2
    shared = growing.SharedTraining(
        columns, columns.std(axis=1), codes, np.arange(2, dtype=np.int32), None,
        rule=growing.Rule(integer=False, ddof=1), depth=3, mnode=2, k=2, mtry=3, bootstrap=True,
        rounding=False,
    )  # fmt: skip
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: shared.training(), range(4)))
    assert len(built) == 1
    assert all(one is found[0] for one in found)


@pytest.mark.parametrize("n_jobs", [1, 2, 5, -1])
def test_prediction_is_the_same_for_any_number_of_jobs(n_jobs):
    model = CDFClassifier(ntrees=30, seed=1).fit(ROWS, Y)
    many = np.tile(ROWS, (8, 1))  # 1,392 rows: several parts
    expected = model.predict_proba(many), model.votes(many), model.apply(many)
    model.set_params(n_jobs=n_jobs)
    for before, after in zip(
        expected,
        (model.predict_proba(many), model.votes(many), model.apply(many)),
        strict=True,
    ):
        np.testing.assert_array_equal(before, after)
    np.testing.assert_array_equal(model.predict(many[:1]), model.predict(many)[:1])


def test_prediction_is_the_same_for_trees_in_parts(monkeypatch):
    from pycdf.forest import voting

    model = CDFClassifier(ntrees=30, seed=1, n_jobs=2).fit(ROWS, Y)
    expected = model.predict_proba(ROWS), model.votes(ROWS), model.apply(ROWS)
    monkeypatch.setattr(voting, "_CALL_VOTES", 7 * 2 * len(ROWS))  # 7 trees for all rows
    found = model.predict_proba(ROWS), model.votes(ROWS), model.apply(ROWS)
    for before, after in zip(expected, found, strict=True):
        np.testing.assert_array_equal(before, after)


def test_prediction_uses_several_threads():
    # that the threads really run side by side, and the forest is not copied for them
    from pycdf.forest import voting

    model = CDFClassifier(ntrees=20, seed=1, n_jobs=3).fit(ROWS, Y)
    seen, met, original = set(), threading.Barrier(3, timeout=30), voting._route_part

    def watched(routes, *rest):
        seen.add((threading.get_ident(), id(routes)))
        met.wait()
        return original(routes, *rest)

    voting._route_part = watched
    try:
        model.predict(np.tile(ROWS, (9, 1))[:1536])  # three parts of 512
    finally:
        voting._route_part = original
    assert len({thread for thread, _ in seen}) == 3
    assert len({forest for _, forest in seen}) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_after_import_and_use_works():
    here = a_fit(3)
    fork = multiprocessing.get_context("fork")
    answers = fork.SimpleQueue()
    child = fork.Process(target=lambda: answers.put(a_fit(3, n_jobs=2).probabilities.to_numpy()))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    np.testing.assert_array_equal(answers.get(), here.probabilities.to_numpy())


LONG = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
import numpy as np
from pycdf import CDFClassifier, RStream, load_darwin
X, y = load_darwin()
streams, n_jobs = sys.argv[1], int(sys.argv[2])
few = dict(ntrees=20, seed=3, streams=streams, n_jobs=n_jobs)
before = CDFClassifier(**few).fit(X, y)
model = CDFClassifier(**few).fit(X, y)
model.set_params(ntrees=2_000_000, warm_start=True)
print("growing", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    stopped = time.monotonic()
    print(stopped, flush=True)
else:
    sys.exit("it was not interrupted")
assert model.model_.forest.n_trees == 20  # the forest is the one before
model.set_params(ntrees=25).fit(X, y)
whole = CDFClassifier(**{**few, "ntrees": 25}).fit(X, y)
for one, other in zip(model.model_.forest, whole.model_.forest):
    np.testing.assert_array_equal(one, other)
print("whole", flush=True)
"""


@pytest.mark.endurance
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize(("streams", "n_jobs"), [("r", 1), ("per_tree", 1), ("per_tree", 2)])
def test_an_interrupt_stops_a_long_fit_within_a_second(streams, n_jobs):
    command = [sys.executable, "-c", LONG, streams, str(n_jobs)]
    assert stopped_after("growing", command) < 1.0


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_in_the_midst_of_a_large_matrix(n_jobs):
    from pycdf.support.parallel import in_bands

    bands = []
    once = threading.Lock()  # a second interrupt would come when this test is over

    def work(band):
        bands.append(band)
        early = threading.current_thread() is not threading.main_thread() and len(bands) < 4
        if not early and once.acquire(blocking=False):
            signal.raise_signal(signal.SIGINT)
        time.sleep(0.01)

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        in_bands(work, (1_000, 2**18), n_jobs)  # a band for each of its lines
    assert len(bands) < 100
    assert threading.active_count() == before


MANY = """
import signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from pycdf import CDFClassifier, load_darwin
X, y = load_darwin()
rows = np.tile(X.to_numpy(), (6, 1))
model = CDFClassifier(ntrees=60_000, depth=2, k=5, mtry=10, seed=3, n_jobs=2).fit(X, y)
before = model.predict(rows[:5])
print("predicting", flush=True)
try:
    while True:
        model.predict(rows)
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
assert threading.active_count() == 1
assert (model.predict(rows[:5]) == before).all()
print("whole", flush=True)
"""


@pytest.mark.endurance
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_an_interrupt_stops_a_prediction_by_many_trees_within_a_second():
    assert stopped_after("predicting", [sys.executable, "-c", MANY]) < 1.0


def stopped_after(ready, command):
    """Seconds from an interrupt, a moment after the line ``ready``, to the next line."""
    process = subprocess.Popen(command, env=new_process(), stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == f"{ready}\n"
    time.sleep(0.4)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    stopped = float(process.stdout.readline())
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out == "whole\n"
    return stopped - sent


@pytest.mark.parametrize(("streams", "n_jobs"), [("r", 1), ("per_tree", 1), ("per_tree", 2)])
def test_trees_are_the_same_if_growing_pauses_at_every_node(monkeypatch, streams, n_jobs):
    from pycdf.forest import growing as growth

    given = {"ntrees": 30, "seed": 3, "depth": 8, "streams": streams, "n_jobs": n_jobs}
    expected = CDFClassifier(**given, oob_score=True).fit(X, Y)
    calls, original = [], growth.grow_trees

    def counted(*arguments):
        calls.append(original(*arguments))
        return calls[-1]

    monkeypatch.setattr(growth, "_CALL_CELLS", 0)
    monkeypatch.setattr(growth, "grow_trees", counted)
    found = CDFClassifier(**given, oob_score=True).fit(X, Y)
    assert_same_forest(found.model_.forest, expected.model_.forest)
    # Each split but the last of a batch is followed by a pause, also in trees that do not fit.
    splits = (found.model_.forest.leaf < 0).sum()
    assert calls.count(growth.PAUSED) >= 0.9 * splits > 100


@pytest.mark.parametrize("cells", [2**26, 0], ids=["between trees", "in the midst of a tree"])
def test_a_stream_after_an_interrupted_fit_stands_at_a_whole_tree(monkeypatch, cells):
    from pycdf.forest import growing as growth

    grown, original = [], growth.grow_trees
    calls = 1 if cells else 40

    def interrupted(training, work, state, *rest):
        if calls == len(grown):
            whole = sum(count for count in grown if count != growth.PAUSED) + work.paused[0]
            stopped.append((whole, work.paused[3]))
            raise KeyboardInterrupt
        grown.append(original(training, work, state, *rest))
        return grown[-1]

    stopped = []
    stream, apart = RStream(4), RStream(4)
    monkeypatch.setattr(growth, "_CALL_CELLS", cells)
    monkeypatch.setattr(growth, "grow_trees", interrupted)
    with pytest.raises(KeyboardInterrupt):
        CDFClassifier(ntrees=100_000, seed=stream).fit(X, Y)
    monkeypatch.undo()
    [(whole, waiting)] = stopped
    assert whole > 0
    assert (waiting > 0) == (cells == 0)
    CDFClassifier(ntrees=int(whole), seed=apart).fit(X, Y)
    np.testing.assert_array_equal(stream.uniform(5), apart.uniform(5))


INTERRUPTED = """
import random, signal, threading, time
from pycdf.support.parallel import in_bands
random.seed(1)
for _ in range(300):
    when, seen, once = random.randrange(1, 900), [], threading.Lock()

    def work(band):
        seen.append(band)
        if len(seen) >= when and once.acquire(blocking=False):
            signal.raise_signal(signal.SIGINT)

    try:
        in_bands(work, (1_000, 2**18), 2)  # a band for each of its lines
        time.sleep(0.01)  # the interrupt may come at the very end
    except KeyboardInterrupt:
        pass
    assert threading.active_count() == 1
"""


@pytest.mark.endurance
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_no_interrupt_leaves_threads_that_wait_for_ever():
    python_ok("-c", INTERRUPTED, timeout=60)
