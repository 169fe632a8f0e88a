"""How time grows with the numbers of rows, columns and trees.

The results are the rows of scaling.csv: along, size, competitor, round, seconds. The slope of log
time over log size (report.py) is 1 if time is linear. The fixed cost of a call makes it smaller for
small sizes, so the slope of the last decade is also given.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import data
from benchmarks.workers import Missing, Worker

# Along what, the sizes, and for a size: rows, columns, trees.
LADDERS: dict[str, tuple[tuple[int, ...], Callable[[int], tuple[int, int, int]]]] = {
    "rows": ((100, 300, 1_000, 3_000, 10_000, 30_000, 100_000), lambda size: (size, 50, 20)),
    "columns": ((500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000), lambda size: (100, size, 20)),
    "trees": ((50, 100, 200, 500, 1_000, 2_000), lambda size: (100, 2_000, size)),
}
TEST_ROWS = 50


def scaling(
    competitors: Sequence[str], *, rounds: int, core: int | None, quick: bool = False
) -> list[dict[str, object]]:
    """Measure each series of sizes; missing competitors are skipped."""
    rows: list[dict[str, object]] = []
    for along, (sizes, shape) in LADDERS.items():
        for size in sizes[: 3 if quick else len(sizes)]:
            n, p, ntrees = shape(size)
            rows += _measure(along, size, _problem(n, p), ntrees, competitors, rounds, core)
        print(f"scaling along {along}: done", flush=True)
    return rows


def _problem(n: int, p: int) -> data.Problem:
    values, labels = data.generate(n + TEST_ROWS, p, 2)
    return data.Problem("generated", values[:n], labels[:n], values[n:], labels[n:])


def _measure(
    along: str,
    size: int,
    problem: data.Problem,
    ntrees: int,
    competitors: Sequence[str],
    rounds: int,
    core: int | None,
) -> list[dict[str, object]]:
    rows = []
    workers = []
    for name in competitors:
        try:
            workers.append(Worker(name, core))
        except Missing:
            continue
    with tempfile.TemporaryDirectory() as folder:
        data.write(problem, Path(folder))
        for worker in workers:
            worker.load(Path(folder))
            worker.run(1, 0)
        for number in range(rounds):
            for worker in workers:
                seconds = worker.run(ntrees, number + 1).seconds
                rows.append(
                    {
                        "along": along, "size": size, "competitor": worker.name,
                        "round": number + 1, "seconds": seconds,
                    }
                )  # fmt: skip
        for worker in workers:
            worker.close()
    return rows
