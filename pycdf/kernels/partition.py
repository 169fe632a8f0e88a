"""Which centroid a row is nearest to: in training, with R's random ties, and in prediction.

In go rows, a node's selected features and their centroids; out comes the branch of each row. All
distances are taken in plain doubles, which decide, with a bound on their error; only for a row that
is too close to call are R's 80-bit distances computed.
"""

import numpy as np

from pycdf.kernels.compile import inner, once
from pycdf.kernels.extended_sums import add80
from pycdf.kernels.random import next_uniform

TIE_TOLERANCE = 1e-5  # of R's max.col, relative to the largest distance
_DOUBT = 2.0**-51


@inner
def plain_distances(columns, rows, features, first, take, centroids, start, n_centroids, room):
    """Squared distances of rows to centroids in plain doubles, missing terms left out.

    The features are `features[first:first + take]`, the centroids follow each other in `centroids`
    from `start` on. `room[c * n + i]` gets the distance of row i of n to centroid c; behind these
    there must be space for n more. Such a distance is within `take + 2` roundings of R's.
    """
    n = rows.size
    values = room[n_centroids * n :]
    for i in range(n_centroids * n):
        room[i] = 0.0
    for f in range(take):
        column = columns[features[first + f]]
        for i in range(n):
            values[i] = column[rows[i]]
        for c in range(n_centroids):
            center = centroids[start + c * take + f]
            line = room[c * n : (c + 1) * n]
            for i in range(n):
                apart = values[i] - center
                square = apart * apart
                line[i] += square if square == square else 0.0


@inner
def exact_distance(columns, row, features, first, take, centroids, start):
    """R's squared distance to the centroid at `start`: an 80-bit sum, missing terms left out."""
    high = 0.0
    low = 0.0
    for f in range(take):
        apart = columns[features[first + f], row] - centroids[start + f]
        square = apart * apart
        if square == square:
            high, low = add80(high, low, square)
    return high


@once
def send_rows(columns, rows, features, take, centroids, n_centroids, room, distances, state, out):
    """Write the branch of each training row to `out`, near ties broken at random as R does."""
    n = rows.size
    plain_distances(columns, rows, features, 0, take, centroids, 0, n_centroids, room)
    clear = TIE_TOLERANCE + (take + 4) * _DOUBT
    for i in range(n):
        apart = room[i] - room[n + i]
        if n_centroids == 2 and abs(apart) > clear * max(room[i], room[n + i]) < np.inf:
            out[i] = apart > 0.0
            continue
        for c in range(n_centroids):
            distances[c] = room[c * n + i]
        if not _is_clear(distances, n_centroids, take):
            for c in range(n_centroids):
                distances[c] = exact_distance(
                    columns, rows[i], features, 0, take, centroids, c * take
                )
        out[i] = _nearest_or_tied(distances, n_centroids, state)


@once
def part_rows(rows, branch_of, place, parted):
    """Put the rows of each branch next to each other, in their order.

    `place` says where each branch begins, and is moved to where it ends; `parted` is scratch.
    """
    for i in range(rows.size):
        parted[place[branch_of[i]]] = rows[i]
        place[branch_of[i]] += 1
    for i in range(rows.size):
        rows[i] = parted[i]


@once
def _is_clear(distances, n_centroids, take):
    """Tell whether plain distances leave no doubt what `max.col` does with the exact ones."""
    largest = 0.0
    for c in range(n_centroids):
        largest = max(largest, distances[c])
    doubt = largest * ((take + 4) * _DOUBT)
    tolerance = TIE_TOLERANCE * largest
    best = distances[0]
    clear = largest < np.inf
    for c in range(1, n_centroids):
        nearer = best - distances[c]
        if abs(nearer - tolerance) <= doubt or abs(nearer + tolerance) <= doubt:
            clear = False
        if nearer > tolerance:
            best = distances[c]
    return clear


@once
def _nearest_or_tied(distances, n_centroids, state):
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


@once
def first_nearest(columns, row, features, first, take, centroids, start, n_centroids, room, n, i):
    """The first nearest centroid of row i of n, whose plain distances are in `room`; -1: none.

    No centroid is nearest where no distance is finite.
    """
    best = 0
    smallest = np.inf
    runner_up = np.inf
    for c in range(n_centroids):
        distance = room[c * n + i]
        if distance < smallest:
            runner_up = smallest
            smallest = distance
            best = c
        elif distance < runner_up:
            runner_up = distance
    if not runner_up * (1.0 - (take + 4) * _DOUBT) > smallest:
        best = -1
        smallest = np.inf
        for c in range(n_centroids):
            distance = exact_distance(
                columns, row, features, first, take, centroids, start + c * take
            )
            if distance < smallest:
                smallest = distance
                best = c
    return best
