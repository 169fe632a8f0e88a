"""Bar charts of feature importance: contributions, selections, permutation, chance.

The most important feature is at the top.
"""

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pycdf.explain.arguments import whole
from pycdf.explain.chance import selection_chance
from pycdf.explain.contribution import contribution_table
from pycdf.explain.fitted import Classes, Fit, Rows
from pycdf.explain.importance import importance_table
from pycdf.explain.permutation import permutation_importance
from pycdf.explain.selection import selection_note
from pycdf.plots.bars import bar_axes, headed, name_bars, percent_axis
from pycdf.plots.style import NEUTRAL, check_axes, inks, tint
from pycdf.support.wording import plural
from pycdf.support.wording import shown as shown_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MEASURES = {"contribution": "contribution to the distances", "selection": "share of selections"}
_NOTE = 60  # characters of a line of a note
_CHANCE = ("selected", "expected", "shuffled", "p_adjusted")
_LEVEL = 0.05  # adjusted p-value below which a bar is dark


def plot_importance(
    fit: Fit, top: int = 30, *, by: str = "contribution", ax: "Axes | None" = None
) -> "Axes":
    """Draw what features contribute to the decisions, and how often they were selected.

    Bars are what the features are sorted by, marks the other measure; both are shares that sum to
    1 over all features. Where selections are chance (:func:`pycdf.explain.selection_note`), the
    picture says so: they are left out, or pale if they are the bars.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    top : int, default=30
        Maximum number of features, the largest bars first. Features without a bar are not shown.
    by : {"contribution", "selection"}, default="contribution"
        What the bars are: contributions to the distances by which rows are sent
        (:func:`pycdf.explain.contribution_table`), or shares of all selections, R's
        ``feature_importance``.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_importance
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_importance(fit, top=5)
    >>> ax.get_xlabel()
    'share (all features together: 100 %)'
    """
    if by not in _MEASURES:
        raise ValueError(f"by={shown_value(by)}: pass 'contribution' or 'selection'.")
    check_axes(ax)
    top = whole(top, "top")
    table = importance_table(fit).sort_values(by, ascending=False, kind="stable")
    if table[by].isna().any():
        contribution_table(fit)  # raises an error that says why there is none
    note = selection_note(fit)
    used = table[table[by] > 0]
    shown = used.head(top)
    ax = bar_axes(ax, shown.index)
    ink, _, _ = inks(ax)
    chance = by == "selection" and note is not None
    ax.barh(range(len(shown)), shown[by], color=tint(NEUTRAL, 0.35, ax) if chance else NEUTRAL,
            height=0.72, label=_MEASURES[by])  # fmt: skip
    (other,) = _MEASURES.keys() - {by}
    if (other == "contribution" or note is None) and not table[other].isna().any():
        ax.plot(shown[other], range(len(shown)), linestyle="none", marker="|", markersize=9,
                markeredgewidth=2, color=ink, label=_MEASURES[other])  # fmt: skip
    ax.axvline(1 / len(table), color=ink, linewidth=1, linestyle=(0, (4, 3)), label="all alike")
    ax.set_xlim(left=0)
    name_bars(ax, shown.index)
    percent_axis(ax)
    ax.set_xlabel("share (all features together: 100 %)")
    said = f"{len(used):,} of {plural(len(table), 'feature')} "
    said += "contribute" if by == "contribution" else "were selected"
    said += "" if len(shown) == len(used) else f"; the first {len(shown):,}"
    if note is not None and len(used):
        said += "\n" + textwrap.fill(note.partition(":")[0] + ".", _NOTE)
    headed(ax, said, lines=2 if len(ax.lines) > 1 else 1)
    return ax


def plot_permutation(
    fit: Fit | pd.DataFrame,
    X: Rows | None = None,
    y: Classes | None = None,
    *,
    top: int = 30,
    ax: "Axes | None" = None,
    **options: Any,
) -> "Axes":
    """Draw how much out-of-bag accuracy is lost when a feature is shuffled.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult, Model or DataFrame
        A fitted forest; or the table of :func:`pycdf.explain.permutation_importance`, passed alone.
    X, y : array-like or None, default=None
        The training rows and their labels, in their original order, if ``fit`` is a forest.
    top : int, default=30
        Maximum number of features, the most important first.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.
    **options
        Passed on to ``permutation_importance`` if it is called: ``n_repeats``, ``seed``,
        ``n_jobs``, ``progress``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_permutation
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_permutation(fit, X, y, top=5, seed=1)
    >>> ax.get_title()
    'The first 5 of 450 features by loss of accuracy'
    """
    check_axes(ax)
    top = whole(top, "top")
    table = _table(fit, permutation_importance, ("importance", "low", "high"), X, y, options)
    shown = table.head(top)
    ax = bar_axes(ax, shown.index)
    ink = inks(ax).ink
    values, low, high = (shown[name].to_numpy() for name in ("importance", "low", "high"))
    reach = [(values - low).tolist(), (high - values).tolist()]
    ax.barh(
        range(len(shown)), values, xerr=reach, color=NEUTRAL, height=0.72,
        error_kw={"ecolor": ink, "elinewidth": 1, "capsize": 2},
    )  # fmt: skip
    ax.axvline(0, color=ink, linewidth=1)
    name_bars(ax, shown.index)
    percent_axis(ax)
    ax.set_xlabel("out-of-bag accuracy that a tree loses by the shuffle (lines: 95 % interval)")
    ax.set_title(_first("features by loss of accuracy", len(shown), len(table)), fontsize=11)
    return ax


def plot_chance(
    fit: Fit | pd.DataFrame,
    X: Rows | None = None,
    y: Classes | None = None,
    *,
    top: int = 30,
    ax: "Axes | None" = None,
    **options: Any,
) -> "Axes":
    """Draw how often features were selected, next to how often chance would select them.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult, Model or DataFrame
        A fitted forest; or the table of :func:`pycdf.explain.selection_chance`, passed alone.
    X, y : array-like or None, default=None
        The training rows and their labels, in their original order, if ``fit`` is a forest.
    top : int, default=30
        Maximum number of features, the most selected first.
    ax : matplotlib Axes or None, default=None
        The axes to draw on. None makes a new figure.
    **options
        Passed on to ``selection_chance`` if it is called: ``n_repeats``, ``null``, ``seed``,
        ``n_jobs``, ``progress``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_chance
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_chance(fit, X, y, top=5, n_repeats=3, seed=1)
    >>> ax.get_title()
    'The first 5 of 450 features by selections'
    """
    check_axes(ax)
    top = whole(top, "top")
    table = _table(fit, selection_chance, _CHANCE, X, y, options)
    order = np.argsort(-table["selected"].to_numpy(), kind="stable")
    shown = table.iloc[order[:top]]
    ax = bar_axes(ax, shown.index)
    ink, soft, _ = inks(ax)
    sure = (shown["p_adjusted"] < _LEVEL).to_numpy()
    positions = np.arange(len(shown))
    for chosen, colour, label in (
        (sure, NEUTRAL, f"more often than by chance (p < {_LEVEL})"),
        (~sure, tint(NEUTRAL, 0.35, ax), "may well be chance"),
    ):
        if chosen.any():
            ax.barh(
                positions[chosen], shown["selected"][chosen], color=colour, height=0.72, label=label
            )
    ax.plot(
        shown["shuffled"], positions, linestyle="none", marker="|", markersize=9, markeredgewidth=2,
        color=ink, label="mean with shuffled labels",
    )  # fmt: skip
    ax.axvline(shown["expected"].iloc[0], color=ink, linewidth=1, linestyle=(0, (4, 3)),
               label="all selected alike")  # fmt: skip
    name_bars(ax, shown.index)
    reach = shown[["selected", "shuffled"]].max(axis=1)
    for at, (end, p) in enumerate(zip(reach, shown["p_adjusted"], strict=True)):
        ax.annotate(
            _p_text(p), (end, at), xytext=(5, 0), textcoords="offset points", va="center",
            fontsize=8, color=soft,
            bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip
    ax.set_xlim(0, reach.max() * 1.18)
    ax.set_xlabel("times selected (p: corrected for the number of features)")
    headed(ax, _first("features by selections", len(shown), len(table)), lines=2)
    return ax


def _table(
    fit: Fit | pd.DataFrame,
    make: Callable[..., pd.DataFrame],
    columns: tuple[str, ...],
    X: Rows | None,
    y: Classes | None,
    options: dict[str, Any],
) -> pd.DataFrame:
    """The table that was passed instead of a fit, or the one that ``make`` computes."""
    maker = make.__name__
    if isinstance(fit, pd.DataFrame):
        if lost := [name for name in columns if name not in fit.columns]:
            raise ValueError(f"the table has no column {lost[0]!r}: pass one of {maker}.")
        if X is not None or y is not None or options:
            raise TypeError(f"a table of {maker} needs no further arguments: pass it alone.")
        return fit
    if X is None or y is None:
        raise TypeError(f"pass a fit with its training rows, X and y, or a table of {maker}.")
    return make(fit, X, y, **options)


def _p_text(p: float) -> str:
    if p < 0.001:
        return "p < 0.001"
    text = f"{p:.2g}"
    # Rounding must not move it to the level that decides the colours.
    return f"p < {_LEVEL}" if p < _LEVEL <= float(text) else f"p = {text}"


def _first(what: str, shown: int, of: int) -> str:
    return f"{of:,} {what}" if shown == of else f"The first {shown:,} of {of:,} {what}"
