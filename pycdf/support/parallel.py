"""Run independent pieces of work on one core, on all cores, or on a cluster through joblib.

Results come back in order and do not depend on the number of jobs. Kernels release the GIL, so work
on this machine runs in threads, unless the caller has chosen another backend
(``joblib.parallel_config(backend="dask")``).
"""

import secrets
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from pycdf.support.threads import run_in_threads
from pycdf.support.wording import plural

Answer = TypeVar("Answer")
_TRIES = 3
_BAND = 2**18  # matrix cells per band: a few milliseconds of work


class Shared:
    """A large object that many calls need: shared among threads, sent to each process once.

    joblib's dask backend sends an argument once and keeps it on the worker if the argument supports
    weak references and reports a large size. Other backends send it with every call: loky and
    multiprocessing memory-map its arrays, Ray and Spark put it into their own object store
    (:func:`_put_once`), and a worker process keeps a single copy (:func:`_received`).

    Subclasses list in ``stays_here`` the attributes that are not sent to other processes.
    """

    stopped = False  # polled by threads, which cannot be killed when the caller is interrupted
    _stored: tuple[Callable[..., Any], Any] | None = None  # how to fetch it from an object store
    stays_here: tuple[str, ...] = ("stopped", "_stored", "_lock")

    def __init__(self, nbytes: int) -> None:
        self._nbytes = nbytes
        self._name = secrets.token_hex(16)
        self._lock = threading.Lock()

    def __sizeof__(self) -> int:
        return super().__sizeof__() + self._nbytes

    def __reduce__(self) -> Any:
        if self._stored is not None:
            fetch, reference = self._stored
            return fetch, (reference,)
        sent = {key: value for key, value in vars(self).items() if key not in self.stays_here}
        return _received, (self._name, type(self), sent)


_latest: dict[str, Shared] = {}  # the most recently received object, by name


def _received(name: str, kind: type[Shared], attributes: dict[str, Any]) -> Shared:
    """Rebuild the object that was sent, or return the copy received earlier under this name."""
    if name in _latest:
        return _latest[name]
    shared = kind.__new__(kind)
    vars(shared).update(attributes, _lock=threading.Lock())
    _latest.clear()
    if "distributed.worker" not in sys.modules:  # dask workers live long and keep it themselves
        _latest[name] = shared
    return shared


def count_jobs(n_jobs: int | None) -> int:
    """How many calls run at once, by joblib's rules: None means 1 unless a backend is set."""
    if n_jobs is None and "joblib" not in sys.modules:  # so no backend can have been set
        return 1
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def in_threads() -> bool:
    """Whether the work runs in threads of this process."""
    return "joblib" not in sys.modules or _backend_can("supports_sharedmem")


def _backend_can(ability: str) -> bool:
    """Whether the active backend declares an ability; one it does not mention counts as False."""
    return bool(getattr(_backend(), ability, False))


def _backend() -> Any:
    from joblib.parallel import get_active_backend

    return get_active_backend(prefer="threads")[0]


def _put_once(shared: Shared) -> None:
    """Put ``shared`` into Ray's or Spark's object store, so that it is not sent with every call."""
    shared._stored = None
    kind = type(_backend()).__name__
    if kind == "RayBackend":
        import ray

        shared._stored = (ray.get, ray.put(shared))
    elif kind == "SparkDistributedBackend":
        from pyspark.sql import SparkSession

        context = getattr(SparkSession.getActiveSession(), "sparkContext", None)
        if context is not None:  # Spark Connect has none
            shared._stored = (attrgetter("value"), context.broadcast(shared))


def in_pieces(
    work: Callable[..., Answer],
    shared: Shared,
    pieces: Sequence[Callable[[], tuple[Any, ...]]],
    n_jobs: int | None,
    report: Callable[[int], None] = lambda index: None,
) -> list[Answer]:
    """Return ``work(shared, *piece())`` for each piece, in order.

    ``report`` is called with the index of each piece as it is finished. A piece that is lost with
    its worker is run again, so the result must not depend on when or where it runs.
    """
    answers: list[Any] = [None] * len(pieces)
    left = list(range(len(pieces)))

    def store(index: int, answer: Answer) -> None:
        answers[index] = answer
        left.remove(index)
        report(index)

    jobs = min(count_jobs(n_jobs), len(pieces))
    if jobs == 1 or in_threads():
        calls = [lambda piece=piece: work(shared, *piece()) for piece in pieces]
        run_in_threads(calls, jobs, store, lambda: setattr(shared, "stopped", True))
        return answers
    for attempt in range(1, _TRIES + 1):
        try:
            _run(work, shared, pieces, left.copy(), n_jobs, store)
            break
        except Exception as error:
            if attempt == _TRIES:
                raise
            again = plural(len(left), "piece")
            text = f"a worker failed ({error!r:.200}); {again} of work will be run again."
            warnings.warn(text, RuntimeWarning, stacklevel=2)
    return answers


def in_bands(work: Callable[[slice], None], shape: tuple[int, ...], n_jobs: int | None = 1) -> None:
    """Call ``work(band)`` for slices of a matrix's first dimension, in threads of this process.

    The bands are short, so that an interrupt takes effect even in the middle of a large matrix.
    """
    step = max(1, _BAND // max(1, shape[1]))
    calls = [partial(work, slice(i, i + step)) for i in range(0, shape[0], step)]
    alone = n_jobs == 1 or len(calls) < 2 or not in_threads()
    run_in_threads(calls, 1 if alone else min(count_jobs(n_jobs), len(calls)))


def _run(
    work: Callable[..., Answer],
    shared: Shared,
    pieces: Sequence[Callable[[], tuple[Any, ...]]],
    indices: list[int],
    n_jobs: int | None,
    store: Callable[[int, Answer], None],
) -> None:
    """Run some of the pieces through joblib's active backend."""
    from joblib import Parallel, delayed

    # One by one where possible: finished results survive the loss of a worker, and are reported.
    one_by_one = "generator" if _backend_can("supports_return_generator") else "list"
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as=one_by_one, batch_size=1)
    _put_once(shared)
    shared.stopped = False  # with one worker left, joblib runs the work in this process
    answers = parallel(delayed(work)(shared, *pieces[index]()) for index in indices)
    try:
        for index, answer in zip(indices, answers, strict=True):
            store(index, answer)
    except BaseException:
        shared.stopped = True
        raise
