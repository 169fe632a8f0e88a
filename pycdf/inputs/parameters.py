"""The forest's parameters, truncated and clamped as R does.

:func:`read_parameters` returns the values that are used, and a note for each that differs from what
the caller passed.
"""

import math
from typing import Any, TypedDict

import numpy as np

from pycdf.base_r.integers import LARGEST_INTEGER, as_integers
from pycdf.base_r.numbers import parse_number
from pycdf.inputs.notes import Note
from pycdf.support.options import option
from pycdf.support.wording import plain, shown

MOST_LEVELS = 1000
"""How deep a tree can be: R runs out of stack before."""

_MEANT = {
    "ntrees": "the number of trees, such as the default 500",
    "depth": "the number of levels of splits, such as the default 3",
    "mnode": "the size of the smallest node that is split, such as the default 3",
    "k": "the number of features selected in a node, or None for R's default round(2 * log(p))",
    "mtry": "the number of features drawn in a node, or None for R's default round(0.2 * p)",
}


class Parameters(TypedDict):
    """The parameters in use."""

    ntrees: int
    depth: int
    mnode: int
    k: int
    mtry: int


def default_k(p: int) -> int:
    """R's ``round(2 * log(ncol(xtrain)))``."""
    return round(2 * math.log(p))


def default_mtry(p: int) -> int:
    """R's ``round(0.2 * ncol(xtrain))``."""
    return round(0.2 * p)


def read_parameters(
    ntrees: Any, depth: Any, mnode: Any, k: Any, mtry: Any, given: int, kept: int
) -> tuple[Parameters, list[Note]]:
    """The parameters in use, and notes about those that were adjusted.

    R's defaults count the columns as ``given``; the upper limit of k and mtry is the ``kept`` ones.
    """
    used: dict[str, int] = {}
    notes: list[Note] = []
    for name, value, least in (("ntrees", ntrees, 1), ("depth", depth, 0), ("mnode", mnode, 1)):
        numbers = _whole(name, value)
        used[name] = max([least, *numbers])
        notes += _notes(name, value, numbers, used[name], least, None)
    for name, value, default in (("k", k, default_k(given)), ("mtry", mtry, default_mtry(given))):
        numbers = [default] if value is None else _whole(name, value)
        used[name] = max(1, min([kept, *numbers]))
        if value is not None:
            notes += _notes(name, value, numbers, used[name], 1, kept)
    return Parameters(**used), notes  # type: ignore[typeddict-item]


def _whole(name: str, value: Any) -> list[int]:
    """The value as by R's ``as.integer()``; an error where that is NA."""
    message = (
        f"{name}={shown(plain(value))} is not a whole number up to {LARGEST_INTEGER}: "
        f"{name} is {_MEANT[name]}."
    )
    try:
        numbers = as_integers(value)
    except TypeError:
        raise TypeError(message) from None
    present = [number for number in numbers if number is not None]
    if len(present) < len(numbers):
        raise ValueError(message)
    return present


def _notes(
    name: str, value: Any, numbers: list[int], used: int, least: int, most: int | None
) -> list[Note]:
    """A note if the value in use differs from the one passed."""
    written = option(name, value)
    if value is None:
        text = f"{written} is R's NULL, which means {used}: omit {name} for its default."
    elif len(numbers) != 1:
        which = "largest" if most is None else "smallest"
        text = (
            f"{written} has {len(numbers)} values: R uses the {which} within the limits, {used:,}. "
            "Pass one number."
        )
    elif numbers[0] < least:
        text = f"{written} is less than {least}: {used:,} is used."
    elif most is not None and numbers[0] > most:
        text = (
            f"{written} is more than the {most:,} usable training columns: {used:,} is used; "
            f"choose {option(name)} from 1 to {most:,}, or {option(name, None)} for R's default."
        )
    elif _first_number(value) != used:
        text = f"{written} is not a whole number: R truncates it to {used:,}."
    else:
        return []
    return [Note("adjusted_parameter", 1, (name,), text)]


def _first_number(value: Any) -> float:
    first = np.asarray(value, dtype=object).ravel()[0]
    return parse_number(first) if isinstance(first, str) else float(first)
