"""Selection chance: p-values against forests that the estimator grows on shuffled labels."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from pycdf import CDF, CDFClassifier, InputWarning, RStream, load_darwin
from pycdf.explain.chance import adjusted, selection_chance
from pycdf.forest.arrays import Forest

PARAMETERS = {"ntrees": 20, "depth": 2, "k": 3, "mtry": 10}


def darwin():
    X, y = load_darwin()
    return X.iloc[::2, :40], y.iloc[::2]


def counts(forest: Forest, p: int) -> list[int]:
    return [int((forest.features == j).sum()) for j in range(p)]


def shuffled_counts(X, y, repeats, seed, **parameters):
    """The definition: shuffle the labels, let the estimator grow its forest, count."""
    stream = RStream(seed)
    found = []
    for _ in range(repeats):
        order = stream.sample(len(y))
        model = CDFClassifier(seed=stream, **parameters).fit(X, np.asarray(y)[order])
        found.append(counts(model.model_.forest, X.shape[1]))
    return found


def multiple(forests, one, feature):
    """The share of a feature in one of several forests by its mean over the others and 5 more."""
    shares = [Fraction(counted[feature], sum(counted)) for counted in forests]
    alike = 5 * [Fraction(1, len(forests[0]))]
    others = [*shares[:one], *shares[one + 1 :], *alike]
    return shares[one] / (sum(others) / len(others))


@pytest.mark.parametrize("null", ["pooled", "feature"])
def test_as_defined(null):
    X, y = darwin()
    model = CDFClassifier(seed=1, **PARAMETERS).fit(X, y)
    table = selection_chance(model, X, y, n_repeats=4, null=null, seed=2)
    own = counts(model.model_.forest, 40)
    nodes = int((model.model_.forest.leaf < 0).sum())
    others = shuffled_counts(X, y, 4, 2, **PARAMETERS)
    forests = [own, *others]
    pool = [multiple(forests, one, j) for one in range(1, 5) for j in range(40)]
    for j, name in enumerate(X.columns):
        line = table.loc[name]
        if null == "feature":
            share = Fraction(own[j], sum(own))
            as_large = sum(Fraction(row[j], sum(row)) >= share for row in others)
            assert line["p_value"] == (1 + as_large) / (1 + 4)
        else:
            found = multiple(forests, 0, j)
            assert line["p_value"] == (1 + sum(one >= found for one in pool)) / (1 + 4 * 40)
        assert line["selected"] == own[j]
        assert line["expected"] == nodes * 3 / 40
        mean = sum(row[j] / sum(row) for row in others) / 4 * sum(own)
        assert line["shuffled"] == pytest.approx(mean, rel=1e-12)  # sums in another order
    assert table["p_adjusted"].tolist() == adjusted(table["p_value"].to_numpy()).tolist()
    assert table["selected"].is_monotonic_decreasing


def test_a_feature_that_is_always_selected_is_not_flattered():
    """Classes of one row, drawn twice, have no spread: then the largest numbers win."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(48, 60))
    X[:, :4] *= 20
    small = []
    for seed in range(15):
        y = rng.permutation(np.arange(48) % 16)
        fit = CDFClassifier(ntrees=60, k=1, seed=seed).fit(X, y)
        table = selection_chance(fit, X, y, n_repeats=10, seed=seed)
        assert (table.loc[range(4), "shuffled"] > 2 * table["expected"].iloc[0]).all()
        small.append(table["p_value"].sort_index() < 0.05)
    small = np.array(small)
    assert small[:, :4].mean() < 0.15  # 60 p-values; by the shares alone, nearly all
    assert 0.03 < small.mean() < 0.07


def test_benjamini_hochberg():
    """By its definition, p-value by p-value, ties and ones included."""
    p = np.array([0.01, 0.5, 0.04, 0.04, 1.0, 0.03, 1e-9, 0.9])
    ordered = sorted(p.tolist())
    for value, found in zip(p.tolist(), adjusted(p).tolist(), strict=True):
        first = ordered.index(value)
        assert found == min(1.0, *(8 / (i + 1) * ordered[i] for i in range(first, 8)))


def test_it_tells_what_matters():
    """One feature tells the classes, 59 do not; then none does."""
    rng = np.random.default_rng(5)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 60))
    nothing = CDFClassifier(ntrees=50, k=2, seed=1).fit(X, y)
    assert (selection_chance(nothing, X, y, n_repeats=20, seed=1)["p_adjusted"] > 0.05).all()
    X[:, 7] += 3 * y
    told = CDFClassifier(ntrees=50, k=2, seed=1).fit(X, y)
    table = selection_chance(told, X, y, n_repeats=30, seed=1)
    assert table.index[table["p_adjusted"] < 0.05].tolist() == [7]
    assert table["p_value"].iloc[0] == 1 / (1 + 30 * 60)


def test_options_and_data_of_the_fit_are_used():
    """An integer matrix stays one; rows without a label stay out; the paper's spread stays."""
    rng = np.random.default_rng(2)
    y = np.arange(50) % 3
    X = rng.integers(0, 9, (50, 30)) + y[:, np.newaxis]
    model = CDFClassifier(seed=1, spread="population", **PARAMETERS).fit(X, y)
    assert model.model_.options["integer"]
    table = selection_chance(model, X, y, n_repeats=2, seed=2)
    others = shuffled_counts(X, y, 2, 2, spread="population", **PARAMETERS)
    expected = np.mean([np.array(row) / sum(row) for row in others], axis=0)
    total = table["selected"].sum()
    np.testing.assert_allclose(table.loc[range(30), "shuffled"] / total, expected, rtol=1e-12)
    floats = CDFClassifier(seed=1, **PARAMETERS).fit(X.astype(float), y)
    assert not selection_chance(floats, X, y, n_repeats=2, seed=2).equals(table)

    labels = pd.Series(y.astype(object))
    labels[7] = None
    with pytest.warns(InputWarning, match="1 row of 50 in xtrain had no label in ytrain"):
        fit = CDF(X, labels, X[:0], seed=1, **PARAMETERS)
    rest = labels.notna().to_numpy()
    pd.testing.assert_frame_equal(
        selection_chance(fit, X, labels, n_repeats=2, seed=2),
        selection_chance(fit, X[rest], labels[rest], n_repeats=2, seed=2),
    )


def test_a_seed_repeats_it():
    X, y = darwin()
    model = CDFClassifier(seed=1, **PARAMETERS).fit(X, y)
    one, other, third = (selection_chance(model, X, y, n_repeats=3, seed=s) for s in (4, 4, 5))
    pd.testing.assert_frame_equal(one, other)
    assert not one.equals(third)


def test_cores_make_no_difference():
    X, y = darwin()
    model = CDFClassifier(seed=1, streams="per_tree", **PARAMETERS).fit(X, y)
    one, two = (selection_chance(model, X, y, n_repeats=3, seed=4, n_jobs=n) for n in (None, 2))
    pd.testing.assert_frame_equal(one, two)
    with pytest.raises(ValueError, match="n_jobs=0: pass a number of cores"):
        selection_chance(model, X, y, n_jobs=0)


def test_errors_say_what_to_do():
    X, y = darwin()
    model = CDFClassifier(seed=1, **PARAMETERS).fit(X, y)
    with pytest.raises(ValueError, match="n_repeats=0: pass a whole number of at least 1"):
        selection_chance(model, X, y, n_repeats=0)
    with pytest.raises(ValueError, match="null='each': pass 'pooled' or 'feature'"):
        selection_chance(model, X, y, null="each")
    unused = X.columns[model.feature_importances_ == 0][0]  # no centroid tells that it is another
    with pytest.raises(
        ValueError, match="some columns of X do not vary although they did in training"
    ):
        selection_chance(model, X.assign(**{unused: 1.0}), y)
    stumps = CDFClassifier(ntrees=3, depth=0, seed=1).fit(X, y)
    with pytest.raises(ValueError, match="no selected features: every tree is a single leaf"):
        selection_chance(stumps, X, y)
    with pytest.raises(TypeError, match=r"fit is 'model.cdf': pass pycdf.load of that file"):
        selection_chance("model.cdf", X, y)
