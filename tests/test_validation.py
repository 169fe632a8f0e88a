"""Folds, and the measures of predictions against those of scikit-learn."""

from itertools import cycle

import numpy as np
import pytest
from sklearn import metrics

from pycdf.base_r.stream import RStream
from pycdf.validation import accuracy, auc, interval, measures, shuffled_folds, stratified_folds

RNG = np.random.default_rng(5)


def test_measures_of_random_rows():
    compared = 0
    for n, k in [(200, 2), (50, 3), (30, 5)]:
        codes, found = RNG.integers(0, k, n), RNG.integers(0, k, n)
        codes[:k] = np.arange(k)
        shares = RNG.integers(0, 6, (n, k)) / 5  # many ties
        wanted = {
            ("accuracy", -1): metrics.accuracy_score(codes, found),
            ("balanced_accuracy", -1): metrics.balanced_accuracy_score(codes, found),
            ("kappa", -1): metrics.cohen_kappa_score(codes, found),
        }
        for code in range(k):
            wanted["auc", code] = metrics.roc_auc_score(codes == code, shares[:, code])
            wanted["sensitivity", code] = metrics.recall_score(codes == code, found == code)
            wanted["specificity", code] = metrics.recall_score(codes != code, found != code)
        wanted["auc", -1] = np.mean([wanted["auc", code] for code in range(k)])
        got = measures(codes, found, shares)
        assert got.keys() == wanted.keys()
        for key, value in wanted.items():
            assert got[key] == pytest.approx(value, abs=1e-12), key
            compared += 1
    assert compared == 3 * 4 + 3 * (2 + 3 + 5)


def test_what_is_undefined_is_nan():
    one_class = measures(np.array([0, 0]), np.array([0, 1]), np.array([[0.9, 0.1], [0.4, 0.6]]))
    undefined = {key for key, value in one_class.items() if np.isnan(value)}
    assert undefined == {("specificity", 0), ("sensitivity", 1), ("auc", 0), ("auc", 1),
                         ("auc", -1)}  # fmt: skip
    assert one_class["balanced_accuracy", -1] == 0.5
    assert np.isnan(auc(np.array([True, True]), np.array([0.1, 0.2])))
    one_row = measures(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([[1.0, 0.0]] * 3))
    assert one_row["sensitivity", 1] == one_row["specificity", 0] == 1.0
    with pytest.raises(ValueError, match="shorter than"):
        accuracy(["a", "b"], ["a"])
    assert interval([np.nan, 0.5], "auc", 0.1)[0] == 0.5
    assert interval([0.5, np.nan, 0.7], "auc", 0.1).folds == 2
    assert interval([1.0, 0.2], "accuracy", 0.5)[2:] == (0.0, 1.0, 2)
    assert interval([-1.0, 0.2], "kappa", 0.5)[2:] == (-1.0, 1.0, 2)


def test_classes_are_dealt_out_one_after_the_other():
    codes = np.array([1, 0, 2, 0, 0, 1, 0, 2, 0, 1, 0, 2, 0, 1], dtype=np.int32)
    stream, folds = RStream(1), cycle(range(3))
    dealt = {}
    for code in range(3):
        rows = np.flatnonzero(codes == code)
        dealt |= {int(rows[i]): next(folds) for i in stream.sample(len(rows))}
    found = stratified_folds(codes, 3, RStream(1)).tolist()
    assert found == [dealt[row] for row in range(14)]


def test_folds_without_strata():
    codes = np.array([0] * 20 + [1] * 3, dtype=np.int32)
    fold = shuffled_folds(codes, 4, RStream(1))
    assert sorted(np.bincount(fold)) == [5, 6, 6, 6]
    again = np.empty(23, dtype=int)
    again[RStream(1).sample(23)] = np.arange(23) % 4
    assert fold.tolist() == again.tolist()
