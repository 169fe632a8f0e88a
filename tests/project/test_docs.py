"""Every code block of README.md and docs/ runs, and shows what the page says it shows.

A page is read as a user would follow it: its blocks of Python and shell in order, in a folder of
its own, with the files of :data:`USER_FILES` in it. Blocks of R, and those that need an R package
or rpy2, run in parity_tests/test_docs.py. docs/tools/page_blocks.py says how pages are marked up.
"""

import contextlib
import doctest
import importlib
import inspect
import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

import pandas as pd
import pytest
from programs import pycdf_run

import pycdf.plots
from pycdf import RStream, load_darwin
from pycdf.kernels.cache_folder import cache_folder

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

import pictures
from page_blocks import read_blocks, run_python

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = {page.name: read_blocks(page) for page in PAGES}
EVERY_BLOCK = [block for blocks in BLOCKS.values() for block in blocks]
LANGUAGES = {"python", "sh", "r"}
FOR_SPHINX = {"{eval-rst}", "{include} ../CHANGELOG.md"}
IN_PARITY_TESTS = {"rpy2", "reticulate"}
# These would change the machine or run this suite again; .ci/run runs the lines as they stand.
NOT_RUN = re.compile(r"(\w+=\S+ )*(pip|nox|apt-get) ")
# No pipe, redirection or variable: the shell would do nothing but split the words.
ONLY_PYCDF = re.compile(r"pycdf( [\w./,=-]+)+( +#.*)?")
SHOWN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def user_files(folder):
    """What the pages call the reader's files: DARWIN's first columns, with ids and labels."""
    X, y = load_darwin()
    rows = RStream(1).sample(len(X))
    frame = X.iloc[rows, :30].assign(diagnosis=y.iloc[rows])
    frame.insert(0, "patient", [f"p{row}" for row in rows])
    train, new = frame[:120], frame[120:].drop(columns="diagnosis")
    train.to_csv(folder / "train.csv", index=False)
    frame[120:].to_csv(folder / "test.csv", index=False)
    new.to_csv(folder / "new.csv", index=False)
    new.to_csv(folder / "new.csv.gz", index=False)
    # The same with genes in rows, and a row of labels, as expression tables often are.
    for name, part in (("expression.tsv", frame[:120]), ("new_expression.tsv", frame[120:])):
        rows = part.set_index("patient").rename(columns={"diagnosis": "group"})
        rows.columns = [name.replace("x", "gene") for name in rows.columns]
        rows.T.to_csv(folder / name, sep="\t", index_label="gene")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A reader's folder and home, with the programs `pycdf` and `python` at hand."""
    home, work, programs = (tmp_path / name for name in ("home", "work", "programs"))
    for path in (home, work, programs):
        path.mkdir()
    for name, module in (("pycdf", "-m pycdf "), ("python", "")):
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module}"$@"\n')
        script.chmod(0o755)
    user_files(work)
    for name, value in {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOME": home, "USERPROFILE": home,
        "PYCDF_QUIET": 1, "MPLBACKEND": "Agg",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, str(value))
    if compiled := cache_folder():  # the home has moved, the kernels have not
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(compiled.parent))
    monkeypatch.chdir(work)
    return work


def assert_shown(block, got):
    if block.shows is not None:
        checker = doctest.OutputChecker()
        same = checker.check_output(block.shows, got, SHOWN)
        assert same, f"{block.name} shows\n{block.shows}and gives\n{got}"


def run_shell(block):
    """Run a block line by line, as one would type it; the first line that fails ends it.

    A line that only calls `pycdf` runs in this process, which has imported everything already.
    """
    lines = [line for line in block.text.splitlines() if not NOT_RUN.match(line)]
    printed = ""
    for only_pycdf, some in groupby(lines, lambda line: bool(ONLY_PYCDF.fullmatch(line))):
        if only_pycdf:
            for line in some:
                done = pycdf_run(*shlex.split(line, comments=True)[1:])
                assert done.exit_code == 0, f"{block.name}: {line}\n{done.output}"
                printed += done.output
            continue
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join(some)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{block.name}: exit code {done.returncode}\n{done.stdout}"
        printed += done.stdout
    return printed


# They compile users' own functions, compare many classifiers, draw all pictures, start many shells.
LONG_PAGES = {"laboratory.md", "compare.md", "gallery.md", "command-line.md"}


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.endurance] * (page in LONG_PAGES)) for page in BLOCKS],
)
@pytest.mark.usefixtures("folder")
def test_page(page):
    namespace = {"__name__": "__main__"}
    left_out = []
    with pd.option_context("display.width", 100, "display.max_columns", 12):
        for block in BLOCKS[page]:
            if block.not_run or block.needs in IN_PARITY_TESTS or block.language == "r":
                continue
            if block.needs and find_spec(block.needs) is None:
                left_out.append(f"{block.name} needs {block.needs}")
            elif block.language == "python":
                assert_shown(block, run_python(block, namespace))
            elif block.language == "sh" and os.name == "nt":
                left_out.append(f"{block.name} is for a Unix shell")
            elif block.language == "sh":
                assert_shown(block, run_shell(block))
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    if left_out:
        pytest.skip(f"all else ran; {'; '.join(left_out)}")


# ---- nothing is left out -------------------------------------------------------------------------


def test_every_block_is_of_a_kind_that_is_run():
    unknown = [
        f"{block.name}: {block.language or 'no language'}"
        for block in EVERY_BLOCK
        if block.language not in LANGUAGES | FOR_SPHINX and not block.not_run
    ]
    assert unknown == [], "blocks of python, sh and r run; one of text shows what a block gives"
    made = {block.page.name for block in EVERY_BLOCK if block.language in FOR_SPHINX}
    assert made == {"api.md", "changelog.md", "commands.md"}


def test_blocks_that_are_not_run_are_few_and_say_why():
    assert [block.name for block in EVERY_BLOCK if block.not_run and len(block.not_run) < 10] == []
    code = [block for block in EVERY_BLOCK if block.language in LANGUAGES]
    assert sum(block.not_run is not None for block in code) <= 5


def test_no_code_is_hidden_in_indents():
    """Four blanks after an empty line are code in Markdown, too, which nobody would run."""
    for page in PAGES:
        text = re.sub(r"(?ms)^ *```.*?^ *```$|^<!--.*?-->$", "", page.read_text(encoding="utf-8"))
        found = re.search(r"\n\n {4,}\S.*", text)
        assert found is None, f"{page.name}: {found[0]!r}"


# ---- what the pages say besides ------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"(?ms)^ *```.*?^ *```$|`[^`\n]+`", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(there), f"{page.name} links to {target}"


def anchors(page):
    """A page's headings as hosts of code, and the site, name them."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


def test_the_parity_page_names_every_test_against_r():
    text = (ROOT / "docs" / "parity.md").read_text(encoding="utf-8")
    there = {path.name for path in (ROOT / "parity_tests").glob("test_*.py")}
    assert set(re.findall(r"`parity_tests/(test_\w+\.py)`", text)) == there


def test_every_page_is_on_the_site():
    conf = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    names = {page.stem for page in PAGES} - {"README", "index"}
    assert {name for name in names if f'"{name}"' not in conf} == set()


def described():
    """The names in the reference."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    return set(re.findall(r"(?m)^\.\. auto\w+:: ([\w.]+)", text))


@pytest.mark.parametrize(
    "package", [pycdf, pycdf.explain, pycdf.plots], ids=lambda package: package.__name__
)
def test_every_public_name_is_in_the_reference(package):
    names = [name for name in package.__all__ if not inspect.ismodule(getattr(package, name))]
    assert {f"{package.__name__}.{name}" for name in names} - described() == set()


def test_what_the_pages_name_is_there():
    pattern = r"`(pycdf\.explain\.[\w.]+)`|from (pycdf\.explain[\w.]*) import (\w+)"
    named = set()
    for page in PAGES:
        for whole, module, name in re.findall(pattern, page.read_text(encoding="utf-8")):
            named.add(whole or f"{module}.{name}")
    assert len(named) > 5
    assert named - described() == set()
    for name in described():
        module, _, attribute = name.rpartition(".")
        assert getattr(importlib.import_module(module), attribute).__doc__, name


PUBLIC = {
    f"{package.__name__}.{name}": getattr(package, name)
    for package in (pycdf, pycdf.explain, pycdf.plots)
    for name in package.__all__
    if not inspect.ismodule(getattr(package, name))
}
# These are caught or filtered, not called: one line says when they are raised.
EXCEPTIONS = {
    name
    for name, thing in PUBLIC.items()
    if inspect.isclass(thing) and issubclass(thing, Exception)
}


def public_methods(thing):
    """The methods that a class of this package defines for its users."""
    for base in thing.__mro__:
        if base.__module__.startswith("pycdf."):
            for name, method in vars(base).items():
                method = getattr(method, "__func__", method)  # of a class method
                if not name.startswith("_") and inspect.isfunction(method):
                    yield name, method


def documented():
    """Every public function, class and method by its name, exceptions left out."""
    things = {name: thing for name, thing in PUBLIC.items() if name not in EXCEPTIONS}
    for name, thing in list(things.items()):
        if inspect.isclass(thing):
            things |= {f"{name}.{part}": method for part, method in public_methods(thing)}
    return things


DOCUMENTED = documented()
# Called by this package, not by its users.
INTERNAL = {"pycdf.CDFClassifier.set_model"}


def sections(thing):
    """The titles of the numpydoc sections of a docstring."""
    return set(re.findall(r"(?m)^(\w[\w ]*)\n-{3,}$", inspect.getdoc(thing) or ""))


@pytest.mark.parametrize("name", sorted(set(DOCUMENTED) - INTERNAL))
def test_public_docstrings_are_complete(name):
    thing = DOCUMENTED[name]
    found = sections(thing)
    if inspect.isclass(thing):
        assert found & {"Parameters", "Attributes"}
        assert "Examples" in found
        return
    signature = inspect.signature(thing)
    parameters = [one for one in signature.parameters if one not in ("self", "cls")]
    assert "Parameters" in found or not parameters
    text = inspect.getdoc(thing)
    for one in parameters:  # alone, or in a list such as "X, y : array-like"
        assert re.search(rf"(?m)^(\w+, )*{one}(, \w+)* : .+$|^\*\*{one}$", text), one
    assert "Returns" in found or signature.return_annotation is None
    owner = DOCUMENTED.get(name.rpartition(".")[0])
    # Users do not make objects that have only attributes: the example of the class is enough.
    is_result = owner is not None and "Parameters" not in sections(owner)
    assert "Examples" in found or is_result or not parameters


def test_exceptions_say_when_they_are_raised():
    assert len(EXCEPTIONS) == 15
    for name in EXCEPTIONS:
        first = inspect.getdoc(PUBLIC[name]).splitlines()[0]
        assert re.fullmatch(r".{20,}\.", first), name


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_examples_in_docstrings_run(name, monkeypatch):
    monkeypatch.setenv("PYCDF_QUIET", "1")
    if find_spec("matplotlib") is not None:
        importlib.import_module("matplotlib").use("agg")
    elif "plot" in name:
        pytest.skip("needs matplotlib")
    finder = doctest.DocTestFinder(recurse=False)
    runner = doctest.DocTestRunner(optionflags=SHOWN)
    with pd.option_context("display.width", 100, "display.max_columns", 12):
        for test in finder.find(DOCUMENTED[name], name, globs={}):
            runner.run(test)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries > 0 or "Examples" not in sections(DOCUMENTED[name])


def resolves(target):
    """Whether a dotted name leads to a module, or to an attribute of one."""
    parts = target.split(".")
    for end in range(len(parts), 0, -1):
        with contextlib.suppress(ModuleNotFoundError):
            found = importlib.import_module(".".join(parts[:end]))
            return all((found := getattr(found, name, None)) is not None for name in parts[end:])
    return False


def test_references_in_docstrings_lead_somewhere():
    pattern = re.compile(r":(?:mod|func|class|meth|data):`~?(pycdf[\w.]*)`")
    targets = {
        (path.name, target)
        for path in (ROOT / "pycdf").rglob("*.py")
        for target in pattern.findall(path.read_text(encoding="utf-8"))
    }
    assert len(targets) > 50
    assert [pair for pair in sorted(targets) if not resolves(pair[1])] == []


# ---- the gallery's pictures ----------------------------------------------------------------------


def test_every_picture_was_made_by_the_lines_above_it():
    wanted = pictures.pictures()
    folder = ROOT / "docs" / "pictures"
    assert {path.name for path in folder.iterdir()} == {Path(name).name for name in wanted}
    for name, blocks in wanted.items():
        made_by = pictures.stamp_of(ROOT / "docs" / name)
        assert made_by == pictures.stamp(blocks), f"{name}: run python docs/tools/pictures.py"


def test_every_function_has_a_picture_and_its_lines():
    lead = [block.text for blocks in pictures.pictures().values() for block in blocks]
    for name in pycdf.plots.__all__:
        assert any(f"plots.{name}(" in text for text in lead), name


def test_pictures_stay_small():
    sizes = [path.stat().st_size for path in (ROOT / "docs" / "pictures").iterdir()]
    assert sum(sizes) < 1.5e6
