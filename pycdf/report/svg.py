"""Pictures as SVG inside the page: shapes and text that follow the styles of the page.

A picture has a size in its own units and is scaled to the width that it gets. Text stays text: it
can be selected, searched for and read aloud.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pycdf.plots.style import ClassLook
from pycdf.report.page import Html, html, name

# Outlines of the markers of plots.style, in a square from -1 to 1; "o" is a circle.
_OUTLINES = {
    "s": "-.85,-.85 .85,-.85 .85,.85 -.85,.85",
    "^": "0,-1.1 1,.75 -1,.75",
    "v": "0,1.1 1,-.75 -1,-.75",
    "<": "-1.1,0 .75,-1 .75,1",
    ">": "1.1,0 -.75,-1 -.75,1",
    "D": "0,-1.15 1.15,0 0,1.15 -1.15,0",
    "d": "0,-1.25 .75,0 0,1.25 -.75,0",
    "P": "-.35,-1 .35,-1 .35,-.35 1,-.35 1,.35 .35,.35 .35,1 -.35,1 -.35,.35 -1,.35 -1,-.35"
    " -.35,-.35",
    "X": "-.95,-.5 -.5,-.95 0,-.45 .5,-.95 .95,-.5 .45,0 .95,.5 .5,.95 0,.45 -.5,.95 -.95,.5"
    " -.45,0",
}


def _star(points: int, inner: float, start: float = -90.0) -> str:
    """A regular polygon (``inner`` 1) or star with so many corners."""
    corners = []
    for i in range(points * (1 if inner == 1 else 2)):
        angle = np.radians(start + i * (360 if inner == 1 else 180) / points)
        radius = 1.1 if inner == 1 or i % 2 == 0 else 1.1 * inner
        corners.append(f"{radius * np.cos(angle):.2f},{radius * np.sin(angle):.2f}")
    return " ".join(corners)


_OUTLINES |= {"*": _star(5, 0.45), "p": _star(5, 1), "h": _star(6, 1), "8": _star(8, 1, -67.5)}


class Svg:
    """A picture of ``width`` x ``height`` units, with y downwards."""

    def __init__(self, width: float, height: float, alt: str) -> None:
        self.width, self.height, self.alt = width, height, alt
        self._parts: list[str] = []

    def add(self, tag: str, kind: str = "", content: Any = None, **values: Any) -> None:
        """Add an element of the CSS class ``kind``, with text or elements in it."""
        attributes = f' class="{kind}"' if kind else ""
        for key, value in values.items():
            text = _short(value) if isinstance(value, float) else html(value)
            attributes += f' {key.replace("_", "-")}="{text}"'
        end = "/>" if content is None else f">{html(content)}</{tag}>"
        self._parts.append(f"<{tag}{attributes}{end}")

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str = "") -> None:
        """Add a straight line."""
        self.add("line", kind, x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2))

    def curve(self, points: Iterable[tuple[float, float]], kind: str = "", **values: Any) -> None:
        """Add a line through points."""
        path = " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
        self.add("polyline", f"curve {kind}".rstrip(), points=path, **values)

    def box(self, x: float, y: float, width: float, height: float, kind: str = "",
            **values: Any) -> None:  # fmt: skip
        """Add a rectangle, given its top left corner."""
        self.add("rect", kind, x=float(x), y=float(y), width=float(width), height=float(height),
                 **values)  # fmt: skip

    def text(self, x: float, y: float, text: Any, kind: str = "", **values: Any) -> None:
        """Add a line of text, from its base line; the classes mid and end align it."""
        self.add("text", kind, text, x=float(x), y=float(y), **values)

    def marker(
        self, x: float, y: float, shape: str, size: float, colour: str, kind: str = "mark",
        tip: str | None = None,
    ) -> None:  # fmt: skip
        """Add a marker of :mod:`pycdf.plots.style`; ``tip`` appears when it is pointed at."""
        content = None if tip is None else Html(f"<title>{html(tip)}</title>")
        if shape == "o":
            self.add("circle", kind, content, cx=float(x), cy=float(y), r=float(size), fill=colour)
            return
        moved = f"translate({_short(x)} {_short(y)}) scale({_short(size)})"
        self.add("polygon", kind, content, points=_OUTLINES[shape], transform=moved, fill=colour)

    def html(self, kind: str = "") -> Html:
        """The picture as an element of the page; screen readers read its ``alt``."""
        of_kind = f' class="{kind}"' if kind else ""
        content = "\n".join(self._parts)
        return Html(
            f'<svg{of_kind} viewBox="0 0 {_short(self.width)} {_short(self.height)}" '
            f'style="--width:{_short(self.width)}px" role="img" aria-label="{html(self.alt)}">\n'
            f"{content}\n</svg>"
        )


def class_legend(look: ClassLook, counts: Sequence[int] | None = None) -> Html:
    """The markers of the classes with their names and, if given, numbers of rows."""
    lines = []
    for code in look.order:
        svg = Svg(12, 12, "")
        svg.marker(6, 6, look.markers[code], 4.4, look.colours[code])
        drawn = svg.html().replace('role="img" aria-label=""', 'aria-hidden="true"')
        rows = "" if counts is None else f" ({counts[code]:,})"
        lines.append(f"<li>{drawn}{name(look.names[code])}{rows}</li>")
    return Html(f'<ul class="legend">{"".join(lines)}</ul>')


def _short(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
