"""Tables, tests and lists of a comparison in words, at the limits of what they tell."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pycdf.experiment import paper, report, tables
from pycdf.experiment.latex import latex
from pycdf.experiment.statistics import alike, compare_methods, critical_difference, signed_rank

TITLES = {"cdf": "CDF", "rf": "RF"}


def results(*values):
    """Two splits of the data sets a, b, ... for each method."""
    rows = [
        {"data": data, "method": method, "split": split, "train": 70, "test": 30, "accuracy": value}
        for method, pairs in zip(TITLES, values, strict=False)
        for data, pair in zip("abc", pairs, strict=False)
        for split, value in enumerate(pair, 1)
    ]
    return pd.DataFrame(rows)


def test_two_methods_have_a_best_one_and_wins():
    frame = results([(0.5, 0.7), (0.2, 0.4)], [(0.4, 0.4), (0.9, 0.9)])
    got = tables.table(frame, "accuracy", ["a", "b"], TITLES)
    assert tables.markdown(got).splitlines()[2:] == [
        "| a        | **0.600** |     0.400 |",
        "| b        |     0.300 | **0.900** |",
        "| Average  |     0.450 | **0.650** |",
        "| Wins     |         1 |         1 |",
    ]
    text = latex(got, "x")
    body = text[text.index("Data set") : text.index(r"\end{tabular}")]
    assert body.count(r"\hline") == 3
    assert "\\hline\nAverage" in body
    assert "\\hline\nWins" not in body
    shown = repr(got)
    assert "0.600 *" in shown
    assert "the best of its row" in shown
    assert "†" not in shown
    alone = repr(tables.table(frame, "accuracy", ["a"], {"cdf": "CDF"}))
    assert "best of its row" not in alone


def test_methods_without_a_common_data_set_have_no_average():
    frame = results([(0.5, 0.7)], [(np.nan, np.nan), (0.9, 0.9)])
    got = tables.table(frame, "accuracy", ["a", "b"], TITLES)
    assert "Average" not in tables.markdown(got)
    some = results([(0.5, 0.7), (0.2, 0.3)], [(0.4, 0.4), (0.5, np.nan)])
    got = tables.table(some, "accuracy", ["a", "b"], TITLES)
    assert got.fewer.to_numpy().tolist() == [[False, False], [False, True]]
    assert "0.500 * †" in repr(got)


def test_numbers_that_differ_by_the_order_of_summation_are_equal():
    assert tables.number(0.0005 - 2e-13) == tables.number(0.0005) == "0.001"
    assert tables.number(0.0005 - 2e-12) == "0.000"
    means = pd.DataFrame({"a": [0.5, 0.25], "b": [0.5 + 2e-13, 0.25 - 3e-12]})
    assert compare_methods(means, "a").wilcoxon.loc["b", ["wins", "ties"]].tolist() == [1, 1]


def test_columns_of_markdown_have_three_letters_at_least():
    assert tables.markdown_lines(["a", "b"], [["c", "dddd"], ["e", "f"]]) == (
        "| a   |    b |\n| --- | ---: |\n| c   | dddd |\n| e   |    f |\n"
    )
    assert tables.markdown_lines(["a"], []) == "| a   |\n| --- |\n"


@pytest.mark.parametrize(
    ("splits", "splitting", "words"),
    [
        (1, "random splits into rows", "1 random split into rows"),
        (1, "folds of splits", "1 fold of splits"),
        (2, "random splits into rows", "2 random splits into rows"),
        (1000, "folds of splits", "1,000 folds of splits"),
    ],
)
def test_how_many_splits(splits, splitting, words):
    assert tables.how_split({"splits": splits, "splitting": splitting}) == words


# ---- tests ---------------------------------------------------------------------------------------


def test_two_methods_on_one_data_set_have_ranks():
    means = pd.DataFrame({"a": [0.5], "b": [0.25]}, index=["x"])
    got = compare_methods(means, "a")
    assert got.mean_ranks.tolist() == [1, 2]
    assert got.critical_difference == pytest.approx(critical_difference(2, 1))
    assert np.isfinite(got.critical_difference)
    assert got.smallest_p == 1.0
    shown = repr(got)
    assert "Friedman" not in shown
    assert "Paired comparison of 2 methods on 1 data set" in shown
    assert got.tests("a") == ["1.00", "", "", "", "", ""]
    assert got.tests("b") == ["2.00", "1/0/0", "+0.2500", "0.0", "1.0000", "1.0000"]


def test_equal_methods_have_no_friedman_test_and_others_do():
    equal = pd.DataFrame({name: [0.5, 0.25] for name in "abc"})
    assert np.isnan(compare_methods(equal, "a").friedman).all()
    other = equal.assign(c=[0.5, 0.75])
    got = compare_methods(other, "a")
    assert np.isfinite(got.friedman).all()
    assert "Friedman" in repr(got)
    assert compare_methods(other, "a").alpha == 0.05
    assert critical_difference(3, 2) == critical_difference(3, 2, 0.05)


def test_a_method_alone_is_compared_with_nothing():
    got = compare_methods(pd.DataFrame({"a": [0.5, 0.25]}), "a")
    assert len(got.wilcoxon) == 0
    assert np.isnan(got.critical_difference)
    assert got.groups == []
    assert alike(pd.Series({"a": 1.0, "b": 1.0, "c": 2.0}), 0.0) == [["a", "b"]]
    assert signed_rank(np.array([1.0, -1.0])) == (1.5, 1.0)
    assert signed_rank(np.array([0.5, 1.0, 0.25])) == (0.0, 0.25)


@pytest.mark.parametrize(("methods", "sets", "worth"), [(2, 5, True), (1, 5, False), (2, 4, False)])
def test_five_data_sets_and_two_methods_are_worth_testing(methods, sets, worth):
    paired = SimpleNamespace(mean_ranks=[1.5] * methods, data=["x"] * sets)
    assert report.worth_testing(paired) is worth


# ---- lists ---------------------------------------------------------------------------------------


def failures(count, message="bad"):
    rows = [(f"d{i}", "rf", 3, f"{message} {i}") for i in range(count)]
    return pd.DataFrame(rows, columns=["data", "method", "split", "message"])


@pytest.mark.parametrize(("count", "more"), [(1, 0), (12, 0), (13, 1), (20, 8)])
def test_twelve_failures_are_listed(count, more):
    lines = report.failure_lines(failures(count)).splitlines()
    assert lines[0] == "- d0 / rf, split 3: bad 0"
    assert len(lines) == min(count, 12) + (more > 0)
    assert (lines[-1] == f"- and {more} more in failures.csv") == (more > 0)


def test_equal_failures_share_a_line():
    frame = failures(3).assign(data="d", message="bad", split=[1, 2, 4])
    assert report.failure_lines(frame) == "- d / rf, 3 splits: bad\n"
    whole = pd.DataFrame({"data": ["d"], "method": "", "split": [pd.NA], "message": "no table"})
    assert report.failure_lines(whole) == "- d: no table\n"


@pytest.mark.parametrize(("letters", "cut"), [(240, False), (241, True)])
def test_a_message_has_240_letters(letters, cut):
    message = "x" * 100 + " " + "y" * (letters - 101)
    line = report.failure_lines(failures(1).assign(message=message)).strip()
    assert line.endswith(" ...") == cut
    assert (message in line) == (not cut)


def test_warnings_are_listed_by_their_kind():
    rows = [
        ("d", "rf", 2, "UserWarning: one"), ("d", "rf", 2, "UserWarning: two"),
        ("d", "rf", 1, "UserWarning: one"), ("d", "rf", 1, "RuntimeWarning: one"),
        ("e", "rf", 1, "UserWarning: three"),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["data", "method", "split", "message"])
    assert report.warning_lines(frame).splitlines() == [
        "- d / rf, 2 splits: UserWarning: one",
        "- d / rf, split 1: RuntimeWarning: one",
        "- e / rf, split 1: UserWarning: three",
    ]


def test_where_a_measure_is_undefined_for_all():
    def frame(**sets):
        rows = [
            {"data": name, "method": method, "split": split, "auc": value}
            for name, values in sets.items()
            for method in ("cdf", "rf")
            for split, value in enumerate(values)
        ]
        return pd.DataFrame(rows)

    nan = np.nan
    some = frame(z=[0.5, nan, nan], whole=[0.5, 0.5, 0.5], a=[nan, 0.5, 0.5], never=[nan] * 3)
    assert report.undefined_lines(some, "auc") == [
        "Undefined where a class has no test rows: z on 2 of 3; a on 1 of 3 splits.\n"
    ]
    assert report.undefined_lines(some.assign(kappa=some["auc"]), "kappa") == []
    assert report.undefined_lines(frame(whole=[0.5]), "auc") == []
    one = frame(z=[0.5, nan])
    one.loc[1, "auc"] = 0.5
    assert report.undefined_lines(one, "auc") == []  # only one of the methods has none


# ---- the paper's figures -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("difference", "spread", "told"),
    [
        (0.5, 0.25, paper.AGREES), (-0.5, 0.25, paper.AGREES), (0.625, 0.25, paper.IS_CLOSE),
        (-0.75, 0.25, paper.IS_CLOSE), (0.8125, 0.25, paper.DIFFERS),
        (0.02, 0.001, paper.IS_CLOSE), (0.0201, 0.001, paper.DIFFERS),
    ],
)  # fmt: skip
def test_verdicts_at_their_limits(difference, spread, told):
    assert paper.verdict(difference, spread) == told


def checked(*verdicts):
    rows = [
        {"measure": "accuracy", "id": f"D{i}", "data": f"d{i}", "method": "CDF", "splits": 20,
         "mean": 0.5, "se": 0.1, "paper": 0.625, "difference": -0.125, "difference_se": 0.2,
         "verdict": verdict}
        for i, verdict in enumerate(verdicts)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_verdicts_are_counted_and_unknown_ones_explained():
    some = checked(paper.AGREES, paper.DIFFERS, paper.AGREES, paper.UNKNOWN)
    agrees, differs, unknown = paper.AGREES, paper.DIFFERS, paper.UNKNOWN
    assert paper.verdict_counts(some) == f"4 figures: {agrees} 2, {differs} 1, {unknown} 1"
    assert f", ? {unknown}, no mark" in paper.overview(some, "accuracy")
    assert "?" not in paper.overview(some[:3], "accuracy")
    lines = paper.overview(some, "accuracy").splitlines()
    assert [line.split("|")[2].strip() for line in lines[2:6]] == [
        "0.500 (0.625)", "0.500 (0.625) !", "0.500 (0.625)", "0.500 (0.625) ?",
    ]  # fmt: skip
    other = some.assign(measure="kappa")
    assert "d0" not in paper.overview(other, "accuracy")
    assert "d0" not in paper.markdown(other, "accuracy")
    row = paper.markdown(some, "accuracy").splitlines()[2]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells == [
        "D0 d0", "CDF", "20", "0.5000", "0.1000", "0.625", "-0.1250", "0.2000", agrees,
    ]  # fmt: skip
    assert len(report.check_tables(some, "accuracy")) == 1
    two = pd.concat([some, some.assign(method="RF")])
    assert report.check_tables(two, "accuracy")[0] == paper.overview(two, "accuracy")
    assert len(report.check_tables(two, "accuracy")) == 2
