"""Run the R code in the pages, and the code that needs rpy2, and compare what it prints.

Each page's blocks run in order, in a new R. tests/project/test_docs.py runs all other blocks.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from pycdf import load_darwin
from pycdf.cli.main import main

from .tally import TALLY

sys.path.append(str(Path(__file__).parents[1] / "docs" / "tools"))

from page_blocks import read_blocks, run_python

ROOT = Path(__file__).parents[1]
PAGES = {page.name: read_blocks(page) for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]}
WITH_R = sorted(name for name, blocks in PAGES.items() if any(b.language == "r" for b in blocks))
WITH_RPY2 = sorted(name for name, blocks in PAGES.items() if any(b.needs == "rpy2" for b in blocks))
SHOWN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def assert_shown(block, got):
    """Compare what the page shows; a block that shows nothing has only run."""
    if block.shows is None:
        return
    same = doctest.OutputChecker().check_output(block.shows, got, SHOWN)
    assert TALLY.compare("blocks of the pages", same), (
        f"{block.name} shows\n{block.shows}and gives\n{got}"
    )


def run_r(blocks, folder):
    """What each block prints, by the line of the page on which it begins."""
    script = folder / "page.R"
    parts = [f"cat('\\n@@{block.line}@@\\n')\n{block.text}" for block in blocks]
    script.write_text("options(width = 100)\n" + "\n".join(parts), encoding="utf-8")
    library = os.environ.get("PYCDF_R_LIBRARY", str(ROOT / ".r-library"))
    done = subprocess.run(
        ["Rscript", "--vanilla", str(script)],
        capture_output=True, text=True, check=False, cwd=folder,
        env={
            **os.environ, "LC_ALL": "C.UTF-8", "RETICULATE_PYTHON": sys.executable,
            "R_LIBS": os.pathsep.join(filter(None, [library, os.environ.get("R_LIBS")])),
        },
    )  # fmt: skip
    assert done.returncode == 0, f"{blocks[0].page.name}: {done.stdout}\n{done.stderr}"
    _, *outputs = re.split(r"\n@@(\d+)@@\n", "\n" + done.stdout)
    return dict(zip(map(int, outputs[::2]), outputs[1::2], strict=True))


@pytest.mark.parametrize("page", WITH_R)
def test_blocks_of_r(r, page, tmp_path):
    blocks = [block for block in PAGES[page] if block.language == "r" and not block.not_run]
    needed = {block.needs for block in blocks if block.needs}
    missing = {
        name for name in needed if not r.value(f'requireNamespace("{name}", quietly=TRUE)')[0]
    }
    runnable = [block for block in blocks if block.needs not in missing]
    got = run_r(runnable, tmp_path)
    for block in runnable:
        assert_shown(block, got[block.line])
    if missing:
        pytest.skip(f"all else ran; R has no package {', '.join(missing)}")


def test_the_lines_of_r_that_cross_validate(tmp_path, monkeypatch):
    """They give what `pycdf cv` gives, on the data of the page's hidden lines."""
    blocks = [block for block in PAGES["command-line.md"] if block.language == "r"]
    theirs = re.findall(r"^\[1\] (\S+)$", run_r(blocks, tmp_path)[blocks[-1].line], re.MULTILINE)
    X, y = load_darwin()
    monkeypatch.chdir(tmp_path)
    X.iloc[:, :30].assign(Y=y).to_csv("data.csv", index=False)
    arguments = "cv data.csv -y Y --folds 10 --seed 1 --ntrees 20 --by-fold folds.csv"
    done = CliRunner().invoke(main, arguments.split())
    assert done.exit_code == 0, done.stderr
    ours = [f"{accuracy:.7g}" for accuracy in pd.read_csv("folds.csv")["accuracy"]]
    same = [mine == of_r for mine, of_r in zip(ours, theirs, strict=True)]
    assert TALLY.compare("accuracies of folds", same), f"{ours} here, {theirs} in R"


@pytest.mark.usefixtures("r")
@pytest.mark.parametrize("page", WITH_RPY2)
def test_blocks_with_rpy2(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # blocks write files
    namespace = {}
    with pd.option_context("display.width", 100):
        for block in PAGES[page]:
            if block.language == "python":
                assert_shown(block, run_python(block, namespace))
