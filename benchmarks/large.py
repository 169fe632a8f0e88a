"""`python -m benchmarks.large`: memory of a fit on large data, read from a memory map.

The results are large.csv, with one row per layout of the file, and the block `large` (report.py).
Every figure is from a new process that maps the file read-only. Pages of a mapped file count as its
memory, but the system can drop them at any time, so the peak is given with and without them. The
first number is reported by Linux, the other one is sampled. MB are 2^20 bytes. The files need 2.5
times the size of the matrix on disk.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Literal

import numpy as np

from benchmarks.report import RESULTS
from benchmarks.tables import write_csv
from benchmarks.workers import ROOT, environment

LAYOUTS: dict[str, tuple[str, Literal["C", "F"]]] = {
    "float64, row by row": ("<f8", "C"),
    "float64, column by column": ("<f8", "F"),
    "float32, row by row": ("<f4", "C"),
}
BLOCK = 2_000  # columns that are generated at a time
SAMPLE_SECONDS = 0.02


def make(path: Path, rows: int, columns: int, layout: str) -> np.ndarray:
    """Write a matrix in blocks of columns, the same numbers in every layout; return its classes."""
    kind, order = LAYOUTS[layout]
    stored = np.lib.format.open_memmap(
        path, mode="w+", dtype=kind, shape=(rows, columns), fortran_order=order == "F"
    )
    codes = np.arange(rows) % 3
    for start in range(0, columns, BLOCK):
        block = stored[:, start : start + BLOCK]
        values = np.random.default_rng(start).standard_normal(block.shape, dtype=np.float32)
        values[:, ::20] += np.float32(0.5) * codes[:, np.newaxis]
        block[...] = values
    stored.flush()
    return codes


def measure(path: Path, model: Path, rows: int, trees: int) -> dict[str, object]:
    """Fit from the file, then predict all its rows, each in a new process."""
    fitted = _child("fit", path, model, rows, trees)
    predicted = _child("predict", path, model, rows, trees)
    return {f"fit_{k}": v for k, v in fitted.items()} | {
        f"predict_{k}": v for k, v in predicted.items()
    }


def _child(*words: object) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.large", "--child", *map(str, words)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), check=True, text=True, stdout=subprocess.PIPE
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def child(what: str, path: str, model: str, rows: str, trees: str) -> None:
    """Run in the measured process: imports and kernels first, then only the call."""
    from pycdf import CDFClassifier, load

    how: dict[str, Any] = {"streams": "per_tree", "seed": 1, "n_jobs": -1}
    small = np.random.default_rng(1).standard_normal((40, 40))
    CDFClassifier(ntrees=4, **how).fit(small, np.arange(40) % 3).predict(small)
    X, y = np.load(path, mmap_mode="r"), np.arange(int(rows)) % 3
    held = _status("RssAnon"), _status("VmRSS")
    watch = Watch()
    began, cpu = perf_counter(), process_time()
    if what == "fit":
        estimator = CDFClassifier(ntrees=int(trees), **how).fit(X, y)
    else:
        answer = load(model).set_params(n_jobs=-1).predict(X)
    seconds, cpu = perf_counter() - began, process_time() - cpu
    own = watch.stop() - held[0]
    peak = _status("VmHWM") - held[1]
    if what == "fit":
        forest = estimator.model_.forest
        digest = hashlib.md5(b"".join(array.tobytes() for array in forest)).hexdigest()
        estimator.save(model)
    else:
        digest = hashlib.md5(answer.tobytes()).hexdigest()
    answers = {"seconds": seconds, "cpu": cpu, "own_mb": own, "peak_mb": peak, "digest": digest}
    print(json.dumps(answers))


class Watch:
    """The largest amount of this process's own memory, sampled many times a second."""

    def __init__(self) -> None:
        self.most, self.over = 0.0, threading.Event()
        self.thread = threading.Thread(target=self._look)
        self.thread.start()

    def _look(self) -> None:
        while not self.over.wait(SAMPLE_SECONDS):
            self.most = max(self.most, _status("RssAnon"))

    def stop(self) -> float:
        self.over.set()
        self.thread.join()
        return self.most


def _status(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise SystemExit(f"this system does not tell {field}: nothing can be measured.")


def main() -> None:
    """Measure every layout, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--columns", type=int, default=200_000)
    parser.add_argument("--trees", type=int, default=20)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    parser.add_argument("--child", nargs=5, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        child(*chosen.child)
        return
    rows: list[dict[str, object]] = []
    for layout in LAYOUTS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "X.npy"
            make(path, chosen.rows, chosen.columns, layout)
            figures = measure(path, Path(folder) / "model.cdf", chosen.rows, chosen.trees)
            size = path.stat().st_size / 2**20
        matrix = chosen.rows * chosen.columns * 8 / 2**20
        row = {"layout": layout, "rows": chosen.rows, "columns": chosen.columns}
        row |= {"trees": chosen.trees, "matrix_mb": matrix, "file_mb": size, **figures}
        print(row, flush=True)
        rows.append(row)
    for what in ("fit_digest", "predict_digest"):
        if len({row[what] for row in rows}) != 1:
            raise SystemExit("the layouts did not give the same forest and predictions.")
    write_csv(chosen.out / "large.csv", rows)


if __name__ == "__main__":
    main()
