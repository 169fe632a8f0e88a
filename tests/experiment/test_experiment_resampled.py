"""The corrected resampled t-test."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pycdf.experiment.resampled import corrected_test, differences
from pycdf.experiment.statistics import holm

METHODS = {"cdf": "CDF", "rf": "RF", "svm": "SVM"}


def results(seed=1, splits=12):
    rng = np.random.default_rng(seed)
    rows = [
        {
            "data": data, "method": method, "split": i, "train": 70, "test": 30,
            "kappa": base + rng.normal() / 20,
        }
        for data in ("a", "b")
        for method, base in (("cdf", 0.9), ("rf", 0.85), ("svm", 0.9))
        for i in range(1, splits + 1)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_it_is_the_formula_of_nadeau_and_bengio():
    gain = np.array([0.02, -0.01, 0.03, 0.0, 0.05])
    got = corrected_test(gain, 0.3)
    error = np.sqrt((1 / 5 + 30 / 70) * gain.var(ddof=1))
    assert got["difference"] == pytest.approx(0.018)
    assert got["t"] == pytest.approx(0.018 / error)
    assert got["p"] == pytest.approx(2 * stats.t(4).cdf(-0.018 / error))
    assert got["high"] - 0.018 == pytest.approx(stats.t(4).ppf(0.975) * error)
    assert got["low"] + got["high"] == pytest.approx(2 * 0.018)
    usual = stats.ttest_1samp(gain, 0.0)
    assert got["p"] > usual.pvalue
    assert got["t"] == pytest.approx(usual.statistic * np.sqrt(0.2 / (0.2 + 3 / 7)))


def test_each_method_on_each_data_set():
    frame = results()
    got = differences(frame, "kappa", ["b", "a"], METHODS, "cdf")
    assert got[["data", "method"]].to_numpy().tolist() == [
        ["b", "RF"], ["b", "SVM"], ["a", "RF"], ["a", "SVM"],
    ]  # fmt: skip
    wide = frame[frame["data"] == "a"].pivot(index="split", columns="method", values="kappa")
    expected = corrected_test((wide["cdf"] - wide["svm"]).to_numpy(), 0.3)
    assert {name: got.iloc[3][name] for name in expected} == expected
    assert got["p_holm"].tolist() == holm(got["p"].to_numpy()).tolist()


def test_only_splits_that_both_have_count():
    frame = results()
    frame.loc[frame["method"].eq("rf") & frame["split"].le(4), "kappa"] = np.nan
    frame = frame[~(frame["method"].eq("svm") & frame["data"].eq("b"))]
    got = differences(frame, "kappa", ["a", "b"], METHODS, "cdf").set_index(["data", "method"])
    assert got["splits"].to_dict() == {("a", "RF"): 8, ("a", "SVM"): 12, ("b", "RF"): 8}


@pytest.mark.parametrize(
    ("gain", "p", "ends"),
    [
        ([0.0, 0.0, 0.0], 1.0, (0.0, 0.0)),
        ([0.5, 0.5, 0.5], np.nan, (0.5, 0.5)),
        ([0.5], np.nan, (np.nan, np.nan)),
    ],
)
def test_what_cannot_be_tested(gain, p, ends):
    got = corrected_test(np.array(gain), 0.3)
    assert got["p"] == pytest.approx(p, nan_ok=True)
    assert (got["low"], got["high"]) == pytest.approx(ends, nan_ok=True)


def test_nothing_to_compare():
    frame = results()
    assert len(differences(frame, "kappa", ["a"], {"cdf": "CDF"}, "cdf")) == 0
