"""Random splits into 70 % training and 30 % test rows, the same as in R.

Rows are numbered from 0. The same split in R, where rows are numbered from 1::

    set.seed(seed + i)
    train <- sample(n, floor(0.7 * n))
    test <- setdiff(1:n, train)

Every method on split ``i`` also uses the seed ``seed + i``; in R, the call is
``CDF(x[train, ], y[train], x[test, ], seed = seed + i)``.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.seeds import check_seed
from pycdf.base_r.stream import RStream
from pycdf.inputs.checks import is_whole
from pycdf.support.options import option
from pycdf.support.wording import plural

Rows = npt.NDArray[np.int64]

TRAINING_SHARE = 0.7
SPLITS, REPEATS = 500, 10


def count_splits(splits: Any, folds: Any, repeats: Any) -> Any:
    """The number of splits: of random ones, or folds times repeats of cross-validation."""
    if folds is None:
        if repeats is not None:
            raise ValueError(
                f"{option('repeats')} belongs to cross-validation: pass {option('folds')}, too."
            )
        return SPLITS if splits is None else splits
    if splits is not None:
        raise ValueError(
            f"pass either {option('splits')} (random ones) or {option('folds')} "
            "(of cross-validation)."
        )
    if not is_whole(folds) or folds < 2:
        raise ValueError(f"{option('folds', folds)}: pass a whole number of at least 2.")
    if repeats is not None and (not is_whole(repeats) or repeats < 1):
        raise ValueError(f"{option('repeats', repeats)}: pass a whole number of at least 1.")
    return folds * (REPEATS if repeats is None else repeats)


def check_splits(splits: Any, seed: Any) -> None:
    """Refuse an invalid number of splits or seed before anything is run."""
    if not is_whole(splits) or splits < 1:
        raise ValueError(f"{option('splits', splits)}: pass a whole number of at least 1.")
    last = LARGEST_INTEGER - splits
    if not is_whole(seed) or not -LARGEST_INTEGER <= seed <= last:
        raise ValueError(
            f"{option('seed', seed)}: pass a whole number from {-LARGEST_INTEGER} to {last}. "
            f"Split i uses R's set.seed(seed + i), which accepts no more than {LARGEST_INTEGER}."
        )


def split_seed(seed: int, i: int) -> int:
    """The seed of split ``i``, for the split itself and for every method on it."""
    return check_seed(check_seed(seed) + i)


def split(n: int, seed: int, i: int) -> tuple[Rows, Rows]:
    """The training rows, in the order in which R draws them, and the test rows, in ascending order.

    ``i`` counts from 1.
    """
    if n < 2:
        raise ValueError(f"{plural(n, 'row')} cannot be split: pass at least two.")
    if i < 1:
        raise ValueError(f"there is no split {i}: splits count from 1.")
    train = RStream(split_seed(seed, i)).sample(n, math.floor(TRAINING_SHARE * n))
    return train, np.setdiff1d(np.arange(n), train)
