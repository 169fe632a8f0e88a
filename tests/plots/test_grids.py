"""Pictures side by side: in a grid of axes, none writes over its neighbours."""

import warnings
from itertools import chain, combinations

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from matplotlib.figure import Figure

from pycdf import CDFClassifier, RStream, load_darwin, plots
from pycdf.explain import parameter_curves, stability


@pytest.fixture(
    scope="module",
    params=["two classes", pytest.param("fourteen", marks=pytest.mark.endurance)],
)
def case(request):
    if request.param == "two classes":
        X, y = load_darwin()
        X, y = X.iloc[::2, :60], y.iloc[::2]
    else:
        codes = np.tile(np.arange(14), 4)
        X = RStream(3).uniform(len(codes) * 40).reshape(len(codes), 40)
        X[:, :14] += codes[:, np.newaxis] == np.arange(14)
        y = np.array([f"carcinoma of kind {code}" for code in codes])
    return CDFClassifier(ntrees=40, seed=1).fit(X, y), X, y


DRAW = {
    "tree": lambda fit, X, y, ax: plots.plot_tree(fit, X=X, y=y, ax=ax),
    "importance": lambda fit, X, y, ax: plots.plot_importance(fit, 9, ax=ax),
    "coselection": lambda fit, X, y, ax: plots.plot_coselection(fit, 9, ax=ax),
    "centroids": lambda fit, X, y, ax: plots.plot_centroids(fit, 9, X=X, y=y, ax=ax),
    "permutation": lambda fit, X, y, ax: plots.plot_permutation(fit, X, y, top=9, seed=1, ax=ax),
    "chance": lambda fit, X, y, ax: plots.plot_chance(fit, X, y, top=9, n_repeats=3, seed=1, ax=ax),
    "stability": lambda fit, X, y, ax: plots.plot_stability(
        stability(X, y, seeds=3, ntrees=9, top=5), top=9, ax=ax
    ),
    "proximity": lambda fit, X, y, ax: plots.plot_proximity(fit, X, y, ax=ax),
    "confusion": lambda fit, X, y, ax: plots.plot_confusion(fit, X, y, out_of_bag=True, ax=ax),
    "probabilities": lambda fit, X, y, ax: plots.plot_probabilities(
        fit, X, y, out_of_bag=True, ax=ax
    ),
    "trees": lambda fit, X, y, ax: plots.plot_tree_curve(fit, X, y, ax=ax),
}


def grid(layout=None):
    figure = Figure(figsize=(13, 10), layout=layout)
    return figure, figure.subplots(2, 2)


def drawn(case, kind, ax):
    """The picture on its axes, and all axes that belong to it: colour bars have their own."""
    before = [one for one in ax.figure.axes if one is not ax]
    assert DRAW[kind](*case, ax) is ax
    return [one for one in ax.figure.axes if one not in before]


def boxes_of(pictures):
    """The boxes of all axes of each picture, which is a list of axes, once the figure is drawn."""
    pictures[0][0].figure.draw_without_rendering()
    return [[ax.get_tightbbox() for ax in picture] for picture in pictures]


def overlapping(boxes):
    """Pairs of pictures that overlap by more than a pixel."""
    return [
        (i, j)
        for i, j in combinations(range(len(boxes)), 2)
        for a in boxes[i]
        for b in boxes[j]
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1
        if min(a.y1, b.y1) - max(a.y0, b.y0) > 1
    ]


def test_overlaps_are_found():
    _, axes = grid()
    axes[0, 0].set_xlabel("one\ntwo\nthree")
    axes[1, 0].set_title("a title")
    assert overlapping(boxes_of([[ax] for ax in axes.flat])) == [(0, 2)]


# Many classes need most space, and without a layout it is pycdf that makes it.
OTHERS = [("fourteen", "constrained"), ("two classes", None), ("two classes", "constrained")]


@pytest.mark.parametrize(
    ("case", "layout"),
    [("fourteen", None), *(pytest.param(*pair, marks=pytest.mark.endurance) for pair in OTHERS)],
    indirect=["case"],
)
@pytest.mark.parametrize("kind", DRAW)
def test_a_picture_does_not_write_over_its_neighbours(case, kind, layout):
    """Three times the same picture: it is above, below and beside itself, and beside nothing."""
    figure, axes = grid(layout)
    *three, empty = axes.flat
    boxes = boxes_of([*(drawn(case, kind, ax) for ax in three), [empty]])
    assert overlapping(boxes) == []
    page = figure.bbox.padded(1)
    for box in chain(*boxes):
        assert (page.min <= box.min).all(), kind
        assert (box.max <= page.max).all(), kind


def test_the_three_parameter_curves():
    X, y = load_darwin()
    table = parameter_curves(X.iloc[:, :20], y, ks=[1, 3], mtry_shares=[0.5, 1], splits=2, ntrees=9)
    figure = Figure(figsize=(12, 6))
    axes = figure.subplots(2, 3)
    for row in axes:
        plots.plot_parameter_curves(table, axes=row)
    assert overlapping(boxes_of([[ax] for ax in axes.flat])) == []


@pytest.mark.endurance
def test_whoever_arranges_the_figure_has_the_last_word(case):
    figure, axes = grid()
    figure.subplots_adjust(hspace=0.9)
    DRAW["importance"](*case, axes[0, 0])
    assert figure.get_layout_engine() is None

    figure, axes = grid()
    DRAW["confusion"](*case, axes[0, 0])
    figure.draw_without_rendering()
    figure.subplots_adjust(left=0.3, wspace=0.8)
    figure.draw_without_rendering()
    assert figure.subplotpars.left == 0.3
    assert figure.subplotpars.wspace == 0.8

    figure, axes = grid()
    pictures = [drawn(case, "confusion", ax) for ax in axes.flat]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.tight_layout()
    assert overlapping(boxes_of(pictures)) == []


def test_axes_without_a_grid_are_left_alone(case):
    figure = Figure(figsize=(6, 4))
    DRAW["importance"](*case, figure.add_axes((0.3, 0.3, 0.5, 0.5)))
    assert figure.get_layout_engine() is None
