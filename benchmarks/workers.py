"""Competitors as processes with one thread, pinned to one core and driven by lines of text.

A :class:`Worker` loads a problem once and then runs on command. The lines, as tab-separated words:

    ready  versions           the worker's first line; or: missing  what it lacks
    load   folder             answered by: ok
    run    ntrees  seed       answered by: ok  seconds  CPU seconds; predictions in folder/NAME.txt

Memory is read from outside, in the same way for every language: Linux records a process's peak and
allows it to be reset. On other systems memory is not measured.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
R_SIDE = ("r_cdf", "ranger")
# In the order of the tables. Each round starts with the next one.
TITLES = {
    "r_cdf": "R CDF",
    "ranger": "ranger",
    "random_forest": "scikit-learn RandomForest",
    "extra_trees": "scikit-learn ExtraTrees",
    "oblique": "oblique forest",
    "pycdf": "pycdf",
}
# Environment variables that name another Python: treeple needs an older scikit-learn.
PYTHONS = {"oblique": "PYCDF_TREEPLE_PYTHON"}
ONE_THREAD = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS", "R_RANGER_NUM_THREADS",
)  # fmt: skip


class Missing(Exception):
    """A competitor that cannot run here, and why."""


@dataclass(frozen=True)
class Ran:
    """One timed call."""

    seconds: float
    cpu: float
    predictions: list[str]


def environment(**more: str) -> dict[str, str]:
    """The caller's environment with one thread and the locale whose label order pycdf mirrors."""
    fixed = dict.fromkeys(ONE_THREAD, "1") | {"LC_ALL": "C.UTF-8", "PYCDF_QUIET": "1"}
    return os.environ | fixed | more


def choose_core() -> int | None:
    """The last core that we may use (the first ones handle interrupts); None if unknown."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    return max(os.sched_getaffinity(0))


def pinning(core: int | None) -> Callable[[], None] | None:
    """Run first in a new process: pin it to one core."""
    if core is None:
        return None
    return lambda: os.sched_setaffinity(0, {core})


class Worker:
    """A competitor that has data in memory and waits for a command."""

    def __init__(self, name: str, core: int | None) -> None:
        if name in R_SIDE:
            rscript = shutil.which("Rscript")
            if rscript is None:
                raise Missing("R (Rscript was not found)")
            command = [rscript, "--vanilla", str(ROOT / "benchmarks" / "worker.R"), name]
        else:
            python = os.environ.get(PYTHONS.get(name, ""), sys.executable)
            command = [python, "-m", "benchmarks.worker", name]
        self.name = name
        self.folder = Path()
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment(), preexec_fn=pinning(core), text=True,
            encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        state, self.version = self._answer()
        if state == "missing":
            self.close()
            raise Missing(self.version)

    def load(self, folder: Path) -> None:
        """Load a problem into memory."""
        self.folder = folder
        self._ask("load", folder)

    def run(self, ntrees: int, seed: int) -> Ran:
        """Train and predict once."""
        _, seconds, cpu = self._ask("run", ntrees, seed)
        lines = (self.folder / f"{self.name}.txt").read_text(encoding="utf-8").splitlines()
        return Ran(float(seconds), float(cpu), lines)

    def run_measuring_memory(self, ntrees: int, seed: int) -> tuple[Ran, float | None]:
        """The same, with the peak in MB beyond what the process used before the call."""
        held = self._reset_peak()
        ran = self.run(ntrees, seed)
        return ran, None if held is None else self._status("VmHWM") - held

    def close(self) -> None:
        """End the process."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()

    def _ask(self, *words: object) -> list[str]:
        assert self.process.stdin is not None
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> list[str]:
        assert self.process.stdout is not None
        words = self.process.stdout.readline().rstrip("\n").split("\t")
        if words[0] not in ("ready", "missing", "ok"):
            raise RuntimeError(f"{self.name} broke off; what it said is above.")
        return words

    def _reset_peak(self) -> float | None:
        try:
            Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")  # peak := present
        except OSError:
            return None
        return self._status("VmRSS")

    def _status(self, field: str) -> float:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"the system does not tell {field}")
