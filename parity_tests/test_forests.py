"""Whole forests, node by node, on the named cases; and the order of labels."""

import random

import pytest

from pycdf.base_r.collation import sort_key

from .cases import ACCENTED, CASED, MARKED, named_cases
from .check import assert_same, compare, decided_by_order, fit
from .tally import TALLY


@pytest.mark.parametrize("case", named_cases(), ids=lambda case: case.name)
def test_named_case(r, case):
    compare("named forests", r, case)


@pytest.mark.parametrize("case", named_cases()[::6], ids=lambda case: case.name)
def test_the_trace_changes_nothing(r, case):
    """The comparison stands on a traced CDF: the untraced one must give the same answer."""
    same = r.untraced_is_identical(case)
    TALLY.count("traced against untraced R", same)
    assert same


def test_r_sorts_in_icus_root_order(r):
    assert r.collation() == "root"
    assert r.sorted(["t2", "Tumor", "normal", "T10"]) == ["normal", "T10", "t2", "Tumor"]


def random_labels(count: int) -> list[str]:
    draw = random.Random(8)
    printable = [chr(code) for code in range(33, 127)] + list("éÉñüÖßàç")
    pool = CASED + MARKED + ACCENTED
    made = {"".join(draw.choices(printable, k=draw.randint(1, 6))) for _ in range(count // 2)}
    made |= {
        draw.choice(pool) + draw.choice("-_ .aAbB19") + draw.choice(pool) for _ in range(count)
    }
    return sorted(made)[:count]


def test_labels_sort_as_in_r(r):
    labels = random_labels(4000)
    ours = sorted(labels, key=sort_key)
    theirs = r.sorted(labels)
    same = [sort_key(a) == sort_key(b) for a, b in zip(ours, theirs, strict=True)]
    at = same.index(False) if False in same else -1
    assert TALLY.compare("sorted labels", same), (
        f"place {at}: {ours[at]!r} here, {theirs[at]!r} in R"
    )


def test_an_r_that_starts_in_the_c_locale(r):
    """Once in another process, as on a bare machine: the option collation="C"."""
    # R holds other than ASCII labels in another encoding there; they are compared in this process.
    cases = [case for case in named_cases() if all(str(label).isascii() for label in case.ytrain)]
    decided = 0
    for case, theirs in zip(cases, r.in_c_locale(cases), strict=True):
        assert_same("forests of an R in the C locale", case, fit(case, collation="C"), theirs)
        decided += decided_by_order(theirs, r.sorted(theirs.classes))[1]
    assert decided > 0, "no leaf in these cases tells the two orders apart"
