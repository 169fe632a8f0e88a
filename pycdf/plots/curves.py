"""Accuracy plotted against the number of trees, mtry and k."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.curves import parameter_curves
from pycdf.explain.fitted import Classes, Fit, Rows
from pycdf.explain.tree_curves import tree_curve
from pycdf.plots.bars import headed
from pycdf.plots.style import NEUTRAL, check_axes, inks, need_matplotlib, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OTHER = "#B35900"  # a second line colour beside NEUTRAL


def plot_tree_curve(
    fit: Fit | pd.DataFrame,
    X: Rows | None = None,
    y: Classes | None = None,
    X_test: Rows | None = None,
    y_test: Classes | None = None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the accuracy of the first 1, 2, 3, ... trees of a single fit.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult, Model or DataFrame
        A fitted forest; or the table of :func:`pycdf.explain.tree_curve`.
    X, y : array-like or None, default=None
        The training rows and their labels, in their original order, for the out-of-bag accuracy.
    X_test, y_test : array-like or None, default=None
        Other rows and their labels, for their accuracy.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_tree_curve
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_tree_curve(fit, X, y)
    >>> ax.get_legend_handles_labels()[1]
    ['out of bag, training rows: 82.7% with all']
    """
    check_axes(ax)
    if isinstance(fit, pd.DataFrame):
        if not {"oob_error", "accuracy"} & set(fit.columns):
            raise ValueError(
                "the table has no 'oob_error' and no 'accuracy': pass that of tree_curve."
            )
        table = fit
    else:
        table = tree_curve(fit, X, y, X_test, y_test)
    ax = new_axes(ax, (7.0, 4.0))
    if "oob_error" in table:
        _line(ax, table.index, 1 - table["oob_error"], NEUTRAL, "-", "out of bag, training rows")
    if "accuracy" in table:
        _line(ax, table.index, table["accuracy"], _OTHER, (0, (5, 2)), "other rows")
    _share_axis(ax)
    _end_at_all(ax)
    _whole_trees(ax)
    ax.set_xlim(1, max(len(table), 2))
    ax.set_xlabel("number of trees")
    ax.set_ylabel("accuracy")
    headed(ax, "Accuracy of the first trees of the forest", lines=1)
    return ax


def _line(ax: "Axes", x: Any, up: pd.Series, colour: str, dashes: Any, label: str) -> None:
    last = f"{label}: {up.iloc[-1]:.1%} with all"
    ax.plot(x, up, color=colour, linestyle=dashes, linewidth=1.6, label=last)


def _share_axis(ax: "Axes") -> None:
    """Show the y axis in per cent, with a light grid."""
    from matplotlib.ticker import PercentFormatter

    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.grid(color=inks(ax).faint, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def _end_at_all(ax: "Axes") -> None:
    """End the y axis at 100 %, since no accuracy is above it."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, min(high, 1 + 0.02 * (1 - low)), auto=None)


def _whole_trees(ax: "Axes") -> None:
    """Put ticks at whole numbers of trees only."""
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, steps=[1, 2, 5, 10]))


def plot_parameter_curves(
    table: Any, y: Classes | None = None, *, axes: Any = None, **options: Any
) -> npt.NDArray[np.object_]:
    """Draw the accuracy on random splits against ntrees, mtry and k: the paper's three figures.

    Dashed lines mark the values in use, those of the forests in which another parameter varies.

    Parameters
    ----------
    table : DataFrame or array-like
        The table of :func:`pycdf.explain.parameter_curves`; or rows, with their labels in ``y``.
    y : array-like or None, default=None
        Labels of the rows, if ``table`` are rows.
    axes : sequence of three matplotlib Axes or None, default=None
        The axes to draw on, such as those of ``plt.subplots(1, 3, sharey=True)``. None makes a new
        figure.
    **options
        Passed on to ``parameter_curves`` if it is called: ``splits``, ``seed``, and parameters of
        the forest.

    Returns
    -------
    ndarray of three matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import load_darwin
    >>> from pycdf.plots import plot_parameter_curves
    >>> X, y = load_darwin()
    >>> few = {"mtry_shares": [0.2, 1.0], "ks": [1, 2], "splits": 2, "ntrees": 3}
    >>> axes = plot_parameter_curves(X, y, **few)
    >>> axes[0].get_xlabel()
    'number of trees (ntrees)'
    """
    need_matplotlib()
    chosen = None if axes is None else _three_axes(axes)
    if not (isinstance(table, pd.DataFrame) and "parameter" in table and y is None):
        if y is None:
            raise TypeError("pass the table of parameter_curves, or rows and labels: X and y.")
        table = parameter_curves(table, y, **options)
    elif options:
        raise TypeError("a table of parameter_curves needs no further arguments: pass it alone.")
    if chosen is None:
        chosen = _new_three()
    used = table.attrs.get("in_use", {})
    panels = (
        ("ntrees", "value", "number of trees (ntrees)"),
        ("mtry", "share", "share of features drawn in a node (mtry)"),
        ("k", "value", "features selected in a node (k)"),
    )
    for ax, (parameter, column, label) in zip(chosen, panels, strict=True):
        part = table[table["parameter"] == parameter]
        error = part["std_error"].fillna(0.0)
        ax.fill_between(
            part[column], part["accuracy"] - error, part["accuracy"] + error, color=NEUTRAL,
            alpha=0.2, linewidth=0,
        )  # fmt: skip
        ax.plot(part[column], part["accuracy"], color=NEUTRAL, linewidth=1.6,
                marker="o" if len(part) <= 30 else "", markersize=4)  # fmt: skip
        if parameter in used:
            ax.axvline(used[parameter], color=inks(ax).ink, linewidth=1, linestyle=(0, (4, 3)),
                       label=f"in use: {_value(parameter, used[parameter])}")  # fmt: skip
            ax.legend(loc="lower right", bbox_to_anchor=(1, 1), frameon=False, fontsize=9,
                      borderaxespad=0.2)  # fmt: skip
        _share_axis(ax)
        ax.set_xlabel(label)
    for ax in chosen:
        _end_at_all(ax)  # after all are drawn, since they may share the y axis
    _whole_trees(chosen[0])
    chosen[1].xaxis.set_major_formatter("{x:.0%}")
    _whole_number_axis(chosen[2], table.loc[table["parameter"] == "k", "value"])
    chosen[0].set_ylabel("accuracy on rows left out\n(band: standard error)")
    return chosen


def _value(parameter: str, value: float) -> str:
    """The value of a parameter as its axis shows it."""
    return f"{value:.0%}" if parameter == "mtry" else f"{value:,}"


def _new_three() -> npt.NDArray[np.object_]:
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(11.0, 3.6), layout="constrained")
    return np.asarray(figure.subplots(1, 3, sharey=True), dtype=object)


def _three_axes(axes: Any) -> npt.NDArray[np.object_]:
    from matplotlib.axes import Axes

    chosen = np.asarray(axes, dtype=object).ravel()
    if len(chosen) != 3 or not all(isinstance(ax, Axes) for ax in chosen):
        raise TypeError("axes: pass three matplotlib Axes, such as those of plt.subplots(1, 3).")
    from pycdf.plots.neighbours import make_room

    make_room(chosen[0])
    return chosen


def _whole_number_axis(ax: "Axes", values: pd.Series) -> None:
    """Make the x axis logarithmic, with ticks at the numbers that were tried."""
    from matplotlib.ticker import FixedLocator, NullLocator

    ax.set_xscale("log")
    ticks = sorted(set(values.astype(int)))
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter("{x:.0f}")
