"""The paired comparison, against scipy, against counting, and against Demšar's worked example."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pycdf.experiment.statistics import (
    alike,
    compare_methods,
    critical_difference,
    holm,
    signed_rank,
)

# J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006), table 6:
# AUC of C4.5 without, and with tuning of, the minimal leaf (m) and of the pruning (cf), or of both.
# He prints 0.975 twice on voting, and ranks the two 2 and 3: his ranks are of unrounded figures.
DEMSAR = pd.DataFrame(
    [
        [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
    ],
    columns=["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"],
)  # fmt: skip


def counted_p(differences):
    """The two-sided p-value by writing down every choice of signs."""
    kept = differences[differences != 0]
    ranks = stats.rankdata(np.abs(kept))
    up = ranks[kept > 0].sum()
    far = min(up, ranks.sum() - up) + 1e-9
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in itertools.product([0, 1], repeat=len(kept))
    ]
    return min(1.0, 2 * np.mean([one <= far for one in sums]))


@pytest.mark.parametrize("seed", range(12))
def test_signed_ranks_are_scipys_where_there_are_no_ties(seed):
    rng = np.random.default_rng(seed)
    differences = rng.normal(0.3, 1, int(rng.integers(5, 31)))
    expected = stats.wilcoxon(differences, method="exact")
    statistic, p = signed_rank(differences)
    assert statistic == expected.statistic
    assert p == pytest.approx(expected.pvalue, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_signed_ranks_are_exact_with_ties_and_zeros(seed):
    rng = np.random.default_rng(seed)
    differences = rng.integers(-3, 5, int(rng.integers(1, 11))).astype(float)
    assert signed_rank(differences)[1] == pytest.approx(counted_p(differences), rel=1e-12)


def test_no_difference_at_all_has_p_one():
    assert signed_rank(np.zeros(4)) == (0.0, 1.0)


def test_holm_by_hand():
    # sorted 0.01 0.02 0.03 0.04: times 4, 3, 2, 1 is 0.04 0.06 0.06 0.04, and never falls
    assert holm(np.array([0.04, 0.01, 0.03, 0.02])) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm(np.array([0.6, 0.9])).tolist() == [1.0, 1.0]


def test_demsars_worked_example():
    got = compare_methods(DEMSAR, "C4.5")
    assert got.mean_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    expected = stats.friedmanchisquare(*DEMSAR.to_numpy().T)
    assert got.friedman == (expected.statistic, expected.pvalue)
    assert round(got.critical_difference, 2) == 1.25
    assert got.groups == [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]
    worst = got.wilcoxon.loc["C4.5+m"]
    assert (worst["wins"], worst["ties"], worst["losses"]) == (2, 2, 10)


def test_nemenyis_q_is_demsars_table_5():
    published = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    at_ten = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
    for alpha, table in ((0.05, published), (0.10, at_ten)):
        for k, q in enumerate(table, 2):
            got = critical_difference(k, 10, alpha) / np.sqrt(k * (k + 1) / 60)
            assert got == pytest.approx(q, abs=1.01e-3)  # three digits are printed


def test_rows_with_a_gap_and_methods_without_any_answer_take_no_part():
    means = DEMSAR.assign(none=np.nan)
    means.iloc[3, 1] = np.nan
    got = compare_methods(means, "C4.5")
    assert len(got.data) == 13
    assert got.mean_ranks.index.tolist() == DEMSAR.columns.tolist()


def test_sums_in_another_order_are_still_ties():
    means = pd.DataFrame({"a": [0.1 + 0.2, 0.5], "b": [0.3, 0.5]})
    assert compare_methods(means, "a").wilcoxon.loc["b", "ties"] == 2


def test_the_smallest_possible_p_is_told():
    means = pd.DataFrame({name: np.arange(8.0) - j for j, name in enumerate("abcdefgh")})
    got = compare_methods(means, "a")
    assert got.smallest_p == got.wilcoxon["p_holm"].min() == 7 / 128


def test_two_methods_or_one_data_set_have_no_friedman_test():
    assert np.isnan(compare_methods(DEMSAR.iloc[:, :2], "C4.5").friedman[1])
    assert np.isnan(compare_methods(DEMSAR[:1], "C4.5").friedman[1])


def test_groups_are_the_largest_runs():
    ranks = pd.Series({"d": 4.0, "a": 1.0, "b": 2.0, "c": 3.4})
    assert alike(ranks, 1.0) == [["a", "b"], ["c", "d"]]
    assert alike(ranks, 1.5) == [["a", "b"], ["b", "c"], ["c", "d"]]
    assert alike(ranks, 0.5) == []
    assert alike(ranks, 9.0) == [["a", "b", "c", "d"]]


def test_no_critical_difference_of_one_method_or_no_data():
    assert np.isnan(critical_difference(1, 5))
    assert np.isnan(critical_difference(3, 0))
