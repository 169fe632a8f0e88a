"""Where the rows lie: a map on which rows that share leaves are near each other.

In go a fit, rows and, for the looks of the points, labels; out come the axes.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from pycdf.explain.fitted import Fit, model_of, read_codes
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

_LEGEND = 20  # classes in a column of the legend
_MANY = 2_000  # points that are drawn as one image in an SVG or PDF, not one by one


def plot_proximity(
    fit: Fit, X: Any, y: Any = None, *, out_of_bag: bool = False, ax: "Axes | None" = None
) -> "Axes":
    """Draw rows as points: near each other where they end in the same leaves of many trees.

    Parameters
    ----------
    fit
        A CDFClassifier, the result of CDF(), or a Model.
    X, y
        Rows with the columns of training, and their labels, if these are known.
    out_of_bag
        Whether X are the training rows and only trees that drew neither of two rows tell how near
        they are: others were grown to keep the classes apart.
    ax
        The axes to draw on; None makes a figure.

    Returns
    -------
    matplotlib.axes.Axes
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
    # Small classes are drawn last: large ones must not hide them.
    for code in sorted(look.order, key=lambda code: -int((codes == code).sum())):
        x, up = points[codes == code].T
        ax.scatter(x, up, color=look.colours[code], marker=look.markers[code], **style)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_color(faint)
    ax.set_xlabel("first coordinate")
    ax.set_ylabel("second coordinate")
    told = ", out of bag" if out_of_bag else ""
    ax.set_title(f"{plural(len(points), 'row')}: near where trees keep them together{told}",
                 fontsize=11)  # fmt: skip
    if y is not None:
        class_legend(ax, look, loc="upper left", bbox_to_anchor=(1.0, 1.0), ncols=columns)
    return ax
