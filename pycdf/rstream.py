"""R's random stream: the Mersenne Twister behind ``set.seed``, and ``runif`` and ``sample`` on it.

A stream's state is one array of 32-bit words: the number of words used up, the 624 words of the
twister, and the same 624 words tempered, ready to be handed out. The kernels read and advance it in
place, so that a forest and its caller can share one stream as they do in R.
"""

import operator
import secrets

import numpy as np
import numpy.typing as npt

from pycdf._jit import entry, inner
from pycdf.rinteger import LARGEST_INTEGER, as_integers

_N = 624
_M = 397
STATE_WORDS = 1 + 2 * _N
_TEMPERED = 1 + _N
_UNIT = 2.3283064365386963e-10  # 2^-32
_SMALLEST = 0.5 * 2.328306437080797e-10  # R's stand-in for a zero
_NO_SEED = np.uint32(0x80000000)  # R's NA
_HASH_ABOVE = 10_000_000  # from here on R samples small subsets by another method


@inner
def _twist_run(mt, start, stop, ahead):
    for i in range(start, stop):
        y = (mt[i] & np.uint32(0x80000000)) | (mt[i + 1] & np.uint32(0x7FFFFFFF))
        odd = np.uint32(0) - (y & np.uint32(1))
        mt[i] = mt[i + ahead] ^ (y >> np.uint32(1)) ^ (odd & np.uint32(0x9908B0DF))


@inner
def _twist(state):
    """The next 624 words, raw and tempered."""
    mt = state[1 : 1 + _N]
    _twist_run(mt, 0, _N - _M, _M)
    _twist_run(mt, _N - _M, _N - 1, _M - _N)
    y = (mt[_N - 1] & np.uint32(0x80000000)) | (mt[0] & np.uint32(0x7FFFFFFF))
    odd = np.uint32(0) - (y & np.uint32(1))
    mt[_N - 1] = mt[_M - 1] ^ (y >> np.uint32(1)) ^ (odd & np.uint32(0x9908B0DF))
    state[0] = 0
    temper(state)


@inner
def temper(state):
    """Fill the second half of the state: the words as they are handed out."""
    for i in range(_N):
        y = state[1 + i]
        y ^= y >> np.uint32(11)
        y ^= (y << np.uint32(7)) & np.uint32(0x9D2C5680)
        y ^= (y << np.uint32(15)) & np.uint32(0xEFC60000)
        state[_TEMPERED + i] = y ^ (y >> np.uint32(18))


@inner
def next_word(state):
    """The next 32 random bits."""
    if state[0] >= _N:
        _twist(state)
    position = state[0]
    state[0] = position + np.uint32(1)
    return state[_TEMPERED + position]


@inner
def next_uniform(state):
    """R's ``unif_rand()``: strictly between 0 and 1."""
    value = np.float64(next_word(state)) * _UNIT
    return value if value > 0.0 else _SMALLEST


@inner
def bits_below(n):
    """The smallest b with 2^b >= n."""
    bits = 0
    while (np.int64(1) << bits) < n:
        bits += 1
    return bits


@inner
def next_index(state, n, bits):
    """An index below ``n`` by R's rejection of ``bits``-bit numbers."""
    mask = (np.int64(1) << bits) - 1
    while True:
        value = np.int64(0)
        for _ in range(0, bits + 1, 16):
            value = (value << 16) | np.int64(next_word(state) >> np.uint32(16))
        value &= mask
        if value < n:
            return value


@inner
def draw_with_replacement(state, n, out):
    """R's ``sample.int(n, length(out), TRUE) - 1``."""
    bits = bits_below(n)
    if bits >= 16:
        for i in range(out.size):
            out[i] = next_index(state, n, bits)
        return
    # One word an index: a value that is too large is overwritten, which is cheaper than a branch.
    mask = np.uint32((1 << bits) - 1)
    position = np.int64(state[0])
    i = 0
    while i < out.size:
        if position >= _N:
            _twist(state)
            position = np.int64(0)
        value = np.int64((state[_TEMPERED + position] >> np.uint32(16)) & mask)
        position += 1
        out[i] = value
        i += value < n
    state[0] = position


@inner
def draw_without_replacement(state, pool, places, out):
    """R's ``sample.int(length(pool), length(out)) - 1``.

    The pool holds 0, 1, 2, ... and is put back in that order afterwards, which is cheaper than
    filling it anew; ``places`` is scratch of the length of ``out``.
    """
    size = np.int64(pool.size)
    bits = bits_below(size)
    i = 0
    while i < out.size:
        while bits > 0 and (np.int64(1) << (bits - 1)) >= size:
            bits -= 1
        if bits >= 16:
            place = next_index(state, size, bits)
            size -= 1
            places[i] = place
            out[i] = pool[place]
            pool[place] = pool[size]
            i += 1
            continue
        # One word an index, until the pool has shrunk to half the range. A value that is too large
        # takes the last of the pool, to no effect, and is overwritten: cheaper than a branch.
        mask = np.uint32((1 << bits) - 1)
        least = np.int64(1) << (bits - 1) if bits > 0 else np.int64(0)
        position = np.int64(state[0])
        while i < out.size and size > least:
            if position >= _N:
                _twist(state)
                position = np.int64(0)
            place = np.int64((state[_TEMPERED + position] >> np.uint32(16)) & mask)
            position += 1
            drawn = place < size
            place = place if drawn else size - 1
            places[i] = place
            out[i] = pool[place]
            pool[place] = pool[size - 1]
            size -= 1 if drawn else 0
            i += 1 if drawn else 0
        state[0] = position
    for j in range(out.size):
        pool[places[j]] = places[j]


@entry
def fill_uniform(state, out):
    """R's ``runif(length(out))``."""
    for i in range(out.size):
        out[i] = next_uniform(state)


@entry
def fill_sample(state, n, replace, out):
    """R's ``sample.int(n, length(out), replace) - 1``, the method for most n."""
    if replace or out.size < 2:
        bits = bits_below(n)
        for i in range(out.size):
            out[i] = next_index(state, n, bits)
    else:
        pool = np.empty(n, np.int32)
        for i in range(n):
            pool[i] = i
        drawn = np.empty(out.size, np.int32)
        draw_without_replacement(state, pool, np.empty(out.size, np.int32), drawn)
        for i in range(out.size):
            out[i] = drawn[i]


@entry
def fill_sparse_sample(state, n, out):
    """R's ``sample.int`` for a small part of a large n: draw again whatever was drawn before."""
    bits = bits_below(n)
    seen = set()
    for i in range(out.size):
        index = next_index(state, n, bits)
        while index in seen:
            index = next_index(state, n, bits)
        seen.add(index)
        out[i] = index


@inner
def start_stream(state, seed):
    """R's ``set.seed``, the seed as 32 bits."""
    word = seed
    for _ in range(50):
        word = np.uint32(69069) * word + np.uint32(1)
    for i in range(1 + _N):
        word = np.uint32(69069) * word + np.uint32(1)
        state[i] = word
    state[0] = _N  # R overwrites the first word with the position


@entry
def _fill_state(state, seed):
    start_stream(state, seed)


def seeded_state(seed: int) -> npt.NDArray[np.uint32]:
    """The state after R's ``set.seed(seed)``."""
    state = np.empty(STATE_WORDS, dtype=np.uint32)
    _fill_state(state, np.uint32(seed & 0xFFFFFFFF))
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
        self._state = seeded_state(self.seed)

    def uniform(self, n: int) -> npt.NDArray[np.float64]:
        """The next ``n`` uniform numbers: R's ``runif(n)``."""
        out = np.empty(_check_count(n, "n", 0), dtype=np.float64)
        fill_uniform(self._state, out)
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
            fill_sparse_sample(self._state, n, out)
        elif n > LARGEST_INTEGER and not replace and size > 1:
            raise ValueError(
                f"more than half of n={n} cannot be drawn without replacement: n is at most "
                f"{LARGEST_INTEGER} there."
            )
        else:
            fill_sample(self._state, n, bool(replace), out)
        return out

    def copy(self) -> "RStream":
        """An independent stream that stands at the same place."""
        twin = RStream(self.seed)
        twin._state = self._state.copy()
        return twin

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
