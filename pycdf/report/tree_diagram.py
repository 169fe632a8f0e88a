"""One tree as a diagram from left to right, which fits the width of a page and grows downwards.

A box is a node: its rows, the first features that it selected, and a bar of its classes. Bands lead
to the next nodes, in the colour of the class whose centroid is nearest, and are as wide as their
share of the rows.
"""

from collections.abc import Sequence

from pycdf.plots.layout import tidy_centres
from pycdf.plots.nodes import Node
from pycdf.plots.style import ClassLook, shorten, shorten_all
from pycdf.report.labels import text_width
from pycdf.report.page import Html
from pycdf.report.svg import Svg
from pycdf.support.wording import plural

_SIZE, _SMALLEST = 11.0, 8.5  # of the letters, and of those of a text that is too long
_BOX, _GAP, _EDGE = 124.0, 44.0, 4.0  # width of a box, and between boxes; margin
_LINE, _BAR, _PAD = 13.0, 6.0, 5.0
_BETWEEN = 9.0  # between boxes above each other
_BAND = 26.0  # width of a band with all rows
_NAMES = 3  # features that are listed in a node
_LETTERS = 18  # of a name
_MOST = 60  # boxes


class Lines:
    """The text of a box, and its height."""

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        self.title, self.lines = title, lines
        self.height = _LINE * (1 + len(lines)) + _BAR + 2 * _PAD


def shown_depth(nodes: Sequence[Node]) -> int:
    """The depth down to which a tree is drawn: all of it, unless it has too many nodes."""
    deepest = max(node.depth for node in nodes)
    for depth in range(deepest, 1, -1):
        if sum(node.depth <= depth for node in nodes) <= _MOST:
            return depth
    return min(1, deepest)


def tree_diagram(
    nodes: Sequence[Node], look: ClassLook, features: dict[int, str], alt: str
) -> Html:
    """Draw the nodes of :func:`pycdf.plots.nodes.read_tree`; ``features`` are names by number."""
    depth = shown_depth(nodes)
    drawn = [node for node in nodes if node.depth <= depth]
    place = {node.number: at for at, node in enumerate(drawn)}
    parents = [place.get(node.parent, -1) for node in drawn]
    boxes = [_lines(node, look, features, node.depth == depth) for node in drawn]
    centres = tidy_centres(parents, [box.height for box in boxes], _BETWEEN) + _EDGE
    height = max(y + box.height / 2 for y, box in zip(centres, boxes, strict=True)) + _EDGE
    svg = Svg(2 * _EDGE + _BOX + depth * (_BOX + _GAP), height, alt)
    for at, node in enumerate(drawn):
        if parents[at] >= 0:
            parent = drawn[parents[at]]
            start = _branch_start(drawn, parents, at, float(centres[parents[at]]), nodes[0].rows)
            _band(svg, _x(parent) + _BOX, start, _x(node), float(centres[at]),
                  _width(node, nodes[0].rows), look.colours[node.branch_class])  # fmt: skip
    for at, node in enumerate(drawn):
        _box(svg, node, boxes[at], _x(node), float(centres[at]) - boxes[at].height / 2, look)
    return svg.html("tree")


def _x(node: Node) -> float:
    return _EDGE + node.depth * (_BOX + _GAP)


def _lines(node: Node, look: ClassLook, features: dict[int, str], last: bool) -> Lines:
    rows = plural(node.rows, "row")
    if node.vote >= 0:
        return Lines(_shortened(f"→ {look.names[node.vote]}"), [rows])
    if last and node.below:
        return Lines(rows, [f"{plural(node.below, 'node')} below"])
    names = shorten_all([features[one] for one in node.features[:_NAMES]], _LETTERS)
    names = [_shortened(one) for one in names]
    more = len(node.features) - len(names)
    return Lines(rows, [*names, *([f"and {more:,} more"] if more > 0 else [])])


def _shortened(text: str) -> str:
    """A text of so many letters that it can be read in a box: fewer if they are wide."""
    for letters in range(_LETTERS, 3, -1):
        short = shorten(text, letters)
        if text_width(short, _SMALLEST) <= _BOX - 2 * _PAD:
            break
    return short


def _width(node: Node, rows: int) -> float:
    return max(1.2, _BAND * node.rows / rows)


def _branch_start(
    drawn: Sequence[Node], parents: Sequence[int], at: int, centre: float, rows: int
) -> float:
    """Where the band to a node starts: bands leave a box one below the other."""
    siblings = [other for other, parent in enumerate(parents) if parent == parents[at]]
    widths = [_width(drawn[other], rows) for other in siblings]
    above = sum(widths[: siblings.index(at)])
    return centre - sum(widths) / 2 + above + widths[siblings.index(at)] / 2


def _band(svg: Svg, x0: float, y0: float, x1: float, y1: float, width: float, colour: str) -> None:
    middle = (x0 + x1) / 2
    svg.add("path", "band", d=f"M{x0:.1f},{y0:.1f} C{middle:.1f},{y0:.1f} {middle:.1f},{y1:.1f} "
            f"{x1:.1f},{y1:.1f}", stroke=colour, stroke_width=width)  # fmt: skip


def _box(svg: Svg, node: Node, lines: Lines, x: float, y: float, look: ClassLook) -> None:
    svg.box(x, y, _BOX, lines.height, "node", rx=3)
    at = y + _PAD + _LINE - 3
    svg.text(x + _PAD, at, lines.title, "bold", **_fit(lines.title))
    for text in lines.lines:
        at += _LINE
        svg.text(x + _PAD, at, text, **_fit(text))
    start, top = x + _PAD, y + lines.height - _PAD - _BAR + 2
    space = _BOX - 2 * _PAD
    for code, count in node.counts.items():
        width = space * count / node.rows
        svg.box(start, top, width, _BAR, fill=look.colours[code])
        start += width


def _fit(text: str, space: float = _BOX - 2 * _PAD) -> dict[str, str]:
    """Smaller letters for a text that might leave its box, whatever font there is."""
    width = text_width(text, _SIZE)
    return {} if width <= space else {"style": f"font-size:{_SIZE * space / width:.1f}px"}
