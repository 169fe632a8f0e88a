"""Work in threads: how many run, in which order answers come, what an error stops."""

import os
import pickle
import sys
import threading
import time
import types
import warnings

import joblib
import pytest

from pycdf.support import parallel
from pycdf.support.parallel import Shared, count_jobs, in_bands, in_pieces, in_threads


class Watched:
    """Counts how many calls run at once, and in which threads."""

    def __init__(self):
        self.lock, self.running, self.most, self.threads = threading.Lock(), 0, 0, set()
        self.done = []

    def __call__(self, what):
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
            self.threads.add(threading.get_ident())
        time.sleep(0.01)
        with self.lock:
            self.running -= 1
            self.done.append(what)


def pieces(count):
    return [lambda number=number: (number,) for number in range(count)]


@pytest.mark.parametrize(("n_jobs", "most"), [(1, 1), (None, 1), (2, 2), (9, 6)])
def test_as_many_pieces_at_once_as_asked_for(n_jobs, most):
    watched, told = Watched(), []

    def work(shared, number):
        watched(number)
        return number * 10

    assert in_pieces(work, Shared(1), pieces(6), n_jobs, told.append) == [0, 10, 20, 30, 40, 50]
    assert told == [0, 1, 2, 3, 4, 5]
    assert watched.most <= most
    assert len(watched.threads) <= most
    assert (threading.get_ident() in watched.threads) == (most == 1)
    assert most == 1 or watched.most > 1


@pytest.mark.parametrize(
    ("shape", "n_jobs", "bands", "most"),
    [
        ((6, 2**18), 1, 6, 1),
        ((6, 2**18), 2, 6, 2),
        ((6, 2**20), 2, 6, 2),  # no band is less than a line
        ((6, 2**17), 2, 3, 2),
        ((7, 2**17), 2, 4, 2),
        ((2, 2**18), 2, 2, 2),
        ((6, 3), 2, 1, 1),
        ((2**18, 1), 2, 1, 1),
        ((6, 0), 2, 1, 1),
    ],
)
def test_bands_cover_a_matrix(shape, n_jobs, bands, most):
    watched = Watched()
    in_bands(watched, shape, n_jobs)
    assert len(watched.done) == bands
    covered = [i for band in watched.done for i in range(*band.indices(shape[0]))]
    assert sorted(covered) == list(range(shape[0]))
    assert watched.most <= most
    assert (threading.get_ident() in watched.threads) == (most == 1)


def test_bands_stay_in_one_thread_by_default():
    watched = Watched()
    in_bands(watched, (6, 2**18))
    assert watched.threads == {threading.get_ident()}


def test_bands_stay_in_one_thread_if_the_caller_has_chosen_processes():
    watched = Watched()
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert not in_threads()
        in_bands(watched, (6, 2**18), None)
    assert watched.threads == {threading.get_ident()}


def test_processes_are_used_if_the_caller_has_chosen_them():
    def work(shared, number):
        return os.getpid()

    with joblib.parallel_config(backend="loky"):
        assert os.getpid() not in in_pieces(work, Shared(1), pieces(2), 2)
        assert in_pieces(work, Shared(1), pieces(2), 1) == [os.getpid()] * 2


def test_an_error_stops_the_others():
    shared, begun = Shared(1), []

    def work(shared, number):
        begun.append(number)
        if number == 1:
            raise ZeroDivisionError("piece 1")
        end = time.monotonic() + 30
        while number == 0 and not shared.stopped and time.monotonic() < end:
            time.sleep(0.001)
            if number == 0 and len(begun) > 1:
                return
        time.sleep(0.005)

    before = threading.active_count()
    with pytest.raises(ZeroDivisionError, match=r"^piece 1$"):
        in_pieces(work, shared, pieces(200), 2)
    assert shared.stopped
    assert len(begun) < 100
    assert threading.active_count() == before


def test_without_joblib_there_is_one_job_in_threads(monkeypatch):
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert count_jobs(None) == 2
        monkeypatch.delitem(sys.modules, "joblib")
        assert count_jobs(None) == 1
        assert in_threads()


def test_a_shared_object_says_its_size():
    small, large = Shared(1), Shared(1_000_001)
    assert sys.getsizeof(large) - sys.getsizeof(small) == 1_000_000


def fail_at_first(shared, number, folder, failures):
    """Piece 1 leaves a file for each try, and fails in the first ones."""
    if number == 1:
        tries = len(list(folder.iterdir()))
        (folder / str(tries)).touch()
        if tries < failures:
            raise ZeroDivisionError(f"try {tries + 1}")
    return number * 10


@pytest.mark.endurance
@pytest.mark.parametrize("failures", [2, 3])
def test_a_piece_that_fails_in_a_process_is_tried_three_times(tmp_path, failures):
    three = [lambda number=number: (number, tmp_path, failures) for number in range(3)]
    shared = Shared(1)
    assert not shared.stopped
    with joblib.parallel_config(backend="loky"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        if failures < 3:
            assert in_pieces(fail_at_first, shared, three, 2) == [0, 10, 20]
        else:
            with pytest.raises(ZeroDivisionError, match=r"^try 3$"):
                in_pieces(fail_at_first, shared, three, 2)
    assert shared.stopped == (failures == 3)
    told = [one for one in caught if one.category is RuntimeWarning]
    assert {one.filename for one in told} == {__file__}  # where the work was asked for
    texts = [str(one.message) for one in told]
    assert len(texts) == min(failures, 2)
    for number, text in enumerate(texts, 1):
        begin, end = f"a worker failed (ZeroDivisionError('try {number}')); ", " will be run again."
        assert text.startswith(begin)
        assert text.endswith(("2 pieces of work" + end, "3 pieces of work" + end))


def test_a_shared_object_is_received_once(monkeypatch):
    monkeypatch.delitem(sys.modules, "distributed.worker", raising=False)  # of another test
    one, other = Shared(5), Shared(5)
    sent = pickle.dumps(one)
    first = pickle.loads(sent)
    assert pickle.loads(sent) is first
    assert first.__sizeof__() == one.__sizeof__()
    second = pickle.loads(pickle.dumps(other))
    assert second is not first
    assert pickle.loads(sent) is not first  # only the latest is kept
    assert first._lock.acquire(blocking=False)


def test_an_object_in_a_store_is_fetched_from_there():
    shared = Shared(1)
    shared._stored = (int, "7")
    assert pickle.loads(pickle.dumps(shared)) == 7


def test_a_store_of_another_backend_is_forgotten():
    """Ray or Spark may have been the backend before; with loky, the object itself is sent."""
    shared = Shared(1)
    shared._stored = (int, "7")

    def work(shared, number):
        return type(shared).__name__

    with joblib.parallel_config(backend="loky"):
        assert in_pieces(work, shared, pieces(2), 2) == ["Shared", "Shared"]
    assert shared._stored is None


def wait_for(shared, number, file):
    """Piece 1 says whether the file appears while it is at work."""
    end = time.monotonic() + 10
    while number == 1 and not file.exists() and time.monotonic() < end:
        time.sleep(0.01)
    return file.exists()


def test_processes_report_every_piece_when_it_is_finished(tmp_path):
    file, shared = tmp_path / "piece 0 is done", Shared(1)
    two = [lambda number=number: (number, file) for number in range(2)]
    shared.stopped = True  # by an error of an earlier call
    with joblib.parallel_config(backend="loky"):
        answers = in_pieces(wait_for, shared, two, 2, lambda index: file.touch())
    assert answers[1]
    assert not shared.stopped


class RayBackend: ...


class SparkDistributedBackend: ...


class OtherBackend: ...


def test_ray_and_spark_keep_the_object_in_their_store(monkeypatch):
    class Context:
        @staticmethod
        def broadcast(what):
            return types.SimpleNamespace(value=("broadcast", what))

    session = types.SimpleNamespace(sparkContext=Context)
    active = types.SimpleNamespace(getActiveSession=lambda: session)
    ray = types.SimpleNamespace(get=lambda reference: reference[1], put=lambda what: ("put", what))
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setitem(sys.modules, "pyspark", types.ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.sql", types.SimpleNamespace(SparkSession=active))

    def stored_by(backend):
        monkeypatch.setattr(parallel, "_backend", backend)
        shared = Shared(1)
        parallel._put_once(shared)
        if shared._stored is None:
            return None
        fetch, reference = shared._stored
        return fetch(reference)

    assert isinstance(stored_by(RayBackend), Shared)
    assert stored_by(SparkDistributedBackend)[0] == "broadcast"
    assert stored_by(OtherBackend) is None
    session.sparkContext = None  # Spark Connect
    assert stored_by(SparkDistributedBackend) is None
