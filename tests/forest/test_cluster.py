"""The same forest and the same answers on joblib's backends: processes, Ray, Spark, dask.

The clusters are real: worker processes on this machine, some of which are killed. What a
worker is sent is counted there. The yardstick is the same call on one core.
"""

import os
import signal
import sys
import threading
import warnings
from collections import Counter

import joblib
import numpy as np
import pytest
from same_forest import assert_same_forest

from pycdf import CDFClassifier
from pycdf.base_r.seeds import tree_seeds
from pycdf.base_r.stream import RStream
from pycdf.forest import growing as growth
from pycdf.forest import voting
from pycdf.forest.arrays import Forest
from pycdf.forest.growing import grow_forest
from pycdf.inputs.transpose import varying_columns
from pycdf.support import parallel

pytestmark = pytest.mark.endurance

ROWS, COLUMNS, TREES = 90, 4_000, 96
N_WORKERS = 3


def problem() -> tuple[np.ndarray, np.ndarray]:
    stream = np.random.default_rng(1)
    codes = np.arange(ROWS) % 3
    values = stream.standard_normal((ROWS, COLUMNS))
    values[:, ::20] += 0.5 * codes[:, np.newaxis]
    return values, codes


X, Y = problem()


def estimator() -> CDFClassifier:
    return CDFClassifier(ntrees=TREES, seed=7, streams="per_tree")


@pytest.fixture(scope="module")
def alone() -> CDFClassifier:
    return estimator().fit(X, Y)


def grow(n_jobs=None, progress=None) -> Forest:
    """What ``estimator().fit(X, Y)`` grows, with somebody who watches."""
    columns = np.ascontiguousarray(X.T)
    spreads, _ = varying_columns(columns, False)
    grown = grow_forest(
        columns, spreads, Y.astype(np.int32), np.arange(3, dtype=np.int32), integer=False, ddof=1,
        bootstrap=True,
        ntrees=TREES, depth=3, mnode=3, k=17, mtry=800, stream=RStream(7), streams="per_tree",
        first_tree=0, n_jobs=n_jobs, keep_inbag=True, progress=progress,
    )  # fmt: skip
    return grown.forest


# ---- this machine ------------------------------------------------------------------------------


# Python warns of forks beside threads, which pytest and joblib have.
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.parametrize("backend", ["threading", "multiprocessing", "loky"])
def test_every_backend_of_this_machine(alone, backend, monkeypatch):
    monkeypatch.setattr(voting, "_WORTH_SENDING", 0)
    told = []
    with joblib.parallel_config(backend=backend, n_jobs=2):
        grown = grow(progress=lambda done, trees: told.append((done, trees)))
        answer = alone.predict_proba(X)
    assert_same_forest(grown, alone.model_.forest)
    assert told[-1] == (TREES, TREES)
    assert np.array_equal(answer, alone.predict_proba(X))


def test_a_process_makes_one_object_of_what_arrives_with_every_piece():
    def visit(shared, number):
        shared.visits = getattr(shared, "visits", 0) + 1
        return os.getpid(), shared.visits

    pieces = [lambda number=number: (number,) for number in range(12)]
    for _ in range(2):  # what comes next is another object
        with joblib.parallel_config(backend="loky", n_jobs=2):
            visits = parallel.in_pieces(visit, parallel.Shared(1), pieces, None)
        by_process = Counter(process for process, _ in visits)
        assert os.getpid() not in by_process
        expected = [(process, 1 + i) for process, n in by_process.items() for i in range(n)]
        assert sorted(visits) == sorted(expected)


def test_a_process_of_this_machine_is_killed(tmp_path):
    flag = tmp_path / "killed"

    def work(shared, number):
        if number == 1 and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    shared = parallel.Shared(1)
    pieces = [lambda number=number: (number,) for number in range(4)]
    with (
        joblib.parallel_config(backend="loky", n_jobs=2),
        pytest.warns(RuntimeWarning, match=r"a worker failed \(TerminatedWorkerError.* of work"),
    ):
        assert parallel.in_pieces(work, shared, pieces, None) == [0, 1, 2, 3]
    assert flag.exists()
    assert not shared.stopped  # else the caller, when it goes on alone, would grow nothing


def test_an_error_of_the_work_itself_ends_it_and_is_shown():
    def fail(shared, number):
        raise ZeroDivisionError(f"piece {number}")

    shared = parallel.Shared(1)
    pieces = [lambda number=number: (number,) for number in range(4)]
    with (
        joblib.parallel_config(backend="loky", n_jobs=2),
        pytest.warns(
            RuntimeWarning, match=r"a worker failed \(ZeroDivisionError.*4 pieces"
        ) as told,
        pytest.raises(ZeroDivisionError, match=r"piece [0-3]"),
    ):
        parallel.in_pieces(fail, shared, pieces, None)
    assert len(told) == 2  # three tries
    assert shared.stopped


# ---- Ray and Spark -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def on_ray():
    ray = pytest.importorskip("ray")
    from ray.util.joblib import register_ray

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Ray's own, of many kinds
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        register_ray()
        yield lambda: joblib.parallel_config(backend="ray", n_jobs=2)
        ray.shutdown()


# These libraries warn of many things; a worker that failed, or notes of pycdf, are no such thing.
ALL_BUT_OURS = ("ignore", "error:a worker failed:RuntimeWarning", "error::pycdf.InputWarning")


def counting_what_is_sent(monkeypatch) -> Counter:
    """How often this process sends the data whole, and how often a reference to them."""
    sent = Counter()
    reduce = parallel.Shared.__reduce__

    def counted(self):
        made = reduce(self)
        sent["whole" if made[0] is parallel._received else "by reference"] += 1
        return made

    monkeypatch.setattr(parallel.Shared, "__reduce__", counted)
    return sent


@pytest.mark.filterwarnings(*ALL_BUT_OURS)
def test_ray_gets_the_data_once(alone, on_ray, monkeypatch):
    sent = counting_what_is_sent(monkeypatch)
    with on_ray():
        grown = grow()
    assert_same_forest(grown, alone.model_.forest)
    assert sent == {"whole": 1, "by reference": 16}


@pytest.mark.filterwarnings(*ALL_BUT_OURS)
def test_a_worker_of_ray_is_killed_in_the_middle(alone, on_ray, monkeypatch, tmp_path):
    sent = counting_what_is_sent(monkeypatch)
    grow_seeds, killed = growth._grow_seeds, tmp_path / "killed"

    def and_kill(ground, seeds, keep_inbag):
        grown = grow_seeds(ground, seeds, keep_inbag)
        if seeds[0] == fifth and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return grown

    fifth = tree_seeds(7, 0, TREES)[4 * TREES // 16]
    monkeypatch.setattr(growth, "_grow_seeds", and_kill)
    told = []
    with on_ray(), pytest.warns(RuntimeWarning, match=r"a worker failed .* 16 pieces of work"):
        grown = grow(progress=lambda done, trees: told.append(done))
    assert killed.exists()
    assert_same_forest(grown, alone.model_.forest)
    assert sent["whole"] == 2  # once more for the second try
    assert told == list(range(6, TREES + 1, 6))  # nothing is counted twice


@pytest.mark.filterwarnings(*ALL_BUT_OURS)
def test_spark_gets_the_data_once(alone, monkeypatch):
    spark = pytest.importorskip("joblibspark")
    from pyspark.sql import SparkSession

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # its workers start anew
    monkeypatch.setattr(voting, "_WORTH_SENDING", 0)
    sent = counting_what_is_sent(monkeypatch)
    session = SparkSession.builder.master("local[2]").getOrCreate()
    try:
        spark.register_spark()
        with joblib.parallel_config(backend="spark", n_jobs=2):
            grown = grow()
            assert sent == {"whole": 1, "by reference": 16}
            answer = alone.predict_proba(X)
            assert sent == {"whole": 2, "by reference": 18}
    finally:
        session.stop()
    assert_same_forest(grown, alone.model_.forest)
    assert np.array_equal(answer, alone.predict_proba(X))


# ---- a cluster ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    import dask

    # The memory manager takes a copy from a worker that has nothing to do at the moment: it may
    # then be sent again. Here every transfer is counted.
    with (
        dask.config.set({"distributed.scheduler.active-memory-manager.start": False}),
        distributed.LocalCluster(
            n_workers=N_WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(watch)
        yield client


def watch() -> None:
    """On a worker: count what arrives, in bytes, too, and the screens that are built for it."""
    from tornado.iostream import IOStream

    from pycdf.forest import growing as growth
    from pycdf.support import parallel

    parallel.arrived = Counter()
    received, build = parallel._received, growth.build_screen

    def counted(name, kind, attributes):
        parallel.arrived[kind.__name__] += 1
        return received(name, kind, attributes)

    def built(*arguments):
        parallel.arrived["screen"] += 1
        return build(*arguments)

    parallel._received, growth.build_screen = counted, built
    read = IOStream.read_from_fd

    def read_and_counted(self, buffer):
        size = read(self, buffer)
        parallel.arrived["bytes"] += size or 0
        return size

    IOStream.read_from_fd = read_and_counted  # all that comes from the network, whoever sends it


def arrivals() -> Counter:
    """On a worker: what was counted since the last time."""
    from pycdf.support import parallel

    arrived, parallel.arrived = parallel.arrived, Counter()
    return arrived


def test_the_same_forest_and_each_worker_is_sent_the_data_once(alone, client, monkeypatch):
    sent = Counter()
    reduce = parallel.Shared.__reduce__

    def counted(self):
        sent[type(self).__name__] += 1
        return reduce(self)

    monkeypatch.setattr(parallel.Shared, "__reduce__", counted)
    client.run(arrivals)
    with joblib.parallel_config(backend="dask"):
        model = estimator().fit(X, Y)
    assert_same_forest(model.model_.forest, alone.model_.forest)
    assert sent == {"SharedTraining": 1}  # by this process; further copies go from worker to worker
    by_worker = client.run(arrivals)
    assert sum(one["SharedTraining"] for one in by_worker.values()) >= 1
    for counts in by_worker.values():
        assert counts["SharedTraining"] <= 1
        assert counts["screen"] == counts["SharedTraining"]
        assert counts["bytes"] < (counts["SharedTraining"] + 0.2) * X.nbytes


def test_prediction_of_many_rows_is_sent_and_of_few_is_not(alone, client, monkeypatch):
    client.run(arrivals)
    with joblib.parallel_config(backend="dask"):
        few = alone.predict_proba(X)
        assert not any(counts["Routes"] for counts in client.run(arrivals).values())
        monkeypatch.setattr(voting, "_WORTH_SENDING", ROWS * TREES)
        many = alone.predict_proba(X)
        nodes = alone.apply(X)
    by_worker = client.run(arrivals).values()
    assert sum(counts["Routes"] for counts in by_worker) >= 1
    assert all(counts["Routes"] <= 2 for counts in by_worker)  # two calls
    assert np.array_equal(few, alone.predict_proba(X))
    assert np.array_equal(many, few)
    assert np.array_equal(nodes, alone.apply(X))


def test_a_fit_inside_a_worker(alone, client):
    """As in a grid search on the cluster: the nested fit uses it, too, and does not block it."""

    def fit_there(values):
        with joblib.parallel_config(backend="dask"):
            return estimator().fit(values, Y).model_.forest

    assert_same_forest(client.submit(fit_there, X).result(timeout=60), alone.model_.forest)


def test_a_worker_is_killed_in_the_middle(alone, client):
    killed = []
    pids = client.run(os.getpid)

    def progress(done, trees):
        if not killed:
            assert done < trees
            holders = [
                address
                for address, keys in client.has_what().items()
                if any(str(key).startswith("SharedTraining") for key in keys)
            ]
            killed.append(holders[0])
            os.kill(pids[holders[0]], signal.SIGKILL)

    with joblib.parallel_config(backend="dask"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # told if nobody else had the data yet
        grown = grow(progress=progress)
    assert len(killed) == 1
    assert_same_forest(grown, alone.model_.forest)


def test_the_only_worker_that_has_the_data_is_killed(alone, client, monkeypatch):
    from distributed import Client

    killed = threading.Event()
    submit = Client.submit

    def and_kill(self, *arguments, **how):
        future = submit(self, *arguments, **how)
        if not killed.is_set():
            killed.set()
            holders = [worker for worker, keys in has_data() if keys]
            assert len(holders) == 1
            os.kill(pids[holders[0]], signal.SIGKILL)
        return future

    def has_data():
        for address, worker in client.cluster.scheduler.workers.items():
            yield (
                address,
                [task for task in worker.has_what if task.key.startswith("SharedTraining")],
            )

    pids = client.run(os.getpid)
    monkeypatch.setattr(Client, "submit", and_kill)
    told = []
    with (
        joblib.parallel_config(backend="dask"),
        pytest.warns(
            RuntimeWarning, match="a worker failed .* [0-9]+ pieces of work will be run again"
        ),
    ):
        grown = grow(progress=lambda done, trees: told.append(done))
    assert killed.is_set()
    assert_same_forest(grown, alone.model_.forest)
    assert told == sorted(set(told))  # nothing is counted twice
    assert told[-1] == TREES
