"""Read and write data tables: CSV, TSV and Parquet, gzipped or not, or through a pipe.

Numbers are those that R reads: its `read.csv` does not always round to the nearest double, and
neither do we (:mod:`pycdf.kernels.parse_cells`). Columns get R's types: all numbers, all TRUE and
FALSE, or text. "NA" is missing, and so is a blank cell in a column of numbers. The index of a table
has the row names if the file has them, and otherwise numbers from 1.
"""

import csv
import gzip
import io
import sys
from collections.abc import Collection, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.numbers import parse_number
from pycdf.files.atomic import write_whole
from pycdf.kernels.parse_cells import MISSING, OTHER, read_cells

_LOGICAL = {"T": 1.0, "TRUE": 1.0, "F": 0.0, "FALSE": 0.0}  # read.csv takes no other spelling
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_SEPARATORS = ",\t;"
_NO_ROWS = "the table has no rows."
_CELLS = 2**21  # per part: 16 MB, of which a few copies exist at a time


class DataFileError(ValueError):
    """A file that cannot be read as a table."""


def read_data(source: str, as_text: Collection[str] = (), sep: str | None = None) -> pd.DataFrame:
    """Read the table in a file, or from stdin if ``source`` is "-".

    The columns in ``as_text`` are kept as text, exactly as written. ``sep`` separates the columns;
    None detects it from the file's name or first line.
    """
    shown = "stdin" if source == "-" else source
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    try:
        if data[:2] == _GZIP:
            data = gzip.decompress(data)
        if data[:4] == _PARQUET:
            return _from_parquet(data)
        return _from_text(data.decode("utf-8-sig"), as_text, sep or _separator(source, data))
    except UnicodeDecodeError:
        raise DataFileError(f"{shown} is neither UTF-8 text nor Parquet.") from None
    except (DataFileError, csv.Error, EOFError, gzip.BadGzipFile) as error:
        raise DataFileError(f"{shown}: {error}") from None


def parquet_columns(source: str, features: Collection[str]) -> list[str] | None:
    """The columns of a Parquet file that can be read in parts; None for any other source.

    A file is read whole if one of ``features`` is text or categorical, because how R reads such a
    column depends on all of its rows, or if the file has row names.
    """
    if source == "-" or _first_bytes(source) != _PARQUET:
        return None
    try:
        schema = _pyarrow("reading").read_schema(source)
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
    file = _pyarrow("reading").ParquetFile(source, memory_map=True)
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


def write_data(frame: pd.DataFrame, target: str) -> None:
    """Write a table without its index, in the format of the file name's suffix.

    "-" writes CSV to stdout.
    """
    kinds = [suffix.lower() for suffix in Path(target).suffixes]
    if kinds[-1:] in ([".parquet"], [".pq"]):
        _pyarrow("writing")
        file = io.BytesIO()
        frame.to_parquet(file, index=False)
        write_whole(target, file.getvalue())
        return
    text = frame.to_csv(
        index=False, lineterminator="\n", sep="\t" if {".tsv", ".tab"} & set(kinds) else ","
    )
    if target == "-":
        sys.stdout.write(text)
    else:
        content = text.encode()
        write_whole(target, gzip.compress(content, mtime=0) if kinds[-1:] == [".gz"] else content)


def _from_text(text: str, as_text: Collection[str], sep: str) -> pd.DataFrame:
    if "\0" in text:
        raise DataFileError("it contains null bytes, so it is not text.")
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=sep)
    header = next(lines, [])
    rows = [row for row in lines if row]  # R skips blank lines, too
    if not header or not rows:
        raise DataFileError("it has no rows below a header line.")
    width = len(header)
    # Row names have no header cell if R's write.table wrote them, and an empty one if write.csv did
    named = (header[0] == "" and width > 1) or all(len(row) == width + 1 for row in rows)
    if len(rows[0]) == width + 1 and named:
        header = ["", *header]
        width += 1
    for number, row in enumerate(rows):
        if len(row) != width:
            raise DataFileError(
                f"row {number + 1} has {len(row)} cells and the header {width}: is {sep!r} the "
                "right separator (--sep), or is a text that contains it not quoted?"
            )
    values, kinds = _numbers(rows, width)
    index: Any = pd.RangeIndex(1, len(rows) + 1, name="row")
    first = int(named)
    if named:
        index = pd.Index([row[0] for row in rows], name="row", dtype=object)
    names = header[first:]
    texts: dict[int, list[str | None]] = {}
    for j in range(first, width):
        if names[j - first] in as_text or not _is_numeric(rows, j, values, kinds):
            texts[j - first] = [None if row[j] == "NA" else row[j] for row in rows]
    frame = pd.DataFrame(values[:, first:], index=index, columns=pd.Index(names, dtype=object))
    for j, cells in texts.items():
        column: Any = pd.Series(cells, index=index, dtype=object)
        frame.isetitem(j, column)
    return frame


def _numbers(
    rows: list[list[str]], width: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]:
    """All cells as numbers, and the kind of each cell (see :mod:`pycdf.kernels.parse_cells`)."""
    cells = "\0".join(["\0".join(row) for row in rows]) + "\0"
    values = np.empty(len(rows) * width)
    kinds = np.empty(len(values), dtype=np.uint8)
    # A copy, because the kernel is compiled for writable arrays
    read_cells(np.frombuffer(cells.encode(), dtype=np.uint8).copy(), values, kinds)
    return values.reshape(len(rows), width), kinds.reshape(len(rows), width)


def _is_numeric(
    rows: list[list[str]], j: int, values: npt.NDArray[np.float64], kinds: npt.NDArray[np.uint8]
) -> bool:
    """Whether a column is numeric; if so, fill in the cells that the kernel could not parse."""
    unusual = np.flatnonzero(kinds[:, j] == OTHER)
    if not len(unusual):
        return True
    cells = {rows[i][j] for i in unusual}
    if cells <= set(_LOGICAL) and (kinds[:, j] >= MISSING).all():
        parsed = dict(_LOGICAL)
    else:
        parsed = {cell: parse_number(cell.strip()) for cell in cells}
        if any(value != value and cell.strip() != "NaN" for cell, value in parsed.items()):
            return False
    for i in unusual:
        values[i, j] = parsed[rows[i][j]]
    return True


def _separator(source: str, data: bytes) -> str:
    """The separator, from the file's name or its first line."""
    if {".tsv", ".tab"} & {suffix.lower() for suffix in Path(source).suffixes}:
        return "\t"
    first = data.partition(b"\n")[0]
    return max(_SEPARATORS, key=lambda sep: first.count(sep.encode()))


def _from_parquet(data: bytes) -> pd.DataFrame:
    parquet = _pyarrow("reading")
    try:
        frame: pd.DataFrame = parquet.read_table(io.BytesIO(data)).to_pandas()
    except (OSError, ValueError) as error:  # pyarrow's own errors are subclasses of these
        raise DataFileError(f"it is damaged Parquet: {str(error).splitlines()[0]}") from None
    if len(frame) == 0:
        raise DataFileError(_NO_ROWS)
    if isinstance(frame.index, pd.RangeIndex):
        frame.index = pd.RangeIndex(1, len(frame) + 1)
    frame.index.name = "row"
    return frame.rename(columns=str)


def _pyarrow(doing: str) -> Any:
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        raise DataFileError(
            f"{doing} Parquet needs pyarrow: pip install pyarrow (or use CSV)."
        ) from None
