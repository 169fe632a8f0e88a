"""Co-selection: counts against sets, chance against the exact chances of a weighted draw."""

from itertools import combinations
from math import prod

import numpy as np
import pytest

from pycdf import CDFClassifier, load_darwin
from pycdf.explain.pairs import _expected, coselected_pairs, coselection

HAJEK = 0.05  # of the exact chance: how far the approximation is off for the draw below


@pytest.fixture(scope="module")
def fit():
    X, y = load_darwin()
    return CDFClassifier(ntrees=15, k=5, seed=1).fit(X.iloc[:, :30], y)


def chosen_sets(fit):
    """The features of each node that is split."""
    forest, names = fit.model_.forest, fit.feature_names_in_
    spans = zip(forest.feature_start[:-1], forest.feature_start[1:], strict=True)
    return [set(names[forest.features[a:b]]) for a, b in spans if b > a]


def test_counts(fit):
    nodes = chosen_sets(fit)
    table = coselection(fit, top=12)
    assert table.index.tolist() == table.columns.tolist()
    for one in table.index:
        for other in table.index:
            assert table.loc[one, other] == sum({one, other} <= node for node in nodes)
    by_importance = np.argsort(-fit.feature_importances_, kind="stable")[:12]
    assert table.index.tolist() == fit.feature_names_in_[by_importance].tolist()
    assert coselection(fit, top=1000).shape == (30, 30)


def test_pairs(fit):
    nodes = chosen_sets(fit)
    pairs = coselected_pairs(fit)
    names = {name for node in nodes for name in node}
    seen = {frozenset(pair) for node in nodes for pair in combinations(node, 2)}
    assert {frozenset(pair) for pair in zip(pairs["first"], pairs["second"], strict=True)} == seen
    assert len(pairs) == len(seen)
    assert pairs["together"].is_monotonic_decreasing
    selected = {name: sum(name in node for node in nodes) for name in names}
    for line in pairs.itertuples():
        assert line.together == sum({line.first, line.second} <= node for node in nodes)
        assert selected[line.first] >= selected[line.second]
        assert line.lift == line.together / line.expected
    assert pairs["together"].sum() == len(nodes) * 10  # each node has 5 over 2 pairs


def test_lift_in_the_square(fit):
    pairs = coselected_pairs(fit).set_index(["first", "second"])["lift"]
    table = coselection(fit, top=10, lift=True)
    for i, one in enumerate(table.index):
        assert np.isnan(table.loc[one, one])
        for other in table.index[i + 1 :]:
            assert table.loc[one, other] == pairs.get((one, other), 0.0)
            assert table.loc[other, one] == table.loc[one, other]


def test_chance_of_a_weighted_draw():
    """All 5,005 ways to choose 6 of 15 features, each as likely as the product of its weights."""
    weights = np.linspace(0.3, 3.0, 15)
    ways = list(combinations(range(15), 6))
    chances = np.array([prod(weights[j] for j in way) for way in ways])
    chances /= chances.sum()
    inside = np.array([[j in way for j in range(15)] for way in ways])
    single = chances @ inside
    joint = (inside * chances[:, np.newaxis]).T @ inside
    for one, other in combinations(range(15), 2):
        found = _expected(single * 1000, 1000, np.array([one]), np.array([other]))[0]
        assert found == pytest.approx(1000 * joint[one, other], rel=HAJEK)
        without = 1000 * single[one] * single[other]  # as if each feature were drawn by itself
        assert abs(found - 1000 * joint[one, other]) < abs(without - 1000 * joint[one, other])


def test_chance_at_the_ends():
    """A feature in every node shares all nodes of any other; so do features that are all chosen."""
    selected = np.array([40, 20, 15, 5])  # two of four features in each of 40 nodes
    expected = _expected(selected, 40, np.array([0, 0, 0]), np.array([1, 2, 3]))
    assert expected.tolist() == [20.0, 15.0, 5.0]
    X = np.random.default_rng(1).normal(size=(20, 2))
    fit = CDFClassifier(ntrees=3, k=2, mtry=2, seed=1).fit(X, np.arange(20) % 2)
    pairs = coselected_pairs(fit)
    assert pairs["lift"].tolist() == [1.0]
    assert coselection(fit, lift=True).iloc[0, 1] == 1.0


def test_features_that_no_node_selected_have_no_lift():
    X, y = load_darwin()
    for depth in (1, 3):  # with depth 1 there is a single node
        fit = CDFClassifier(ntrees=1, depth=depth, k=2, mtry=4, seed=1).fit(X.iloc[:, :30], y)
        used = int((fit.feature_importances_ > 0).sum())
        table = coselection(fit, top=30, lift=True)
        assert table.iloc[used:].isna().all(axis=None)
        assert table.iloc[0, 1] > 0
        assert 2 <= used < 30


def test_one_feature_a_node_makes_no_pairs():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=5, k=1, seed=1).fit(X.iloc[:, :10], y)
    assert coselected_pairs(fit).empty
    table = coselection(fit).to_numpy()
    assert table.sum() == np.trace(table) == len(chosen_sets(fit))


def test_errors_say_what_to_do(fit):
    with pytest.raises(ValueError, match="top=0: pass a whole number of at least 1"):
        coselection(fit, top=0)
    with pytest.raises(TypeError, match=r"top=2\.5: pass a whole number"):
        coselection(fit, top=2.5)
    X, y = load_darwin()
    leaf = CDFClassifier(ntrees=2, depth=0, seed=1).fit(X.iloc[:, :4], y)
    for function in (coselection, coselected_pairs):
        with pytest.raises(
            ValueError, match="no selected features, as every tree is a single leaf"
        ):
            function(leaf)
