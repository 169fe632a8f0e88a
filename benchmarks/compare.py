"""The main comparison: all competitors on the same data, in turn.

The results are the rows of rounds.csv, one per data set, competitor and round. In each round every
competitor trains and predicts once, except R's CDF and the oblique forest, which take seconds and
run only in some rounds. All use the round's number as their seed, so that R and pycdf grow the same
forest and their predictions can be compared.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import data
from benchmarks.workers import Missing, Ran, Worker

WARM_UP_TREES = 10
SLOW = ("r_cdf", "oblique")


def compare(
    datasets: Sequence[str],
    competitors: Sequence[str],
    *,
    rounds: int,
    r_rounds: int,
    ntrees: int,
    core: int | None,
) -> tuple[list[dict[str, object]], dict[str, str], dict[str, str]]:
    """Measure; return the rows, the versions of what ran, and what the others were missing."""
    rows: list[dict[str, object]] = []
    versions: dict[str, str] = {}
    missing: dict[str, str] = {}
    for name in datasets:
        problem = data.load(name)
        workers = []
        # New processes for each data set: memory left by one must not count for the next.
        for competitor in competitors:
            try:
                worker = Worker(competitor, core)
            except Missing as problem_there:
                missing[competitor] = str(problem_there)
                continue
            versions[competitor] = worker.version
            workers.append(worker)
        try:
            rows += _rounds(problem, workers, rounds, r_rounds, ntrees)
        finally:
            for worker in workers:
                worker.close()
    return rows, versions, missing


def _rounds(
    problem: data.Problem, workers: list[Worker], rounds: int, r_rounds: int, ntrees: int
) -> list[dict[str, object]]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        data.write(problem, Path(folder))
        for worker in workers:
            worker.load(Path(folder))
            worker.run(WARM_UP_TREES, 0)
        with_r = spread(rounds, r_rounds)
        for number in range(rounds):
            start = number % max(len(workers), 1)  # so that none always follows the same one
            ran: dict[str, Ran] = {}
            peaks: dict[str, float | None] = {}
            for worker in workers[start:] + workers[:start]:
                if worker.name in SLOW and number not in with_r:
                    continue
                one, peak = worker.run_measuring_memory(ntrees, number + 1)
                ran[worker.name], peaks[worker.name] = one, peak
            for name, one in ran.items():
                rows.append(_row(problem, name, number + 1, one, peaks[name], ran.get("r_cdf")))
        _say(problem, rows)
    return rows


def _row(
    problem: data.Problem, name: str, number: int, ran: Ran, peak: float | None, r_cdf: Ran | None
) -> dict[str, object]:
    beside_r = name == "pycdf" and r_cdf is not None
    return {
        "dataset": problem.name,
        "rows": len(problem.xtrain),
        "columns": problem.xtrain.shape[1],
        "classes": problem.n_classes,
        "test_rows": len(problem.xtest),
        "competitor": name,
        "round": number,
        "seconds": ran.seconds,
        "cpu_seconds": ran.cpu,
        "accuracy": float(np.mean(np.array(ran.predictions) == problem.ytest)),
        "peak_mb": peak,
        "same_as_r": int(ran.predictions == r_cdf.predictions) if beside_r and r_cdf else None,
    }


def spread(rounds: int, some: int) -> set[int]:
    """Whether a round belongs to a given number of rounds, spread evenly over the run."""
    some = min(some, rounds)
    return {number * rounds // some for number in range(some)}


def _say(problem: data.Problem, rows: list[dict[str, object]]) -> None:
    """Print one line per data set during the run."""
    times: dict[str, list[float]] = {}
    for row in rows:
        times.setdefault(str(row["competitor"]), []).append(float(str(row["seconds"])))
    shown = ", ".join(f"{name} {np.median(taken):.4f} s" for name, taken in times.items())
    print(f"{problem.name}: {shown}", flush=True)
