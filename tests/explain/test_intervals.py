"""Intervals and the test of pairs: against SciPy, by definition, and how often they hold."""

from math import isnan, sqrt

import numpy as np
import pytest
from scipy.stats import binomtest

from pycdf.explain.intervals import auc_bounds, paired_p_value, proportion_bounds
from pycdf.validation import auc

Z = 1.959963984540054


@pytest.mark.parametrize(
    ("count", "total"), [(0, 1), (1, 1), (0, 9), (154, 174), (9, 9), (5000, 9999)]
)
def test_proportions_have_wilsons_interval(count, total):
    wanted = binomtest(count, total).proportion_ci(method="wilson")
    assert proportion_bounds(count, total) == pytest.approx(wanted, abs=1e-12)


def test_the_estimate_is_inside_its_interval_even_at_the_ends():
    assert proportion_bounds(0, 7)[0] == 0
    assert proportion_bounds(7, 7)[1] == 1
    assert all(map(isnan, proportion_bounds(0, 0)))


@pytest.mark.parametrize(
    ("better", "worse"), [(10, 2), (2, 10), (0, 7), (5, 5), (6, 5), (0, 0), (1, 0), (900, 800)]
)
def test_pairs_have_mcnemars_exact_test(better, worse):
    wanted = binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert paired_p_value(better, worse) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize(
    ("area", "m", "n"),
    [(0.5, 5, 5), (0.94, 89, 85), (0.7, 6, 300), (0.999, 40, 12), (0.01, 20, 20)],
)
def test_the_bounds_of_an_auc_are_196_standard_errors_from_it(area, m, n):
    """Newcombe (2006), method 5: the standard error is that of the bound, not of the estimate."""
    low, high = auc_bounds(area, m, n)
    assert 0 < low < area < high < 1
    for bound in (low, high):
        q1, q2 = bound / (2 - bound), 2 * bound**2 / (1 + bound)  # Hanley and McNeil (1982)
        weight = (m + n) / 2 - 1
        variance = bound * (1 - bound) + weight * (q1 - bound**2) + weight * (q2 - bound**2)
        assert abs(area - bound) == pytest.approx(Z * sqrt(variance / (m * n)), rel=1e-9)


def test_the_interval_of_an_auc_does_not_depend_on_which_class_is_asked_for():
    low, high = auc_bounds(0.8, 7, 30)
    assert auc_bounds(0.2, 30, 7) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_a_perfect_auc_is_not_certain():
    low, high = auc_bounds(1.0, 10, 10)
    assert high == 1
    assert 0.7 < low < 0.85
    assert auc_bounds(0.0, 10, 10)[0] == 0


@pytest.mark.parametrize(("m", "n"), [(4, 100), (100, 4), (0, 9)])
def test_few_rows_have_no_interval_of_the_auc(m, n):
    assert all(map(isnan, auc_bounds(0.7, m, n)))


@pytest.mark.parametrize(("apart", "m", "n"), [(0.5, 15, 40), (2.0, 10, 10), (1.2, 50, 50)])
def test_intervals_of_the_auc_hold_in_95_of_100_samples(apart, m, n):
    """Normal scores: the true area is known. 1,000 samples give the share to 0.7 %."""
    from scipy.stats import norm

    true = norm.cdf(apart / sqrt(2))
    draw = np.random.default_rng(7)
    positive = np.repeat([True, False], [m, n])
    held = 0
    for _ in range(1000):
        low, high = auc_bounds(auc(positive, draw.normal(size=m + n) + apart * positive), m, n)
        held += low <= true <= high
    assert 930 <= held <= 985
