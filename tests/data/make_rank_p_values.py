"""Write rank_p_values.tsv: p-values of rank tests, bit for bit, which every machine must repeat.

    python tests/data/make_rank_p_values.py

Arguments are fractions of small whole numbers, so that they are the same doubles everywhere. The
parity tests show how close such p-values are to R's.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pycdf.explain.rank_tests import rank_test
from pycdf.kernels.tails import chi_square_tail, normal_tails

FILE = Path(__file__).with_name("rank_p_values.tsv")
SIZES = [
    (1, 1), (2, 3), (7, 5), (20, 20), (28, 30), (31, 36), (33, 48), (48, 49), (3, 60), (55, 50),
]  # fmt: skip


def columns(m: int, n: int) -> Iterator[tuple[str, np.ndarray]]:
    """Values for two groups, from a sequence that jumps about."""
    i = np.arange(m + n)
    jumps = (i * 7919 + 13) % 10007
    shift = np.where(i < m, 0, 1)
    yield "apart", jumps + 20000.0 * shift
    yield "overlapping", jumps + 2500.0 * shift
    yield "the other way", jumps - 2500.0 * shift
    yield "tied", np.floor((jumps + 2500.0 * shift) / 1000)
    yield "tied, the other way", np.floor((jumps - 3500.0 * shift) / 700)
    yield "two values", np.floor((jumps + 2000.0 * shift) / 6000)
    yield "constant", np.full(m + n, 3.0)


def lines() -> Iterator[str]:
    """A line for each p-value: what it is of, and the double in hexadecimal."""
    z = np.arange(0, 39 * 1024, 317) / 1024
    for argument, p in zip(z.tolist(), normal_tails(z).tolist(), strict=True):
        yield f"normal\t{argument}\t{p.hex()}"
    x = np.concatenate([np.arange(1, 40) / 7, np.arange(6, 60, 2) * 1.3, [150.5, 700.25, 1400.125]])
    for df in (1, 2, 3, 4, 5, 8, 39):
        for argument, p in zip(x.tolist(), chi_square_tail(x, np.full(len(x), df)), strict=True):
            yield f"chi-square {df}\t{argument}\t{float(p).hex()}"
    for m, n in SIZES:
        for kind, values in columns(m, n):
            test = rank_test(values[:, np.newaxis], np.repeat([0, 1], [m, n]))
            yield f"{m} and {n}, {kind}\t{test.statistic[0]}\t{float(test.p_value[0]).hex()}"


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in lines()), encoding="ascii")
