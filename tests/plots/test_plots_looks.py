"""Pictures in the users' own styles, with the widest names and the smallest forests."""

import sys

import numpy as np
import pandas as pd
import pytest

from pycdf import CDFClassifier, RStream

pytest.importorskip("matplotlib")

from matplotlib import pyplot
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from readable import assert_readable

from pycdf import plots
from pycdf.plots.style import inks

# These pictures are drawn of training rows; tests/explain/test_seen_rows.py has the warning.
pytestmark = pytest.mark.filterwarnings("ignore::pycdf.TrainingRowsWarning")

CURVES = {"splits": 1, "seed": 1, "ntrees": 12}
DRAW = {
    "tree": lambda fit, X, y: plots.plot_tree(fit),
    "importance": lambda fit, X, y: plots.plot_importance(fit),
    "coselection": lambda fit, X, y: plots.plot_coselection(fit),
    "centroids": lambda fit, X, y: plots.plot_centroids(fit),
    "means": lambda fit, X, y: plots.plot_centroids(fit, X=X, y=y),
    "permutation": lambda fit, X, y: plots.plot_permutation(fit, X, y, n_repeats=2),
    "chance": lambda fit, X, y: plots.plot_chance(fit, X, y, n_repeats=2),
    "stability": lambda fit, X, y: plots.plot_stability(X, y, seeds=3, top=1, ntrees=20),
    "proximity": lambda fit, X, y: plots.plot_proximity(fit, X, y),
    "unlabelled": lambda fit, X, y: plots.plot_proximity(fit, X),
    "confusion": lambda fit, X, y: plots.plot_confusion(fit, X, y),
    "probabilities": lambda fit, X, y: plots.plot_probabilities(fit, X, y),
    "trees": lambda fit, X, y: plots.plot_tree_curve(fit, X, y),
    "parameters": lambda fit, X, y: plots.plot_parameter_curves(X, y, **CURVES),
}
CELLS = ("coselection", "centroids", "means", "confusion")  # their texts lie on coloured cells


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


def fitted(p, label=lambda code: f"c{code}", feature=lambda j: f"x{j}", ntrees=60):
    """Three classes on p named features."""
    codes = np.arange(90) % 3
    values = RStream(3).uniform(90 * p).reshape(90, p) + 0.4 * codes[:, np.newaxis]
    X = pd.DataFrame(values, columns=[feature(j) for j in range(p)])
    y = np.array([label(code) for code in codes], dtype=object)
    return CDFClassifier(ntrees=ntrees, seed=1).fit(X, y), X, y


@pytest.fixture(scope="module")
def usual():
    return fitted(12)


def contrast(one, other):
    """As the WCAG has it, from 1 to 21."""
    light = []
    for colour in (one, other):
        parts = np.array(to_rgb(colour))
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        light.append(linear @ (0.2126, 0.7152, 0.0722) + 0.05)
    return max(light) / min(light)


@pytest.mark.endurance
@pytest.mark.parametrize("style", ["default", "dark_background", "ggplot"])
@pytest.mark.parametrize("kind", [kind for kind in DRAW if kind != "tree"])
def test_everything_is_seen_on_the_ground_of_the_users_style(usual, kind, style):
    with pyplot.style.context(style):
        figure = np.ravel(DRAW[kind](*usual))[0].figure
        figure.draw_without_rendering()
    for ax in figure.axes:
        outside = [ax.title, ax.xaxis.label, ax.yaxis.label]
        outside += [*ax.get_xticklabels(), *ax.get_yticklabels()]
        seen = [(text.get_color(), figure.get_facecolor()) for text in outside]
        if kind not in CELLS:
            seen += [(text.get_color(), ax.get_facecolor()) for text in ax.texts]
            drawn = {line.get_color() for line in ax.lines} - {inks(ax).faint}
            seen += [(colour, ax.get_facecolor()) for colour in drawn]
        assert min(contrast(*pair) for pair in seen) > 3


def test_the_diagonal_is_seen_on_a_dark_ground(usual):
    with pyplot.style.context("dark_background"):
        ax = plots.plot_coselection(usual[0])
    diagonal = [text for text in ax.texts if len(set(text.get_position())) == 1]
    assert len(diagonal) == 12
    assert all(contrast(text.get_color(), "black") > 3 for text in diagonal)


def test_inks_go_by_what_is_behind_the_axes():
    figure = Figure(facecolor="black")
    part = figure.subfigures(1, 2)[0]
    part.set_facecolor("none")
    ax = part.add_subplot(facecolor="none")
    assert contrast(inks(ax).ink, "black") > 10
    ax.set_facecolor("white")
    assert contrast(inks(ax).ink, "white") > 10
    figure.set_facecolor("none")
    ax.set_facecolor("none")
    assert contrast(inks(ax).ink, "white") > 10


@pytest.mark.parametrize("kind", [*CELLS, "probabilities"])
def test_the_grid_of_a_style_does_not_strike_out_numbers(usual, kind):
    with pyplot.style.context("ggplot"):
        ax = DRAW[kind](*usual)
        ax.figure.draw_without_rendering()
    lines = [*ax.get_xgridlines(), *ax.get_ygridlines()]
    assert not any(line.get_visible() for line in lines)


@pytest.mark.parametrize("kind", ["importance", "permutation", "chance", "stability"])
def test_bars_have_upright_grid_lines_only(usual, kind):
    with pyplot.style.context("ggplot"):
        ax = DRAW[kind](*usual)
        assert all(line.get_visible() for line in ax.get_xgridlines())
        assert not any(line.get_visible() for line in ax.get_ygridlines())


@pytest.mark.parametrize("kind", [kind for kind in DRAW if kind != "tree"])
def test_the_widest_names_push_nothing_off_the_picture(kind):
    wide = fitted(12, lambda code: "W" * 60 + str(code), lambda j: "W" * 60 + str(j))
    axes = DRAW[kind](*wide)
    assert_readable(axes)
    for ax in np.ravel(axes):
        assert ax.get_window_extent().width / ax.figure.dpi > 2  # inches


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize(
    "kind", ["importance", "coselection", "centroids", "means", "permutation", "chance"]
)
def test_one_or_two_features_have_room_for_what_is_said(kind, p):
    assert_readable(DRAW[kind](*fitted(p)))


def test_a_forest_of_leaves_selects_nothing():
    _, X, y = fitted(4)
    ax = plots.plot_importance(CDFClassifier(ntrees=5, depth=0, seed=1).fit(X, y))
    assert ax.get_title() == "0 of 4 features contribute"
    assert ax.get_xlim()[0] == 0
    assert_readable(ax)


@pytest.mark.endurance
def test_a_picture_of_a_huge_tree_is_at_most_120_inches_long():
    values = RStream(1).uniform(480).reshape(240, 2)
    labels = [f"the class {code % 120}" for code in range(240)]
    fit = CDFClassifier(ntrees=1, depth=1, seed=1).fit(values, labels)
    ax = plots.plot_tree(fit, max_depth=1)
    points = np.array([ax.get_xlim()[1], ax.get_ylim()[0] + 26])  # with the title
    assert points.max() / 72 > 120
    inches = ax.figure.get_size_inches()
    assert inches == pytest.approx(points * 120 / points.max())


def test_short_names_of_many_classes_stand_upright():
    codes = list(range(10)) * 2
    ax = plots.plot_confusion(codes, codes)
    assert all(label.get_rotation() == 0 for label in ax.get_xticklabels())
    assert_readable(ax)
    names = ["P", "a long name"] * 5
    ax = plots.plot_confusion(names, names)
    assert all(label.get_rotation() == 45 for label in ax.get_xticklabels())
    names = [f"class {code}" for code in codes]
    ax = plots.plot_confusion(names, names)
    assert all(label.get_rotation() == 45 for label in ax.get_xticklabels())


@pytest.mark.parametrize("ntrees", [1, 2, 5, 20, 60])
def test_trees_are_whole_and_no_accuracy_is_above_all(ntrees):
    fit, X, y = fitted(4, ntrees=ntrees)
    ax = plots.plot_tree_curve(fit, X_test=X[:1], y_test=y[:1])
    ax.figure.canvas.draw()
    low, high = ax.get_xlim()
    ticks = [tick for tick in ax.get_xticks() if low <= tick <= high]
    assert ticks
    assert ticks == [round(tick) for tick in ticks]
    assert max(ax.lines[0].get_ydata()) <= ax.get_ylim()[1] < 1.01


@pytest.mark.parametrize(
    ("ntrees", "ticks"),
    [
        (1, [1, 2]), (2, [1, 2]), (8, [1, 2, 3, 4, 5, 6, 7, 8]), (10, [2, 4, 6, 8, 10]),
        (17, [2, 4, 6, 8, 10, 12, 14, 16]), (18, [5, 10, 15]), (35, [5, 10, 15, 20, 25, 30, 35]),
        (42, [10, 20, 30, 40]), (75, [10, 20, 30, 40, 50, 60, 70]), (85, [20, 40, 60, 80]),
    ],
)  # fmt: skip
def test_ticks_at_round_numbers_of_trees(ntrees, ticks):
    ax = plots.plot_tree_curve(
        pd.DataFrame({"accuracy": [0.5] * ntrees}, index=range(1, ntrees + 1))
    )
    low, high = ax.get_xlim()
    assert (low, high) == (1, max(ntrees, 2))
    assert [tick for tick in ax.get_xticks() if low <= tick <= high] == ticks


def test_three_panels_share_an_axis_that_holds_all_of_them(usual):
    _, X, y = usual
    axes = plots.plot_parameter_curves(X, y, **CURVES)
    low, high = axes[0].get_ylim()
    drawn = np.concatenate([ax.lines[0].get_ydata() for ax in axes])
    assert low <= drawn.min()
    assert drawn.max() <= high < 1.03


@pytest.mark.parametrize(
    "draw",
    [
        lambda fit, y, **more: plots.plot_permutation(fit, "no rows", y, **more),
        lambda fit, y, **more: plots.plot_chance(fit, "no rows", y, **more),
        lambda fit, y, **more: plots.plot_stability("no rows", y, **more),
    ],
)
def test_what_cannot_be_drawn_is_told_before_the_long_work(usual, draw):
    """Were the rows read first, it would be they that are refused."""
    fit, _, y = usual
    with pytest.raises(TypeError, match="ax is int: pass one matplotlib Axes"):
        draw(fit, y, ax=3)
    with pytest.raises(ValueError, match="top=0: pass a whole number of at least 1"):
        draw(fit, y, top=0)


@pytest.mark.parametrize("kind", DRAW)
def test_every_plot_says_how_to_install_matplotlib(usual, kind, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pictures need matplotlib: install it with pip"):
        DRAW[kind](*usual)


def test_three_axes_are_checked_before_the_long_work(usual):
    with pytest.raises(TypeError, match="axes: pass three matplotlib Axes"):
        plots.plot_parameter_curves("no rows", usual[2], axes=[1, 2, 3])


@pytest.mark.parametrize("draw", [plots.plot_stability, plots.plot_importance])
def test_titles_fit_on_half_a_page(usual, draw):
    fit, X, y = usual
    figure = pyplot.figure(figsize=(9, 4), layout="constrained")
    for ax in figure.subplots(1, 2):
        if draw is plots.plot_stability:
            draw(X, y, seeds=10, top=10, ntrees=20, ax=ax)
        else:
            draw(fit, ax=ax)
    assert_readable(figure.axes)
