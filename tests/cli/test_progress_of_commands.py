"""Commands that take long show how far they are, in a terminal."""

import pytest
from darwin_files import write_darwin
from programs import pycdf_ok

from pycdf.support import progress

ROWS = ("--data", "train.csv", "-y", "Y", "--id", "patient")
TABLE = ("train.csv", "-y", "Y", "--id", "patient", "--seed", 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("progress")
    write_darwin(folder, 40)
    table = (folder / "train.csv", "-y", "Y", "--id", "patient")
    pycdf_ok("train", *table, "--ntrees", 6, "--seed", 1, "-o", folder / "m.cdf")
    return folder


@pytest.fixture
def shown(folder, monkeypatch):
    """What bars are told that are wanted, as if there were a terminal."""
    told = []
    monkeypatch.chdir(folder)
    monkeypatch.setattr(progress, "_has_kernel", lambda: True)

    def keep(bar, done, total, at_work=""):
        if bar._shown:
            told.append((bar._unit, done, total))

    monkeypatch.setattr(progress.ProgressBar, "__call__", keep)
    return told


@pytest.mark.parametrize(
    "command",
    [
        ("train", *TABLE, "--ntrees", 6, "-o", "n.cdf"),
        ("run", "train.csv", "test.csv", *TABLE[1:], "--ntrees", 6),
        ("importance", "m.cdf", *ROWS, "--repeats", 1),
        ("plot", "permutation", "m.cdf", *ROWS, "--repeats", 1, "-o", "p.svg"),
        ("plot", "chance", "m.cdf", *ROWS, "--repeats", 2, "-o", "p.svg"),
        ("plot", "stability", "m.cdf", *ROWS, "--repeats", 2, "-o", "p.svg"),
        ("plot", "parameters", "m.cdf", *ROWS, "--repeats", 1, "-o", "p.svg"),
        ("tune", *TABLE, "--budget", 2, "--nested", 0, "--ntrees", 3),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_it_ends_with_all_that_there_is_to_do(command, shown):
    if command[0] == "plot":
        pytest.importorskip("matplotlib")
    pycdf_ok(*command)
    _, done, total = shown[-1]
    assert 0 < done <= total


def test_cross_validation_counts_the_folds_of_all_repeats(shown):
    pycdf_ok("cv", *TABLE, "--ntrees", 2, "--folds", 2, "--repeats", 2, "-o", "cv.csv")
    assert shown == [("folds", i, 4) for i in range(4)]
