"""Files that commands write: a full disk names the file, and nothing half-written is left."""

import errno
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from darwin_files import write_darwin
from programs import pycdf_ok, pycdf_run, python_run

from pycdf.files.atomic import write_whole

resource = pytest.importorskip("resource")  # Windows has no limits on file sizes
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("output")
    write_darwin(folder, 60)
    pycdf_ok(
        "train", folder / "train.csv", "-y", "Y", "--id", "patient", "-o", folder / "m.cdf",
        "--ntrees", 5, "--seed", 1,
    )  # fmt: skip
    return folder


@contextmanager
def small_files(most):
    """Let this process write no file of more than ``most`` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_names_the_file_and_leaves_the_old_one(tmp_path):
    target = tmp_path / "table.csv"
    target.write_bytes(b"before")
    with small_files(1000), pytest.raises(OSError, match="File too large") as raised:
        write_whole(target, bytes(100_000))
    assert (raised.value.errno, raised.value.filename) == (errno.EFBIG, str(target))
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
    assert target.read_bytes() == b"before"


@needs_full
def test_every_output_file_is_named_when_the_disk_is_full(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    rows = ("--data", "train.csv", "-y", "Y", "--id", "patient")
    commands = [
        ("predict", "m.cdf", "test.csv", "--id", "patient", "-o", "{}.csv"),
        ("importance", "m.cdf", "-o", "{}.csv"),
        ("plot", "confusion", "m.cdf", *rows, "-o", "{}.svg"),
        ("report", "m.cdf", "-o", "{}.html"),
        ("train", "train.csv", "-y", "Y", "--id", "patient", "--ntrees", 2, "-o", "{}.cdf"),
        ("cv", "train.csv", "-y", "Y", "--id", "patient", "--ntrees", 2, "--folds", 2,
         "-o", tmp_path / "cv.csv", "--predictions", "{}.csv"),
    ]  # fmt: skip
    refused = 0
    for command in commands:
        link = tmp_path / f"full{Path(command[-1]).suffix}"
        link.unlink(missing_ok=True)
        link.symlink_to(FULL)
        found = pycdf_run(*command[:-1], link)
        assert found.exit_code == 1, command
        assert found.stderr.splitlines()[-1] == f"pycdf: {link}: No space left on device"
        refused += 1
    assert refused == len(commands)


@pytest.mark.endurance
@needs_full
def test_a_full_disk_behind_stdout(folder):
    with FULL.open("wb") as full:
        found = python_run(
            "-m", "pycdf", "importance", folder / "m.cdf",
            capture_output=False, stdout=full, stderr=subprocess.PIPE,
        )  # fmt: skip
    assert found.returncode == 1
    assert found.stderr.splitlines()[-1] == "pycdf: stdout: No space left on device"


def test_the_pictures_of_a_comparison_are_written_whole(tmp_path):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from pycdf.experiment.pictures import save

    figure = Figure()
    figure.add_subplot().plot(np.arange(50) % 7)
    save(figure, tmp_path / "box.svg")
    before = (tmp_path / "box.svg").read_bytes()
    assert before.startswith(b"<?xml")
    with small_files(1000), pytest.raises(OSError, match="File too large") as raised:
        save(figure, tmp_path / "box.svg")
    assert raised.value.filename == str(tmp_path / "box.svg")
    assert os.listdir(tmp_path) == ["box.svg"]
    assert (tmp_path / "box.svg").read_bytes() == before


def test_without_arguments_the_commands_are_shown():
    shown = pycdf_run()
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout == pycdf_ok("--help").stdout
    assert "  predict " in shown.stdout
