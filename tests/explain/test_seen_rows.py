"""Training rows are recognised where their accuracy would look too good."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pycdf
from pycdf import CDF, CDFClassifier, TrainingRowsWarning
from pycdf.explain import tree_curve
from pycdf.explain.row_votes import row_votes
from pycdf.explain.seen_rows import SeenRows
from pycdf.files.model import model_bytes, model_from_bytes
from pycdf.forest.row_checksums import find_rows, row_checksums

DATA = Path(__file__).parents[1] / "data"
RNG = np.random.default_rng(3)
Y = np.array(["a", "b"])[np.arange(80) % 2]
X = RNG.normal(size=(80, 10)) + 0.5 * (np.arange(80) % 2)[:, np.newaxis]
X[5, 3] = np.nan
FIT = CDFClassifier(ntrees=30, seed=1).fit(X[:60], Y[:60])


def told(fit, rows, labels):
    """The warnings of a confusion matrix; exactly one kind can occur."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        row_votes(fit, rows, labels)
    assert {one.category for one in seen} <= {TrainingRowsWarning}
    return [str(one.message) for one in seen]


def share(right):
    return f"{np.mean(right):.4f} ({np.sum(right)} of {len(right)})"


def out_of_bag_right():
    votes = row_votes(FIT, X[:60], Y[:60], out_of_bag=True)
    assert votes.unseen == 0
    return votes.found == votes.codes


def test_all_rows_of_training_in_another_order():
    order = RNG.permutation(60)
    right = FIT.predict(X[:60]) == Y[:60]
    assert told(FIT, X[order], Y[order]) == [
        "all 60 labelled rows of X are training rows, which the trees have seen: an accuracy of "
        f"{share(right)} there says little about new rows. Out of bag, by the trees that did not "
        f"draw a row, it is {share(out_of_bag_right())}."
    ]
    assert right.sum() > out_of_bag_right().sum()


def test_some_rows_of_training():
    rows = np.r_[10:20, 60:80]
    right = FIT.predict(X[rows]) == Y[rows]
    assert told(FIT, X[rows], Y[rows]) == [
        "10 of the 30 labelled rows of X are training rows, which the trees have seen: an accuracy "
        f"of {share(right[:10])} there says little about new rows. Out of bag, by the trees that "
        f"did not draw a row, it is {share(out_of_bag_right()[10:20])}. On the other rows it is "
        f"{share(right[10:])}."
    ]


def test_one_row_of_training():
    right = FIT.predict(X[7:8]) == Y[7:8]
    assert told(FIT, X[7:8], Y[7:8]) == [
        "the only labelled row of X is a training row, which the trees have seen: an accuracy of "
        f"{share(right)} there says little about new rows. Out of bag, by the trees that did not "
        f"draw a row, it is {share(out_of_bag_right()[7:8])}."
    ]


def test_other_rows_are_not_told():
    assert told(FIT, X[60:], Y[60:]) == []
    nearly = X[:60] * (1 + 1e-15)
    assert (nearly != X[:60]).any(axis=1).sum() > 50
    assert told(FIT, nearly[(nearly != X[:60]).any(axis=1)][:5], Y[:5]) == []


def test_without_bootstrap_there_is_no_out_of_bag_figure():
    fit = CDFClassifier(ntrees=2, bootstrap=False, seed=1).fit(X[:60], Y[:60])
    right = fit.predict(X[:60]) == Y[:60]
    assert told(fit, X[:60], Y[:60]) == [
        "all 60 labelled rows of X are training rows, which the trees have seen: an accuracy of "
        f"{share(right)} there says little about new rows."
    ]


def test_a_curve_of_other_rows_is_told_too():
    with pytest.warns(TrainingRowsWarning, match="^10 of the 30 labelled rows of X_test are"):
        tree_curve(FIT, X_test=X[50:], y_test=Y[50:])


def test_the_result_of_cdf_and_a_frame_with_its_columns_in_another_order():
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(10)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = CDF(frame[:60].assign(same=1.0).drop(columns="same"), Y[:60], frame[60:], ntrees=5)
    assert len(told(fit, frame.iloc[:60, ::-1], Y[:60])) == 1
    assert told(fit, frame[60:], Y[60:]) == []


def test_a_file_keeps_the_checksums():
    again = model_from_bytes(model_bytes(FIT.model_))
    assert np.array_equal(again.row_checksums, row_checksums(X[:60].T))
    assert told(again, X[:60], Y[:60]) == told(FIT, X[:60], Y[:60])


def test_a_model_without_checksums_knows_all_rows_in_their_order():
    old = replace(FIT.model_, row_checksums=None)
    assert model_from_bytes(model_bytes(old)).row_checksums is None
    assert told(old, X[:60], Y[:60]) == told(FIT, X[:60], Y[:60])
    assert told(old, X[:60][::-1], Y[:60][::-1]) == []
    assert told(old, X[:59], Y[:59]) == []
    assert pycdf.load(DATA / "model_v1.cdf").model_.row_checksums is None


def test_rows_can_be_added_in_parts():
    codes = np.array([FIT.model_.classes.tolist().index(label) for label in Y], dtype=np.int64)
    found = FIT.model_.votes(X).argmax(axis=1)
    parts, whole = SeenRows(FIT.model_), SeenRows(FIT.model_)
    whole.add(X)
    for start in range(0, 80, 7):
        parts.add(X[start : start + 7])
    assert parts.note(codes, found, "t") == whole.note(codes, found, "t") != []
    codes[:60] = -1  # rows without a label do not count
    assert parts.note(codes, found, "t") == []


def test_checksums_of_equal_rows_and_values():
    rows = np.array([[0.0, np.nan], [-0.0, -np.nan], [0.0, 1.0], [1.0, 0.0]])
    sums = row_checksums(rows.T)
    assert len(set(sums.tolist())) == 3
    assert sums[0] == sums[1]
    assert find_rows(sums, sums[[1, 0, 0, 3]]).tolist() == [0, 1, 1, 3]
    assert find_rows(sums[:3], sums[[3]]).tolist() == [-1]
    bits = np.arange(2**14)[:, np.newaxis] >> np.arange(14) & 1
    assert len(set(row_checksums(bits.astype(float).T).tolist())) == 2**14
    wide = RNG.normal(size=(5, 20_000))
    assert row_checksums(wide).tolist() == row_checksums(np.asfortranarray(wide)).tolist()


def test_columns_that_do_not_vary_have_no_part_in_the_votes():
    rows = np.insert(np.nan_to_num(X), [0, 4], 1.0, axis=1)
    fit = CDFClassifier(ntrees=30, seed=1).fit(rows[:60], Y[:60])
    judged = row_votes(fit, rows[60:], Y[60:])
    assert fit.classes_[judged.found].tolist() == fit.predict(rows[60:]).tolist()
    assert (judged.votes / 30).tolist() == fit.predict_proba(rows[60:]).tolist()
