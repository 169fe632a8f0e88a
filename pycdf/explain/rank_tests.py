"""R's ``wilcox.test`` and ``kruskal.test`` for many columns at once, with their default arguments.

:func:`rank_test` takes values (rows x tests, missing ones NaN) and the group of each row, and
returns a :class:`RankTest`: a statistic and a two-sided p-value per test, NaN where R stops because
a group has no values.

Two groups: Wilcoxon's W of the first one. With fewer than 50 values in both groups the p-value is
exact, with ties as without, as in R 4.6; see :mod:`pycdf.kernels.exact_ranks`. Otherwise it is that
of the normal distribution, corrected for ties and for continuity; there R 4.6 takes the upper tail
as what the lower one leaves of 1, and loses small p-values to rounding, which is not followed.

More groups: the chi-square of Kruskal and Wallis, corrected for ties.

Statistics have R's bits. How close p-values are to R's: see :mod:`pycdf.kernels.tails` and
:mod:`pycdf.kernels.exact_ranks`. All have the same bits on every processor.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pycdf.base_r import long_double as ld
from pycdf.base_r.numbers import number_text
from pycdf.kernels.exact_ranks import tied_p_values, untied_p_values
from pycdf.kernels.tails import chi_square_tail, normal_tails

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

_EXACT_BELOW = 50
_SAME_TEXT = 1e-14  # doubles that R writes alike, with 15 digits, are closer than this


@dataclass(frozen=True, eq=False)
class RankTest:
    """One test per column."""

    statistic: Floats
    p_value: Floats
    exact: npt.NDArray[np.bool_]
    """Whether the p-value is the exact one."""


@dataclass(frozen=True, eq=False)
class Ranked:
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
        ranked = rank_columns(values, groups)
        members = [ranked.groups == group for group in range(n_groups)]
        counts = np.array([member.sum(axis=1) for member in members], dtype=np.float64)
        twice = ranked.twice_ranks()
        sums = np.array([(member * twice).sum(axis=1) for member in members]) / 2
        return (_wilcoxon if n_groups == 2 else _kruskal)(ranked, sums, counts)


def rank_columns(values: Floats, groups: npt.NDArray[np.integer]) -> Ranked:
    """Sort the values of each test (rows x tests) with the groups of their rows."""
    columns = np.ascontiguousarray(values.T)
    order = np.argsort(columns, axis=1)
    ascending = columns[np.arange(len(columns))[:, np.newaxis], order]
    new = np.ones(ascending.shape, dtype=np.bool_)
    new[:, 1:] = ascending[:, 1:] != ascending[:, :-1]  # NaN differs from NaN: never tied
    group_of = groups[order]
    group_of[np.isnan(ascending)] = -1
    return Ranked(ascending, group_of, new)


# ---- two groups ----------------------------------------------------------------------------------


def _wilcoxon(ranked: Ranked, sums: Floats, counts: Floats) -> RankTest:
    m, n = counts
    possible = (m > 0) & (n > 0)
    statistic = np.where(possible, sums[0] - m * (m + 1) / 2, np.nan)
    exact = possible & (m < _EXACT_BELOW) & (n < _EXACT_BELOW)
    untied = exact & ranked.new.all(axis=1)
    tied = exact & ~untied
    p_value = np.empty(len(statistic))
    if not exact.all():
        z = statistic - m * n / 2
        correction = ranked.ties(ranked.new) / ((m + n) * (m + n - 1))
        sigma = np.sqrt((m * n / 12) * ((m + n + 1) - correction))
        p_value = normal_tails((z - np.sign(z) * 0.5) / sigma)
    for sizes in set(zip(m[untied].tolist(), n[untied].tolist(), strict=True)):
        these = untied & (m == sizes[0]) & (n == sizes[1])
        p_value[these] = untied_p_values(statistic[these].astype(np.int64), *map(int, sizes))
    if tied.any():
        p_value[tied] = tied_p_values(
            ranked.twice_ranks()[tied],
            *(whole[tied].astype(np.int64) for whole in (2 * sums[0], m, n)),
        )
    return RankTest(statistic, p_value, exact)


# ---- more groups ---------------------------------------------------------------------------------


def _kruskal(ranked: Ranked, sums: Floats, counts: Floats) -> RankTest:
    n = counts.sum(axis=0)
    there = counts > 0
    terms = np.where(there, sums * sums / np.where(there, counts, 1), 0.0)
    tied = ranked.ties(_new_as_text(ranked)) / (n * n * n - n)
    statistic = (12 * _long_sums(terms) / (n * (n + 1)) - 3 * (n + 1)) / (1 - tied)
    groups = there.sum(axis=0)
    statistic[groups < 2] = np.nan
    return RankTest(
        statistic, chi_square_tail(statistic, groups - 1), np.zeros(len(n), dtype=np.bool_)
    )


def _new_as_text(ranked: Ranked) -> npt.NDArray[np.bool_]:
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
