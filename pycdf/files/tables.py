"""Tables in files: CSV, TSV and Parquet, gzipped or not, or from a pipe.

In goes a path, or "-" for stdin; out comes a DataFrame whose numbers are R's: `read.csv` does not
always round to the nearest double, nor do we (:mod:`pycdf.kernels.parse_cells`). Columns are typed as by R:
all numbers, all TRUE and FALSE, or text; "NA" is missing, and blank is missing among numbers. The
index tells rows apart: row names where the file has them, else numbers from 1.
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

_LOGICAL = {"T": 1.0, "TRUE": 1.0, "true": 1.0, "F": 0.0, "FALSE": 0.0, "false": 0.0}
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_SEPARATORS = ",\t;"
_NO_ROWS = "there are no rows in it."
_CELLS = 2**21  # of a part: 16 MB, of which there are a few copies at a time


class DataFileError(ValueError):
    """A file that is no table."""


def read_data(source: str, as_text: Collection[str] = (), sep: str | None = None) -> pd.DataFrame:
    """The table in a file. The columns in ``as_text`` stay text as they are written."""
    shown = "stdin" if source == "-" else source
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    try:
        if data[:2] == _GZIP:
            data = gzip.decompress(data)
        if data[:4] == _PARQUET:
            return _from_parquet(data)
        return _from_text(data.decode("utf-8-sig"), as_text, sep or _separator(source, data))
    except UnicodeDecodeError:
        raise DataFileError(f"{shown} is not text in UTF-8, and not Parquet.") from None
    except (DataFileError, csv.Error, EOFError, gzip.BadGzipFile) as error:
        raise DataFileError(f"{shown}: {error}") from None


def parquet_columns(source: str, features: Collection[str]) -> list[str] | None:
    """The columns of a Parquet file whose rows can be read in parts; None for any other source.

    A feature of texts or levels is what all rows make of it, and row names are a column under
    another name: with these, a file is read whole.
    """
    if source == "-" or _first_bytes(source) != _PARQUET:
        return None
    try:
        schema = _pyarrow("reading").read_schema(source)
    except (OSError, ValueError):
        return None  # who reads it whole says what is wrong
    types = import_module("pyarrow.types")
    plain = (types.is_integer, types.is_floating, types.is_boolean)
    named_rows = (schema.pandas_metadata or {}).get("index_columns", [])
    kinds = dict(zip(schema.names, schema.types, strict=True))
    if (
        any(isinstance(index, str) for index in named_rows)
        or len(kinds) < len(schema.names)
        or not all(
            any(is_kind(kinds[name]) for is_kind in plain) for name in features if name in kinds
        )
    ):
        return None
    return list(kinds)


def parquet_parts(source: str, columns: list[str]) -> Iterator[pd.DataFrame]:
    """Some columns of a Parquet file, a few thousand rows at a time."""
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
    """Write a table, without its index, in the form that the file's name tells; "-" is stdout."""
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
        raise DataFileError("there are zero bytes in it: it is not text.")
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=sep)
    header = next(lines, [])
    rows = [row for row in lines if row]  # R skips blank lines, too
    if not header or not rows:
        raise DataFileError("there are no rows below a header line.")
    width = len(header)
    # Row names: as write.table leaves them, with no name above, or as write.csv, with an empty one
    named = (header[0] == "" and width > 1) or all(len(row) == width + 1 for row in rows)
    if len(rows[0]) == width + 1 and named:
        header = ["", *header]
        width += 1
    for number, row in enumerate(rows):
        if len(row) != width:
            raise DataFileError(
                f"row {number + 1} has {len(row)} cells and the header {width}: is the separator "
                f"{sep!r} right (--sep), or is a text with it not in quotes?"
            )
    values, kinds = _numbers(rows, width)
    index: Any = pd.RangeIndex(1, len(rows) + 1, name="row")
    first = int(named)
    if named:
        index = pd.Index([row[0] for row in rows], name="row", dtype=object)
    names = header[first:]
    texts: dict[int, list[str | None]] = {}
    for j in range(first, width):
        if names[j - first] in as_text or not _settle(rows, j, values, kinds):
            texts[j - first] = [None if row[j] == "NA" else row[j] for row in rows]
    frame = pd.DataFrame(values[:, first:], index=index, columns=pd.Index(names, dtype=object))
    for j, cells in texts.items():
        column: Any = pd.Series(cells, index=index, dtype=object)
        frame.isetitem(j, column)
    return frame


def _numbers(
    rows: list[list[str]], width: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]:
    """All cells as numbers, and what kind each one is (see :mod:`pycdf.kernels.parse_cells`)."""
    cells = "\0".join(["\0".join(row) for row in rows]) + "\0"
    values = np.empty(len(rows) * width)
    kinds = np.empty(len(values), dtype=np.uint8)
    # A copy: the kernel is compiled for arrays that can be written to
    read_cells(np.frombuffer(cells.encode(), dtype=np.uint8).copy(), values, kinds)
    return values.reshape(len(rows), width), kinds.reshape(len(rows), width)


def _settle(
    rows: list[list[str]], j: int, values: npt.NDArray[np.float64], kinds: npt.NDArray[np.uint8]
) -> bool:
    """Whether a column is one of numbers; its cells of unusual form are filled in."""
    unusual = np.flatnonzero(kinds[:, j] == OTHER)
    if not len(unusual):
        return True
    cells = {rows[i][j].strip() for i in unusual}
    if cells <= set(_LOGICAL) and (kinds[:, j] >= MISSING).all():
        known = dict(_LOGICAL)
    else:
        known = {cell: parse_number(cell) for cell in cells}
        if any(value != value and cell != "NaN" for cell, value in known.items()):
            return False
    for i in unusual:
        values[i, j] = known[rows[i][j].strip()]
    return True


def _separator(source: str, data: bytes) -> str:
    """The separator that the file's name or its first line tells."""
    if {".tsv", ".tab"} & {suffix.lower() for suffix in Path(source).suffixes}:
        return "\t"
    first = data.partition(b"\n")[0]
    return max(_SEPARATORS, key=lambda sep: first.count(sep.encode()))


def _from_parquet(data: bytes) -> pd.DataFrame:
    parquet = _pyarrow("reading")
    try:
        frame: pd.DataFrame = parquet.read_table(io.BytesIO(data)).to_pandas()
    except (OSError, ValueError) as error:  # pyarrow's errors are among these
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
