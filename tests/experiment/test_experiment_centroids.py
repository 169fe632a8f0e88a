"""Diagonal LDA and nearest shrunken centroids."""

import numpy as np
import pytest
from estimator_checks import all_checks

from pycdf.experiment.centroids import DiagonalLDA, ShrunkenCentroids


@all_checks(DiagonalLDA(), ShrunkenCentroids())
def test_they_are_estimators(estimator, check):
    check(estimator)


def whole_numbers():
    """Rows that a line of R makes, too."""
    i, j = np.arange(1, 19)[:, np.newaxis], np.arange(1, 6)
    X, y = (i * (j + 3) * 7 % 23) / 7, np.array([1, 2, 3] * 6)
    X[y == 2, 0] += 1
    X[y == 3, 1] += 1.5
    return X, y, (np.arange(1, 13)[:, np.newaxis] * (j + 2) * 5 % 19) / 6


def test_diagonal_lda_is_rs():
    """diagDA(x, y, new, pool = TRUE) of R's package sfsmisc 1.1-14."""
    X, y, new = whole_numbers()
    model = DiagonalLDA().fit(X, y)
    assert model.predict(new).tolist() == [2, 1, 1, 1, 2, 1, 2, 1, 1, 2, 2, 1]
    assert model.predict(X).tolist() == [1, 1, 3, 2, 2, 3, 3, 2, 3, 1, 2, 3, 3, 1, 3, 1, 2, 3]


def by_the_papers_formulas(X, y, new, threshold):
    """Tibshirani et al. (2002), one number at a time; their delta is ``threshold``."""
    classes, n = np.unique(y), len(y)
    scores = np.zeros((len(new), len(classes)))
    pooled = []
    for j in range(X.shape[1]):
        left = sum(((X[y == k, j] - X[y == k, j].mean()) ** 2).sum() for k in classes)
        pooled.append((left / (n - len(classes))) ** 0.5)
    s0 = np.median(pooled)
    for c, k in enumerate(classes):
        m = (1 / (y == k).sum() - 1 / n) ** 0.5
        for j in range(X.shape[1]):
            scale = pooled[j] + s0
            d = (X[y == k, j].mean() - X[:, j].mean()) / (m * scale)
            d = np.sign(d) * max(abs(d) - threshold, 0)
            scores[:, c] += ((new[:, j] - X[:, j].mean() - m * scale * d) / scale) ** 2
        scores[:, c] -= 2 * np.log((y == k).mean())
    return classes[scores.argmin(axis=1)], scores


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 0.9])
def test_shrunken_centroids_follow_the_papers_formulas(shrinkage):
    X, y, new = whole_numbers()
    X, y = X[:-2], y[:-2]  # classes of different sizes
    model = ShrunkenCentroids(shrinkage).fit(X, y)
    largest = np.abs(model._deviations).max()
    classes, scores = by_the_papers_formulas(X, y, new, shrinkage * largest)
    assert np.array_equal(model.predict(new), classes)
    shares = np.exp(-scores / 2) / np.exp(-scores / 2).sum(axis=1, keepdims=True)
    assert np.allclose(model.predict_proba(new), shares)
    assert np.allclose(model.decision_function(new), np.log(shares / (1 - shares)))
    assert np.array_equal(model.predict_each(new, [0.5, shrinkage])[1], classes)


def test_with_everything_shrunken_the_largest_class_is_left():
    X, y, new = whole_numbers()
    model = ShrunkenCentroids(1.0).fit(X[:-1], y[:-1])
    assert np.allclose(model.shrunken(1.0), model.overall_)
    assert set(model.predict(new)) <= {1, 2}
    assert model.predict_proba(new)[0].tolist() == pytest.approx([6 / 17, 6 / 17, 5 / 17])


def test_columns_without_spread_say_nothing():
    X, y, new = whole_numbers()
    wide = np.column_stack([X, np.full(18, 2.0)])
    new = np.column_stack([new, np.arange(12.0)])
    for model in (DiagonalLDA(), ShrunkenCentroids()):
        assert np.isfinite(model.fit(wide, y).predict_proba(new)).all()
    narrow = DiagonalLDA().fit(X, y).predict(new[:, :-1])
    assert np.array_equal(DiagonalLDA().fit(wide, y).predict(new), narrow)


@pytest.mark.parametrize("unit", [2.0**-20, 2.0**20])
def test_the_unit_of_the_columns_does_not_matter(unit):
    X, y, new = whole_numbers()
    for model in (DiagonalLDA(), ShrunkenCentroids()):
        wanted = model.fit(X, y).predict_proba(new)
        assert np.allclose(model.fit(X * unit, y).predict_proba(new * unit), wanted, atol=1e-12)


def test_mistakes_are_told():
    X, y, _ = whole_numbers()
    with pytest.raises(ValueError, match="every class has a single row"):
        DiagonalLDA().fit(X[:3], y[:3])
    with pytest.raises(ValueError, match=r"shrinkage=2: pass a number from 0 to 1"):
        ShrunkenCentroids(2).fit(X, y).predict(X)


def test_too_few_rows_are_told():
    X, y, _ = whole_numbers()
    for rows, told in (([0, 1], "every class has a single row"), ([0, 3], "y has only one class")):
        with pytest.raises(ValueError, match=told):
            DiagonalLDA().fit(X[rows], y[rows])
    assert DiagonalLDA().fit(X[[0, 1, 3]], y[[0, 1, 3]]).predict(X[[1]]).tolist() == [2]


@pytest.mark.parametrize("shrinkage", [-0.01, 1.01])
def test_shrinkage_is_a_share(shrinkage):
    X, y, _ = whole_numbers()
    with pytest.raises(ValueError, match="pass a number from 0 to 1"):
        ShrunkenCentroids(shrinkage).fit(X, y).predict(X)


def test_two_classes_have_log_odds_of_the_second():
    X, y, new = whole_numbers()
    for model in (DiagonalLDA(), ShrunkenCentroids(0.2)):
        shares = model.fit(X[y < 3], y[y < 3]).predict_proba(new)
        assert np.allclose(model.decision_function(new), np.log(shares[:, 1] / shares[:, 0]))
