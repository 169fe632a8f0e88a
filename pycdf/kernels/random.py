"""R's Mersenne Twister, and the draws that R makes with it.

A stream's state is one array of 32-bit words: the number of words used up, the 624 words of the
twister, and the same 624 words tempered, ready to be handed out. The kernels read and advance it in
place, so that a forest and its caller can share one stream as they do in R.
"""

import numpy as np

from pycdf.kernels.compile import entry, inner

_N = 624
_M = 397
STATE_WORDS = 1 + 2 * _N
_TEMPERED = 1 + _N
_UNIT = 2.3283064365386963e-10  # 2^-32
_SMALLEST = 0.5 * 2.328306437080797e-10  # R's stand-in for a zero


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
def fill_state(state, seed):
    start_stream(state, seed)
