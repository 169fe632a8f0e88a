"""Which features are selected together, as a triangle of pairs.

The number in a cell counts the nodes that selected both features; its shade compares the count with
chance.
"""

from typing import TYPE_CHECKING

import numpy as np

from pycdf.explain.fitted import Fit
from pycdf.explain.pairs import coselection
from pycdf.plots.style import check_axes, ink_on, inks, literal, new_axes, shorten_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = 20  # maximum characters of a feature name
_SHADES = "PuOr_r"  # purple is less than chance, orange is more


def plot_coselection(fit: Fit, top: int = 20, *, ax: "Axes | None" = None) -> "Axes":
    """Draw how often pairs of the most selected features were selected in the same node.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    top : int, default=20
        Maximum number of features, the most selected first.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_coselection
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_coselection(fit, top=5)
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['x271', 'x408', 'x89', 'x105', 'x144']
    """
    counts = coselection(fit, top)
    lift = coselection(fit, top, lift=True).to_numpy()
    together, n = counts.to_numpy(), len(counts)
    names = shorten_all(counts.index.tolist(), _NAME)
    check_axes(ax)
    from matplotlib import colormaps
    from matplotlib.colors import LogNorm, to_hex

    from pycdf.plots.canvas import widest

    long = max(0.0, widest(names, 9) - 0.6)
    ax = new_axes(
        ax, (min(max(3.2 + 0.4 * n, 6.0), 20) + long, min(2.2 + 0.36 * n, 18) + 0.7 * long)
    )
    soft = inks(ax).soft

    below = np.tril(np.ones((n, n), dtype=bool), -1)
    seen = lift[below & (lift > 0)]
    most = max(2.0, *(np.maximum(seen, 1 / seen))) if len(seen) else 2.0
    most = min(most, 8.0)  # a pair that was seen once can have any lift
    norm = LogNorm(1 / most, most, clip=True)
    shades = colormaps[_SHADES]
    shown = np.where(below, np.maximum(np.nan_to_num(lift, nan=1.0), 1 / most), np.nan)
    image = ax.imshow(shown, cmap=shades, norm=norm, aspect="auto")
    size = 9 if n <= 12 else 8 if n <= 24 else 6
    for i in range(n):
        for j in range(i + 1):
            ink = soft if i == j else ink_on(to_hex(shades(norm(shown[i, j]))))
            ax.text(j, i, f"{together[i, j]:,}", ha="center", va="center", fontsize=size,
                    color=ink, in_layout=False)  # fmt: skip
    names = [literal(name) for name in names]
    ax.set_xticks(range(n), names, fontsize=9 if n <= 24 else 7, rotation=45, ha="right",
                  rotation_mode="anchor")  # fmt: skip
    ax.set_yticks(range(n), names, fontsize=9 if n <= 24 else 7)
    ax.tick_params(length=0)
    ax.grid(visible=False)  # grid lines of a style would run through the numbers
    ax.spines[:].set_visible(False)
    ax.set_title("Nodes that selected both features (diagonal: the feature)", fontsize=11)
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.04, pad=0.02)
    ticks = [tick for tick in (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8) if 1 / most <= tick <= most]
    bar.set_ticks(ticks, labels=[f"{tick:g}" for tick in ticks], minor=False)
    bar.ax.minorticks_off()
    bar.outline.set_visible(False)
    bar.set_label("times as often as by chance", color=soft)
    return ax
