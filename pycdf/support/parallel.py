"""Work in pieces: on one core, on all cores of this machine, or on a cluster through joblib.

In go a function, something large that all its calls share, and the calls; out come the answers, in
order, the same ones for any number of jobs. Kernels release the GIL, so the cores of this machine
are threads, unless the caller has set another backend (``joblib.parallel_config(backend="dask")``).
"""

import secrets
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from pycdf.support.wording import plural

Answer = TypeVar("Answer")
_TRIES = 3
_BAND = 2**18  # cells of a matrix: some milliseconds
_WAIT = 0.1  # seconds: on Windows an interrupt is noticed only between two waits


class Shared:
    """Something large that many calls need: shared by threads, sent to a process once.

    joblib's dask backend sends an argument once, and keeps it there, if the argument can be
    referred to weakly and says that it is large. The others send it with every call: loky and
    multiprocessing map the arrays in it from a file, Ray and Spark take it into a store of theirs
    (:func:`_put_once`), and a process makes one object of all that arrives (:func:`_received`).
    """

    stopped = False  # threads look at it: they cannot be killed when the caller is interrupted
    _where: tuple[Callable[..., Any], Any] | None = None  # what fetches it, if not sent itself
    stays_here: tuple[str, ...] = ("stopped", "_where", "_lock")

    def __init__(self, nbytes: int) -> None:
        self._nbytes = nbytes
        self._name = secrets.token_hex(16)
        self._lock = threading.Lock()

    def __sizeof__(self) -> int:
        return super().__sizeof__() + self._nbytes

    def __reduce__(self) -> Any:
        if self._where is not None:
            fetch, place = self._where
            return fetch, (place,)
        sent = {key: value for key, value in vars(self).items() if key not in self.stays_here}
        return _received, (self._name, type(self), sent)


_held: dict[str, Shared] = {}  # what came last


def _received(name: str, kind: type[Shared], attributes: dict[str, Any]) -> Shared:
    """The object that was sent, or the one that came before under this name."""
    if name in _held:
        return _held[name]
    shared = kind.__new__(kind)
    vars(shared).update(attributes, _lock=threading.Lock())
    _held.clear()
    if "distributed.worker" not in sys.modules:  # dask's workers live long, and hold it themselves
        _held[name] = shared
    return shared


def count_jobs(n_jobs: int | None) -> int:
    """How many calls run at a time: joblib's rules, where None is 1 unless a backend is set."""
    if n_jobs is None and "joblib" not in sys.modules:  # so nobody has set one
        return 1
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def in_threads() -> bool:
    """Whether pieces of work are done in this process."""
    return "joblib" not in sys.modules or _backend_can("supports_sharedmem")


def _backend_can(ability: str) -> bool:
    """What the backend in use says of itself; not all of them say everything."""
    return bool(getattr(_backend(), ability, False))


def _backend() -> Any:
    from joblib.parallel import get_active_backend

    return get_active_backend(prefer="threads")[0]


def _put_once(shared: Shared) -> None:
    """The backends of Ray and Spark send arguments with every call; their stores take them once."""
    shared._where = None
    kind = type(_backend()).__name__
    if kind == "RayBackend":
        import ray

        shared._where = (ray.get, ray.put(shared))
    elif kind == "SparkDistributedBackend":
        from pyspark.sql import SparkSession

        context = getattr(SparkSession.getActiveSession(), "sparkContext", None)
        if context is not None:  # Spark Connect has none
            shared._where = (attrgetter("value"), context.broadcast(shared))


def in_pieces(
    work: Callable[..., Answer],
    shared: Shared,
    pieces: Sequence[Callable[[], tuple[Any, ...]]],
    n_jobs: int | None,
    report: Callable[[int], None] = lambda index: None,
) -> list[Answer]:
    """``work(shared, *piece())`` for each piece; ``report`` is told the index of each answer.

    A piece that is lost with its worker is done again: the work must not depend on when or where.
    """
    answers: list[Any] = [None] * len(pieces)
    left = list(range(len(pieces)))

    def take(index: int, answer: Answer) -> None:
        answers[index] = answer
        left.remove(index)
        report(index)

    jobs = min(count_jobs(n_jobs), len(pieces))
    if jobs == 1 or in_threads():
        calls = [lambda piece=piece: work(shared, *piece()) for piece in pieces]
        _in_threads(calls, jobs, take, lambda: setattr(shared, "stopped", True))
        return answers
    for attempt in range(1, _TRIES + 1):
        try:
            _run(work, shared, pieces, left.copy(), n_jobs, take)
            break
        except Exception as error:
            if attempt == _TRIES:
                raise
            again = plural(len(left), "piece")
            text = f"a worker failed ({error!r:.200}); to be done again: {again} of work."
            warnings.warn(text, RuntimeWarning, stacklevel=2)
    return answers


def in_bands(work: Callable[[slice], None], shape: tuple[int, ...], n_jobs: int | None = 1) -> None:
    """``work(band)`` for slices of a matrix's first dimension, in threads of this process.

    The bands are short, so that an interrupt is noticed in the midst of a large matrix.
    """
    step = max(1, _BAND // max(1, shape[1]))
    calls = [partial(work, slice(i, i + step)) for i in range(0, shape[0], step)]
    alone = n_jobs == 1 or len(calls) < 2 or not in_threads()
    _in_threads(calls, 1 if alone else min(count_jobs(n_jobs), len(calls)))


def _in_threads(
    calls: Sequence[Callable[[], Any]],
    jobs: int,
    take: Callable[[int, Any], None] = lambda index, answer: None,
    stop: Callable[[], None] = lambda: None,
) -> None:
    """All calls, ``jobs`` at a time. joblib would look for answers a hundred times a second only.

    ``stop`` is called when something went wrong: the threads that are at work are waited for.
    """
    if jobs == 1:
        for index, call in enumerate(calls):
            take(index, call())
        return
    from concurrent.futures import ThreadPoolExecutor, wait

    pool = ThreadPoolExecutor(jobs)
    try:
        for index, future in enumerate([pool.submit(call) for call in calls]):
            while not wait([future], _WAIT).done:
                pass
            take(index, future.result())
    except BaseException:
        stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _run(
    work: Callable[..., Answer],
    shared: Shared,
    pieces: Sequence[Callable[[], tuple[Any, ...]]],
    indices: list[int],
    n_jobs: int | None,
    take: Callable[[int, Answer], None],
) -> None:
    from joblib import Parallel, delayed

    # One by one where it can be: what has come is not lost with a worker, and is reported.
    one_by_one = "generator" if _backend_can("supports_return_generator") else "list"
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as=one_by_one, batch_size=1)
    _put_once(shared)
    shared.stopped = False  # joblib works here when one worker is left
    answers = parallel(delayed(work)(shared, *pieces[index]()) for index in indices)
    try:
        for index, answer in zip(indices, answers, strict=True):
            take(index, answer)
    except BaseException:
        shared.stopped = True
        raise
