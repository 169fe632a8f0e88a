"""The changes that `nox -s mutants` makes, and the list of those that no test can notice."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tools"))

from mutants.equivalent import entries, known, known_lines
from mutants.operators import mutants_of

ROOT = Path(__file__).parents[2]
SOURCE = '''"""A module."""
LIMIT = 3


def first(values: list[int], least: int = 0) -> int | None:
    """The docstring stays."""
    with lock:
        check(values)
    for value in values.copy():
        if value > least and not seen(value):
            return value + 1
        if value is None:
            raise ValueError(f"{value + 1} is missing")
        continue
    return None
'''
CHANGED = [
    ("", "constant", "LIMIT = 4"),
    ("first", "constant", "def first(values: list[int], least: int = 1) -> int | None:"),
    ("first", "with dropped", "if True:"),
    ("first", "call dropped", "pass"),
    ("first", "copy dropped", "for value in values:"),
    ("first", "condition negated", "if (not (value > least and not seen(value))):"),
    ("first", "and/or", "if value > least or not seen(value):"),
    ("first", "comparison", "if value >= least and not seen(value):"),
    ("first", "not dropped", "if value > least and (seen(value)):"),
    ("first", "return None", "return None"),
    ("first", "arithmetic", "return value - 1"),
    ("first", "constant", "return value + 2"),
    ("first", "comparison", "if value is not None:"),
    ("first", "raise removed", "pass"),
    ("first", "jump dropped", "pass"),
]


def test_every_kind_of_change():
    found = mutants_of("some.py", SOURCE)
    assert [(one.function, one.operator, one.after) for one in found] == CHANGED
    assert [one.import_time for one in found] == [True, True] + [False] * 13
    assert [list(one.lines) for one in found][4:8] == [[9], [10], [10], [10]]


def test_names_stay_when_lines_are_added_above():
    below = mutants_of("some.py", "import sys\n\n" + SOURCE)
    assert [one.name for one in below] == [one.name for one in mutants_of("some.py", SOURCE)]
    assert len({one.name for one in below}) == len(CHANGED)


def test_mutants_that_cannot_be_noticed_are_there_and_have_reasons():
    listed, lines = entries(), entries("line")
    names, changed = set(), set()
    for file in {one["file"] for one in [*listed, *lines]}:
        for one in mutants_of(file, (ROOT / file).read_text(encoding="utf-8")):
            names.add(one.name)
            changed.add((one.file, one.function, one.before))
    assert len(known()) == len(listed)
    assert {reason for name, reason in known().items() if name not in names} == set()
    assert len(known_lines()) == len(lines)
    assert set(known_lines()) <= changed
    assert [one for one in [*listed, *lines] if len(one["reason"]) < 20] == []
