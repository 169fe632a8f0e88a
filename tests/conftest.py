"""Settings that must be made before anything else is imported, and fixtures for several rooms."""

import os
import signal

import pytest

# Without it scikit-learn skips its check that array API dispatch changes nothing.
os.environ["SCIPY_ARRAY_API"] = "1"

# Tests that a shell starts in the background ignore interrupts; some of them send interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers(config):
    """How many processes ``-n auto`` of pyproject.toml starts: one per core for the whole suite.

    Files that are named on the command line run at once, in this process.
    """
    return 0 if config.option.file_or_dir else None


@pytest.fixture
def pictures(request, monkeypatch):
    """Whether a comparison draws its pictures, which take longest: "none" unless a test asks.

    A test asks by ``parametrize("pictures", ["drawn"], indirect=True)``.
    """
    from pycdf.experiment import saving

    if getattr(request, "param", "none") == "none":
        monkeypatch.setattr(saving, "_pictures", lambda *_: [])
