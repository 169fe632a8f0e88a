"""A random order of rows: R's ``order(runif(n))``."""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, inner
from pycdf.kernels.random import bits_below, next_word, skip_words

_MOST_BITS = 16

Sorting = namedtuple("Sorting", "words keys counts order")
"""The `order` of some rows, int32. The others are scratch arrays: `words`, uint32; `keys`, uint64;
and `counts`, int64."""


def new_sorting(n: int) -> Sorting:
    """Arrays for `n` rows."""
    return Sorting(
        words=np.empty(n, np.uint32),
        keys=np.empty(n, np.uint64),
        counts=np.empty(min(2 * n, 1 << _MOST_BITS) + 1, np.int64),
        order=np.empty(n, np.int32),
    )


@inner
def draw_order(state, sorting):
    """R's ``order(runif(n)) - 1``, into `sorting.order`.

    The numbers are spread evenly, so they are sorted into about as many buckets as there are
    numbers, after which few are out of order.
    """
    words, keys, counts, order = sorting.words, sorting.keys, sorting.counts, sorting.order
    n = order.size
    bits = min(max(bits_below(n), 1), _MOST_BITS)  # at most 2 n buckets
    shift = np.uint32(32 - bits)
    for b in range((1 << bits) + 1):
        counts[b] = 0
    for i in range(n):
        word = next_word(state)
        words[i] = word
        counts[np.int64(word >> shift) + 1] += 1
    for b in range(1 << bits):
        counts[b + 1] += counts[b]
    for i in range(n):
        bucket = np.int64(words[i] >> shift)
        # Equal numbers keep their order: the row is part of the key.
        keys[counts[bucket]] = (np.uint64(words[i]) << np.uint64(32)) | np.uint64(i)
        counts[bucket] += 1
    for i in range(1, n):
        key = keys[i]
        j = i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key
    for i in range(n):
        order[i] = np.int32(keys[i] & np.uint64(0xFFFFFFFF))


@entry
def skip_draws(state, count):
    """Advance a stream by `count` uniform numbers."""
    skip_words(state, count)
