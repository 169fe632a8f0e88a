"""Send rows down the trees of a forest by another distance than R's."""

from collections import namedtuple

from pycdf.kernels.compile import Kernel, inner
from pycdf.kernels.lab_distances import distance_of
from pycdf.kernels.lab_partition import first_of_nearest, new_measure
from pycdf.kernels.route import new_router

LabRoute = namedtuple("LabRoute", "number spreads measured")
"""The number of the distance, int64; a spread, float64, for each element of `forest.features`; and
the scratch arrays of a Measured."""


def new_lab_router(distance: Kernel, own: bool) -> Kernel:
    """The kernel that sends rows by a distance, which takes a number first.

    If it is not pycdf's `own`, the kernel is compiled in each process.
    """
    measure = new_measure(distance)

    @inner
    def branches_by_distance(columns, rows, split, scratch, rules):
        """Find the branch of each row by the distance `rules.number`."""
        measured = rules.measured
        for i in range(rows.size):
            measure(rules.number, columns, rows[i], split, rules.spreads, measured)
            nearest = first_of_nearest(measured.distances, split.n_centroids)
            scratch.branch_of[i] = 1 + nearest

    return new_router(branches_by_distance, "route_lab_rows", kept=own)


route_lab_rows = new_lab_router(distance_of, own=True)
