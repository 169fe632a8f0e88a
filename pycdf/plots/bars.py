"""Parts shared by the bar charts: named features, axes in per cent, a legend above the axes.

The functions change axes in place. Features are at 0, 1, 2, ..., the first at the top.
"""

from typing import TYPE_CHECKING, Any

import pandas as pd

from pycdf.plots.style import inks, literal, new_axes, shorten_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = 28  # maximum characters of a feature name


def bar_axes(ax: "Axes | None", names: "pd.Index[Any]") -> "Axes":
    """Axes that are high enough for the features and wide enough for their names."""
    from pycdf.plots.canvas import widest

    name_width = widest(_shown(names), 9)
    return new_axes(ax, (max(7.0, 5.5 + name_width), 1.3 + 0.24 * max(len(names), 4)))


def _shown(names: "pd.Index[Any]") -> list[str]:
    return shorten_all(names.tolist(), _NAME)


def name_bars(ax: "Axes", names: "pd.Index[Any]") -> None:
    """Write the names beside the bars, the first at the top, and draw a light grid."""
    n = len(names)
    shown = [literal(name) for name in _shown(names)]
    ax.set_yticks(range(n), shown, fontsize=9 if n <= 40 else 7)
    if n and all(isinstance(name, int) for name in names):
        ax.set_ylabel("column, counted from 0")
    ax.set_ylim(max(n, 1) - 0.4, -0.6)
    ax.grid(visible=False, axis="y")
    ax.grid(axis="x", color=inks(ax).faint, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)


def percent_axis(ax: "Axes") -> None:
    """Show the x axis in per cent."""
    from matplotlib.ticker import PercentFormatter

    ax.locator_params(axis="x", nbins=7)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))


def headed(ax: "Axes", title: str, lines: int) -> None:
    """Set a title and, between it and the axes, a legend with that many lines, bars first."""
    from matplotlib.lines import Line2D

    ax.set_title(title, fontsize=11, pad=8 + 15 * lines)
    handles, labels = ax.get_legend_handles_labels()
    bars_first = sorted(range(len(handles)), key=lambda i: isinstance(handles[i], Line2D))
    ax.legend(
        [handles[i] for i in bars_first], [labels[i] for i in bars_first],
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize=9,
        borderaxespad=0.2,
    )  # fmt: skip
