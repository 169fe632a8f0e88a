"""R's ``as.integer()``, which R applies to parameters and seeds.

The results are whole numbers below 2^31 in magnitude, or None where R gives NA.
"""

import math
from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from pycdf.base_r.numbers import parse_number

LARGEST_INTEGER = 2**31 - 1  # the largest of R's integers; the smallest is its negative


def as_integers(value: Any) -> list[int | None]:
    """R's ``as.integer()`` of a number, text, a bool, or a sequence of them; None is R's NULL.

    Raises TypeError for any other value.
    """
    if value is None:
        return []
    if isinstance(value, np.ndarray):
        return [as_integer(item) for item in value.ravel().tolist()]
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [as_integer(item) for item in value]
    return [as_integer(value)]


def as_integer(value: Any) -> int | None:
    """R's ``as.integer()`` of one value: truncated towards zero; None (NA) if it does not fit."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.item()
    if isinstance(value, str):
        value = parse_number(value)
    if isinstance(value, int):
        return int(value) if abs(value) <= LARGEST_INTEGER else None
    if isinstance(value, Real | Decimal):
        number = float(value)
        fits = math.isfinite(number) and abs(number) < LARGEST_INTEGER + 1
        return int(number) if fits else None
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    raise TypeError(f"not a number: {value!r}")
