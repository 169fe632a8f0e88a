"""Growing and joining at the edges: room for nodes, and forests without in-bag counts."""

import numpy as np
import pytest
from same_forest import assert_same_forest

from pycdf import CDFClassifier
from pycdf.forest import growing
from pycdf.forest.arrays import join
from pycdf.forest.summary import summary, training_facts
from pycdf.forest.voting import Routing, out_of_bag_votes


def forest_of(X, y, **options):
    return CDFClassifier(seed=1, **{"ntrees": 6, **options}).fit(X, y).model_


@pytest.fixture(scope="module")
def table():
    draw = np.random.default_rng(5)
    y = draw.integers(0, 4, 400)
    X = draw.normal(size=(400, 6))
    X[:, 0] += y
    return X, y


def test_a_tree_that_does_not_fit_gets_more_room(table, monkeypatch):
    """A call that begins with room for 16 nodes gives the forest of one that begins with much."""
    X, y = table
    expected = forest_of(X, y, depth=6).forest
    assert np.diff(expected.tree_start).min() > 64  # so that room grows twice before a tree fits
    monkeypatch.setattr(growing, "_FIRST_CELLS", 1)
    assert_same_forest(forest_of(X, y, depth=6).forest, expected)
    assert_same_forest(
        forest_of(X, y, depth=6, streams="per_tree", n_jobs=2).forest,
        forest_of(X, y, depth=6, streams="per_tree").forest,
    )


def without_counts(forest):
    """As model files of other makers may have it."""
    return forest._replace(inbag=np.empty((len(forest.inbag), 0), dtype=np.uint8))


def test_a_joint_forest_has_in_bag_counts_if_both_have(table):
    X, y = table
    first, more = (forest_of(X, y, ntrees=n).forest for n in (2, 3))
    both = join(first, more)
    assert both.inbag.tolist() == [*first.inbag.tolist(), *more.inbag.tolist()]
    for one, other in ((without_counts(first), more), (first, without_counts(more))):
        joint = join(one, other)
        assert joint.inbag.shape == (5, 0)
        assert joint.inbag.dtype == np.uint8
        assert_same_forest(joint, without_counts(both))


def test_votes_out_of_bag_need_to_know_who_was_out(table):
    model = forest_of(*table)
    columns = np.ascontiguousarray(table[0].T)
    with pytest.raises(ValueError, match="oob_score=True needs to know which rows each tree drew"):
        out_of_bag_votes(Routing(without_counts(model.forest)), columns, 1)


def test_the_facts_count_columns_that_do_not_vary(table):
    X, y = table
    X = np.column_stack([X, np.ones(len(X))])
    model = forest_of(X, y)
    told = training_facts(summary(model))["trained on"]
    assert told == ["400 rows, 7 columns", "6 columns kept, the others do not vary"]
    assert training_facts(summary(forest_of(*table)))["trained on"] == ["400 rows, 6 columns"]
