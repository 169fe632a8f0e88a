"""Tails of the permutation distribution of a rank sum with ties, for groups of any size.

If the classes have nothing to do with the values, every way to deal the values to the two groups is
equally likely. If many values are tied, the distribution of the rank sum is skewed, and R's normal
approximation, its default from 50 values on, is off by orders of magnitude far out in the tail.

:func:`rank_sum_p_values` is exact where there are few ways to deal the tied values (zeros and ones,
rare counts), and where values are often tied and :mod:`pycdf.kernels.exact_ranks` can count the
ways in some milliseconds. Otherwise it uses the saddlepoint approximation for sampling without
replacement: I. M. Skovgaard, Saddlepoint expansions for conditional distributions, Journal of
Applied Probability 24 (1987), with his correction for sums on a grid. Its relative error is about
a per cent with few ties, also where p-values are tiny. With many ties it is less accurate, and the
p-value is made half as large again.
All functions used are made of IEEE operations: p-values have the same bits on every processor.
"""

import math

import numpy as np
import numpy.typing as npt

from pycdf.kernels.compile import entry, inner
from pycdf.kernels.exact_ranks import common_divisor, tied_p_values
from pycdf.kernels.simd import double_of
from pycdf.kernels.tails import normal_tail

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

_MOST_WAYS = 20_000  # to deal the tied values, gone through one by one
_MOST_WORK = 5e7  # additions: some milliseconds
_COUNT = -1.0  # marks the tests whose ways are counted
_FEW = 20
_LARGE_SHARE = 0.1
_CAUTION = 1.5  # between large jumps, the approximation can be too small by about this factor
_LOG2_E = 1.4426950408889634
_LN2_FIRST = 0.6931471803691238  # 32 bits: its product with a power of two is exact
_LN2_REST = 1.9082149292705877e-10
_ONE_BY_ROOT_2PI = 0.3989422804014327
_STEPS = 200  # of Newton's method; about 10 are needed
_LONGEST_STEP = 2.0
_CONVERGED = 1e-10  # in standard deviations
_NEAR_THE_MEAN = 0.05
_FARTHEST = 300.0  # of the exponent; beyond, a p-value is below 1e-100


def rank_sum_p_values(twice_ranks: Longs, twice_sum: Longs, m: Longs, n: Longs) -> Floats:
    """Two-sided p-values, one test per row: twice the smaller tail, at most 1.

    The arguments are those of :func:`pycdf.kernels.exact_ranks.tied_p_values`.
    """
    p = np.empty(len(m))
    ranks = np.ascontiguousarray(twice_ranks, dtype=np.int64)
    _rank_sum_p_values(ranks, twice_sum, m, n, p)
    count = np.flatnonzero(p == _COUNT)
    if count.size:
        p[count] = tied_p_values(ranks[count], twice_sum[count], m[count], n[count])
    return p


@entry(allocates=True)
def _rank_sum_p_values(twice_ranks, twice_sum, m, n, p):
    longest = twice_ranks.shape[1]
    scores = np.empty(longest, dtype=np.int64)
    counts = np.empty(longest, dtype=np.int64)
    dealt = np.empty(longest, dtype=np.int64)
    log_factorials = np.zeros(longest + 1)
    for i in range(2, longest + 1):
        log_factorials[i] = log_factorials[i - 1] + _log(np.float64(i))
    for test in range(len(p)):
        size = m[test] + n[test]
        distinct = _distinct(twice_ranks[test, :size], scores, counts)
        if distinct < 2:
            p[test] = 1.0
            continue
        # The smaller group is enough: its rank sum determines that of the other one.
        take = min(m[test], n[test])
        total = twice_sum[test]
        if m[test] > n[test]:
            total = size * (size + 1) - total
        here, often = scores[:distinct], counts[:distinct]
        if _ways(often, take) <= _MOST_WAYS:
            low, high = _enumerate(here, often, size, take, total, dealt, log_factorials)
            p[test] = min(2.0 * min(low, high), 1.0)
        elif not _is_lumpy(often, size, take):
            p[test] = min(2.0 * _saddlepoint_tail(here, often, size, take, total), 1.0)
        elif _work(here, size, take, total) <= _MOST_WORK:
            p[test] = _COUNT
        else:
            tail = _saddlepoint_tail(here, often, size, take, total)
            p[test] = min(2.0 * _CAUTION * tail, 1.0)


@inner
def _distinct(ranks, scores, counts):
    """Write the distinct ranks, ascending, and how often each occurs; return how many there are."""
    found = 0
    for i in range(ranks.size):
        if i == 0 or ranks[i] != ranks[i - 1]:
            scores[found] = ranks[i]
            counts[found] = 0
            found += 1
        counts[found - 1] += 1
    return found


@inner
def _most_frequent(counts):
    """The place of the largest count."""
    most = 0
    for v in range(1, counts.size):
        if counts[v] > counts[most]:
            most = v
    return most


@inner
def _is_lumpy(counts, size, take):
    """Whether the sum has large jumps, between which the saddlepoint approximation is poor."""
    return take < _FEW or counts[_most_frequent(counts)] > _LARGE_SHARE * size


@inner
def _work(scores, size, take, total):
    """About how many additions it takes to count all ways."""
    below = total - take * scores[0]
    above = take * scores[-1] - total
    return np.float64(size) * take * min(below, above)


# ---- one by one ----------------------------------------------------------------------------------


@inner
def _ways(counts, take):
    """How many ways there are to draw from all distinct values but the most frequent one."""
    base = _most_frequent(counts)
    ways = 1.0
    for v in range(counts.size):
        if v != base:
            ways *= min(counts[v], take) + 1.0
    return ways


@inner
def _enumerate(scores, counts, size, take, total, dealt, log_factorials):
    """Both tails from ``total`` on, it included."""
    base = _most_frequent(counts)
    all_ways = log_factorials[size] - log_factorials[take] - log_factorials[size - take]
    for v in range(counts.size):
        dealt[v] = 0
    low = high = 0.0
    while True:
        drawn = 0
        for v in range(counts.size):
            drawn += dealt[v] if v != base else 0
        dealt[base] = take - drawn
        if 0 <= dealt[base] <= counts[base]:
            sum_here = 0
            log_share = -all_ways
            for v in range(counts.size):
                sum_here += dealt[v] * scores[v]
                log_share += (
                    log_factorials[counts[v]]
                    - log_factorials[dealt[v]]
                    - log_factorials[counts[v] - dealt[v]]
                )
            share = _exp(log_share)
            low += share if sum_here <= total else 0.0
            high += share if sum_here >= total else 0.0
        v = 0  # the next way, as an odometer counts
        while v < counts.size and (v == base or dealt[v] == min(counts[v], take)):
            if v != base:
                dealt[v] = 0
            v += 1
        if v == counts.size:
            return low, high
        dealt[v] += 1


# ---- saddlepoint ---------------------------------------------------------------------------------


@inner
def _saddlepoint_tail(scores, counts, size, take, total):
    """The probability of a sum as far from its mean as ``total``, on the same side, or farther.

    Drawing ``take`` of ``size`` values is drawing each with probability q = take / size, given that
    ``take`` are drawn. With tilts (theta, delta), K = sum of log(1 - q + q exp(delta + theta b))
    over centred scores b; the tail follows from K where its gradient is (the sum, take).
    """
    step = np.int64(0)
    for v in range(scores.size):
        step = common_divisor(scores[v] - scores[0], step)
    mean = size + 1.0  # of twice the ranks
    q = take / size
    spread = 0.0
    for v in range(scores.size):
        spread += counts[v] * (scores[v] - mean) ** 2
    spread = np.sqrt(q * (1.0 - q) * spread)  # about the standard deviation of the sum
    side = 1.0 if total > take * mean else -1.0
    grid = step / spread
    # Half a grid step towards the mean: the tail of a step function at its middle
    x = abs(total - take * mean) / spread - 0.5 * grid
    if x < _NEAR_THE_MEAN:
        return 1.0
    theta = delta = 0.0
    farthest = max(mean - scores[0], scores[-1] - mean) / spread
    reached = False
    for _ in range(_STEPS):
        off_x, off_n = -x, 0.0
        xx = xn = nn = 0.0
        for v in range(scores.size):
            b = side * (scores[v] - mean) / spread
            odds = q * _exp(delta + theta * b)
            chance = odds / (1.0 - q + odds)
            off_n += counts[v] * (chance - q)
            off_x += counts[v] * (chance - q) * b
            weight = counts[v] * chance * (1.0 - chance)
            nn += weight
            xn += weight * b
            xx += weight * b * b
        determinant = xx * nn - xn * xn
        reached = abs(off_x) < _CONVERGED and abs(off_n) < _CONVERGED * take
        if reached or not determinant > 0.0:
            break
        by_theta = (off_n * xn - off_x * nn) / determinant
        by_delta = (off_x * xn - off_n * xx) / determinant
        longest = abs(by_delta) + abs(by_theta) * farthest
        if longest > _LONGEST_STEP:
            by_theta *= _LONGEST_STEP / longest
            by_delta *= _LONGEST_STEP / longest
        theta += by_theta
        delta += by_delta
        if abs(delta) + abs(theta) * farthest > _FARTHEST:
            break
    cumulant = 0.0
    for v in range(scores.size):
        b = side * (scores[v] - mean) / spread
        cumulant += counts[v] * _log(1.0 - q + q * _exp(delta + theta * b))
    exponent = theta * x + delta * take - cumulant
    if not (reached and exponent > 0.0):  # at the very end of the range: a bound is enough
        return _exp(-max(exponent, 0.0))
    w = np.sqrt(2.0 * exponent)
    half = 0.5 * grid * theta
    sinh = half * (1.0 + half * half / 6.0) if half < 1e-3 else 0.5 * (_exp(half) - _exp(-half))
    u = sinh * 2.0 / grid * np.sqrt(determinant / (size * q * (1.0 - q)))
    tail = normal_tail(w) + _ONE_BY_ROOT_2PI * _exp(-exponent) * (1.0 / u - 1.0 / w)
    return max(tail, 0.0)


# ---- functions with the same bits everywhere -----------------------------------------------------


@inner
def _exp(x):
    """``exp(x)`` to within some units in the last place; 0 if it is very small."""
    if x < -700.0:
        return 0.0
    power = np.floor(x * _LOG2_E + 0.5)
    rest = (x - power * _LN2_FIRST) - power * _LN2_REST
    value = 1.0
    for i in range(14, 0, -1):
        value = 1.0 + value * rest / i
    return value * double_of((np.int64(power) + 1023) << 52)


@inner
def _log(x):
    """``log(x)`` of a normal positive double to within some units in the last place."""
    mantissa, power = math.frexp(x)
    if mantissa < 0.7071067811865476:
        mantissa *= 2.0
        power -= 1
    part = (mantissa - 1.0) / (mantissa + 1.0)
    square = part * part
    value = 0.0
    for i in range(23, 0, -2):
        value = value * square + 1.0 / i
    return power * _LN2_FIRST + (power * _LN2_REST + 2.0 * part * value)
