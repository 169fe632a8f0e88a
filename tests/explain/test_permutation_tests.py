"""p-values by permutation: which test they belong to, and that nothing is found in null data."""

import numpy as np
import pytest

from pycdf.explain.permutation_tests import permutation_p_values
from pycdf.explain.rank_tests import rank_test


def both(values, groups):
    test = rank_test(values, groups)
    return test, permutation_p_values(values, groups, test)


def test_exact_tests_of_two_groups_are_kept():
    rng = np.random.default_rng(1)
    values = rng.poisson(1.0, (60, 30)).astype(float)
    test, p = both(values, np.arange(60) % 2)
    assert test.exact.all()
    assert p.tolist() == test.p_value.tolist()


def test_large_groups_without_ties_keep_the_normal_approximation():
    values = np.random.default_rng(2).normal(size=(130, 5))
    test, p = both(values, np.arange(130) % 2)
    assert not test.exact.any()
    assert p.tolist() == test.p_value.tolist()


def test_large_groups_with_ties_do_not():
    values = (np.random.default_rng(3).random((130, 50)) < 0.05).astype(float)
    test, p = both(values, (np.arange(130) % 10 == 0).astype(np.int64))
    assert not test.exact.any()
    assert (p != test.p_value).sum() > 40


def test_more_groups_take_the_smallest_p_value_of_one_against_the_rest():
    rng = np.random.default_rng(4)
    values = rng.poisson(0.4, (90, 40)).astype(float)
    groups = np.repeat([0, 1, 2], [70, 10, 10])
    values[groups == 2, :5] = np.nan
    values[groups > 0, 5] = np.nan
    test, p = both(values, groups)
    assert np.isnan(p).tolist() == np.isnan(test.statistic).tolist() == [*[False] * 5, True,
                                                                         *[False] * 34]  # fmt: skip
    for j in (0, 7, 20):
        there = ~np.isnan(values[:, j])
        column, of = values[there][:, [j]], groups[there]
        alone = [both(column, (of != one).astype(np.int64))[1][0] for one in np.unique(of)]
        assert p[j] == min(1.0, len(alone) * min(alone))


@pytest.mark.endurance
@pytest.mark.parametrize(
    ("make", "sizes"),
    [
        (lambda rng, shape: rng.random(shape) < 0.06, (50, 10)),
        (lambda rng, shape: rng.poisson(0.08, shape), (50, 10)),
        (lambda rng, shape: rng.random(shape) < 0.06, (70, 10, 10)),
        (lambda rng, shape: rng.poisson(0.08, shape), (70, 10, 10)),
    ],
    ids=["binary, 2", "counts, 2", "binary, 3", "counts, 3"],
)
def test_little_is_found_where_there_is_nothing_to_find(make, sizes):
    """`benchmarks/calibration.py` has the figures. R's p-values fail here."""
    sets, features = 60, 400
    groups = np.repeat(np.arange(len(sizes)), sizes)
    hits = np.zeros(2)
    for number in range(sets):
        values = make(np.random.default_rng(number), (len(groups), features)).astype(float)
        test, p = both(values[:, values.std(axis=0) > 0], groups)
        hits += [p.min() * features < 0.05, test.p_value.min() * features < 0.05]
    assert hits[0] <= 6  # with a true rate of 5 %, more than 6 of 60 have a probability of 3 %
    assert hits[1] >= 12
