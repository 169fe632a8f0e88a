"""p-values of rank tests that also hold far out in the tail, where corrected ones are read.

R's default tests approximate: ``wilcox.test`` by a normal distribution from 50 values on,
``kruskal.test`` by a chi-square distribution always. With ties and unequal classes the true tail is
heavier, by orders of magnitude where p-values are small. :func:`permutation_p_values` takes them
from the distribution over all ways to deal the values to the classes instead.
"""

import numpy as np
import numpy.typing as npt

from pycdf.explain.rank_tests import RankTest, rank_columns, rank_test
from pycdf.kernels.rank_sum_tails import rank_sum_p_values

Floats = npt.NDArray[np.float64]


def permutation_p_values(values: Floats, groups: npt.NDArray[np.integer], test: RankTest) -> Floats:
    """Two-sided p-values of the columns of ``values``, whose ``rank_test`` is given.

    Two groups: Wilcoxon's test. Without ties the normal approximation of large groups is kept: the
    true tail is lighter. More groups: the smallest p-value of the tests of each group against the
    rest, times their number.
    """
    n_groups = int(groups.max()) + 1
    if n_groups == 2:
        return _two_groups(values, groups, test)
    smallest = np.full(values.shape[1], np.nan)
    tests = np.zeros(values.shape[1])
    for group in range(n_groups):
        against_rest = (groups != group).astype(np.int64)
        p = _two_groups(values, against_rest, rank_test(values, against_rest))
        tests += ~np.isnan(p)
        smallest = np.fmin(smallest, p)
    return np.minimum(smallest * tests, 1.0)


def _two_groups(values: Floats, groups: npt.NDArray[np.integer], test: RankTest) -> Floats:
    p = test.p_value.copy()
    approximate = np.flatnonzero(~test.exact & ~np.isnan(test.statistic))
    if approximate.size:
        ranked = rank_columns(values[:, approximate], groups)
        tied = ~ranked.new.all(axis=1)
        twice, first = ranked.twice_ranks()[tied], ranked.groups[tied] == 0
        second = (ranked.groups[tied] == 1).sum(axis=1)
        p[approximate[tied]] = rank_sum_p_values(
            twice, (first * twice).sum(axis=1), first.sum(axis=1), second
        )
    return p
