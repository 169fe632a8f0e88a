"""Cached code is executed: damaged files are compiled again, and those of others never used."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tiny_package import make, run, variables
from warm_processes import start_python

from pycdf.kernels import cache_folder
from pycdf.kernels.cache_safety import distrust_file, distrust_folder
from pycdf.kernels.compile_turns import compiler_turn

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
DAMAGE = """
import json, random
from pathlib import Path
from tiny.kernels.cache_folder import cache_folder
from tiny.kernels.compile import entry
from tiny.kernels.entries import run

def call():
    kernel = entry(run.py_func)
    assert (kernel(4), kernel(0.5)) == (41, 6.0)
    return sum(kernel.stats.cache_misses.values())

def flip(data):
    place = random.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1:]

def truncate(data):
    return data[:random.randrange(len(data))]

random.seed({seed})
call()
assert call() == 0
kernels = sorted(cache_folder().glob("*.kernel"))
others = [path for path in cache_folder().iterdir() if path not in kernels]
assert [path.name for path in sorted(others)] == ["lock", "told"]
compiled = []
for round in range({rounds}):
    path = kernels[round % 2]
    whole = path.read_bytes()
    change = (flip, truncate, lambda data: data + b"x", lambda data: kernels[0].read_bytes())
    damaged = change[0 if round % 8 else round // 8 % 4](whole)
    path.write_bytes(damaged)
    for other in others:
        other.write_bytes(random.randbytes(9))
    compiled.append(call() == (damaged != whole))
    compiled.append(call() == 0)
print(json.dumps(compiled))
"""


@pytest.fixture
def tiny(tmp_path):
    return make(tmp_path)


@pytest.mark.endurance
def test_damaged_files_are_compiled_again_and_written_anew(tiny):
    process = start_python(DAMAGE.format(seed=1, rounds=40), variables(tiny))
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert json.loads(out) == [True] * 80


def test_partial_files_of_killed_processes_are_removed(tiny):
    folder = Path(run(tiny)["folder"])
    old, new = folder / "entries.run-0.kernel.0.part", folder / "entries.run-0.kernel.1.part"
    for path in (old, new):
        path.touch()
    os.utime(old, (0, 0))
    run(tiny, argument="4.0")
    assert (old.exists(), new.exists()) == (False, True)


@POSIX
@pytest.mark.parametrize("setting", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_a_folder_that_others_can_write_to_is_not_used(tiny, tmp_path, setting):
    shared, temporary = tmp_path / "shared", tmp_path / "temporary"
    temporary.mkdir()
    places = {setting: str(shared), "TMPDIR": str(temporary)}
    assert Path(run(tiny, **places)["folder"]).is_relative_to(shared)
    base = shared / "pycdf" if setting == "XDG_CACHE_HOME" else shared
    shared.chmod(0o777)
    instead = run(tiny, **places)
    assert (instead["answer"], instead["fetched"]) == (41, 0)
    assert Path(instead["folder"]).parent == temporary / f"pycdf-{os.getuid()}"
    assert instead["said"].splitlines()[0] == (
        f"pycdf: kernels in {base} are not used, because others can write to {shared} "
        f"(chmod go-w {shared}); NUMBA_CACHE_DIR can name a folder of your own."
    )
    # Nor is the temporary folder, if it is not safe either.
    temporary.chmod(0o777)
    without = run(tiny, **places)
    assert (without["answer"], without["folder"], without["fetched"]) == (41, "None", 0)
    assert without["said"].count("are not used, because others can write to") == 2
    shared.chmod(0o755)
    assert run(tiny, **places)["fetched"] == 1


@POSIX
def test_a_file_that_others_can_write_to_is_not_read(tiny):
    [kernel] = Path(run(tiny)["folder"]).glob("*.kernel")
    kernel.chmod(0o666)
    again = run(tiny)
    assert (again["answer"], again["compiled"]) == (41, 1)
    assert again["said"] == (
        f"pycdf: the kernel in {kernel} is compiled again, because others can write to {kernel} "
        f"(chmod go-w {kernel}).\n"
    )
    mended = run(tiny)
    assert (mended["fetched"], mended["said"]) == (1, "")


@POSIX
def test_folders_are_closed_to_others_whatever_the_umask(tiny):
    folder = Path(run(tiny, first="import os; os.umask(0)")["folder"])
    made = [folder, folder.parent, *folder.glob("*.kernel")]
    assert [path.stat().st_mode & 0o777 for path in made] == [0o755, 0o755, 0o644]
    assert run(tiny)["fetched"] == 1


@POSIX
def test_who_owns_the_folders_and_files(tmp_path):
    mine, link = tmp_path / "mine" / "kernels", tmp_path / "link"
    mine.mkdir(parents=True)
    link.symlink_to(mine.parent)
    assert distrust_folder(mine) is None
    assert distrust_folder(link / "kernels") is None
    assert distrust_folder(tmp_path / "not there") is None
    tmp_path.chmod(0o1777)  # nobody can rename what is mine in it
    assert distrust_folder(mine) is None
    tmp_path.chmod(0o777)  # anybody can
    said = f"others can write to {tmp_path} (chmod go-w {tmp_path})"
    assert distrust_folder(mine) == distrust_folder(link / "kernels") == said
    tmp_path.chmod(0o700)
    mine.chmod(0o1777)  # a sticky folder is fine on the way, but not as the cache
    assert distrust_folder(mine) == f"others can write to {mine} (chmod go-w {mine})"
    state = list(mine.stat())
    state[0], state[4] = 0o100644, os.getuid() + 1
    assert distrust_file(mine, os.stat_result(state)) == f"{mine} belongs to another user"
    for number, expected in ((os.getuid(), None), (0, None)):
        state[4] = number
        assert distrust_file(mine, os.stat_result(state)) is expected


@POSIX
@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root can give away")
@pytest.mark.parametrize("which", ["base", "folder", "file"])
def test_root_does_not_run_what_belongs_to_another_user(tiny, tmp_path, which):
    places = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    folder = Path(run(tiny, **places)["folder"])
    [kernel] = folder.glob("*.kernel")
    given = {"base": folder.parent, "folder": folder, "file": kernel}[which]
    os.chown(given, 12345, 12345)
    result = run(tiny, **places)
    assert (result["answer"], result["fetched"]) == (41, 0)
    assert f"because {given} belongs to another user" in result["said"].splitlines()[0]


@POSIX
@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root can change user")
def test_kernels_that_root_prepared_serve_other_users():
    with tempfile.TemporaryDirectory() as name:
        tiny = make(Path(name))
        prepared = run(tiny, NUMBA_CACHE_DIR=f"{name}/cache")
        Path(name).chmod(0o755)
        Path(name, "temporary").mkdir()
        os.chown(f"{name}/temporary", 12345, 12345)
        # Everything is imported as root: the other user may not be able to read Python itself.
        become = (
            "import os, grp, pwd, secrets, shutil, numba; numba.njit(lambda x: x * 2)(1.5);"
            "os.setgroups([]); os.setgid(12345); os.setuid(12345)"
        )
        places = {"NUMBA_CACHE_DIR": f"{name}/cache", "TMPDIR": f"{name}/temporary"}
        served = run(tiny, first=become, **places)
        assert (served["answer"], served["fetched"], served["compiled"]) == (41, 1, 0)
        assert served["folder"].startswith(f"{name}/temporary/pycdf-12345/")
        more = [run(tiny, first=become, argument="4.0", **places)["compiled"] for _ in range(2)]
        assert more == [1, 0]
        assert prepared["folder"].startswith(f"{name}/cache/")


@pytest.mark.parametrize(
    ("system", "names"),
    [("win32", ["LOCAL/pycdf/Cache"]), ("darwin", ["HOME/Library/Caches/pycdf"]),
     ("linux", ["XDG/pycdf"])],
)  # fmt: skip
def test_every_system_has_its_own_folder_for_caches(system, names, monkeypatch, tmp_path):
    monkeypatch.setattr(cache_folder._config, "CACHE_DIR", "")
    monkeypatch.setenv("HOME", str(tmp_path / "HOME"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "HOME"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "LOCAL"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "XDG"))
    monkeypatch.setattr(cache_folder.sys, "platform", system)
    found = [*cache_folder._bases()]
    assert found[:-1] == [tmp_path / name for name in names]
    assert found[-1].name.startswith("pycdf")  # of temporary files
    monkeypatch.delenv("LOCALAPPDATA")
    assert len([*cache_folder._bases()]) == (1 if system == "win32" else 2)


@POSIX
def test_each_turn_of_compiling_locks_the_folder_and_frees_it(tmp_path):
    ask = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'ab'), fcntl.LOCK_EX | fcntl.LOCK_NB)"

    def is_locked():
        """Another process asks: a process does not notice its own locks."""
        command = [sys.executable, "-c", ask, str(tmp_path / "lock")]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0 or "BlockingIOError" in done.stderr
        return done.returncode != 0

    for _ in range(2):
        with compiler_turn(tmp_path):
            with compiler_turn(tmp_path):  # within a turn there is nothing to wait for
                assert is_locked()
            assert is_locked()
        assert not is_locked()
