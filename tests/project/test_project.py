"""The project's own habits: its names agree, hints are safe, and guides name what exists."""

import re
import tomllib
from pathlib import Path

import pytest

import pycdf

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAME = "pycdf-forest"
GUIDES = ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/architecture.md"]
SHIPPED = [
    *sorted((ROOT / "pycdf").rglob("*.py")),
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
]
INSTALL = re.compile(r"pip install ([^\n`&;#]*)")
OTHERS_PYCDF = re.compile(r"""["']?pycdf(?![\w-])""")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# ---- names and versions --------------------------------------------------------------------------


def test_the_distribution_is_not_called_as_another_project_on_pypi():
    assert PROJECT["project"]["name"] == NAME
    assert PROJECT["project"]["scripts"] == {"pycdf": "pycdf.cli.main:main"}
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["pycdf"]


def test_extras_refer_to_the_distribution_by_its_name():
    extras = PROJECT["project"]["optional-dependencies"]
    own = [one for needs in extras.values() for one in needs if one.startswith("pycdf")]
    assert own
    for requirement in own:
        name, listed = re.fullmatch(r"([\w-]+)\[([\w,]+)\]", requirement).groups()
        assert name == NAME
        assert set(listed.split(",")) <= set(extras)


def test_the_version_is_the_same_everywhere():
    assert f"\nversion: {pycdf.__version__}\n" in text_of("CITATION.cff")
    headings = re.findall(r"(?m)^## (\S+)", text_of("CHANGELOG.md"))
    assert next(name for name in headings if name != "Unreleased") == pycdf.__version__


# ---- hints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hint", "safe"),
    [
        ("pip install matplotlib.", True),
        ("pip install -U pycdf-forest.", True),
        ('pip install ".[plot]"', True),
        ("pip install . && python -m pycdf", True),
        ("pip install pycdf", False),
        ("pip install -U pycdf.", False),
        ('pip install "pycdf[plot]"', False),
        ("pip install nox pycdf", False),
    ],
)
def test_what_counts_as_a_safe_hint(hint, safe):
    assert (asked_for(hint) == []) == safe


def asked_for(text: str) -> list[str]:
    """Where a text asks to install `pycdf`, which on PyPI is someone else's."""
    return [what for what in INSTALL.findall(text) if any(map(OTHERS_PYCDF.match, what.split()))]


def test_no_hint_asks_to_install_another_projects_pycdf():
    hints = {path: asked_for(path.read_text(encoding="utf-8")) for path in SHIPPED}
    assert {path.name: lines for path, lines in hints.items() if lines} == {}
    assert sum("pip install" in path.read_text(encoding="utf-8") for path in SHIPPED) > 10


def test_hints_in_messages_name_what_they_are_about():
    needs = re.compile(
        r"[Nn]eeds? (\w+)(?: \(|: )(?:install it with )?\s*pip install (\S+?)[.;)\s]"
    )
    found = [pair for path in SHIPPED for pair in needs.findall(path.read_text(encoding="utf-8"))]
    assert len(found) >= 5
    distributions = {"dask": "distributed"}
    for library, installed in found:
        assert installed.strip("`\"'") == distributions.get(library, library)


# ---- guides --------------------------------------------------------------------------------------


def named_paths(text: str) -> set[str]:
    """Paths in backticks: those with a folder, and files of the root."""
    spans = re.findall(r"`([\w./-]+)`", text)
    folders = {"pycdf", "tests", "parity_tests", "r_reference", "docs", "benchmarks", "tools"}
    return {
        span
        for span in spans
        if (span.partition("/")[0] in {*folders, ".github"} and "/" in span)
        or re.fullmatch(r"[A-Z]+\.(md|cff)|pyproject\.toml|noxfile\.py", span)
    }


@pytest.mark.parametrize("guide", GUIDES)
def test_guides_name_files_that_exist(guide):
    named = named_paths(text_of(guide))
    # The source archive has no workflows.
    there = [
        path for path in named if not path.startswith(".github/") or (ROOT / ".github").exists()
    ]
    assert [path for path in sorted(there) if not (ROOT / path).exists()] == []


def test_the_guides_name_many_files():
    assert len(named_paths(text_of("CONTRIBUTING.md"))) > 30
    assert len(named_paths(text_of("docs/architecture.md"))) > 30


def test_the_map_has_every_room():
    page = text_of("docs/architecture.md")
    rooms = {path.parent.name for path in (ROOT / "pycdf").glob("*/__init__.py")}
    assert {room for room in rooms if f"| `pycdf/{room}/` |" not in page} == set()


def test_the_diagram_names_files_that_exist():
    diagram = re.search(r"(?s)```text\n(.*?)```", text_of("docs/architecture.md"))[1]
    named = set(re.findall(r"[\w/]+\.py\b", diagram))
    assert len(named) > 12
    for path in named:
        assert (ROOT / "pycdf" / path.removeprefix("pycdf/")).exists(), path


@pytest.mark.parametrize("guide", ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_links_of_the_guides_lead_somewhere(guide):
    for target in re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", text_of(guide)):
        assert target.startswith("https://") or (ROOT / target).exists(), target
