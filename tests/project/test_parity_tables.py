"""The pages' tables of parity are those of the runs that are recorded."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "parity_table.py"))

RUN = {
    "date": "2026-01-02",
    "commit": "abc",
    "system": "Debian",
    "versions": {"R": "4.5.0", "ICU": "76.1", "Python": "3.13.5"},
    "packages": {"CDF": {"version": "0.1.0", "path": "/somewhere"}},
    "tests": {"passed": 1234, "failed": 2, "error": 1, "skipped": 0},
    "kinds": {
        "generated forests": {"compared": 1000, "different": 0},
        "generated forests in C order": {"compared": 100, "different": 3},
        "something new": {"compared": 7, "different": 0},
    },
    "hard_branches": {"leaf ties": 4567},
}


@pytest.mark.parametrize("page", TOOL["PAGES"], ids=lambda page: page.name)
def test_tables_are_those_of_the_recorded_runs(page):
    text = page.read_text("utf-8")
    assert TOOL["filled"](text, TOOL["read_runs"]()) == text


def test_a_difference_is_shown_and_no_kind_is_lost():
    table = TOOL["kinds_table"]([RUN])
    assert "| 1,100, **3 different** |" in table
    assert table.splitlines()[-1].endswith("| 7 |")


def test_runs_and_branches():
    assert TOOL["runs_table"]([RUN]).endswith(
        "| 4.5.0 | Debian | 76.1 | 3.13.5 | 1,234 | 3 | 1,107 | 3 | 2026-01-02, abc |"
    )
    assert TOOL["branches_table"]([RUN]).endswith("| leaf ties | 4,567 |")


def test_folders_of_the_machine_are_not_recorded():
    assert TOOL["without_paths"](RUN)["packages"] == {"CDF": "0.1.0"}
