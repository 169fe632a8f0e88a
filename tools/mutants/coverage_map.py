"""Which tests run which lines of pycdf, and what each test costs.

The tests of a file run in a process of their own, with a context of coverage for each. What was
found is kept in a file, under hashes of the whole package and of the tests' file with the helpers
that it imports, which may hold its cases.
"""

import ast
import hashlib
import json
import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import coverage


@dataclass
class FileMap:
    """What the tests of one file do."""

    cost: dict[str, float] = field(default_factory=dict)
    """Seconds of processor time of each test that passed, in the order of the file."""
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    """For each file of pycdf and each line the tests that run it."""


class Contexts:
    """A pytest plugin: a context of coverage and the time for every test."""

    def __init__(self, measured: "coverage.Coverage", longest: float | None) -> None:
        self.measured = measured
        self.longest = longest
        self.cost: dict[str, float] = {}
        self._bad: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item):
        self.measured.switch_context(item.nodeid)
        begin = processor_seconds()
        if self.longest:
            signal.signal(signal.SIGPROF, _break_off)
            signal.setitimer(signal.ITIMER_PROF, self.longest)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            if item.nodeid not in self._bad:
                self.cost[item.nodeid] = round(processor_seconds() - begin, 3)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._bad.add(report.nodeid)


def _break_off(*_: object) -> None:
    raise TimeoutError("this test takes too long")


def processor_seconds() -> float:
    """Of this process and of the processes that it has started and that have ended."""
    return sum(os.times()[:4])


def measure(test_file: str, package: Path, longest: float | None = None) -> FileMap:
    """Run the tests of a file under coverage; ``package`` is the folder that holds pycdf.

    Tests that take more than ``longest`` seconds of processor time are broken off.
    """
    import coverage  # here, so that tests of this tool need not have it

    measured = coverage.Coverage(
        data_file=None, source=[str(package / "pycdf")], config_file=False, branch=False
    )
    plugin = Contexts(measured, longest)
    measured.start()
    try:
        pytest.main(["-q", "-p", "no:cacheprovider", "-n", "0", test_file], plugins=[plugin])
    finally:
        measured.stop()
    found = FileMap(cost=plugin.cost)
    data = measured.get_data()
    for path in data.measured_files():
        name = str(Path(path).relative_to(package))
        for line, contexts in data.contexts_by_lineno(path).items():
            tests = [one for one in contexts if one in plugin.cost]
            if tests:
                found.lines.setdefault(name, {})[line] = tests
    return found


def hash_of(*paths: Path) -> str:
    """A hash of files, and of all Python files in folders."""
    digest = hashlib.sha256()
    for path in paths:
        for one in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(one.name.encode() + one.read_bytes())
    return digest.hexdigest()


def with_helpers(test_file: Path, tests: Path) -> list[Path]:
    """A file of tests, the common settings, and the modules beside the tests that they import."""
    found, waiting = {}, [test_file, tests / "conftest.py"]
    while waiting:
        path = waiting.pop()
        if path in found or not path.exists():
            continue
        found[path] = True
        for node in ast.walk(ast.parse(path.read_bytes())):
            match node:
                case ast.Import():
                    names = [one.name for one in node.names]
                case ast.ImportFrom(module=str(name)):
                    names = [name]
                case _:
                    continue
            waiting += [tests / f"{name.split('.')[0]}.py" for name in names]
    return sorted(found)


def load(path: Path) -> FileMap:
    """What :func:`save` has written."""
    content = json.loads(path.read_text())
    lines = {
        file: {int(line): [content["tests"][i] for i in some] for line, some in by_line.items()}
        for file, by_line in content["lines"].items()
    }
    return FileMap(dict(zip(content["tests"], content["cost"], strict=True)), lines)


def save(found: FileMap, path: Path) -> None:
    """Write a map, or nothing if the folder is gone."""
    tests = list(found.cost)
    number = {name: i for i, name in enumerate(tests)}
    lines = {
        file: {line: [number[one] for one in some] for line, some in by_line.items()}
        for file, by_line in found.lines.items()
    }
    text = json.dumps({"tests": tests, "cost": list(found.cost.values()), "lines": lines})
    part = path.with_suffix(f".{time.monotonic_ns()}")
    part.write_text(text)
    part.replace(path)
