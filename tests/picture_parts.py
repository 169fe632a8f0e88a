"""What a picture consists of: its texts, lines, shapes, images and axes, as plain values.

`tests/data/pictures.json` has the parts of every plot of a small forest, so that a test notices
when a picture changes. After a change that is meant: ``python tests/picture_parts.py`` records them
anew. Nothing is drawn, and texts are as wide as they have characters, so that fonts do not matter.
"""

import json
import sys
import warnings
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

RECORDED = Path(__file__).with_name("data") / "pictures.json"
CURVES = {"splits": 2, "seed": 1, "ntrees": 12}


def drawings():
    """The plots by name, as functions without arguments that return axes."""
    from pycdf import CDFClassifier, RStream, plots
    from pycdf.plots.tuning import plot_search

    def fitted(p, labels, feature="x{}", **parameters):
        codes = np.arange(90) % len(labels)
        values = RStream(3).uniform(90 * p).reshape(90, p) + 0.4 * codes[:, np.newaxis]
        X = pd.DataFrame(values, columns=[feature.format(j) for j in range(p)])
        y = np.array(labels, dtype=object)[codes]
        return CDFClassifier(seed=1, **parameters).fit(X, y), X, y

    def even(n):
        """A forest that selects each of n features."""
        return fitted(n, ["low", "high"], ntrees=60, k=8, mtry=n)[0]

    fit, X, y = fitted(12, ["low", "mid", "high"], ntrees=60, k=3, mtry=6)
    deep, *_ = fitted(12, ["low", "mid", "high"], ntrees=5, depth=4, mnode=8, k=2)
    pair, V, v = fitted(5, ["low", "a long label"], ntrees=5, k=1)
    many, Z, z = fitted(
        45, [f"a class whose name is longer than a line may be, {c}" for c in range(10)],
        "a feature with a name that is long, {}", ntrees=20, k=8, mtry=20,
    )  # fmt: skip
    noise = CDFClassifier(ntrees=1, depth=1, k=3, mtry=3, seed=24).fit(
        RStream(1).uniform(48).reshape(16, 3), list("abcd") * 4
    )  # a centroid is nearest to no row
    few = [i for i in range(90) if i % 3 == 1 or i < 40]  # classes of different sizes
    return {
        "tree": lambda: plots.plot_tree(fit),
        "deep tree": lambda: plots.plot_tree(deep, 2),
        "folded tree": lambda: plots.plot_tree(deep, 2, max_depth=1, decimals=1, max_features=1),
        "tree with p-values": lambda: plots.plot_tree(deep, 1, X=X, y=y),
        "tree with an empty branch": lambda: plots.plot_tree(noise),
        "tree of many classes": lambda: plots.plot_tree(many),
        "importance": lambda: plots.plot_importance(fit),
        "importance of many": lambda: plots.plot_importance(many),
        "selections": lambda: plots.plot_importance(fit, 5, by="selection"),
        "importance of 40": lambda: plots.plot_importance(even(41), 40),
        "importance of 41": lambda: plots.plot_importance(even(41), 41),
        "coselection": lambda: plots.plot_coselection(fit),
        "coselection of many": lambda: plots.plot_coselection(many),
        "coselection of none": lambda: plots.plot_coselection(pair),
        **{
            f"coselection of {n}": lambda n=n: plots.plot_coselection(even(25), n)
            for n in (13, 24, 25)
        },
        "centroids": lambda: plots.plot_centroids(fit),
        "centroids of many": lambda: plots.plot_centroids(many),
        "centroids of two": lambda: plots.plot_centroids(pair),
        **{
            f"centroids of {n} classes": lambda n=n: plots.plot_centroids(
                fitted(4, [f"the label{c}" for c in range(n)], ntrees=9)[0], 3
            )
            for n in (6, 7)
        },
        "means": lambda: plots.plot_centroids(fit, X=X, y=y),
        "permutation": lambda: plots.plot_permutation(fit, X, y, n_repeats=2, seed=1),
        "chance": lambda: plots.plot_chance(fit, X, y, n_repeats=2, seed=1),
        "stability": lambda: plots.plot_stability(X, y, seeds=3, top=3, ntrees=20),
        "proximity": lambda: plots.plot_proximity(fit, X.iloc[few], y[few]),
        "unlabelled": lambda: plots.plot_proximity(fit, X),
        **{
            f"proximity of {n} classes": lambda n=n: plots.plot_proximity(
                *fitted(4, [f"{c:02}" for c in range(n)], ntrees=9)
            )
            for n in (20, 21)
        },
        "confusion": lambda: plots.plot_confusion(fit, X, y),
        "confusion of many": lambda: plots.plot_confusion(many, Z, z),
        **{
            f"confusion of {n}": lambda n=n: plots.plot_confusion(
                [f"c{i}" for i in range(n)] * 2, [f"c{i * i % n}" for i in range(2 * n)]
            )
            for n in (2, 8, 9, 16, 17, 30)
        },
        **{
            f"confusion of {n}, names of {length}": lambda n=n, length=length: plots.plot_confusion(
                [f"{i:0{length}}" for i in range(n)], [f"{0:0{length}}"] * n
            )
            for n, length in ((4, 10), (4, 11), (5, 3), (5, 4))
        },
        "probabilities": lambda: plots.plot_probabilities(fit, X, y),
        "probabilities of many": lambda: plots.plot_probabilities(many, Z, z),
        "probabilities of two": lambda: plots.plot_probabilities(pair, V, v),
        "probabilities without a class": lambda: plots.plot_probabilities(
            fit, X[y != "mid"], y[y != "mid"]
        ),
        "proximity of many": lambda: plots.plot_proximity(many, Z, z),
        "proximity of 300 rows": lambda: plots.plot_proximity(fit, pd.concat([X] * 4)[:300]),
        "proximity of many rows": lambda: plots.plot_proximity(fit, pd.concat([X] * 4)[:301]),
        "trees": lambda: plots.plot_tree_curve(fit, X, y),
        "trees of both": lambda: plots.plot_tree_curve(deep, X, y, X[:7], y[:7]),
        "parameters": lambda: plots.plot_parameter_curves(X, y, **CURVES),
        "parameters of a table": lambda: plots.plot_parameter_curves(_curves()),
        "search": lambda: plot_search(_search(), "balanced_accuracy", (0.81, 0.79)),
        "search alone": lambda: plot_search(_search()[:4], "balanced_accuracy"),
    }


def _curves():
    """A table as that of ``parameter_curves``, with accuracies up to 1."""
    parts = [("ntrees", 31), ("mtry", 30), ("k", 4)]
    values = [i + 1 for _, n in parts for i in range(n)]
    shares = [(i + 1) / n for _, n in parts for i in range(n)]
    table = pd.DataFrame(
        {
            "parameter": [name for name, n in parts for _ in range(n)],
            "value": values, "share": shares, "accuracy": np.sqrt(shares),
            "std_error": [np.nan if value == 3 else 0.01 for value in values],
        }
    )  # fmt: skip
    table.attrs["in_use"] = {"ntrees": 1500, "mtry": 0.2}
    return table


def _search():
    """A table as that of a search for settings."""
    return pd.DataFrame(
        {
            "trees": [1200, 400, 400, 400, 100, 100, 100, 100],
            "oob_balanced_accuracy": [0.9, 0.7, 0.8, 0.6, 0.5, 0.4, 0.7, 0.6],
            "r_default": [True, True, False, False, True, False, False, False],
        }
    )


def parts(draw):
    """The parts of a picture in the order of drawing: texts that must agree, and numbers."""
    from matplotlib import collections, colors, image, lines, patches, text

    with mock.patch("pycdf.plots.canvas._unit_width", _simple_width):
        ax = np.ravel(draw())[0]
    figure = ax.figure
    found = [["figure", figure.get_size_inches().tolist()]]

    def add(kind, artist, words, numbers):
        shade = [colors.to_hex(one, keep_alpha=True) for one in words.pop("shades", [])[:3]]
        said = [f"{key}={value}" for key, value in words.items() if value is not None]
        said += ["unclipped"] * (not artist.get_clip_on())
        said += ["unmeasured"] * (not artist.get_in_layout())
        numbers = [float(one) for one in np.ravel(np.asarray(numbers, dtype=float))]
        finite = [one for one in numbers if np.isfinite(one)]
        # Of long lists, what every number has a part in
        if len(finite) > 40:
            weights = np.cos(np.arange(len(finite)))
            finite = [len(finite), min(finite), max(finite), float(weights @ finite)]
        found.append([" ".join([kind, *shade, *said]), [*finite, float(artist.get_zorder())]])

    for one in figure.axes:
        found += _of_axes(one)
    internal = {
        id(child)
        for one in figure.axes
        for axis in (one.xaxis, one.yaxis)
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]
        for child in tick.findobj()
    } | {id(spine) for one in figure.axes for spine in one.spines.values()}
    for artist in figure.findobj():
        if id(artist) in internal or not artist.get_visible():
            continue
        if isinstance(artist, text.Text) and artist.get_text():
            words = {
                "text": repr(artist.get_text()), "align": artist.get_ha() + artist.get_va(),
                "weight": artist.get_fontweight(), "shades": [artist.get_color()],
            }  # fmt: skip
            place = artist.get_unitless_position() if _in_data(artist) else ()
            if isinstance(artist, text.Annotation):
                words["at"] = [artist.xycoords, artist.anncoords]
                place = [*artist.xy, *artist.xyann]
            if patch := artist.get_bbox_patch():
                words["shades"] += [patch.get_facecolor(), patch.get_edgecolor()]
                place = [*place, patch.get_boxstyle().pad]
            add("text", artist, words, [*place, artist.get_fontsize(), artist.get_rotation()])
        elif isinstance(artist, lines.Line2D) and len(artist.get_xdata()):
            words = {
                "style": artist.get_linestyle(), "marker": artist.get_marker(),
                "ends": artist.get_solid_capstyle(),
                "shades": _line_shades(artist),
            }  # fmt: skip
            sizes = [artist.get_linewidth(), artist.get_markersize(), artist.get_alpha() or 1]
            sizes += [artist.get_markeredgewidth(), *_dashes(artist)]
            add("line", artist, words, [*sizes, *artist.get_xydata().ravel()])
        elif isinstance(artist, patches.Patch) and artist is not figure.patch:
            words = {"shades": [artist.get_facecolor(), artist.get_edgecolor()]}
            words |= {"hatch": artist.get_hatch(), "style": artist.get_linestyle()}
            shape = artist.get_path().transformed(artist.get_patch_transform()).vertices
            shape = shape if _in_data(artist) else []
            add(type(artist).__name__, artist, words, [artist.get_linewidth(), *np.ravel(shape)])
        elif isinstance(artist, collections.Collection):
            words = {"shades": [*artist.get_facecolor()[:2], *artist.get_edgecolor()[:1]]}
            words["one image"] = artist.get_rasterized()
            offsets = np.ravel(np.ma.filled(artist.get_offsets(), np.nan))
            shape = [number for path in artist.get_paths() for number in path.vertices.ravel()]
            numbers = [*np.ravel(artist.get_linewidth()), *getattr(artist, "get_sizes", list)()]
            add("collection", artist, words, [*numbers, *offsets, *shape])
        elif isinstance(artist, image.AxesImage):
            words = {"shades": artist.cmap(np.array([0.0, 0.5, 1.0]))}
            cells = np.ravel(np.ma.filled(artist.get_array().astype(float), np.nan))
            add("image", artist, words, [*artist.get_clim(), *artist.get_extent(), *cells])
    return found


def _of_axes(ax):
    """Where axes are, their frame and ticks, and where their titles and legend are."""
    from matplotlib.colors import to_hex

    spines = {
        name: (to_hex(spine.get_edgecolor()), spine.get_linewidth())
        for name, spine in sorted(ax.spines.items())
        if spine.get_visible()
    }
    scales = [ax.get_xscale(), ax.get_yscale(), ax.axison, ax.get_aspect(), ax.get_adjustable()]
    limits = [*ax.get_xlim(), *ax.get_ylim()]
    yield [f"axes {spines} {scales} below={ax.get_axisbelow()}", limits]
    yield ["place", ax.get_position().bounds]
    top = ax.transAxes.transform((0, 1))[1]
    titles = [ax.title, ax._left_title, ax._right_title]
    pads = [title.get_transform().transform((0, 1))[1] - top for title in titles]
    yield ["titles", [pad * 72 / ax.figure.dpi for pad in pads]]
    if legend := ax.get_legend():
        anchor = legend.get_bbox_to_anchor().transformed(ax.transAxes.inverted())
        said = [legend._loc, legend._ncols, legend.get_frame_on()]
        yield [f"legend {said}", [*anchor.bounds, legend.borderaxespad]]
    for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
        labels = axis.get_ticklabels()
        shown = [label for label in labels if label.get_visible() and label.get_text()]
        sizes = {(label.get_fontsize(), label.get_rotation()) for label in shown}
        ways = {(label.get_ha(), label.get_va(), label.get_rotation_mode()) for label in shown}
        yield [f"ticks {[label.get_text() for label in shown]} {sorted(sizes)} {sorted(ways)}", []]
        low, high = sorted(axis.get_view_interval())
        for ticks in (axis.get_major_ticks(), axis.get_minor_ticks()):
            places = [tick.get_loc() for tick in ticks if low <= tick.get_loc() <= high]
            looks = {
                (
                    tick.tick1line.get_visible(), tick.tick2line.get_visible(),
                    tick.label1.get_visible(), tick.label2.get_visible(),
                    tick.tick1line.get_markersize(), tick.get_pad(), tick.gridline.get_visible(),
                    to_hex(tick.gridline.get_color()), tick.gridline.get_linewidth(),
                )
                for tick in ticks
            }  # fmt: skip
            if ticks:
                yield [f"marks {sorted(looks)}", places]


def _simple_width(text, bold, _):
    return (0.67 if bold else 0.6) * len(text)


def _line_shades(line):
    """The colours that are seen of a line and its markers."""
    shades = [] if line.get_linestyle() == "None" else [line.get_color()]
    if line.get_marker() not in ("None", "", None):
        shades.append(line.get_markeredgecolor())
        if line.get_marker() in line.filled_markers:
            shades.append(line.get_markerfacecolor())
    return shades


def _dashes(line):
    """Offset and lengths of dashes, as they were given."""
    offset, lengths = line._unscaled_dash_pattern
    return [offset, *(lengths or ())]


def _in_data(artist):
    """Whether positions are those of the data, and so not matters of fonts."""
    axes = artist.axes
    return axes is not None and axes.transData in _chain(artist.get_transform(), axes)


def _chain(transform, axes):
    return [axes.transData] if transform.contains_branch(axes.transData) else []


def main():
    from matplotlib import pyplot

    pyplot.switch_backend("agg")
    recorded = {}
    for name, draw in drawings().items():
        recorded[name] = [[words, [float(f"{n:.6g}") for n in ns]] for words, ns in parts(draw)]
        pyplot.close("all")
    texts = (
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(part) for part in parts_) + "\n]"
        for name, parts_ in recorded.items()
    )
    RECORDED.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    warnings.simplefilter("ignore")
    main()
