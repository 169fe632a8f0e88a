"""Find the nearest centroid of a row by another distance than R's."""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import Kernel, inlined, inner

Measured = namedtuple("Measured", "row centroid spread distances")
"""Scratch arrays for the distances of one row, float64: what it and a centroid have both, the
spreads of these features, and its `distances` from the centroids."""


def new_measured(k: int, n_classes: int) -> Measured:
    """Scratch arrays for nodes with up to `k` features."""
    return Measured(np.empty(k), np.empty(k), np.empty(k), np.empty(n_classes + 1))


def new_measure(distance: Kernel) -> Kernel:
    """A kernel that computes a distance, which takes a number first."""

    @inner
    def measure(number, columns, row, split, spreads, scratch):
        """Write the distances of a row from all centroids; infinity where there is none."""
        for c in range(split.n_centroids):
            centroid = split.first_centroid + c * split.n_features
            count = 0
            for f in range(split.n_features):
                value = columns[split.features[split.first_feature + f], row]
                center = split.centroids[centroid + f]
                if value == value and center == center:
                    scratch.row[count] = value
                    scratch.centroid[count] = center
                    scratch.spread[count] = spreads[split.first_feature + f]
                    count += 1
            length = distance(
                number, scratch.row[:count], scratch.centroid[:count], scratch.spread[:count]
            )
            scratch.distances[c] = length if length == length else np.inf

    return measure


@inlined
def first_of_nearest(distances, n_centroids):
    """The first centroid with the smallest distance; -1 if no distance is finite."""
    best = -1
    smallest = np.inf
    for c in range(n_centroids):
        if distances[c] < smallest:
            smallest = distances[c]
            best = c
    return best
