"""R's rule for equally near centroids, in plain Python."""

import math


def max_col(distances, stream):
    """``max.col(-distances)`` with random ties: the place of the nearest, one draw for each tie."""
    tolerance = 1e-5 * max(filter(math.isfinite, distances), default=0.0)
    best, value, ties = 0, -distances[0], 1
    for place, distance in enumerate(distances[1:], start=1):
        if -distance > value + tolerance:
            best, value, ties = place, -distance, 1
        elif -distance >= value - tolerance:
            ties += 1
            if ties * stream.uniform(1)[0] < 1:
                best = place
    return best
