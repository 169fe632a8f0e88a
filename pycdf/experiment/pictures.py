"""Pictures of a comparison: box plots per data set, and the critical-difference diagram.

:func:`save` writes a figure so that the same numbers give the same bytes. matplotlib is optional,
and imported only when a picture is drawn.
"""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pycdf.experiment.measures import MEASURES
from pycdf.experiment.statistics import Paired
from pycdf.files.atomic import write_whole
from pycdf.plots.files import figure_bytes
from pycdf.support.wording import one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FIRST, _OTHER, _PAPER = "#c8553d", "#8fa9bf", "#1a1a1a"
_PANELS = 4  # per row
_LETTER = 0.08  # inches: the width of a letter, at most
_LONGEST = 30  # letters: longer names are shortened
_LONGEST_TITLE = 120  # the same, for titles of panels, which are wrapped


class NoPicturesError(ImportError):
    """matplotlib is not installed."""


def _matplotlib() -> Any:
    try:
        import matplotlib.figure
    except ImportError:
        raise NoPicturesError(
            "pictures need matplotlib: pip install matplotlib; then repeat the same call."
        ) from None
    return matplotlib


def box_plots(
    results: pd.DataFrame,
    measure: str,
    data: Mapping[str, str],
    methods: Mapping[str, str],
    paper: Mapping[tuple[str, str], float] | None = None,
) -> "Figure":
    """Draw a panel per data set and a box per method, with dots at the means.

    ``data`` and ``methods`` map names to titles, in order. ``paper`` has the paper's means by data
    set and method name, drawn as diamonds; None draws none.
    """
    across = min(_PANELS, len(data))
    down = -(-len(data) // across)
    width = max(3.5, 0.9 + across * (0.6 + 0.27 * len(methods)))
    # Panels make room for their titles, and for the vertical method names below them
    labels = [_short(title) for title in methods.values()]
    letters = int((width - 0.5) / across / _LETTER) - 1
    heads = {
        name: textwrap.fill(_short(title, _LONGEST_TITLE), letters) for name, title in data.items()
    }
    height = 2.5 + _LETTER * max(0, max(map(len, labels)) - 5)
    height += 0.15 * max(head.count("\n") for head in heads.values())
    figure: Figure = _matplotlib().figure.Figure(figsize=(width, 0.75 + height * down))
    figure.set_layout_engine("constrained")
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for axis in axes[len(data) :]:
        axis.remove()
    for axis, name in zip(axes, data, strict=False):
        mine = results[results["data"] == name]
        values = [mine.loc[mine["method"] == method, measure].dropna() for method in methods]
        drawn = axis.boxplot(
            values,
            widths=0.65,
            patch_artist=True,
            showmeans=True,
            meanprops={
                "marker": "o",
                "markersize": 3,
                "markerfacecolor": "black",
                "markeredgecolor": "black",
            },
            medianprops={"color": "black", "linewidth": 1.1},
            flierprops={"marker": ".", "markersize": 2, "markeredgecolor": "#777777"},
            whiskerprops={"linewidth": 0.7},
            capprops={"linewidth": 0.7},
            boxprops={"linewidth": 0.7},
        )
        for i, box in enumerate(drawn["boxes"]):
            box.set_facecolor(_OTHER if i else _FIRST)
        positions = np.arange(1, len(methods) + 1)
        if paper:
            figures = [paper.get((name, method), np.nan) for method in methods]
            axis.plot(
                positions, figures, linestyle="", marker="D", markersize=4,
                markerfacecolor="white", markeredgecolor=_PAPER, markeredgewidth=0.9, zorder=5,
            )  # fmt: skip
        middle, half = (len(methods) + 1) / 2, max(len(methods), 3) / 2
        axis.set_xlim(middle - half - 0.1, middle + half + 0.1)
        axis.set_title(heads[name], fontsize=9, parse_math=False)  # a name may contain a $
        axis.set_xticks(positions, labels, rotation=90, fontsize=8, parse_math=False)
        axis.tick_params(axis="y", labelsize=8)
        axis.grid(axis="y", linewidth=0.4, color="#dddddd")
        axis.set_axisbelow(True)
    figure.supylabel(MEASURES[measure], fontsize=10)
    marks = "; diamonds: the paper's, over 500 splits" if paper else ""
    scales = ". Each data set has its own scale" if len(data) > 1 else ""
    legend = f"Dots: means{marks}{scales}."
    figure.supxlabel(textwrap.fill(legend, int(width / _LETTER)), fontsize=8)
    return figure


def rank_diagram(paired: Paired, title: str = "") -> "Figure":
    """Draw methods on an axis of mean ranks; bars join those that do not differ significantly."""
    ranks = paired.mean_ranks.sort_values(kind="stable")
    k = len(ranks)
    groups = paired.groups
    left = -(-k // 2)
    step, bar = 0.55, 0.28
    below = 0.5 + bar * len(groups)
    height = below + step * left + 2.6
    line = 4.1  # inches from the first rank to the last; the names are on both sides
    side = max(1.55, 0.35 + _LETTER * max(len(_short(str(name))) + 6 for name in ranks.index))
    figure: Figure = _matplotlib().figure.Figure(figsize=(line + 2 * side, 0.42 * height + 0.35))
    axis = figure.add_axes((0.0, 0.02, 1.0, 0.96))
    axis.set_xlim(1 - side / line * (k - 1), k + side / line * (k - 1))
    axis.set_ylim(-(below + step * left) - 0.9, 2.0)
    axis.axis("off")
    gap = 0.015 * (k - 1)  # between a line and its text

    axis.plot([1, k], [0, 0], color="black", linewidth=1)
    for rank in range(1, k + 1):
        axis.plot([rank, rank], [0, 0.14], color="black", linewidth=1)
        axis.text(rank, 0.22, str(rank), ha="center", va="bottom", fontsize=8)
    axis.text(1 - 2 * gap, 0.22, "mean rank (1 is best)", ha="right", va="bottom", fontsize=8)
    width = paired.critical_difference
    axis.plot([1, 1 + width], [1.0, 1.0], color="black", linewidth=1)
    for end in (1, 1 + width):
        axis.plot([end, end], [0.9, 1.1], color="black", linewidth=1)
    axis.text(
        1 + width + gap, 1.0, f"critical difference {width:.2f} ({paired.alpha:.0%} level)",
        ha="left", va="center", fontsize=8,
    )  # fmt: skip
    if title:
        axis.text(1 - gap, 1.0, title, ha="right", va="center", fontsize=9)

    for i, (name, rank) in enumerate(ranks.items()):
        on_left = i < left
        depth = -(below + step * (i if on_left else k - 1 - i))
        edge = 1 - 4 * gap if on_left else k + 4 * gap
        axis.plot([rank, rank, edge], [0, depth, depth], color="#555555", linewidth=0.8)
        strong = "bold" if name == paired.reference else "normal"
        axis.text(
            edge - gap if on_left else edge + gap, depth,
            f"{_short(str(name))}  {rank:.2f}",
            ha="right" if on_left else "left", va="center", fontsize=9, fontweight=strong,
            parse_math=False,
        )  # fmt: skip
    for i, group in enumerate(groups):
        depth = -(0.3 + bar * i)
        ends = ranks[group]
        axis.plot(
            [ends.min() - gap / 2, ends.max() + gap / 2], [depth, depth], color=_FIRST, linewidth=3,
            solid_capstyle="butt",
        )  # fmt: skip
    meaning = (
        "Bars join methods whose mean ranks do not differ significantly."
        if groups
        else "All mean ranks differ significantly."
    )
    axis.text((1 + k) / 2, axis.get_ylim()[0], meaning, ha="center", va="bottom", fontsize=8)
    return figure


def _short(name: str, longest: int = _LONGEST) -> str:
    """A name that fits into a picture: a long one is reduced to its beginning and end."""
    text = one_line(name)
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]}…{text[1 - longest // 2 :]}"


def save(figure: "Figure", path: Path) -> None:
    """Write a figure in the format of the path's suffix."""
    write_whole(path, figure_bytes(figure, path.suffix[1:]))


def titles(data: Sequence[str], paper: Mapping[str, Any]) -> dict[str, str]:
    """The data sets' names, with their number if they are in the paper: ``D8 colon``."""
    return {name: f"{paper[name].id} {name}" if name in paper else name for name in data}
