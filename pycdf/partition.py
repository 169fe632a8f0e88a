"""Send the rows of a node to its branches: each to the nearest centroid, near ties at random.

In go the node's rows, its selected features and their centroids; out comes the branch of each row,
as R's `max.col` chooses it. Distances in plain doubles decide, with a bound on their error; only a
row that is too close to call has R's 80-bit distances computed.
"""

import numpy as np

from pycdf._jit import inner, once
from pycdf.extended import add80
from pycdf.rstream import next_uniform

TIE_TOLERANCE = 1e-5  # of R's max.col, relative to the largest distance
_DOUBT = 2.0**-51


@once
def send_rows(columns, rows, chosen, centroids, n_centroids, values, plain, distances, state, out):
    """Write the branch of each row to `out`; `values`, `plain` and `distances` are scratch."""
    n = rows.size
    take = chosen.size
    for i in range(n_centroids * n):
        plain[i] = 0.0
    for f in range(take):
        column = columns[chosen[f]]
        for i in range(n):
            values[i] = column[rows[i]]
        for c in range(n_centroids):
            center = centroids[c * take + f]
            for i in range(n):
                apart = values[i] - center
                square = apart * apart
                plain[c * n + i] += square if square == square else 0.0
    for i in range(n):
        for c in range(n_centroids):
            distances[c] = plain[c * n + i]
        if not _is_clear(distances, n_centroids, take):
            for c in range(n_centroids):
                distances[c] = _exact_distance(columns, rows[i], chosen, centroids, c * take)
        out[i] = _nearest(distances, n_centroids, state)


@once
def _is_clear(distances, n_centroids, take):
    """Tell whether plain distances leave no doubt what `max.col` does with the exact ones.

    A plain sum of `take` squares is within `take + 2` roundings of R's.
    """
    largest = 0.0
    for c in range(n_centroids):
        largest = max(largest, distances[c])
    doubt = largest * ((take + 4) * _DOUBT)
    tolerance = TIE_TOLERANCE * largest
    best = distances[0]
    clear = np.isfinite(largest)
    for c in range(1, n_centroids):
        nearer = best - distances[c]
        if abs(nearer - tolerance) <= doubt or abs(nearer + tolerance) <= doubt:
            clear = False
        if nearer > tolerance:
            best = distances[c]
    return clear


@inner
def _exact_distance(columns, row, chosen, centroids, start):
    """R's squared distance to one centroid: an 80-bit sum, missing terms left out."""
    high = 0.0
    low = 0.0
    for f in range(chosen.size):
        apart = columns[chosen[f], row] - centroids[start + f]
        square = apart * apart
        if square == square:
            high, low = add80(high, low, square)
    return high


@once
def _nearest(distances, n_centroids, state):
    """R's `max.col` on negated distances: near ties are broken at random."""
    largest = 0.0
    for c in range(n_centroids):
        if np.isfinite(distances[c]):
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
