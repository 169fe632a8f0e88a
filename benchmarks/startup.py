"""Start-up: imports, the first call of a later process, the first call ever.

Every number comes from a new process (probe.py), pinned like the workers; the kinds take turns. The
results are the rows of startup.csv (kind, repeat, seconds) and of compile.csv (entry, kernel,
phase, seconds). Byte code is written to a separate folder before anything is measured, so that no
import compiles Python source.
"""

import json
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks.workers import ROOT, environment, pinning

Rows = list[dict[str, object]]


def startup(*, repeats: int, core: int | None) -> tuple[Rows, Rows]:
    """Measure; return the rows of startup.csv and of compile.csv."""
    rows: Rows = []

    def note(kind: str, repeat: int, seconds: float) -> None:
        rows.append({"kind": kind, "repeat": repeat + 1, "seconds": seconds})

    with tempfile.TemporaryDirectory() as bytecode:
        with tempfile.TemporaryDirectory() as kernels:
            _probe("call", core, bytecode, kernels)  # fills both folders
            for repeat in range(repeats):
                for kind in ("dependencies", "package"):
                    answer = _probe(kind, core, bytecode, kernels)
                    note(f"import {kind}", repeat, answer["seconds"])
                answer = _probe("call", core, bytecode, kernels)
                note("first call", repeat, answer["first"])
                note("second call", repeat, answer["second"])
        for repeat in range(max(1, repeats // 3)):
            with tempfile.TemporaryDirectory() as kernels:
                answer = _probe("call", core, bytecode, kernels)
            note("first call ever", repeat, answer["first"])
        with tempfile.TemporaryDirectory() as kernels:
            answer = _probe("compile", core, bytecode, kernels)
    fields = ("entry", "kernel", "phase", "seconds")
    spent = [dict(zip(fields, row, strict=True)) for row in answer["spent"]]
    print("start-up: done", flush=True)
    return rows, spent


def _probe(kind: str, core: int | None, bytecode: str, kernels: str) -> dict[str, Any]:
    fixed = environment(PYTHONPYCACHEPREFIX=bytecode, NUMBA_CACHE_DIR=kernels)
    fixed.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "benchmarks.probe", kind]
    done = subprocess.run(
        command, cwd=ROOT, env=fixed, preexec_fn=pinning(core), check=True, text=True,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
