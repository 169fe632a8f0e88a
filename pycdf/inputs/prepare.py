"""Matrices and columns, as R cleans and aligns them.

In go the training and test matrices and the labels; out comes :class:`Prepared`: the training
matrix as the kernels want it (kept features x labelled rows, doubles), the test matrix with the
same features in the same order, and notes of what was done on the way. Both are copies.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.inputs import note_texts as told
from pycdf.inputs.labels import Labels
from pycdf.inputs.matching import match_columns
from pycdf.inputs.notes import Note
from pycdf.inputs.tables import Matrix
from pycdf.inputs.transpose import keep, medians, turned, varying
from pycdf.support.parallel import in_bands

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Prepared:
    """Training and test data over the same kept features."""

    columns: Floats
    """Features x labelled rows."""
    spreads: Floats
    """Standard deviations of the features."""
    test: Floats
    """Test rows x features."""
    names: pd.Index
    """Of the kept features; their positions in xtrain where it has no names."""
    kept: npt.NDArray[np.int64]
    """The kept features' positions in xtrain."""
    codes: npt.NDArray[np.int32]
    """Class of each labelled row."""
    integer: bool
    notes: list[Note]


def prepare(train: Matrix, test: Matrix, labels: Labels, n_jobs: int | None = 1) -> Prepared:
    """Keep the labelled rows, align the test columns, drop what R drops."""
    rows = labels.codes >= 0
    codes = labels.codes[rows]
    columns = turned(train.values, None if rows.all() else rows, n_jobs)
    spreads, kept = varying(columns, train.integer, n_jobs)
    if len(kept) == 0:
        raise ValueError(
            f"xtrain has no usable column among its {len(columns):,}: each is constant, missing, "
            "text, infinite, or too large or small for a standard deviation. Pass columns of "
            "numbers that vary."
        )
    names = pd.RangeIndex(len(columns)) if train.names is None else train.names
    match = match_columns(train, test)
    notes = [
        *told.labels_in_columns(train, columns, labels, names),
        *told.dropped_rows(rows),
        *told.text_became_missing(train, "xtrain"),
        *told.text_became_missing(test, "xtest", match.source[kept]),
        *told.dropped_columns(names, columns, kept),
        *told.matching(train, test, match, names, kept),
    ]
    columns = keep(columns, kept)
    return Prepared(
        columns,
        spreads[kept],
        _aligned(test.values, match.source[kept], columns, n_jobs),
        names.take(kept),
        kept,
        codes,
        train.integer,
        notes,
    )


def _aligned(
    values: npt.NDArray[Any], source: Longs, columns: Floats, n_jobs: int | None
) -> Floats:
    """A copy of the test columns in ``source``; medians of ``columns`` where that is -1."""
    if np.array_equal(source, np.arange(values.shape[1])):
        return np.array(values, dtype=np.float64, order="C", copy=True)
    aligned = np.empty((len(values), len(source)))
    there: Any = source >= 0
    aligned[:, ~there] = medians(columns[~there])
    to, source = (slice(None), source) if there.all() else (there, source[there])

    def copy(band: slice) -> None:  # no second copy of all rows on the way
        aligned[band, to] = values[band, source]

    in_bands(copy, aligned.shape, n_jobs)
    return aligned
