"""Find the candidates of a node that can be among the best, by fast scores with a proven bound.

R's exact score of a feature takes three passes over its rows, in order, one rounding at a time.
Most candidates are far from the best, and single precision is enough to show it. So all candidates
are screened here: each gets a range `low..high` that contains R's score, and those whose `high`
reaches the k-th largest `low` are scored exactly (:mod:`pycdf.kernels.scores`). The final order
never depends on the screen.

The screen is a copy of the training matrix, z = (x - center) / scale in single precision
(:mod:`pycdf.kernels.screen_layout`). The rows of a node are weights on it: how often each occurs.

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
  6 u B, as one quotient is a product with a rounded reciprocal. So the variance is off by at most
  (3 c + 8) u B / (n - 1).
* R's own mean and standard deviation are not the true ones: the center it subtracts is within
  4 v max|x| of the mean, and its sums add n v of the spread. In units of `scale` the first is the
  feature's `slack` (with 16 for 4); the second is below u for n < 2^26, and part of the rounding.
* The pairs' scores and their sum are rounded at most P + 8 times for P pairs: (P + 16) u.

A column of small whole numbers (max|x - center| n < 2048) has exact sums, and n B and A^2, below
2^22, are exact as well. If they are equal, the class is constant, and R too is exact: no bound is
needed. Without this, in 0/1 data, where most columns are constant in a small node, nearly all would
be scored exactly. Columns beyond the range of single precision have infinite slack: they are always
scored exactly.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inlined, inner
from pycdf.kernels.screen_layout import FLOOR, INCOMPLETE, SLACK, WHOLE, Screen
from pycdf.kernels.simd import headers, moments, prefetch
from pycdf.kernels.simd_sizes import BLOCK, FOUR, RUN

TILE = 128  # candidates that are screened together: their sums fit the fastest cache
_AHEAD = 8  # how many candidates are prefetched
_U = np.float32(2.0**-24)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_THREE = np.float32(3.0)
_EIGHT = np.float32(8.0)
_HALF = np.float32(0.5)
_INFINITE = np.float32(np.inf)

NodeWeights = namedtuple("NodeWeights", "weights blocks block_ends sizes distinct")
"""The rows of a node as weights on the screen.

`weights`: how often each row occurs, float32, laid out as a line of the screen. `blocks`: where the
blocks begin that have a weight, int64. For each class with more than ddof rows: `block_ends`, where
its part of the blocks ends, int64; `sizes`, its number of rows, float32; `distinct`, its number of
distinct rows, int64.
"""

Tile = namedtuple(
    "Tile", "mean mean_error spread_low spread_high counts degrees headers more starts"
)
"""Scratch arrays for a tile of candidates.

Classes x TILE, float32: each class's `mean` and how far it can be off, the range of its standard
deviation, `counts` of its values, and 1 / (n - ddof) for these (`degrees`). `headers` x TILE,
float32: the candidates' headers. `starts`: where the lines of FOUR candidates begin, int64; `more`:
sums of later runs, 2 x FOUR, float32. The first two contain sums and sums of squares before they
contain means and errors.
"""


def new_node_weights(screen: Screen, n: int, n_classes: int) -> NodeWeights:
    """Arrays for nodes of up to `n` rows; all weights are zero."""
    return NodeWeights(
        weights=np.zeros(screen.width, np.float32),
        blocks=np.empty(n, np.int64),
        block_ends=np.empty(n_classes, np.int64),
        sizes=np.empty(n_classes, np.float32),
        distinct=np.empty(n_classes, np.int64),
    )


def new_tile(n_classes: int) -> Tile:
    """Scratch arrays for a tile of candidates."""
    return Tile(
        mean=np.empty((n_classes, TILE), np.float32),
        mean_error=np.empty((n_classes, TILE), np.float32),
        spread_low=np.empty((n_classes, TILE), np.float32),
        spread_high=np.empty((n_classes, TILE), np.float32),
        counts=np.empty((n_classes, TILE), np.float32),
        degrees=np.empty((n_classes, TILE), np.float32),
        headers=np.empty((FOUR, TILE), np.float32),
        more=np.empty((2, FOUR), np.float32),
        starts=np.empty(FOUR, np.int64),
    )


@inner
def add_weights(screen, classes, n_classes, ddof, node):
    """Write the rows of a node to its weights; return how many classes have more than `ddof` rows.

    `classes` is a ClassRows of `n_classes` classes, and `node` a NodeWeights.
    """
    weights, blocks, columns = node.weights, node.blocks, screen.column_of_row
    rows, starts = classes.rows, classes.starts
    n_blocks = 0
    n_scored = 0
    for c in range(n_classes):
        if starts[c + 1] - starts[c] <= ddof:
            continue
        distinct = 0
        for i in range(starts[c], starts[c + 1]):
            column = np.int64(columns[rows[i]])
            if weights[column] == _ZERO:
                distinct += 1
                block = column // BLOCK * BLOCK
                fresh = True
                for other in range(block, block + BLOCK):
                    fresh = fresh and weights[other] == _ZERO
                if fresh:
                    blocks[n_blocks] = block
                    n_blocks += 1
            weights[column] += _ONE
        node.block_ends[n_scored] = n_blocks
        node.sizes[n_scored] = starts[c + 1] - starts[c]
        node.distinct[n_scored] = distinct
        n_scored += 1
    return n_scored


@inlined
def reset_weights(screen, classes, n_classes, node):
    """Set the weights of a node's rows back to zero."""
    weights, columns, rows = node.weights, screen.column_of_row, classes.rows
    for i in range(classes.starts[n_classes]):
        weights[columns[rows[i]]] = _ZERO


@inner
def _class_ranges(tile, c, size, single, cu, less):
    """Compute the mean of class c with its bound, and the range of its standard deviation.

    The sums are in `tile.mean` and `tile.mean_error`, and are overwritten. `single`: all rows of
    the class are copies of one; `cu`: the bound's c u; `less`: ddof.
    """
    wide = _THREE * cu + _EIGHT * _U
    slacks, wholes = tile.headers[SLACK], tile.headers[WHOLE]
    for i in range(size):
        n = tile.counts[c, i]
        total = tile.mean[c, i]
        squares = tile.mean_error[c, i]
        mean = total / n  # exact if the class is constant
        left = squares - total * mean
        constant = wholes[i] > _ZERO and n * squares == total * total
        left = _ZERO if single or constant or left < _ZERO else left
        slack = _ZERO if constant else slacks[i]
        off = _ZERO if single or constant else wide * squares * tile.degrees[c, i]
        variance = left * tile.degrees[c, i]
        below = variance - off
        low = np.sqrt(_ZERO if below < _ZERO else below) - slack
        high = np.sqrt(variance + off)
        missing = n < less + _HALF  # too few values: R leaves the pair out
        tile.mean[c, i] = _ZERO if missing else mean
        tile.mean_error[c, i] = _ZERO if missing or constant else cu * (abs(mean) + high) + slack
        tile.spread_low[c, i] = _INFINITE if missing else (_ZERO if low < _ZERO else low)
        tile.spread_high[c, i] = _INFINITE if missing else high + slack


@inner
def _add_pair(tile, a, b, size, low, high):
    """Add the range of one pair's score to every candidate's range."""
    floor = tile.headers[FLOOR]
    for i in range(size):
        distance = abs(tile.mean[a, i] - tile.mean[b, i])
        error = tile.mean_error[a, i] + tile.mean_error[b, i]
        least = distance - error
        least = _ZERO if least < _ZERO else least
        low[i] += least / (tile.spread_high[a, i] + tile.spread_high[b, i] + floor[i])
        high[i] += (distance + error) / (tile.spread_low[a, i] + tile.spread_low[b, i] + floor[i])


@inner
def _count_values(screen, candidates, node, n_scored, less, tile):
    """Count the values of a tile's candidates, class by class; `less` is ddof."""
    counts = tile.counts
    for c in range(n_scored):
        for i in range(TILE):
            counts[c, i] = node.sizes[c]
    if screen.valid.size > 0:
        for i in range(candidates.size):
            if tile.headers[INCOMPLETE, i] > _ZERO:
                line = np.int64(screen.valid_line[candidates[i]]) * screen.width
                begin = np.int64(0)
                for c in range(n_scored):
                    total = _ZERO
                    for b in range(begin, node.block_ends[c]):
                        for j in range(node.blocks[b], node.blocks[b] + BLOCK):
                            total += node.weights[j] * screen.valid[line + j]
                    counts[c, i] = total
                    begin = node.block_ends[c]
    for c in range(n_scored):
        for i in range(TILE):
            tile.degrees[c, i] = _ONE / (counts[c, i] - less)


@inner
def _add_runs(values, node, begin, end, tile, c, i):
    """Add the sums of FOUR candidates over further blocks, one RUN after the other."""
    more = tile.more
    for first in range(begin, end, RUN):
        last = min(first + RUN, end)
        moments(values, tile.starts, node.weights, node.blocks, first, last, more[0], more[1], 0)
        for f in range(FOUR):
            tile.mean[c, i + f] += more[0, f]
            tile.mean_error[c, i + f] += more[1, f]


@inner
def score_ranges(screen, candidates, node, n_scored, ddof, tile, low, high):
    """Compute a range for R's score of each candidate, up to the factor that all of them share.

    Parameters
    ----------
    screen : Screen
    candidates : int32
    node : NodeWeights
        The rows of the `n_scored` classes that have more than `ddof` rows; the others do not count.
    tile : Tile
    low, high : float32, candidates
        Get the ends of the ranges.
    """
    values, width = screen.values, screen.width
    weights, blocks, block_ends = node.weights, node.blocks, node.block_ends
    sums, squares, starts = tile.mean, tile.mean_error, tile.starts
    longest = block_ends[0]
    for c in range(1, n_scored):
        longest = max(longest, block_ends[c] - block_ends[c - 1])
    cu = np.float32(min(longest, RUN) + longest // RUN + 8) * _U
    less = np.float32(ddof)
    rounding = np.float32(n_scored * (n_scored - 1) // 2 + 16) * _U
    for first in range(0, candidates.size, TILE):
        size = min(TILE, candidates.size - first)
        for i in range(0, size, FOUR):
            for f in range(FOUR):
                # after the end of the candidates, the last one is repeated
                feature = candidates[min(first + i + f, candidates.size - 1)]
                starts[f] = np.int64(feature) * width
                ahead = min(first + i + f + _AHEAD, candidates.size - 1)
                prefetch(values, np.int64(candidates[ahead]) * width, width)
            headers(values, starts, tile.headers, TILE, i)
            begin = np.int64(0)
            for c in range(n_scored):
                end = block_ends[c]
                last = min(begin + RUN, end)
                position = c * TILE + i
                moments(values, starts, weights, blocks, begin, last, sums, squares, position)
                if last < end:
                    _add_runs(values, node, last, end, tile, c, i)
                begin = end
        if first == 0 or screen.valid.size > 0:
            _count_values(screen, candidates[first : first + size], node, n_scored, less, tile)
        for c in range(n_scored):
            _class_ranges(tile, c, size, node.distinct[c] == 1, cu, less)
        least = low[first : first + size]
        most = high[first : first + size]
        for i in range(size):
            least[i] = _ZERO
            most[i] = _ZERO
        for a in range(n_scored):
            for b in range(a + 1, n_scored):
                _add_pair(tile, a, b, size, least, most)
        for i in range(size):
            least[i] *= _ONE - rounding
            most[i] *= _ONE + rounding
