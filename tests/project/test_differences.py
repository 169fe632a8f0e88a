"""docs/differences.md: each entry names a test that exists."""

import re
from pathlib import Path

import numpy as np

from pycdf import CDF

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`((?:tests|parity_tests)/[\w/]+\.py)::(\w+)`", PAGE)


def test_every_named_test_exists():
    assert len(NAMED) > 15
    for path, name in NAMED:
        assert f"\ndef {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{name}"


def test_every_row_of_the_tables_names_a_test():
    told = PAGE.index("## Told here")
    rows = [line for line in PAGE[:told].splitlines() if line.startswith("| ")]
    entries = [row for row in rows if not row.startswith(("| ---", "| input"))]
    assert len(entries) >= 22
    assert [row for row in entries if "::" not in row.rpartition("| `")[2]] == []


def test_no_seed_is_fresh_randomness():
    x = np.random.default_rng(1).normal(size=(20, 8))
    first, second = (CDF(x, ["a", "b"] * 10, x, ntrees=3) for _ in range(2))
    assert first.seed != second.seed
    again = CDF(x, ["a", "b"] * 10, x, ntrees=3, seed=first.seed)
    assert (again.votes == first.votes).all()
