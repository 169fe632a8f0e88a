"""Seeds: what R's ``set.seed`` makes of one, and the seeds of trees with streams of their own."""

import operator

import numpy as np
import numpy.typing as npt

from pycdf.base_r.integers import LARGEST_INTEGER, as_integers
from pycdf.kernels.random import STATE_WORDS, fill_state
from pycdf.support.wording import shown

_NO_SEED = np.uint32(0x80000000)  # R's NA


def check_seed(seed: object) -> int:
    """A seed as R's ``set.seed`` reads it: truncated, parsed if text, the first of several."""
    try:
        first = as_integers(seed)[:1]
    except TypeError:
        first = []
    if not first or first[0] is None:
        raise ValueError(
            f"seed={seed!r} is not a seed of R's set.seed(): pass a whole number from "
            f"-{LARGEST_INTEGER} to {LARGEST_INTEGER}, or None for fresh randomness."
        )
    return first[0]


def seeded_state(seed: int) -> npt.NDArray[np.uint32]:
    """The state after R's ``set.seed(seed)``."""
    state = np.zeros(STATE_WORDS, dtype=np.uint32)  # the words to draw are not there yet
    fill_state(state, np.uint32(seed & 0xFFFFFFFF))
    return state


def tree_seeds(seed: int, first: int, count: int) -> npt.NDArray[np.uint32]:
    """The seeds of trees ``first`` to ``first + count - 1`` of a forest, as 32-bit words.

    The seeds are positions on a ring of 2^32. Consecutive trees of a forest are one position apart,
    and consecutive forest seeds a golden-section step. The trees of a forest therefore have
    different seeds, and two forests whose seeds differ by less than 1,000 have none in common up
    to 1.9 million trees (by less than 10,000: up to 341,000). A bijective mix of the bits then
    moves neighbours far from each other.
    """
    start = (seed * 0x9E3779B1 + first) % 2**32
    x = (np.arange(start, start + count, dtype=np.uint64) % 2**32).astype(np.uint32)
    x = _mixed(x)
    return np.where(x == _NO_SEED, _mixed(x), x)


def _mixed(x: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
    return x ^ (x >> np.uint32(16))


def tree_seed(seed: int, tree: int) -> int:
    """Compute the seed of one tree in a forest grown with ``streams="per_tree"``.

    Parameters
    ----------
    seed : int
        The seed of the forest.
    tree : int
        The number of the tree, counted from 0.

    Returns
    -------
    int
        The tree's own seed: ``CDF(..., ntrees=1, seed=...)`` grows that tree alone, in R too.

    Examples
    --------
    >>> from pycdf import tree_seed
    >>> [tree_seed(1, tree) for tree in range(3)]
    [1834104592, 742688469, -27546461]
    """
    try:
        number = operator.index(tree)
    except TypeError:
        raise TypeError(f"tree must be a whole number; got {shown(tree)}.") from None
    if number < 0:
        raise ValueError(f"tree must be at least 0; got {tree}.")
    if number >= LARGEST_INTEGER:
        raise ValueError(f"tree={tree} is more than a forest can have: {LARGEST_INTEGER}.")
    return int(tree_seeds(check_seed(seed), number, 1).view(np.int32)[0])
