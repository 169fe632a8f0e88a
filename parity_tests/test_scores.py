"""Class separability scores, the ranking they give, and centroids."""

import numpy as np
import pytest

from tests.one_node import scores

from .bridge import fits_r_integer
from .cases import KINDS, Case, generated_case, named_cases, values
from .check import assert_same, fit
from .compare import bits
from .tally import TALLY

NUMBERS = range(100_000, 100_300)  # other cases than the campaign's


def as_codes(y):
    texts = [str(label).strip() for label in y]
    order = {label: code for code, label in enumerate(dict.fromkeys(texts))}
    return np.array([order[text] for text in texts])


def score_cases():
    for case in named_cases() + [generated_case(number) for number in NUMBERS]:
        if all(str(label).strip() for label in case.ytrain):
            yield case


def test_scores_and_rankings(r):
    cases = list(score_cases())
    assert len(cases) >= 350  # few of the named and the generated cases have an empty label
    for case in cases:
        x = np.asarray(case.xtrain)
        integer = isinstance(case.xtrain, np.ndarray) and fits_r_integer(x)
        if not integer:
            x = x.astype(float)
            x[~np.isfinite(x)] = np.nan  # R drops columns with infinite cells before it scores
        ours = scores(x, as_codes(case.ytrain), integer=integer)
        theirs = r.scores(x, [str(label) for label in case.ytrain])
        ranking = np.argsort(-ours, kind="stable")
        same_ranking = TALLY.compare(
            "rankings", np.array_equal(ranking, r.order_decreasing(theirs))
        )
        same = bits(ours) == bits(theirs)
        at = np.flatnonzero(~same)[:1]
        assert TALLY.compare("scores", same), (
            f"{case.name}, column {at}: {ours[at]} here, {theirs[at]} in R"
        )
        assert same_ranking, case.name


def wide_case(kind: str, number: int) -> Case:
    """Every column is selected, so the root shows all centroids and the whole ranking."""
    rng = np.random.default_rng([7, number])
    n, p, k = int(rng.integers(20, 400)), 25, int(rng.choice([2, 3, 8]))
    x = values(rng, kind, n + 3, p)
    if number % 3 == 0:
        x[rng.random(x.shape) < 0.1] = np.nan
    y = [f"c{code}" for code in rng.permutation(np.arange(n) % k)]
    settings = {"ntrees": 2, "depth": 2, "k": p, "mtry": p, "seed": number}
    return Case(f"wide {kind} {number}", x[:n], y, x[n:], settings)


@pytest.mark.parametrize("kind", KINDS)
def test_centroids_of_all_columns(r, kind):
    for number in range(6):
        case = wide_case(kind, number)
        theirs, ours = r.cdf(case), fit(case)
        TALLY.compare("centroids among them", same_centroids(ours, theirs.forest.centroids))
        assert_same("forests with every column selected", case, ours, theirs)


# The mean of n values, 1 and -u * 2**-64 and zeros, is another double than with u - 1: for each n
# from 3 to 40 of which there is such an odd u below 4,096, it is among these.
UNITS = (
    161, 257, 545, 641, 897, 1025, 1345, 1889, 1985, 2113, 2177, 2241, 2369, 2497, 2753, 2817, 3937,
)  # fmt: skip


def test_centroids_of_sums_just_below_a_power_of_two(r):
    """The last of a sum's 64 bits is worth half as much there."""
    rng = np.random.default_rng(64)
    for number in range(20):
        n, p = int(rng.integers(10, 80)), len(UNITS)
        powers = 2.0 ** rng.integers(-3, 4, p)
        x = np.zeros((n, p))
        x[:2] = powers  # one row of each class
        x[2:4] = -powers * UNITS * 2.0**-64
        y = [f"c{code}" for code in np.arange(n) % 2]
        settings = {"ntrees": 30, "depth": 2, "k": p, "mtry": p, "seed": number}
        case = Case(f"below a power of two {number}", x, y, x[:8], settings)
        theirs, ours = r.cdf(case), fit(case)
        same = same_centroids(ours, theirs.forest.centroids)
        TALLY.compare("centroids just below a power of two", same)
        assert_same("forests just below a power of two", case, ours, theirs)


def same_centroids(ours, theirs):
    """Compare centroid by centroid; if their number differs, none counts as equal."""
    centroids = ours.centroids["centroid"].to_numpy()
    if len(centroids) != len(theirs):
        return np.zeros(len(theirs), dtype=bool)
    return bits(centroids) == bits(theirs)
