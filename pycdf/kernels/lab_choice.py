"""Choose the features of a node by another score than R's, or so that they are not alike.

The centroids are R's class means in any case, to the last bit. The spreads of the chosen features
are measured here, too: some distances divide by them.
"""

import math
from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import Kernel, inner
from pycdf.kernels.heap import keep_largest, sort_heap
from pycdf.kernels.lab_scores import squares_about, sum_of
from pycdf.kernels.scores import score_features

Choice = namedtuple("Choice", "values starts chosen closeness centers lengths")
"""Scratch arrays to choose features.

`values` of a feature class by class, and where the classes `start` (int64); the `chosen` features,
int32. For each candidate: its `closeness` to those chosen before, the class means about which it
is `center`ed, and the `length` of what is left then. All others are float64.
"""


def new_choice(n: int, n_classes: int, mtry: int, k: int) -> Choice:
    """Scratch arrays for nodes of up to `n` rows."""
    return Choice(
        values=np.empty(n),
        starts=np.zeros(n_classes + 1, np.int64),
        chosen=np.empty(k, np.int32),
        closeness=np.empty(mtry),
        centers=np.empty((mtry, n_classes)),
        lengths=np.empty(mtry),
    )


def new_scorer(score: Kernel) -> Kernel:
    """A kernel that computes a score, which takes a number first."""

    @inner
    def score_candidates(number, columns, classes, n_classes, candidates, scores, scratch):
        """Write the scores of all candidates in a node."""
        starts = scratch.starts[: n_classes + 1]
        for i in range(candidates.size):
            count = gather(columns[candidates[i]], classes, n_classes, scratch)
            value = score(number, scratch.values[:count], starts)
            scores[i] = value if abs(value) < np.inf else -np.inf

    return score_candidates


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
def exact_scores(columns, features, count, classes, n_classes, rule, scored):
    """R's scores and class means of `features[:count]`."""
    score_features(columns, features, 0, count, classes, n_classes, rule, scored)


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
    exact_scores(columns, chosen, k, classes, n_classes, rule, scored)
    for f in range(k):
        for c in range(n_classes):
            place = split.first_centroid + c * split.n_features + f
            split.centroids[place] = scored.means[f, c]


@inner
def _choose_apart(columns, classes, n_classes, candidates, scores, redundancy, k, heap, scratch):
    """Choose one feature after the other: the best score less what earlier ones have of it."""
    closeness = scratch.closeness
    for i in range(candidates.size):
        closeness[i] = 0.0
        _center(columns[candidates[i]], classes, n_classes, i, scratch)
    for f in range(k):
        best = -1
        most = -np.inf
        for i in range(candidates.size):
            if closeness[i] >= 0.0:
                worth = -np.inf
                if scores[i] > -np.inf:
                    worth = scores[i] - redundancy * closeness[i] * abs(scores[i])
                if best < 0 or worth > most:
                    best = i
                    most = worth
        heap.positions[f] = best
        closeness[best] = -1.0  # chosen
        for i in range(candidates.size):
            if closeness[i] >= 0.0 and f + 1 < k:
                r = _correlation(columns, classes, n_classes, candidates, best, i, scratch)
                closeness[i] = max(closeness[i], abs(r))


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
