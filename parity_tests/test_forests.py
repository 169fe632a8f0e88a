"""Whole forests, node by node, on the named cases; and the order of labels."""

import random
import subprocess
import warnings

import pandas as pd
import pytest

from pycdf import CDF, InputWarning
from pycdf.base_r.collation import sort_key

from .cases import ACCENTED, CASED, MARKED, chain_data, named_cases
from .check import assert_same, compare, decided_by_order, fit
from .tally import TALLY


@pytest.mark.parametrize("case", named_cases(), ids=lambda case: case.name)
def test_named_case(r, case):
    compare("named forests", r, case)


@pytest.mark.parametrize("case", named_cases()[::6], ids=lambda case: case.name)
def test_the_trace_changes_nothing(r, case):
    """The comparison uses a traced CDF: the untraced one must give the same answer."""
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
    """The option collation="C", with an R that was started in the C locale."""
    # R stores non-ASCII labels in another encoding there; they are compared in this process.
    cases = [case for case in named_cases() if all(str(label).isascii() for label in case.ytrain)]
    decided = 0
    for case, theirs in zip(cases, r.in_c_locale(cases), strict=True):
        assert_same("forests of an R in the C locale", case, fit(case, collation="C"), theirs)
        decided += decided_by_order(theirs, r.sorted(theirs.classes))[1]
    assert decided > 0, "no leaf in these cases tells the two orders apart"


DEEP = """
rows <- read.csv(commandArgs(TRUE)[1])
x <- as.matrix(rows[, 1:2])
for (depth in c(600L, 1001L)) {
  fit <- tryCatch(
    CDF::CDF(x, rows$y, x[1:6, ], ntrees = 2, depth = depth, k = 2, mtry = 2, seed = 1),
    error = conditionMessage
  )
  cat(if (is.list(fit)) c(fit$predictions, fit$probabilities) else fit, "\\n")
}
"""


def test_the_deepest_trees(tmp_path, r):
    """R 4.2 grows 638 levels with a stack of 8 MB and 907 with any; R 4.5 grows more than 1,001."""
    x, y = chain_data()
    pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "y": y}).to_csv(tmp_path / "x.csv", index=False)
    (tmp_path / "deep.R").write_text(DEEP)
    done = subprocess.run(["Rscript", "--vanilla", tmp_path / "deep.R", tmp_path / "x.csv"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    answer, message = done.stdout.splitlines()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        ours = CDF(x, y, x[:6], ntrees=2, depth=600, k=2, mtry=2, seed=1)
        assert ours.model_.forest.depth.max() == 600
        with pytest.raises(ValueError, match=r"^a tree has more than 1,000 levels of splits"):
            CDF(x, y, x[:6], ntrees=2, depth=1001, k=2, mtry=2, seed=1)
    theirs = answer.split()
    shares = [float(share) for share in theirs[6:]]
    TALLY.count("the deepest trees", theirs[:6] == list(ours.predictions))
    assert theirs[:6] == list(ours.predictions)
    assert shares == ours.probabilities.to_numpy().T.ravel().tolist()
    if "C stack usage" not in message and "node stack overflow" not in message:
        assert message.split()[:6] == theirs[:6]  # an answer, by the same chain of nodes
        assert tuple(map(int, r.versions()["R"].split(".")[:2])) > (4, 2)
