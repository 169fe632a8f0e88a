"""Match the columns of one table to those of another.

:func:`match_columns` finds the test column for each training column as R's ``CDF`` does: by name if
both tables have names (the first column of that name), otherwise by position. Names are compared as
text, as in R: 1 and "1" are the same name. :func:`find_columns` finds the columns of a fitted model
in a caller's table, and raises an error if one is missing.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.text import name_text
from pycdf.inputs.notes import Note
from pycdf.inputs.tables import Matrix, has_own_names
from pycdf.support.wording import few, no_column, plural


@dataclass(frozen=True, eq=False)
class Match:
    """Which test column belongs to each training column."""

    source: npt.NDArray[np.intp]
    """Position of the test column for each training column; -1 if there is none."""
    surplus: npt.NDArray[np.intp]
    """Positions of the test columns that match no training column."""
    by_name: bool
    shared: tuple[Any, ...] = ()
    """Names that several training columns share and that a test column has too."""


def match_columns(train: Matrix, test: Matrix) -> Match:
    """Match by name if both tables have names, otherwise by position."""
    p, width = train.values.shape[1], test.values.shape[1]
    if train.names is None or test.names is None:
        source = np.arange(p)
        source[width:] = -1
        return Match(source, np.arange(p, width), False)
    if train.names.equals(test.names) and _are_unique_texts(train.names):
        return Match(np.arange(p), np.arange(0), True)
    return _by_name(train.names, test.names)


def find_columns(
    wanted: pd.Index | None,
    kept: npt.NDArray[np.int64],
    n_features: int,
    known: Sequence[str] | None,
    table: Matrix,
    name: str,
) -> tuple[npt.NDArray[np.int64], list[Note]]:
    """Find the columns of a model in a table.

    Parameters
    ----------
    wanted : Index or None
        Names of the model's features; None if they have no names.
    kept : ndarray of int64
        Positions of these features among the columns of the training data.
    n_features : int
        Number of columns of the training data.
    known : sequence of str or None
        Names of all columns of the training data, if all of them are text.
    table : Matrix
        The caller's table.
    name : str
        What messages call the table.

    Returns
    -------
    source : ndarray of int64
        Position in ``table`` of each feature of the model.
    notes : list of Note
        A note about surplus columns, if there are any.
    """
    width = table.values.shape[1]
    if wanted is None or table.names is None or not has_own_names(table):
        if width != n_features:
            one = f" For one row pass [{name}]." if table.flat else ""
            raise ValueError(
                f"{name} has {plural(width, 'column')} and the model {n_features:,}: pass the "
                f"columns of the training data, in the same order.{one}"
            )
        return kept, []
    texts, offered = _texts(wanted), _texts(table.names)
    if width == n_features and [offered[j] for j in kept] == texts:
        return kept, []  # even if several columns share a name
    match = match_columns(Matrix(np.empty((0, len(wanted))), wanted), table)
    of_model = {*texts, *(known or ())}
    if lost := wanted[match.source < 0].tolist():
        others = [str(one) for one, text in zip(table.names, offered, strict=True)
                  if text not in of_model]  # fmt: skip
        more = f" In all, {len(lost):,} columns of the model are missing."
        raise ValueError(no_column(str(lost[0]), others, name) + (more if len(lost) > 1 else ""))
    if len(match.shared):
        raise ValueError(
            f"several columns of the model share a name ({few(match.shared)}), so that those of "
            f"{name} can only be identified by position: pass the columns of the training data, in "
            "the same order."
        )
    extra = [offered[j] for j in match.surplus if offered[j] not in of_model]
    return match.source.astype(np.int64), surplus_columns(name, extra if known is not None else [])


def surplus_columns(name: str, extra: Sequence[Any]) -> list[Note]:
    """A note about the columns of a table that a model does not have, if there are any."""
    if not extra:
        return []
    text = f"{name} has {plural(len(extra), 'column')} that the model does not have: {few(extra)}."
    return [Note("ignored_columns", len(extra), tuple(extra), text)]


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


def _are_unique_texts(names: pd.Index) -> bool:
    """Whether all names still differ when written as text."""
    if names.dtype == object:
        return len(set(_texts(names))) == len(names)
    return bool(names.is_unique) and not names.hasnans


def _texts(names: pd.Index) -> list[Hashable]:
    plain = names.tolist()
    return plain if set(map(type, plain)) <= {str} else [name_text(name) for name in plain]
