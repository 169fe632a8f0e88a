"""Turn data that have been read into :class:`TrainingData`, the form that forests grow from.

:func:`clean` does what R's ``CDF`` does to its arguments: it drops unlabelled rows and columns that
do not vary, and aligns the test columns. :func:`training_data` starts from rows that scikit-learn's
rules have already checked. Both drop the same columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.inputs import note_texts
from pycdf.inputs.labels import Labels
from pycdf.inputs.matching import match_columns
from pycdf.inputs.notes import Note
from pycdf.inputs.scaling import Scaling, standardise
from pycdf.inputs.tables import Matrix
from pycdf.inputs.transpose import keep, medians, transposed, varying_columns
from pycdf.support.parallel import in_bands

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Training rows and their classes, as the kernels read them."""

    columns: Floats
    """Kept features x labelled rows."""
    spreads: Floats
    """The standard deviation of each kept feature."""
    kept: npt.NDArray[np.int64]
    """Positions of the kept features among the columns as given."""
    codes: npt.NDArray[np.int32]
    """Class of each row, as a position in ``classes``."""
    classes: npt.NDArray[Any]
    """The labels, in order of first appearance."""
    texts: Sequence[str]
    """The text that R gives to each label, which decides ties in leaves."""
    n_features: int
    """Number of columns as given, including the dropped ones."""
    names: tuple[str, ...] | None
    """Names of the columns as given; None unless all are text."""
    integer: bool
    """Whether R would hold the data as an integer matrix."""
    scaling: Scaling | None = None
    """How the columns were scaled; None if they are as given."""


@dataclass(frozen=True, eq=False)
class CleanData:
    """Training and test data over the same kept features."""

    training: TrainingData
    test: Floats
    """Test rows x kept features, as a copy."""
    names: pd.Index
    """Names of the kept features, or their positions in xtrain if it has no names."""
    notes: list[Note]
    """The changes that were made."""


def clean(
    train: Matrix, test: Matrix, labels: Labels, n_jobs: int | None = 1, scale: bool = False
) -> CleanData:
    """Keep the labelled rows, align the test columns, and drop the columns that R drops.

    With ``scale``, both are then scaled by the labelled training rows.
    """
    rows = labels.codes >= 0
    columns = transposed(train.values, None if rows.all() else rows, n_jobs)
    spreads, kept = varying_columns(columns, train.integer, n_jobs)
    if len(kept) == 0:
        raise _no_usable_column("xtrain", len(columns), "constant, missing, text, infinite")
    names = pd.RangeIndex(len(columns)) if train.names is None else train.names
    match = match_columns(train, test)
    notes = [
        *note_texts.labels_in_columns(train, columns, labels, names),
        *note_texts.dropped_rows(rows),
        *note_texts.text_became_missing(train, "xtrain"),
        *note_texts.text_became_missing(test, "xtest", match.source[kept]),
        *note_texts.dates_in_seconds(train, test, match, kept),
        *note_texts.dropped_columns(names, columns, kept),
        *note_texts.matching(train, test, match, names, kept),
    ]
    width = len(columns)
    training = TrainingData(
        columns=keep(columns, kept),
        spreads=spreads[kept],
        kept=kept,
        codes=labels.codes[rows],
        classes=labels.values,
        texts=labels.texts,
        n_features=width,
        names=_text_names(train),
        integer=train.integer,
    )
    if scale:
        training = _scaled(training, "xtrain", n_jobs)
    source = match.source[training.kept]
    aligned = _aligned(test.values, source, training, n_jobs)
    return CleanData(training, aligned, names.take(training.kept), notes)


def training_data(
    X: npt.NDArray[Any],
    codes: npt.NDArray[np.int32],
    classes: npt.NDArray[Any],
    texts: Sequence[str],
    names: tuple[str, ...] | None,
    integer: bool,
    n_jobs: int | None = 1,
    scale: bool = False,
) -> TrainingData:
    """Transpose checked rows for the kernels, drop the columns that R drops, and maybe scale."""
    ready = X.T.flags.c_contiguous and X.dtype == np.float64 and not scale
    columns = X.T if ready else transposed(X, n_jobs=n_jobs)
    spreads, kept = varying_columns(columns, integer, n_jobs)
    if len(kept) == 0:
        raise _no_usable_column("X", len(columns), "constant, missing")
    if len(kept) < len(columns):
        columns = columns[kept] if ready else keep(columns, kept)
    data = TrainingData(
        columns=columns,
        spreads=spreads[kept],
        kept=kept,
        codes=codes,
        classes=classes,
        texts=texts,
        n_features=X.shape[1],
        names=names,
        integer=integer,
    )
    return _scaled(data, "X", n_jobs) if scale else data


def _scaled(data: TrainingData, argument: str, n_jobs: int | None) -> TrainingData:
    """The data with their columns standardised in place, as R's ``scale()`` does.

    The result of ``scale()`` is never an integer matrix, and R keeps what varies in that result.
    """
    scaling = standardise(data.columns, n_jobs)
    spreads, varying = varying_columns(data.columns, False, n_jobs)
    if len(varying) == 0:
        raise _no_usable_column(argument, data.n_features, "constant, missing")
    return replace(
        data,
        columns=keep(data.columns, varying),
        spreads=spreads[varying],
        kept=data.kept[varying],
        integer=False,
        scaling=scaling.take(varying),
    )


def _no_usable_column(argument: str, width: int, reasons: str) -> ValueError:
    return ValueError(
        f"{argument} has no usable column among its {width:,}: each is {reasons}, or too large or "
        "small for a standard deviation. Pass columns of numbers that vary."
    )


def _text_names(train: Matrix) -> tuple[str, ...] | None:
    """The names of the columns if all are text, the only kind that scikit-learn records."""
    names = train.names
    if names is None or names.inferred_type != "string" or names.hasnans:
        return None
    return tuple(names.tolist())


def _aligned(
    values: npt.NDArray[Any], source: Longs, training: TrainingData, n_jobs: int | None
) -> Floats:
    """A copy of the test columns at ``source``, scaled if the training columns are.

    Where ``source`` is -1 it has the medians of the training columns.
    """
    scaling = training.scaling
    if scaling is None and np.array_equal(source, np.arange(values.shape[1])):
        return np.array(values, dtype=np.float64, order="C", copy=True)
    aligned = np.empty((len(values), len(source)))
    there: Any = source >= 0
    aligned[:, ~there] = medians(training.columns[~there])
    to, source = (slice(None), source) if there.all() else (there, source[there])
    scaling = None if scaling is None else scaling.take(to)

    def copy(band: slice) -> None:  # in bands, to avoid a second copy of all rows
        part = values[band, source]
        if scaling is not None:
            part = part.astype(np.float64, copy=False)
            scaling.scale_rows(part)
        aligned[band, to] = part

    in_bands(copy, aligned.shape, n_jobs)
    return aligned
