"""The layout of a tree: its boxes, bands, legend and notes, each at its position.

The size of the drawing is known before there are axes to draw it on.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pycdf.forest.model import STANDARDISED
from pycdf.plots.canvas import Canvas, text_width
from pycdf.plots.layout import tidy_centres
from pycdf.plots.node_box import BAND, COLUMN, LINE, SIZE, BoxMaker, PValues
from pycdf.plots.nodes import Node
from pycdf.plots.style import ClassLook, shorten, shorten_all, tint
from pycdf.support.options import option

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEGEND_NAME = 40  # maximum characters of a class name
_LEGEND = "class  "
_SQUARE = 9.0
_LONGEST = 120.0  # inches: the longest side of a figure
_BETWEEN = 16.0  # points between neighbouring boxes
_MARGIN = 6.0
_TITLE_SIZE, _TITLE_HEIGHT = 11.0, 26.0
_THIN = 1.2  # minimum width of a band, in points
_GAP = (40.0, 110.0)  # points between levels; larger if bands go far sideways
_SWING = 0.15


class TreePicture:
    """A drawing of a tree, measured in points."""

    def __init__(
        self,
        nodes: Sequence[Node],
        look: ClassLook,
        features: Mapping[int, str],
        max_features: int | None,
        decimals: int | None,
        title: str,
        p_values: PValues,
        scaled: bool,
        leaf_note: str,
    ) -> None:
        self.nodes = nodes
        self.look = look
        self.title = title
        self.p_values = p_values
        self.scaled = scaled
        self.leaf_note = leaf_note
        position = {node.number: at for at, node in enumerate(nodes)}
        self.parents = [position.get(node.parent, -1) for node in nodes]
        maker = BoxMaker(look, features, max_features, decimals, p_values)
        split = set(self.parents)
        self.boxes = [
            maker.leaf(node) if node.vote >= 0
            else maker.split(node) if at in split
            else maker.folded(node)
            for at, node in enumerate(nodes)
        ]  # fmt: skip
        self.notes = self._notes()
        self._arrange()

    def _notes(self) -> list[str]:
        """Lines that explain the picture and what it leaves out."""
        split = [node for node, box in zip(self.nodes, self.boxes, strict=True) if box.ports]
        notes = []
        if split:
            notes.append(
                "A row goes to the class whose centroid is nearest; bands are "
                "as wide as their rows."
            )
        if split and self.scaled:
            notes.append(f"Centroids are in {STANDARDISED}.")
        if self.leaf_note:
            notes.append(self.leaf_note)
        if any(sent == 0 for node in split for sent in node.sent.values()):
            notes.append(
                "nearest 0: no training row took that branch; a new row that does counts for "
                f"{shorten(self.look.names[0], _LEGEND_NAME)}."
            )
        if split and self.p_values:
            notes += [
                "p: rank test of the classes on the node's distinct rows, adjusted for the choice "
                "among its candidates.",
                "The features were selected because they separate these rows; below the root, the "
                "rows were already parted by class.",
            ]
        deepest = max(node.depth for node in self.nodes)
        if any(node.depth == deepest and node.vote < 0 for node in self.nodes):
            notes.append(
                f"Nodes below depth {deepest} are folded; {option('max_depth', deepest + 1)} shows "
                "more."
            )
        return notes

    def _arrange(self) -> None:
        """Compute the position of everything."""
        widths = [box.width for box in self.boxes]
        tree = tidy_centres(self.parents, widths, _BETWEEN)
        extent = max(x + width / 2 for x, width in zip(tree, widths, strict=True))
        note_width = max((text_width(note, SIZE) for note in self.notes), default=0.0)
        entries = shorten_all([self.look.names[code] for code in self.look.order], _LEGEND_NAME)
        entry_widths = [text_width(name, SIZE) + _SQUARE + 4 + 14 for name in entries]
        inner = max(
            extent,
            note_width,
            text_width(_LEGEND, SIZE) + max(entry_widths),
            text_width(self.title, _TITLE_SIZE),
        )
        self.width = inner + 2 * _MARGIN
        self.legend: list[tuple[float, float, int, str]] = []
        x, y = text_width(_LEGEND, SIZE), 0.0
        for code, name, width in zip(self.look.order, entries, entry_widths, strict=True):
            if x + width > inner + 14:
                x, y = text_width(_LEGEND, SIZE), y + LINE
            self.legend.append((_MARGIN + x, _MARGIN + y + LINE / 2, code, name))
            x += width
        top = _MARGIN + y + LINE + 14
        self.centres = tree + _MARGIN + (inner - extent) / 2
        self.levels, self.height = self._levels(top)
        self.height += 14
        self.note_positions = [self.height + (i + 0.5) * LINE for i in range(len(self.notes))]
        self.height += len(self.notes) * LINE + _MARGIN

    def _levels(self, top: float) -> tuple[list[tuple[float, float]], float]:
        """Top and bottom of each level, and the bottom of the last one."""
        levels: list[tuple[float, float]] = []
        for depth in range(max(node.depth for node in self.nodes) + 1):
            here = [at for at, node in enumerate(self.nodes) if node.depth == depth]
            if levels:
                swing = max(abs(self.centres[at] - self._port(at)) for at in here)
                top = levels[-1][1] + min(max(_GAP[0], _SWING * swing), _GAP[1])
            levels.append((top, top + max(self.boxes[at].height for at in here)))
        return levels, levels[-1][1]

    def _left(self, at: int) -> float:
        return float(self.centres[at] - self.boxes[at].width / 2)

    def _port(self, at: int) -> float:
        """Where the band to a box starts."""
        parent = self.parents[at]
        return self._left(parent) + self.boxes[parent].ports[self.nodes[at].branch_class]

    def inches(self) -> tuple[float, float]:
        """The size of a figure for the drawing, including its title."""
        width, height = self.width / 72, (self.height + _TITLE_HEIGHT) / 72
        scale = min(1.0, _LONGEST / max(width, height))
        return width * scale, height * scale

    def draw(self, ax: "Axes") -> None:
        """Draw on axes."""
        import matplotlib

        outside = matplotlib.rcParams["text.color"]
        canvas = Canvas(ax, self.width, self.height)
        ax.set_title(self.title, loc="left", fontsize=_TITLE_SIZE)
        canvas.text(_MARGIN, self.legend[0][1], _LEGEND, SIZE, colour=outside, gid="legend-title")
        for x, y, code, name in self.legend:
            colour = self.look.colours[code]
            canvas.box(x, y - _SQUARE / 2, _SQUARE, _SQUARE, face=colour, gid=f"legend-{code}")
            canvas.text(x + _SQUARE + 4, y, name, SIZE, colour=outside, gid=f"legend-name{code}")
        for at, (node, box) in enumerate(zip(self.nodes, self.boxes, strict=True)):
            top = self.levels[node.depth][0]
            if self.parents[at] >= 0:
                self._draw_band(canvas, at, top)
            box.draw(canvas, self._left(at), top, f"node{node.number}")
        for y, note in zip(self.note_positions, self.notes, strict=True):
            canvas.text(_MARGIN, y, note, SIZE, colour=outside, gid="note")

    def _draw_band(self, canvas: Canvas, at: int, top: float) -> None:
        node, parent = self.nodes[at], self.parents[at]
        above = self.levels[node.depth - 1]
        start = (self._port(at), above[0] + self.boxes[parent].height)
        width = max(_THIN, COLUMN * node.rows / self.nodes[0].rows)
        end = (float(self.centres[at]), top)
        colour = tint(self.look.colours[node.branch_class], BAND)
        canvas.band(start, above[1], end, width, colour, f"band{node.number}")
