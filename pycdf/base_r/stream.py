"""R's random stream: the Mersenne Twister behind ``set.seed``, and ``runif`` and ``sample`` on it.

A stream's state is one array of 32-bit words: the number of words used up, the 624 words of the
twister, and the same 624 words tempered, ready to be handed out. The kernels read and advance it in
place, so that a forest and its caller can share one stream as they do in R.
"""

import operator
import secrets

import numpy as np
import numpy.typing as npt

from pycdf.base_r.integers import LARGEST_INTEGER, as_integers
from pycdf.kernels.random import (
    STATE_WORDS,
    fill_sample,
    fill_sparse_sample,
    fill_state,
    fill_uniform,
)

_NO_SEED = np.uint32(0x80000000)  # R's NA
_HASH_ABOVE = 10_000_000  # from here on R samples small subsets by another method


def seeded_state(seed: int) -> npt.NDArray[np.uint32]:
    """The state after R's ``set.seed(seed)``."""
    state = np.empty(STATE_WORDS, dtype=np.uint32)
    fill_state(state, np.uint32(seed & 0xFFFFFFFF))
    return state


def tree_seeds(seed: int, first: int, count: int) -> npt.NDArray[np.uint32]:
    """The seeds of trees ``first`` to ``first + count - 1`` of a forest, as 32 bits.

    Forests lie apart on a ring of 2^32 places: seed by seed a step of the golden section, tree by
    tree one place. So the trees of a forest have different seeds, and forests whose seeds are less
    than 1,000 apart share none up to 1.9 million trees (less than 10,000 apart: 341,000). A
    one-to-one mix of the bits then takes neighbours far from each other.
    """
    place = (seed * 0x9E3779B1 + first) % 2**32
    x = (np.arange(place, place + count, dtype=np.uint64) % 2**32).astype(np.uint32)
    x = _mixed(x)
    return np.where(x == _NO_SEED, _mixed(x), x)


def _mixed(x: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
    return x ^ (x >> np.uint32(16))


def tree_seed(seed: int, tree: int) -> int:
    """The seed of one tree in a forest with ``streams="per_tree"``.

    Parameters
    ----------
    seed : int
        The forest's seed.
    tree : int
        The tree's number, from 0.

    Returns
    -------
    int
        With it, ``CDF(..., ntrees=1, seed=...)`` grows that tree alone, and so does R.
    """
    if _check_count(tree, "tree", 0) >= LARGEST_INTEGER:
        raise ValueError(f"tree={tree} is more than a forest can have: {LARGEST_INTEGER}.")
    return int(tree_seeds(check_seed(seed), tree, 1).view(np.int32)[0])


def check_seed(seed: object) -> int:
    """A seed as R's ``set.seed`` takes it: cut to whole, text parsed, the first of several."""
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


class RStream:
    """R's random stream after ``set.seed(seed)``.

    >>> stream = RStream(1)
    >>> rows = stream.sample(174, 121)  # R: set.seed(1); sample(174, 121), counted from 0

    ``seed=None`` starts anywhere, as a fresh R session does; :attr:`seed` then tells where.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed: int = secrets.randbelow(LARGEST_INTEGER) if seed is None else check_seed(seed)
        self.state = seeded_state(self.seed)

    def uniform(self, n: int) -> npt.NDArray[np.float64]:
        """The next ``n`` uniform numbers: R's ``runif(n)``."""
        out = np.empty(_check_count(n, "n", 0), dtype=np.float64)
        fill_uniform(self.state, out)
        return out

    def sample(
        self, n: int, size: int | None = None, replace: bool = False
    ) -> npt.NDArray[np.int64]:
        """``size`` of the positions 0 to ``n - 1`` in random order: R's ``sample(n, size, replace)
        - 1``.

        R counts from 1 and Python from 0: the result indexes rows as it stands
        (``X.iloc[rows]``, ``y[rows]``), and ``rows + 1`` are the numbers that R prints.
        """
        n = _check_count(n, "n", 1)
        size = n if size is None else _check_count(size, "size", 0)
        if size > n and not replace:
            raise ValueError(
                f"size={size} is more than n={n}: without replacement at most n can be drawn; "
                "use a smaller size or replace=True."
            )
        out = np.empty(size, dtype=np.int64)
        if n > _HASH_ABOVE and not replace and size <= n / 2:
            fill_sparse_sample(self.state, n, out)
        elif n > LARGEST_INTEGER and not replace and size > 1:
            raise ValueError(
                f"more than half of n={n} cannot be drawn without replacement: n is at most "
                f"{LARGEST_INTEGER} there."
            )
        else:
            fill_sample(self.state, n, bool(replace), out)
        return out

    @classmethod
    def at(cls, seed: int, state: npt.NDArray[np.uint32]) -> "RStream":
        """A stream that began with ``seed`` and stands where ``state`` says."""
        stream = cls(seed)
        stream.state = state.copy()
        return stream

    def copy(self) -> "RStream":
        """An independent stream that stands at the same place."""
        return RStream.at(self.seed, self.state)

    def __repr__(self) -> str:
        return f"RStream(seed={self.seed})"


def _check_count(value: object, name: str, least: int) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be a whole number; got {value!r}.") from None
    if not least <= number <= 2**52:
        raise ValueError(f"{name} must be at least {least} and at most 2**52; got {value!r}.")
    return number
