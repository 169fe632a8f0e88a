"""The area under the ROC curve of a feature, by a walk through its sorted rows.

All columns are sorted once. In any node the walk then counts how many rows of each class lie below
a row, without comparing them pair by pair. The counts are whole numbers, so that the score is that
of :func:`pycdf.kernels.lab_scores.auc`.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, inner

MOST_ROWS = 4096  # with more, nodes are small parts of all rows, and sorted by themselves
_SORTING = 16  # steps of a walk in the time it takes to sort one row of a node

Order = namedtuple("Order", "lines counts tied")
"""Sorted columns.

`lines`: int32, features x rows: twice the row, plus 1 if its value is that of the one before;
`counts`: int32, features: how many rows have a value; `tied`: uint8, features: whether two of these
have the same value.
"""

Ranks = namedtuple("Ranks", "order weights class_of below running wins")
"""An Order, and scratch arrays for a walk, int64.

`weights`: 2 x rows, zero for rows that are not in the node: how often a row is in the first and in
the second of two classes, or in its class if there are more. `class_of`: rows. `below` and
`running` counts: classes. `wins`: classes x classes.
"""


def new_order(n_features: int, n: int) -> Order:
    """Arrays for columns that are still to be sorted; for no features if they are not needed."""
    return Order(
        lines=np.empty((n_features, n), np.int32),
        counts=np.empty(n_features, np.int32),
        tied=np.empty(n_features, np.uint8),
    )


def new_ranks(order: Order, n: int, n_classes: int) -> Ranks:
    """Scratch arrays for nodes of up to `n_classes` classes; all weights are zero."""
    return Ranks(
        order=order,
        weights=np.zeros((2, n), np.int64),
        class_of=np.zeros(n, np.int64),
        below=np.zeros(n_classes, np.int64),
        running=np.zeros(n_classes, np.int64),
        wins=np.zeros((n_classes, n_classes), np.int64),
    )


@entry
def sort_columns(columns, order):
    """Fill an Order of some columns."""
    for j in range(columns.shape[0]):
        order.counts[j], order.tied[j] = _sort_rows(columns[j], order.lines[j])


@inner
def walk_pays(classes, n_classes, n, ranks):
    """Whether a walk through all `n` training rows is faster than comparing those of a node."""
    if ranks.order.counts.size == 0:
        return False
    size = classes.starts[n_classes]
    pairs = size * size
    for c in range(n_classes):
        pairs -= (classes.starts[c + 1] - classes.starts[c]) ** 2
    return n < min(pairs // 2, _SORTING * size)  # a pair takes about as long as a step


@inner
def weigh_rows(classes, n_classes, ranks):
    """Write the rows of a node to the weights."""
    for c in range(n_classes):
        line = ranks.weights[c if n_classes == 2 else 0]
        for i in range(classes.starts[c], classes.starts[c + 1]):
            line[classes.rows[i]] += 1
            ranks.class_of[classes.rows[i]] = c


@inner
def unweigh_rows(classes, n_classes, ranks):
    """Set the weights of a node's rows back to zero."""
    for i in range(classes.starts[n_classes]):
        ranks.weights[0, classes.rows[i]] = 0
        ranks.weights[1, classes.rows[i]] = 0


@inner
def auc_by_walk(feature, n_classes, ranks):
    """The score of a feature in the node whose rows are in the weights."""
    order = ranks.order
    line = order.lines[feature][: order.counts[feature]]
    if n_classes == 2:
        if order.tied[feature] == 0:
            return _walk_two(line, ranks.weights[0], ranks.weights[1])
        return _walk_two_tied(line, ranks.weights[0], ranks.weights[1])
    return _walk(line, n_classes, ranks)


@inner
def _sort_rows(column, line):
    """Sort the rows of a column that have a value (Shell sort).

    Return how many there are, and whether two have the same value.
    """
    count = 0
    for row in range(column.size):
        if column[row] == column[row]:
            line[count] = row
            count += 1
    gap = 1
    while gap < count:
        gap = gap * 9 // 4 + 1
    while gap > 1:
        gap = max(1, (gap - 1) * 4 // 9)
        for i in range(gap, count):
            row = line[i]
            place = i
            while place >= gap and column[line[place - gap]] > column[row]:
                line[place] = line[place - gap]
                place -= gap
            line[place] = row
    last = np.nan
    tied = 0
    for i in range(count):
        value = column[line[i]]
        same = 1 if value == last else 0
        line[i] = 2 * line[i] + same
        tied |= same
        last = value
    return count, tied


@inner
def _walk_two(line, firsts, seconds):
    """The score of two classes, from how often each row is in the first and in the second one."""
    first = second = above = np.int64(0)  # pairs in which the first class is above the second
    for i in range(line.size):
        one = firsts[line[i] >> 1]
        above += one * second
        first += one
        second += seconds[line[i] >> 1]
    pairs = first * second
    return abs(2 * above - pairs) / pairs if pairs > 0 else 0.0


@inner
def _walk_two_tied(line, firsts, seconds):
    """The same, if rows have the same value, which are neither above nor below each other."""
    first = second = below_first = below_second = wins = np.int64(0)
    for i in range(line.size):
        if line[i] & 1 == 0:
            below_first = first
            below_second = second
        one = firsts[line[i] >> 1]
        other = seconds[line[i] >> 1]
        wins += one * below_second - other * below_first
        first += one
        second += other
    return abs(wins) / (first * second) if first * second > 0 else 0.0


@inner
def _walk(line, n_classes, ranks):
    """The score of more classes, on average over their pairs."""
    weights, class_of, wins = ranks.weights[0], ranks.class_of, ranks.wins
    below, running = ranks.below, ranks.running
    for a in range(n_classes):
        below[a] = running[a] = 0
        for b in range(n_classes):
            wins[a, b] = 0
    for i in range(line.size):
        row = line[i] >> 1
        if line[i] & 1 == 0:
            for c in range(n_classes):
                below[c] = running[c]
        if weights[row] > 0:
            c = class_of[row]
            for other in range(n_classes):
                wins[c, other] += weights[row] * below[other]
            running[c] += weights[row]
    total = 0.0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            pairs = running[a] * running[b]
            if pairs > 0:
                total += abs(wins[a, b] - wins[b, a]) / pairs
    return 2.0 * total / (n_classes * (n_classes - 1.0))
