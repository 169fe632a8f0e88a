"""The charts: the numbers behind each against a plain count, and that a reader can read them."""

import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from programs import python_ok
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import confusion_matrix

from pycdf import CDF, CDFClassifier, RStream, load_darwin
from pycdf.explain.chance import selection_chance
from pycdf.explain.contribution import contribution_table
from pycdf.explain.curves import parameter_curves
from pycdf.explain.leaves import embedding
from pycdf.explain.permutation import permutation_importance
from pycdf.explain.seeds import stability
from pycdf.explain.tree_curves import tree_curve

pytest.importorskip("matplotlib")

from matplotlib import pyplot
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from readable import assert_readable

from pycdf import plots
from pycdf.explain.confusion_matrix import confusion
from pycdf.explain.out_of_bag import left_out_together
from pycdf.explain.row_votes import row_votes
from pycdf.explain.selection import selection_note, selection_table
from pycdf.plots.files import picture_bytes, picture_forms
from pycdf.plots.probabilities import own_class_counts
from pycdf.plots.style import NEUTRAL, class_look

# These pictures are drawn of training rows; tests/explain/test_seen_rows.py has the warning.
pytestmark = pytest.mark.filterwarnings("ignore::pycdf.TrainingRowsWarning")

LONG = "a class whose name is much longer than anybody would like number "


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def two():
    """DARWIN's first 30 columns: 2 classes."""
    X, y = load_darwin()
    X, y = X.iloc[:, :30], y
    return CDFClassifier(ntrees=120, seed=1, oob_score=True).fit(X, y), X, y


@pytest.fixture(scope="module")
def many():
    """14 classes with long names, features with long and odd ones, a class of two rows."""
    stream = RStream(7)
    codes = np.repeat(np.arange(14), 8)[:-6]
    values = stream.uniform(len(codes) * 40).reshape(len(codes), 40)
    values[:, :14] += 1.2 * (codes[:, np.newaxis] == np.arange(14))
    names = [f"probe set {j} of a chip with names that go on and on_{j}_at" for j in range(36)]
    X = pd.DataFrame(values, columns=[*names, "$x_1$", "two\nlines", "<b>&amp;", "größe µm"])
    y = np.array([f"{LONG}{code}" if code else "$short" for code in codes], dtype=object)
    return CDFClassifier(ntrees=150, seed=1).fit(X, y), X, y


@pytest.fixture(params=["two", "many"])
def case(request):
    return request.getfixturevalue(request.param)


def texts(ax):
    return [text.get_text() for text in ax.texts]


# ---- judged rows ---------------------------------------------------------------------------------


def slow_votes(estimator, X, out_of_bag):
    """Votes counted one by one."""
    model = estimator.model_
    by_tree = estimator.classes_[estimator.votes(X)]
    counted = np.zeros((len(X), len(model.classes)), dtype=int)
    for row, tree in np.ndindex(by_tree.shape):
        if not out_of_bag or model.forest.inbag[tree, row] == 0:
            counted[row, model.classes.tolist().index(by_tree[row, tree])] += 1
    return counted


@pytest.mark.parametrize("out_of_bag", [False, True])
def test_judged_rows_are_counted_vote_by_vote(two, out_of_bag):
    estimator, X, y = two
    judged = row_votes(estimator, X, y, out_of_bag=out_of_bag)
    wanted = slow_votes(estimator, X, out_of_bag)
    assert np.array_equal(judged.votes, wanted)
    assert judged.classes[judged.codes].tolist() == y.tolist()
    if out_of_bag:
        right = (judged.found == judged.codes).mean()
        assert right == estimator.oob_score_
        assert (
            judged.headline() == f"{round(right * 174)} of 174 rows right ({right:.1%}), out of bag"
        )
    else:
        assert judged.classes[judged.found].tolist() == estimator.predict(X).tolist()


def test_rows_in_every_bag_are_told(two):
    _, X, y = two
    few = CDFClassifier(ntrees=3, seed=1).fit(X, y)
    judged = row_votes(few, X, y, out_of_bag=True)
    unseen = int((few.model_.forest.inbag > 0).all(axis=0).sum())
    assert unseen > 0
    assert judged.unseen == unseen
    assert len(judged.codes) == 174 - unseen
    assert judged.headline().endswith(f"out of bag; {unseen} in every bag")


def test_judging_refuses_what_does_not_fit(two):
    estimator, X, y = two
    with pytest.raises(ValueError, match="X has 10 labelled rows and the forest was grown on 174"):
        row_votes(estimator, X[:10], y[:10], out_of_bag=True)
    with pytest.raises(ValueError, match="one label per row"):
        row_votes(estimator, X, y[:10])
    with pytest.raises(ValueError, match="X has no rows: pass at least one"):
        row_votes(estimator, X[:0], y[:0])


def test_confusion_counts_pairs(two):
    estimator, X, y = two
    found = estimator.predict(X[::2])
    table = confusion(y[::2], found)
    assert table.to_numpy().tolist() == confusion_matrix(y[::2], found).tolist()
    assert table.index.tolist() == table.columns.tolist() == ["H", "P"]


def test_confusion_knows_classes_of_either_side_and_compares_text():
    table = confusion([1, 2, 2, 3], ["1", "2", "4", "2"])
    assert table.index.tolist() == [1, 2, 3, "4"]
    assert table.to_numpy().tolist() == [[1, 0, 0, 0], [0, 1, 0, 1], [0, 1, 0, 0], [0, 0, 0, 0]]


def test_confusion_refuses_labels_that_do_not_pair():
    with pytest.raises(ValueError, match="2 labels and predicted 1"):
        confusion(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="some rows have no label"):
        confusion(["a", None], ["a", "b"])
    with pytest.raises(TypeError, match="out_of_bag=True needs a fit: pass fit, X and y"):
        plots.plot_confusion(["a"], ["a"], out_of_bag=True)


@pytest.mark.parametrize("out_of_bag", [False, True])
def test_the_matrix_shows_the_counts_and_the_shares_of_rows(case, out_of_bag):
    estimator, X, y = case
    judged = row_votes(estimator, X, y, out_of_bag=out_of_bag)
    n = len(estimator.classes_)
    wanted = confusion_matrix(
        judged.classes[judged.codes], judged.classes[judged.found], labels=estimator.classes_
    )
    ax = plots.plot_confusion(estimator, X, y, out_of_bag=out_of_bag)
    shown = np.array([int(text) for text in texts(ax)]).reshape(n, n)
    assert shown.tolist() == wanted.tolist()
    shades = ax.images[0].get_array()
    assert np.allclose(shades, wanted / wanted.sum(axis=1, keepdims=True), rtol=1e-15)
    assert ax.get_title() == judged.headline()
    assert_readable(ax)


def test_the_matrix_of_labels_and_predictions(two):
    estimator, X, y = two
    one = plots.plot_confusion(estimator, X, y)
    other = plots.plot_confusion(y, estimator.predict(X))
    assert texts(one) == texts(other)
    assert one.get_title() == other.get_title()


def test_shares_of_votes_fall_into_exact_bins(case):
    estimator, X, y = case
    judged = row_votes(estimator, X, y, out_of_bag=True)
    every, good = own_class_counts(judged)
    wanted, right = np.zeros_like(every), np.zeros_like(good)
    for votes, code, found in zip(judged.votes, judged.codes, judged.found, strict=True):
        share = Fraction(int(votes[code]), int(votes.sum()))
        place = min(int(share * 20), 19)
        wanted[code, place] += 1
        right[code, place] += code == found
    assert every.tolist() == wanted.tolist()
    assert good.tolist() == right.tolist()


def test_probabilities_draw_a_bar_for_each_bin(case):
    estimator, X, y = case
    every, good = own_class_counts(row_votes(estimator, X, y, out_of_bag=True))
    ax = plots.plot_probabilities(estimator, X, y, out_of_bag=True)
    assert len(ax.patches) == (good > 0).sum() + (every > good).sum()
    highest = max(bar.get_height() for bar in ax.patches)
    assert 0.79 < highest < 0.81  # a class stays below the one above it
    order = np.argsort(estimator.model_.classes)
    assert texts(ax) == [f"{good[c].sum()} of {every[c].sum()} right" for c in order]
    assert_readable(ax)


# ---- features ------------------------------------------------------------------------------------


def test_selection_shares_are_those_of_r(two):
    _, X, y = two
    fit = CDF(X, y, X, ntrees=20, seed=3)
    shares = selection_table(fit)
    assert shares.to_dict() == fit.feature_importance.to_dict()
    assert shares.is_monotonic_decreasing
    assert (np.diff(shares) <= 0).all()


@pytest.mark.parametrize("by", ["contribution", "selection"])
def test_importance_draws_the_first(case, by):
    estimator, X, _ = case
    measures = pd.DataFrame(
        {
            "contribution": contribution_table(estimator).reindex(X.columns),
            "selection": pd.Series(estimator.feature_importances_, index=X.columns),
        }
    )
    for one in ("contribution", by):
        measures = measures.sort_values(one, ascending=False, kind="stable")
    wanted = measures.head(12)
    ax = plots.plot_importance(estimator, 12, by=by)
    assert [bar.get_width() for bar in ax.patches] == wanted[by].tolist()
    (other,) = {*measures} - {by}
    if selection_note(estimator) is None or other == "contribution":
        assert ax.lines[0].get_xdata().tolist() == wanted[other].tolist()
    else:  # there are no marks
        assert len(ax.lines) == 1
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert len(labels) == 12
    for label, name in zip(labels, wanted.index, strict=True):
        assert label.replace(r"\$", "$").startswith(name.split()[0][:4])
    assert_readable(ax)


def test_features_that_were_never_selected_are_not_drawn(two):
    _, X, y = two
    estimator = CDFClassifier(ntrees=2, k=1, mtry=30, seed=1).fit(X, y)
    used = int((estimator.feature_importances_ > 0).sum())
    assert used < 30
    ax = plots.plot_importance(estimator, by="selection")
    assert len(ax.patches) == used
    assert ax.get_title() == f"{used} of 30 features were selected"
    assert plots.plot_importance(estimator).get_title() == f"{used} of 30 features contribute"


def test_importance_says_when_selections_are_chance():
    """R's defaults on 30 columns: nodes select whatever they draw."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    fit = CDFClassifier(ntrees=60, seed=1).fit(X, y)
    ax = plots.plot_importance(fit, 8)
    assert "is pure chance here." in ax.get_title()
    assert [one.get_text() for one in ax.get_legend().get_texts()] == [
        "contribution to the distances",
        "all alike",
    ]
    assert ax.get_yticklabels()[0].get_text() == contribution_table(fit).index[0]
    assert_readable(ax)
    pale = plots.plot_importance(fit, 8, by="selection").patches[0].get_facecolor()
    assert pale != ax.patches[0].get_facecolor()
    wide = CDFClassifier(ntrees=60, seed=1, k=2, mtry=10).fit(X, y)
    assert "chance" not in plots.plot_importance(wide, 8).get_title()


def test_importance_by_something_else(two):
    with pytest.raises(ValueError, match="by='gini': pass 'contribution' or 'selection'"):
        plots.plot_importance(two[0], by="gini")


def test_columns_without_names_are_called_columns(two):
    _, X, y = two
    ax = plots.plot_importance(CDFClassifier(ntrees=5, seed=1).fit(X.to_numpy(), y), 5)
    assert ax.get_ylabel() == "column, counted from 0"
    assert all(label.get_text().isdigit() for label in ax.get_yticklabels())


def test_permutation_draws_a_table_or_makes_it(case):
    estimator, X, y = case
    table = permutation_importance(estimator, X, y, n_repeats=3, seed=5)
    ax = plots.plot_permutation(table, top=9)
    assert [bar.get_width() for bar in ax.patches] == table["importance"].head(9).tolist()
    ends = [segment[:, 0] for segment in ax.collections[0].get_segments()]
    first = table.head(9)
    wanted = first[["low", "high"]].to_numpy()
    assert np.allclose(ends, wanted, rtol=0, atol=1e-15)
    made = plots.plot_permutation(estimator, X, y, top=9, n_repeats=3, seed=5)
    assert [bar.get_width() for bar in made.patches] == [bar.get_width() for bar in ax.patches]
    assert_readable(ax)


def test_one_repeat_has_no_deviation(two):
    estimator, X, y = two
    ax = plots.plot_permutation(estimator, X, y, n_repeats=1, seed=1)
    ax.figure.canvas.draw()
    assert len(ax.patches) == 30


def test_chance_draws_counts_p_values_and_what_shuffling_gives(case):
    estimator, X, y = case
    table = selection_chance(estimator, X, y, n_repeats=3, seed=2)
    table.iloc[::3, table.columns.get_loc("p_adjusted")] = 0.01
    ax = plots.plot_chance(table, top=10)
    first = table.sort_values("selected", ascending=False, kind="stable").head(10)
    bars = sorted(ax.patches, key=lambda bar: bar.get_y())
    assert [bar.get_width() for bar in bars] == first["selected"].tolist()
    dark = [to_hex(bar.get_facecolor()) == NEUTRAL.lower() for bar in bars]
    assert dark == (first["p_adjusted"] < 0.05).tolist()
    assert ax.lines[0].get_xdata().tolist() == first["shuffled"].tolist()
    assert ax.lines[1].get_xdata()[0] == first["expected"].iloc[0]
    assert len(texts(ax)) == 10
    assert_readable(ax)


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "p = 1"),
        (0.04999, "p < 0.05"),
        (0.05, "p = 0.05"),
        (0.001, "p = 0.001"),
        (0.00099, "p < 0.001"),
    ],
)
def test_a_rounded_p_value_stays_on_its_side(two, p, text):
    table = pd.DataFrame(
        {"selected": [3], "expected": [1.0], "shuffled": [1.0], "p_value": [p], "p_adjusted": [p]},
        index=["a"],
    )
    assert texts(plots.plot_chance(table)) == [text]


@pytest.mark.parametrize(
    ("draw", "column"), [(plots.plot_permutation, "importance"), (plots.plot_chance, "selected")]
)
def test_tables_and_fits_are_told_apart(two, draw, column):
    estimator, X, y = two
    with pytest.raises(ValueError, match=f"the table has no column '{column}': pass one of"):
        draw(pd.DataFrame({"a": [1]}))
    with pytest.raises(TypeError, match="pass a fit with its training rows"):
        draw(estimator)
    made = permutation_importance(estimator, X, y, n_repeats=1).assign(
        selected=1, expected=1.0, shuffled=1.0, p_adjusted=1.0
    )
    for more in ({"X": X, "y": y}, {"X": X}, {"y": y}, {"seed": 1}):
        with pytest.raises(TypeError, match="pass it alone"):
            draw(made, **more)
    for part in ({"X": X}, {"y": y}):
        with pytest.raises(TypeError, match="pass a fit with its training rows"):
            draw(estimator, **part)


@pytest.mark.parametrize("top", [0, -3])
def test_at_least_one_feature(two, top):
    with pytest.raises(ValueError, match=f"top={top}: pass a whole number of at least 1"):
        plots.plot_importance(two[0], top)


def test_coselection_counts_nodes(case):
    estimator, X, _ = case
    forest = estimator.model_.forest
    nodes = [
        set(forest.features[start:stop].tolist())
        for start, stop in zip(forest.feature_start, forest.feature_start[1:], strict=False)
    ]
    order = np.argsort(-np.bincount(forest.features, minlength=X.shape[1]), kind="stable")[:8]
    wanted = [
        sum({order[i], order[j]} <= node for node in nodes) for i in range(8) for j in range(i + 1)
    ]
    ax = plots.plot_coselection(estimator, 8)
    assert [int(text.replace(",", "")) for text in texts(ax)] == wanted
    above = np.ma.getmaskarray(np.ma.masked_invalid(ax.images[0].get_array()))
    assert above[np.triu_indices(8)].all()
    assert not above[np.tril_indices(8, -1)].any()
    assert_readable(ax)


@pytest.mark.endurance
def test_many_features_do_not_make_a_poster():
    stream = RStream(1)
    values = stream.uniform(40 * 50).reshape(40, 50)
    fit = CDFClassifier(ntrees=60, k=10, mtry=50, seed=1).fit(values, ["a", "b"] * 20)
    ax = plots.plot_coselection(fit, 50)
    assert len(ax.get_xticks()) == 50
    assert ax.figure.get_size_inches().tolist() == [20, 18]


def test_stability_draws_every_seed(two):
    _, X, y = two
    found = stability(X, y, seeds=4, top=5, ntrees=10)
    ax = plots.plot_stability(found, top=6)
    first = found.shares.mean().sort_values(ascending=False, kind="stable").index[:6]
    dots = {tuple(point) for point in np.column_stack(ax.lines[0].get_data()).tolist()}
    assert dots == {
        (found.shares.loc[seed, name], place)
        for seed in found.shares.index
        for place, name in enumerate(first)
    }
    means = [float(np.mean(found.shares[name])) for name in first]
    assert np.allclose(ax.lines[1].get_xdata(), means, rtol=1e-14)
    shared = [len(one & other) for one, other in combinations(
        [set(row.nlargest(5).index) for _, row in found.shares.iterrows()], 2)]  # fmt: skip
    assert f"share {np.mean(shared):.1f} of their first 5 features" in ax.get_title()
    made = plots.plot_stability(X, y, top=5, seeds=4, ntrees=10)
    assert made.get_title() == ax.get_title()
    assert len(made.lines[0].get_xdata()) == 4 * 5
    assert len(plots.plot_stability(found).lines[1].get_xdata()) == 7  # half as many again
    assert_readable(ax)


def test_stability_says_what_to_pass(two):
    _, X, y = two
    with pytest.raises(TypeError, match="rows and labels"):
        plots.plot_stability(X)
    found = stability(X, y, seeds=2, top=2, ntrees=3)
    for more in ({"y": y}, {"seeds": 3}):
        with pytest.raises(TypeError, match="pass it alone"):
            plots.plot_stability(found, **more)


# ---- rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("out_of_bag", [False, True])
def test_the_map_has_every_row_once_in_the_look_of_its_class(case, out_of_bag):
    estimator, X, y = case
    points = embedding(estimator, X, out_of_bag=out_of_bag)
    ax = plots.plot_proximity(estimator, X, y, out_of_bag=out_of_bag)
    look = class_look(estimator.model_.classes)
    drawn = {
        to_hex(collection.get_facecolor()[0]).upper(): sorted(collection.get_offsets().tolist())
        for collection in ax.collections
    }
    assert len(drawn) == len(ax.collections) == len(look.order)
    for code, label in enumerate(estimator.model_.classes):
        wanted = sorted(points[np.asarray(y) == label].tolist())
        assert drawn[look.colours[code].upper()] == wanted
    assert_readable(ax)


def test_a_map_without_labels(two):
    estimator, X, _ = two
    ax = plots.plot_proximity(estimator, X[:9])
    assert len(ax.collections[0].get_offsets()) == 9
    assert ax.get_legend() is None
    with pytest.raises(ValueError, match="one label per row"):
        plots.plot_proximity(estimator, X[:9], two[2])


@pytest.mark.parametrize(("n", "is_image"), [(2_000, False), (2_001, True)])
def test_thousands_of_points_are_one_image_in_a_file(two, monkeypatch, n, is_image):
    monkeypatch.setattr("pycdf.plots.proximity.embedding", lambda *_, **__: np.zeros((n, 2)))
    ax = plots.plot_proximity(two[0], two[1])
    assert bool(ax.collections[0].get_rasterized()) == is_image


def test_few_trees_leave_no_two_rows_out_together(two):
    estimator, X, y = two
    inbag = CDFClassifier(ntrees=4, seed=1).fit(X, y).model_
    assert not left_out_together(inbag.forest)
    assert not left_out_together(inbag.forest, np.array([], dtype=np.int64))
    pairs = combinations(range(174), 2)
    outside = estimator.model_.forest.inbag == 0
    assert left_out_together(estimator.model_.forest) == all(
        (outside[:, i] & outside[:, j]).any() for i, j in pairs
    )


# ---- curves --------------------------------------------------------------------------------------


def test_the_curve_is_that_of_smaller_forests(two):
    _, X, y = two
    train, test = slice(0, None, 2), slice(1, None, 2)
    forest = CDFClassifier(ntrees=12, seed=9).fit(X[train], y[train])
    ax = plots.plot_tree_curve(forest, X[train], y[train], X[test], y[test])
    out_of_bag, other = (line.get_ydata() for line in ax.lines)
    for trees in (1, 5, 12):
        smaller = CDFClassifier(ntrees=trees, seed=9, oob_score=True).fit(X[train], y[train])
        assert other[trees - 1] == smaller.score(X[test], y[test])
        assert out_of_bag[trees - 1] == pytest.approx(smaller.oob_score_, abs=1e-15)
    assert_readable(ax)


def test_the_curve_of_a_table(two):
    estimator, X, y = two
    table = tree_curve(estimator, X, y)
    ax = plots.plot_tree_curve(table)
    assert ax.lines[0].get_ydata().tolist() == (1 - table["oob_error"]).tolist()
    assert len(ax.lines) == 1
    with pytest.raises(ValueError, match="the table has no 'oob_error' and no 'accuracy'"):
        plots.plot_tree_curve(pd.DataFrame({"a": [1]}))
    with pytest.raises(TypeError, match="no rows"):
        plots.plot_tree_curve(estimator)


@pytest.fixture(scope="module")
def curves(two):
    _, X, y = two
    return parameter_curves(X, y, splits=2, ntrees=8, mtry_shares=(0.2, 0.5, 1.0), ks=(1, 3, 6))


def test_the_papers_three_figures(curves):
    axes = plots.plot_parameter_curves(curves)
    assert axes.shape == (3,)
    for ax, parameter, column in zip(
        axes, ("ntrees", "mtry", "k"), ("value", "share", "value"), strict=True
    ):
        part = curves[curves["parameter"] == parameter]
        assert ax.lines[0].get_xdata().tolist() == part[column].tolist()
        assert ax.lines[0].get_ydata().tolist() == part["accuracy"].tolist()
        band = ax.collections[0].get_paths()[0].vertices[:, 1]
        assert band.max() == pytest.approx((part["accuracy"] + part["std_error"]).max(), abs=1e-15)
    assert_readable(axes)


def test_parameter_curves_mark_the_values_in_use(two):
    """Those of the forests in which another parameter varies: R's defaults, or what was given."""
    _, X, y = two
    small = {"splits": 1, "mtry_shares": (0.2, 1.0), "ks": (1, 3)}
    for given, wanted in (
        ({"ntrees": 4}, {"ntrees": 4, "mtry": 6 / 30, "k": 7}),
        ({"ntrees": 5, "k": 2, "mtry": 12}, {"ntrees": 5, "mtry": 12 / 30, "k": 2}),
    ):
        table = parameter_curves(X, y, **small, **given)
        assert table.attrs["in_use"] == wanted
        axes = plots.plot_parameter_curves(table)
        for ax, value in zip(axes, wanted.values(), strict=True):
            assert ax.lines[1].get_xdata() == [value, value]
        said = [ax.get_legend().get_texts()[0].get_text() for ax in axes]
        ntrees, mtry, k = wanted.values()
        assert said == [f"in use: {ntrees}", f"in use: {mtry:.0%}", f"in use: {k}"]
    table.attrs.clear()  # such as a table read from a file
    assert plots.plot_parameter_curves(table)[0].get_legend() is None


def test_three_figures_go_on_three_axes(curves, two):
    figure = Figure(figsize=(12, 4), layout="constrained")
    own = figure.subplots(1, 3)
    assert plots.plot_parameter_curves(curves, axes=own).tolist() == own.tolist()
    with pytest.raises(TypeError, match="axes: pass three matplotlib Axes"):
        plots.plot_parameter_curves(curves, axes=own[:2])
    with pytest.raises(TypeError, match="rows and labels"):
        plots.plot_parameter_curves(two[1])
    with pytest.raises(TypeError, match="pass it alone"):
        plots.plot_parameter_curves(curves, splits=3)
    with pytest.raises(TypeError, match="axes: pass three matplotlib Axes"):
        plots.plot_parameter_curves(curves, axes=[own[0], own[1], 3])


# ---- all of them ---------------------------------------------------------------------------------

DRAW_ALL = """
import sys
from matplotlib.figure import Figure
from pycdf import CDFClassifier, load_darwin, plots
X, y = load_darwin()
X = X.iloc[:, :12]
fit = CDFClassifier(ntrees=80, seed=1).fit(X, y)
figure = Figure(figsize=(10, 10), layout="constrained")
def ax():
    figure.clear()
    return figure.add_subplot()
def drawn(function, *arguments, **more):
    own = ax()
    assert function(*arguments, ax=own, **more) is own, function
    figure.canvas.draw()
drawn(plots.plot_importance, fit)
drawn(plots.plot_coselection, fit, 5)
drawn(plots.plot_permutation, fit, X, y, n_repeats=2)
drawn(plots.plot_chance, fit, X, y, n_repeats=2)
drawn(plots.plot_stability, X, y, top=4, seeds=2, ntrees=5)
drawn(plots.plot_proximity, fit, X, y, out_of_bag=True)
drawn(plots.plot_confusion, fit, X, y)
drawn(plots.plot_probabilities, fit, X, y)
drawn(plots.plot_tree_curve, fit, X, y)
figure.clear()
axes = figure.subplots(3)
plots.plot_parameter_curves(X, y, splits=1, ntrees=3, axes=axes)
print("matplotlib.pyplot" in sys.modules)
"""


@pytest.mark.endurance
def test_with_axes_given_pyplot_is_not_even_imported():
    assert python_ok("-c", DRAW_ALL) == "False\n"


@pytest.mark.endurance
@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_the_same_picture_is_the_same_file_and_pyplot_forgets_it(two, form):
    assert form in picture_forms()
    files = []
    for _ in range(2):
        ax = plots.plot_importance(two[0])
        files.append(picture_bytes(ax, form, dpi=50))
        assert not pyplot.fignum_exists(ax.figure.number)
    assert files[0] == files[1]
    assert len(files[0]) > 1000


def test_characters_that_the_font_lacks_are_told_once(two):
    _, X, y = two
    odd = X.rename(columns={name: f"\U000f1234\U000f1235 {name}" for name in X.columns})
    ax = plots.plot_importance(CDFClassifier(ntrees=5, seed=1).fit(odd, y))
    with pytest.warns(UserWarning, match="the font lacks 2 characters") as seen:
        picture_bytes(ax)
    assert len(seen) == 1
    assert seen[0].filename == __file__


def test_pictures_have_150_dots_per_inch_and_no_date():
    figure = Figure(figsize=(2, 1))
    png = picture_bytes(figure.add_subplot(), "png")
    assert [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)] == [300, 150]
    assert b"<dc:date>" not in picture_bytes(figure.axes[0], "svg")
    for form in ("pdf", "ps", "eps"):
        assert b"CreationDate" not in picture_bytes(figure.axes[0], form)
    assert not {"pgf", "raw", "rgba"} & {*picture_forms()}


def test_other_warnings_come_through_and_a_failure_leaves_no_figure(two):
    class Odd(type(Figure().text(0, 0, ""))):
        def draw(self, renderer):
            warnings.warn("odd", FutureWarning, stacklevel=1)
            if self.get_text() == "wrong":
                raise OSError("no space")

    ax = plots.plot_importance(two[0])
    ax.add_artist(Odd(0, 0, "right"))
    with pytest.warns(FutureWarning, match="odd") as seen:
        picture_bytes(ax)
    assert seen[0].filename == __file__
    ax = plots.plot_importance(two[0])
    ax.add_artist(Odd(0, 0, "wrong"))
    with pytest.raises(OSError, match="no space"):
        picture_bytes(ax)
    assert not pyplot.get_fignums()


def test_a_long_legend_has_columns():
    codes = np.tile(np.arange(40), 4)
    values = RStream(1).uniform(len(codes) * 20).reshape(len(codes), 20)
    ax = plots.plot_proximity(CDFClassifier(ntrees=30, seed=1).fit(values, codes), values, codes)
    assert_readable(ax)
