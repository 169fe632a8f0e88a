"""The manifest tells all that a run depends on."""

import importlib.util
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from pycdf.experiment.compare import compare
from pycdf.experiment.manifest import versions

pytestmark = pytest.mark.usefixtures("pictures")


@pytest.fixture
def path(tmp_path):
    frame = pd.DataFrame(np.random.default_rng(9).normal(size=(24, 4)), columns=[*"abcd"])
    visits = np.arange(24) // 2  # not ids, of which compare() would warn
    frame.assign(patient=visits, site=1.5, diagnosis=["x", "y"] * 12).to_csv(
        tmp_path / "mine.csv", index=False, sep=";"
    )
    return tmp_path / "mine.csv"


@pytest.mark.skipif(importlib.util.find_spec("xgboost") is None, reason="xgboost is an extra")
def test_xgboost_has_its_version_whatever_name_it_was_installed_by(path):
    import xgboost

    done = compare(path, "xgb,cart", 1, quick=True, label="diagnosis")
    assert done.manifest["versions"]["xgboost"] == xgboost.__version__
    alone = compare(path, "cart", 1, quick=True, label="diagnosis")
    assert "xgboost" not in alone.manifest["versions"]


def test_a_guests_package_has_its_version_in_a_pipeline_also():
    part = FunctionTransformer(func=pytest.approx)  # a function: of no package of its own
    guest = type("Guest", (DecisionTreeClassifier,), {"__module__": "pytest.models"})()
    told = versions([make_pipeline(part, guest)])
    assert told["pytest"] == pytest.__version__
    assert sorted(told) == ["numba", "numpy", "pytest", "python", "scikit-learn", "scipy"]


def test_a_run_that_was_stopped_before_its_first_result_keeps_nobody_out(path):
    out = path.parent / "out"
    compare(path, "cart", 1, quick=True, label="diagnosis", output=out)
    for name in ("records.jsonl", "results.csv"):
        (out / name).unlink()
    compare(path, "cart", 1, 5, quick=True, label="diagnosis", output=out)
    assert json.loads((out / "manifest.json").read_text())["seed"] == 5


def test_a_saved_comparison_is_not_written_over_by_another_run(path):
    out = path.parent / "out"
    compare(path, "cart", 1, quick=True, label="diagnosis").save(out)
    with pytest.raises(ValueError, match="has results of a different run: seed is 5 and was 1"):
        compare(path, "cart", 1, 5, quick=True, label="diagnosis", output=out)


def test_a_run_can_be_repeated_from_its_manifest_alone(path):
    first = compare(
        path, "cart,lr=sklearn.linear_model.LogisticRegression(C=0.5)", 3, 7, quick=True,
        label="diagnosis", drop=["patient", "site"], sep=";", output=path.parent / "one",
    )  # fmt: skip
    told = json.loads((path.parent / "one" / "manifest.json").read_text())
    facts = told["data"]["mine"]
    assert (facts["columns"], facts["dropped"]) == (4, ["patient", "site"])
    methods = []
    for name, one in told["methods"].items():
        given = {key: value for key, value in one["parameters"].items() if key != "random_state"}
        inside = ", ".join(f"{key}={value!r}" for key, value in given.items())
        methods.append(f"{name}={one['estimator']}({inside})")
    again = compare(
        facts["source"], methods, told["splits"], told["seed"], quick=not told["tuned"],
        label=facts["label"], drop=facts["dropped"],
    )  # fmt: skip
    assert again.manifest["data"] == told["data"]
    pd.testing.assert_frame_equal(again.results, first.results)
