"""Types of what callers pass as a table or as labels, for type checkers.

They tell tables from labels, so that a checker finds arguments that are swapped. At run time
nothing is checked against them: :mod:`pycdf.inputs.tables` and :mod:`pycdf.inputs.labels` are more
exact, and say what to pass instead.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt


# pandas' own types allow any attribute, since a column is one: only methods tell them apart.
class Frame(Protocol):
    """A table with named columns, such as a DataFrame of pandas or polars."""

    def join(self, other: Any, /) -> Any:
        """Another table with the columns of both."""


class SparseMatrix(Protocol):
    """A sparse matrix or array of scipy."""

    @property
    def shape(self) -> Any:
        """Numbers of rows and columns."""

    def toarray(self) -> Any:
        """The same numbers as a NumPy array."""


class Column(Protocol):
    """One column of a table, such as a Series of pandas or polars."""

    def to_list(self) -> list[Any]:
        """The cells as a list."""


Table: TypeAlias = Frame | SparseMatrix | npt.NDArray[Any] | Sequence[Sequence[Any]]
LabelList: TypeAlias = (
    Column | npt.NDArray[Any] | Sequence[str | bytes | float | date | np.generic | None]
)
