"""The page that a comparison leaves: tests over data sets, warnings, and no word too much."""

import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pycdf.experiment import report
from pycdf.experiment.compare import compare
from pycdf.experiment.measures import MEASURES
from pycdf.experiment.paper import paper_sets


def data_sets(count):
    rng = np.random.default_rng(8)
    sets = {}
    for j in range(count):
        y = np.array(["x", "y"] * 15)
        sets[f"d{j}"] = (rng.normal(size=(30, 4)) + (y == "x")[:, np.newaxis], y)
    return sets


class Warns:
    """A classifier that warns, each time with another number."""

    def fit(self, X, y):
        warnings.warn(f"{X[0, 0]} is odd", RuntimeWarning, stacklevel=1)
        warnings.warn("always", UserWarning, stacklevel=1)
        self.first = y[0]
        return self

    def predict(self, X):
        return np.full(len(X), self.first)


@pytest.fixture(scope="module")
def six(tmp_path_factory):
    folder = tmp_path_factory.mktemp("six")
    done = compare(data_sets(6), ["cart", "knn", ("warns", Warns())], 2, quick=True, output=folder)
    return done, (folder / "report.md").read_text(), folder


def test_the_paired_comparison_is_on_the_page(six):
    done, text, folder = six
    paired = done.paired("accuracy")
    assert f"Friedman's test over 6 data sets: chi-squared {paired.friedman[0]:.2f}" in text
    row = paired.wilcoxon.loc["kNN"]
    line = next(one for one in text.splitlines() if one.startswith("| kNN "))
    assert line.endswith(f"| {row['p']:.4f} |   {row['p_holm']:.4f} |")
    assert paired.reference == "CART"  # there is no CDF: the first method is compared
    assert "2 comparisons no corrected p-value can be below 0.062" in text
    for title in MEASURES.values():
        assert f"\n## {title}\n\n| Data set " in text
    for name in ("accuracy-ranks.svg", "kappa-ranks.svg"):
        assert f"![{name}]({name})" in text
        assert (folder / name).stat().st_size > 1000


def test_the_papers_figures_are_on_the_page_if_it_has_the_data(six):
    done, text, _ = six
    assert "Comparison with the paper" not in text
    known = replace(done, paper={done.data[0]: paper_sets()[0]})
    assert len(known.checked) == 4  # accuracy and kappa of CART and kNN
    assert "## Comparison with the paper\n\n4 figures: too few splits 4.\n" in report.report(
        known, []
    )


def test_differences_by_data_set_are_on_the_page(six):
    done, text, folder = six
    found = done.differences("accuracy")
    assert len(found) == 6 * 2
    row = found[(found["data"] == "d3") & (found["method"] == "kNN")].iloc[0]
    half = row["high"] - row["difference"]
    table = text[text.index("### By data set") :]
    line = next(one for one in table.splitlines() if one.startswith("| d3 "))
    assert f"{row['difference']:+.3f} ± {half:.3f}" in line
    better = found.groupby("method", sort=False)["low"].agg(lambda low: (low > 0).sum())
    counts = next(one for one in table.splitlines() if one.startswith("| CART better"))
    assert [int(cell) for cell in counts.split("|")[2:4]] == better.tolist()
    kept = pd.read_csv(folder / "differences.csv")
    assert kept["measure"].unique().tolist() == [
        "accuracy", "kappa", "balanced_accuracy", "macro_f1", "auc", "log_loss",
    ]  # fmt: skip
    assert kept.loc[kept["measure"] == "accuracy", "p"].tolist() == pytest.approx(
        found["p"].tolist(), nan_ok=True
    )


@pytest.mark.usefixtures("pictures")
def test_spreads_are_in_the_report_and_in_latex_if_asked_for(six, tmp_path):
    done, text, _ = six
    assert "±" not in text[: text.index("### By data set")]
    done.save(tmp_path, spread="sd")
    mean = done.table().printed.iat[0, 0]
    assert f"{mean:.3f}" in (tmp_path / "accuracy.tex").read_text()
    told = (tmp_path / "report.md").read_text()
    assert "The second number is the standard deviation over the splits." in told
    assert f" ± {done.table().sds.iat[0, 1]:.3f}" in told
    assert r"\scriptsize (0." in (tmp_path / "auc.tex").read_text()


def test_splits_without_an_auc_are_told():
    frame = pd.DataFrame(
        {"data": ["a"] * 4 + ["b"] * 2, "split": [1, 1, 2, 2, 1, 2],
         "auc": [0.5, np.nan, np.nan, np.nan, 1.0, 1.0]}
    )  # fmt: skip
    assert report.undefined_lines(frame, "auc") == [
        "Undefined where a class has no test rows: a on 1 of 2 splits.\n"
    ]
    assert report.undefined_lines(frame[frame["data"] == "b"], "auc") == []


def test_few_data_sets_are_not_tested():
    done = compare(data_sets(2), ["cart", "knn"], 1, quick=True)
    assert report.paired_text(done.paired()) == (
        "Tests across data sets need at least 5 data sets and two methods; here 2 methods can be "
        "compared on 2 data sets.\n"
    )


def test_warnings_are_kept_and_told_once_by_kind(six):
    done, text, _ = six
    assert len(done.warnings) == 6 * 2 * 2
    assert set(done.warnings["method"]) == {"warns"}
    assert text.count("RuntimeWarning") == text.count("UserWarning: always") == 6
    assert "- d0 / warns, 2 splits: UserWarning: always\n" in text


@pytest.mark.usefixtures("pictures")
def test_an_old_list_of_failures_goes_when_there_are_none(six, tmp_path):
    done, text, _ = six
    (tmp_path / "failures.csv").write_text("old")
    done.save(tmp_path)
    assert not (tmp_path / "failures.csv").exists()
    assert "failed" not in text


@pytest.mark.endurance
def test_after_a_full_disk_the_files_are_those_of_the_earlier_run(six, tmp_path):
    resource = pytest.importorskip("resource")  # Windows has none
    six[0].save(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = len(before["report.md"]) - 100
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, usual[1]))
    try:
        with pytest.raises(OSError, match=r"(svg|report\.md|csv)'$") as caught:
            six[0].save(tmp_path, spread="sd")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert Path(caught.value.filename).parent == tmp_path
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.endurance
def test_pictures_and_tables_of_an_earlier_run_go(six, tmp_path):
    six[0].save(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} >= {"accuracy-ranks.svg", "kappa.tex"}
    compare(data_sets(1), ["cart"], 1, quick=True).save(tmp_path)  # no ranks of one method
    assert not list(tmp_path.glob("*-ranks.svg"))


@pytest.mark.usefixtures("pictures")
def test_a_comparison_that_is_saved_later_has_its_manifest(tmp_path):
    done = compare(data_sets(1), ["cart"], 1, quick=True)
    written = done.save(tmp_path / "new")
    assert tmp_path / "new" / "manifest.json" in written
    assert json.loads((tmp_path / "new" / "manifest.json").read_text()) == done.manifest


@pytest.mark.parametrize("name", ["results.csv", "report.md", "kappa.tex"])
def test_files_of_other_origin_are_not_written_over(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(
        ValueError, match=f"has a {name} that is not from a comparison and would be overwritten"
    ):
        compare(data_sets(1), ["cart"], 1, quick=True, output=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_the_page_tells_which_methods_were_not_tuned():
    few = ["knn", "guest=sklearn.naive_bayes.GaussianNB"]
    done = compare(data_sets(1), few, 1)
    noted = report.report(replace(done, notes=("it is so", "It is a sentence.")), [])
    assert "\nNote: it is so.\n" in noted
    assert "\nNote: It is a sentence.\n" in noted
    tuned = report.report(done, [])
    told = (
        "2 methods, tuned by 10-fold cross-validation (except guest, without parameters to "
        "tune), on 1 data set; 1 random split into 70 % training and 30 % test rows, seed 1."
    )
    assert told in tuned
    assert "except" not in report.report(compare(data_sets(1), few, 1, quick=True), [])


def test_a_long_message_is_cut_at_a_word():
    told = "ValueError: " + "word " * 90
    failures = pd.DataFrame([("d", "m", 1, told)], columns=["data", "method", "split", "message"])
    line = report.failure_lines(failures)
    assert line.startswith("- d / m, split 1: ValueError: word word")
    assert line.endswith("word ...\n")
    assert len(line) < 270


def test_many_failures_are_cut_short():
    class Fails(Warns):
        def fit(self, X, y):
            raise ValueError(f"no {X.sum()}")

    done = compare(data_sets(3), [("fails", Fails())], 5, quick=True)
    lines = report.failure_lines(done.failures).splitlines()
    assert len(lines) == 13
    assert lines[-1] == "- and 3 more in failures.csv"
    assert lines[0].startswith("- d0 / fails, split 1: ValueError: no ")
