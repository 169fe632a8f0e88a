"""Find places for labels beside points, so that no label covers another or leaves the picture."""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_SIZE, _LINE = 10.0, 12.0  # of a label


class Box(NamedTuple):
    """A rectangle, with y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether the rectangles overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: "Box") -> bool:
        """Whether the other rectangle is inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


def text_width(text: str, size: float) -> float:
    """A width in which a text of this size fits, whatever sans-serif font the browser has."""
    return size * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    """The width of a letter at size 1, as in wide fonts."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter in "mwMW@%…—→&#":
        return 1.08
    if letter in "iljtfrI.,:;'|!()[] ":
        return 0.5
    return 0.78 if letter.isupper() or not letter.isascii() else 0.68


def place_labels(
    points: npt.NDArray[np.float64], texts: Sequence[str], away: float, inside: Box
) -> list[Box | None]:
    """A place for the label of each point, right, left, above or below; None if all are taken."""
    taken = [Box(x - 3, y - 3, x + 3, y + 3) for x, y in points]
    placed: list[Box | None] = []
    for (x, y), text in zip(points.tolist(), texts, strict=True):
        width = text_width(text, _SIZE)
        half = _LINE / 2
        choices = [
            Box(x + away, y - half, x + away + width, y + half),
            Box(x - away - width, y - half, x - away, y + half),
            Box(x - width / 2, y - away - _LINE, x + width / 2, y - away),
            Box(x - width / 2, y + away, x + width / 2, y + away + _LINE),
        ]
        free = [
            box for box in choices
            if inside.holds(box) and not any(box.meets(other) for other in taken)
        ]  # fmt: skip
        placed.append(free[0] if free else None)
        taken += free[:1]
    return placed
