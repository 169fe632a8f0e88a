"""How far distances must be apart for a moved row to be decided by its changes alone."""

import numpy as np

from pycdf.kernels.partition import DOUBT, SAFE, Split
from pycdf.kernels.shuffle import _doubt


def test_the_doubt_grows_with_the_farthest_centroid_of_the_node():
    doubt = getattr(_doubt, "py_func", _doubt)
    # the node's centroids follow 4 numbers of another node; of 2 features the second is moved
    centroids = np.array([99.0, 99.0, 99.0, 99.0, 0.0, 1.0, 0.0, -5.0, 0.0, 2.0])
    split = Split(
        features=np.array([7, 8]), first_feature=0, n_features=2,
        centroids=centroids, first_centroid=4, n_centroids=3,
    )  # fmt: skip
    assert doubt(split, 1, 10.0, -1.0, 3.0) == (10.0 + 8.0**2) * 10 * DOUBT  # from 3 to -5
    assert doubt(split, 1, 10.0, -4.0, -3.0) == (10.0 + 6.0**2) * 10 * DOUBT  # from -4 to 2
    assert doubt(split, 0, 10.0, 0.0, 0.5) == (10.0 + 0.5**2) * 10 * DOUBT
    assert doubt(split, 1, SAFE, -1.0, 3.0) == np.inf
