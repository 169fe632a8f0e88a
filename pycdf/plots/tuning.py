"""The scores of a search for settings, drawn from its table."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pycdf.plots.style import NEUTRAL, check_axes, inks, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HONEST = "#B35900"


def plot_search(
    table: pd.DataFrame,
    measure: str,
    honest: tuple[float, float] | None = None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the out-of-bag scores of all settings that were tried, by the trees that they got.

    Parameters
    ----------
    table : DataFrame
        The table of a :class:`pycdf.tuning.tuned.Tuned`.
    measure : str
        What was measured.
    honest : tuple of two floats or None, default=None
        The measure on rows that the search did not see: tuned, and with R's defaults.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> import pandas as pd
    >>> from pycdf.plots.tuning import plot_search
    >>> table = pd.DataFrame(
    ...     {"trees": [9, 3, 3], "oob_kappa": [0.7, 0.5, 0.6], "r_default": [True, False, False]}
    ... )
    >>> plot_search(table, "kappa", (0.6, 0.62)).get_ylabel()
    'kappa'
    """
    check_axes(ax)
    ax = new_axes(ax, (6.4, 4.0))
    ink = inks(ax)
    scores = table[f"oob_{measure}"].to_numpy(dtype=float)
    trees = table["trees"].to_numpy()
    levels = sorted(set(trees.tolist()))
    default = table["r_default"].to_numpy(dtype=bool)
    for place, level in enumerate(levels):
        here = trees == level
        aside = np.linspace(-0.25, 0.25, int(here.sum())) if here.sum() > 1 else np.zeros(1)
        ax.scatter(place + aside, scores[here], s=14, color=NEUTRAL, alpha=0.6, linewidths=0,
                   label="settings, out of bag" if place == 0 else None)  # fmt: skip
        if (here & default).any():
            ax.scatter(place + aside[default[here]], scores[here & default], s=40, marker="D",
                       color=ink.ink, label="R's defaults, out of bag")  # fmt: skip
    if honest is not None:
        for value, name, style in zip(honest, ("tuned", "R's defaults"), ("-", ":"), strict=True):
            ax.axhline(value, color=_HONEST, linestyle=style, linewidth=1.5,
                       label=f"{name}, on rows not seen: {value:.3f}")  # fmt: skip
    ax.set_xticks(range(len(levels)), [f"{level:,}" for level in levels])
    ax.set_xlim(-0.5, len(levels) - 0.5)
    ax.set_xlabel("trees")
    ax.set_ylabel(measure.replace("_", " "))
    ax.legend(fontsize="small", frameon=False, loc="best")
    return ax
