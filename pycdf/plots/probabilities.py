"""Histograms, one per class, of the share of trees that vote for a row's own class.

Bars of correctly predicted rows are solid, those of wrongly predicted ones light and hatched.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.fitted import Classes, Fit, Rows
from pycdf.explain.row_votes import RowVotes, row_votes
from pycdf.plots.style import (
    INK,
    SOFT,
    check_axes,
    class_look,
    inks,
    literal,
    new_axes,
    shorten_all,
    tint,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]
_BINS = 20
_NAME = 22
_TALLEST = 0.8  # height of the tallest bar; 1 is the distance between classes


def own_class_counts(judged: RowVotes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Rows by class and share of votes for that class, in bins of 5 %: all, and correct ones.

    A bin includes its lower bound, the last one also 1.
    """
    n = len(judged.classes)
    # Integer arithmetic puts a share of 0.15 into the same bin on every machine.
    own = judged.votes[np.arange(len(judged.codes)), judged.codes]
    bins = np.minimum(own * _BINS // judged.votes.sum(axis=1), _BINS - 1)
    cell = judged.codes * _BINS + bins
    right = judged.found == judged.codes
    every, good = (
        np.bincount(which, minlength=n * _BINS).reshape(n, _BINS) for which in (cell, cell[right])
    )
    return every, good


def plot_probabilities(
    fit: Fit, X: Rows, y: Classes, *, out_of_bag: bool = False, ax: "Axes | None" = None
) -> "Axes":
    """Draw, class by class, the share of trees that vote for a row's own class.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like
        Rows with the columns of the training data.
    y : array-like
        The labels of the rows.
    out_of_bag : bool, default=False
        Whether X are the training rows in their original order, to be predicted only by the trees
        that did not draw them.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_probabilities
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_probabilities(fit, X, y, out_of_bag=True)
    >>> ax.get_title()
    '143 of 173 rows right (82.7%), out of bag; 1 in every bag'
    """
    judged = row_votes(fit, X, y, out_of_bag=out_of_bag)
    every, good = own_class_counts(judged)
    look = class_look(judged.classes)
    n = len(look.order)
    names = shorten_all([look.names[code] for code in look.order], _NAME)
    check_axes(ax)
    from pycdf.plots.canvas import widest  # imports matplotlib

    ax = new_axes(ax, (max(7.0, 5.6 + widest(names, 10)), 1.9 + 0.6 * max(n, 3)))
    _, soft, faint = inks(ax)
    for at, code in enumerate(look.order):
        floor, colour = n - 1 - at, look.colours[code]
        scale = _TALLEST / max(int(every[code].max()), 1)
        _bars(ax, good[code] * scale, floor, color=colour)
        _bars(ax, (every[code] - good[code]) * scale, floor + good[code] * scale,
              color=tint(colour, 0.25), hatch="///")  # fmt: skip
        ax.axhline(floor, color=faint, linewidth=0.8, zorder=0)
        ax.annotate(
            f"{good[code].sum():,} of {every[code].sum():,} right", (1, floor),
            xycoords=("axes fraction", "data"), xytext=(6, 6), textcoords="offset points",
            fontsize=9, color=soft,
        )  # fmt: skip
    (half,) = ax.plot([0.5, 0.5], [0, n - 0.05], color=soft, linewidth=1, linestyle=(0, (4, 3)))
    ax.set_yticks(np.arange(n)[::-1] + _TALLEST / 3, [literal(name) for name in names])
    ax.set_xlim(0, 1)
    ax.set_ylim(-0.05, n)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False)
    ax.xaxis.set_major_formatter("{x:.0%}")
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.set_xlabel(
        "share of trees that vote for the row's own class\n(heights: each class to its own scale)"
    )
    ax.set_ylabel("true class")
    ax.set_title(judged.headline(), fontsize=11, pad=23)  # above the legend
    _legend(ax, half)
    return ax


def _bars(ax: "Axes", heights: Floats, floor: Any, **look: Any) -> None:
    """Draw bars over the bins that have any rows."""
    there = heights > 0
    ax.bar(
        (np.arange(_BINS) / _BINS)[there], heights[there], 1 / _BINS,
        np.broadcast_to(floor, heights.shape)[there], align="edge", edgecolor=INK, linewidth=0.7,
        **look,
    )  # fmt: skip


def _legend(ax: "Axes", half: Any) -> None:
    from matplotlib.patches import Patch

    ax.legend(
        [Patch(facecolor=SOFT, edgecolor=INK),
         Patch(facecolor=tint(SOFT, 0.25), edgecolor=INK, hatch="///"), half],
        ["predicted right", "predicted wrong", "half of the trees"],
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, fontsize=9,
        borderaxespad=0.2,
    )  # fmt: skip
