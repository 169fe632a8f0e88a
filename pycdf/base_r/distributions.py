"""R's ``runif`` and ``rnorm``: random numbers with given limits, means and standard deviations.

As in R, several limits or means are used in turn, and a number that is certain draws nothing.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.base_r.normal_quantiles import normal_quantiles
from pycdf.base_r.sampling import State, check_count
from pycdf.kernels.random import fill_uniform
from pycdf.support.wording import plain, shown

Floats = npt.NDArray[np.float64]

_BIG = 134217728.0  # 2^27: R makes a normal number of two uniform ones, which have 32 bits


def uniform_numbers(state: State, n: Any, low: Any, high: Any) -> Floats:
    """R's ``runif(n, low, high)``."""
    n = check_count(n, "n", 0)
    lows, highs = _in_turn(low, "min", n), _in_turn(high, "max", n)
    wrong = ~(np.isfinite(lows) & np.isfinite(highs) & (lows <= highs))
    if wrong.any():
        at = wrong.argmax()
        raise ValueError(
            f"min={plain(lows[at])} and max={plain(highs[at])} are not the limits of an interval: "
            "pass finite numbers, max at least min."
        )
    drawn = lows < highs
    with np.errstate(over="ignore"):
        lows[drawn] += (highs - lows)[drawn] * _uniforms(state, int(drawn.sum()))
    return lows


def normal_numbers(state: State, n: Any, mean: Any, sd: Any) -> Floats:
    """R's ``rnorm(n, mean, sd)``."""
    n = check_count(n, "n", 0)
    out, sds = _in_turn(mean, "mean", n), _in_turn(sd, "sd", n)
    wrong = np.isnan(out) | ~np.isfinite(sds) | (sds < 0)
    if wrong.any():
        at = wrong.argmax()
        raise ValueError(
            f"mean={plain(out[at])} and sd={plain(sds[at])}: pass numbers, sd finite and at least "
            "0."
        )
    drawn = (sds > 0) & np.isfinite(out)
    u = _uniforms(state, 2 * int(drawn.sum()))
    z = normal_quantiles((np.floor(_BIG * u[::2]) + u[1::2]) / _BIG)
    with np.errstate(over="ignore"):
        out[drawn] += sds[drawn] * z
    return out


def _uniforms(state: State, n: int) -> Floats:
    out = np.empty(n, dtype=np.float64)
    fill_uniform(state, out)
    return out


def _in_turn(values: Any, name: str, n: int) -> Floats:
    """``n`` numbers, the given ones again and again, in memory of their own."""
    try:
        numbers = np.atleast_1d(np.array(values, dtype=np.float64)).ravel()
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if not len(numbers):
        raise TypeError(f"{name}={shown(values)}: pass a number, or several.")
    return np.resize(numbers, n)
