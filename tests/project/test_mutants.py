"""The changes that `nox -s mutants` makes, and the list of those that no test can notice."""

import importlib
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))

from mutants import __main__ as tool
from mutants import warm
from mutants.coverage_map import FileMap, with_helpers
from mutants.equivalent import entries, known, known_lines
from mutants.operators import mutants_of
from mutants.runner import FAILED, NOTHING, run_tests

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


def test_functions_that_run_at_import_need_a_new_process():
    found = mutants_of("some.py", SOURCE + "\n\nFIRST = [first([1]) for _ in range(2)]\n")
    assert all(one.import_time for one in found)
    later = mutants_of("some.py", SOURCE + "\n\ndef second():\n    return first([1])\n")
    assert sum(one.import_time for one in later) == 2


def test_tests_are_measured_again_when_a_helper_changes(tmp_path):
    (tmp_path / "room").mkdir()
    for name, text in {
        "conftest.py": "import pytest", "cases.py": "import pages", "pages.py": "import cases",
        "other.py": "", "room/test_it.py": "def test():\n    from cases import pytest",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    found = with_helpers(tmp_path / "room" / "test_it.py", tmp_path)
    assert [path.name for path in found] == ["cases.py", "conftest.py", "pages.py", "test_it.py"]


def test_names_stay_when_lines_are_added_above():
    below = mutants_of("some.py", "import sys\n\n" + SOURCE)
    assert [one.name for one in below] == [one.name for one in mutants_of("some.py", SOURCE)]
    assert len({one.name for one in below}) == len(CHANGED)


def test_a_loaded_function_gets_its_changed_code(tmp_path, monkeypatch):
    source = (
        "class Kind:\n    def double(self, x):\n        return 2 * x\n\n\n"
        "def one():\n    return 1\n"
    )
    changed = source.replace("2 * x", "3 * x")
    path = tmp_path / "made_up.py"
    path.write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("made_up")
    monkeypatch.setitem(sys.modules, "made_up", module)
    monkeypatch.setattr(warm, "_loaded", [module.one])
    assert not warm.put_in(path, source, changed), "the function is not among those that are known"
    monkeypatch.setattr(warm, "_loaded", [module.one, module.Kind.double])
    assert warm.put_in(path, source, changed)
    assert module.Kind().double(5) == 15


def test_of_a_constant_those_tests_come_first_that_run_a_line_that_uses_it():
    file = "pycdf/forest/summary.py"
    [mutant] = [
        one for one in mutants_of(file, (ROOT / file).read_text()) if one.after == "_TOP = 6"
    ]
    [line] = tool.lines_with_name_of(mutant)
    name = "tests/cli/test_cli.py::test_describe"
    measured = {
        "tests/forest/test_shares.py": FileMap({"near": 0.1}, {}),
        "tests/cli/test_cli.py": FileMap({name: 5.0, "other": 0.1}, {file: {line: [name]}}),
    }
    assert tool.tests_for(mutant, measured, 20)[0] == [name]
    assert tool.tests_for(mutant, measured, 1) == [["near"], ["other"]]


def test_chosen_tests_run_though_their_names_have_backslashes(tmp_path, monkeypatch):
    path = tmp_path / "test_it.py"
    path.write_text(
        "import pytest\n\n@pytest.mark.parametrize('text', ['\\\\a', 'b'])\ndef test_it(text):\n"
        "    assert text == 'b'\n"
    )
    monkeypatch.chdir(tmp_path)
    assert run_tests([["test_it.py::test_it[b]"]]) == 0
    assert run_tests([["test_it.py::test_it[c]"]]) == NOTHING
    for slashes in (1, 2, 4):
        assert run_tests([[f"test_it.py::test_it[{slashes * chr(92)}a]"]]) == FAILED


@pytest.mark.endurance
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
