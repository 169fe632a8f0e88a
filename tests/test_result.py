"""What a fit shows of itself."""

import pytest

from pycdf import CDF, load_darwin


@pytest.fixture(scope="module")
def fit():
    X, y = load_darwin()
    return CDF(X[:100], (y[:100] == "P").astype(int), X[100:], ntrees=5, seed=1)


def test_the_summary_tells_labels_from_counts(fit):
    assert repr(fit).splitlines() == [
        "Centroid decision forest: 5 trees, 41 nodes, seed 1",
        "  ntrees=5, depth=3, mnode=3, k=12, mtry=90",
        "  2 classes: 1, 0",
        "  450 features; selected most: x414 (2.3%), x303 (1.9%), x327 (1.9%)",
        "  74 test rows, predicted: 1: 54, 0: 20",
    ]


def test_answers_go_by_name_as_in_r(fit):
    assert list(fit)[:3] == ["predictions", "probabilities", "feature_importance"]
    assert all(fit[name] is getattr(fit, name) for name in fit)
    with pytest.raises(KeyError, match=r"predictons.*the items are predictions, probabilities"):
        fit["predictons"]
