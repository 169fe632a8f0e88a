"""A tiny package that compiles and caches as pycdf does, run in processes of its own.

Its kernels folder holds copies of the modules of `pycdf/kernels/` that compile and cache, an entry
in one file, and the inner kernel that it calls in another. Compiling it takes no time.
"""

import json
import os
import shutil
from pathlib import Path

from warm_processes import start_python

import pycdf.kernels

NOTICE = "pycdf: compiling for this machine"
COPIED = (
    "compile.py", "notices.py", "code_cache.py", "cache_files.py", "cache_folder.py",
    "cache_safety.py", "compile_turns.py", "pipeline.py", "linking.py", "lowering.py",
)  # fmt: skip
ENTRIES = """
from tiny.kernels.compile import entry
from tiny.kernels.arithmetic import step

@entry
def run(x):
    return step(x) + 1
"""
ARITHMETIC = """
from tiny.kernels.compile import inner

@inner(inline="never")
def step(x):
    return x * {factor}
"""
REPORT = """
import json, tempfile
{first}
from tiny.kernels import cache_folder
from tiny.kernels.entries import run
{then}
answer = run({argument})
stats = getattr(run, "stats", None)
print(json.dumps({{
    "answer": answer,
    "fetched": sum(stats.cache_hits.values()) if stats else 0,
    "compiled": sum(stats.cache_misses.values()) if stats else 0,
    "folder": str(cache_folder.cache_folder()),
}}))
"""


def make(tmp_path, name="source"):
    """Make the package in a folder of this name; return its path."""
    package = tmp_path / name / "tiny"
    kernels = package / "kernels"
    kernels.mkdir(parents=True)
    for copied in COPIED:
        shutil.copy(Path(pycdf.kernels.__file__).with_name(copied), kernels)
    for folder in (package, kernels):
        folder.joinpath("__init__.py").touch()
    kernels.joinpath("entries.py").write_text(ENTRIES)
    kernels.joinpath("arithmetic.py").write_text(ARITHMETIC.format(factor=10))
    package.joinpath("words.py").write_text("GREETING = 'hello'")
    return package


def variables(tiny, **more):
    """The environment of a process that imports the package, with a home of its own."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "PYTHON", "PYCDF_"))
    }
    home = tiny.parents[1] / "home"
    home.mkdir(exist_ok=True)
    places = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME"), str(home))
    # Python's own .pyc files miss a change of the same length within the same second.
    places["PYTHONDONTWRITEBYTECODE"] = "1"
    return {**inherited, **places, "PYTHONPATH": str(tiny.parent), **more}


def start(tiny, first="", then="", argument="4", **environment):
    """Start a process that imports the package from where it is and calls its entry once."""
    code = REPORT.format(first=first, then=then, argument=argument)
    return start_python(code, variables(tiny, **environment))


def finish(process):
    """What a started process reports, and what it said on stderr."""
    out, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    return json.loads(out) | {"said": said}


def run(tiny, **how):
    """Start a process and wait for its report."""
    return finish(start(tiny, **how))
