"""Labels as R sees them: written as text, trimmed, in order of first appearance.

:class:`Labels` has a class code for each row, and for each class its text and its value in the
caller's own type. :func:`tie_ranks` gives the order that decides ties between classes in a leaf.

Two labels are the same class if R 4.6 writes them alike: 1.0 and "1", 0.1 + 0.2 and 0.3 (R writes
15 digits), True and "TRUE", a date and its midnight. Times are written to the microsecond (R before
4.3.0 drops fractions of a second). Numbers in one sequence are first converted to one type, as R's
c() does, unless there is text among them. Spaces, tabs, CR and LF around text are removed, and
predictions have the trimmed text, as in R. Empty text, None, NaN, NA and NaT are missing (a numeric
NaN is a class in R; in Python NaN means "no value").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.collation import Collation, ranks
from pycdf.base_r.text import LARGEST_WHOLE, r_texts
from pycdf.support.wording import shown

_BLANKS = " \t\r\n"
_NOT_A_LEAF = "NaN"  # R's table() does not count it
_NESTED = (Sequence, Mapping, Set, np.ndarray, pd.Series, pd.DataFrame)


@dataclass(frozen=True, eq=False)
class Labels:
    """Classes in order of first appearance."""

    codes: npt.NDArray[np.int32]
    """Class of each row, -1 if the label is missing (R drops such rows)."""
    texts: tuple[str, ...]
    """The text of each class, as R writes it."""
    values: npt.NDArray[Any]
    """The label of each class in the caller's type: its first label; text is trimmed.

    Numbers of several types have become one type, so that any part of them is written alike.
    """


def read_labels(y: object, argument: str = "ytrain") -> Labels:
    """Read the labels `y`, which error messages call `argument`."""
    codes, distinct, dtype = _distinct(_column(y, argument), argument)
    distinct = _numbers_of_one_type(distinct)
    classes: dict[str, int] = {}
    values: list[Any] = []
    class_of = np.full(len(distinct) + 1, -1, dtype=np.int32)  # the last entry is for code -1
    for position, (value, text) in enumerate(zip(distinct, r_texts(distinct), strict=True)):
        text = text.strip(_BLANKS)
        if not text:
            continue
        if text not in classes:
            classes[text] = len(classes)
            values.append(str(value).strip(_BLANKS) if isinstance(value, str) else value)
        class_of[position] = classes[text]
    return Labels(class_of[codes], tuple(classes), _array(values, dtype))


def tie_ranks(texts: Sequence[str], collation: Collation = "icu") -> npt.NDArray[np.int32]:
    """Rank of each class in R's order, -1 for "NaN", for which no leaf votes.

    If classes are tied in a leaf, the lowest rank wins. Texts that compare equal (they differ in
    ignorable characters, or in how an accent is encoded) share a rank; among them R chooses the one
    that appears first in the leaf's rows.
    """
    ranked = zip(texts, ranks(texts, collation), strict=True)
    return np.array([-1 if text == _NOT_A_LEAF else rank for text, rank in ranked], np.int32)


def _column(y: object, argument: str) -> npt.NDArray[Any] | Sequence[Any] | pd.Categorical:
    """The labels as one sequence; the error for anything else says what to pass."""
    if y is None or isinstance(y, (str, bytes, Mapping, Set)):
        raise TypeError(f"{argument} is {shown(y)}: pass a sequence with one label per row")
    if hasattr(y, "columns"):
        names = shown(list(getattr(y, "column_names", y.columns)))  # pyarrow has column_names
        raise TypeError(
            f"{argument} is a {type(y).__name__} with columns {names}:"
            " pass the one column that contains the labels"
        )
    if isinstance(y, pd.MultiIndex):
        raise TypeError(f"{argument} is a MultiIndex: pass the one level that contains the labels")
    if isinstance(y, (pd.Series, pd.Index)):
        y = y.to_numpy() if isinstance(y.dtype, np.dtype) else y.array
    if isinstance(y, pd.Categorical):
        return y
    if isinstance(y, pd.api.extensions.ExtensionArray):
        return list(y)
    if isinstance(y, np.ma.MaskedArray):
        y = np.array(y.tolist(), dtype=object)  # masked entries become None
    if not isinstance(y, np.ndarray):
        for reader in ("to_list", "to_pylist"):  # methods of polars and of pyarrow
            if hasattr(y, reader):
                return list(getattr(y, reader)())
        if isinstance(y, Sequence):
            return y
        if not hasattr(y, "__array__"):
            raise TypeError(f"{argument} is {shown(y)}: pass a list or an array of labels")
        y = np.asarray(y)
    if y.ndim == 0 or sum(size > 1 for size in y.shape) > 1:
        shape = " x ".join(map(str, y.shape)) or "a single value"
        raise ValueError(f"{argument} has shape {shape}: pass one label per row, in one column")
    return y.ravel()  # R's as.character() also drops the shape of a one-column matrix.


def _distinct(
    column: npt.NDArray[Any] | Sequence[Any] | pd.Categorical, argument: str
) -> tuple[npt.NDArray[np.intp], list[Any], np.dtype[Any] | None]:
    """Index of each row's value, -1 if missing; the values by first appearance; their dtype."""
    if isinstance(column, pd.Categorical):
        rows, categories = np.asarray(column.codes, dtype=np.intp), column.categories
        dtype = categories.dtype if isinstance(categories.dtype, np.dtype) else None
        codes, numbers = _by_appearance(rows, rows >= 0)
        return codes, [categories[number] for number in numbers], dtype
    if isinstance(column, np.ndarray) and column.dtype.kind in "biufUSM":
        present = ~np.isnat(column) if column.dtype.kind == "M" else column == column
        codes, found = _by_appearance(column, present)
        return codes, list(found), column.dtype
    seen: dict[tuple[type, Any], int] = {}
    rows = np.full(len(column), -1, dtype=np.intp)
    for row, value in enumerate(column):
        if value is None or value is pd.NA or value is pd.NaT:
            continue
        if not isinstance(value, (str, bytes)) and isinstance(value, _NESTED):
            raise TypeError(
                f"{argument}[{row}] is {shown(value)}: each label must be a single value"
            )
        if value == value:  # NaN is not equal to itself
            rows[row] = seen.setdefault((type(value), value), len(seen))
    return rows, [value for _, value in seen], None


def _numbers_of_one_type(values: list[Any]) -> list[Any]:
    """Numbers of several types become floats or, if none is one, whole numbers, as in R's c().

    Text among them leaves the types as they are, and so do whole numbers that R's doubles could not
    write with all digits.
    """
    kinds = {_kind(value) for value in values}
    if len(kinds) < 2 or "other" in kinds:
        return values
    if "float" not in kinds:
        return [int(value) for value in values]
    if any(_kind(value) == "int" and abs(int(value)) > LARGEST_WHOLE for value in values):
        return values
    return [float(value) for value in values]


def _kind(value: Any) -> str:
    if isinstance(value, (bool, np.bool)):
        return "bool"
    if isinstance(value, (int, np.integer)):
        return "int"
    return "float" if isinstance(value, (float, np.floating)) else "other"


def _by_appearance(
    column: npt.NDArray[Any], present: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[Any]]:
    found, first, inverse = np.unique(column[present], return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    order = np.empty(len(found), dtype=np.intp)
    order[appearance] = np.arange(len(found))
    codes = np.full(len(column), -1, dtype=np.intp)
    codes[present] = order[inverse]
    return codes, found[appearance]


def _array(values: list[Any], dtype: np.dtype[Any] | None) -> npt.NDArray[Any]:
    """Labels as an array, with the caller's NumPy dtype if there is one, otherwise as objects.

    Text from lists and pandas is kept as objects, so that longer text can be assigned later.
    """
    if dtype == np.float16:  # which pandas does not accept as names of columns
        dtype = np.dtype(np.float32)
    if dtype is not None and dtype.kind != "O":
        return np.array(values, dtype=None if dtype.kind == "U" and values else dtype)
    types = {type(value) for value in values}
    if len(types) == 1:
        only = types.pop()
        fits = only is not int or all(-(2**63) <= value < 2**63 for value in values)
        if fits and issubclass(only, (bool, int, float, np.number, np.bool)):
            return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
