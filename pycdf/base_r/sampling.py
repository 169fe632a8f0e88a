"""R's ``sample.int``: draw positions, with equal or given probabilities.

The checks are R's, with messages of our own. Which method draws depends on the arguments, as in R
(:mod:`pycdf.kernels.random`, :mod:`pycdf.kernels.weighted_draws`).
"""

import math
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.kernels.random import fill_sample, fill_sparse_sample
from pycdf.kernels.weighted_draws import (
    fill_by_alias,
    fill_by_inversion,
    fill_without_replacement,
)
from pycdf.support.wording import plain, plural, shown

SampleKind = Literal["Rejection", "Rounding"]
SAMPLE_KINDS: tuple[SampleKind, ...] = get_args(SampleKind)

Positions = npt.NDArray[np.int64]
State = npt.NDArray[np.uint32]

_MOST = 2**52
_HASH_ABOVE = 10_000_000  # above this, R draws small subsets with a hash table
_ALIAS_ABOVE = 200  # with more probable values than this, R uses Walker's alias table
_PROBABLE = 0.1  # of the mean probability


def draw_positions(
    state: State,
    n: int,
    size: int,
    replace: bool,
    prob: Any,
    rounding: bool | None,
    population: str,
) -> Positions:
    """R's ``sample.int(n, size, replace, prob) - 1``; ``population`` names n in messages."""
    if size > n and not replace:
        raise ValueError(
            f"size={size} is more than {population}: without replacement at most {n} can be "
            "drawn; use a smaller size or replace=True."
        )
    if n == 0 and size > 0:
        raise ValueError(f"size={size}, but there is nothing to draw from: {population}.")
    if prob is None and not replace and n > LARGEST_INTEGER and size > n / 2:
        raise ValueError(
            f"more than half of n={n} cannot be drawn without replacement: n is at most "
            f"{LARGEST_INTEGER} there."
        )
    out = np.empty(size, dtype=np.int64)
    if prob is not None:
        shares = _read_prob(prob, n, size, replace)
        if not replace:
            fill_without_replacement(state, shares, out)
        elif np.count_nonzero(n * shares > _PROBABLE) > _ALIAS_ABOVE:
            fill_by_alias(state, shares, rounding, out)
        else:
            fill_by_inversion(state, shares, out)
    elif n > _HASH_ABOVE and not replace and size <= n / 2:
        fill_sparse_sample(state, n, rounding, out)
    else:
        fill_sample(state, n, replace, rounding, out)
    return out


def _read_prob(prob: Any, n: int, size: int, replace: bool) -> npt.NDArray[np.float64]:
    """Probabilities that add up to 1, in memory of their own."""
    try:
        weights = np.array(prob, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"prob={shown(prob)}: pass one number for each value.") from None
    if weights.shape != (n,):
        count = plural(weights.size, "number")
        raise ValueError(f"prob has {count} and there are {plural(n, 'value')}: pass one for each.")
    for is_wrong, what in ((~np.isfinite(weights), "not finite"), (weights < 0, "negative")):
        if is_wrong.any():
            at = int(is_wrong.argmax())
            raise ValueError(
                f"prob[{at}] is {plain(weights[at])}, which is {what}: pass numbers from 0 on."
            )
    positive = int(np.count_nonzero(weights))
    needed = 1 if replace else max(1, size)
    if positive < needed:
        raise ValueError(
            f"prob has {plural(positive, 'positive number')}, and {needed} are needed: one for "
            "each draw without replacement, otherwise one in all."
        )
    # One after the other, as R adds them; np.sum adds in pairs.
    with np.errstate(over="ignore"):
        total = np.add.accumulate(weights)[-1]
    weights /= total
    return weights


def check_count(value: Any, name: str, least: int) -> int:
    """A count as R reads it: any real number, truncated."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, Real):
        raise TypeError(f"{name} must be a number; got {shown(value)}.")
    number = math.trunc(float(value)) if math.isfinite(value) else -1
    if not least <= number <= _MOST:
        raise ValueError(
            f"{name} must be at least {least} and at most 2**52; got {shown(plain(value))}."
        )
    return number


def check_kind(name: str, given: Any, known: tuple[Any, ...]) -> Any:
    """One of R's kinds; the first one is R's default."""
    if given == "default":
        return known[0]
    if given is not None and given not in known:
        raise ValueError(f"{name}={shown(given)}: pass {' or '.join(map(repr, known))}.")
    return given


def as_vector(x: Any) -> Any:
    """Something one-dimensional that can be indexed by an array of positions."""
    if isinstance(x, list | tuple | range):
        array = np.array(x)
        if array.dtype.kind in "US" and not all(isinstance(item, str) for item in x):
            array = np.array(x, dtype=object)  # otherwise numbers beside text become text
        x = array
    if hasattr(x, "iloc") and getattr(x, "ndim", 1) == 2:
        raise TypeError("x is a table: draw positions, as in x.iloc[stream.sample(len(x), size)].")
    if isinstance(x, str | bytes) or getattr(x, "ndim", None) != 1:
        raise TypeError(
            f"x={shown(x)}: pass how many positions to draw from, or a vector of elements."
        )
    return x
