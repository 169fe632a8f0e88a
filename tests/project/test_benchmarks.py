"""The report's arithmetic and its pages, on results small enough to check by hand."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

# Last, so that the installed pycdf comes before the one beside the benchmarks.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import figures, laboratory, laboratory_tables, planning, report
from benchmarks.compare import spread
from benchmarks.probe import Stopwatch
from benchmarks.tables import read_csv, write_csv


def row(dataset, competitor, number, seconds, **more):
    fields = {
        "dataset": dataset, "rows": "70", "columns": "9", "classes": "2", "test_rows": "30",
        "competitor": competitor, "round": str(number), "seconds": str(seconds),
        "cpu_seconds": str(seconds), "accuracy": "0.5", "peak_mb": "", "same_as_r": "",
    }  # fmt: skip
    return fields | more


ROWS = [
    row("one", "r_cdf", 1, 8.0),
    row("one", "pycdf", 1, 2.0, same_as_r="1", peak_mb="7.5"),
    row("one", "pycdf", 2, 9.0, peak_mb="1"),
    row("one", "pycdf", 3, 1.0),
    row("two", "r_cdf", 1, 16.0),
    row("two", "pycdf", 1, 1.0, same_as_r="0"),
]


def test_medians_over_rounds():
    summaries = figures.summarise(ROWS)
    one = next(s for s in summaries if (s.dataset, s.competitor) == ("one", "pycdf"))
    assert (one.seconds, one.fastest, one.slowest, one.rounds) == (2.0, 1.0, 9.0, 3)
    assert one.shape == (70, 9, 2)
    assert one.peak_mb == 7.5  # the first round's


def test_ratios_geometric_mean_and_worst():
    found = figures.ratios(figures.summarise(ROWS), "r_cdf")
    assert found.by_dataset == {"one": 4.0, "two": 16.0}
    assert found.geometric_mean == pytest.approx(8.0)
    assert (found.worst, found.worst_dataset) == (4.0, "one")


def test_no_ratio_without_a_common_data_set():
    summaries = figures.summarise([row("one", "ranger", 1, 1.0), row("two", "pycdf", 1, 1.0)])
    assert figures.ratios(summaries, "ranger") is None


def test_predictions_compared_with_r():
    assert figures.same_as_r(ROWS) == (1, 2)


def test_a_shared_core_is_noticed():
    summaries = figures.summarise(
        [row("one", "pycdf", 1, 1.0), row("two", "pycdf", 1, 1.0, cpu_seconds="0.5")]
    )
    assert [one.dataset for one in figures.busy(summaries)] == ["two"]
    assert [one.seconds for one in summaries] == [1.0, 0.5]  # what the tables show is CPU time


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0])
def test_slope_is_the_exponent(power):
    sizes = [10, 100, 1000]
    assert figures.slope(sizes, [3 * size**power for size in sizes]) == pytest.approx(power)


def test_rounds_with_r_are_spread_over_the_run():
    assert spread(11, 3) == {0, 3, 7}
    assert spread(2, 3) == {0, 1}
    assert spread(5, 0) == set()


def test_stopwatch_counts_each_moment_once(monkeypatch):
    ticks = iter([0.0, 1.0, 2.0, 5.0, 9.0, 14.0, 20.0])
    monkeypatch.setattr("benchmarks.probe.process_time", lambda: next(ticks))
    watch = Stopwatch()  # 0
    watch.start("grow", "other")  # 1
    watch.start("", "typing")  # 2
    watch.start("draw", "other")  # 5
    watch.end()  # 9
    watch.end()  # 14
    watch.end()  # 20
    assert watch.spent == {
        ("grow", "grow", "other"): 1 + 6,
        ("grow", "grow", "typing"): 3 + 5,
        ("grow", "draw", "other"): 4,
    }


@pytest.mark.parametrize(
    ("value", "shown"),
    [(123.4, "123"), (12.34, "12.3"), (1.234, "1.23"), (0.1234, "0.123"), (0.01234, "0.0123")],
)
def test_three_digits(value, shown):
    assert report.digits(value) == shown


def test_table_shows_times_ratios_and_their_mean(tmp_path):
    write_csv(tmp_path / "rounds.csv", ROWS)
    assert read_csv(tmp_path / "rounds.csv") == ROWS
    lines = report.times(tmp_path).splitlines()
    assert lines[2] == "| one (70 x 9, 2 classes) | 8.00 | 2.00 | 4.0 |"
    assert lines[-2:] == ["| **geometric mean** |  |  | **8.0** |", "| **worst** |  |  | **4.0** |"]


def test_a_data_set_that_one_competitor_did_not_finish(tmp_path):
    write_csv(tmp_path / "rounds.csv", [*ROWS, row("three", "pycdf", 1, 0.5)])
    assert "| three (70 x 9, 2 classes) |  | 0.500 |  |" in report.times(tmp_path)


def test_only_marked_blocks_are_rewritten(tmp_path):
    write_csv(tmp_path / "rounds.csv", ROWS)
    page = "before\n<!-- bench:summary -->\nold\n<!-- /bench:summary -->\nafter\n"
    filled = report.fill(page, tmp_path)
    assert filled.startswith("before\n<!-- bench:summary -->\n| time / pycdf's time |")
    assert filled.endswith("| R CDF | 8.0 | 4.0 (one) |\n<!-- /bench:summary -->\nafter\n")
    assert report.fill(filled, tmp_path) == filled


def test_a_part_that_was_not_measured_says_so(tmp_path):
    page = "<!-- bench:memory -->\n<!-- /bench:memory -->\n"
    assert report.NOT_YET in report.fill(page, tmp_path)


def test_the_pages_show_every_block_and_no_other():
    shown = {
        page.name: {match[2] for match in report.BLOCK.finditer(page.read_text(encoding="utf-8"))}
        for page in report.PAGES
    }
    assert shown["performance.md"] | shown["scaling.md"] | {"summary"} == set(report.BLOCKS)
    assert shown["README.md"] <= set(report.BLOCKS)


def job(kind, way, seconds, trees=51, **more):
    fields = {
        "kind": kind, "rows": 100, "columns": 20_000, "trees": trees, "new_rows": 0, "way": way,
        "round": 1, "seconds": seconds, "shipped": 0, "back": 5_100,
    }  # fmt: skip
    return fields | more


JOBS = [
    job("fit", "one core", 12.0),
    job("start", "one core", 2.0, trees=1),
    job("fit", "threads", 6.0),
    job("fit", "dask", 8.0, shipped=16_000_000),
]


def test_speed_ups_and_what_is_shipped(tmp_path):
    write_csv(tmp_path / "jobs.csv", JOBS)
    lines = planning.jobs(tmp_path).splitlines()
    assert lines[2:] == ["| grow 51 trees on 100 x 20,000 | 12.0 | 6.00 | 8.00 | 2.00 | 1.50 |"]
    lines = planning.shipped(tmp_path).splitlines()
    assert lines[2:] == ["| 100 x 20,000, 51 trees | 16.00 | 16.00 | 100 | 0.01 |"]


def test_plans_by_hand(tmp_path):
    write_csv(tmp_path / "jobs.csv", JOBS)
    line = planning.plan(tmp_path).splitlines()[2]
    # 100 x 1,000,000 is 50 times as large: 100 s to begin and 10 s for a tree, of which there are
    # 500, 32, 4 and 1 for a core; 0.8 GB go to 8 machines in 4 rounds, to 64 in 7.
    assert line == "| 500 trees, 100 x 1,000,000 | 0.8 | 1.2 | 85 min | 7 min | 2.39 min | 116 s |"


def test_streams_are_compared_in_pairs(tmp_path):
    rows = [{"dataset": "one", "split": i, "r": 0.5, "per_tree": 0.5 + 0.1 * i} for i in (0, 1, 2)]
    write_csv(tmp_path / "streams.csv", rows)
    # differences 0, 0.1, 0.2: standard deviation 0.1, over the root of 3
    assert planning.streams(tmp_path).splitlines()[2] == (
        "| one | 3 | 0.5000 | 0.6000 | +0.1000 ± 0.0577 |"
    )


SPLITS = [
    ("one", 0, "default", 0.5, 0.5, 0.0), ("one", 0, "soft", 0.75, 0.5, 0.25),
    ("one", 1, "default", 0.5, 0.5, 0.0), ("one", 1, "soft", 0.75, 0.5, 0.5),
    ("two", 0, "default", 1.0, 1.0, 1.0), ("two", 0, "soft", 0.75, 0.5, 0.5),
    ("two", 1, "default", 1.0, 1.0, np.nan), ("two", 1, "soft", 1.0, 1.0, np.nan),
]  # fmt: skip


def test_results_of_the_laboratory_go_on_where_they_end(tmp_path):
    path = tmp_path / "splits.csv.gz"
    results = laboratory.Results(path)
    for *key, accuracy, balanced, kappa in SPLITS:
        results.add(*key, values=(accuracy, balanced, kappa))
    results.save()
    again = laboratory.Results(path)
    assert again.done == {line[:3] for line in SPLITS}
    assert len(again.lines) == len(SPLITS)
    assert [file.name for file in tmp_path.iterdir()] == ["splits.csv.gz"]


def test_effects_are_means_over_data_sets():
    splits = pd.DataFrame(SPLITS, columns=laboratory.COLUMNS)
    found = laboratory_tables.changes(splits)
    each = laboratory_tables.by_data(found, "accuracy").loc["soft"]
    assert each["change"].tolist() == [0.25, -0.125]
    assert each["splits"].tolist() == [2, 2]
    assert laboratory_tables.by_data(found, "kappa").loc["soft", "two"]["splits"] == 1
    assert laboratory_tables.interval(each["change"]).startswith("+0.062 (-2.320 to +2.445)")
    assert (
        laboratory_tables.largest(splits)
        .splitlines()[2]
        .startswith('| one | `vote="soft"` | 0.500 | +0.250 |')
    )


def test_measures_of_the_laboratory_are_those_of_scikit_learn():
    from sklearn import metrics

    y, predicted = np.array(list("aabbcc")), np.array(list("abbbca"))
    expected = [
        measure(y, predicted)
        for measure in (metrics.accuracy_score, metrics.balanced_accuracy_score,
                        metrics.cohen_kappa_score)
    ]  # fmt: skip
    assert laboratory.measures(y, predicted) == pytest.approx(expected)
    assert np.isnan(laboratory.measures(y[:1], y[:1])[2])
