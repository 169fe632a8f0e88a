"""The stream by its properties; its values against R are in test_golden.py."""

import re
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from same_forest import assert_same_forest

from pycdf import CDFClassifier, RStream, explain, load, load_darwin, tree_seed
from pycdf.base_r.normal_quantiles import normal_quantiles
from pycdf.kernels.random import STATE_WORDS


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


def test_a_fraction_of_the_rows():
    n = 174
    assert RStream(1).sample(n, 0.7 * n).tolist() == RStream(1).sample(n, 121).tolist()
    assert RStream(1).sample(np.float64(174.9), np.float32(3.9)).tolist() == [67, 166, 128]
    assert len(RStream(1).uniform(np.array(2.5))) == 2


def test_elements_of_a_vector_in_its_own_container():
    at = RStream(1).sample(4, 2)
    text = ["a", "b", "c", "d"]
    for vector in (text, tuple(text), np.array(text), pd.Index(text), pd.Categorical(text)):
        assert list(RStream(1).sample(vector, 2)) == [text[i] for i in at]
    series = pd.Series(text, index=list("wxyz"))
    pd.testing.assert_series_equal(RStream(1).sample(series, 2), series.iloc[at])
    assert RStream(1).sample([1, "b", None, 2.5]).tolist() == [1, None, 2.5, "b"]
    assert RStream(1).sample(range(10, 14), 2).tolist() == (at + 10).tolist()
    assert RStream(1).sample([10]).tolist() == [10]
    assert RStream(1).sample([]).tolist() == []
    kinds = [RStream(1).sample(x).dtype.kind for x in ([1, 2], [1, 2.5], ["a", "b"], ["a", 1])]
    assert kinds == ["i", "f", "U", "O"]


def test_limits_and_means_are_used_in_turn():
    u = RStream(1).uniform(4)
    assert RStream(1).uniform(4, [0, 10], [1, 20]).tolist() == [
        u[0], 10 + 10 * u[1], u[2], 10 + 10 * u[3],
    ]  # fmt: skip
    z = RStream(1).rnorm(2)
    assert RStream(1).rnorm(4, [0, 5], [1, 0]).tolist() == [z[0], 5, z[1], 5]  # 5 draws nothing
    assert RStream(1).uniform(3, 2, 2).tolist() == [2, 2, 2]


def test_a_stream_that_starts_again():
    stream = RStream(3, sample_kind="Rounding")
    first = stream.sample(100, 5)
    assert stream.copy().sample_kind == "Rounding"
    stream.set_seed(3)  # as in R, the way to sample stays
    assert np.array_equal(stream.sample(100, 5), first)
    stream.set_seed(3, "Mersenne-Twister", "Inversion", "default")
    assert repr(stream) == "RStream(seed=3)"
    assert np.array_equal(stream.sample(100, 5), RStream(3).sample(100, 5))
    stream.set_seed(None)
    assert stream.seed != 3


TOO_FEW = " positive numbers, and 3 are needed: one for each draw without replacement, otherwise "
REFUSED = {
    "size=6 is more than n=5: without replacement at most 5 can be drawn; use a smaller size or "
    "replace=True.": lambda stream: stream.sample(5, 6),
    "size=3 is more than the 2 values of x: without replacement at most 2 can be drawn; use a "
    "smaller size or replace=True.": lambda stream: stream.sample(["a", "b"], 3),
    "size=1, but there is nothing to draw from: n=0.": lambda stream: stream.sample_int(
        0, 1, replace=True
    ),
    "more than half of n=2147483648 cannot be drawn without replacement: n is at most 2147483647 "
    "there.": lambda stream: stream.sample_int(2**31, 2**30 + 1),
    "n must be at least 0 and at most 2**52; got -1.": lambda stream: stream.uniform(-1),
    "n must be at least 0 and at most 2**52; got inf.": lambda stream: stream.rnorm(np.inf),
    "size must be at least 0 and at most 2**52; got nan.": lambda stream: stream.sample(5, np.nan),
    "x must be at least 1 and at most 2**52; got 0.5.": lambda stream: stream.sample(0.5),
    "prob has 2 numbers and there are 3 values: pass one for each.": lambda stream: stream.sample(
        3, prob=[1, 2]
    ),
    "prob[1] is -1.0, which is negative: pass numbers from 0 on.": lambda stream: stream.sample(
        3, prob=[1, -1, 1]
    ),
    "prob[2] is nan, which is not finite: pass numbers from 0 on.": lambda stream: stream.sample(
        3, prob=[1, 1, np.nan]
    ),
    "prob has 2" + TOO_FEW + "one in all.": lambda stream: stream.sample(3, prob=[1, 0, 1]),
    "min=2.0 and max=1.0 are not the limits of an interval: pass finite numbers, max at least "
    "min.": lambda stream: stream.uniform(3, 2, 1),
    "mean=0.0 and sd=-1.0: pass numbers, sd finite and at least 0.": lambda stream: stream.rnorm(
        3, 0, -1
    ),
    "kind='Wichmann-Hill': pass 'Mersenne-Twister'.": lambda stream: stream.set_seed(
        1, "Wichmann-Hill"
    ),
    "normal_kind='Box-Muller': pass 'Inversion'.": lambda stream: stream.set_seed(
        1, normal_kind="Box-Muller"
    ),
    "sample_kind='rounding': pass 'Rejection' or 'Rounding'.": lambda _: RStream(1, "rounding"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_draw_that_is_refused(message):
    stream = RStream(1)
    before = stream.state.copy()
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        REFUSED[message](stream)
    assert np.array_equal(stream.state, before)  # nothing was drawn


OTHER_TYPES = {
    "n must be a number; got '3'.": lambda stream: stream.uniform("3"),
    "size must be a number; got '2'.": lambda stream: stream.sample(3, "2"),
    "x='abc': pass how many positions to draw from, or a vector of elements.": (
        lambda stream: stream.sample("abc")
    ),
    "x=None: pass how many positions to draw from, or a vector of elements.": (
        lambda stream: stream.sample(None)
    ),
    "x={1, 2}: pass how many positions to draw from, or a vector of elements.": (
        lambda stream: stream.sample({1, 2})
    ),
    "x is a table: draw positions, as in x.iloc[stream.sample(len(x), size)].": (
        lambda stream: stream.sample(pd.DataFrame({"a": [1, 2]}))
    ),
    "prob='a': pass one number for each value.": lambda stream: stream.sample(1, prob="a"),
    "min='a': pass a number, or several.": lambda stream: stream.uniform(1, "a"),
    "sd=[]: pass a number, or several.": lambda stream: stream.rnorm(1, sd=[]),
}


@pytest.mark.parametrize("message", OTHER_TYPES)
def test_a_type_that_is_refused(message):
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        OTHER_TYPES[message](RStream(1))


def test_a_forest_of_a_stream_that_rounds_is_saved_grown_on_and_explained(tmp_path):
    """The way to sample belongs to the model: warm starts and evidence draw as the forest did."""
    X, y = load_darwin()
    X = X.iloc[:, :12]
    whole = CDFClassifier(ntrees=6, seed=RStream(1, sample_kind="Rounding")).fit(X, y)
    assert not np.array_equal(
        whole.model_.forest.inbag, CDFClassifier(ntrees=6, seed=1).fit(X, y).model_.forest.inbag
    )
    part = CDFClassifier(ntrees=2, seed=RStream(1, sample_kind="Rounding")).fit(X, y)
    part.save(tmp_path / "part.cdf")
    part = load(tmp_path / "part.cdf").set_params(ntrees=6, warm_start=True).fit(X, y)
    assert_same_forest(part.model_.forest, whole.model_.forest)
    evidence = explain.split_evidence(whole, X, y)
    assert len(evidence) > 20
    assert evidence["score"].notna().all()
    trees = CDFClassifier(
        ntrees=3, seed=RStream(1, sample_kind="Rounding"), streams="per_tree"
    ).fit(X, y)
    first = RStream(tree_seed(trees.model_.seed, 0), sample_kind="Rounding")
    alone = CDFClassifier(ntrees=1, seed=first).fit(X, y)
    assert np.array_equal(alone.model_.forest.inbag[0], trees.model_.forest.inbag[0])


def test_streams_with_one_seed_have_equal_states_before_the_first_draw():
    states = []
    for filling in (1, 2):
        used = np.full(STATE_WORDS, filling, dtype=np.uint32)
        del used  # its memory may be that of the next state
        states.append(RStream(5).state)
    assert states[0].tolist() == states[1].tolist()


def test_all_positions_are_drawn_once_by_default():
    assert sorted(RStream(1).sample_int(10).tolist()) == list(range(10))
    assert sorted(RStream(1).sample(range(10))) == list(range(10))


def test_more_than_200_likely_values_are_drawn_in_another_way():
    """R's answers: up to 200 by inversion, and above by Walker's alias method."""
    drawn = [RStream(1).sample_int(n, 6, replace=True, prob=np.ones(n)) for n in (200, 201)]
    assert [one.tolist() for one in drawn] == [
        [54, 75, 115, 182, 41, 180],
        [67, 128, 42, 186, 84, 105],
    ]


def test_at_most_2_to_the_52_can_be_drawn_from():
    assert len(RStream(1).sample_int(2**52, 3)) == 3
    with pytest.raises(ValueError, match=r"^n must be at least 0 and at most 2\*\*52"):
        RStream(1).sample_int(2**52 + 1, 3)


def test_small_subsets_of_more_than_ten_million_are_drawn_in_another_way():
    """R's answers, with the sum of all positions."""
    for n, total, last in (
        (10**7, 99887501793, [7814099, 88661, 1568988]),
        (10**7 + 1, 99895907665, [660912, 7814099, 88661]),
    ):
        drawn = RStream(1).sample_int(n, 20_000)
        assert drawn.sum() == total
        assert drawn[-3:].tolist() == last


def test_values_count_as_likely_from_a_tenth_of_the_mean_on():
    """R's answers: with 0.09, all 300 values are likely; with 0.06, only 200."""
    for small, drawn in (
        (0.09, [66, 101, 186, 84, 137, 78]),
        (0.06, [113, 77, 29, 188, 42, 186]),
    ):
        prob = [1] * 200 + [small] * 100
        assert RStream(1).sample_int(300, 6, replace=True, prob=prob).tolist() == drawn


def test_as_many_positive_probabilities_as_draws_are_enough():
    assert RStream(1).sample(3, 1, prob=[0, 1, 0]).tolist() == [1]
    assert RStream(1).sample(3, 0, prob=[0, 1, 0]).tolist() == []
    assert RStream(1).sample(list("abc"), 0).tolist() == []
    assert RStream(1).sample(3, 4, replace=True, prob=[0, 1, 0]).tolist() == [1] * 4
    assert sorted(RStream(1).sample(3, 2, prob=[1, 0, 1])) == [0, 2]
    for size, replace in ((0, False), (0, True), (5, True)):
        with pytest.raises(ValueError, match=r"^prob has 0 positive numbers, and 1 are needed"):
            RStream(1).sample(3, size, replace=replace, prob=[0, 0, 0])


def test_draws_that_overflow_are_infinite_without_a_warning():
    """As in R."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert RStream(1).uniform(2, -1.7e308, 1.7e308).tolist() == [np.inf, np.inf]
        drawn = RStream(1).rnorm(4, 0, 1.7e308)
        assert np.isinf(drawn).tolist() == [False, False, False, True]
        huge = [1e308] * 3
        assert RStream(1).sample(3, 4, replace=True, prob=huge).tolist() == [0, 0, 0, 0]
        assert RStream(1).sample(3, 2, prob=huge).tolist() == [0, 2]


def test_an_infinite_mean_draws_nothing():
    z = RStream(1).rnorm(1)[0]
    assert RStream(1).rnorm(3, [np.inf, 0]).tolist() == [np.inf, z, np.inf]


@pytest.mark.parametrize(
    "draw",
    [
        lambda stream: stream.uniform(2, -np.inf, 0),
        lambda stream: stream.uniform(2, 0, np.inf),
        lambda stream: stream.uniform(2, np.nan, 1),
        lambda stream: stream.uniform(2, 0, [1, np.nan]),
    ],
)
def test_limits_must_be_finite(draw):
    with pytest.raises(ValueError, match=r"are not the limits of an interval: pass finite numbers"):
        draw(RStream(1))


@pytest.mark.parametrize(
    ("mean", "sd", "message"),
    [
        (np.nan, 1, "mean=nan and sd=1.0: "),
        (0, np.inf, "mean=0.0 and sd=inf: "),
        (0, np.nan, "mean=0.0 and sd=nan: "),
        ([0, 1, 2], [1, -2, -3], "mean=1.0 and sd=-2.0: "),
    ],
)
def test_means_and_deviations_must_be_numbers(mean, sd, message):
    with pytest.raises(ValueError, match=f"^{message}pass numbers, sd finite and at least 0"):
        RStream(1).rnorm(3, mean, sd)


def test_vectors_have_one_dimension():
    for vector in (np.eye(2), b"ab", [[1, 2], [3, 4]]):
        with pytest.raises(TypeError, match=r"(?s)^x=.*: pass how many positions to draw from"):
            RStream(1).sample(vector)
    assert RStream(1).sample(np.array(4), 2).tolist() == RStream(1).sample(4, 2).tolist()


# R's qnorm() of some probabilities.
QUANTILES = {
    "0x1.56e1fc2f8f359p-997": "-0x1.286074064c26ep+5",
    "0x1.bff2ee48e053p-333": "-0x1.546010d75521fp+4",
    "0x1.79ca10c924223p-67": "-0x1.2865170b43a4bp+3",
    "0x1.19799812dea11p-40": "-0x1.c234fba57a32ap+2",
    "0x1.e8a37a45fc32ep-37": "-0x1.aa1b1c13ee525p+2",  # exp(-25), where two formulas meet
    "0x1.12e0be826d695p-30": "-0x1.7fdc11f44b5a7p+2",
    "0x1.a36e2eb1c432dp-14": "-0x1.dc08bb712893ap+1",
    "0x1.1eb851eb851ecp-4": "-0x1.79cd70d9c27fp+0",
    "0x1.3333333333333p-4": "-0x1.7085226d3e523p+0",
    "0x1.999999999999ap-3": "-0x1.aee8fa73a1333p-1",
    "0x1.999999999999ap-2": "-0x1.036d6c4a04b5ap-2",
    "0x1p-1": "0x0p+0",
    "0x1.ccccccccccccdp-1": "0x1.4813c36e26d34p+0",
    "0x1.d99999999999ap-1": "0x1.7085226d3e524p+0",
    "0x1.fae147ae147aep-1": "0x1.29c5c4630ff0ep+1",
    "0x1.fffffff768fa1p-1": "0x1.7fdc11f93a211p+2",
    "0x1.fffffffffffffp-1": "0x1.06b48528cea51p+3",
}


def test_quantiles_of_the_normal_distribution_are_those_of_r():
    """In the middle, in the tails, and far out; the logarithm is that of the C library."""
    for p, z in QUANTILES.items():
        found = normal_quantiles(np.array([float.fromhex(p)]))[0]
        expected = float.fromhex(z)
        exact = 0.075 <= float.fromhex(p) <= 0.925 or sys.platform == "linux"
        assert found == expected if exact else abs(found / expected - 1) < 1e-15, p
