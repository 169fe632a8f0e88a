"""Record what an x86-64 processor answers in 80 bits: long_double_sums.tsv and _products.tsv.

    python tests/data/make_long_doubles.py

It needs a platform whose numpy has 80-bit long doubles, such as Linux on x86-64. Long doubles are
written as m and e, for m * 2**e, and doubles in hexadecimal.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from long_doubles import KINDS, NUMPY_HAS_80_BITS, factors, numpy_parts, numpy_sum

HERE = Path(__file__).parent
VECTORS = 25  # of each kind
LONGEST = 12


def sums() -> str:
    """One line per vector: its kind, its values, their sum, their mean."""
    lines = ["kind\tvalues\tm\te\tmean"]
    rng = np.random.default_rng(80)
    for kind, make in KINDS.items():
        for _ in range(VECTORS):
            values = make(rng, rng.integers(1, LONGEST + 1))
            total = numpy_sum(values)
            m, e = numpy_parts(total)
            mean = float(total / np.longdouble(len(values)))
            listed = " ".join(value.hex() for value in values.tolist())
            lines.append(f"{kind}\t{listed}\t{m}\t{e}\t{mean.hex()}")
    return "\n".join(lines) + "\n"


def products() -> str:
    """One line per pair of factors: x * y / 10, rounded after each step."""
    lines = ["m\te"]
    for x, y in factors():
        m, e = numpy_parts(np.longdouble(x) * np.longdouble(y) / np.longdouble(10))
        lines.append(f"{m}\t{e}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write both files."""
    if not NUMPY_HAS_80_BITS:
        sys.exit("numpy's long double does not have 80 bits here: run this on Linux, x86-64.")
    HERE.joinpath("long_double_sums.tsv").write_text(sums(), encoding="ascii")
    HERE.joinpath("long_double_products.tsv").write_text(products(), encoding="ascii")


if __name__ == "__main__":
    main()
