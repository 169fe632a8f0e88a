"""Do forests of other seeds select the same features? A dot for each seed, a line per feature.

In goes what :func:`pycdf.explain.seeds.stability` found, or rows and labels for it; out come
the axes.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from pycdf.explain.arguments import whole
from pycdf.explain.seeds import Stability, stability
from pycdf.plots.bars import bar_axes, headed, name_bars, percent_axis
from pycdf.plots.style import NEUTRAL, check_axes, inks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_stability(
    found: Any, y: Any = None, *, top: int | None = None, ax: "Axes | None" = None, **options: Any
) -> "Axes":
    """Draw how often features were selected under each seed.

    Parameters
    ----------
    found
        The result of ``stability``; or training rows, with their labels in ``y``.
    top
        How many features, those selected most over all seeds; where ``stability`` is called, also
        how many it compares. None shows half as many again as were compared.
    ax
        The axes to draw on; None makes a figure.
    **options
        For ``stability``, where it is called: ``seeds``, and parameters of the forest.

    Returns
    -------
    matplotlib.axes.Axes
    """
    check_axes(ax)
    if top is not None:
        top = whole(top, "top")
    if not isinstance(found, Stability):
        if y is None:
            raise TypeError("pass the result of stability(), or training rows and labels: X and y.")
        if top is not None:
            options["top"] = top
        found = stability(found, y, **options)
    elif y is not None or options:
        raise TypeError("with the result of stability() nothing is left to compute: pass it alone.")
    lines = found.features.head(3 * found.top // 2 if top is None else top)
    shares = found.shares[lines.index].to_numpy()
    places = np.arange(len(lines))
    ax = bar_axes(ax, lines.index)
    ink, soft, faint = inks(ax)
    ax.hlines(places, lines["smallest"], lines["largest"], color=faint, linewidth=3)
    ax.plot(shares.ravel(), np.tile(places, len(shares)), "o", markersize=4, label="one seed",
            color=NEUTRAL)  # fmt: skip
    ax.plot(lines["share"], places, "D", markersize=6, color=ink, label="mean")
    name_bars(ax, lines.index)
    for place, part in enumerate(lines["in_top"]):
        ax.annotate(
            f"{part:.0%}", (1, place), xycoords=("axes fraction", "data"), xytext=(6, 0),
            textcoords="offset points", va="center", fontsize=9, color=soft,
        )  # fmt: skip
    ax.set_xlim(0, None)
    percent_axis(ax)
    ax.set_xlabel(f"share of all selections (right: how often among the first {found.top})")
    headed(ax, stability_told(found), lines=1)
    return ax


def stability_told(found: Stability) -> str:
    """How far two forests agree, in words."""
    n = len(found.shares)
    both = found.shared.to_numpy()[np.triu_indices(n, 1)].mean()
    return f"{n} seeds share {both:.1f} of their first {found.top} features, on average"
