"""What a picture consists of: its texts, lines, shapes and images, as plain values.

`tests/data/pictures.json` has the parts of every plot of a small forest, so that a test notices
when a picture changes. After a change that is meant: ``python tests/picture_parts.py`` records them
anew.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

RECORDED = Path(__file__).with_name("data") / "pictures.json"
CURVES = {"splits": 2, "seed": 1, "ntrees": 12}


def drawings():
    """The plots by name, as functions without arguments that return axes."""
    from pycdf import CDFClassifier, RStream, plots

    def fitted(p, labels, long_names=False, **parameters):
        codes = np.arange(90) % len(labels)
        values = RStream(3).uniform(90 * p).reshape(90, p) + 0.4 * codes[:, np.newaxis]
        names = [f"a feature with a long name, {j}" if long_names else f"x{j}" for j in range(p)]
        X = pd.DataFrame(values, columns=names)
        y = np.array(labels, dtype=object)[codes]
        return CDFClassifier(seed=1, **parameters).fit(X, y), X, y

    fit, X, y = fitted(12, ["low", "mid", "high"], ntrees=60, k=3, mtry=6)
    deep, *_ = fitted(12, ["low", "mid", "high"], ntrees=5, depth=4, mnode=8, k=2)
    many, Z, z = fitted(
        45, [f"a class with a long name, {c}" for c in range(10)], True, ntrees=20, k=8, mtry=20
    )
    return {
        "tree": lambda: plots.plot_tree(fit),
        "deep tree": lambda: plots.plot_tree(deep, 2),
        "tree of many classes": lambda: plots.plot_tree(many),
        "importance": lambda: plots.plot_importance(fit),
        "importance of many": lambda: plots.plot_importance(many),
        "coselection": lambda: plots.plot_coselection(fit),
        "coselection of many": lambda: plots.plot_coselection(many),
        "centroids": lambda: plots.plot_centroids(fit),
        "centroids of many": lambda: plots.plot_centroids(many),
        "means": lambda: plots.plot_centroids(fit, X=X, y=y),
        "permutation": lambda: plots.plot_permutation(fit, X, y, n_repeats=2, seed=1),
        "chance": lambda: plots.plot_chance(fit, X, y, n_repeats=2, seed=1),
        "stability": lambda: plots.plot_stability(X, y, seeds=3, top=3, ntrees=20),
        "proximity": lambda: plots.plot_proximity(fit, X, y),
        "unlabelled": lambda: plots.plot_proximity(fit, X),
        "confusion": lambda: plots.plot_confusion(fit, X, y),
        "confusion of many": lambda: plots.plot_confusion(many, Z, z),
        **{
            f"confusion of {n}": lambda n=n: plots.plot_confusion(
                [f"c{i}" for i in range(n)] * 2, [f"c{i * i % n}" for i in range(2 * n)]
            )
            for n in (2, 8, 9, 16, 17, 30)
        },
        "probabilities": lambda: plots.plot_probabilities(fit, X, y),
        "proximity of many rows": lambda: plots.plot_proximity(fit, pd.concat([X] * 4)[:301]),
        "trees": lambda: plots.plot_tree_curve(fit, X, y),
        "parameters": lambda: plots.plot_parameter_curves(X, y, **CURVES),
    }


def parts(drawn):
    """The parts of a picture in the order of drawing: texts that must agree, and numbers."""
    from matplotlib import collections, colors, image, lines, patches, text

    ax = np.ravel(drawn)[0]
    figure = ax.figure
    found = [["figure", figure.get_size_inches().tolist()]]

    def add(kind, artist, words, numbers):
        shade = [colors.to_hex(one, keep_alpha=True) for one in words.pop("shades", [])[:3]]
        said = " ".join(f"{key}={value}" for key, value in words.items())
        numbers = [float(one) for one in np.ravel(np.asarray(numbers, dtype=float))]
        finite = [one for one in numbers if np.isfinite(one)]
        # Of long lists, what every number has a part in
        if len(finite) > 40:
            weights = np.cos(np.arange(len(finite)))
            finite = [len(finite), min(finite), max(finite), float(weights @ finite)]
        found.append([" ".join([kind, *shade, said]), [*finite, float(artist.get_zorder())]])

    for one in figure.axes:
        spines = [name for name in sorted(one.spines) if one.spines[name].get_visible()]
        scales = [one.get_xscale(), one.get_yscale(), one.axison, one.get_aspect()]
        found.append([f"axes {spines} {scales}", [*one.get_xlim(), *one.get_ylim()]])
        for axis in (one.xaxis, one.yaxis):
            labels = axis.get_ticklabels() if one.axison else []
            shown = [label for label in labels if label.get_visible() and label.get_text()]
            sizes = {(label.get_fontsize(), label.get_rotation()) for label in shown}
            found.append([f"ticks {[label.get_text() for label in shown]} {sorted(sizes)}", []])
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
            add("text", artist, words, [*place, artist.get_fontsize(), artist.get_rotation()])
        elif isinstance(artist, lines.Line2D) and len(artist.get_xdata()):
            words = {
                "style": artist.get_linestyle(), "marker": artist.get_marker(),
                "shades": [artist.get_color(), artist.get_markerfacecolor()],
            }  # fmt: skip
            sizes = [artist.get_linewidth(), artist.get_markersize(), artist.get_alpha() or 1]
            add("line", artist, words, [*sizes, *artist.get_xydata().ravel()])
        elif isinstance(artist, patches.Patch) and artist is not figure.patch:
            words = {"shades": [artist.get_facecolor(), artist.get_edgecolor()]}
            shape = artist.get_path().transformed(artist.get_patch_transform()).vertices
            shape = shape if _in_data(artist) else []
            add(type(artist).__name__, artist, words, [artist.get_linewidth(), *np.ravel(shape)])
        elif isinstance(artist, collections.Collection):
            words = {"shades": [*artist.get_facecolor()[:2], *artist.get_edgecolor()[:1]]}
            offsets = np.ravel(np.ma.filled(artist.get_offsets(), np.nan))
            shape = [number for path in artist.get_paths() for number in path.vertices.ravel()]
            numbers = [*np.ravel(artist.get_linewidth()), *getattr(artist, "get_sizes", list)()]
            add("collection", artist, words, [*numbers, *offsets, *shape])
        elif isinstance(artist, image.AxesImage):
            words = {"shades": artist.cmap(np.array([0.0, 0.5, 1.0]))}
            cells = np.ravel(np.ma.filled(artist.get_array().astype(float), np.nan))
            add("image", artist, words, [*artist.get_clim(), *artist.get_extent(), *cells])
    return found


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
        recorded[name] = [[words, [float(f"{n:.5g}") for n in ns]] for words, ns in parts(draw())]
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
