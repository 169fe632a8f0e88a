"""The confusion matrix as a heat map.

The shade of a cell is a share of its row, so that small classes are comparable with large ones; the
number in it counts rows.
"""

from typing import TYPE_CHECKING, Any, overload

import numpy as np
import pandas as pd

from pycdf.explain.confusion_matrix import confusion, confusion_of_codes
from pycdf.explain.fitted import Classes, Fit, Rows
from pycdf.explain.row_votes import row_votes
from pycdf.inputs.kinds import LabelList
from pycdf.plots.style import (
    FAINT,
    INK,
    check_axes,
    ink_on,
    inks,
    literal,
    new_axes,
    shorten_all,
)
from pycdf.support.wording import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = 22  # maximum characters of a class name


@overload
def plot_confusion(
    fit: Fit, X: Rows, y: Classes, *, out_of_bag: bool = ..., ax: "Axes | None" = ...
) -> "Axes": ...
@overload
def plot_confusion(fit: LabelList, X: LabelList, *, ax: "Axes | None" = ...) -> "Axes": ...
def plot_confusion(
    fit: Any,
    X: Any,
    y: Any = None,
    *,
    out_of_bag: bool = False,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the confusion matrix of a fit, or of labels and predictions.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult, Model or array-like
        A fitted forest; or the true labels, as in ``plot_confusion(y, predicted)``.
    X : DataFrame or array-like
        Rows with the columns of the training data; or the predicted labels.
    y : array-like or None, default=None
        The labels of the rows; None if labels and predictions were passed.
    out_of_bag : bool, default=False
        Whether X are the training rows in their original order, to be predicted only by the trees
        that did not draw them. With False, training rows in X are also predicted by the trees that
        were grown on them, and a :class:`pycdf.TrainingRowsWarning` says how good they are out of
        bag.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_confusion
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_confusion(fit, X, y, out_of_bag=True)
    >>> ax.get_title()
    '143 of 173 rows right (82.7%), out of bag; 1 in every bag'
    """
    if y is None:
        if out_of_bag:
            raise TypeError("out_of_bag=True needs a fit: pass fit, X and y.")
        table = confusion(fit, X)
        right, n = int(np.trace(table.to_numpy())), int(table.to_numpy().sum())
        title = f"{right:,} of {plural(n, 'row')} right ({right / n:.1%})"
    else:
        judged = row_votes(fit, X, y, out_of_bag=out_of_bag)
        table, title = (
            confusion_of_codes(judged.codes, judged.found, judged.classes),
            judged.headline(),
        )
    return draw_confusion(table, title, ax)


def draw_confusion(table: pd.DataFrame, title: str, ax: "Axes | None" = None) -> "Axes":
    """Draw a table of :func:`pycdf.explain.confusion`."""
    counts = table.to_numpy()
    n = len(counts)
    size = 10 if n <= 8 else 9 if n <= 16 else 7
    names = shorten_all(table.index.tolist(), _NAME)
    check_axes(ax)
    from matplotlib import colormaps
    from matplotlib.colors import to_hex
    from matplotlib.patches import Rectangle

    from pycdf.plots.canvas import widest

    long = max(0.0, widest(names, size) - 0.6)
    ax = new_axes(ax, (min(3.6 + 0.5 * n, 16) + long, min(2.4 + 0.46 * n, 15) + 0.7 * long))

    total = counts.sum(axis=1)
    share = np.divide(counts, total[:, np.newaxis], where=total[:, np.newaxis] > 0,
                      out=np.zeros(counts.shape))  # fmt: skip
    shades = colormaps["Blues"]
    image = ax.imshow(share, cmap=shades, vmin=0, vmax=1, aspect="auto")
    for i, j in np.ndindex(n, n):
        quiet = i != j and counts[i, j] == 0
        ink = FAINT if quiet else ink_on(to_hex(shades(share[i, j])))
        ax.text(j, i, f"{counts[i, j]:,}", ha="center", va="center", fontsize=size, color=ink,
                in_layout=False)  # fmt: skip
    for i in range(n):  # correct predictions
        ax.add_patch(Rectangle((i - 0.5, i - 0.5), 1, 1, fill=False, edgecolor=INK, zorder=2.6))
    steep = max(map(len, names)) > (10 if n <= 4 else 3)
    names = [literal(name) for name in names]
    ax.set_xticks(range(n), names, fontsize=size, rotation=45 if steep else 0,
                  ha="right" if steep else "center", rotation_mode="anchor")  # fmt: skip
    ax.set_yticks(
        range(n), [f"{name} ({count:,})" for name, count in zip(names, total, strict=True)],
        fontsize=size,
    )  # fmt: skip
    ax.set_xticks(np.arange(n - 1) + 0.5, minor=True)
    ax.set_yticks(np.arange(n - 1) + 0.5, minor=True)
    ax.grid(visible=False)  # grid lines of a style would run through the numbers
    ax.grid(which="minor", color=FAINT, linewidth=0.6)
    ax.tick_params(which="both", length=0)
    ax.set_xlabel("predicted class")
    ax.set_ylabel("true class (rows)")
    ax.set_title(title, fontsize=11)
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.05, pad=0.02)
    bar.set_label("share of the true class", color=inks(ax).soft)
    bar.outline.set_visible(False)
    bar.ax.yaxis.set_major_formatter("{x:.0%}")
    return ax
