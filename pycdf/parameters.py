"""The forest's parameters, cut and clamped as R does.

In go the values of the call and the column counts; out come the ones that are used.
"""

import math


def default_k(p: int) -> int:
    """R's ``round(2 * log(ncol(xtrain)))``."""
    return round(2 * math.log(p))


def default_mtry(p: int) -> int:
    """R's ``round(0.2 * ncol(xtrain))``."""
    return round(0.2 * p)


def read_parameters(
    ntrees: int, depth: int, mnode: int, k: int | None, mtry: int | None, given: int, kept: int
) -> dict[str, int]:
    """The parameters in use; defaults of k and mtry count the columns as given, limits the kept ones."""
    k = default_k(given) if k is None else k
    mtry = default_mtry(given) if mtry is None else mtry
    return {
        "ntrees": max(1, int(ntrees)),
        "depth": max(0, int(depth)),
        "mnode": max(1, int(mnode)),
        "k": max(1, min(kept, int(k))),
        "mtry": max(1, min(kept, int(mtry))),
    }
