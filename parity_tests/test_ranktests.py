"""Rank tests: the same numbers to R's wilcox.test and kruskal.test, called as a user calls them.

Statistics and exact p-values are compared bit for bit. The tails of the normal and the chi-square
distribution are those of another algorithm than R's, and are compared within R's own error.
"""

import numpy as np
import pytest

from pycdf.explain.rank_tests import rank_test

from .compare import bits
from .tally import TALLY

# Against 200 bits of precision, R's pnorm is up to 5 units in the last place off, ours up to 3.
NORMAL_TAIL = 8 * 2.0**-52
# R's pchisq is up to 387 units off in places far out, for most arguments below 10; ours up to 5.
CHI_SQUARE_TAIL = 1024 * 2.0**-52
# Both end near the smallest double: R's pnorm is 0 from 37.52 on, where ours is below this.
VANISHED = 1e-307

TESTS = """
rank_tests <- function(x, g) {
  one <- function(column) {
    test <- function() {
      if (max(g) > 1) kruskal.test(column, g)
      else wilcox.test(column[g == 0], column[g == 1])
    }
    found <- tryCatch(suppressWarnings(test()), error = function(e) NULL)
    if (is.null(found)) c(NaN, NaN, 0)
    else c(found$statistic, found$p.value, grepl("exact", found$method))
  }
  apply(x, 2L, one)
}
"""
NUMBERS = range(200)
COLUMNS = 12
KINDS = (
    "plain", "rounded", "few values", "constant", "missing", "infinite", "huge", "tiny", "close",
    "apart",
)  # fmt: skip


@pytest.fixture(scope="module")
def theirs(r):
    r.run(TESTS)

    def answer(values, groups):
        found = r.python(r.call("rank_tests", r.matrix(values), r.labels(groups.tolist())))
        return found.reshape(-1, 3).T if found.ndim == 1 else found

    return answer


def column(rng, kind, groups):
    n = len(groups)
    x = rng.normal(size=n) + rng.choice([0, 0.5, 2]) * groups
    if kind == "rounded":
        return np.round(x, rng.integers(0, 3))
    if kind == "few values":
        return rng.integers(0, 3, n).astype(float)
    if kind == "constant":
        return np.full(n, rng.choice([0.0, -0.0, 1.5, np.inf]))
    if kind == "missing":
        return np.where(rng.random(n) < rng.choice([0.1, 0.5, 0.95]), np.nan, x)
    if kind == "infinite":
        return np.where(rng.random(n) < 0.3, rng.choice([-np.inf, np.inf], n), x)
    if kind == "huge":
        return np.clip(x, -3, 3) * 4e307  # differences are infinite
    if kind == "tiny":
        return x * 5e-323
    if kind == "close":  # what R's table() counts as one, since it writes them alike
        return rng.choice([1.0, 0.1, 1e15, 123456.7]) * (1 + rng.integers(0, 60, n) * 2.0**-52)
    if kind == "apart":
        return groups + rng.random(n) * 0.5
    return x


def groups_of(rng, number):
    k = 2 if number % 2 else int(rng.integers(3, 9))
    most = int(rng.choice([3, 8, 20, 60]))
    sizes = rng.integers(1, most + 1, k)
    return rng.permutation(np.repeat(np.arange(k), sizes))


def compare(theirs, values, groups, name):
    ours = rank_test(values, groups)
    statistic, p_value, exact = theirs(values, groups)
    assert (ours.exact == (exact == 1)).all(), name
    same = bits(ours.statistic) == bits(statistic)
    same |= np.isnan(ours.statistic) & np.isnan(statistic)
    assert same.all(), (name, ours.statistic[~same], statistic[~same])
    assert (np.isnan(ours.p_value) == np.isnan(p_value)).all(), name
    equal = np.isnan(p_value) | (bits(ours.p_value) == bits(p_value))
    assert equal[ours.exact].all(), (name, ours.p_value, p_value)
    within = NORMAL_TAIL if groups.max() == 1 else CHI_SQUARE_TAIL
    apart = np.abs(ours.p_value - p_value)
    close = equal | (apart <= within * p_value) | (apart <= VANISHED)
    assert close.all(), (name, ours.p_value[~close], p_value[~close])
    TALLY.count("rank statistics", True, len(same))
    TALLY.count("exact rank p-values", True, int(ours.exact.sum()))


@pytest.mark.parametrize("kind", KINDS)
def test_campaign(theirs, kind):
    for number in NUMBERS:
        rng = np.random.default_rng([KINDS.index(kind), number])
        groups = groups_of(rng, number)
        values = np.column_stack([column(rng, kind, groups) for _ in range(COLUMNS)])
        compare(theirs, values, groups, f"{kind} {number}")


def test_every_pair_of_sizes(theirs):
    """Around the change from exact to approximate, and where R's choose() changes its ways."""
    rng = np.random.default_rng(1)
    sizes = [1, 2, 3, 5, 29, 30, 31, 40, 48, 49, 50, 51]
    for m in sizes:
        for n in sizes:
            groups = np.repeat([0, 1], [m, n])
            shift = rng.choice([-3, -0.4, 0, 0.4, 3], COLUMNS)
            values = rng.normal(size=(m + n, COLUMNS)) + np.outer(groups, shift)
            compare(theirs, values, groups, f"{m} and {n}")


def test_every_statistic(theirs):
    """All values of W, each from an order that gives it."""
    for m, n in [(1, 1), (1, 2), (2, 2), (3, 4), (5, 5), (4, 9), (12, 11), (31, 30), (49, 49)]:
        step = max(1, m * n // 400)
        columns = []
        for w in range(0, m * n + 1, step):
            first = np.arange(m) + np.clip(w - np.arange(m)[::-1] * n, 0, n)
            order = np.ones(m + n)
            order[first] = 0
            columns.append(np.argsort(np.argsort(order, kind="stable")).astype(float))
        compare(theirs, np.column_stack(columns), np.repeat([0, 1], [m, n]), f"{m} and {n}")


def test_far_out(theirs):
    """Thousands of rows, apart: p-values down to the smallest doubles and beyond."""
    for size in (200, 900, 1300, 1500, 3000):
        for k in (2, 3, 6):
            groups = np.repeat(np.arange(k), size // k)
            rng = np.random.default_rng(size)
            values = np.column_stack(
                [groups + rng.random(len(groups)) * spread for spread in (0.5, 1.5, 2, 3, 6)]
            )
            compare(theirs, values, groups, f"{size} rows, {k} groups")
