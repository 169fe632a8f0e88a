"""R's random stream: set.seed, runif, sample, and where a call of CDF leaves it."""

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
