"""R's ``wilcox.test`` and ``kruskal.test`` for many columns at once, as they are called by default.

In go values (rows x tests, missing ones NaN) and the group of each row; out comes :class:`RankTest`
with a statistic and a two-sided p-value per test, NaN where R stops (a group without values). Two
groups: Wilcoxon's W of the first one. With fewer than 50 values in both groups and no ties the
p-value is exact; otherwise it is that of the normal distribution, corrected for ties and for
continuity. More groups: the chi-square of Kruskal and Wallis, corrected for ties.

Statistics and exact p-values are R's to the last bit. The others are the tails of
:mod:`pycdf.explain.tails`, which differ from R's in their last digits.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from pycdf.base_r import long_double as ld
from pycdf.base_r.numbers import number_text
from pycdf.explain.tails import chi_square_tail, normal_tails

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

_EXACT_BELOW = 50
_SHORT_PRODUCT = 30  # up to here R's choose() is a product, beyond it goes by logarithms
_LOG_ROOT_2PI = 0.9189385332046728
_SAME_TEXT = 1e-14  # doubles that R writes alike, with 15 digits, are closer than this


@dataclass(frozen=True, eq=False)
class RankTest:
    """One test per column."""

    statistic: Floats
    p_value: Floats
    exact: npt.NDArray[np.bool_]
    """Whether the p-value is the exact one."""


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The values of each test in ascending order (tests x rows), missing ones last."""

    values: Floats
    groups: npt.NDArray[np.integer]
    """Of the values, -1 for missing ones."""
    new: npt.NDArray[np.bool_]
    """Whether a value differs from the one before."""

    def twice_ranks(self) -> Longs:
        """Twice the rank, counted from 1, of each value: whole also where tied values share it."""
        first, last = _spans(self.new)
        return first + last + 2

    def ties(self, new: npt.NDArray[np.bool_]) -> Floats:
        """R's ``sum(TIES^3 - TIES)``: each of t tied values has a share of t^2 - 1."""
        first, last = _spans(new)
        size = last - first + 1
        ties: Floats = (size * size - 1).sum(axis=1).astype(np.float64)
        return ties


def _spans(new: npt.NDArray[np.bool_]) -> tuple[Longs, Longs]:
    """The first and the last place of the values that each value is tied with."""
    place = np.arange(new.shape[1])
    if new.all():
        return np.broadcast_to(place, new.shape), np.broadcast_to(place, new.shape)
    first = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    ends = np.ones_like(new)
    ends[:, :-1] = new[:, 1:]
    last = np.minimum.accumulate(np.where(ends, place, place[-1])[:, ::-1], axis=1)[:, ::-1]
    return first, last


def rank_test(values: Floats, groups: npt.NDArray[np.integer]) -> RankTest:
    """Wilcoxon's test for groups 0 and 1, the test of Kruskal and Wallis for more of them."""
    n_groups = int(groups.max()) + 1
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ranked = _rank(values, groups)
        members = [ranked.groups == group for group in range(n_groups)]
        counts = np.array([member.sum(axis=1) for member in members], dtype=np.float64)
        twice = ranked.twice_ranks()
        sums = np.array([(member * twice).sum(axis=1) for member in members]) / 2
        return (_wilcoxon if n_groups == 2 else _kruskal)(ranked, sums, counts)


def _rank(values: Floats, groups: npt.NDArray[np.integer]) -> _Ranked:
    columns = np.ascontiguousarray(values.T)
    order = np.argsort(columns, axis=1)
    ascending = columns[np.arange(len(columns))[:, np.newaxis], order]
    new = np.ones(ascending.shape, dtype=np.bool_)
    new[:, 1:] = ascending[:, 1:] != ascending[:, :-1]  # NaN differs from NaN: never tied
    group_of = groups[order]
    group_of[np.isnan(ascending)] = -1
    return _Ranked(ascending, group_of, new)


# ---- two groups ----------------------------------------------------------------------------------


def _wilcoxon(ranked: _Ranked, sums: Floats, counts: Floats) -> RankTest:
    m, n = counts
    possible = (m > 0) & (n > 0)
    statistic = np.where(possible, sums[0] - m * (m + 1) / 2, np.nan)
    exact = possible & (m < _EXACT_BELOW) & (n < _EXACT_BELOW) & ranked.new.all(axis=1)
    p_value = np.empty(len(statistic))
    if not exact.all():
        z = statistic - m * n / 2
        tied = ranked.ties(ranked.new) / ((m + n) * (m + n - 1))
        sigma = np.sqrt((m * n / 12) * ((m + n + 1) - tied))
        p_value = normal_tails((z - np.sign(z) * 0.5) / sigma)
    for sizes in set(zip(m[exact].tolist(), n[exact].tolist(), strict=True)):
        these = exact & (m == sizes[0]) & (n == sizes[1])
        p_value[these] = _exact(statistic[these].astype(np.int64), *map(int, sizes))
    return RankTest(statistic, p_value, exact)


def _exact(statistic: Longs, m: int, n: int) -> Floats:
    """Both tails of W: the smaller one, summed from its end as R does, twice."""
    tail = _lower_tail(min(m, n), max(m, n))
    other = m * n - statistic
    # Just above the middle R takes the upper tail as what the lower one leaves.
    left = (statistic > other) & (statistic - 1 <= other + 1)
    p = np.where(left, 0.5 - tail[np.minimum(statistic - 1, len(tail) - 1)] + 0.5,
                 tail[np.minimum(statistic, other)])  # fmt: skip
    both: Floats = np.minimum(2 * p, 1.0)
    return both


@cache
def _lower_tail(m: int, n: int) -> Floats:
    """P(W <= w) for w up to the middle, m <= n."""
    tail: Floats = np.cumsum(_ways(m, n) / _choose(m + n, m))
    return tail


@cache
def _ways(m: int, n: int) -> Floats:
    """In how many orders W is w, for w = 0 to m n / 2, m <= n.

    The largest value of all belongs to one group or to the other, and is then left out. Beyond 2^53
    the counts are rounded: therefore the mirror image is used where R uses it, and no count for
    more of the second group than w, where it would be the same.
    """
    half = m * n // 2
    if m == 0:
        return np.ones(1)
    ways = np.empty(half + 1)
    short = min(n, half + 1)
    ways[:short] = [_way(w, m, w) for w in range(short)]
    if short <= half:
        w = np.arange(short, half + 1)
        ways[short:] = _ways(m - 1, n)[w - n] + _mirrored(w, m, n - 1)
    return ways


def _way(w: int, m: int, n: int) -> float:
    return float(_mirrored(np.array([w]), m, n)[0])


def _mirrored(w: Longs, m: int, n: int) -> Floats:
    """The ways for any w up to m n: the distribution is symmetric."""
    return _ways(min(m, n), max(m, n))[np.minimum(w, m * n - w)]


def _choose(n: int, k: int) -> float:
    """R's ``choose(n, k)`` for k up to n / 2."""
    if k < _SHORT_PRODUCT:
        product = float(n)
        for j in range(2, k + 1):
            product *= (n - j + 1) / j
        return float(round(product)) if k else 1.0
    p, q = k + 1.0, n - k + 1.0
    rest = _stirling(p) + _stirling(q) - _stirling(p + q)
    log_beta = (
        math.log(q) * -0.5 + _LOG_ROOT_2PI + rest
        + (p - 0.5) * math.log(p / (p + q)) + q * math.log1p(-p / (p + q))
    )  # fmt: skip
    return math.exp(-math.log(n + 1.0) - log_beta)


def _stirling(x: float) -> float:
    """What Stirling's formula for log(gamma(x)) lacks; for x above 30."""
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x


# ---- more groups ---------------------------------------------------------------------------------


def _kruskal(ranked: _Ranked, sums: Floats, counts: Floats) -> RankTest:
    n = counts.sum(axis=0)
    there = counts > 0
    terms = np.where(there, sums**2 / np.where(there, counts, 1), 0.0)
    tied = ranked.ties(_new_as_text(ranked)) / (n**3 - n)
    statistic = (12 * _long_sums(terms) / (n * (n + 1)) - 3 * (n + 1)) / (1 - tied)
    groups = there.sum(axis=0)
    statistic[groups < 2] = np.nan
    return RankTest(
        statistic, chi_square_tail(statistic, groups - 1), np.zeros(len(n), dtype=np.bool_)
    )


def _new_as_text(ranked: _Ranked) -> npt.NDArray[np.bool_]:
    """As ``ranked.new``, for values as text: R's ``table(x)`` counts what it writes alike."""
    before, after = ranked.values[:, :-1], ranked.values[:, 1:]
    near = ranked.new[:, 1:] & (after - before <= _SAME_TEXT * np.abs(after))
    new = ranked.new.copy()
    for test, place in zip(*np.nonzero(near), strict=True):
        low, high = before[test, place], after[test, place]
        new[test, place + 1] = number_text(float(low)) != number_text(float(high))
    return new


def _long_sums(terms: Floats) -> Floats:
    """R's sums over the first axis, which it takes in 80 bits: rounded once, as far as we see.

    Where the double next to the exact sum could be another than the one next to R's, R's steps are
    taken one by one.
    """
    total = np.zeros(terms.shape[1])
    lost = np.zeros(terms.shape[1])
    for term in terms:
        new = total + term
        part = new - total
        lost += (total - (new - part)) + (term - part)
        total = new
    result = total + lost
    rest = lost - (result - total)
    doubt = len(terms) * 2.0**-10
    for test in np.flatnonzero(np.abs(rest) > (0.5 - doubt) * np.spacing(result) / 2):
        result[test] = _long_sum(terms[:, test].tolist())
    return result


def _long_sum(terms: list[float]) -> float:
    high = ld.ZERO
    for term in terms:
        m, e = ld.from_double(term)
        low = min(e, high[1])
        high = ld.rounded((high[0] << (high[1] - low)) + (m << (e - low)), low)
    return ld.to_double(high)
