"""Read the table in a file, whatever its format: the only entry for commands and functions."""

import csv
import gzip
import sys
from collections.abc import Collection
from pathlib import Path

import pandas as pd

from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.options import BY_CONTENT, ReadOptions
from pycdf.files.tables.parquet import PARQUET, from_parquet
from pycdf.files.tables.text import from_text, separator

_GZIP = b"\x1f\x8b"


def read_data(
    source: str, as_text: Collection[str] = (), options: ReadOptions = BY_CONTENT
) -> pd.DataFrame:
    """Read the table in a file, or from stdin if ``source`` is "-".

    The columns in ``as_text`` are kept as text, exactly as written. ``options`` say how to read the
    file where its content does not decide it.
    """
    shown = "stdin" if source == "-" else source
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    try:
        if data[:2] == _GZIP:
            data = gzip.decompress(data)
        if data[:4] == PARQUET:
            return from_parquet(data)
        sep = options.sep or separator(source, data)
        return from_text(data.decode(options.encoding or "utf-8-sig"), as_text, sep)
    except UnicodeDecodeError:
        raise DataFileError(f"{shown} is neither UTF-8 text nor Parquet.") from None
    except (DataFileError, csv.Error, EOFError, gzip.BadGzipFile) as error:
        raise DataFileError(f"{shown}: {error}") from None
