"""The paper's figures, which data set is which, and the rule of the verdict."""

import math

import numpy as np
import pandas as pd
import pytest

from pycdf import load_darwin
from pycdf.experiment.data import DataSet, read_sets
from pycdf.experiment.paper import (
    AGREES,
    DIFFERS,
    IS_CLOSE,
    METHODS,
    UNKNOWN,
    check,
    figures_of,
    markdown,
    overview,
    paper_sets,
    recognise,
    verdict,
    verdict_counts,
)

# The last rows of the paper's two tables: averages over its 23 data sets, with three digits
AVERAGES = {
    "accuracy": [0.871, 0.735, 0.836, 0.778, 0.812, 0.754, 0.764, 0.715],
    "kappa": [0.734, 0.496, 0.663, 0.560, 0.624, 0.508, 0.522, 0.418],
}


def made(sizes, p, n_extra=0):
    y = np.repeat([f"c{j}" for j in range(len(sizes))], sizes)
    return DataSet("mine", np.zeros((len(y) + n_extra, p)), y)


@pytest.mark.parametrize("measure", AVERAGES)
def test_the_shipped_figures_have_the_papers_averages(measure):
    sets = paper_sets()
    assert [one.id for one in sets] == [f"D{j}" for j in range(1, 24)]
    for method, printed in zip(METHODS, AVERAGES[measure], strict=True):
        average = np.mean([one.figures[measure, method] for one in sets])
        assert abs(average - printed) <= 0.0006, method  # both are rounded


def test_class_sizes_add_up():
    for one in paper_sets():
        assert sum(one.class_sizes) == one.n, one.id


def test_a_data_set_is_known_by_its_shape_and_class_sizes_whatever_its_name():
    (darwin,) = read_sets({"x": load_darwin()}).sets
    assert recognise(darwin).id == "D5"
    assert recognise(made([25, 38, 9], 7129)).id == "D17"
    assert recognise(made([9, 25, 38], 7129)).id == "D17"
    assert recognise(made([38, 21, 4, 9], 7129)).id == "D18"
    assert recognise(made([35, 29], 4703)).id == recognise(made([35, 29], 4702)).id == "D12"
    assert recognise(made([36, 28], 4703)) is None
    assert recognise(made([35, 29], 4701)) is None
    assert recognise(made([52, 50], 12600)) is None


def test_each_paper_set_is_recognised_as_itself():
    for one in paper_sets():
        assert recognise(made(list(one.class_sizes), one.p)) == one


def test_our_mean_its_error_and_the_difference_by_hand():
    colon = next(one for one in paper_sets() if one.id == "D8")
    values = [0.8, 0.9, 0.85, 0.75] * 4
    frame = pd.DataFrame(
        {"data": "colon", "method": "cdf", "accuracy": values, "kappa": [0.1, 0.2, np.nan, 0.3] * 4}
    )
    got = check(frame, {"colon": colon}, ["cdf", "svm", "other"])
    assert len(got) == 2  # no row for methods without results, or unknown to the paper
    row = got.iloc[0]
    sd2 = sum((value - 0.825) ** 2 for value in values) / 15
    assert row["mean"] == pytest.approx(0.825)
    assert row["paper"] == 0.838
    assert row["se"] == pytest.approx(math.sqrt(sd2 / 16))
    assert row["difference"] == pytest.approx(0.825 - 0.838)
    assert row["difference_se"] == pytest.approx(math.sqrt(sd2 / 16 + sd2 / 500 + 1e-6 / 12))
    assert row["verdict"] == AGREES
    assert got.iloc[1]["splits"] == 12
    assert "| D8 colon |    CDF |     16 | 0.8250 |" in markdown(got, "accuracy")
    assert verdict_counts(got) == "2 figures: agrees 1, differs 1"
    assert figures_of(got, "accuracy") == {("colon", "cdf"): 0.838}
    assert figures_of(check(frame, {}, ["cdf"]), "accuracy") is None


def test_fewer_than_ten_splits_have_no_verdict_and_are_marked_so():
    """Two splits that happen to be equal have no spread: anything would differ from them."""
    colon = next(one for one in paper_sets() if one.id == "D8")
    for values in ([0.7], [0.7, 0.7], [0.8, 0.9, 0.85] * 3):
        frame = pd.DataFrame({"data": "c", "method": "cdf", "accuracy": values, "kappa": values})
        got = check(frame, {"c": colon}, ["cdf"])
        assert got["verdict"].tolist() == [UNKNOWN] * 2
        assert got["difference"].iloc[0] == pytest.approx(np.mean(values) - 0.838)
        shown = overview(got, "accuracy")
        assert "(0.838) ? |" in shown
        assert "! differs, ? too few splits, no mark: agrees." in shown


def test_the_overview_has_a_cell_for_each_figure_with_its_mark():
    checked = pd.DataFrame(
        [
            ("accuracy", "a", "D1", "CDF", 0.8, 0.81, AGREES),
            ("accuracy", "a", "D1", "RF", 0.7, 0.75, DIFFERS),
            ("accuracy", "b", "D2", "CDF", 0.5, 0.52, IS_CLOSE),
            ("kappa", "a", "D1", "CDF", 0.1, 0.1, AGREES),
        ],
        columns=["measure", "data", "id", "method", "mean", "paper", "verdict"],
    )
    assert overview(checked, "accuracy").splitlines() == [
        "| Data set |             CDF |              RF |",
        "| -------- | --------------: | --------------: |",
        "| D1 a     |   0.800 (0.810) | 0.700 (0.750) ! |",
        "| D2 b     | 0.500 (0.520) ~ |                 |",
        "",
        "The paper's figures in brackets. ~ close, ! differs, no mark: agrees.",
    ]


@pytest.mark.parametrize(
    ("difference", "spread", "told"),
    [
        (0.0019, 0.001, AGREES), (-0.0019, 0.001, AGREES), (0.0021, 0.001, IS_CLOSE),
        (-0.0199, 0.001, IS_CLOSE), (0.0201, 0.001, DIFFERS), (0.05, 0.03, AGREES),
        (0.0299, 0.01, IS_CLOSE), (-0.0301, 0.01, DIFFERS),
    ],
)  # fmt: skip
def test_the_rule(difference, spread, told):
    assert verdict(difference, spread) == told


@pytest.mark.endurance
def test_the_rule_is_kept_by_chance_nineteen_times_in_twenty():
    """Means of 60 and of 500 draws from one distribution: 2 standard errors hold 95 % of them."""
    rng = np.random.default_rng(1)
    colon = next(one for one in paper_sets() if one.id == "D8")
    kept = 0
    for _ in range(400):
        figure = round(float(rng.binomial(19, 0.84, 500).mean() / 19), 3)
        other = type(colon)(**{**vars(colon), "figures": {
            **colon.figures, ("accuracy", "CDF"): figure}})  # fmt: skip
        frame = pd.DataFrame(
            {"data": "c", "method": "cdf", "accuracy": rng.binomial(19, 0.84, 60) / 19, "kappa": 0}
        )
        kept += check(frame, {"c": other}, ["cdf"]).iloc[0]["verdict"] == AGREES
    assert 0.92 <= kept / 400 <= 0.98


def test_ten_splits_are_enough_and_two_have_a_spread():
    colon = next(one for one in paper_sets() if one.id == "D8")
    for values in ([0.8, 0.9], [0.8, 0.9] * 5):
        frame = pd.DataFrame({"data": "c", "method": "cdf", "accuracy": values, "kappa": np.nan})
        (row,) = check(frame, {"c": colon}, ["cdf"]).to_dict("records")
        assert row["se"] == pytest.approx(np.std(values, ddof=1) / np.sqrt(len(values)))
        assert row["verdict"] == (AGREES if len(values) == 10 else UNKNOWN)
