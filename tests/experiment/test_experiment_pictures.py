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
    assert "Each data set has its own scale." in " ".join(figure.get_supxlabel().split())
    alone = pictures.box_plots(RESULTS, "accuracy", {"a": "a"}, METHODS)
    assert "scale" not in alone.get_supxlabel()
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
    assert "mean rank (1 is best)" in shown
    assert "Bars join methods whose mean ranks do not differ significantly." in shown


LONG = {
    "lr": "sklearn.linear_model.LogisticRegression(C=0.1, max_iter=1000)",
    "cdf": "CDF",
    "nb": r"NB$\x$",
}
PLACES = {"a": "a_study_of_2019_with_a_long_name_final_v2", "b": r"$\no{formula$"}


def drawn_texts(figure):
    """Every text that is shown, with where it is in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    shown = [
        text
        for axis in figure.axes
        for text in (*axis.texts, axis.title, *(axis.get_xticklabels() if axis.axison else ()))
        if text.get_text() and text.get_visible()
    ]
    return {
        text.get_text(): text.get_window_extent(canvas.get_renderer()).extents / figure.dpi
        for text in shown
    }


@pytest.mark.parametrize("count", [1, 2])
def test_long_names_are_inside_the_picture_and_boxes_are_large_enough(count):
    results = RESULTS.replace({"method": dict(zip(METHODS, LONG, strict=True))})
    places = dict(list(PLACES.items())[:count])
    figure = pictures.box_plots(results, "accuracy", places, LONG)
    shown = drawn_texts(figure)
    width, height = figure.get_size_inches()
    assert "sklearn.linear_…max_iter=1000)" in shown
    for left, bottom, right, top in shown.values():
        assert 0 <= left < right <= width
        assert 0 <= bottom < top <= height
    for axis in figure.axes:
        assert axis.get_position().height * height > 1.2


def test_long_names_are_inside_the_rank_diagram():
    means = RESULTS.groupby(["data", "method"])["accuracy"].mean().unstack()
    for k in (2, 3):
        part = compare_methods(means.set_axis([*LONG.values()], axis=1).iloc[:, :k], "CDF")
        figure = pictures.rank_diagram(part, "Balanced accuracy")
        width, _ = figure.get_size_inches()
        for left, _, right, _ in drawn_texts(figure).values():
            assert 0 <= left < right <= width


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_same_numbers_give_the_same_bytes(tmp_path, monkeypatch, ending):
    for name in ("one", "two"):
        figure = pictures.box_plots(RESULTS, "accuracy", {"a": "a"}, METHODS)
        pictures.save(figure, tmp_path / f"{name}.{ending}")
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")  # it is another day
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match="need matplotlib: pip install matplotlib;"):
        pictures.box_plots(RESULTS, "accuracy", DATA, METHODS)
