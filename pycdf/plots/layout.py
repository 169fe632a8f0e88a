"""Tidy tree layout: place boxes of any width so that no two overlap.

A parent is centred above its children, and subtrees are as close to each other as their levels
allow.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def tidy_centres(
    parents: Sequence[int], widths: Sequence[float], gap: float
) -> npt.NDArray[np.float64]:
    """The horizontal centre of each box; the leftmost edge of all is at 0.

    Parameters
    ----------
    parents : sequence of int
        Index of each box's parent, -1 for the root. Parents come before their children, and
        siblings from left to right.
    widths : sequence of float
        Widths of the boxes.
    gap : float
        Minimum distance between neighbours on a level.

    Returns
    -------
    ndarray of shape (n_boxes,)
    """
    children: list[list[int]] = [[] for _ in parents]
    for box, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(box)
    # For each box: how far its subtree extends on each level, relative to the centre of the box.
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
