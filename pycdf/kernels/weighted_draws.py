"""Draw indices with unequal probabilities, as R's ``sample(prob = )`` does.

R has three methods: inversion of the cumulated probabilities for draws with replacement, Walker's
alias table instead if there are many probable values, and one by one for draws without
replacement. The two that go through the values begin with the most probable ones. R sorts them by
a heap sort, which is not stable: its order of equal probabilities is part of the result.
"""

import numpy as np

from pycdf.kernels.compile import entry, inner
from pycdf.kernels.random import bits_below, next_index, next_uniform


@inner
def _sink(values, order, value, index, hole, size):
    """Put a value into a heap with the smallest on top, from an empty place downwards."""
    child = 2 * hole + 1
    while child < size:
        if child + 1 < size and values[child] > values[child + 1]:
            child += 1
        if value <= values[child]:
            break
        values[hole], order[hole] = values[child], order[child]
        hole = child
        child = 2 * hole + 1
    values[hole], order[hole] = value, index


@inner
def sort_decreasing(values, order):
    """Sort by a heap sort, largest first; `order`, int64, gets the original positions."""
    size = values.size
    for i in range(size):
        order[i] = i
    for top in range(size // 2 - 1, -1, -1):
        _sink(values, order, values[top], order[top], top, size)
    for last in range(size - 1, 0, -1):
        value, index = values[last], order[last]
        values[last], order[last] = values[0], order[0]
        _sink(values, order, value, index, 0, last)


@entry(allocates=True)
def fill_by_inversion(state, prob, out):
    """With replacement: the first value whose cumulated probability reaches a uniform number.

    `prob`, float64, adds up to 1 and is overwritten; `out` is int64.
    """
    order = np.empty(prob.size, np.int64)
    sort_decreasing(prob, order)
    for j in range(1, prob.size):
        prob[j] += prob[j - 1]
    for i in range(out.size):
        u = next_uniform(state)
        low, high = 0, prob.size - 1  # the last value, if rounding left the sum below u
        while low < high:
            middle = (low + high) // 2
            if u <= prob[middle]:
                high = middle
            else:
                low = middle + 1
        out[i] = order[low]


@entry(allocates=True)
def fill_by_alias(state, prob, rounding, out):
    """With replacement, by Walker's alias table.

    An index chooses a column of the table, and a uniform number the value of the column or its
    alias; before R 3.6.0 one number did both. `prob`, float64, adds up to 1 and is overwritten;
    `out` is int64.
    """
    n = prob.size
    alias = np.arange(n)
    waiting = np.empty(n, np.int64)  # columns with less than their share in front, others behind
    n_small, large = 0, n
    for i in range(n):
        prob[i] *= n
        if prob[i] < 1.0:
            waiting[n_small] = i
            n_small += 1
        else:
            large -= 1
            waiting[large] = i
    if n_small > 0 and large < n:
        for k in range(n - 1):
            small, donor = waiting[k], waiting[large]
            alias[small] = donor
            prob[donor] += prob[small] - 1.0
            if prob[donor] < 1.0:
                large += 1  # it becomes one of the small columns
            if large >= n:
                break
    bits = bits_below(n)
    for i in range(out.size):
        if rounding is None:
            column = next_index(state, n, bits)
            own = next_uniform(state) < prob[column]
        else:
            u = next_uniform(state) * n
            column = np.int64(u)
            own = u < prob[column] + column
        out[i] = column if own else alias[column]


@entry(allocates=True)
def fill_without_replacement(state, prob, out):
    """One value after the other, each with its share of the probability that is left.

    `prob`, float64, adds up to 1 and is overwritten; `out` is int64.
    """
    order = np.empty(prob.size, np.int64)
    sort_decreasing(prob, order)
    total = 1.0
    last = prob.size - 1
    for i in range(out.size):
        wanted = total * next_uniform(state)
        mass = 0.0
        at = 0
        while at < last:
            mass += prob[at]
            if wanted <= mass:
                break
            at += 1
        out[i] = order[at]
        total -= prob[at]
        for j in range(at, last):
            prob[j], order[j] = prob[j + 1], order[j + 1]
        last -= 1
