"""``plot_centroids``: how the classes differ on the features that the forest selects most.

The heat map has a row for each feature and a column for each class, and shows the numbers of
:func:`pycdf.explain.class_profiles`.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.fitted import Classes, Fit, Rows, model_of
from pycdf.explain.profiles import Profiles, class_profiles
from pycdf.forest.contributions import has_contributions
from pycdf.plots.nodes import number_texts
from pycdf.plots.style import (
    FAINT,
    check_axes,
    class_look,
    ink_on,
    inks,
    literal,
    new_axes,
    shorten_all,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

Floats = npt.NDArray[np.float64]

_NAME, _CLASS = 32, 18  # maximum characters of feature and class names
_NUMBERS = 6  # classes; with more of them, cells have no numbers
_MAP = "RdBu_r"  # blue, white, red: distinguishable in every kind of colour blindness


def plot_centroids(
    fit: Fit,
    top: int = 30,
    *,
    X: Rows | None = None,
    y: Classes | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the class centroids on the features that contribute most, as a heat map.

    With rows and labels, colours are class means in standard deviations of the feature from its
    overall mean, and show how far the classes are apart. Without them, colours are distances from
    the average of the class centroids, the largest of each feature in full colour. They show which
    classes are high and low, but not how clearly, since a forest does not store how far rows
    scatter. Numbers, for up to 6 classes, are the class means in the units of the feature.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    top : int, default=30
        Maximum number of features, those that contribute most first
        (:func:`pycdf.explain.contribution_table`).
    X, y : array-like or None, default=None
        Rows and labels to average, such as those of training. None uses the centroids in the roots
        of the trees (see :func:`pycdf.explain.class_profiles`).
    ax : matplotlib Axes or None, default=None
        The axes to draw on; the colour bar takes space from them. None makes a figure as large as
        the names need.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_centroids
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_centroids(fit, top=5, X=X, y=y)
    >>> ax.get_title(loc="left")
    'Class centroids of the rows given'
    """
    known = has_contributions(model_of(fit))
    by = "contribution" if known else "selection"
    profiles = class_profiles(fit, top, X=X, y=y, by=by)
    names = shorten_all(profiles.features.tolist(), _NAME)
    look = class_look(profiles.classes)
    classes = shorten_all(look.names, _CLASS)
    n_features, n_classes = profiles.scaled.shape
    upright = n_classes <= _NUMBERS and max(map(len, classes)) <= 10
    numbers = n_classes <= _NUMBERS
    check_axes(ax)
    from pycdf.plots.canvas import widest  # imports matplotlib

    ax = new_axes(
        ax,
        (
            2.4 + widest(names, 8) + (0.75 if numbers else 0.34) * n_classes,
            1.0 + 0.22 * max(n_features, 9) + (0.0 if upright else 0.7 * widest(classes, 9)),
        ),
    )
    most = 1.0 if X is None else float(np.nanmax(np.abs(profiles.scaled))) or 1.0
    values = np.ma.masked_invalid(profiles.scaled)
    image = ax.imshow(values, cmap=_colours(), vmin=-most, vmax=most, aspect="auto")
    _label(ax, names, classes, look.colours, upright)
    ax.set_ylabel(f"features by {by}", color=inks(ax).soft, fontsize=9)
    ax.set_facecolor(FAINT)  # a class without a row
    if numbers:
        _write_numbers(ax, image, profiles)
    _add_scale(ax, image, from_rows=X is not None)
    source = "of the rows given" if X is not None else "in the roots of the trees"
    ax.set_title(f"Class centroids {source}", loc="left", fontsize=11, pad=10)
    return ax


def _colours() -> "Colormap":
    """Blue, white, red without the dark ends, on which numbers are hard to read."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps[_MAP](np.linspace(0.1, 0.9, 256)))


def _label(
    ax: "Axes", names: list[str], classes: list[str], colours: tuple[str, ...], upright: bool
) -> None:
    """Write feature names on the left, and class names on top above a strip in their colours."""
    from matplotlib.transforms import offset_copy

    ax.set_yticks(range(len(names)), [literal(name) for name in names], fontsize=8)
    slanted: dict[str, Any] = (
        {} if upright else {"rotation": 45, "ha": "left", "rotation_mode": "anchor"}
    )
    ax.set_xticks(range(len(classes)), [literal(name) for name in classes], fontsize=9, **slanted)
    ax.tick_params(length=0)
    ax.tick_params(axis="x", top=False, labeltop=True, bottom=False, labelbottom=False, pad=9)
    ax.spines[:].set_visible(False)
    ax.set_xticks(np.arange(len(classes) + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(names) + 1) - 0.5, minor=True)
    ax.grid(visible=False)  # grid lines of a style would run through the numbers
    ax.grid(which="minor", color="white", linewidth=0.8)
    ax.tick_params(which="minor", length=0)
    figure: Any = ax.figure
    above = offset_copy(ax.get_xaxis_transform(), figure, y=3.5, units="points")
    for at, colour in enumerate(colours):
        ax.plot(
            [at - 0.49, at + 0.49], [1, 1], color=colour, linewidth=5, solid_capstyle="butt",
            transform=above, clip_on=False,
        )  # fmt: skip
    ax.set(xlim=(-0.5, len(classes) - 0.5), ylim=(len(names) - 0.5, -0.5))


def _write_numbers(ax: "Axes", image: Any, profiles: Profiles) -> None:
    """Write the class means into the cells."""
    from matplotlib.colors import to_hex

    for row, means in enumerate(profiles.means):
        for column, text in enumerate(number_texts(means.tolist(), None)):
            scaled = profiles.scaled[row, column]
            background = to_hex(image.cmap(image.norm(scaled)))
            if not np.isfinite(scaled):
                text, background = "–", FAINT
            ink = ink_on(background)
            ax.text(column, row, text, fontsize=7, color=ink, ha="center", va="center")


def _add_scale(ax: "Axes", image: Any, from_rows: bool) -> None:
    """Add a colour bar that explains the colours."""
    figure: Any = ax.figure
    bar = figure.colorbar(image, ax=ax, fraction=0.1, pad=0.03, aspect=35)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, length=2)
    if from_rows:
        bar.set_label("standard deviations\nfrom the feature's mean", fontsize=8)
    else:
        bar.set_ticks([-1, 0, 1], labels=["furthest\nbelow", "mean of\nclasses", "furthest\nabove"])
        bar.set_label("class centroid, feature by feature", fontsize=8)
