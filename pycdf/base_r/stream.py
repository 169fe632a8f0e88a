"""R's random stream: the Mersenne Twister behind ``set.seed``, with ``runif`` and ``sample``.

The state of a stream is one array of 32-bit words: how many words have been used, the 624 words of
the twister, and the same 624 words tempered, ready to be drawn. The kernels read and advance it in
place, so that a forest and its caller can share one stream, as they do in R.
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
_HASH_ABOVE = 10_000_000  # above this, R draws small subsets with a hash table


def seeded_state(seed: int) -> npt.NDArray[np.uint32]:
    """The state after R's ``set.seed(seed)``."""
    state = np.empty(STATE_WORDS, dtype=np.uint32)
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
    if _check_count(tree, "tree", 0) >= LARGEST_INTEGER:
        raise ValueError(f"tree={tree} is more than a forest can have: {LARGEST_INTEGER}.")
    return int(tree_seeds(check_seed(seed), tree, 1).view(np.int32)[0])


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


class RStream:
    """R's random stream after ``set.seed(seed)``.

    Parameters
    ----------
    seed : int or None, default=None
        The argument of R's ``set.seed``. None starts at a random seed, as a fresh R session does.

    Attributes
    ----------
    seed : int
        The seed that the stream started from.
    state : ndarray of uint32
        The state of the Mersenne Twister, advanced in place by every draw.

    Examples
    --------
    In R: ``set.seed(1); sample(10, 3)`` prints 9 4 7, and ``runif(2)`` then continues.

    >>> from pycdf import RStream
    >>> stream = RStream(1)
    >>> stream.sample(10, 3).tolist()
    [8, 3, 6]
    >>> stream.uniform(2).tolist()
    [0.9082077899947762, 0.2016819310374558]
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed: int = secrets.randbelow(LARGEST_INTEGER) if seed is None else check_seed(seed)
        self.state = seeded_state(self.seed)

    def uniform(self, n: int) -> npt.NDArray[np.float64]:
        """Draw uniform numbers: R's ``runif(n)``.

        Parameters
        ----------
        n : int
            How many to draw.

        Returns
        -------
        ndarray of shape (n,)
            Numbers above 0 and below 1.

        Examples
        --------
        >>> from pycdf import RStream
        >>> RStream(1).uniform(2).tolist()
        [0.2655086631421, 0.37212389963679016]
        """
        out = np.empty(_check_count(n, "n", 0), dtype=np.float64)
        fill_uniform(self.state, out)
        return out

    def sample(
        self, n: int, size: int | None = None, replace: bool = False
    ) -> npt.NDArray[np.int64]:
        """Draw from the integers 0 to ``n - 1``: R's ``sample(n, size, replace) - 1``.

        R counts from 1 and Python from 0. The result can be used as an index directly
        (``X.iloc[rows]``), and ``rows + 1`` are the numbers that R prints.

        Parameters
        ----------
        n : int
            How many integers to draw from.
        size : int or None, default=None
            How many to draw. None draws n of them, a random permutation.
        replace : bool, default=False
            Whether to draw with replacement.

        Returns
        -------
        ndarray of shape (size,)
            Integers in the order in which they were drawn.

        Examples
        --------
        >>> from pycdf import RStream
        >>> RStream(1).sample(10, 3).tolist()
        [8, 3, 6]
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
        """Make a stream with a given seed and state.

        Parameters
        ----------
        seed : int
            The seed that the stream started from.
        state : ndarray of uint32
            The state to continue from. It is copied.

        Returns
        -------
        RStream

        Examples
        --------
        >>> from pycdf import RStream
        >>> stream = RStream(1)
        >>> again = RStream.at(1, stream.state)
        >>> (again.uniform(1) == stream.uniform(1)).item()
        True
        """
        stream = cls(seed)
        stream.state = state.copy()
        return stream

    def copy(self) -> "RStream":
        """Copy the stream, so that both continue independently from the same state.

        Returns
        -------
        RStream

        Examples
        --------
        >>> from pycdf import RStream
        >>> stream = RStream(1)
        >>> (stream.copy().uniform(1) == stream.uniform(1)).item()
        True
        """
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
