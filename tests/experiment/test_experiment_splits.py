"""The experiment's splits; parity_tests compares many more of them with R."""

import numpy as np
import pytest

from pycdf.experiment.splits import check_splits, count_splits, split, split_seed

FROM_R = {  # set.seed(seed + 2); sample(n, floor(0.7 * n)), R 4.2.2
    (10, 1): [5, 7, 4, 2, 3, 8, 9],
    (13, 1): [5, 10, 7, 4, 8, 3, 11, 12, 2],
    (10, -7): [7, 9, 1, 4, 10, 6, 5],
    (13, -7): [7, 9, 12, 4, 8, 6, 5, 11, 10],
}


@pytest.mark.parametrize(("n", "seed"), FROM_R)
def test_the_rows_are_those_that_r_draws(n, seed):
    train, test = split(n, seed, 2)
    assert (train + 1).tolist() == FROM_R[n, seed]
    assert sorted({*train, *test}) == list(range(n))
    assert len(train) + len(test) == n
    assert (np.diff(test) > 0).all()


def test_r_rounds_as_we_do():
    assert len(split(90, 1, 1)[0]) == 62  # R: floor(0.7 * 90), since 0.7 * 90 is below 63


def test_a_split_is_another_for_another_seed_or_number():
    first = split(50, 1, 1)[0]
    assert not np.array_equal(first, split(50, 1, 2)[0])
    assert np.array_equal(split(50, 1, 2)[0], split(50, 2, 1)[0])  # both are set.seed(3)
    assert split_seed(1, 2) == 3


def test_what_cannot_be_split_is_refused():
    with pytest.raises(ValueError, match="1 row cannot be split"):
        split(1, 1, 1)
    with pytest.raises(ValueError, match="splits count from 1"):
        split(10, 1, 0)
    with pytest.raises(ValueError, match="seed=2147483648 is not a seed"):
        split(10, 2**31 - 1, 1)


LARGEST = 2**31 - 1


@pytest.mark.parametrize("splits", [0, -1, 1.5, "3", None])
def test_a_number_of_splits_that_is_none(splits):
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole message is compared)
        check_splits(splits, 1)
    assert str(error.value) == f"splits={splits!r}: pass a whole number of at least 1."


@pytest.mark.parametrize("seed", [LARGEST - 4, -LARGEST - 1, 0.5, None])
def test_a_seed_beyond_those_of_r(seed):
    """The last split has the seed ``seed + splits``, which R must accept, too."""
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole message is compared)
        check_splits(5, seed)
    assert str(error.value) == (
        f"seed={seed!r}: pass a whole number from {-LARGEST} to {LARGEST - 5}. Split i uses R's "
        f"set.seed(seed + i), which accepts no more than {LARGEST}."
    )


def test_the_first_and_the_last_seed():
    for seed in (-LARGEST, LARGEST - 5):
        check_splits(5, seed)
        assert split_seed(seed, 5) == seed + 5


def test_the_fewest_rows_folds_and_repeats():
    train, test = split(2, 1, 1)
    assert sorted([*train, *test]) == [0, 1]
    assert count_splits(None, 2, 1) == 2
    check_splits(1, 1)
