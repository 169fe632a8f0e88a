"""Choose the features of a node by another score than R's, or so that they are not alike.

The centroids are R's class means in any case, to the last bit. The spreads of the chosen features
are measured here, too: some distances divide by them.
"""

import math
from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import Kernel, inlined, inner
from pycdf.kernels.heap import keep_largest, sort_heap
from pycdf.kernels.lab_lanes import (
    f_in_lane,
    measure_lanes,
    new_lane_moments,
    welch_in_lane,
)
from pycdf.kernels.lab_ranks import (
    Order,
    auc_by_walk,
    new_ranks,
    unweigh_rows,
    walk_pays,
    weigh_rows,
)
from pycdf.kernels.lab_scores import SCORES, score_of, squares_about, sum_of
from pycdf.kernels.lanes import Lanes
from pycdf.kernels.scores import score_features
from pycdf.kernels.screen_bounds import add_weights, reset_weights, score_ranges
from pycdf.kernels.simd import prefetch
from pycdf.kernels.simd_sizes import LANES

_AHEAD = 8  # how many candidates are prefetched
_SLACK = 1e-5  # more than all roundings of single precision
WELCH, F, AUC = (1 + list(SCORES).index(name) for name in ("welch", "f", "auc"))

Choice = namedtuple(
    "Choice", "values starts chosen worth known closeness centers lengths moments ranks"
)
"""Scratch arrays to choose features.

`values` of a feature class by class, and where the classes `start` (int64); the `chosen` features,
int32. For each candidate: what it is `worth` beside those chosen before, as far as that is known,
how many of these its `closeness` takes into account (int64), the class means about which it is
`center`ed, and the `length` of what is left then. All others are float64. `moments` and `ranks`
are for fast scores.
"""


def new_choice(n: int, n_classes: int, mtry: int, k: int, lanes: Lanes, order: Order) -> Choice:
    """Scratch arrays for nodes of up to `n` rows; for the AUC the `order` of all columns."""
    return Choice(
        values=np.empty(n),
        starts=np.zeros(n_classes + 1, np.int64),
        chosen=np.empty(k, np.int32),
        worth=np.empty(mtry),
        known=np.empty(mtry, np.int64),
        closeness=np.empty(mtry),
        centers=np.empty((mtry, n_classes)),
        lengths=np.empty(mtry),
        moments=new_lane_moments(lanes, n_classes),
        ranks=new_ranks(order, n, n_classes),
    )


def new_scorer(score: Kernel) -> Kernel:
    """A kernel that computes a score, which takes a number first."""

    @inner
    def score_one_by_one(number, columns, classes, n_classes, candidates, scores, scratch):
        """Write the scores of all candidates in a node."""
        starts = scratch.starts[: n_classes + 1]
        for i in range(candidates.size):
            count = gather(columns[candidates[i]], classes, n_classes, scratch)
            scores[i] = finite(score(number, scratch.values[:count], starts))

    @inner
    def score_fast(number, columns, classes, n_classes, candidates, scores, scratch):
        """The same, by ways that only pycdf's own scores have."""
        ranks = scratch.ranks
        if number == AUC and walk_pays(classes, n_classes, columns.shape[1], ranks):
            weigh_rows(classes, n_classes, ranks)
            for i in range(candidates.size):
                later = np.int64(candidates[min(i + _AHEAD, candidates.size - 1)])
                prefetch(ranks.order.lines, later * columns.shape[1], columns.shape[1])
                scores[i] = auc_by_walk(candidates[i], n_classes, ranks)
            unweigh_rows(classes, n_classes, ranks)
        elif number in (WELCH, F):
            moments = scratch.moments
            for i in range(0, candidates.size, LANES):
                end = min(i + LANES, candidates.size)
                for ahead in range(end, min(end + LANES, candidates.size)):
                    start = np.int64(candidates[ahead]) * columns.shape[1]
                    prefetch(columns, start, columns.shape[1])
                if measure_lanes(columns, candidates, i, end - i, classes, n_classes, moments):
                    for lane in range(end - i):
                        if number == WELCH:
                            value = welch_in_lane(lane, classes, n_classes, moments)
                        else:
                            value = f_in_lane(lane, classes, n_classes, moments)
                        scores[i + lane] = finite(value)
                else:
                    score_one_by_one(number, columns, classes, n_classes, candidates[i:end],
                                     scores[i:end], scratch)  # fmt: skip
        else:
            score_one_by_one(number, columns, classes, n_classes, candidates, scores, scratch)

    return score_fast if score is score_of else score_one_by_one


@inlined
def finite(value):
    """A score, or less than all others if it is not finite."""
    return value if abs(value) < np.inf else -np.inf


@inner
def gather(column, classes, n_classes, scratch):
    """Copy the values of a node's rows, class by class, without missing ones; return how many."""
    values, starts = scratch.values, scratch.starts
    count = 0
    for c in range(n_classes):
        starts[c] = count
        for i in range(classes.starts[c], classes.starts[c + 1]):
            value = column[classes.rows[i]]
            if value == value:
                values[count] = value
                count += 1
    starts[n_classes] = count
    return count


@inner
def keep_contenders(screen, rule, classes, candidates, redundancy, k, selection, n_classes):
    """Write the candidates that can be chosen by R's score to `selection.contenders`.

    Return how many there are. A feature loses at most the share `redundancy` of its score, so k
    candidates are worth at least the rest of the k-th best score, and those below have no chance.
    """
    low, high, contenders = selection.low, selection.high, selection.contenders
    n_scored = add_weights(screen, classes, n_classes, rule.ddof, selection.weights)
    bar = -np.inf
    if n_scored > 1 and k < candidates.size:
        score_ranges(
            screen, candidates, selection.weights, n_scored, rule.ddof, selection.tile, low, high
        )
        least = keep_largest(low, candidates.size, k, selection.heap)
        bar = least * ((1.0 - redundancy) * (1.0 - _SLACK))
    reset_weights(screen, classes, n_classes, selection.weights)
    count = 0
    for i in range(candidates.size):
        if bar == -np.inf or not high[i] < bar:
            contenders[count] = candidates[i]
            count += 1
    return count


@inner
def choose_best(columns, rule, classes, candidates, redundancy, selection, split, scratch):
    """Write the candidates with the best scores, best first, and their class means to `split`.

    `selection.scored` has the scores. With a `redundancy` above 0, a feature that is correlated
    with one chosen before counts for less.
    """
    scored, heap, chosen = selection.scored, selection.heap, scratch.chosen
    n_classes = split.n_centroids
    k = min(split.n_features, candidates.size, heap.positions.size)
    if redundancy > 0.0:
        _choose_apart(columns, classes, n_classes, candidates, scored.scores, redundancy, k, heap,
                      scratch)  # fmt: skip
    else:
        keep_largest(scored.scores, candidates.size, k, heap)
        sort_heap(k, heap)
    for f in range(k):
        chosen[f] = candidates[heap.positions[f]]
        split.features[split.first_feature + f] = chosen[f]
    score_features(columns, chosen, 0, k, classes, n_classes, rule, scored)
    for f in range(k):
        for c in range(n_classes):
            place = split.first_centroid + c * split.n_features + f
            split.centroids[place] = scored.means[f, c]


@inner
def _choose_apart(columns, classes, n_classes, candidates, scores, redundancy, k, heap, scratch):
    """Choose one feature after the other: the best score less what earlier ones have of it.

    What a candidate is worth never rises from one choice to the next. So a candidate that is worth
    most by what is known, and whose worth takes all earlier choices into account, is the best, and
    nothing more has to be known about the others.
    """
    worth, known, closeness, positions = (
        scratch.worth, scratch.known, scratch.closeness, heap.positions,
    )  # fmt: skip
    for i in range(candidates.size):
        worth[i] = scores[i]
        known[i] = 0
        closeness[i] = 0.0
    for f in range(k):
        best = -1
        while best < 0:
            for i in range(candidates.size):
                if known[i] >= 0 and (best < 0 or worth[i] > worth[best]):
                    best = i
            if known[best] < f and worth[best] > -np.inf:
                if known[best] == 0:
                    _center(columns[candidates[best]], classes, n_classes, best, scratch)
                for earlier in range(known[best], f):
                    r = _correlation(columns, classes, n_classes, candidates, positions[earlier],
                                     best, scratch)  # fmt: skip
                    closeness[best] = max(closeness[best], abs(r))
                worth[best] = scores[best] - redundancy * closeness[best] * abs(scores[best])
                known[best] = f
                best = -1
        if known[best] == 0:
            _center(columns[candidates[best]], classes, n_classes, best, scratch)
        positions[f] = best
        known[best] = -1  # chosen


@inner
def _center(column, classes, n_classes, i, scratch):
    """Write the class means of candidate i, and the root of the squares about them."""
    count = gather(column, classes, n_classes, scratch)
    squares = 0.0
    for c in range(n_classes):
        first, end = scratch.starts[c], scratch.starts[c + 1]
        mean = sum_of(scratch.values, first, end) / (end - first)
        scratch.centers[i, c] = mean
        squares += squares_about(scratch.values, first, end, mean)
    scratch.lengths[i] = math.sqrt(squares) if count > 0 else 0.0


@inner
def _correlation(columns, classes, n_classes, candidates, i, other, scratch):
    """The correlation of two candidates within the classes; 0 if one does not vary there."""
    one, two = columns[candidates[i]], columns[candidates[other]]
    centers, lengths = scratch.centers, scratch.lengths
    product = 0.0
    for c in range(n_classes):
        for place in range(classes.starts[c], classes.starts[c + 1]):
            row = classes.rows[place]
            term = (one[row] - centers[i, c]) * (two[row] - centers[other, c])
            product += term if term == term else 0.0
    scale = lengths[i] * lengths[other]
    return min(1.0, abs(product) / scale) if scale > 0.0 else 0.0


@inner
def measure_spreads(columns, classes, split, spreads, scratch):
    """Write the spread of each selected feature: its pooled standard deviation within the classes.

    If that is 0 or there are too few values, it is the standard deviation over all classes, and 1
    if that is 0, too.
    """
    n_classes = split.n_centroids
    values, starts = scratch.values, scratch.starts
    for f in range(split.first_feature, split.first_feature + split.n_features):
        count = gather(columns[split.features[f]], classes, n_classes, scratch)
        within = 0.0
        found = 0
        for c in range(n_classes):
            first, end = starts[c], starts[c + 1]
            if end > first:
                mean = sum_of(values, first, end) / (end - first)
                within += squares_about(values, first, end, mean)
                found += 1
        spread = math.sqrt(within / (count - found)) if count > found else 0.0
        if not 0.0 < spread < np.inf and count > 1:
            mean = sum_of(values, 0, count) / count
            spread = math.sqrt(squares_about(values, 0, count, mean) / (count - 1))
        spreads[f] = spread if 0.0 < spread < np.inf else 1.0
