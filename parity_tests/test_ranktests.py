"""Rank tests compared with R's wilcox.test and kruskal.test, called as a user would call them.

pycdf follows R 4.6. Older versions of R answer some calls differently; each of these is compared
with a rule that is stated here, and pycdf's p-value with exact counts.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import pytest

from pycdf.explain.rank_tests import rank_test
from pycdf.kernels.tails import normal_tails

from .compare import bits
from .tally import TALLY

EXACT_WITH_TIES = (4, 6)  # the first R whose wilcox.test is exact with ties

ULP = 2.0**-52
# The same steps as R's pnorm takes; only exp is the C library's there and the nearest double here.
NORMAL_TAIL = 4 * ULP
# R's pchisq is up to 387 units off in places far out, for most arguments below 10; ours up to 1.
CHI_SQUARE_TAIL = 1024 * ULP
# The smallest results of R's pnorm were 0 before R 4.5, from z = 37.52 on, where ours are below:
VANISHED = 1e-307
# From R 4.6 on, an upper tail is 1 minus the lower one: this much may be lost, whatever the size of
# the tail.
LEFT_OF_1 = 2 * ULP
# With ties and more than 56 values R's counts pass 2^53, and it divides by their rounded sum: that
# of a tail by up to 22 units, and that of all but a tail by up to 31.
ROUNDED_COUNTS = 64 * ULP
# Without ties, counts beyond 2^53 come from another recursion before R 4.6: up to 6 units.
OTHER_RECURSION = 16 * ULP
# Against exact counts.
EXACT = 2 * ULP
WHOLE = 2.0**53  # doubles count one by one up to here

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
# Of p-values for which the C library's exp and log matter: whether each has R's bits all the same.
RS_BITS: dict[str, list[bool]] = {"normal": [], "chi-square": []}
KINDS = (
    "plain", "rounded", "few values", "constant", "missing", "infinite", "huge", "tiny", "close",
    "apart",
)  # fmt: skip


@dataclass(frozen=True)
class Answers:
    """R's answers to some tests, and which R gave them."""

    statistic: np.ndarray
    p_value: np.ndarray
    exact: np.ndarray
    version: tuple[int, ...]


def ask(r, values, groups):
    """R's answers; R has read ``TESTS``."""
    found = r.python(r.call("rank_tests", r.matrix(values), r.labels(groups.tolist())))
    statistic, p_value, exact = found.reshape(-1, 3).T if found.ndim == 1 else found
    return Answers(statistic, p_value, exact == 1, r.r_version)


@dataclass(frozen=True)
class Column:
    """The values of one test of two groups, and what decides which rule is R's."""

    values: np.ndarray
    first: np.ndarray  # whether a value is of the first group

    @cached_property
    def sizes(self):
        return int(self.first.sum()), int((~self.first).sum())

    @cached_property
    def small(self):
        return min(self.sizes) > 0 and max(self.sizes) < 50

    @cached_property
    def ties(self):
        return np.unique(self.values, return_counts=True)[1]

    @cached_property
    def tied(self):
        return bool((self.ties > 1).any())

    @cached_property
    def twice_ranks(self):
        place = np.unique(self.values, return_inverse=True)[1]
        return (2 * np.cumsum(self.ties) - self.ties + 1)[place]

    @cached_property
    def tails(self):
        """The exact probabilities of W at most and at least what it is: by counting all draws.

        Counts are kept twice: as doubles, good to a dozen digits, and modulo 2^64. Together these
        are the whole number.
        """
        m, n = self.sizes
        total = int(self.twice_ranks[self.first].sum())
        largest = int(np.sort(self.twice_ranks)[::-1][:m].sum())
        rough = np.zeros((m + 1, largest + 1))
        modulo = np.zeros((m + 1, largest + 1), dtype=np.uint64)
        rough[0, 0] = modulo[0, 0] = 1
        for rank in self.twice_ranks:
            for counts in (rough, modulo):
                counts[1:, rank:] += counts[:-1, :-rank].copy()

        def share(part):
            near = int(rough[m, part].sum())
            rest = int(modulo[m, part].sum(dtype=np.uint64))
            count = near + (rest - near + 2**63) % 2**64 - 2**63
            return Fraction(count, math.comb(m + n, m))

        return share(slice(0, total + 1)), share(slice(total, None))

    @cached_property
    def exact_p(self):
        return float(min(2 * min(self.tails), Fraction(1)))

    @cached_property
    def z(self):
        """The argument of the normal approximation; NaN if all values are equal."""
        m, n = self.sizes
        w = self.twice_ranks[self.first].sum() / 2 - m * (m + 1) / 2 - m * n / 2
        ties = float((self.ties**3 - self.ties).sum())
        sigma = np.sqrt((m * n / 12) * ((m + n + 1) - ties / ((m + n) * (m + n - 1))))
        with np.errstate(invalid="ignore"):
            return (w - np.sign(w) * 0.5) / np.float64(sigma)

    @cached_property
    def normal_p(self):
        return normal_tails(np.array([self.z]))[0]


def near(ours, theirs, relative, absolute=0.0):
    """Whether two numbers are both NaN, or differ by no more than stated."""
    if np.isnan(ours) or np.isnan(theirs):
        return bool(np.isnan(ours) and np.isnan(theirs))
    return bool(abs(ours - theirs) <= relative * max(abs(ours), abs(theirs)) + absolute)


def same_bits(ours, theirs):
    return bool((bits(np.array([ours])) == bits(np.array([theirs]))).all())


def judge_wilcoxon(column, ours, theirs, version):
    """What is compared of a p-value: pairs of a kind and whether it is as it should be."""
    new = version >= EXACT_WITH_TIES
    m, n = column.sizes
    if not min(m, n):
        yield "rank tests where R stops", bool(np.isnan(ours) and np.isnan(theirs))
    elif not column.small:
        yield from judge_normal(column.z, ours, theirs, new)
    elif not column.tied:
        steps_are_exact = m * n * math.comb(m + n, m) < WHOLE
        if new or steps_are_exact:
            yield "exact rank p-values, R's bits", same_bits(ours, theirs)
        else:
            kind = "exact rank p-values from rounded counts, before R 4.6"
            yield kind, near(ours, theirs, OTHER_RECURSION)
    else:
        yield "exact rank p-values with ties, from all draws", near(ours, column.exact_p, EXACT)
        if not new:
            kind = "rank p-values with ties, normal before R 4.6"
            yield kind, near(column.normal_p, theirs, NORMAL_TAIL)
        elif column.tails[0] >= column.tails[1]:
            lost = LEFT_OF_1 if math.comb(m + n, m) < WHOLE else ROUNDED_COUNTS
            yield "exact rank p-values with ties, upper tail", near(ours, theirs, 0.0, lost)
        elif math.comb(m + n, m) < WHOLE:
            yield "exact rank p-values with ties, R's bits", same_bits(ours, theirs)
        else:
            kind = "exact rank p-values with ties, from rounded counts"
            yield kind, near(ours, theirs, ROUNDED_COUNTS)


def judge_normal(z, ours, theirs, new):
    if new and z > 0:
        yield "normal rank p-values, upper tail", near(ours, theirs, NORMAL_TAIL, LEFT_OF_1)
    else:
        RS_BITS["normal"].append(same_bits(ours, theirs))
        yield "normal rank p-values", near(ours, theirs, NORMAL_TAIL, VANISHED)


def judge_kruskal(ours, theirs):
    RS_BITS["chi-square"].append(same_bits(ours, theirs))
    yield "chi-square rank p-values", near(ours, theirs, CHI_SQUARE_TAIL, VANISHED)


def compare(theirs, ours, values, groups, name):
    """Count what is compared and what differs, then fail if anything does."""
    two = groups.max() == 1
    wrong = []
    for j in range(values.shape[1]):
        there = ~np.isnan(values[:, j])
        column = Column(values[there, j], groups[there] == 0)
        verdicts = [("rank statistics", same_bits(ours.statistic[j], theirs.statistic[j]))]
        if two:
            verdicts += judge_wilcoxon(column, ours.p_value[j], theirs.p_value[j], theirs.version)
        else:
            verdicts += judge_kruskal(ours.p_value[j], theirs.p_value[j])
        exact = two and column.small
        theirs_exact = exact and (not column.tied or theirs.version >= EXACT_WITH_TIES)
        right = (ours.exact[j], theirs.exact[j]) == (exact, theirs_exact)
        verdicts.append(("names of rank tests", right))
        for kind, same in verdicts:
            TALLY.count(kind, same)
            if not same:
                pair = (float(ours.p_value[j]), float(theirs.p_value[j]))
                wrong.append((name, j, kind, pair))
    assert not wrong, wrong


@pytest.fixture(scope="module")
def check(r):
    r.run(TESTS)

    def compare_columns(values, groups, name):
        compare(ask(r, values, groups), rank_test(values, groups), values, groups, name)

    return compare_columns


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


@pytest.mark.parametrize("kind", KINDS)
def test_campaign(check, kind):
    for number in NUMBERS:
        rng = np.random.default_rng([KINDS.index(kind), number])
        groups = groups_of(rng, number)
        values = np.column_stack([column(rng, kind, groups) for _ in range(COLUMNS)])
        check(values, groups, f"{kind} {number}")


@pytest.mark.parametrize("tied", [False, True])
def test_every_pair_of_sizes(check, tied):
    """Around the change from exact to approximate, and where R's choose() changes its method."""
    rng = np.random.default_rng(1)
    sizes = [1, 2, 3, 5, 29, 30, 31, 40, 48, 49, 50, 51]
    for m in sizes:
        for n in sizes:
            groups = np.repeat([0, 1], [m, n])
            shift = rng.choice([-3, -0.4, 0, 0.4, 3], COLUMNS)
            values = rng.normal(size=(m + n, COLUMNS)) + np.outer(groups, shift)
            if tied:
                values = values[:, :4].round(1)
            check(values, groups, f"{m} and {n}")


def test_every_choice(check):
    """All sizes for which R's choose() uses logarithms, which are those of the C library."""
    rng = np.random.default_rng(2)
    for m in range(28, 50):
        for n in range(m, 50):
            groups = np.repeat([0, 1], [m, n])
            check(rng.normal(size=(m + n, 3)), groups, f"{m} and {n}")


def test_every_statistic(check):
    """All values of W, each from an order that gives it."""
    for m, n in [(1, 1), (1, 2), (2, 2), (3, 4), (5, 5), (4, 9), (12, 11), (31, 30), (49, 49)]:
        step = max(1, m * n // 400)
        columns = []
        for w in range(0, m * n + 1, step):
            first = np.arange(m) + np.clip(w - np.arange(m)[::-1] * n, 0, n)
            order = np.ones(m + n)
            order[first] = 0
            columns.append(np.argsort(np.argsort(order, kind="stable")).astype(float))
        check(np.column_stack(columns), np.repeat([0, 1], [m, n]), f"{m} and {n}")


def test_far_out(check):
    """Thousands of well-separated rows: p-values down to the smallest doubles and beyond."""
    for size in (200, 900, 1300, 1500, 3000):
        for k in (2, 3, 6):
            groups = np.repeat(np.arange(k), size // k)
            rng = np.random.default_rng(size)
            values = np.column_stack(
                [groups + rng.random(len(groups)) * spread for spread in (0.5, 1.5, 2, 3, 6)]
            )
            check(values, groups, f"{size} rows, {k} groups")
            check(-values, groups, f"{size} rows, {k} groups, the other way")


def test_an_upper_tail_that_r_loses(r):
    """With the groups in the other order the p-value is the same, here and in R before 4.6.

    R 4.6 computes an upper tail as 1 minus the lower one, which is 0 if the tail is small.
    """
    r.run(TESTS)
    values = np.r_[np.arange(100.0) + 70.0, np.arange(100.0)][:, np.newaxis]
    groups = np.repeat([0, 1], 100)
    ours = rank_test(values, groups).p_value[0]
    swapped = rank_test(values, 1 - groups).p_value[0]
    theirs = ask(r, values, groups)
    mirrored = ask(r, values, 1 - groups)
    lost = theirs.version >= EXACT_WITH_TIES
    verdicts = [
        ours == swapped,
        near(ours, mirrored.p_value[0], NORMAL_TAIL),
        theirs.p_value[0] == 0 if lost else near(ours, theirs.p_value[0], NORMAL_TAIL),
    ]
    for same in verdicts:
        TALLY.count("small upper tails", bool(same))
    assert all(verdicts), (ours, swapped, theirs.p_value, mirrored.p_value)


@pytest.mark.last
def test_most_p_values_have_rs_bits():
    """A tolerance is needed for few of them; with one rule taken otherwise it would be for all."""
    for kind, same in RS_BITS.items():
        assert len(same) > 300, kind
        assert np.mean(same) > 0.5, f"{kind}: {np.mean(same)}"
