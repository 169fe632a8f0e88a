"""The R session of the run, and the summary of what was compared with it.

Without R the run fails and says how to get it. ``PYCDF_COMPARATORS=must`` also makes a missing
package of the experiment a failure; otherwise its tests are skipped, and the summary says so.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from . import bridge, run_facts
from .r_packages import why_missing
from .r_setup import RIsMissing, comparators_wanted
from .tally import TALLY

DIFFERENT = pytest.StashKey[int]()


def pytest_xdist_auto_num_workers() -> int:
    """R is one session, and the summary counts what this process compared."""
    return 0


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "last: looks at what all other tests have counted")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In any order of the tests, those of the whole campaign come after it."""
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


def pytest_sessionstart(session: pytest.Session) -> None:
    try:
        comparators_wanted()
        bridge.start()
    except (RIsMissing, ValueError) as problem:
        pytest.exit(f"The parity suite cannot run. {problem}", returncode=1)


@pytest.fixture(scope="session")
def r() -> bridge.RSession:
    return bridge.start()


@pytest.fixture(scope="session")
def comparator(r: bridge.RSession) -> Callable[[str], None]:
    """Require a package of the experiment: if R lacks it, the test is skipped or fails."""

    def ask(package: str) -> None:
        why = why_missing(r, package)
        if why is None:
            return
        TALLY.not_compared[package] = why
        if comparators_wanted() == "must":
            pytest.fail(f"{package} {why}", pytrace=False)
        pytest.skip(f"not compared: {package} {why}")

    return ask


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Iterator[None]:
    """A failure that is not a counted difference must not vanish from the summary."""
    if call.when == "setup":
        item.stash[DIFFERENT] = TALLY.different.total()
    report = yield
    if report.failed and TALLY.different.total() == item.stash[DIFFERENT]:
        TALLY.failed_otherwise.append(item.nodeid)
    return report


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A run with a counted difference has failed, even where no test noticed."""
    if exitstatus == 0 and TALLY.different.total():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not TALLY.compared:
        return
    outcomes = ("passed", "failed", "error", "skipped")
    tests = {name: len(terminalreporter.stats.get(name, [])) for name in outcomes}
    facts = run_facts.facts(bridge.start()) | {"tests": tests}
    terminalreporter.section("parity with R")
    for line in TALLY.lines(facts):
        terminalreporter.write_line(line)
    path = os.environ.get("PYCDF_PARITY_SUMMARY")
    if path:
        TALLY.write(Path(path), facts)
