"""Distances of a row from a centroid, other than R's.

A distance gets the row, the centroid and the spreads of the selected features in the node (pooled
within the classes), as three float64 arrays of one length. Features that the row or the centroid
does not have are left out before. It returns a float that is small if they are near; infinity or
NaN means that the row is not near to it at all. It must not change the arrays. A new distance is a
function here and a line in DISTANCES.
"""

import math

from pycdf.kernels.compile import inner
from pycdf.kernels.lab_registry import one_of


@inner
def standardized(row, centroid, spread):
    """The squared Euclidean distance of features that are divided by their spread."""
    total = 0.0
    for j in range(row.size):
        difference = (row[j] - centroid[j]) / spread[j]
        total += difference * difference
    return total


@inner
def manhattan(row, centroid, spread):
    """The sum of the absolute differences."""
    total = 0.0
    for j in range(row.size):
        total += abs(row[j] - centroid[j])
    return total


@inner
def cosine(row, centroid, spread):
    """One minus the cosine of the angle at the origin; 1 if either has no direction."""
    product = 0.0
    square = 0.0
    other_square = 0.0
    for j in range(row.size):
        product += row[j] * centroid[j]
        square += row[j] * row[j]
        other_square += centroid[j] * centroid[j]
    lengths = math.sqrt(square) * math.sqrt(other_square)
    return 1.0 - product / lengths if lengths > 0.0 else 1.0


DISTANCES = {"standardized": standardized, "manhattan": manhattan, "cosine": cosine}
"""The distances by name. Their numbers in kernels are 1, 2, ...; 0 is R's."""

distance_of = one_of(DISTANCES)
