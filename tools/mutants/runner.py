"""Run tests against mutants: in copies of the package, each mutant in a forked process.

The parent process has imported the large libraries, but not pycdf. A child writes its mutant into
the copy of its worker, which stands first on the path of modules, also for processes that tests
start, and calls pytest with one file of tests after the other until a test fails.
"""

import compileall
import contextlib
import gc
import importlib.util
import io
import os
import py_compile
import re
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

LARGE = (
    "numpy", "pandas", "scipy.stats", "numba", "joblib", "click.testing", "sklearn.ensemble",
    "sklearn.svm", "matplotlib.pyplot", "pyarrow.parquet", "xgboost", "polars",
)  # fmt: skip
KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"
FAILED, NOTHING = 10, 11  # exit codes of a child, beside 0
_MEMORY = 8 << 30  # bytes: a loop that no longer ends must not take all there is
_PATIENCE = 5  # seconds on a busy machine for a second of processor time


def import_large_libraries() -> None:
    """Import what tests will import, but nothing of pycdf."""
    os.environ["SCIPY_ARRAY_API"] = "1"
    os.environ.setdefault("MPLBACKEND", "agg")
    for name in LARGE:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    assert not [name for name in sys.modules if name.split(".")[0] == "pycdf"]
    gc.freeze()  # pytest collects garbage for every file, which takes longer than most tests


class Copy:
    """A copy of the package, for one worker."""

    def __init__(self, package: Path, folder: Path) -> None:
        self.folder = folder
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(package, folder / "pycdf", ignore=ignore)
        # Python then trusts these files without a look at the sources, which are a second old.
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        compileall.compile_dir(str(folder / "pycdf"), quiet=1, invalidation_mode=mode)

    @contextlib.contextmanager
    def changed(self, file: str, source: str) -> Iterator[None]:
        """The copy, with another source for one file."""
        path = self.folder / file
        compiled = Path(importlib.util.cache_from_source(str(path)))
        before, code = path.read_bytes(), compiled.read_bytes()
        compiled.unlink()
        path.write_text(source, encoding="utf-8")
        try:
            yield
        finally:
            path.write_bytes(before)
            compiled.write_bytes(code)


class Chosen:
    """A pytest plugin that keeps the tests that were chosen."""

    def __init__(self, names: set[str]) -> None:
        self.names = {_unescaped(name) for name in names}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[Any]) -> None:
        """Drop the others."""
        kept: dict[bool, list[Any]] = {True: [], False: []}
        for item in items:
            kept[_unescaped(item.nodeid) in self.names].append(item)
        config.hook.pytest_deselected(items=kept[False])
        items[:] = kept[True]


def _unescaped(name: str) -> str:
    """The name of a test: pytest escapes its backslashes once more each time it is collected."""
    return re.sub(r"\\+", r"\\", name)


def run_tests(groups: list[list[str]]) -> int:
    """Exit code: 0 if all passed, one code for a failure, another if no test ran."""
    ran = False
    for names in groups:
        file = names[0].split("::")[0]
        options = ["-x", "-q", "-p", "no:cacheprovider", "-n", "0", "--no-header", "--tb=line"]
        code = pytest.main([*options, file], plugins=[Chosen(set(names))])
        if code == pytest.ExitCode.NO_TESTS_COLLECTED:
            continue
        ran = True
        if code != pytest.ExitCode.OK:
            return FAILED
    return 0 if ran else NOTHING


@dataclass(frozen=True)
class Task:
    """What one forked process does."""

    name: str
    work: Callable[[Copy], int]
    """Returns the exit code."""
    log: Path
    cpu: float
    """Seconds of processor time that it may take."""
    plain: bool = False
    """Whether kernels run as plain Python."""
    change: tuple[str, str] | None = None
    """A file, and its changed source."""


def run_all(tasks: Iterable[Task], copies: list[Copy]) -> Iterator[tuple[Task, int | None]]:
    """Run tasks side by side, one per copy; their exit codes, None if a limit was met."""
    free, waiting = list(copies), iter(tasks)
    running: dict[int, tuple[Task, Copy, float, contextlib.ExitStack]] = {}
    while True:
        while free and (task := next(waiting, None)):
            copy, undo = free.pop(), contextlib.ExitStack()
            if task.change:
                undo.enter_context(copy.changed(*task.change))
            pid = os.fork()
            if pid == 0:
                _be_child(task, copy)
            running[pid] = task, copy, time.monotonic() + _PATIENCE * task.cpu, undo
        if not running:
            return
        time.sleep(0.02)
        for pid, (task, copy, end, undo) in list(running.items()):
            done, status = os.waitpid(pid, os.WNOHANG)
            if not done and time.monotonic() < end:
                continue
            with contextlib.suppress(ProcessLookupError):  # and what its tests left running
                os.killpg(pid, signal.SIGKILL)
            if not done:
                os.waitpid(pid, 0)
            del running[pid]
            undo.close()
            free.append(copy)
            yield task, _exit_code(status) if done else None


def _exit_code(status: int) -> int | None:
    code = os.waitstatus_to_exitcode(status)
    return None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code


def _be_child(task: Task, copy: Copy) -> NoReturn:
    code = 1
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(task.cpu) + 1, int(task.cpu) + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        redirect(task.log)
        import_from(copy, task.plain)
        code = task.work(copy)
    except BaseException as problem:
        print(repr(problem), flush=True)
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(code)


def lines_of(serve: Callable[[int], None]) -> Iterator[str]:
    """Fork a process, now, that writes to a pipe; the lines that it writes."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            serve(theirs)
        finally:
            os._exit(0)
    os.close(theirs)

    def read() -> Iterator[str]:
        with os.fdopen(ours) as lines:
            yield from lines
        os.waitpid(pid, 0)

    return read()


def import_from(copy: Copy, plain: bool) -> None:
    """Let this process, and those that it starts, import pycdf from the copy."""
    if sys.path[0] != str(copy.folder):
        sys.path.insert(0, str(copy.folder))
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    if plain:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        np.seterr(all="ignore")  # as compiled kernels do, also where tests call inner ones
        importlib.import_module("numba").config.reload_config()


def redirect(log: Path) -> None:
    """Write what this process prints to a file."""
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    sys.stdout = sys.stderr = io.TextIOWrapper(os.fdopen(1, "wb", 0, closefd=False))
    signal.signal(signal.SIGINT, signal.default_int_handler)


def judge(code: int | None) -> str:
    """What the exit code of a mutant's tests says."""
    if code is None:
        return TIMEOUT
    return {0: SURVIVED, NOTHING: SURVIVED}.get(code, KILLED)
