"""Space between pictures that share a figure, so that none writes over its neighbours.

matplotlib leaves the same space between axes whatever is written there, unless the figure has a
layout. A figure without one gets one that makes room for titles, names and legends. It stands back
as soon as anybody else arranges the figure.
"""

from typing import TYPE_CHECKING, Any

from matplotlib import rcParams
from matplotlib.figure import Figure
from matplotlib.layout_engine import TightLayoutEngine

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIDES = ("left", "bottom", "right", "top", "wspace", "hspace")


class RoomForText(TightLayoutEngine):
    """matplotlib's tight layout, until the spaces are changed by somebody else."""

    def __init__(self) -> None:
        super().__init__()
        self._ours: dict[str, float] | None = None

    def execute(self, fig: Any) -> None:
        """Make room, unless the figure has spaces that are not ours."""
        found = _spaces(fig)
        if found == (self._ours or _usual()):
            super().execute(fig)
            self._ours = _spaces(fig)


def make_room(ax: "Axes") -> None:
    """Let the figure of axes in a grid make room for their text, if nothing else arranges it."""
    figure = ax.figure
    if (
        isinstance(figure, Figure)
        and ax.get_subplotspec() is not None
        and figure.get_layout_engine() is None
        and _spaces(figure) == _usual()
    ):
        figure.set_layout_engine(RoomForText())


def _spaces(figure: Figure) -> dict[str, float]:
    return {side: getattr(figure.subplotpars, side) for side in _SIDES}


def _usual() -> dict[str, float]:
    settings: dict[Any, Any] = rcParams
    return {side: settings[f"figure.subplot.{side}"] for side in _SIDES}
