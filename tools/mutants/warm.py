"""Mutants in processes that have imported pycdf and the tests already.

Most mutants change the body of a function, so that it is enough to give the functions of a loaded
module their changed code; a module that is not loaded yet is read from the changed copy. Mutants of
what runs while a module is imported need a new process.
"""

import functools
import gc
import json
import os
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from mutants import runner

COLD = 12  # exit code of a mutant that needs a new process
_REPLACED = (FunctionType, functools._lru_cache_wrapper)
_loaded: list[Any] = []


def run_all(
    tasks: list[runner.Task], copies: list[runner.Copy], files: list[str], log: Path
) -> Iterator[tuple[runner.Task, int | None]]:
    """As :func:`runner.run_all`, in a process per copy that has imported these files of tests."""
    by_name = {task.name: task for task in tasks}
    answers = []
    for i, copy in enumerate(copies):
        share = tasks[i :: len(copies)]
        answers.append(runner.lines_of(lambda out, c=copy, s=share: _serve(s, c, files, log, out)))
    for line in chain(*answers):
        name, code = json.loads(line)
        yield by_name.pop(name), code
    yield from ((task, COLD) for task in by_name.values())  # a process has died


def _serve(
    tasks: list[runner.Task], copy: runner.Copy, files: list[str], log: Path, out: int
) -> None:
    runner.redirect(log.with_suffix(f".{copy.folder.name}"))
    runner.import_from(copy, tasks[0].plain if tasks else False)
    pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "-n", "0", *files])
    gc.unfreeze()  # tests/conftest.py freezes what was imported, and frozen objects are not listed
    _loaded.extend(one for one in gc.get_objects() if type(one) in _REPLACED)
    gc.freeze()  # pytest collects garbage for every file, which takes longer than most tests
    for task, code in runner.run_all(tasks, [copy]):
        os.write(out, (json.dumps([task.name, code]) + "\n").encode())


def put_in(file: Path, source: str, changed: str) -> bool:
    """Give all functions of a module their changed code; whether that is possible.

    It is not if no loaded function has the code that was changed: its name may be all that is left
    of it, or it runs while the module is imported.
    """
    path = str(file)
    if not any(getattr(one, "__file__", None) == path for one in list(sys.modules.values())):
        return True
    old, new = _codes(source, path), _codes(changed, path)
    if [_form(code) for code in old] != [_form(code) for code in new]:
        return False
    pairs = dict(zip(old, new, strict=True))
    others = [code for code in old if pairs[code] != code]  # with those around the changed one
    innermost = [code for code in others if not any(part in others for part in code.co_consts)]
    wanted = {code.co_qualname.split(".<locals>")[0] for code in innermost}
    met = set()
    for one in _loaded:
        if isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
        elif one.__code__.co_filename == path:
            if one.__code__ not in pairs:
                return False
            met.add(one.__code__.co_qualname)
            one.__code__ = pairs[one.__code__]
    return wanted <= met


def _codes(source: str, path: str) -> list[CodeType]:
    """The code of every function, the outer before the inner."""
    found: list[CodeType] = []

    def collect(code: CodeType) -> None:
        for one in code.co_consts:
            if isinstance(one, CodeType):
                found.append(one)
                collect(one)

    collect(compile(source, path, "exec", dont_inherit=True))
    return found


def _form(code: CodeType) -> tuple[object, ...]:
    return code.co_qualname, code.co_freevars
