"""Stability over seeds: shares against the estimator's, measures against sets and scipy."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import spearmanr

from pycdf import CDFClassifier, load_darwin
from pycdf.explain.seeds import stability

ROUNDING = 1e-12  # the same formula, evaluated in another order


def darwin():
    X, y = load_darwin()
    return X.iloc[::2, :60], y.iloc[::2]


def test_shares_are_those_of_the_forests():
    X, y = darwin()
    found = stability(X, y, seeds=[3, 1, 8], top=5, ntrees=15, k=4)
    assert found.shares.index.tolist() == [3, 1, 8]
    assert found.shares.columns.tolist() == X.columns.tolist()
    for seed, shares in found.shares.iterrows():
        model = CDFClassifier(seed=seed, ntrees=15, k=4).fit(X, y)
        assert shares.tolist() == model.feature_importances_.tolist()
    counted = stability(X, y, seeds=3, top=5, ntrees=15, k=4)
    assert counted.shares.index.tolist() == [1, 2, 3]


def test_measures():
    X, y = darwin()
    found = stability(X, y, seeds=4, top=7, ntrees=10)
    p = 60
    tops = {seed: set(row.nlargest(7).index) for seed, row in found.shares.iterrows()}
    for one, other in product(tops, tops):
        common = len(tops[one] & tops[other])
        assert found.shared.loc[one, other] == common
        assert found.jaccard.loc[one, other] == common / len(tops[one] | tops[other])
        kuncheva = (common - 49 / p) / (7 - 49 / p)
        assert found.kuncheva.loc[one, other] == pytest.approx(kuncheva, rel=ROUNDING)
        rho = spearmanr(found.shares.loc[one], found.shares.loc[other]).statistic
        assert found.rank_correlation.loc[one, other] == pytest.approx(rho, rel=ROUNDING)
    for name, mean in found.summary.items():
        table = getattr(found, name)
        pairs = [table.loc[a, b] for a, b in product(tops, tops) if a < b]
        assert mean == pytest.approx(sum(pairs) / 6, rel=ROUNDING)


def test_features():
    X, y = darwin()
    found = stability(X, y, seeds=3, top=4, ntrees=10)
    table = found.features
    assert table["share"].is_monotonic_decreasing
    for name, line in table.iterrows():
        shares = found.shares[name].to_numpy()
        assert line["share"] == pytest.approx(shares.mean(), rel=ROUNDING)
        assert line["std"] == pytest.approx(np.std(shares, ddof=1), rel=ROUNDING)
        assert (line["smallest"], line["largest"]) == (shares.min(), shares.max())
        tops = [name in row.nlargest(4).index for _, row in found.shares.iterrows()]
        assert line["in_top"] == sum(tops) / 3
    assert "Stability over 3 seeds, 60 features" in repr(found)


def test_features_without_names_and_constant_ones():
    X = np.random.default_rng(1).normal(size=(30, 12))
    X[:, 4] = 2.0
    found = stability(X, np.arange(30) % 2, seeds=2, top=3, ntrees=10)
    assert found.shares.columns.tolist() == [j for j in range(12) if j != 4]


def test_errors_say_what_to_do():
    X, y = darwin()
    for seeds, message in (
        (1, "seeds=1: pass a whole number of at least 2"),
        ([5], r"seeds=\[5\]: pass at least two different seeds, or their number"),
        ([5, 5], r"seeds=\[5, 5\]: pass at least two different seeds"),
        ([5, 2**31], r"seeds\[1\]=2147483648: pass a whole number from -2147483647 to 2147483647"),
    ):
        with pytest.raises(ValueError, match=message):
            stability(X, y, seeds=seeds)
    for seeds in (2.5, "10", None, ["a", "b"]):
        with pytest.raises(TypeError, match=r"seeds.*: pass a whole number"):
            stability(X, y, seeds=seeds)
    with pytest.raises(
        TypeError, match="seed is not a parameter here: pass seeds, and one forest is"
    ):
        stability(X, y, seed=3)
    with pytest.raises(TypeError, match=r"no parameter trees: pass any of .*depth, .*k, mnode"):
        stability(X, y, trees=3)
    with pytest.raises(ValueError, match="ntrees=0: pass a whole number from 1"):
        stability(X, y, ntrees=0)
    with pytest.raises(ValueError, match="top=0: pass a whole number of at least 1"):
        stability(X, y, top=0)
    with pytest.raises(ValueError, match="top=50 is more than the 2 features that a forest sel"):
        stability(X, y, top=50, ntrees=1, k=2, depth=1)
    with pytest.raises(ValueError, match=r"top=3 is all 3 features of X that vary.* at most 2"):
        stability(X.iloc[:, :3], y, top=3, ntrees=20, k=2)
    with pytest.raises(ValueError, match=r"more than the 3 features .*: pass at most 2\.$"):
        stability(X.iloc[:, :3], y, ntrees=20, k=2)
    with pytest.raises(ValueError, match="only 1 feature that varies: forests have nothing to"):
        stability(X.iloc[:, :1], y, top=1, ntrees=5)
    with pytest.raises(ValueError, match="no feature is selected, as every tree is a single leaf"):
        stability(X, y, ntrees=2, depth=0)
