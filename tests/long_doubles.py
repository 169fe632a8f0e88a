"""80-bit sums for the tests, exact on every processor.

R on x86-64 adds in long doubles. numpy's long double is that format on few platforms, so the
reference is arithmetic on whole numbers (:mod:`pycdf.base_r.long_double`): independent of the
kernels that are tested, and the same everywhere. `tests/data/long_double_*.tsv` hold what an x86-64
processor answers; the reference is compared with them on every platform, and with numpy where that
has 80 bits.
"""

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from pycdf.base_r import long_double as ld

DATA = Path(__file__).parent / "data"
NUMPY_HAS_80_BITS = np.finfo(np.longdouble).nmant == 63


def sum_of(values: Iterable[float]) -> tuple[int, int]:
    """The sum m * 2**e of finite doubles, each addition rounded to 80 bits."""
    m, e = 0, 0
    for value in values:
        numerator, denominator = value.as_integer_ratio()
        own = 1 - denominator.bit_length()
        if own < e:
            m, e = m << (e - own), own
        m += numerator << (own - e)
        size, e = ld.rounded(abs(m), e)
        m = -size if m < 0 else size
    return m, e


def to_double(m: int, e: int) -> float:
    """The double nearest to m * 2**e."""
    size = ld.to_double((abs(m), e))
    return -size if m < 0 else size


def mean_of(m: int, e: int, count: int) -> float:
    """R's mean: the sum m * 2**e divided in 80 bits, then rounded to a double."""
    size = ld.to_double(ld.quotient((abs(m), e), (count, 0)))
    return -size if m < 0 else size


def exact(m: int, e: int) -> Fraction:
    """The value m * 2**e."""
    return Fraction(m) * Fraction(2) ** e


def numpy_sum(values: Iterable[float]) -> np.longdouble:
    """The sum by numpy's long doubles."""
    total = np.longdouble(0)
    for value in values:
        total += np.longdouble(value)
    return total


def numpy_parts(number: np.longdouble) -> tuple[int, int]:
    """A long double of numpy as m * 2**e."""
    fraction, exponent = np.frexp(number)
    return int(np.ldexp(fraction, 64)), int(exponent) - 64


def factors() -> Iterator[tuple[float, float]]:
    """2,000 pairs of doubles, the same on every platform, whose product over 10 is recorded."""
    draw = random.Random(5)
    for _ in range(2000):
        x, y = (draw.uniform(1, 10) * float(f"1e{draw.randrange(-150, 150)}") for _ in range(2))
        yield x, y


def recorded(name: str) -> list[list[str]]:
    """The lines of a file in tests/data, without its heading."""
    lines = (DATA / name).read_text(encoding="ascii").splitlines()[1:]
    return [line.split("\t") for line in lines]


def _signs(rng, n):
    return rng.choice([-1.0, 1.0], n)


KINDS = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "positive": lambda rng, n: np.abs(rng.standard_normal(n)) * 100,
    "many scales": lambda rng, n: rng.standard_normal(n) * 10.0 ** rng.integers(-30, 30, n),
    "decimals": lambda rng, n: np.round(np.abs(rng.standard_normal(n)) * 1000, 1),
    "tenths": lambda rng, n: rng.integers(-5, 5, n) * 0.1,
    "subnormal": lambda rng, n: np.ldexp(
        rng.standard_normal(n), rng.integers(-1074, -950, n, dtype=np.int32)
    ),
    "smallest": lambda rng, n: np.ldexp(rng.integers(1, 20, n).astype(float), -1074),
    "powers of two": lambda rng, n: (
        np.ldexp(1.0, rng.integers(-80, 80, n, dtype=np.int32)) * _signs(rng, n)
    ),
    "halfway": lambda rng, n: np.ldexp(_signs(rng, n), rng.integers(-66, 1, n, dtype=np.int32)),
    "all bits": lambda rng, n: (
        rng.integers(0, 2**53, n) * np.ldexp(1.0, rng.integers(-15, 15, n, dtype=np.int32))
    ),
    "one large": lambda rng, n: np.r_[
        1000.0, np.abs(rng.standard_normal(n)) * 10.0 ** rng.integers(-6, 1, n)
    ],
    "near one": lambda rng, n: np.ldexp(
        1.0 + np.ldexp(rng.integers(-3, 4, n).astype(float), -52),
        -rng.integers(0, 16, n, dtype=np.int32),
    ),
    "near a power": lambda rng, n: np.r_[
        2.0**60, np.ldexp(_signs(rng, n), rng.integers(-8, 8, n, dtype=np.int32))
    ],
}
