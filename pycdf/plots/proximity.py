"""A map of rows on which rows that share many leaves are near each other."""

from typing import TYPE_CHECKING, Any

import numpy as np

from pycdf.explain.fitted import Classes, Fit, Rows, model_of, read_codes
from pycdf.explain.leaves import embedding
from pycdf.plots.style import (
    LEGEND_NAME,
    check_axes,
    class_legend,
    class_look,
    inks,
    new_axes,
    shorten_all,
)
from pycdf.support.wording import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEGEND = 20  # classes per column of the legend
_MANY = 2_000  # above this, points become one image in an SVG or PDF


def plot_proximity(
    fit: Fit,
    X: Rows,
    y: Classes | None = None,
    *,
    out_of_bag: bool = False,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw rows as points, near each other if they end in the same leaves of many trees.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like
        Rows with the columns of the training data.
    y : array-like or None, default=None
        The labels of the rows, for colours and markers.
    out_of_bag : bool, default=False
        Whether X are the training rows in their original order, and only trees that drew neither of
        two rows determine how near they are. The other trees were grown to separate their classes.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_proximity
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_proximity(fit, X, y)
    >>> ax.get_title()
    '174 rows: near where trees keep them together'
    """
    check_axes(ax)
    points = embedding(fit, X, out_of_bag=out_of_bag)
    look = class_look(model_of(fit).classes)
    codes = np.full(len(points), -1) if y is None else read_codes(fit, y)
    if len(codes) != len(points):
        raise ValueError(
            f"y has {plural(len(codes), 'label')} and X {plural(len(points), 'row')}: pass one "
            "label per row."
        )
    columns = -(-len(look.order) // _LEGEND) if y is not None else 0
    from pycdf.plots.canvas import widest  # imports matplotlib

    beside = max(1.8, 0.5 + widest(shorten_all(look.names, LEGEND_NAME), 9))
    ax = new_axes(ax, (5.6 + beside * columns, 5.6))
    ink, soft, faint = inks(ax)
    style: dict[str, Any] = {
        "s": 42 if len(points) <= 300 else 18, "linewidths": 0.5, "edgecolors": ink,
        "alpha": 0.85, "rasterized": len(points) > _MANY,
    }  # fmt: skip
    if y is None:
        ax.scatter(points[:, 0], points[:, 1], color=soft, **style)
    # Small classes are drawn last, so that large ones do not hide them.
    for code in sorted(look.order, key=lambda code: -int((codes == code).sum())):
        x, up = points[codes == code].T
        ax.scatter(x, up, color=look.colours[code], marker=look.markers[code], **style)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_color(faint)
    ax.set_xlabel("first coordinate")
    ax.set_ylabel("second coordinate")
    judged = ", out of bag" if out_of_bag else ""
    ax.set_title(f"{plural(len(points), 'row')}: near where trees keep them together{judged}",
                 fontsize=11)  # fmt: skip
    if y is not None:
        class_legend(ax, look, loc="upper left", bbox_to_anchor=(1.0, 1.0), ncols=columns)
    return ax
