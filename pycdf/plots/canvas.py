"""A drawing in points that fits any axes, whose text scales with everything else.

:class:`Canvas` sets up matplotlib axes so that one unit is one point of the drawing, with the
origin at the top left; the axes keep the aspect ratio of the drawing. In axes of the drawing's own
size, text has its nominal size; in smaller ones everything shrinks together, so that a layout
without overlaps stays free of them. :func:`text_width` measures text before anything is drawn.
"""

import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.transforms import Bbox

_HINTED = 1.04  # hinting to whole pixels widens text by up to this factor, from 72 dpi upwards
_STEPS = 40  # points along a curved band

Align = Literal["left", "center", "right"]


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of text in points, including what hinting may add."""
    return _HINTED * size * _unit_width(text, bold, str(FontProperties().get_family()))


@lru_cache(maxsize=10_000)
def _unit_width(text: str, bold: bool, family: str) -> float:
    """The width at size 1; ``family`` is part of the cache key, since users may change fonts."""
    font = FontProperties(weight="bold" if bold else "normal", size=100)
    with warnings.catch_warnings():
        # matplotlib warns about missing glyphs again when they are drawn.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        width: float = text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
    return width / 100


def widest(names: Iterable[str], size: float) -> float:
    """The width of the widest name, in inches."""
    return max((text_width(name, size) for name in names), default=0.0) / 72


class ScaledText(Text):
    """Text whose size is given in units of its axes."""

    def __init__(self, x: float, y: float, text: str, size: float, **options: Any) -> None:
        # Names must not be parsed as formulas, by matplotlib or by TeX.
        super().__init__(x, y, text, parse_math=False, usetex=False, **options)
        self._units = size

    def _rescale(self) -> None:
        """Set the font size for the current scale of the axes."""
        if self.axes is None or self.figure is None:
            return
        (x0, _), (x1, _) = self.axes.transData.transform([(0.0, 0.0), (1.0, 0.0)])
        size = self._units * abs(x1 - x0) * 72 / self.figure.dpi
        if not np.isclose(size, self.get_fontsize(), rtol=1e-6):
            self.set_fontsize(size)

    def draw(self, renderer: "RendererBase") -> None:
        """Draw at the current scale."""
        self._rescale()
        super().draw(renderer)

    def get_window_extent(
        self, renderer: "RendererBase | None" = None, dpi: float | None = None
    ) -> "Bbox":
        """The extent at the current scale."""
        self._rescale()
        return super().get_window_extent(renderer, dpi)


class Canvas:
    """Axes in points, with x to the right and y downwards."""

    def __init__(self, ax: "Axes", width: float, height: float) -> None:
        self.ax = ax
        ax.set_axis_off()
        ax.set(xlim=(0, width), ylim=(height, 0), aspect="equal")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        colour: str,
        bold: bool = False,
        align: Align = "left",
        gid: str | None = None,
    ) -> None:
        """Draw a line of text, vertically centred at ``y``."""
        words = ScaledText(
            x, y + 0.36 * size, text, size, color=colour, ha=align, va="baseline", gid=gid,
            weight="bold" if bold else "normal", zorder=3,
        )  # fmt: skip
        self._add(words)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        face: str = "none",
        edge: str = "none",
        line: float = 0.8,
        gid: str | None = None,
    ) -> None:
        """Draw a rectangle, given its top left corner."""
        layer = 2.5 if face == "none" else 2.0
        self._add(
            Rectangle(
                (x, y),
                width,
                height,
                facecolor=face,
                edgecolor=edge,
                linewidth=line,
                gid=gid,
                zorder=layer,
            )
        )

    def band(
        self,
        start: tuple[float, float],
        bend: float,
        end: tuple[float, float],
        width: float,
        colour: str,
        gid: str | None = None,
    ) -> None:
        """Draw a band of constant width: straight down to ``bend``, then curved to ``end``."""
        (x0, y0), (x1, y1) = start, end
        t = np.linspace(0, 1, _STEPS)[:, np.newaxis]
        middle = (bend + y1) / 2
        one, two, three, four = np.array([(x0, bend), (x0, middle), (x1, middle), (x1, y1)])
        s = 1 - t
        line = s**3 * one + 3 * s**2 * t * two + 3 * s * t**2 * three + t**3 * four
        along = s**2 * (two - one) + 2 * s * t * (three - two) + t**2 * (four - three)
        across = along[:, ::-1] * (1, -1) / np.hypot(*along.T)[:, np.newaxis]
        one_side, other = line + width / 2 * across, line - width / 2 * across
        sides = np.vstack([one_side, other[::-1]])
        sides[:, 1] = sides[:, 1].clip(bend, y1)  # keeps a wide band in a tight bend off the boxes
        sides = np.vstack([(x0 + width / 2, y0), sides, (x0 - width / 2, y0)])
        self._add(
            Polygon(sides, facecolor=colour, edgecolor=colour, linewidth=0.3, zorder=1, gid=gid)
        )

    def _add(self, artist: "Artist") -> None:
        self.ax.add_artist(artist)
        artist.set_clip_on(False)
        artist.set_in_layout(False)  # all of it is inside the axes, and measuring it is slow
