"""The picture of a tree: every number of the tables is there, and nothing overlaps."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot, rcParams
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from programs import python_ok

from pycdf import CDF, CDFClassifier, load_darwin
from pycdf.explain import split_evidence
from pycdf.forest.tables import centroid_table, node_table
from pycdf.plots import plot_tree
from pycdf.plots.layout import tidy_centres
from pycdf.plots.nodes import number_texts, p_text
from pycdf.plots.tree import _depths

PIXEL = 1.0  # what hinting may add to text that was measured without it


def rows_and_labels(rng, n, p, n_classes, names=None):
    codes = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-7, 8, p)
    X += codes[:, None] * rng.uniform(0, 1, p) * X.std(axis=0)
    labels = np.array(names or [f"class {code}" for code in range(n_classes)])[codes]
    return pd.DataFrame(X, columns=[f"feature {j}" for j in range(p)]), labels


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    pyplot.close("all")


def drawn(ax):
    """Texts by id, frames and bands by node."""
    texts = {text.get_gid(): text for text in ax.texts if text.get_gid() != "note"}
    frames, bands = {}, {}
    for patch in ax.patches:
        kind = re.fullmatch(r"(node|band)(\d+)", patch.get_gid() or "")
        if kind:
            (frames if kind[1] == "node" else bands)[int(kind[2])] = patch
    return texts, frames, bands


def words(texts):
    return {gid: text.get_text() for gid, text in texts.items()}


def overlap(one, other, slack=0.0):
    return (
        min(one.x1, other.x1) - max(one.x0, other.x0) > slack
        and min(one.y1, other.y1) - max(one.y0, other.y0) > slack
    )


def check_nothing_overlaps(ax):
    figure = ax.figure
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    texts, frames, bands = drawn(ax)
    boxes = {node: frame.get_window_extent(renderer) for node, frame in frames.items()}
    extents = {gid: text.get_window_extent(renderer) for gid, text in texts.items()}
    for node, box in boxes.items():
        assert not [other for other in boxes if other < node and overlap(box, boxes[other])]
        mine = [extents[gid] for gid in extents if gid.startswith(f"node{node}-")]
        assert mine
        for i, extent in enumerate(mine):
            assert box.x0 - PIXEL <= extent.x0 <= extent.x1 <= box.x1 + PIXEL
            assert box.y0 - PIXEL <= extent.y0 <= extent.y1 <= box.y1 + PIXEL
            assert not [one for one in mine[:i] if overlap(extent, one, PIXEL)]
    for band in bands.values():
        points = band.get_transform().transform(band.get_xy())
        for box in boxes.values():
            inside = (points > [box.x0 + PIXEL, box.y0 + PIXEL]) & (
                points < [box.x1 - PIXEL, box.y1 - PIXEL]
            )
            assert not inside.all(axis=1).any()
    others = [text.get_window_extent(renderer) for text in ax.texts
              if not (text.get_gid() or "").startswith("node")]  # fmt: skip
    for i, extent in enumerate(others):
        assert not [box for box in boxes.values() if overlap(extent, box)]
        assert not [one for one in others[:i] if overlap(extent, one, PIXEL)]
        assert extent.x0 >= -PIXEL
        assert extent.x1 <= figure.bbox.x1 + PIXEL
    for box in boxes.values():
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.x1
    title = ax.title if ax.title.get_text() else ax._left_title
    assert title.get_window_extent(renderer).x1 <= figure.bbox.x1


SEEDS = [
    pytest.param(seed, marks=pytest.mark.endurance) if seed >= 10 else seed for seed in range(24)
]


@pytest.mark.endurance
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_overlaps(seed):
    rng = np.random.default_rng(seed)
    n_classes, depth, k = int(rng.integers(2, 7)), seed % 5, int(rng.integers(1, 21))
    names = ["a", "B cell", "rhabdomyosarcoma, alveolar or embryonal", "iii", "12", "WWWWWWWWWW"]
    X, y = rows_and_labels(rng, 40, 30, n_classes, names[:n_classes])
    if seed % 2:
        X.columns = [f"probe {j} of the long and well known family of proteins" for j in range(30)]
    fit = CDFClassifier(ntrees=1, depth=depth, k=k, mtry=25, seed=seed).fit(X, y)
    check_nothing_overlaps(plot_tree(fit, max_features=None if seed % 3 else 4))


def test_a_leaf_alone_has_room_for_its_vote_and_the_legend_begins_at_the_top():
    X, y = rows_and_labels(np.random.default_rng(1), 9, 3, 2, ["W" * 45, "W" * 44 + "M"])
    ax = plot_tree(CDFClassifier(ntrees=1, depth=0, seed=1).fit(X, y))
    ax.figure.draw_without_rendering()
    texts, frames, _ = drawn(ax)
    [frame] = frames.values()
    [vote] = [text for gid, text in texts.items() if gid.endswith("vote")]
    assert vote.get_text().startswith("votes ")
    inside, around = vote.get_window_extent(), frame.get_window_extent()
    points = 72 / ax.figure.dpi
    assert (inside.x0 - around.x0) * points > 4
    assert (around.x1 - inside.x1) * points > 4
    assert texts["legend-title"].get_position()[1] < 18, "on the first line, 12 points high"


@pytest.mark.endurance
def test_nothing_overlaps_in_axes_of_another_size():
    X, y = rows_and_labels(np.random.default_rng(1), 60, 30, 3)
    fit = CDFClassifier(ntrees=1, seed=1).fit(X, y)
    for size in [(30, 20), (5, 9)]:
        figure = Figure(figsize=size, dpi=200)
        FigureCanvasAgg(figure)
        check_nothing_overlaps(plot_tree(fit, ax=figure.add_axes((0, 0, 1, 0.95))))


def test_a_tidy_tree_by_hand():
    # Two children of 4 and 2 under a box of 2; a wide grandchild on the right.
    assert tidy_centres([-1], [3], 1).tolist() == [1.5]
    assert tidy_centres([-1, 0, 0], [2, 4, 2], 1).tolist() == [4, 2, 6]
    assert tidy_centres([-1, 0, 0, 2], [2, 2, 2, 8], 1).tolist() == [2.5, 1, 4, 4]


@pytest.mark.parametrize("seed", range(30))
def test_a_tidy_tree_keeps_boxes_apart(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    parents = [-1]
    for box in range(1, n):  # depth first: below the last box or one of those above it
        path = [box - 1]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        parents.append(int(rng.choice(path)))
    widths = rng.uniform(1, 50, n)
    x = tidy_centres(parents, widths, 3.0)
    level = np.zeros(n, dtype=int)
    for box in range(1, n):
        level[box] = level[parents[box]] + 1
    for depth in range(level.max() + 1):
        here = np.flatnonzero(level == depth)
        free = (x - widths / 2)[here[1:]] - (x + widths / 2)[here[:-1]]
        assert (free > 3.0 - 1e-9).all()
    for box in range(n):
        children = np.flatnonzero(np.array(parents) == box)
        if len(children):
            assert x[box] == pytest.approx((x[children[0]] + x[children[-1]]) / 2)
    assert (x - widths / 2).min() == pytest.approx(0)


def read(text):
    """A number as drawn, and half a unit in its last place."""
    text = text.replace("−", "-")
    mantissa, _, power = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return float(text), 0.5 * 10.0 ** (int(power or 0) - decimals) * 1.0001


@pytest.mark.endurance
@pytest.mark.parametrize("decimals", [None, 3])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_texts_are_those_of_the_tables(n_classes, decimals):
    X, y = rows_and_labels(np.random.default_rng(n_classes), 80, 40, n_classes)
    fit = CDF(X, y, X, ntrees=3, k=7, seed=5)
    classes = list(fit.classes)
    nodes = fit.trees[fit.trees.tree == 2].set_index("node")
    centroids = fit.centroids[fit.centroids.tree == 2]
    counts = fit.forest.counts[fit.forest.tree_start[2] :]
    ax = plot_tree(fit, 2, max_features=5, decimals=decimals)
    texts, frames, bands = drawn(ax)
    shown = words(texts)
    assert set(frames) == set(nodes.index)
    assert set(bands) == set(nodes.index) - {0}
    compared = 0
    for node, line in nodes.iterrows():
        assert shown[f"node{node}-number"] == f"node {node}"
        assert shown[f"node{node}-size"].split()[0] == str(line.rows)
        if node:
            assert shown[f"node{node}-branch"] == f"nearest: {line.branch_class}"
        here = centroids[centroids.node == node]
        if line.leaf is not None:
            assert shown[f"node{node}-vote"] == f"votes {line.leaf}"
            found = {code: int(shown[f"node{node}-count{code}"]) for code in range(n_classes)
                     if f"node{node}-count{code}" in shown}  # fmt: skip
            assert found == {code: n for code, n in enumerate(counts[node]) if n}
            continue
        assert shown[f"node{node}-more"] == "… 2 more"
        for cell in here[here["rank"] < 5].itertuples():
            code = classes.index(cell[3])
            assert shown[f"node{node}-feature{cell.rank}"] == cell.feature
            number, half = read(shown[f"node{node}-feature{cell.rank}-class{code}"])
            assert abs(number - cell.centroid) <= half
            assert decimals is None or half == pytest.approx(0.0005, rel=1e-3)
            compared += 1
        for label in here["class"].unique():
            code = classes.index(label)
            below = nodes[(nodes.parent == node) & (nodes.branch_class == label)]
            assert shown[f"node{node}-class-class{code}"] == label
            assert shown[f"node{node}-rows-class{code}"] == str(counts[node, code])
            assert shown[f"node{node}-nearest-class{code}"] == str(below.rows.sum())
    assert compared == (centroids["rank"] < 5).sum() > 0
    legend = [shown[f"legend-name{classes.index(label)}"] for label in sorted(classes)]
    assert legend == sorted(classes)


def test_bands_are_as_wide_as_their_rows():
    X, y = rows_and_labels(np.random.default_rng(3), 100, 40, 3)
    fit = CDFClassifier(ntrees=1, seed=2).fit(X, y)
    forest = fit.model_.forest
    _, _, bands = drawn(plot_tree(fit))
    widths = {node: np.ptp(band.get_xy()[[0, -2], 0]) for node, band in bands.items()}
    for node, width in widths.items():
        assert width == pytest.approx(max(1.2, 36 * forest.rows[node] / forest.rows[0]))


def test_a_branch_that_no_row_took_is_counted_and_explained():
    rng = np.random.default_rng(0)
    for seed in range(200):  # noise of four classes: some centroid is nearest to nobody
        X, y = rng.normal(size=(16, 3)), np.resize(list("abcd"), 16)
        fit = CDFClassifier(ntrees=1, depth=1, k=3, mtry=3, seed=seed).fit(X, y)
        forest = fit.model_.forest
        if forest.children.min() < 0:
            break
    empty = forest.node_classes[forest.children < 0]
    ax = plot_tree(fit)
    texts, frames, bands = drawn(ax)
    assert [words(texts)[f"node0-nearest-class{code}"] for code in empty] == ["0"] * len(empty)
    assert len(frames) == forest.n_nodes == len(bands) + 1
    notes = [text.get_text() for text in ax.texts if text.get_gid() == "note"]
    first = fit.model_.classes[0]
    assert f"no training row took that branch; a new row that does counts for {first}." in notes[1]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_deeper_nodes_are_folded_on_request(depth):
    X, y = rows_and_labels(np.random.default_rng(7), 200, 20, 3)
    fit = CDFClassifier(ntrees=1, depth=5, seed=1).fit(X, y)
    model = fit.model_
    nodes = node_table(model.forest, model.classes).set_index("node")
    below = dict.fromkeys(nodes.index, 0)
    for node in nodes.index:
        above = nodes.parent[node]
        while above >= 0:
            below[above] += 1
            above = nodes.parent[above]
    ax = plot_tree(fit, max_depth=depth)
    texts, frames, _ = drawn(ax)
    assert set(frames) == set(nodes.index[nodes.depth <= depth])
    folded = {node for node in frames if nodes.depth[node] == depth and nodes.leaf[node] is None}
    assert folded
    for node in folded:
        assert words(texts)[f"node{node}-folded"] == f"… {below[node]} nodes below"
    notes = [text.get_text() for text in ax.texts if text.get_gid() == "note"]
    assert notes[-1] == f"Nodes below depth {depth} are folded; max_depth={depth + 1} shows more."


@pytest.mark.endurance
def test_a_large_tree_is_folded_to_a_size_that_can_be_read():
    X, y = rows_and_labels(np.random.default_rng(7), 250, 20, 5)
    fit = CDFClassifier(ntrees=1, depth=6, seed=1).fit(X, y)
    ax = plot_tree(fit)
    assert ax.figure.get_size_inches()[0] <= 45
    whole = plot_tree(fit, max_depth=6)
    assert len(drawn(whole)[1]) == fit.model_.forest.n_nodes
    assert whole.figure.get_size_inches().max() <= 120


def test_two_full_levels_of_five_classes_are_drawn():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 30)), rng.integers(0, 5, 2000)  # each node keeps all classes
    fit = CDFClassifier(ntrees=1, bootstrap=False, depth=3, seed=1).fit(X, y)
    depths = fit.model_.forest.depth
    assert (depths == 2).sum() == 25
    _, frames, _ = drawn(plot_tree(fit))
    assert set(frames) == set(np.flatnonzero(depths <= 2).tolist())


@pytest.mark.parametrize(
    ("values", "decimals", "texts"),
    [
        ([0.961, -0.55], None, ["0.96", "−0.55"]),
        ([8589.4, 120.2], None, ["8589", "120"]),
        ([12.04, 25.31], None, ["12.0", "25.3"]),
        ([0.0123, 0.0456], None, ["0.012", "0.046"]),
        ([4.4e-6, 6.3e-6], None, ["4.40e−06", "6.30e−06"]),
        ([1e9, -2.5e9], None, ["1.00e+09", "−2.50e+09"]),
        ([1000.0001, 1000.0004], None, ["1000.00010", "1000.00040"]),
        ([5.0, 5.0], None, ["5.00", "5.00"]),
        ([0.0, 0.0], None, ["0.00", "0.00"]),
        ([np.nan, 1.5, 2.0], None, ["missing", "1.50", "2.00"]),
        ([np.nan], None, ["missing"]),
        ([-0.001, 0.25], 2, ["0.00", "0.25"]),
        ([1.5, 2.25], 0, ["2", "2"]),
    ],
)
def test_numbers_have_the_decimals_that_tell_them_apart(values, decimals, texts):
    assert number_texts(values, decimals) == texts


def test_names_are_drawn_as_they_stand():
    X, y = rows_and_labels(np.random.default_rng(2), 40, 6, 2, ["_$a$", "50% \\beta_{1}"])
    X.columns = [f"$x_{{{j}}}^2$ & #{j}%" for j in range(6)]
    fit = CDFClassifier(ntrees=1, depth=1, k=6, mtry=6, seed=1).fit(X, y)
    with pyplot.rc_context({"text.usetex": True}):
        texts, _, _ = drawn(plot_tree(fit))
    assert not any(text.get_usetex() or text.get_parse_math() for text in texts.values())
    feature = fit.model_.forest.features[0]
    assert words(texts)["node0-feature0"] == X.columns[feature]
    assert words(texts)["legend-name0"] in ("_$a$", "50% \\beta_{1}")


def test_every_form_of_a_fit_gives_the_same_picture():
    X, y = load_darwin()
    result = CDF(X, y, X[:5], ntrees=2, depth=1, seed=3)
    classifier = CDFClassifier(ntrees=2, depth=1, seed=3).fit(X, y)
    pictures = [words(drawn(plot_tree(fit, 1))[0])
                for fit in (result, classifier, classifier.model_)]  # fmt: skip
    assert pictures[0] == pictures[1] == pictures[2]


def test_given_axes_leave_pyplot_alone():
    X, y = rows_and_labels(np.random.default_rng(2), 40, 6, 2)
    fit = CDFClassifier(ntrees=1, seed=1).fit(X, y)
    ours = pyplot.figure()
    before = dict(rcParams)
    figure = Figure()
    other, ax = figure.subplots(1, 2)
    assert plot_tree(fit, ax=ax) is ax
    assert pyplot.get_fignums() == [ours.number]
    assert pyplot.gcf() is ours
    assert dict(rcParams) == before
    assert not other.texts


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"tree": 2}, ValueError, r"tree=2: pass a whole number from 0 to 1, a tree of the forest"),
        ({"tree": -1}, ValueError, "tree=-1: pass a whole number from 0 to 1"),
        ({"tree": "0"}, TypeError, "tree='0': pass a whole number from 0 to 1"),
        ({"max_features": 0}, ValueError, "max_features=0: pass a whole number of at least 1"),
        ({"decimals": -1}, ValueError, "decimals=-1: pass a whole number from 0 to 15"),
        ({"max_depth": 1.5}, TypeError, "max_depth=1.5: pass a whole number of at least 0"),
        ({"ax": "ax"}, TypeError, "ax is str: pass one matplotlib Axes"),
    ],
)
def test_wrong_arguments_are_named(arguments, error, message):
    X, y = rows_and_labels(np.random.default_rng(2), 40, 6, 2)
    fit = CDFClassifier(ntrees=2, seed=1).fit(X, y)
    with pytest.raises(error, match=message):
        plot_tree(fit, **arguments)
    assert not pyplot.get_fignums()


@pytest.mark.endurance
def test_pictures_are_written_without_a_display(tmp_path, monkeypatch):
    X, y = load_darwin()
    CDFClassifier(ntrees=1, depth=1, seed=1).fit(X, y).save(tmp_path / "model.cdf")
    code = (
        "import pycdf; from pycdf.plots import plot_tree\n"
        "figure = plot_tree(pycdf.load('model.cdf')).figure\n"
        "for kind in ('png', 'svg', 'pdf'): figure.savefig('tree.' + kind)\n"
    )
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND"):
        monkeypatch.delenv(name, raising=False)
    python_ok("-W", "error", "-c", code, cwd=tmp_path)
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for kind, start in starts.items():
        assert (tmp_path / f"tree.{kind}").read_bytes().startswith(start)


def test_the_table_of_centroids_has_the_numbers_of_a_model():
    """The picture is drawn from a model; its numbers are those of the model's own table."""
    X, y = rows_and_labels(np.random.default_rng(4), 50, 10, 3)
    model = CDFClassifier(ntrees=1, depth=1, k=4, mtry=10, seed=1).fit(X, y).model_
    table = centroid_table(model.forest, model.classes, np.array(model.feature_names)[model.kept])
    shown = words(drawn(plot_tree(model, decimals=12))[0])
    numbers = [read(shown[f"node0-feature{rank}-class{code}"])[0]
               for code in model.forest.node_classes for rank in range(4)]  # fmt: skip
    assert numbers == pytest.approx(table.centroid.to_numpy(), abs=1e-12)


# ---- p-values ------------------------------------------------------------------------------------


@pytest.mark.endurance
@pytest.mark.parametrize("n_classes", [2, 4])
def test_with_the_training_rows_each_feature_has_its_adjusted_p_value(n_classes):
    X, y = rows_and_labels(np.random.default_rng(1), 60, 30, n_classes)
    fit = CDFClassifier(ntrees=3, seed=1).fit(X, y)
    ax = plot_tree(fit, 2, X=X, y=y)
    check_nothing_overlaps(ax)
    shown = words(drawn(ax)[0])
    found = split_evidence(fit, X, y, tree=2)
    for row in found.itertuples():
        gid = f"node{row.node}-feature{row.rank}"
        if gid in shown:  # long lists are folded
            assert shown[f"{gid}-p"] == p_text(row.p_adjusted)
            assert shown[f"node{row.node}-class-p"] == "p"
    assert sum(gid.endswith("-p") for gid in shown) > len(found["node"].unique())
    notes = " ".join(text.get_text() for text in ax.texts if text.get_gid() == "note")
    assert "adjusted for the choice" in notes
    assert "selected because they separate" in notes
    plain = words(drawn(plot_tree(fit, 2))[0])
    assert shown.keys() - plain.keys() == {gid for gid in shown if gid.endswith("-p")}


def test_p_values_need_rows_and_labels():
    X, y = rows_and_labels(np.random.default_rng(1), 30, 10, 2)
    fit = CDFClassifier(ntrees=1, seed=1).fit(X, y)
    with pytest.raises(TypeError, match="X and y belong together"):
        plot_tree(fit, X=X)
    with pytest.raises(ValueError, match="in their original order"):
        plot_tree(fit, X=X[::-1], y=y[::-1])


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1"), (0.0501, "0.05"), (0.9999, "1"), (0.001, "0.001"), (0.00099, "1e−3"),
        (4.3e-13, "4e−13"), (1e-100, "1e−100"), (0.0, "0"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_p_values_as_text(p, text):
    assert p_text(p) == text


@pytest.mark.parametrize(
    ("levels", "depths"),
    [
        ([1], [0]),
        ([1, 199], [1]),
        ([1, 3, 196, 1], [2, 1]),
        ([1, 3, 197, 1], [1]),
        ([1, 200, 5], [1]),  # too many, and less is no tree
    ],
)
def test_depths_with_at_most_two_hundred_boxes_are_tried_the_deepest_first(levels, depths):
    nodes = [SimpleNamespace(depth=at) for at, count in enumerate(levels) for _ in range(count)]
    assert _depths(nodes, None) == depths
    assert _depths(nodes, 7) == [7]
