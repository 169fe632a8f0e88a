"""Find the nearest centroid of each row: in training, with R's random ties, and in prediction.

All distances are computed in plain doubles, with a bound on their error. R's 80-bit distances are
computed only for rows that these do not decide.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inlined, inner
from pycdf.kernels.extended_sums import add80
from pycdf.kernels.grouping import sort_rows
from pycdf.kernels.random import next_uniform

TIE_TOLERANCE = 1e-5  # of R's max.col, relative to the largest distance
DOUBT = 2.0**-51  # relative, for each rounding of a plain distance
_LARGEST = float(np.finfo(np.float64).max)
SAFE = _LARGEST / 2  # plain sums above it may overflow where R's do not, or the reverse

Split = namedtuple(
    "Split", "features first_feature n_features centroids first_centroid n_centroids"
)
"""How a node is split: where its part of a forest's arrays begins, and how long it is.

Its features are `features[first_feature : first_feature + n_features]`, int32. Its centroids follow
each other in `centroids`, float64, from `first_centroid` on, each with a value for every feature.
"""

Partition = namedtuple("Partition", "distances row_distances branch_of starts sorted_rows")
"""Scratch arrays to partition the rows of a node.

`distances` of all rows to all centroids and `row_distances` of one row, float64; `branch_of` each
row, int32; `starts` of the branches among the `sorted_rows`, int64 and int32.
"""


def new_partition(n: int, n_branches: int) -> Partition:
    """Scratch arrays for nodes of up to `n` rows."""
    return Partition(
        distances=np.empty(n * (n_branches + 1)),
        row_distances=np.empty(n_branches),
        branch_of=np.empty(n, np.int32),
        starts=np.empty(n_branches + 2, np.int64),
        sorted_rows=np.empty(n, np.int32),
    )


@inlined
def split_at(forest, node):
    """The split of a node of a `pycdf.forest.arrays.Forest`."""
    feature_start, class_start = forest.feature_start, forest.class_start
    return Split(
        features=forest.features,
        first_feature=feature_start[node],
        n_features=feature_start[node + 1] - feature_start[node],
        centroids=forest.centroids,
        first_centroid=forest.centroid_start[node],
        n_centroids=class_start[node + 1] - class_start[node],
    )


@inner
def plain_distances(columns, rows, split, distances):
    """Squared distances of rows to centroids in plain doubles, without missing terms.

    `distances[c * n + i]` gets the distance of row i of n to centroid c; it is within
    `n_features + 2` roundings of R's.

    Parameters
    ----------
    columns : float64, features x rows
    rows : int32
    split : Split
    distances : float64, rows x (centroids + 1), flat
        The last part is scratch.
    """
    n = rows.size
    values = distances[split.n_centroids * n :]
    for i in range(split.n_centroids * n):
        distances[i] = 0.0
    for f in range(split.n_features):
        column = columns[split.features[split.first_feature + f]]
        for i in range(n):
            values[i] = column[rows[i]]
        for c in range(split.n_centroids):
            center = split.centroids[split.first_centroid + c * split.n_features + f]
            line = distances[c * n : (c + 1) * n]
            for i in range(n):
                difference = values[i] - center
                square = difference * difference
                line[i] += square if square == square else 0.0


@inner
def exact_distance(columns, row, split, c):
    """R's squared distance of a row to centroid c: an 80-bit sum, without missing terms.

    It is a pair, as in :mod:`pycdf.kernels.extended_sums`.
    """
    high = 0.0
    low = 0.0
    centroid = split.first_centroid + c * split.n_features
    for f in range(split.n_features):
        feature = split.features[split.first_feature + f]
        difference = columns[feature, row] - split.centroids[centroid + f]
        square = difference * difference
        if square == square:
            high, low = add80(high, low, square)
    return high, low


@inner
def send_rows(columns, rows, split, state, scratch):
    """Choose the branch of each training row; near ties are broken at random, as in R.

    Parameters
    ----------
    columns : float64, features x rows
    rows : int32
        The rows of the node.
    split : Split
    state : uint32
        The random stream.
    scratch : Partition
        Its `branch_of` gets the result.
    """
    distances, row_distances, branch_of = (
        scratch.distances, scratch.row_distances, scratch.branch_of,
    )  # fmt: skip
    n, n_centroids = rows.size, split.n_centroids
    plain_distances(columns, rows, split, distances)
    clear = TIE_TOLERANCE + (split.n_features + 4) * DOUBT
    unsafe = clear * SAFE
    for i in range(n):
        nearer = distances[i] - distances[n + i]
        if n_centroids == 2 and abs(nearer) > clear * max(distances[i], distances[n + i]) < unsafe:
            branch_of[i] = nearer > 0.0
            continue
        for c in range(n_centroids):
            row_distances[c] = distances[c * n + i]
        if not _is_clear(row_distances, n_centroids, split.n_features):
            for c in range(n_centroids):
                row_distances[c] = exact_distance(columns, rows[i], split, c)[0]
        branch_of[i] = nearest_or_tied(row_distances, n_centroids, state)


@inlined
def sort_by_branch(rows, n_branches, scratch):
    """Sort the rows of a node by `branch_of` them: branch b gets those from `starts[b]` on."""
    sorted_rows = scratch.sorted_rows
    sort_rows(rows, scratch.branch_of, n_branches, scratch.starts, sorted_rows)
    for i in range(rows.size):
        rows[i] = sorted_rows[i]


@inlined
def _is_clear(distances, n_centroids, n_features):
    """Whether plain distances are enough to know what `max.col` does with the exact ones."""
    largest = 0.0
    for c in range(n_centroids):
        largest = max(largest, distances[c])
    doubt = largest * ((n_features + 4) * DOUBT)
    tolerance = TIE_TOLERANCE * largest
    best = distances[0]
    clear = largest < SAFE
    for c in range(1, n_centroids):
        nearer = best - distances[c]
        if abs(nearer - tolerance) <= doubt or abs(nearer + tolerance) <= doubt:
            clear = False
        if nearer > tolerance:
            best = distances[c]
    return clear


@inlined
def nearest_or_tied(distances, n_centroids, state):
    """R's `max.col` on negated distances: a value within the tolerance of the best is a tie."""
    largest = 0.0
    for c in range(n_centroids):
        if distances[c] < np.inf:
            largest = max(largest, distances[c])
    tolerance = TIE_TOLERANCE * largest
    best = 0
    value = -distances[0]
    ties = 1
    for c in range(1, n_centroids):
        other = -distances[c]
        if other > value + tolerance:
            value = other
            best = c
            ties = 1
        elif other >= value - tolerance:
            ties += 1
            if ties * next_uniform(state) < 1.0:
                best = c
    return best


@inlined
def first_nearest(columns, rows, i, split, distances):
    """The first nearest centroid of `rows[i]`; -1 if no distance is finite.

    `distances` are those of :func:`plain_distances` for all rows.
    """
    best = 0
    smallest = np.inf
    runner_up = np.inf
    for c in range(split.n_centroids):
        distance = distances[c * rows.size + i]
        if distance < smallest:
            runner_up = smallest
            smallest = distance
            best = c
        elif distance < runner_up:
            runner_up = distance
    if not min(runner_up, SAFE) * (1.0 - (split.n_features + 4) * DOUBT) > smallest:
        best = -1
        smallest = np.inf
        for c in range(split.n_centroids):
            distance, rest = exact_distance(columns, rows[i], split, c)
            # Here R uses sum(), which compares with the largest double before it rounds
            infinite = distance == _LARGEST and rest > 0.0
            if distance < smallest and not infinite:
                smallest = distance
                best = c
    return best
