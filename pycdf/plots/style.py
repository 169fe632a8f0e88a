"""Styles shared by all plots: a look for each class, names that fit, axes to draw on.

Looks follow the sorted labels, so that a class looks the same in every plot and in every fit on the
same labels. Classes never differ by colour alone: points have markers, boxes and columns have
names. matplotlib is imported when a plot is drawn, so ``import pycdf.plots`` works without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy.typing as npt

from pycdf.forest.voting import sorted_codes
from pycdf.support.wording import one_line, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Chosen one after the other, each as far as possible from those before it in the worst case of
# normal, red-blind, green-blind and blue-blind vision; tests/plots/test_plots_style.py measures it.
_COLOURS = (
    "#0072B2", "#E69F00", "#882255", "#44AA99", "#7ADCF5", "#977000", "#B78FFF",
    "#20389F", "#CFD797", "#502800", "#B74070", "#EF7068", "#685800", "#301870",
)  # fmt: skip
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "*", ">", "p", "h", "d", "8")

INK = "#222222"
"""Text and lines."""
SOFT = "#6B6B6B"
"""Secondary text."""
FAINT = "#C9C9C9"
"""Grids, frames and absent values."""
NEUTRAL = "#4C72B0"
"""Bars and lines that belong to no class."""
LEGEND_NAME = 24
"""Maximum characters of a class name in a legend."""
_LONGEST_NAME = 200  # characters to which a name is extended to be distinct


class Inks(NamedTuple):
    """Colours of text and lines that are visible on the background."""

    ink: str
    soft: str
    faint: str


_ON_LIGHT, _ON_DARK = Inks(INK, SOFT, FAINT), Inks("#EEEEEE", "#B0B0B0", "#4D4D4D")


@dataclass(frozen=True)
class ClassLook:
    """How the classes of a model look; all fields but ``order`` are indexed by class code."""

    order: tuple[int, ...]
    """Class codes sorted by label: the order of legends and columns."""
    names: tuple[str, ...]
    colours: tuple[str, ...]
    markers: tuple[str, ...]


def class_look(classes: npt.NDArray[Any]) -> ClassLook:
    """The looks of the classes of a model (``model.classes``)."""
    order = tuple(int(code) for code in sorted_codes(classes))
    position = {code: at for at, code in enumerate(order)}
    n = len(order)
    colours, markers = class_colours(n), class_markers(n)
    return ClassLook(
        order=order,
        names=tuple(one_line(plain(label)) for label in classes),
        colours=tuple(colours[position[code]] for code in range(n)),
        markers=tuple(markers[position[code]] for code in range(n)),
    )


def class_colours(n: int) -> list[str]:
    """Colours for n classes, distinguishable for the colour-blind; they repeat after 14."""
    return [_COLOURS[i % len(_COLOURS)] for i in range(n)]


def class_markers(n: int) -> list[str]:
    """Markers for n classes, shifted when the colours repeat, so that the pairs differ."""
    return [_MARKERS[(i + i // len(_COLOURS)) % len(_MARKERS)] for i in range(n)]


def ink_on(colour: str) -> str:
    """The text colour that is easier to read on ``colour``: dark or white, by WCAG contrast."""
    from matplotlib.colors import to_rgb

    red, green, blue = (_linear(part) for part in to_rgb(colour))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return INK if (light + 0.05) ** 2 > 1.05 * (_linear(0x22 / 255) + 0.05) else "white"


def inks(ax: "Axes") -> Inks:
    """The inks for axes; light ones if the user's style has a dark background."""
    from matplotlib.colors import to_hex

    return _ON_LIGHT if ink_on(to_hex(_background(ax))) == INK else _ON_DARK


def _background(ax: "Axes") -> Any:
    """The colour behind axes: their own, or that of the figure if they are transparent."""
    from matplotlib.colors import to_rgba

    figure: Any = ax.figure  # a subfigure has a figure behind it
    colours = [to_rgba(behind.get_facecolor()) for behind in (ax, figure, figure.figure)]
    return next((colour for colour in colours if colour[3] > 0), "white")


def tint(colour: str, share: float, ax: "Axes | None" = None) -> str:
    """A colour mixed with white, or with the background of axes; ``share`` 1 is the colour."""
    from matplotlib.colors import to_hex, to_rgb

    background = to_rgb("white" if ax is None else _background(ax))
    red, green, blue = (
        other - share * (other - part)
        for part, other in zip(to_rgb(colour), background, strict=True)
    )
    return to_hex((red, green, blue))


def shorten(name: Any, width: int) -> str:
    """A name of at most ``width`` characters, shortened in the middle if it is longer.

    Both ends are kept, since names of probes and genes often differ only there.
    """
    return _cut(one_line(name), width)


def _cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    if width < 3:
        return text[:width]
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail].rstrip()}…{text[-tail:].lstrip()}"


def shorten_all(names: Sequence[Any], width: int) -> list[str]:
    """Shortened names that remain distinct: those that would look alike are kept longer.

    Names that are equal stay equal. Names that differ only in the middle of hundreds of characters
    get a number.
    """
    texts = [one_line(name) for name in names]
    shown = [_cut(text, width) for text in texts]
    longest = min(max((len(text) for text in texts), default=0), max(width, _LONGEST_NAME))
    for wider in range(width + 1, longest + 1):
        meant: dict[str, set[str]] = {}
        for short, text in zip(shown, texts, strict=True):
            meant.setdefault(short, set()).add(text)
        alike = [len(meant[short]) > 1 for short in shown]
        if not any(alike):
            break
        shown = [
            _cut(text, wider) if same else short
            for short, text, same in zip(shown, texts, alike, strict=True)
        ]
    return _numbered(shown, texts)


def _numbered(shown: list[str], texts: list[str]) -> list[str]:
    """Add a number to different texts that are still shown alike."""
    meant: dict[str, dict[str, int]] = {}
    for short, text in zip(shown, texts, strict=True):
        numbers = meant.setdefault(short, {})
        numbers.setdefault(text, len(numbers) + 1)
    return [
        f"{short} ({meant[short][text]})" if len(meant[short]) > 1 else short
        for short, text in zip(shown, texts, strict=True)
    ]


def literal(name: str) -> str:
    """A name with ``$`` escaped, so that matplotlib does not parse a formula."""
    return name.replace("$", r"\$")


def need_matplotlib() -> None:
    """Raise an error that says how to install matplotlib if it is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError(
            "pictures need matplotlib: install it with pip install matplotlib."
        ) from None


def new_axes(ax: "Axes | None", figsize: tuple[float, float]) -> "Axes":
    """The axes to draw on: ``ax``, or new ones in a pyplot figure, which notebooks show.

    If ``ax`` is given, pyplot is not imported, and the figure makes room for what is written there.
    """
    check_axes(ax)
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=figsize, layout="constrained")
        return figure.add_subplot()
    from pycdf.plots.neighbours import make_room

    make_room(ax)
    return ax


def check_axes(ax: Any) -> None:
    """Raise an error if nothing can be drawn; call it before long computations."""
    need_matplotlib()
    from matplotlib.axes import Axes

    if ax is not None and not isinstance(ax, Axes):
        raise TypeError(
            f"ax is {type(ax).__name__}: pass one matplotlib Axes, such as the second of "
            "plt.subplots(), or None for a new figure."
        )


def class_legend(ax: "Axes", look: ClassLook, **options: Any) -> None:
    """Add a legend of the class markers, in sorted order."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=look.colours[code], marker=look.markers[code], linestyle="none")
        for code in look.order
    ]
    names = shorten_all([look.names[code] for code in look.order], LEGEND_NAME)
    labels = [literal(name) for name in names]
    ax.legend(handles, labels, **{"frameon": False, "fontsize": 9, **options})


def _linear(part: float) -> float:
    """A component of an sRGB colour as linear light."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
