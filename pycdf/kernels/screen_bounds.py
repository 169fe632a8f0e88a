"""Which candidates of a node can be among the best: scores in fast arithmetic, with a proven bound.

R's exact score of a feature takes three passes over its rows, in order, one rounding at a time.
Most candidates are far from the best, and single precision shows it. So all candidates are screened
here: each gets a range `low..high` that holds R's score, and whoever's `high` reaches the k-th
largest `low` goes on to be settled exactly (`pycdf.kernels.scores`). The order itself never comes
from here.

The screen is a copy of the training matrix, z = (x - center) / scale in single precision
(:mod:`pycdf.screen_copy`). The rows of a node are weights on it.

The bound
---------
u = 2^-24 is the rounding unit of single precision, v = 2^-53 that of double. For one class of a
node let n be its rows, A = sum(w z) and B = sum(w z^2), computed as a and b.

* z itself is rounded once, its products at most twice, and a sum passes through at most `chain`
  additions (blocks, runs of blocks, then lanes). So a is off by at most c u sum(w |z|)
  <= c u sqrt(n B), and b by c u B, with c = chain + 8 (which also covers terms in u^2).
* The mean is off by at most c u sqrt(B / n) <= c u (|mean| + spread), because
  B / n = mean^2 + (n - 1) / n spread^2.
* (n - 1) spread^2 = B - A^2 / n: b is off by c u B, a^2 / n by 2 c u B, and rounding here adds
  3 u B. So the variance is off by at most (3 c + 4) u B / (n - 1).
* R's own mean and standard deviation are not the true ones: the center it subtracts is within
  4 v max|x| of the mean, and its sums add n v of the spread. In units of `scale` the first is the
  feature's `slop` (with 16 for 4); the second is below u for n < 2^26, and part of the slack.
* The pairs' scores and their sum are rounded at most P + 8 times for P pairs: slack (P + 16) u.

A column of small whole numbers (max|x - center| n < 2048) has exact sums, and a positive
B - A^2 / n is at least 1/n there, more than its rounding. So a computed variance of zero means a
constant class, on which R too is exact: no bound is needed. That keeps 0/1 data, where most columns
are constant in a small node, from being settled throughout. Columns beyond the range of single
precision have infinite slop: they are always settled.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inner, once
from pycdf.kernels.screen_layout import FLOOR, INCOMPLETE, SLOP, WHOLE, Screen
from pycdf.kernels.simd import BLOCK, FOUR, RUN, moments, prefetch

TILE = 128  # candidates that are screened together: their sums stay in the fastest cache
_AHEAD = 8  # candidates that are fetched ahead
_U = np.float32(2.0**-24)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_THREE = np.float32(3.0)
_FOUR = np.float32(4.0)
_HALF = np.float32(0.5)
_INFINITE = np.float32(np.inf)

Scale = namedtuple("Scale", "weights blocks block_ends sizes distinct")
"""A node laid on the screen: the rows' weights, and for each class with more than ddof rows where
its blocks in use end (in `blocks`), its number of rows, and of distinct rows."""

Tile = namedtuple("Tile", "mean apart spread_low spread_high counts floor slop whole starts")
"""A tile of candidates at work: classes x candidates, and what their headers say."""


def new_scale(screen: Screen, n: int, n_classes: int) -> Scale:
    """Room for nodes of up to `n` rows."""
    return Scale(
        np.zeros(screen.width, np.float32),
        np.empty(n, np.int64),
        np.empty(n_classes, np.int64),
        np.empty(n_classes, np.float32),
        np.empty(n_classes, np.int64),
    )


def new_tile(n_classes: int) -> Tile:
    """Room for a tile of candidates."""
    return Tile(
        np.empty((n_classes, TILE), np.float32),
        np.empty((n_classes, TILE), np.float32),
        np.empty((n_classes, TILE), np.float32),
        np.empty((n_classes, TILE), np.float32),
        np.empty((n_classes, TILE), np.float32),
        np.empty(TILE, np.float32),
        np.empty(TILE, np.float32),
        np.empty(TILE, np.float32),
        np.empty(FOUR, np.int64),
    )


@inner
def weigh(screen, grouped, offsets, n_classes, ddof, scale):
    """Lay the rows of a node on the screen; returns how many classes have more than `ddof` rows."""
    weights, blocks, places = scale.weights, scale.blocks, screen.place
    used = 0
    live = 0
    for c in range(n_classes):
        if offsets[c + 1] - offsets[c] <= ddof:
            continue
        distinct = 0
        for i in range(offsets[c], offsets[c + 1]):
            place = np.int64(places[grouped[i]])
            if weights[place] == _ZERO:
                distinct += 1
                block = place // BLOCK * BLOCK
                fresh = True
                for other in range(block, block + BLOCK):
                    fresh = fresh and weights[other] == _ZERO
                if fresh:
                    blocks[used] = block
                    used += 1
            weights[place] += _ONE
        scale.block_ends[live] = used
        scale.sizes[live] = offsets[c + 1] - offsets[c]
        scale.distinct[live] = distinct
        live += 1
    return live


@once
def lift(screen, grouped, n_rows, scale):
    """Take the rows of a node off the screen again."""
    weights, places = scale.weights, screen.place
    for i in range(n_rows):
        weights[places[grouped[i]]] = _ZERO


@inner
def _class_ranges(tile, c, size, single, cu, less):
    """From the sums of one class: its mean with bound, and the range of its standard deviation.

    The sums come in `tile.mean` and `tile.apart`, the counts in `tile.counts`, and are overwritten.
    `single`: all rows of the class are copies of one; `less`: ddof.
    """
    wide = _THREE * cu + _FOUR * _U
    for i in range(size):
        n = tile.counts[c, i]
        total = tile.mean[c, i]
        squares = tile.apart[c, i]
        mean = total / n
        left = squares - total * mean
        left = _ZERO if single or left < _ZERO else left
        constant = tile.whole[i] > _ZERO and left == _ZERO
        slop = _ZERO if constant else tile.slop[i]
        off = _ZERO if single or constant else wide * squares / (n - less)
        variance = left / (n - less)
        below = variance - off
        low = np.sqrt(_ZERO if below < _ZERO else below) - slop
        high = np.sqrt(variance + off)
        missing = n < less + _HALF  # too few values: R leaves the pair out
        tile.mean[c, i] = _ZERO if missing else mean
        tile.apart[c, i] = _ZERO if missing or constant else cu * (abs(mean) + high) + slop
        tile.spread_low[c, i] = _INFINITE if missing else (_ZERO if low < _ZERO else low)
        tile.spread_high[c, i] = _INFINITE if missing else high + slop


@inner
def _add_pair(tile, a, b, size, low, high):
    """Add the range of one pair's score to every candidate's range."""
    for i in range(size):
        distance = abs(tile.mean[a, i] - tile.mean[b, i])
        apart = tile.apart[a, i] + tile.apart[b, i]
        least = distance - apart
        least = _ZERO if least < _ZERO else least
        low[i] += least / (tile.spread_high[a, i] + tile.spread_high[b, i] + tile.floor[i])
        high[i] += (distance + apart) / (
            tile.spread_low[a, i] + tile.spread_low[b, i] + tile.floor[i]
        )


@inner
def _count_valid(screen, candidates, position, scale, n_live, counts, column):
    """Count the rows with a value, class by class, where some of FOUR candidates have gaps."""
    for f in range(min(FOUR, candidates.size - position)):
        feature = np.int64(candidates[position + f])
        if screen.values[feature * screen.width + INCOMPLETE] > _ZERO:
            line = screen.valid_slot[feature] * screen.width
            begin = np.int64(0)
            for c in range(n_live):
                total = _ZERO
                for b in range(begin, scale.block_ends[c]):
                    for i in range(scale.blocks[b], scale.blocks[b] + BLOCK):
                        total += scale.weights[i] * screen.valid[line + i]
                counts[c, column + f] = total
                begin = scale.block_ends[c]


@inner
def score_ranges(screen, candidates, scale, n_live, ddof, tile, low, high):
    """A range for R's score of each candidate, up to the factor that all of them share.

    `n_live` classes have more than `ddof` rows and lie on `scale`; the others score with no one.
    """
    values, width = screen.values, screen.width
    weights, blocks, block_ends, sizes = scale.weights, scale.blocks, scale.block_ends, scale.sizes
    sums, squares, counts = tile.mean, tile.apart, tile.counts
    floor, slop, whole, starts = tile.floor, tile.slop, tile.whole, tile.starts
    longest = block_ends[0]
    for c in range(1, n_live):
        longest = max(longest, block_ends[c] - block_ends[c - 1])
    cu = np.float32(min(longest, RUN) + longest // RUN + 8) * _U
    slack = np.float32(n_live * (n_live - 1) // 2 + 16) * _U
    for first in range(0, candidates.size, TILE):
        size = min(TILE, candidates.size - first)
        for i in range(0, size, FOUR):
            gaps = _ZERO
            for f in range(FOUR):
                # at the end of the candidates the last one fills the places that are left
                feature = np.int64(candidates[min(first + i + f, candidates.size - 1)])
                start = feature * width
                ahead = min(first + i + f + _AHEAD, candidates.size - 1)
                prefetch(values, np.int64(candidates[ahead]) * width, width)
                starts[f] = start
                floor[i + f] = values[start + FLOOR]
                slop[i + f] = values[start + SLOP]
                whole[i + f] = values[start + WHOLE]
                gaps += values[start + INCOMPLETE]
            begin = np.int64(0)
            for c in range(n_live):
                end = block_ends[c]
                place = c * TILE + i
                moments(values, starts, weights, blocks, begin, end, sums, squares, place)
                for f in range(FOUR):
                    counts[c, i + f] = sizes[c]
                begin = end
            if gaps > _ZERO:
                _count_valid(screen, candidates, first + i, scale, n_live, counts, i)
        for c in range(n_live):
            _class_ranges(tile, c, size, scale.distinct[c] == 1, cu, np.float32(ddof))
        least = low[first : first + size]
        most = high[first : first + size]
        for i in range(size):
            least[i] = _ZERO
            most[i] = _ZERO
        for a in range(n_live):
            for b in range(a + 1, n_live):
                _add_pair(tile, a, b, size, least, most)
        for i in range(size):
            least[i] *= _ONE - slack
            most[i] *= _ONE + slack


@once
def kth_largest(values, size, k, heap):
    """The `k`-th largest of `size` values, by a heap of the largest so far."""
    for i in range(size):
        value = values[i]
        if i < k:
            child = i
            while child > 0 and heap[(child - 1) // 2] > value:
                heap[child] = heap[(child - 1) // 2]
                child = (child - 1) // 2
            heap[child] = value
        elif value > heap[0]:
            place = 0
            while 2 * place + 1 < k:
                child = 2 * place + 1
                if child + 1 < k and heap[child + 1] < heap[child]:
                    child += 1
                if heap[child] >= value:
                    break
                heap[place] = heap[child]
                place = child
            heap[place] = value
    return heap[0]
