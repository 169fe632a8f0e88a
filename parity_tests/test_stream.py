"""R's random stream: set.seed, runif, rnorm, sample, and where a call of CDF leaves it."""

import numpy as np
import pytest

from pycdf import RStream

from .cases import named_cases
from .check import assert_same, fit
from .compare import bits
from .tally import TALLY

EDGES = [0, 1, -1, 2, 42, 2025, -2025, 65535, 65536, -65536, 2**31 - 1, -(2**31) + 1, 2**31 - 2]
SEEDS = EDGES + np.random.default_rng(5).integers(-(2**31) + 1, 2**31, 40).tolist()
BELOW_HASH = [
    1, 2, 3, 4, 5, 10, 100, 127, 128, 129, 32767, 32768, 32769, 65535, 65536, 65537, 131071, 131072,
    131073, 1_000_000, 1_048_576, 10_000_000,
]  # fmt: skip
ABOVE_HASH = [10_000_001, 2**24, 2**24 + 1, 2**31 - 1]
BEYOND_INTEGERS = [2**31, 2**31 + 1, 2**32, 2**33 - 1, 2**40, 2**48, 2**48 + 1]


def same(what, ours, theirs):
    equal = np.array_equal(bits(ours), bits(theirs))
    TALLY.count("stream", equal)
    assert equal, f"{what}: {ours[:5]} here, {theirs[:5]} in R"


@pytest.mark.parametrize("seed", SEEDS)
def test_uniforms(r, seed):
    r.set_seed(seed)
    stream = RStream(seed)
    for n in (1, 5, 617, 1, 2000):  # across the 624 numbers of a state
        same(f"uniform({n})", stream.uniform(n), r.uniform(n))


@pytest.mark.parametrize("n", BELOW_HASH)
@pytest.mark.parametrize("seed", EDGES)
def test_samples(r, seed, n):
    r.set_seed(seed)
    stream = RStream(seed)
    sizes = {1, min(n, 2), min(n, 40), n if n <= 70_000 else 40}
    for size in sorted(sizes):
        for replace in (True, False):
            same(f"sample({n}, {size}, {replace})", stream.sample(n, size, replace) + 1,
                 r.sample(n, size, replace))  # fmt: skip
    same("uniform after", stream.uniform(3), r.uniform(3))


@pytest.mark.parametrize("n", ABOVE_HASH)
@pytest.mark.parametrize("seed", EDGES[:4])
def test_samples_that_r_hashes(r, seed, n):
    r.set_seed(seed)
    stream = RStream(seed)
    for size in (1, 2, 50, 20_000):  # with 20,000 of ten million some are drawn again
        same(f"sample({n}, {size})", stream.sample(n, size) + 1, r.sample(n, size, False))
        same(
            f"sample({n}, 10, TRUE)", stream.sample(n, 10, replace=True) + 1, r.sample(n, 10, True)
        )
    same("uniform after", stream.uniform(3), r.uniform(3))


@pytest.mark.parametrize("n", BEYOND_INTEGERS)
def test_samples_beyond_rs_integers(r, n):
    r.set_seed(7)
    stream = RStream(7)
    for replace in (True, False):
        same(f"sample({n}, 30, {replace})", stream.sample(n, 30, replace) + 1,
             r.sample(n, 30, replace))  # fmt: skip
    same("uniform after", stream.uniform(3), r.uniform(3))


def test_programs_of_draws(r):
    """Uniforms and samples in any order leave the stream in the same state as R's."""
    for number in range(150):
        rng = np.random.default_rng([6, number])
        seed = int(rng.integers(-(2**31) + 1, 2**31))
        r.set_seed(seed)
        stream = RStream(seed)
        for _ in range(8):
            n = int(rng.integers(1, 10.0 ** rng.integers(1, 7)))
            if rng.random() < 0.4:
                n = min(n, 3000)
                same(f"program {number}: uniform({n})", stream.uniform(n), r.uniform(n))
            else:
                replace = bool(rng.random() < 0.5)
                size = int(rng.integers(1, min(n, 3000) + 1))
                same(f"program {number}: sample({n}, {size}, {replace})",
                     stream.sample(n, size, replace) + 1, r.sample(n, size, replace))  # fmt: skip


def any_scale(rng):
    return 10.0 ** rng.uniform(-6, 6)


def random_prob(rng, n):
    """Probabilities with and without ties and zeros, near each other and far from each other."""
    kind = rng.integers(6)
    if kind == 0:
        return rng.random(n) * any_scale(rng)
    if kind == 1:
        return np.ones(n) * any_scale(rng)
    if kind == 2:  # many ties: the order of R's sort decides
        return rng.integers(0, 4, n).astype(float)
    if kind == 3:
        return 10.0 ** rng.uniform(-300, 0, n)
    if kind == 4:
        return np.where(rng.random(n) < 0.3, 0.0, rng.random(n))
    return np.arange(n, 0, -1) * rng.choice([1.0, 1 / 3])


def random_sample(rng):
    """The arguments of a call of sample(), and what its first argument is in R."""
    weighted = rng.random() < 0.6
    n = int(rng.integers(1, 700)) if weighted else int(10 ** rng.uniform(0, 8))
    prob = random_prob(rng, n) if weighted else None
    replace = bool(rng.random() < 0.5)
    most = 400 if replace else min(n if prob is None else np.count_nonzero(prob), 400)
    size = rng.uniform(0, most + 1)  # a fraction of a draw is none
    x = (
        rng.standard_normal(n)
        if n < 1000 and n > 1 and rng.random() < 0.5
        else n + rng.random() * (n < 1e7)
    )
    return x, min(size, most + 0.5), replace, prob


def random_limits(rng):
    several = [rng.standard_normal(rng.integers(1, 5)) * any_scale(rng) for _ in range(2)]
    return several if rng.random() < 0.5 else [one[:1] for one in several]


def same_state(what, stream, r):
    ours, theirs = stream.state[:625], r.stream_state()
    equal = np.array_equal(ours, theirs)
    TALLY.count("stream", equal)
    assert equal, f"{what}: the stream is at word {ours[0]} here, at {theirs[0]} in R"


@pytest.mark.parametrize("kind", ["Rejection", "Rounding"])
def test_draws_of_every_kind(r, kind):
    """Fractions, vectors, probabilities, limits and means; the state is compared after each."""
    aliased = 0
    for number in range(2000):
        rng = np.random.default_rng([7, number])
        if number % 20 == 0:
            seed = int(rng.integers(-(2**31) + 1, 2**31))
            r.set_seed(seed, kind)
            stream = RStream(seed, sample_kind=kind)
        what = f"{kind}, draw {number}: "
        if (choice := rng.random()) < 0.15:
            low, width = random_limits(rng)
            low = np.resize(low, max(len(low), len(width)))
            high = low + np.resize(np.abs(width), len(low)) * rng.choice([0, 1, 1], len(low))
            n = rng.uniform(0, 40)
            same(what + "runif", stream.uniform(n, low, high),
                 r.draw("runif(n, low, high)", n=[n], low=low, high=high))  # fmt: skip
        elif choice < 0.3:
            mean, sd = random_limits(rng)
            mean[rng.random(len(mean)) < 0.1] = np.inf
            sd = np.abs(sd) * rng.choice([0, 1, 1, 1], len(sd))
            n = rng.uniform(0, 40)
            same(what + "rnorm", stream.rnorm(n, mean, sd),
                 r.draw("rnorm(n, mean, sd)", n=[n], mean=mean, sd=sd))  # fmt: skip
        else:
            x, size, replace, prob = random_sample(rng)
            vectors = {"x": np.atleast_1d(x), "size": [size]} | (
                {} if prob is None else {"prob": prob}
            )
            given = "NULL" if prob is None else "prob"
            theirs = r.draw(f"sample(x, size, {str(replace).upper()}, {given})", **vectors)
            ours = stream.sample(x, size, replace, prob)
            same(what + f"sample of {np.size(x)}, {size}, {replace}",
                 (ours + 1.0 if np.ndim(x) == 0 else ours), theirs)  # fmt: skip
            if prob is not None and replace:
                aliased += np.count_nonzero(len(prob) * prob / prob.sum() > 0.1) > 200
        same_state(what, stream, r)
    assert aliased > 50  # both methods were compared


@pytest.mark.parametrize("probable", [199, 200, 201, 202])
def test_from_how_many_values_on_r_uses_an_alias_table(r, probable):
    prob = np.r_[np.ones(probable), np.full(300, 1e-9)]
    r.set_seed(1)
    stream = RStream(1)
    same("sample", stream.sample_int(len(prob), 500, True, prob) + 1.0,
         r.draw("sample.int(length(prob), 500, TRUE, prob)", prob=prob))  # fmt: skip
    same_state("sample", stream, r)


def test_a_fraction_above_ten_million(r):
    """R's method for small samples of many does not truncate n, unlike its others."""
    r.set_seed(1, "Rounding")
    theirs = r.draw("sample(60000000.9, 50)")
    r.set_seed(1, "Rounding")
    truncated = r.draw("sample(60000000, 50)")
    ours = RStream(1, sample_kind="Rounding").sample(60_000_000.9, 50) + 1.0
    same("sample(60000000.9, 50)", ours, truncated)
    assert 0 < np.count_nonzero(ours != theirs) < 50


def test_a_vector_of_one_number(r):
    """R draws from 1 to the number; here a vector is a vector."""
    r.set_seed(1)
    assert r.draw("sample(c(10), 1)").tolist() == [9]
    assert RStream(1).sample([10], 1).tolist() == [10]


REFUSED = {
    "sample(5, 6)": lambda stream: stream.sample(5, 6),
    "sample(5, -1)": lambda stream: stream.sample(5, -1),
    "sample(5, NaN)": lambda stream: stream.sample(5, float("nan")),
    "sample(5, 2, prob = 1:4)": lambda stream: stream.sample(5, 2, prob=[1, 2, 3, 4]),
    "sample(3, 2, prob = c(1, 0, 0))": lambda stream: stream.sample(3, 2, prob=[1, 0, 0]),
    "sample(3, 2, TRUE, c(0, 0, 0))": lambda stream: stream.sample(3, 2, True, [0, 0, 0]),
    "sample(3, 2, prob = c(1, -1, 1))": lambda stream: stream.sample(3, 2, prob=[1, -1, 1]),
    "sample(2, 1, prob = c(1, NA))": lambda stream: stream.sample(2, 1, prob=[1, np.nan]),
    "sample(2, 1, prob = c(1, Inf))": lambda stream: stream.sample(2, 1, prob=[1, np.inf]),
    "sample.int(0, 1)": lambda stream: stream.sample_int(0, 1),
    "sample.int(4.6e15, 1)": lambda stream: stream.sample_int(4.6e15, 1),
    "sample(numeric(0), 1, TRUE)": lambda stream: stream.sample([], 1, True),
    "runif(-1)": lambda stream: stream.uniform(-1),
    "rnorm(NA)": lambda stream: stream.rnorm(np.nan),
    "set.seed(1, kind = 'Rounding')": lambda stream: stream.set_seed(1, kind="Rounding"),
    "set.seed(1, sample.kind = 'x')": lambda stream: stream.set_seed(1, sample_kind="x"),
}
NAN_IN_R = {
    "runif(3, 2, 1)": lambda stream: stream.uniform(3, 2, 1),
    "runif(3, 0, Inf)": lambda stream: stream.uniform(3, 0, np.inf),
    "rnorm(3, NA)": lambda stream: stream.rnorm(3, np.nan),
    "rnorm(3, 0, -1)": lambda stream: stream.rnorm(3, 0, -1),
    "rnorm(3, 0, Inf)": lambda stream: stream.rnorm(3, 0, np.inf),
}
ITSELF_IN_R = [0, 0.99, -3, np.inf]  # sample(0.99) is 0.99


@pytest.mark.parametrize("call", REFUSED)
def test_draws_that_r_refuses(r, call):
    assert r.value(f"inherits(try(suppressWarnings({call}), silent = TRUE), 'try-error')")[0]
    with pytest.raises(ValueError, match=r"\w"):
        REFUSED[call](RStream(1))
    TALLY.count("stream", True)


@pytest.mark.parametrize("call", NAN_IN_R)
def test_draws_that_are_nan_in_r(r, call):
    assert np.isnan(r.draw(f"suppressWarnings({call})")).all()
    with pytest.raises(ValueError, match=r"pass (finite )?numbers"):
        NAN_IN_R[call](RStream(1))


@pytest.mark.parametrize("x", ITSELF_IN_R)
def test_a_sample_of_a_number_below_one(r, x):
    assert r.draw("sample(x)", x=[x]).tolist() == [x]
    with pytest.raises(ValueError, match=r"^x must be at least 1 and at most 2\*\*52; got "):
        RStream(1).sample(x)


def test_a_million_normal_numbers(r):
    for seed in (1, 2):
        r.set_seed(seed)
        stream = RStream(seed)
        same("rnorm", stream.rnorm(500_000), r.draw("rnorm(500000)"))
        same_state("rnorm", stream, r)


@pytest.mark.parametrize("n", [*BELOW_HASH, *ABOVE_HASH, *BEYOND_INTEGERS])
def test_samples_of_r_before_3_6(r, n):
    for seed in EDGES[:6]:
        r.set_seed(seed, "Rounding")
        stream = RStream(seed, sample_kind="Rounding")
        for replace in (True, False):
            for size in (1, min(n, 40)):
                same(f"sample({n}, {size}, {replace})", stream.sample(n, size, replace) + 1,
                     r.sample(n, size, replace))  # fmt: skip
        same_state(f"sample({n})", stream, r)


@pytest.mark.parametrize("case", named_cases(), ids=lambda case: case.name)
def test_forests_of_r_before_3_6(r, case):
    """A stream of the older kind grows the forest of an R that samples in that way."""
    settings = {name: value for name, value in case.settings.items() if name != "seed"}
    unseeded = type(case)(case.name, case.xtrain, case.ytrain, case.xtest, settings)
    r.set_seed(3, "Rounding")
    stream = RStream(3, sample_kind="Rounding")
    try:
        theirs = r.cdf(unseeded)
        ours = fit(unseeded, seed=stream)
        assert_same("forests with sample.kind = Rounding", unseeded, ours, theirs)
        assert ours.model_.options["sample_kind"] == "Rounding"
        same_state("after the forest", stream, r)
    finally:
        r.set_seed(1)


@pytest.mark.parametrize("case", named_cases(), ids=lambda case: case.name)
def test_a_call_goes_on_and_leaves_the_stream_where_r_does(r, case):
    settings = {name: value for name, value in case.settings.items() if name != "seed"}
    unseeded = type(case)(case.name, case.xtrain, case.ytrain, case.xtest, settings)
    r.set_seed(99)
    stream = RStream(99)
    same("sample before", stream.sample(50, 35) + 1, r.sample(50, 35, False))
    for _ in range(2):  # the second call goes on where the first one stopped
        theirs = r.cdf(unseeded)
        assert_same("forests on a running stream", unseeded, fit(unseeded, seed=stream), theirs)
    same("uniforms after", stream.uniform(5), r.uniform(5))
