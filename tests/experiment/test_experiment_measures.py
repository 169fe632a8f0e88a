"""The measures are scikit-learn's."""

import numpy as np
import pytest
from sklearn import metrics

from pycdf.experiment.measures import MEASURES, score

ROUNDING = 1e-12  # sums in another order


def random_case(rng, classes):
    labels = [f"c{j}" for j in range(classes)]
    n = int(rng.integers(classes, 60))
    true = [*labels, *rng.choice(labels, n)]
    predicted = rng.choice(labels[: int(rng.integers(1, classes + 1))], len(true)).tolist()
    shares = rng.dirichlet(np.ones(classes), len(true))
    shares[0] = np.eye(classes)[1]  # the first row's own class has the probability zero
    return labels, true, predicted, shares


@pytest.mark.parametrize("seed", range(40))
def test_they_are_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    labels, true, predicted, shares = random_case(rng, int(rng.integers(2, 7)))
    got = score(true, predicted, shares, labels, shares)
    binary = len(labels) == 2
    expected = {
        "accuracy": metrics.accuracy_score(true, predicted),
        "kappa": metrics.cohen_kappa_score(true, predicted),
        "balanced_accuracy": metrics.balanced_accuracy_score(true, predicted),
        "macro_f1": metrics.f1_score(true, predicted, average="macro"),
        "auc": metrics.roc_auc_score(
            true, shares[:, 1] if binary else shares, multi_class="ovr", labels=labels
        ),
        "log_loss": metrics.log_loss(true, shares, labels=labels),
    }
    assert list(got) == list(expected) == list(MEASURES)
    for name, value in expected.items():
        assert got[name] == pytest.approx(value, abs=ROUNDING, rel=ROUNDING), name


def test_a_predicted_class_that_no_row_has():
    true, predicted = ["a", "a", "b"], ["a", "c", "b"]
    got = score(true, predicted)
    with pytest.warns(UserWarning, match="y_pred contains classes not in y_true"):
        expected = metrics.balanced_accuracy_score(true, predicted)
    assert got["balanced_accuracy"] == pytest.approx(expected, abs=ROUNDING)
    assert got["macro_f1"] == pytest.approx(
        metrics.f1_score(true, predicted, average="macro"), abs=ROUNDING
    )


def test_what_does_not_exist_is_nan():
    got = score(["a", "a"], ["a", "a"])
    assert got["accuracy"] == got["balanced_accuracy"] == got["macro_f1"] == 1
    assert np.isnan(got["kappa"])
    assert np.isnan(got["log_loss"])
    assert np.isnan(got["auc"])


def test_the_auc_of_a_class_without_test_rows_or_without_training_rows():
    """Without test rows there is none; without training rows nothing ranks the class's rows."""
    scores = np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 0.0]])
    assert score([1, 2, 1], [1, 2, 1], None, [1, 2], scores)["auc"] == 1
    assert np.isnan(score([1, 1, 1], [1, 1, 1], None, [1, 2], scores)["auc"])
    got = score(["a", "b", "new"], ["a", "b", "a"], None, ["a", "b"], scores)["auc"]
    assert got == pytest.approx((1 + 1 + 0.5) / 3)


def test_a_class_that_training_did_not_meet_has_the_probability_zero():
    shares = np.array([[0.5, 0.5], [1.0, 0.0]])
    got = score(["a", "new"], ["a", "a"], shares, ["a", "b"])
    smallest = np.finfo(float).eps
    assert got["log_loss"] == pytest.approx(-(np.log(0.5) + np.log(smallest)) / 2)
    sure = np.array([[1.0, 0.0], [0.0, 1.0]])
    certain = score(["a", "b"], ["a", "b"], sure, ["a", "b"])["log_loss"]
    assert certain == -np.log(1 - smallest) > 0, "as in scikit-learn"


@pytest.mark.parametrize("wrong", [1.5, -0.1, np.nan])
def test_a_probability_that_is_none_is_refused(wrong):
    shares = np.array([[0.5, 0.5], [wrong, 0.0]])
    with pytest.raises(ValueError, match="not a number from 0 to 1"):
        score(["a", "b"], ["a", "a"], shares, ["a", "b"])
