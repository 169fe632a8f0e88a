"""Find the largest scores with a heap, and sort them, best first.

Of two equal scores the first one is better, as in R, which ranks with
``order(decreasing = TRUE)``.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inlined, inner

Heap = namedtuple("Heap", "scores positions")
"""The best scores so far, float64, and their positions, int32; the worst of them is first."""


def new_heap(k: int) -> Heap:
    """A heap for the `k` best."""
    return Heap(scores=np.empty(k), positions=np.empty(k, np.int32))


@inner
def keep_largest(scores, size, k, heap):
    """Fill `heap` with the `k` best of `scores[:size]`; return the worst of these."""
    kept, positions = heap.scores, heap.positions
    for i in range(k):
        child = i
        while child > 0 and kept[(child - 1) // 2] >= scores[i]:
            kept[child] = kept[(child - 1) // 2]
            positions[child] = positions[(child - 1) // 2]
            child = (child - 1) // 2
        kept[child] = scores[i]
        positions[child] = i
    for i in range(k, size):
        if scores[i] > kept[0]:
            _replace_worst(kept, positions, k, np.float64(scores[i]), np.int32(i))
    return kept[0]


@inner
def sort_heap(k, heap):
    """Sort the `k` positions of a heap, best first."""
    scores, positions = heap.scores, heap.positions
    for last in range(k - 1, 0, -1):
        worst = positions[0]
        _replace_worst(scores, positions, last, scores[last], positions[last])
        positions[last] = worst


@inner
def _replace_worst(scores, positions, size, score, position):
    """Replace the root of a heap, and let the new score sink to its position."""
    parent = 0
    child = 1
    while child < size:
        if child + 1 < size and _better(
            scores[child], positions[child], scores[child + 1], positions[child + 1]
        ):
            child += 1
        if _better(scores[child], positions[child], score, position):
            break
        scores[parent] = scores[child]
        positions[parent] = positions[child]
        parent = child
        child = 2 * parent + 1
    scores[parent] = score
    positions[parent] = position


@inlined
def _better(score, position, other_score, other_position):
    return score > other_score or (score == other_score and position < other_position)
