"""Branches at the edge of R's tie tolerance, and nearest centroids that nearly tie.

The reference takes every distance as R does, as an 80-bit sum, here in exact arithmetic.
"""

import math

import numpy as np
import pytest
from long_doubles import NUMPY_HAS_80_BITS, numpy_sum, sum_of, to_double
from numba import njit
from r_ties import max_col

from pycdf import RStream
from pycdf.kernels.partition import (
    Split,
    _is_clear,
    first_nearest,
    new_partition,
    plain_distances,
    send_rows,
)


def branches(columns, rows, features, centroids, n_centroids, state):
    split = Split(features, 0, features.size, centroids, 0, n_centroids)
    scratch = new_partition(rows.size, n_centroids)
    compiled_send_rows(columns, rows, split, state, scratch)
    return scratch.branch_of


@njit
def compiled_send_rows(columns, rows, split, state, scratch):
    send_rows(columns, rows, split, state, scratch)


@njit
def nearest(columns, rows, features, centroids, n_centroids):
    split = Split(features, 0, features.size, centroids, 0, n_centroids)
    out = np.empty(rows.size, np.int32)
    distances = np.empty(rows.size * (n_centroids + 1))
    plain_distances(columns, rows, split, distances)
    for i in range(rows.size):
        out[i] = first_nearest(columns, rows, i, split, distances)
    return out


def distance(row, centroid):
    squares = (row - centroid) ** 2
    squares = squares[~np.isnan(squares)].tolist()
    if math.inf in squares:
        return math.inf
    total = to_double(*sum_of(squares))
    if NUMPY_HAS_80_BITS:
        assert float(numpy_sum(squares)) == total
    return total


def rough_distance(row, centroid):
    """The same to a few last digits: enough for most steps of a bisection."""
    return float(((row - centroid) ** 2).sum())


def edge(rng, take, ratio):
    """Rows and two centroids whose distances are as near to the given ratio as doubles can be."""
    row = rng.standard_normal(take)
    near = row + rng.standard_normal(take)
    far = row + rng.standard_normal(take)
    target = distance(row, near) * ratio
    low, high = 0.0, 1e6
    while low < (middle := (low + high) / 2) < high:
        far[0] = row[0] + middle
        # Exact sums take long, so they are left to the steps where rounding could matter.
        measured = rough_distance(row, far)
        if abs(measured - target) < 1e-13 * target:
            measured = distance(row, far)
        low, high = (middle, high) if measured < target else (low, middle)
    steps = [far[0]]
    for direction in (-np.inf, np.inf):
        value = far[0]
        for _ in range(6):
            value = np.nextafter(value, direction)
            steps.append(value)
    for value in steps:
        yield row, near, np.r_[value, far[1:]]


def few_or_many(few, many):
    """Rounds of random cases: many of them are a matter of endurance."""
    return pytest.mark.parametrize("rounds", [few, pytest.param(many, marks=pytest.mark.endurance)])


@pytest.mark.endurance
@few_or_many(30, 150)
@pytest.mark.parametrize("ratio", [1.0, 1 / (1 - 1e-5), 1 - 1e-5, 1 + 1e-5])
def test_rows_at_the_edge_of_the_tolerance_go_where_r_sends_them(ratio, rounds):
    rng = np.random.default_rng(int(ratio * 1e6))
    met = set()
    for _ in range(rounds):
        take = int(rng.integers(2, 19))
        features = rng.permutation(take + 3)[:take].astype(np.int32)
        for row, near, far in edge(rng, take, ratio):
            columns = rng.standard_normal((take + 3, 4))
            columns[features, 2] = row
            for pair in ((near, far), (far, near), (near, far, near)):
                ours, reference = RStream(5), RStream(5)
                got = branches(
                    columns, np.array([2, 2], dtype=np.int32), features,
                    np.concatenate(pair), len(pair), ours.state,
                )  # fmt: skip
                distances = [distance(row, centroid) for centroid in pair]
                expected = [max_col(distances, reference) for _ in range(2)]
                assert got.tolist() == expected
                after = ours.uniform(1)[0]
                assert after == reference.uniform(1)[0]  # as many ties were drawn
                met.add((after, *expected))
    assert len(met) > 2


@pytest.mark.parametrize(
    ("distances", "clear"),
    [
        ([1.0, 0.5], True),
        ([1.0, 1.0], True),  # a tie
        ([1.0, 1 - 1e-5], False),  # at the edge of the tolerance, on both sides of it
        ([1 - 1e-5, 1.0], False),
        ([1.0, 0.5, 0.5 - 1e-5], False),  # from the best so far, and relative to the largest
        ([1.0, 0.5, 0.5 - 5e-6], True),
        ([1.0, 2.0, 4.0 - 5e-6], True),
        ([1e308, 0.5], False),  # too large for plain sums
    ],
)
def test_plain_distances_are_enough_away_from_the_edge_of_the_tolerance(distances, clear):
    is_clear = getattr(_is_clear, "py_func", _is_clear)
    assert is_clear(np.array(distances), len(distances), 3) == clear


@few_or_many(80, 400)
@pytest.mark.parametrize("n_centroids", [2, 3, 7])
def test_the_first_nearest_centroid_is_that_of_80_bit_distances(n_centroids, rounds):
    rng = np.random.default_rng(n_centroids)
    for _ in range(rounds):
        take = int(rng.integers(1, 19))
        features = np.arange(take, dtype=np.int32)
        columns = rng.standard_normal((take, 5))
        center = rng.standard_normal(take)
        # the same distances, up to the last bits: signs flipped, coordinates nudged
        apart = rng.choice([-1.0, 1.0], (n_centroids, take)) * (columns[:, 3] - center)
        centroids = columns[:, 3] - apart * (1 + rng.integers(-2, 3, apart.shape) * 2.0**-52)
        columns[0, 1] = np.nan
        columns[-1, 2] = np.inf
        rows = np.arange(5, dtype=np.int32)
        got = nearest(columns, rows, features, centroids.ravel(), n_centroids)
        for i in rows:
            distances = np.array([distance(columns[:, i], centroid) for centroid in centroids])
            finite = np.isfinite(distances)
            assert got[i] == (np.where(finite, distances, np.inf).argmin() if finite.any() else -1)


# Five squares of the middle one are above the largest double by half of half its last bit: as a
# double they are the largest one, but R's sum() has compared them with it before and is infinite.
AT_THE_LARGEST = [
    (float.fromhex("0x1.c9f25c5bfedd8p+510"), 0),
    (float.fromhex("0x1.c9f25c5bfedd9p+510"), -1),
    (float.fromhex("0x1.c9f25c5bfeddap+510"), -1),
]


@pytest.mark.parametrize(("value", "expected"), AT_THE_LARGEST)
def test_a_distance_above_the_largest_double_is_infinite_in_prediction(value, expected):
    columns = np.full((5, 1), value)
    found = nearest(columns, np.zeros(1, np.int32), np.arange(5, dtype=np.int32), np.zeros(10), 2)
    assert found[0] == expected


@pytest.mark.endurance
def test_a_nearer_centroid_beyond_what_plain_doubles_can_add():
    """The plain sum of the second distance overflows, the 80-bit sum is the smaller one."""
    largest = np.finfo(np.float64).max
    rng = np.random.default_rng(7)
    tried = overflowed = 0
    for _ in range(3000):
        take = int(rng.integers(5, 40))
        columns = np.sqrt(largest / take) * (1 + rng.integers(-4, 5, (take, 1)) * 2.0**-53)
        centroids = rng.integers(-4, 5, 2 * take) * columns[0, 0] * 2.0**-53
        split = Split(np.arange(take, dtype=np.int32), 0, take, centroids, 0, 2)
        plain = np.empty(3)
        plain_distances_of_one(columns, split, plain)
        exact = [
            prediction_distance(columns[:, 0], centroids[c * take : (c + 1) * take])
            for c in range(2)
        ]
        found = nearest(columns, np.zeros(1, np.int32), split.features, centroids, 2)[0]
        assert found == (-1 if min(exact) == math.inf else exact.index(min(exact)))
        tried += 1
        overflowed += math.inf in plain[:2] and min(exact) < math.inf
    assert tried == 3000
    assert overflowed > 100


@njit
def plain_distances_of_one(columns, split, distances):
    plain_distances(columns, np.zeros(1, np.int32), split, distances)


def prediction_distance(row, centroid):
    """R's sum(): infinite as soon as the 80-bit sum is above the largest double."""
    squares = ((row - centroid) ** 2).tolist()
    m, e = sum_of(squares)
    return math.inf if m * 2**e > int(np.finfo(np.float64).max) else to_double(m, e)
