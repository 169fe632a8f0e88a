"""The cache of compiled kernels: never stale, shared by processes, and not needed.

Each test runs a tiny package in processes of its own. Its kernels folder holds a copy of
`pycdf/kernels/compile.py` and `code_cache.py`, an entry in one file, and the inner kernel that it
calls in another.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import pycdf.kernels

NOTICE = "pycdf: compiling for this machine"
KERNELS = """
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
from pathlib import Path
import numba
before = numba.config.CACHE_DIR
{first}
from tiny.kernels import code_cache
from tiny.kernels.entries import run
assert numba.config.CACHE_DIR == before
{then}
answer = run({argument})
stats = getattr(run, "stats", None)
print(json.dumps({{
    "answer": answer,
    "fetched": sum(stats.cache_hits.values()) if stats else 0,
    "compiled": sum(stats.cache_misses.values()) if stats else 0,
    "folder": str(code_cache.cache_folder()),
}}))
"""


@pytest.fixture
def tiny(tmp_path):
    package = tmp_path / "source" / "tiny"
    kernels = package / "kernels"
    kernels.mkdir(parents=True)
    for name in ("compile.py", "code_cache.py"):
        shutil.copy(Path(pycdf.kernels.__file__).with_name(name), kernels)
    for folder in (package, kernels):
        folder.joinpath("__init__.py").touch()
    kernels.joinpath("entries.py").write_text(KERNELS)
    kernels.joinpath("arithmetic.py").write_text(ARITHMETIC.format(factor=10))
    package.joinpath("words.py").write_text("GREETING = 'hello'")
    return package


def start(tiny, first="", then="", argument="4", **environment):
    """Start a process that imports the package from where it is and calls its entry once."""
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
    return subprocess.Popen(
        [sys.executable, "-c", REPORT.format(first=first, then=then, argument=argument)],
        env={**inherited, **places, "PYTHONPATH": str(tiny.parent), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    out, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    return json.loads(out) | {"said": said}


def run(tiny, **how):
    return finish(start(tiny, **how))


def test_first_process_compiles_and_says_so_the_second_fetches_in_silence(tiny):
    cold = run(tiny)
    assert (cold["answer"], cold["fetched"], cold["compiled"]) == (41, 0, 1)
    assert cold["said"] == f"{NOTICE}, once (several seconds) ...\n"
    warm = run(tiny)
    assert (warm["answer"], warm["fetched"], warm["compiled"]) == (41, 1, 0)
    assert warm["said"] == ""
    other_type = run(tiny, argument="4.0")
    assert other_type["compiled"] == 1
    assert other_type["said"] == f"{NOTICE}, once: additional kernels (several seconds) ...\n"
    quiet = run(tiny, argument="True", PYCDF_QUIET="1")
    assert (quiet["compiled"], quiet["said"]) == (1, "")


def test_a_change_of_an_inner_kernel_is_noticed(tiny):
    assert run(tiny)["answer"] == 41
    tiny.joinpath("kernels", "arithmetic.py").write_text(ARITHMETIC.format(factor=20))
    changed = run(tiny)
    assert changed["answer"] == 81
    assert changed["compiled"] == 1
    # Only the present sources' folder stays.
    assert [str(path) for path in Path(changed["folder"]).parent.iterdir()] == [changed["folder"]]


@pytest.mark.parametrize(
    "name", ["__init__.py", "arithmetic.py", "code_cache.py", "compile.py", "entries.py", "new.py"]
)
def test_any_change_inside_the_folder_makes_another_key(tiny, name):
    before = run(tiny)["folder"]
    with tiny.joinpath("kernels", name).open("a") as file:
        file.write("# a word\n")
    assert run(tiny)["folder"] != before


def test_a_change_outside_the_folder_leaves_the_key_alone(tiny):
    before = run(tiny)["folder"]
    tiny.joinpath("words.py").write_text("GREETING = 'good morning'")
    tiny.joinpath("arithmetic.py").write_text("# the name of a file of kernels, in another folder")
    after = run(tiny)
    assert (after["folder"], after["fetched"], after["compiled"]) == (before, 1, 0)


def test_a_setting_that_changes_the_machine_code_is_noticed(tiny):
    plain, checked = run(tiny), run(tiny, NUMBA_BOUNDSCHECK="1")
    assert plain["folder"] != checked["folder"]
    assert checked["compiled"] == 1


def test_numbas_own_setting_says_where(tiny, tmp_path):
    place = tmp_path / "chosen"
    assert Path(run(tiny, NUMBA_CACHE_DIR=str(place))["folder"]).is_relative_to(place)
    assert run(tiny, NUMBA_CACHE_DIR=str(place))["fetched"] == 1


def nowhere(tmp_path):
    """Environment in which the user's cache folder cannot be made (even by root)."""
    file = tmp_path / "a_file"
    file.touch()
    return dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME"), str(file))


def test_without_a_home_the_temporary_folder_serves(tiny, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = nowhere(tmp_path) | {"TMPDIR": str(temporary)}
    assert Path(run(tiny, **environment)["folder"]).is_relative_to(temporary)
    assert run(tiny, **environment)["fetched"] == 1
    if sys.platform != "win32":
        # Others could have put anything there: such a folder is not used.
        next(temporary.iterdir()).chmod(0o777)
        open_to_all = run(tiny, **environment)
        assert (open_to_all["answer"], open_to_all["folder"]) == (41, "None")


def test_nothing_can_be_written(tiny, tmp_path):
    no_temporary = f"tempfile.tempdir = {str(tmp_path / 'a_file')!r}"
    result = run(tiny, first=no_temporary, **nowhere(tmp_path))
    assert (result["answer"], result["folder"]) == (41, "None")
    assert result["said"].count(NOTICE) == 1
    assert not list(tmp_path.rglob("*.nb[ci]"))


def test_the_folder_is_lost_between_import_and_first_call(tiny):
    lose = (
        "import shutil; folder = code_cache.cache_folder();"
        "shutil.rmtree(folder); folder.write_text('in the way')"
    )
    assert run(tiny, then=lose)["answer"] == 41


def test_damaged_files_are_made_anew(tiny):
    folder = Path(run(tiny)["folder"])
    for kept in (*folder.rglob("*.nbi"), *folder.rglob("*.nbc")):
        kept.write_bytes(b"")
    assert run(tiny)["answer"] == 41
    assert run(tiny)["compiled"] == 1
    assert run(tiny)["fetched"] == 1


def test_from_a_zip_file(tiny, tmp_path):
    archive = tmp_path / "tiny.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for source in tiny.rglob("*.py"):
            zipped.write(source, source.relative_to(tiny.parent))
    result = run(tiny, PYTHONPATH=str(archive))
    assert (result["answer"], result["folder"]) == (41, "None")


def test_processes_that_start_together_compile_once(tiny):
    together = [finish(process) for process in [start(tiny) for _ in range(4)]]
    assert [result["answer"] for result in together] == [41] * 4
    assert sum(result["compiled"] for result in together) == 1
    assert sum(result["said"].count(NOTICE) for result in together) == 1


def test_numba_switched_off(tiny):
    result = run(tiny, NUMBA_DISABLE_JIT="1")
    assert (result["answer"], result["said"]) == (41, "")
