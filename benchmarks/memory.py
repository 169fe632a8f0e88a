"""Peak memory of a process during a fit, beyond the data.

The results are the rows of memory.csv, one per shape. The process has already grown a small forest
(what is loaded and compiled once does not count) and holds the training and test rows; the peak is
counted from there. The budget is 3 times the training matrix plus 50 MB. MB are 2^20 bytes.
"""

import tempfile
from pathlib import Path

from benchmarks import data
from benchmarks.workers import Worker

SHAPES = ((121, 450, 500), (71, 12_600, 500), (100_000, 50, 20), (2_000, 20_000, 5))
TIMES, EXTRA_MB = 3, 50
TEST_ROWS = 50


def memory(*, core: int | None, quick: bool = False) -> list[dict[str, object]]:
    """Measure pycdf on each shape; no rows if the system does not report peak memory."""
    rows: list[dict[str, object]] = []
    for n, p, ntrees in SHAPES[: 2 if quick else len(SHAPES)]:
        with tempfile.TemporaryDirectory() as small, tempfile.TemporaryDirectory() as folder:
            values, labels = data.generate(n + TEST_ROWS, p, 2)
            problem = data.Problem("", values[:n], labels[:n], values[n:], labels[n:])
            data.write(problem, Path(folder))
            few = data.Problem("", values[:40, :40], labels[:40], values[n:, :40], labels[n:])
            data.write(few, Path(small))
            del values, problem, few
            worker = Worker("pycdf", core)
            worker.load(Path(small))
            worker.run(10, 0)
            worker.load(Path(folder))
            _, peak = worker.run_measuring_memory(ntrees, 1)
            worker.close()
        if peak is None:
            print("memory: this system does not tell a process's peak; not measured")
            return []
        matrix = n * p * 8 / 2**20
        rows.append(
            {
                "rows": n, "columns": p, "trees": ntrees, "matrix_mb": matrix, "peak_mb": peak,
                "times_matrix": peak / matrix, "budget_mb": TIMES * matrix + EXTRA_MB,
            }
        )  # fmt: skip
        print(f"memory {n} x {p}: matrix {matrix:.1f} MB, peak {peak:.1f} MB", flush=True)
    return rows
