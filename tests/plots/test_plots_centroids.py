"""The heat map of class centroids: its numbers, and what its colours mean."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from deep_chain import deep_chain
from matplotlib import pyplot
from matplotlib.figure import Figure

from pycdf import CDF, CDFClassifier
from pycdf.explain.profiles import class_profiles
from pycdf.plots import plot_centroids

LAST = 1e-12  # sums in another order


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    pyplot.close("all")


def data(n_classes=3, n=90, p=25, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.resize(np.arange(n_classes), n)
    X = rng.normal(size=(n, p)) + 3 * codes[:, None] * (np.arange(p) % 4 == 0)
    labels = np.array([f"class {n_classes - code}" for code in range(n_classes)])[codes]
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(p)]), pd.Series(labels)


@pytest.fixture(scope="module")
def fit():
    X, y = data()
    return CDF(X, y, X, ntrees=30, k=4, seed=1)


def test_the_forest_alone_gives_the_mean_of_its_roots(fit):
    """Weighted by the rows of each class in the root, from the tables."""
    profiles = class_profiles(fit, 6)
    roots = fit.centroids[fit.centroids.node == 0]
    counts = fit.forest.counts[fit.forest.tree_start[:-1]]
    for i, feature in enumerate(profiles.features):
        for j, label in enumerate(profiles.classes):
            cells = roots[(roots.feature == feature) & (roots["class"] == label)]
            weights = counts[cells.tree, list(fit.classes).index(label)]
            mean = np.average(cells.centroid, weights=weights)
            assert profiles.means[i, j] == pytest.approx(mean, rel=LAST)
    away = profiles.means - profiles.means.mean(axis=1, keepdims=True)
    assert profiles.scaled == pytest.approx(away / np.abs(away).max(axis=1, keepdims=True))
    assert (np.abs(profiles.scaled).max(axis=1) == 1).all()


def test_the_mean_of_the_roots_is_close_to_that_in_training(fit):
    X, y = data()
    alone, trained = class_profiles(fit, 6), class_profiles(fit, 6, X=X, y=y)
    error = X.std().max() / np.sqrt(30)  # of a bootstrap mean of 30 rows
    assert np.abs(alone.means - trained.means).max() < error


def test_rows_give_means_in_standard_deviations(fit):
    X, y = data(seed=5)
    X.iloc[3:9, :] = np.nan
    profiles = class_profiles(fit, 8, X=X, y=y)
    means = X.groupby(y.to_numpy()).mean().T.loc[list(profiles.features), list(profiles.classes)]
    assert profiles.means == pytest.approx(means.to_numpy(), rel=LAST)
    scaled = means.sub(X.mean(), axis=0).div(X.std(), axis=0).loc[list(profiles.features)]
    assert profiles.scaled == pytest.approx(scaled.to_numpy(), rel=1e-10)


def test_features_come_by_their_share_and_classes_sorted(fit):
    profiles = class_profiles(fit, 5)
    order = fit.feature_importance.sort_values(ascending=False, kind="stable")
    assert profiles.features.tolist() == order.index[:5].tolist()
    assert profiles.shares.tolist() == order.iloc[:5].tolist()
    assert profiles.classes.tolist() == ["class 1", "class 2", "class 3"]


def test_features_that_no_root_selected_need_rows():
    X, y = data(p=40)
    fit = CDFClassifier(ntrees=4, k=2, mtry=3, seed=2).fit(X, y)
    forest = fit.model_.forest
    starts = forest.feature_start
    in_roots = {X.columns[j] for root in forest.tree_start[:-1]
                for j in forest.features[starts[root] : starts[root + 1]]}  # fmt: skip
    selected = {X.columns[j] for j in forest.features}
    assert in_roots < selected
    assert set(class_profiles(fit, 40).features) == in_roots
    assert set(class_profiles(fit, 40, X=X, y=y).features) == selected


def test_centroids_that_are_missing_do_not_count():
    X, y = deep_chain()  # class b is missing in the first column
    fit = CDFClassifier(ntrees=5, depth=1, k=2, mtry=2, seed=1).fit(X, y)
    np.testing.assert_array_equal(class_profiles(fit).scaled[0], [0.0, np.nan])
    X[2, 0] = 7.0  # but for a row that some of the trees drew
    fit = CDFClassifier(ntrees=5, depth=1, k=2, mtry=2, seed=1).fit(X, y)
    assert set(fit.model_.forest.inbag[:, 2]) == {0, 1}
    assert class_profiles(fit).means[0, 1] == 7.0


def test_a_class_without_a_row_is_left_grey(fit):
    X, y = data()
    few = y != "class 2"
    ax = plot_centroids(fit, 4, X=X[few], y=y[few])
    values = ax.images[0].get_array()
    assert values.mask.tolist() == [[False, True, False]] * 4
    assert [text.get_text() for text in ax.texts[1::3]] == ["–"] * 4


def test_a_feature_that_never_varies_has_no_colour(fit):
    X, y = data()
    X[:] = 2.0
    assert (class_profiles(fit, 4, X=X, y=y).scaled == 0).all()
    ax = plot_centroids(fit, 4, X=X, y=y)
    assert ax.images[0].get_clim() == (-1, 1)
    ax.figure.draw_without_rendering()


@pytest.mark.parametrize("with_rows", [False, True])
def test_the_picture_shows_the_profiles(fit, with_rows):
    X, y = data()
    rows = {"X": X, "y": y} if with_rows else {}
    profiles = class_profiles(fit, 7, **rows, by="contribution")
    ax = plot_centroids(fit, 7, **rows)
    image = ax.images[0]
    assert np.array_equal(image.get_array(), profiles.scaled)
    low, high = image.get_clim()
    assert low == -high
    assert high == np.abs(profiles.scaled).max()
    assert [label.get_text() for label in ax.get_yticklabels()] == profiles.features.tolist()
    assert [label.get_text() for label in ax.get_xticklabels()] == profiles.classes.tolist()
    numbers = [float(text.get_text().replace("−", "-")) for text in ax.texts]
    assert numbers == pytest.approx(profiles.means.ravel(), abs=0.0051)
    bar = image.colorbar.ax.get_ylabel()
    assert ("standard deviations" in bar) == with_rows
    assert ("roots" in ax.get_title(loc="left")) != with_rows


def test_names_stay_inside_the_figure_and_apart():
    X, y = data(14, n=140)
    X.columns = [
        f"probe {j} of a long and well known family of proteins, $\\alpha$" for j in range(25)
    ]
    y = y.map(lambda label: f"{label} of the many kinds that there are")
    fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    ax = plot_centroids(fit, 20)
    figure = ax.figure
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    labels = [*ax.get_yticklabels(), *ax.get_xticklabels()]
    for label in labels:
        extent = label.get_window_extent(renderer)
        assert extent.x0 >= 0
        assert extent.x1 <= figure.bbox.x1
        assert extent.y1 <= figure.bbox.y1
    heights = [label.get_window_extent(renderer) for label in ax.get_yticklabels()]
    assert all(one.y0 >= other.y1 - 1 for one, other in pairwise(heights))
    assert ax.images[0].get_window_extent(renderer).width > 0.3 * figure.bbox.width
    assert not ax.texts  # numbers for up to 6 classes only


def test_given_axes_leave_pyplot_alone(fit):
    before = pyplot.get_fignums()
    ax = Figure().add_subplot()
    assert plot_centroids(fit, ax=ax) is ax
    assert pyplot.get_fignums() == before


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"top": 0}, ValueError, "top=0: pass a whole number of at least 1"),
        ({"X": np.zeros((3, 25))}, ValueError, "X is given and y is not: pass both, or neither"),
        ({"y": ["class 1"]}, ValueError, "y is given and X is not"),
        ({"X": np.zeros((3, 25)), "y": ["class 1"] * 2}, ValueError, "y has 2 labels and X 3 rows"),
        (
            {"X": np.zeros((3, 25)), "y": ["class 9"] * 3},
            ValueError,
            "y has a label that the model .*: 'class 9'",
        ),
        ({"ax": 1}, TypeError, "ax is int: pass one matplotlib Axes"),
    ],
)
def test_wrong_arguments_are_named(fit, arguments, error, message):
    with pytest.raises(error, match=message):
        plot_centroids(fit, **arguments)
    assert not pyplot.get_fignums()


def test_a_forest_without_splits_has_no_centroids():
    X, y = data()
    fit = CDFClassifier(ntrees=2, depth=0, seed=1).fit(X, y)
    with pytest.raises(ValueError, match="no tree of this forest is split"):
        plot_centroids(fit)
