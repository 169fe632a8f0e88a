"""The cache of compiled kernels: never stale, shared by processes and installations, not needed."""

import os
import time
import zipfile
from pathlib import Path

import pytest
from tiny_package import ARITHMETIC, NOTICE, finish, make, run, start


@pytest.fixture
def tiny(tmp_path):
    return make(tmp_path)


def test_first_process_compiles_and_says_so_the_second_fetches_in_silence(tiny):
    cold = run(tiny)
    assert (cold["answer"], cold["fetched"], cold["compiled"]) == (41, 0, 1)
    assert cold["said"] == (
        f"{NOTICE}; each kernel takes some seconds, once (pycdf warmup compiles all of them) ...\n"
    )
    warm = run(tiny)
    assert (warm["answer"], warm["fetched"], warm["compiled"]) == (41, 1, 0)
    assert warm["said"] == ""
    other_type = run(tiny, argument="4.0")  # the user knows already
    assert (other_type["compiled"], other_type["said"]) == (1, "")


def test_quiet(tiny):
    assert run(tiny, PYCDF_QUIET="1")["said"] == ""
    assert run(tiny, argument="4.0", PYCDF_QUIET="0")["said"].count(NOTICE) == 1


def test_a_change_of_an_inner_kernel_is_noticed(tiny):
    assert run(tiny)["answer"] == 41
    tiny.joinpath("kernels", "arithmetic.py").write_text(ARITHMETIC.format(factor=20))
    changed = run(tiny)
    assert changed["answer"] == 81
    assert changed["compiled"] == 1


def test_any_change_inside_the_folder_makes_another_key(tiny):
    names = ("__init__.py", "arithmetic.py", "code_cache.py", "entries.py", "new.py")
    folders = {run(tiny)["folder"]}
    for name in names:
        with tiny.joinpath("kernels", name).open("a") as file:
            file.write("# a word\n")
        folders.add(run(tiny)["folder"])
    assert len(folders) == 1 + len(names)


def test_installations_with_the_same_kernels_share_a_folder(tiny, tmp_path):
    first = run(tiny)
    elsewhere = make(tmp_path, "another environment")
    os.utime(elsewhere / "kernels" / "entries.py", (0, 0))
    second = run(elsewhere)
    assert (second["folder"], second["fetched"], second["compiled"]) == (first["folder"], 1, 0)
    assert (second["answer"], second["said"]) == (41, "")


def test_folders_of_other_keys_stay_as_long_as_they_are_used(tiny):
    plain = run(tiny)
    base = Path(plain["folder"]).parent
    names = [f"pycdf-{number:024x}" for number in range(30)]
    unused, old_layout, foreign = "pycdf-" + "a" * 24, "pycdf-" + "b" * 12, "numba_cache"
    for age, name in enumerate([*names, unused, old_layout, foreign], start=1):
        base.joinpath(name).mkdir()
        days = 91 if name in (unused, old_layout, foreign) else age
        os.utime(base / name, (0, time.time() - 86400 * days))
    checked = run(tiny, NUMBA_BOUNDSCHECK="1")  # a new key
    left = {path.name for path in base.iterdir()}
    newest = {Path(result["folder"]).name for result in (plain, checked)}
    assert left == {*newest, *names[:18], foreign}
    assert run(tiny)["fetched"] == 1


def test_a_folder_in_use_counts_as_used(tiny):
    folder = Path(run(tiny)["folder"])
    os.utime(folder, (0, 0))
    run(tiny)
    now = folder.stat().st_mtime
    assert time.time() - now < 3600
    os.utime(folder, (now - 7200, now - 7200))
    run(tiny)
    assert folder.stat().st_mtime == now - 7200, "once a day is enough"


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


def test_nothing_can_be_written(tiny, tmp_path):
    no_temporary = f"tempfile.tempdir = {str(tmp_path / 'a_file')!r}"
    result = run(tiny, first=no_temporary, **nowhere(tmp_path))
    assert (result["answer"], result["folder"]) == (41, "None")
    assert result["said"] == (
        "pycdf: compiling for this process only: no cache folder is writable ...\n"
    )
    assert not list(tmp_path.rglob("*.kernel"))


def test_the_folder_is_lost_between_import_and_first_call(tiny):
    lose = (
        "import shutil; folder = cache_folder.cache_folder();"
        "shutil.rmtree(folder); folder.write_text('in the way')"
    )
    assert run(tiny, then=lose)["answer"] == 41


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
