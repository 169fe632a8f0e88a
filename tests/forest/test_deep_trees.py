"""Trees as deep as R can grow them, and a clear error where R runs out of stack."""

import time
import warnings

import pytest
from deep_chain import deep_chain
from same_forest import assert_same_forest

from pycdf import CDF, CDFClassifier, InputWarning
from pycdf.explain import export_text
from pycdf.files.model import model_bytes, model_from_bytes
from pycdf.forest.tables import centroid_table, node_table

TOO_DEEP = (
    "a tree has more than 1,000 levels of splits, where R runs out of stack: with missing values "
    "in the centroids, all rows of a node can take the same branch again and again. Pass a depth "
    "of at most 1000."
)


def grown(depth, **more):
    X, y = deep_chain()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return CDF(X, y, X[:2], ntrees=2, depth=depth, k=2, mtry=2, seed=1, **more)


@pytest.fixture(scope="module")
def deepest():
    return grown(1000)


def test_a_tree_of_a_thousand_levels(deepest):
    forest = deepest.model_.forest
    assert forest.depth.max() == 1000
    assert forest.n_nodes == 2 * 1001
    assert len(node_table(forest, deepest.model_.classes)) == 2 * 1001
    assert len(centroid_table(forest, deepest.model_.classes, deepest.model_.kept)) == 2 * 4000
    assert_same_forest(model_from_bytes(model_bytes(deepest.model_)).forest, forest)
    assert deepest.model.predict(deep_chain()[0]).tolist() == ["a"] * 24


@pytest.mark.parametrize("depth", [1001, 10**6, 2**31 - 1])
def test_no_deeper(depth):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        grown(depth)
    assert str(caught.value) == TOO_DEEP


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_deeper_in_the_estimator_either(n_jobs):
    X, y = deep_chain()
    fit = CDFClassifier(ntrees=20, depth=2000, k=2, mtry=2, seed=1, streams="per_tree")
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        fit.set_params(n_jobs=n_jobs).fit(X, y)
    assert str(caught.value) == TOO_DEEP


def test_a_large_depth_changes_nothing_in_trees_that_end():
    """R's depth is a limit: trees that end before do not notice it."""
    X, y = deep_chain(60)
    X[:, 0] = X[:, 1] * 3 + X[::-1, 1]
    X[:, 1] += range(60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        deep, limited = (
            CDF(X, y, X[:2], ntrees=5, depth=depth, k=1, mtry=2, seed=1).model_.forest
            for depth in (2**31 - 1, 60)
        )
    assert 3 < deep.depth.max() < 60
    assert_same_forest(deep, limited)


def test_the_text_of_a_deep_tree_is_no_longer_than_its_nodes_need(deepest):
    """Lines are indented by 20 levels at most; then the text goes on at the margin."""
    began = time.perf_counter()
    text = export_text(deepest)
    assert time.perf_counter() - began < 5
    assert len(text) < 1000 * 500
    assert max(map(len, text.splitlines())) < 160
    lines = text.splitlines()
    assert [line for line in lines if line.startswith("Depth")] == [
        f"Depth {depth:,}:" for depth in range(20, 1000, 20)
    ]
    assert [line.split()[-2:] for line in lines if "node 40:" in line] == [
        ["continued", "below"],
        ["b:", "7)"],
    ]
    assert sum(line.count("nearest to b: node") for line in lines) == 1000


def test_a_tree_of_twenty_levels_is_written_as_before():
    text = export_text(grown(20))
    assert "Depth" not in text
    assert "continued" not in text
    assert max(map(len, text.splitlines())) > 100
    assert "Depth 20:\nnode 20: 24 rows (a: 17, b: 7)\n|   centroid of" in export_text(grown(21))
