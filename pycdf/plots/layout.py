"""A tidy tree: where boxes of any width stand so that no two overlap.

In go the parent of each box and the boxes' widths, parents first and children from left to right;
out comes each box's centre. A parent stands above the middle of its children, and subtrees stand as
close to each other as their levels allow.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def tidy_centres(
    parents: Sequence[int], widths: Sequence[float], gap: float
) -> npt.NDArray[np.float64]:
    """The horizontal centre of each box; the leftmost edge of all is 0.

    ``parents``: position of the parent's box, -1 for the root, always below a box's own position.
    ``gap``: what is left free between neighbours on a level.
    """
    children: list[list[int]] = [[] for _ in parents]
    for box, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(box)
    # Per box: how far its subtree reaches on each level from its own down, seen from its centre.
    reach: list[tuple[list[float], list[float]]] = [([], [])] * len(parents)
    offset = np.zeros(len(parents))
    for box in reversed(range(len(parents))):
        left: list[float] = []
        right: list[float] = []
        for child in children[box]:
            ours, theirs = reach[child]
            levels = range(min(len(right), len(ours)))
            offset[child] = max((right[i] + gap - ours[i] for i in levels), default=0.0)
            left += [offset[child] + x for x in ours[len(left) :]]
            right[: len(theirs)] = [offset[child] + x for x in theirs]
        if children[box]:
            middle = (offset[children[box][0]] + offset[children[box][-1]]) / 2
            offset[children[box]] -= middle
            left = [x - middle for x in left]
            right = [x - middle for x in right]
        reach[box] = ([-widths[box] / 2, *left], [widths[box] / 2, *right])
    centres = offset
    for box, parent in enumerate(parents):
        centres[box] += centres[parent] if parent >= 0 else -min(reach[box][0])
    return centres
