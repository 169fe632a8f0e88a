"""R's Mersenne Twister, and the draws that R makes with it.

A stream's `state` is one array of STATE_WORDS uint32: how many words have been used, the 624 words
of the twister, and the same 624 words tempered, ready to be drawn. The kernels read and advance it
in place, so that a forest and its caller can share one stream, as they do in R.

`rounding` is None for R's sampling by rejection, and True for the way of R before 3.6.0. The two
are different types for numba: the code of the usual way has no branch for the other one, which is
compiled when it is used.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, inner

_N = 624
_M = 397
STATE_WORDS = 1 + 2 * _N
_TEMPERED = 1 + _N
_UNIT = 2.3283064365386963e-10  # 2^-32
_SMALLEST = 0.5 * 2.328306437080797e-10  # what R returns instead of zero
_LARGEST_INTEGER = 2**31 - 1
_PIECES = 2.0**25


Candidates = namedtuple("Candidates", "drawn pool positions")
"""The features that a node draws, all int32.

`drawn`: the result. `pool`: all features, 0, 1, 2, ...; `positions`: scratch, as long as `drawn`.
"""


def new_candidates(n_features: int, mtry: int) -> Candidates:
    """Arrays to draw `mtry` of the features; if these are all, they count as drawn."""
    pool = np.arange(n_features, dtype=np.int32)
    drawn = pool[:mtry].copy()
    return Candidates(drawn=drawn, pool=pool, positions=np.empty_like(drawn))


@inner
def _twist_run(mt, start, stop, ahead):
    """One step of the twister for the words from `start` on, with the words `ahead` of them."""
    for i in range(start, stop):
        y = (mt[i] & np.uint32(0x80000000)) | (mt[i + 1] & np.uint32(0x7FFFFFFF))
        odd = np.uint32(0) - (y & np.uint32(1))
        mt[i] = mt[i + ahead] ^ (y >> np.uint32(1)) ^ (odd & np.uint32(0x9908B0DF))


@inner
def _twist(state):
    """The next 624 words, raw and tempered."""
    mt = state[1 : 1 + _N]
    # numba compiles the run for these literals; with plain int64 forests grow some percent slower.
    _twist_run(mt, 0, _N - _M, _M)
    _twist_run(mt, _N - _M, _N - 1, _M - _N)
    y = (mt[_N - 1] & np.uint32(0x80000000)) | (mt[0] & np.uint32(0x7FFFFFFF))
    odd = np.uint32(0) - (y & np.uint32(1))
    mt[_N - 1] = mt[_M - 1] ^ (y >> np.uint32(1)) ^ (odd & np.uint32(0x9908B0DF))
    state[0] = 0
    temper(state)


@inner
def temper(state):
    """Fill the second half of the state with the tempered words."""
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
def skip_words(state, count):
    """Leave the stream as `count` draws of 32 bits do."""
    while count > _N - np.int64(state[0]):
        count -= _N - np.int64(state[0])
        _twist(state)
    state[0] += np.uint32(count)


@inner
def bits_below(n):
    """The smallest b with 2^b >= n."""
    bits = 0
    while (np.int64(1) << bits) < n:
        bits += 1
    return bits


@inner
def next_index(state, n, bits):
    """An index below ``n``, by R's rejection sampling of ``bits``-bit numbers."""
    mask = (np.int64(1) << bits) - 1
    while True:
        value = np.int64(0)
        for _ in range(0, bits + 1, 16):
            value = (value << 16) | np.int64(next_word(state) >> np.uint32(16))
        value &= mask
        if value < n:
            return value


@inner
def rounded_index(state, n):
    """An index below ``n``, as R drew it before 3.6.0: a uniform number times n, rounded down."""
    u = next_uniform(state)
    if n > _LARGEST_INTEGER:  # 32 bits are too few
        u = (np.floor(_PIECES * u) + next_uniform(state)) / _PIECES
    return np.int64(np.floor(np.float64(n) * u))


@inner
def draw_index(state, n, bits, rounding):
    """An index below ``n``, drawn in the stream's way."""
    if rounding is None:
        return next_index(state, n, bits)
    return rounded_index(state, n)


@inner
def draw_with_replacement(state, n, out, rounding):
    """R's ``sample.int(n, length(out), TRUE) - 1``; `out` is int32."""
    if rounding is not None:
        for i in range(out.size):
            out[i] = rounded_index(state, n)
        return
    bits = bits_below(n)
    if bits >= 16:
        for i in range(out.size):
            out[i] = next_index(state, n, bits)
        return
    # One word per index: a value that is too large is overwritten, which is cheaper than a branch.
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
def draw_without_replacement(state, candidates, n_used, rounding):
    """R's ``sample.int(length(pool), length(drawn)) - 1``.

    All are drawn from the stream, but only the first `n_used` need be written. The pool is put back
    in order afterwards, which is cheaper than filling it again.
    """
    out, pool, positions = candidates.drawn, candidates.pool, candidates.positions
    n_used = min(np.int64(n_used), np.int64(out.size))
    size = np.int64(pool.size)
    bits = bits_below(size)
    n_written = np.int64(0)
    i = np.int64(0)
    if rounding is not None:
        while i < out.size:
            index = rounded_index(state, size)
            size -= 1
            positions[i] = index
            out[i] = pool[index]
            pool[index] = pool[size]
            i += 1
        n_written = i
    while i < out.size:
        while bits > 0 and (np.int64(1) << (bits - 1)) >= size:
            bits -= 1
        if bits >= 16:
            index = next_index(state, size, bits)
            size -= 1
            positions[i] = index
            out[i] = pool[index]
            pool[index] = pool[size]
            i += 1
            n_written = i
            continue
        # One word per index, until the pool has shrunk to half the range. A value that is too large
        # draws the last of the pool, has no effect and is overwritten: cheaper than a branch.
        mask = np.uint32((1 << bits) - 1)
        least = np.int64(1) << (bits - 1) if bits > 0 else np.int64(0)
        position = np.int64(state[0])
        while i < n_used and size > least:
            if position >= _N:
                _twist(state)
                position = np.int64(0)
            index = np.int64((state[_TEMPERED + position] >> np.uint32(16)) & mask)
            position += 1
            drawn = index < size
            index = index if drawn else size - 1
            positions[i] = index
            out[i] = pool[index]
            pool[index] = pool[size - 1]
            size -= 1 if drawn else 0
            i += 1 if drawn else 0
        n_written = max(n_written, min(i, n_used))
        end = min(np.int64(out.size), i + size - least) if i >= n_used else i
        while i < end:
            if position >= _N:
                _twist(state)
                position = np.int64(0)
            index = np.int64((state[_TEMPERED + position] >> np.uint32(16)) & mask)
            position += 1
            drawn = index < size
            size -= 1 if drawn else 0
            i += 1 if drawn else 0
        state[0] = position
    for j in range(n_written):
        pool[positions[j]] = positions[j]


@entry
def fill_uniform(state, out):
    """R's ``runif(length(out))``; `out` is float64."""
    for i in range(out.size):
        out[i] = next_uniform(state)


@entry(allocates=True)
def fill_sample(state, n, replace, rounding, out):
    """R's ``sample.int(n, length(out), replace) - 1``, the method for most n; `out` is int64."""
    if replace or out.size < 2:
        bits = bits_below(n)
        for i in range(out.size):
            out[i] = draw_index(state, n, bits, rounding)
    else:
        candidates = Candidates(
            drawn=np.empty(out.size, np.int32),
            pool=np.empty(n, np.int32),
            positions=np.empty(out.size, np.int32),
        )
        for i in range(n):
            candidates.pool[i] = i
        draw_without_replacement(state, candidates, out.size, rounding)
        for i in range(out.size):
            out[i] = candidates.drawn[i]


@entry(allocates=True)
def fill_sparse_sample(state, n, rounding, out):
    """R's ``sample.int`` for a small part of a large n: a repeated index is drawn again."""
    bits = bits_below(n)
    seen = set()
    for i in range(out.size):
        index = draw_index(state, n, bits, rounding)
        while index in seen:
            index = draw_index(state, n, bits, rounding)
        seen.add(index)
        out[i] = index


@inner
def start_stream(state, seed):
    """R's ``set.seed``; `seed` is a uint32."""
    word = seed
    for _ in range(50):
        word = np.uint32(69069) * word + np.uint32(1)
    for i in range(1 + _N):
        word = np.uint32(69069) * word + np.uint32(1)
        state[i] = word
    state[0] = _N  # R overwrites the first word with the position


@entry
def fill_state(state, seed):
    """R's ``set.seed``, called from Python."""
    start_stream(state, seed)
