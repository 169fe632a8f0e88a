"""The stream by its properties; its values against R are in test_golden.py."""

import numpy as np
import pytest

from pycdf import RStream


def test_the_numbers_that_every_r_user_knows():
    assert (RStream(42).sample(10) + 1).tolist() == [1, 5, 10, 8, 2, 4, 6, 9, 7, 3]
    assert RStream(1).uniform(1)[0] == 0.2655086631421


def test_parts_of_a_stream_join_up():
    whole, parts = RStream(7), RStream(7)
    expected = whole.uniform(2000)
    assert np.array_equal(
        expected, np.r_[parts.uniform(1), parts.uniform(623), parts.uniform(1376)]
    )


@pytest.mark.parametrize("n", [1, 2, 3, 255, 256, 257, 32768, 32769, 65535, 65536, 65537, 200_000])
def test_a_full_sample_is_a_permutation(n):
    assert np.array_equal(np.sort(RStream(3).sample(n)), np.arange(n))


@pytest.mark.parametrize("n", [1, 2, 1000, 40_000, 70_000])
def test_a_sample_with_replacement_stays_below_n(n):
    drawn = RStream(3).sample(n, 5000, replace=True)
    assert drawn.min() >= 0
    assert drawn.max() < n


def test_a_small_sample_of_many_has_no_repeats():
    drawn = RStream(5).sample(20_000_000, 5000)
    assert len(np.unique(drawn)) == 5000


def test_a_copy_stands_at_the_same_place_and_goes_its_own_way():
    stream = RStream(9)
    stream.uniform(100)
    twin = stream.copy()
    assert np.array_equal(stream.uniform(700), twin.uniform(700))
    stream.uniform(1)
    assert stream.uniform(1)[0] != twin.uniform(1)[0]


def test_without_a_seed_every_stream_is_another_and_its_seed_repeats_it():
    one, other = RStream(), RStream()
    assert one.seed != other.seed
    assert np.array_equal(RStream(one.seed).uniform(5), one.uniform(5))


def test_too_large_a_sample_is_refused():
    with pytest.raises(ValueError, match=r"size=6 is more than n=5.*replace=True"):
        RStream(1).sample(5, 6)


@pytest.mark.parametrize("count", [-1, 2**60])
def test_counts_out_of_range_are_refused(count):
    with pytest.raises(ValueError, match="n must be at least"):
        RStream(1).uniform(count)


@pytest.mark.parametrize("count", [1.5, "3", None])
def test_counts_that_are_not_whole_are_refused(count):
    with pytest.raises(TypeError, match="n must be a whole number"):
        RStream(1).sample(count)
