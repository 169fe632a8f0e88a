"""Where rows go in a tree, and how far they are from the centroids on their way."""

import numpy as np
from numba import njit

from pycdf import CDFClassifier
from pycdf.kernels.visits import measure_visits, new_places, new_visits, place_rows


@njit
def measure(tree, columns, places, visits):
    measure_visits(tree, columns, places, visits)


def test_distances_and_the_largest_of_each_node():
    X = np.random.default_rng(2).normal(size=(60, 12))
    y = np.arange(60) % 3
    model = CDFClassifier(ntrees=1, depth=3, mnode=2, seed=1).fit(X, y).model_
    tree, columns = model.forest, np.ascontiguousarray(X.T[model.kept])
    places = new_places(len(X), tree.n_nodes, len(model.classes))
    visits = new_visits(len(X), tree.n_nodes, *place_rows(tree, columns, places))
    measure(tree, columns, places, visits)
    seen = 0
    for node in np.flatnonzero(tree.leaf < 0):
        first, end = places.spans[node]
        features = tree.features[tree.feature_start[node] : tree.feature_start[node + 1]]
        centroids = tree.centroids[tree.centroid_start[node] : tree.centroid_start[node + 1]]
        centroids = centroids.reshape(-1, len(features))
        rows = X[places.rows[first:end]][:, model.kept[features]]
        away = np.square(rows[np.newaxis] - centroids[:, np.newaxis]).sum(axis=2)
        begin = visits.starts[node, 1]
        found = visits.distances[begin : begin + away.size].reshape(away.shape)
        np.testing.assert_allclose(found, away, rtol=1e-12)
        assert visits.largest[node] == found.max()
        seen += away.size
    assert seen > 100
