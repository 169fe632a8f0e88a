"""The exact distribution of Wilcoxon's W, with ties and without, as R 4.6 computes it.

Without ties, W has the distribution of Mann and Whitney: the counts follow a recursion by
A. Loeffler, and each tail is summed from its own end, in R's order, so that p-values have R's
bits. With ties, W has the distribution of a sum of ``m`` ranks drawn from the given ones, mean
ranks included; the counts follow the shift algorithm of Streitberg and Roehmel (1986).

With ties, R sums the lower tail and computes the upper one as 1 minus the lower. For small upper
tails the result is only rounding error: 0 or even negative. Here both tails are summed from their
own ends. The lower one has R's bits as long as all counts are below 2^53, that is up to 56 values.
"""

import math
from decimal import Decimal, localcontext
from functools import cache

import numpy as np
import numpy.typing as npt

from pycdf.kernels.compile import entry, inner
from pycdf.kernels.extended_sums import sum80

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

_SHORT_PRODUCT = 30  # up to here R's choose() is a product, beyond it uses logarithms
_LOG_ROOT_2PI = 0.9189385332046728
_DIGITS = 50  # of logarithms, before they are rounded to a double
# R uses the C library's log1p. For these sizes of two groups (m <= n, from 30 to 49) its result in
# glibc is not the double nearest to the logarithm but the next one above or below.
_LOG1P_ABOVE = {
    (30, 45), (30, 46), (31, 36), (31, 40), (31, 43), (32, 37), (32, 38), (34, 39), (35, 43),
    (35, 45), (39, 43), (41, 47),
}  # fmt: skip
_LOG1P_BELOW = {(30, 47), (31, 37), (31, 41), (33, 48), (33, 49), (36, 45), (41, 45)}


# ---- without ties --------------------------------------------------------------------------------


def untied_p_values(statistic: Longs, m: int, n: int) -> Floats:
    """The two-sided p-value of W: twice the smaller tail."""
    tail = _lower_tail(min(m, n), max(m, n))
    other = m * n - statistic
    # Just above the middle, R computes the upper tail as 1 minus the lower one.
    left = (statistic > other) & (statistic - 1 <= other + 1)
    p = np.where(left, 0.5 - tail[np.minimum(statistic - 1, len(tail) - 1)] + 0.5,
                 tail[np.minimum(statistic, other)])  # fmt: skip
    both: Floats = np.minimum(2 * p, 1.0)
    return both


@cache
def _lower_tail(m: int, n: int) -> Floats:
    """P(W <= w) for w up to the middle, m <= n."""
    ways = np.empty(m * n // 2 + 1)
    _count_ways(m, n, ways)
    tail: Floats = np.cumsum(ways / _choose(m + n, m))
    return tail


@entry(allocates=True)
def _count_ways(m, n, ways):
    """The number of orders in which W is w, for w from 0 on, m <= n.

    The generating function of the counts is the product of (1 - x^(n + i)) / (1 - x^i) for i from 1
    to m. Its logarithmic derivative gives each count from all earlier ones: w times the count is
    the sum over earlier counts, at v, each times a sum of divisors of w - v. Beyond 2^53 the steps
    round, so their order is R's.
    """
    divisors = np.zeros(len(ways))
    for d in range(1, m + 1):
        for multiple in range(d, len(ways), d):
            divisors[multiple] += d
    for d in range(n + 1, m + n + 1):
        for multiple in range(d, len(ways), d):
            divisors[multiple] -= d
    ways[0] = 1.0
    for w in range(1, len(ways)):
        total = 0.0
        for i in range(w):
            total += ways[i] * divisors[w - i]
        ways[w] = total / w


def _choose(n: int, k: int) -> float:
    """R's ``choose(n, k)`` for k up to n / 2."""
    if k < _SHORT_PRODUCT:
        product = float(n)
        for j in range(2, k + 1):
            product *= (n - j + 1) / j
        return float(round(product)) if k else 1.0
    p, q = k + 1.0, n - k + 1.0
    rest = _stirling(p) + _stirling(q) - _stirling(p + q)
    log1p = _log(1.0, -p / (p + q))
    if (k, n - k) in _LOG1P_ABOVE:
        log1p = math.nextafter(log1p, math.inf)
    elif (k, n - k) in _LOG1P_BELOW:
        log1p = math.nextafter(log1p, -math.inf)
    log_beta = _log(q) * -0.5 + _LOG_ROOT_2PI + rest + (p - 0.5) * _log(p / (p + q)) + q * log1p
    return _exp(-_log(n + 1.0) - log_beta)


def _stirling(x: float) -> float:
    """The error of Stirling's formula for log(gamma(x)), for x above 30."""
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x


def _log(x: float, more: float = 0.0) -> float:
    """The double nearest to ``log(x + more)``: the C library's differs between machines."""
    with localcontext() as context:
        context.prec = _DIGITS
        return float((Decimal(x) + Decimal(more)).ln())


def _exp(x: float) -> float:
    """The double nearest to ``exp(x)``."""
    with localcontext() as context:
        context.prec = _DIGITS
        return float(Decimal(x).exp())


# ---- with ties -----------------------------------------------------------------------------------


def tied_p_values(twice_ranks: Longs, twice_sum: Longs, m: Longs, n: Longs) -> Floats:
    """Two-sided p-values of W, one test per row: twice the smaller tail, at most 1.

    ``twice_ranks`` are twice the ranks of all values in ascending order (only the first ``m + n``
    count), ``twice_sum`` is the sum of those of the first group.
    """
    ways = [_all_ways(*sizes) for sizes in zip(m.tolist(), n.tolist(), strict=True)]
    p = np.empty(len(m))
    # one type of array on all systems: the kernel is compiled once
    ranks = np.ascontiguousarray(twice_ranks, dtype=np.int64)
    _tied_p_values(ranks, twice_sum, m, n, np.array(ways, dtype=np.float64), p)
    return p


@cache
def _all_ways(m: int, n: int) -> float:
    return float(math.comb(m + n, m))


@entry(allocates=True)
def _tied_p_values(twice_ranks, twice_sum, m, n, ways, p):
    for test in range(len(p)):
        size = m[test] + n[test]
        ranks = twice_ranks[test, :size]
        step = np.int64(0)
        for rank in ranks:
            step = common_divisor(rank - ranks[0], step)
        if step == 0:  # all values are equal
            p[test] = 1.0
            continue
        # The smaller group is enough: its rank sum determines that of the other one.
        take = min(m[test], n[test])
        total = twice_sum[test]
        if m[test] > n[test]:
            total = size * (size + 1) - total
        low = total <= take * (size + 1)
        tail = 1.0
        for _ in range(2):
            if low:
                scores = (ranks - ranks[0]) // step
                most = (total - take * ranks[0]) // step
            else:
                scores = (ranks[-1] - ranks[::-1]) // step
                most = (take * ranks[-1] - total) // step
            counts = np.zeros((take + 1, most + 1))
            before = np.zeros(size + 1, dtype=np.int64)
            before[1:] = np.cumsum(scores)
            _count_sums(scores, before, counts)
            shares = counts[take] / ways[test]
            tail = min(tail, sum80(shares, 0, 1, most + 1)[0])
            if tail < 0.5:  # then the other one is larger
                break
            low = not low
        p[test] = min(2.0 * tail, 1.0)


@inner
def common_divisor(a, b):
    """The greatest common divisor of two whole numbers >= 0."""
    while b != 0:
        a, b = b, a % b
    return a


@inner
def _count_sums(scores, before, counts):
    """Count the ways to draw ascending scores with each sum; the last row is complete.

    ``counts[i, j]`` becomes the number of ways to draw ``i`` scores with sum ``j``. Score by score,
    each is drawn or not. Only those sums are counted that ``i`` scores can have so far and from
    which a sum of the last row can still be reached. ``before[k]`` is the sum of the first ``k``
    scores.
    """
    size = len(scores)
    take = counts.shape[0] - 1
    most = counts.shape[1] - 1
    counts[0, 0] = 1.0
    for k in range(size):
        score = scores[k]
        seen = k + 1
        for i in range(min(take, seen), max(1, take - (size - seen)) - 1, -1):
            least = before[i - 1] + score
            rest = before[seen + take - i] - before[seen]  # at least, from the scores after k
            highest = min(most - rest, before[seen] - before[seen - i])
            row = counts[i, least:]
            shifted = counts[i - 1, before[i - 1] :]
            for j in range(highest - least + 1):
                row[j] += shifted[j]
