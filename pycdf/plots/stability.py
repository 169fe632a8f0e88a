"""How often forests of different seeds select each feature, with a dot for each seed."""

from typing import TYPE_CHECKING, Any

import numpy as np

from pycdf.explain.arguments import whole
from pycdf.explain.fitted import Classes
from pycdf.explain.seeds import Stability, stability
from pycdf.plots.bars import bar_axes, headed, name_bars, percent_axis
from pycdf.plots.style import NEUTRAL, check_axes, inks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_stability(
    found: Any,
    y: Classes | None = None,
    *,
    top: int | None = None,
    ax: "Axes | None" = None,
    **options: Any,
) -> "Axes":
    """Draw how often features were selected under each seed.

    Parameters
    ----------
    found : Stability, DataFrame or array-like
        The result of :func:`pycdf.explain.stability`; or training rows, with their labels in ``y``.
    y : array-like or None, default=None
        Labels of the training rows, if ``found`` are rows.
    top : int or None, default=None
        How many features to show, the most selected over all seeds. If ``stability`` is called, it
        compares this many. None shows one and a half times as many as were compared.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.
    **options
        Passed on to ``stability`` if it is called: ``seeds`` and parameters of the forest.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import load_darwin
    >>> from pycdf.plots import plot_stability
    >>> X, y = load_darwin()
    >>> ax = plot_stability(X, y, top=10, seeds=3, ntrees=50)
    >>> ax.get_title()
    '3 seeds share 4.7 of their first 10 features, on average'
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
        raise TypeError("the result of stability() needs no further arguments: pass it alone.")
    lines = found.features.head(3 * found.top // 2 if top is None else top)
    shares = found.shares[lines.index].to_numpy()
    positions = np.arange(len(lines))
    ax = bar_axes(ax, lines.index)
    ink, soft, faint = inks(ax)
    ax.hlines(positions, lines["smallest"], lines["largest"], color=faint, linewidth=3)
    ax.plot(shares.ravel(), np.tile(positions, len(shares)), "o", markersize=4, label="one seed",
            color=NEUTRAL)  # fmt: skip
    ax.plot(lines["share"], positions, "D", markersize=6, color=ink, label="mean")
    name_bars(ax, lines.index)
    for at, part in enumerate(lines["in_top"]):
        ax.annotate(
            f"{part:.0%}", (1, at), xycoords=("axes fraction", "data"), xytext=(6, 0),
            textcoords="offset points", va="center", fontsize=9, color=soft,
        )  # fmt: skip
    ax.set_xlim(0, None)
    percent_axis(ax)
    ax.set_xlabel(f"share of all selections (right: how often among the first {found.top})")
    headed(ax, stability_title(found), lines=1)
    return ax


def stability_title(found: Stability) -> str:
    """A title that says how many features two forests have in common on average."""
    n = len(found.shares)
    both = found.shared.to_numpy()[np.triu_indices(n, 1)].mean()
    return f"{n} seeds share {both:.1f} of their first {found.top} features, on average"
