"""Features are standardised by the training rows, and by nothing else."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pycdf.experiment import tuning
from pycdf.experiment.compare import compare
from pycdf.experiment.fitting import run_split
from pycdf.experiment.methods import find, find_all, with_scaling
from pycdf.experiment.scaling import standardised

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 4)) * [1, 100, 0.01, 1] + [0, 5, 3, 0]
Y = np.array(["a", "b"] * 20)
X[:, 2] += 0.02 * (Y == "a")
TRAIN, TEST = np.arange(28), np.arange(28, 40)


def test_they_are_rs_scale_of_the_training_rows():
    got = standardised(X, TRAIN)
    assert np.allclose(got[TRAIN].mean(axis=0), 0, atol=1e-12)
    assert np.allclose(got[TRAIN].std(axis=0, ddof=1), 1)
    assert np.allclose(got, (X - X[TRAIN].mean(axis=0)) / X[TRAIN].std(axis=0, ddof=1))


def test_missing_and_constant_cells():
    odd = X.copy()
    odd[3, 0] = np.nan
    odd[:, 1] = 0.1  # its mean is not quite 0.1, so that the computed sd is not quite 0
    odd[29, 1] = 7.0  # a test row, of which training knows nothing
    odd[TRAIN, 3] = np.nan
    got = standardised(odd, TRAIN)
    assert np.isnan(got[3, 0])
    assert np.isclose(np.nanstd(got[TRAIN, 0], ddof=1), 1)
    assert (got[:, 1] == 0).all()
    assert np.isnan(got[TRAIN, 3]).all()
    assert (got[TEST, 3] == 0).all()


def test_a_scaled_method_is_the_pipeline_with_a_scaler():
    [scaled] = with_scaling([find("knn")], ["knn"])
    got = run_split(scaled, X, Y, TRAIN, TEST, 1, tuned=False)
    pipeline = make_pipeline(StandardScaler(), KNeighborsClassifier()).fit(X[TRAIN], Y[TRAIN])
    assert np.array_equal(got["predictions"], pipeline.predict(X[TEST]))
    raw = run_split(find("knn"), X, Y, TRAIN, TEST, 1, tuned=False)
    assert not np.array_equal(got["predictions"], raw["predictions"])


def test_tuning_scales_inside_each_fold():
    """No row of a fold that is left out has a part in its means."""
    method = find("knn")
    parts = tuning.folds(Y, 1)
    ours = tuning.scaled(method.predict_folds(method.make))(method.grid, X, Y, parts, 1)
    for chosen, answers in zip(method.grid, ours, strict=True):
        for answer, (inside, left) in zip(answers, parts, strict=True):
            other = make_pipeline(StandardScaler(), KNeighborsClassifier(**chosen))
            assert np.array_equal(answer, other.fit(X[inside], Y[inside]).predict(X[left]))


def test_which_methods_are_scaled_is_in_the_manifest():
    done = compare({"d": (X, Y)}, "cart,knn,lsvm", 1, quick=True, scale="knn")
    methods = done.manifest["methods"]
    assert "scaling" not in methods["cart"]
    assert methods["knn"]["scaling"] == methods["lsvm"]["scaling"]
    assert methods["knn"]["scaling"].startswith("(x - mean) / sd of the training rows")


def test_all_and_unknown_names():
    assert all(one.scaled for one in with_scaling(find_all("cart,knn"), "all"))
    with pytest.raises(ValueError, match=r"^scale names 'svm', which is not compared: choose from"):
        with_scaling(find_all("cart,knn"), "knn,svm")
