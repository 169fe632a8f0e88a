"""Settings that must be made before anything else is imported, and fixtures for several rooms."""

import gc
import os
import random
import signal
from itertools import groupby
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Without it scikit-learn skips its check that array API dispatch changes nothing.
os.environ["SCIPY_ARRAY_API"] = "1"

# Tests that a shell starts in the background ignore interrupts; some of them send interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def named_files(config):
    """The files, folders and tests of the command line; `pytest --help` has no list of them."""
    return getattr(config.option, "file_or_dir", None)


def pytest_configure(config):
    """Leave the tests of endurance to ``nox -s endurance``, unless something is chosen by name.

    Whoever names files, or chooses by ``-k`` or ``-m``, gets all of these.
    """
    if not (named_files(config) or config.option.keyword or config.option.markexpr):
        config.option.markexpr = "not endurance"  # xdist hands it on to its processes


def pytest_addoption(parser):
    parser.addoption("--shuffle", metavar="SEED", help="run the tests in a random order")


def pytest_collection_modifyitems(config, items):
    """Shuffle the files, and the tests of each: files stay whole, as their fixtures are."""
    if (seed := config.getoption("shuffle")) is not None:
        order = random.Random(seed)
        files = [list(tests) for _, tests in groupby(items, lambda item: item.path)]
        order.shuffle(files)
        for tests in files:
            order.shuffle(tests)
        items[:] = [test for tests in files for test in tests]


def pytest_collection_finish():
    """Look for garbage among what tests make, not among all that was imported for them.

    There are 350,000 such objects: to go through them again and again takes a tenth of the time.
    """
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers(config):
    """How many processes ``-n auto`` of pyproject.toml starts: one per core for the whole suite.

    Files that are named on the command line run at once, in this process.
    """
    return 0 if named_files(config) else None


@pytest.fixture
def pictures(request, monkeypatch):
    """Whether a comparison draws its pictures, which take longest: "none" unless a test asks.

    A test asks by ``parametrize("pictures", ["drawn"], indirect=True)``.
    """
    from pycdf.experiment import saving

    if getattr(request, "param", "none") == "none":
        monkeypatch.setattr(saving, "_pictures", lambda *_: [])
