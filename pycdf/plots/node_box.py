"""The box of a node: measured text and coloured areas, before it has a position.

A :class:`Box` has its size in points, its texts and coloured areas relative to its top left corner,
and the positions where the bands of its branches start. All kinds of boxes share a head (the class
of the branch, the number of the node, its rows and their classes as a bar). A split adds the table
of its centroids, a leaf its counts and vote, and a folded node the number of nodes below.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pycdf.plots.canvas import Align, Canvas, text_width
from pycdf.plots.nodes import Node, number_texts, p_text
from pycdf.plots.style import INK, SOFT, ClassLook, ink_on, shorten_all, tint
from pycdf.support.wording import plural

PValues = Mapping[tuple[int, int], float]
"""P-values by node number and rank of the feature; empty if none are shown."""
SIZE = 8.0
"""Font size in points."""
LINE = 12.0
"""Distance between lines, in points."""
COLUMN = 36.0
"""Minimum width of the column of a class, in points."""
BAND = 0.45
"""Strength of the class colour in a band, from 0 to 1."""
_LIGHT = 0.12  # the same for the cells of the table
_STRIP = 13.0  # height of a coloured strip across the box
_PAD = 6.0
_BAR = 7.0
_CLASS = 16  # maximum characters of a class name; the legend shows more
_SQUARE = 6.0


@dataclass(frozen=True)
class Words:
    """A line of text, vertically centred at ``y``."""

    x: float
    y: float
    text: str
    role: str
    colour: str = INK
    bold: bool = False
    align: Align = "left"


@dataclass(frozen=True)
class Area:
    """A coloured rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass
class Box:
    """The box of a node, with coordinates relative to its top left corner."""

    width: float
    height: float = 0.0
    words: list[Words] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    ports: dict[int, float] = field(default_factory=dict)
    """Where the band of each class starts, along the bottom edge."""

    def draw(self, canvas: Canvas, x: float, y: float, name: str) -> None:
        """Draw the box with its top left corner at (x, y); ``name`` prefixes the ids of parts."""
        canvas.box(x, y, self.width, self.height, face="white")
        for area in self.areas:
            canvas.box(x + area.x, y + area.y, area.width, area.height, face=area.colour)
        for words in filter(lambda words: words.text, self.words):
            canvas.text(
                x + words.x, y + words.y, words.text, SIZE, colour=words.colour, bold=words.bold,
                align=words.align, gid=f"{name}-{words.role}",
            )  # fmt: skip
        canvas.box(x, y, self.width, self.height, edge=SOFT, gid=name)


@dataclass(frozen=True)
class _Line:
    """A line of the table of a node: its label, and a text for each class."""

    role: str
    label: str
    cells: dict[int, str]
    shade: float = _LIGHT
    """Strength of the class colour in its cells."""
    p: str = ""
    """The p-value of the feature; in the first line, the title of that column."""


class BoxMaker:
    """Makes the boxes of a tree in the same style."""

    def __init__(
        self,
        look: ClassLook,
        features: Mapping[int, str],
        max_features: int | None,
        decimals: int | None,
        p_values: PValues,
    ) -> None:
        self.look = look
        self.features = features
        self.max_features = max_features
        self.decimals = decimals
        self.p_values = p_values
        self.names = shorten_all(look.names, _CLASS)

    def split(self, node: Node) -> Box:
        """A split node: a table of features x classes, and the rows of each branch."""
        lines = self._table(node)
        codes = list(node.centroids)
        cells = [text for line in lines for text in line.cells.values()]
        column = max(COLUMN, *(text_width(text, SIZE, True) + 1.5 * _PAD for text in cells))
        labels = max(text_width(line.label, SIZE) for line in lines) + 2 * _PAD
        right = _PAD  # width to the right of the columns
        if self.p_values:
            right += max(text_width(line.p, SIZE) for line in lines) + _PAD
        box = self._head(node, labels + len(codes) * column + right)
        table = box.width - right - len(codes) * column  # left edge of the first column
        lefts = {code: table + at * column for at, code in enumerate(codes)}
        for line in lines:
            middle = box.height + LINE / 2
            ink = INK if line.role.startswith("feature") else SOFT
            box.words.append(Words(_PAD, middle, line.label, line.role, ink))
            end = box.width - _PAD
            box.words.append(Words(end, middle, line.p, f"{line.role}-p", ink, align="right"))
            for code, left in lefts.items():
                colour = self.look.colours[code]
                taken = node.sent[code] > 0 or line.role != "nearest"
                background = tint(colour, line.shade if taken else _LIGHT)
                box.areas.append(Area(left, box.height, column, LINE, background))
                role = f"{line.role}-class{code}"
                text, ink = line.cells.get(code, ""), ink_on(background)
                if line.role.startswith("feature"):
                    end = left + column - 0.75 * _PAD
                    box.words.append(Words(end, middle, text, role, ink, align="right"))
                else:
                    bold = line.role != "rows"
                    centre = left + column / 2
                    box.words.append(Words(centre, middle, text, role, ink, bold, "center"))
            box.height += LINE
        box.ports = {code: left + column / 2 for code, left in lefts.items()}
        return box

    def _table(self, node: Node) -> list[_Line]:
        """The lines of the table of a node, from the class names to the rows of the branches."""
        codes = list(node.centroids)
        title = "p" if self.p_values else ""
        lines = [
            _Line("class", "", {code: self.names[code] for code in codes}, 1.0, title),
            _Line("rows", "rows", {code: f"{node.counts[code]:,}" for code in codes}),
        ]
        listed = node.features[: self.max_features]
        for rank, feature in enumerate(listed):
            values = [float(node.centroids[code][rank]) for code in codes]
            texts = number_texts(values, self.decimals)
            cells = dict(zip(codes, texts, strict=True))
            p = p_text(self.p_values[node.number, rank]) if self.p_values else ""
            lines.append(_Line(f"feature{rank}", self.features[feature], cells, p=p))
        if more := len(node.features) - len(listed):
            lines.append(_Line("more", f"… {more:,} more", {}))
        sent = {code: f"{rows:,}" for code, rows in node.sent.items()}
        return [*lines, _Line("nearest", "nearest", sent, BAND)]

    def leaf(self, node: Node) -> Box:
        """A leaf: its rows by class, and the class that it votes for."""
        counted = [(code, self.names[code], f"{count:,}") for code, count in node.counts.items()]
        vote = f"votes {self.names[node.vote]}"
        width = max(
            text_width(vote, SIZE, True) + 2 * _PAD,
            *(
                text_width(f"{name}   {count}", SIZE) + _SQUARE + 3 * _PAD
                for _, name, count in counted
            ),
        )
        box = self._head(node, width)
        for code, name, count in counted:
            middle = box.height + LINE / 2
            colour = self.look.colours[code]
            box.areas.append(Area(_PAD, middle - _SQUARE / 2, _SQUARE, _SQUARE, colour))
            box.words += [
                Words(_SQUARE + 1.5 * _PAD, middle, name, f"count-name{code}"),
                Words(box.width - _PAD, middle, count, f"count{code}", align="right"),
            ]
            box.height += LINE
        box.height += _PAD / 2
        self._strip(box, node.vote, vote, "vote")
        return box

    def folded(self, node: Node) -> Box:
        """A split node without its table."""
        text = f"… {plural(node.below, 'node')} below"
        box = self._head(node, text_width(text, SIZE) + 2 * _PAD)
        box.words.append(Words(box.width / 2, box.height + LINE / 2, text, "folded", SOFT,
                               align="center"))  # fmt: skip
        box.height += LINE + _PAD / 2
        return box

    def _head(self, node: Node, width: float) -> Box:
        """A box of at least this width, with the head that all kinds share."""
        number, rows = f"node {node.number}", plural(node.rows, "row")
        nearest = "" if node.branch_class < 0 else f"nearest: {self.names[node.branch_class]}"
        box = Box(
            max(
                width,
                text_width(f"{number}    {rows}", SIZE, True) + 2 * _PAD,
                text_width(nearest, SIZE, True) + 2 * _PAD,
            )
        )
        if nearest:
            self._strip(box, node.branch_class, nearest, "branch")
        middle = box.height + _PAD / 2 + LINE / 2
        box.words += [
            Words(_PAD, middle, number, "number", SOFT),
            Words(box.width - _PAD, middle, rows, "size", bold=True, align="right"),
        ]
        box.height = middle + LINE / 2 + 1
        left, length = _PAD, box.width - 2 * _PAD
        for code, count in node.counts.items():
            part = length * count / node.rows
            box.areas.append(Area(left, box.height, part, _BAR, self.look.colours[code]))
            left += part
        box.height += _BAR + _PAD / 2
        return box

    def _strip(self, box: Box, code: int, text: str, role: str) -> None:
        """Add a strip across the box in the colour of a class."""
        colour = self.look.colours[code]
        box.areas.append(Area(0, box.height, box.width, _STRIP, colour))
        box.words.append(Words(box.width / 2, box.height + _STRIP / 2, text, role, ink_on(colour),
                               True, "center"))  # fmt: skip
        box.height += _STRIP
