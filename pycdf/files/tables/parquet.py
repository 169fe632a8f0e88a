"""Parquet files, whole or in parts, and Feather files; they need pyarrow."""

import io
from collections.abc import Collection, Iterator
from importlib import import_module
from typing import Any

import pandas as pd

from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.limits import check_size

PARQUET = b"PAR1"
FEATHER = (b"ARROW1", b"FEA1")
"""The first bytes of files."""
_NO_ROWS = "the table has no rows."
_CELLS = 2**21  # per part: 16 MB, of which a few copies exist at a time


def read_parquet(data: bytes) -> pd.DataFrame:
    """Read a Parquet file that is in memory."""
    parquet = pyarrow_for("reading")
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        facts = file.metadata
        groups = [facts.row_group(i) for i in range(facts.num_row_groups)]
        needed = max(
            8 * facts.num_rows * facts.num_columns, sum(one.total_byte_size for one in groups)
        )
        check_size(needed, len(data), "the table")
        return _finished(file.read().to_pandas())
    except DataFileError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:  # most errors of pyarrow are these
        raise DataFileError(f"it is damaged Parquet: {_first_line(error)}") from None


def read_feather(data: bytes) -> pd.DataFrame:
    """Read a Feather (Arrow IPC) file that is in memory."""
    pyarrow_for("reading", "Feather")
    try:
        return _finished(import_module("pyarrow.feather").read_feather(io.BytesIO(data)))
    except DataFileError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataFileError(f"it is a damaged Feather file: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:200]


def _finished(frame: pd.DataFrame) -> pd.DataFrame:
    if len(frame) == 0:
        raise DataFileError(_NO_ROWS)
    if isinstance(frame.index, pd.RangeIndex):
        frame.index = pd.RangeIndex(1, len(frame) + 1)
    frame.index.name = "row"
    return frame.rename(columns=str)


def parquet_columns(source: str, features: Collection[str]) -> list[str] | None:
    """The columns of a Parquet file that can be read in parts; None for any other source.

    A file is read whole if one of ``features`` is text or categorical, because how R reads such a
    column depends on all of its rows, or if the file has row names.
    """
    if source == "-" or _first_bytes(source) != PARQUET:
        return None
    try:
        schema = pyarrow_for("reading").read_schema(source)
    except (OSError, ValueError):
        return None  # reading it whole will raise a clear error
    types = import_module("pyarrow.types")
    numeric = (types.is_integer, types.is_floating, types.is_boolean)
    named_rows = (schema.pandas_metadata or {}).get("index_columns", [])
    kinds = dict(zip(schema.names, schema.types, strict=True))
    if (
        any(isinstance(index, str) for index in named_rows)
        or len(kinds) < len(schema.names)
        or not all(
            any(is_kind(kinds[name]) for is_kind in numeric) for name in features if name in kinds
        )
    ):
        return None
    return list(kinds)


def parquet_parts(source: str, columns: list[str]) -> Iterator[pd.DataFrame]:
    """Read some columns of a Parquet file in parts of about two million cells."""
    file = pyarrow_for("reading").ParquetFile(source, memory_map=True)
    if file.metadata.num_rows == 0:
        raise DataFileError(f"{source}: {_NO_ROWS}")
    first = 1
    for batch in file.iter_batches(max(64, _CELLS // max(1, len(columns))), columns=columns):
        frame = batch.to_pandas()[columns]
        frame.index = pd.RangeIndex(first, first + len(frame), name="row")
        first += len(frame)
        yield frame


def _first_bytes(source: str) -> bytes:
    with open(source, "rb") as file:
        return file.read(4)


def pyarrow_for(doing: str, form: str = "Parquet") -> Any:
    """Return ``pyarrow.parquet``, or raise an error that says what to install for ``doing``."""
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        raise DataFileError(
            f"{doing} {form} needs pyarrow: pip install pyarrow (or use CSV)."
        ) from None
