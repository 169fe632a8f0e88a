"""What several cores and a cluster save, and what they cost.

The results are the rows of jobs.csv: kind (fit, predict, or start: a fit of one tree), shape, the
way it ran, round, seconds. One process runs each task in all ways in turn, so that a slow minute
affects all of them: on one core, in as many threads as there are cores, and on a dask cluster of as
many worker processes. Forests grow in the per-tree mode and are the same in all ways, which is
checked. `shipped` counts the bytes that workers got from each other in that call (one of them got
the data from this process), and `back` the bytes of the forest.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import perf_counter
from typing import Any

import joblib
import numpy as np

from benchmarks import data

# Rows, columns, trees of a fit; rows to predict with its forest, if any.
SHAPES = ((121, 450, 1_000, 10_000), (100, 20_000, 500, 0), (2_000, 5_000, 200, 0))
ONE, THREADS, DASK = "one core", "threads", "dask"


def jobs(*, rounds: int, quick: bool = False) -> list[dict[str, object]]:
    """Measure whatever is available: dask and a second core may be missing."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    rows: list[dict[str, object]] = []
    with ExitStack() as stack:
        ways: dict[str, Callable[[], Any]] = {
            ONE: lambda: joblib.parallel_config(backend="threading", n_jobs=1),
            THREADS: lambda: joblib.parallel_config(backend="threading", n_jobs=cores),
        }
        client = stack.enter_context(cluster(cores or 1))
        if client is not None:
            ways[DASK] = lambda: joblib.parallel_config(backend="dask")
        for shape in SHAPES[: 1 if quick else len(SHAPES)]:
            rows += _measure(shape, ways, client, rounds)
    return rows


@contextmanager
def cluster(cores: int) -> Iterator[Any]:
    """A dask cluster of processes on this machine, or None."""
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError:
        print("jobs: dask.distributed is missing; measured without it")
        yield None
        return
    with (
        LocalCluster(
            n_workers=cores, threads_per_worker=1, processes=True, dashboard_address=":0",
            silence_logs=50,
        ) as local,
        Client(local) as client,
    ):  # fmt: skip
        yield client


def _measure(
    shape: tuple[int, int, int, int], ways: dict[str, Callable[[], Any]], client: Any, rounds: int
) -> list[dict[str, object]]:
    from pycdf import CDFClassifier

    n, p, trees, n_new = shape
    X, y = data.generate(n, p, 2)
    new = np.random.default_rng(2).standard_normal((n_new, p))
    names = list(ways)
    rows: list[dict[str, object]] = []
    forests, answers = set(), set()
    for number in range(rounds + 1):  # round 0 loads the kernels, here and on the workers
        start = number % len(names)
        for way in names[start:] + names[:start]:
            with ways[way]():
                model = CDFClassifier(ntrees=trees, seed=1, streams="per_tree")
                _moved(client)
                began = perf_counter()
                model.fit(X, y)
                fitted = perf_counter() - began
                shipped = _moved(client)
                began = perf_counter()
                answer = model.predict(new) if n_new else new
                predicted = perf_counter() - began
            forest = model.model_.forest
            forests.add(hash(b"".join(array.tobytes() for array in forest)))
            answers.add(hash(answer.tobytes()))
            if number == 0:
                continue
            facts = {"rows": n, "columns": p, "trees": trees, "new_rows": 0, "way": way}
            back = sum(array.nbytes for array in forest)
            facts |= {"round": number, "seconds": fitted, "shipped": shipped, "back": back}
            rows.append({"kind": "fit", **facts})
            if way == ONE:
                rows.append({"kind": "start", **facts, "trees": 1, "seconds": _first_tree(X, y)})
            if n_new:
                more = {"new_rows": n_new, "seconds": predicted, "shipped": 0, "back": 0}
                rows.append({"kind": "predict", **facts, **more})
    if len(forests) != 1 or len(answers) != 1:
        raise RuntimeError(f"{n} x {p}: not all ways gave the same forest and predictions.")
    print(f"jobs {n} x {p}, {trees} trees: done", flush=True)
    return rows


def _first_tree(X: Any, y: Any) -> float:
    from pycdf import CDFClassifier

    began = perf_counter()
    CDFClassifier(ntrees=1, seed=1, streams="per_tree", n_jobs=1).fit(X, y)
    return perf_counter() - began


def _moved(client: Any) -> int:
    """Bytes that workers got from each other since the last time."""
    if client is None:
        return 0

    def take(dask_worker: Any) -> int:
        log = dask_worker.transfer_incoming_log
        came = sum(entry["total"] for entry in log)
        log.clear()
        return came

    return sum(client.run(take).values())
