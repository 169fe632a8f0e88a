"""Choose the features of a node: the k candidates with the best class separability score.

In go a node's rows, class by class, and its candidates; out come the chosen features, best first,
and their centroids. All candidates are screened (`pycdf.kernels.screen_bounds`), the few that can win are settled
exactly (`pycdf.kernels.scores`), and ties go to the candidate that was drawn first.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inner, once
from pycdf.kernels.scores import new_lanes, score_of, settle_lanes
from pycdf.kernels.screen_bounds import kth_largest, lift, new_scale, new_tile, score_ranges, weigh
from pycdf.kernels.screen_layout import Screen
from pycdf.kernels.simd import LANES

Choice = namedtuple("Choice", "scale tile low high heap able scores means best lanes")
"""Room to choose in: the screen's; the features that can win, their scores and class means."""


def new_choice(screen: Screen, n: int, n_classes: int, mtry: int, most: int) -> Choice:
    """Room for nodes of up to `n` rows, `mtry` candidates and `most` chosen features."""
    return Choice(
        new_scale(screen, n, n_classes),
        new_tile(n_classes),
        np.empty(mtry, np.float32),
        np.empty(mtry, np.float32),
        np.empty(most, np.float32),
        np.empty(mtry, np.int32),
        np.empty(mtry),
        np.empty((mtry, n_classes)),
        np.empty(most, np.int32),
        new_lanes(n, n_classes),
    )


@once
def choose_features(
    columns, screen, rule, grouped, offsets, n_classes, candidates, take, room, chosen, centroids
):
    """Write the `take` best candidates to `chosen`, their centroids, one by one, to `centroids`."""
    able = room.able
    n_able = candidates.size
    n_live = weigh(screen, grouped, offsets, n_classes, rule.ddof, room.scale)
    if n_live < 2:
        # Every pair lacks a standard deviation: all scores are 0, and the first candidates win.
        n_able = take
    if take < n_able:
        low = room.low
        high = room.high
        score_ranges(screen, candidates, room.scale, n_live, rule.ddof, room.tile, low, high)
        bar = kth_largest(low, candidates.size, take, room.heap)
        n_able = 0
        for i in range(candidates.size):
            if not high[i] < bar:
                able[n_able] = candidates[i]
                n_able += 1
    else:
        for i in range(n_able):
            able[i] = candidates[i]
    lift(screen, grouped, offsets[n_classes], room.scale)
    lanes, scores, means, best = room.lanes, room.scores, room.means, room.best
    lane_means, lane_spreads = lanes.means, lanes.spreads
    for first in range(0, n_able, LANES):
        last = min(first + LANES, n_able)
        settle_lanes(columns, able, first, last, grouped, offsets, n_classes, rule, lanes)
        for i in range(first, last):
            scores[i] = score_of(lane_means, lane_spreads, i - first, n_classes)
            for c in range(n_classes):
                means[i, c] = lane_means[i - first, c]
    take_best(scores, n_able, take, best)
    for f in range(take):
        chosen[f] = able[best[f]]
        for c in range(n_classes):
            centroids[c * take + f] = means[best[f], c]


@inner
def take_best(scores, size, k, best):
    """Write the positions of the `k` best scores to `best`, best first: a heap, then sorted."""
    for i in range(size):
        if i < k:
            child = i
            while child > 0 and not _before(scores, i, best[(child - 1) // 2]):
                best[child] = best[(child - 1) // 2]
                child = (child - 1) // 2
            best[child] = i
        elif _before(scores, i, best[0]):
            _sink(scores, best, k, i)
    for last in range(k - 1, 0, -1):
        worst = best[0]
        _sink(scores, best, last, best[last])
        best[last] = worst


@inner
def _before(scores, i, j):
    """Tell whether i is chosen before j: a higher score, or the same and drawn earlier."""
    return scores[i] > scores[j] or (scores[i] == scores[j] and i < j)


@inner
def _sink(scores, heap, size, item):
    """Replace the root, the worst of the heap, by `item`."""
    place = 0
    child = 1
    while child < size:
        if child + 1 < size and _before(scores, heap[child], heap[child + 1]):
            child += 1
        if _before(scores, heap[child], item):
            break
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
