"""Pictures show what they should: every box, every mark, every name; the same bytes each time."""

import sys

import numpy as np
import pandas as pd
import pytest

from pycdf.experiment import pictures
from pycdf.experiment.statistics import compare_methods

pytest.importorskip("matplotlib")

RNG = np.random.default_rng(4)
METHODS = {"cdf": "CDF", "rf": "RF", "svm": "SVM"}
DATA = {"a": "D1 a", "b": "b", "c": "c", "d": "d", "e": "e"}
RESULTS = pd.DataFrame(
    [
        {"data": name, "method": method, "accuracy": value}
        for name in DATA
        for method in METHODS
        if (name, method) != ("b", "svm")  # it failed there
        for value in RNG.uniform(0.5, 1, 9)
    ]
)


def test_a_panel_per_data_set_with_a_box_per_method():
    figure = pictures.box_plots(RESULTS, "accuracy", DATA, METHODS, {("a", "rf"): 0.77})
    assert [axis.get_title() for axis in figure.axes] == list(DATA.values())
    for axis in figure.axes:
        assert [text.get_text() for text in axis.get_xticklabels()] == ["CDF", "RF", "SVM"]
    first = figure.axes[0]
    medians = [
        line for line in first.lines if line.get_color() == "black" and len(line.get_xdata()) == 2
    ]
    mine = RESULTS[RESULTS["data"] == "a"].groupby("method")["accuracy"]
    drawn = [float(line.get_ydata()[0]) for line in medians]
    for value in mine.median():
        assert value in drawn
    marks = next(line for line in first.lines if line.get_marker() == "D")
    assert np.isnan(marks.get_ydata()[[0, 2]].astype(float)).all()
    assert marks.get_ydata()[1] == 0.77


def test_the_rank_diagram_names_every_method_with_its_mean_rank():
    means = RESULTS.groupby(["data", "method"])["accuracy"].mean().unstack().rename(columns=METHODS)
    paired = compare_methods(means, "CDF")
    figure = pictures.rank_diagram(paired, "Accuracy")
    shown = {text.get_text() for text in figure.axes[0].texts}
    for name, rank in paired.mean_ranks.items():
        assert f"{name}  {rank:.2f}" in shown
    assert f"critical difference {paired.critical_difference:.2f} (5% level)" in shown


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_same_numbers_give_the_same_bytes(tmp_path, ending):
    for name in ("one", "two"):
        figure = pictures.box_plots(RESULTS, "accuracy", {"a": "a"}, METHODS)
        pictures.save(figure, tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r'pip install "pycdf\[plot\]"'):
        pictures.box_plots(RESULTS, "accuracy", DATA, METHODS)
