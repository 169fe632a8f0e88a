"""Which test column belongs to which training column, as R finds it.

In go two matrices; out comes :class:`Match`. If both have names, each training column takes the
first test column of that name; otherwise columns are matched by position. Names are compared
as R's, as text: 1 and "1" are one name.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.text import name_text
from pycdf.inputs.tables import Matrix


@dataclass(frozen=True, eq=False)
class Match:
    """The source of each training column."""

    source: npt.NDArray[np.intp]
    """Position of the test column for each training column, -1 where there is none."""
    surplus: npt.NDArray[np.intp]
    """Positions of the test columns that no training column has use for."""
    by_name: bool
    shared: tuple[Any, ...] = ()
    """Names that several training columns have, and a test column, too."""


def match_columns(train: Matrix, test: Matrix) -> Match:
    """Match by name where both have names, else by position."""
    p, width = train.values.shape[1], test.values.shape[1]
    if train.names is None or test.names is None:
        source = np.arange(p)
        source[width:] = -1
        return Match(source, np.arange(p, width), False)
    if train.names.equals(test.names) and _tells_apart(train.names):
        return Match(np.arange(p), np.arange(0), True)
    return _by_name(train.names, test.names)


def _by_name(given: pd.Index, offered: pd.Index) -> Match:
    first: dict[Hashable, int] = {}
    wanted, texts = _texts(given), _texts(offered)
    for j, text in enumerate(texts):
        first.setdefault(text, j)
    seen: dict[Hashable, int] = {}
    shared: dict[Hashable, Any] = {}
    for j, text in enumerate(wanted):
        if text in seen and text in first:
            shared.setdefault(text, given[seen[text]])
        seen.setdefault(text, j)
    source = np.array([first.get(text, -1) for text in wanted], dtype=np.intp)
    surplus = np.array([j for j, text in enumerate(texts) if text not in seen], dtype=np.intp)
    return Match(source, surplus, True, tuple(shared.values()))


def _tells_apart(names: pd.Index) -> bool:
    """Whether all names differ also as text."""
    if names.dtype == object:
        return len(set(_texts(names))) == len(names)
    return bool(names.is_unique) and not names.hasnans


def _texts(names: pd.Index) -> list[Hashable]:
    plain = names.tolist()
    return plain if set(map(type, plain)) <= {str} else [name_text(name) for name in plain]
