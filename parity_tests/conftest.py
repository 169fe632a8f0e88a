"""R for the whole run: without it the run fails, and says how to get it."""

import pytest

from . import bridge
from .tally import TALLY


def pytest_sessionstart(session: pytest.Session) -> None:
    try:
        bridge.start()
    except bridge.RIsMissing as problem:
        pytest.exit(f"The parity suite cannot run. {problem}", returncode=1)


@pytest.fixture(scope="session")
def r() -> bridge.RSession:
    return bridge.start()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TALLY.compared:
        terminalreporter.section("parity with R")
        for line in TALLY.lines(bridge.start().versions()):
            terminalreporter.write_line(line)
