"""Read the table in a file, whatever its format: the only entry for commands and functions."""

import os
import sys
from collections.abc import Collection
from pathlib import Path

import pandas as pd

from pycdf.files.paths import check_path
from pycdf.files.tables.anndata import HDF5, read_anndata
from pycdf.files.tables.arff import is_arff, read_arff
from pycdf.files.tables.compressed import only_member, open_zip, read_member, unpacked
from pycdf.files.tables.contents import foreign_kind
from pycdf.files.tables.encodings import is_binary
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.excel import read_excel
from pycdf.files.tables.opendocument import read_opendocument
from pycdf.files.tables.options import BY_CONTENT, ReadOptions
from pycdf.files.tables.parquet import FEATHER, PARQUET, read_feather, read_parquet
from pycdf.files.tables.r_data import read_r_data
from pycdf.files.tables.r_objects import is_r_file
from pycdf.files.tables.request import Request
from pycdf.files.tables.text import read_text
from pycdf.files.tables.transposed import transpose_frame
from pycdf.inputs.notes import Note, warn_of
from pycdf.support.wording import visible

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


def read_table(
    path: str | os.PathLike[str],
    *,
    text: Collection[str] = (),
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | int | None = None,
    transpose: bool = False,
) -> pd.DataFrame:
    """Read a table from a file, as the command line does.

    The format is recognised by the content: CSV and other delimited text in any usual encoding,
    Parquet, Feather, Excel, OpenDocument, ARFF, R's .rds and .RData, and AnnData .h5ad, also
    compressed by gzip, bzip2, xz or Zstandard, or as the only file in a zip archive. What was
    guessed is said in a warning (``GuessedFormatWarning``).

    Parameters
    ----------
    path : str or Path
        The file; "-" means stdin.
    text : str or collection of str, default=()
        Columns to keep as text, exactly as written, such as labels "01" and "1".
    sep : str, default=None
        The separator of columns in text, such as ";". None detects it.
    decimal : str, default=None
        The decimal mark of numbers in text: "." or ",". None detects it.
    encoding : str, default=None
        The encoding of text, such as "latin-1". None detects it.
    sheet : str or int, default=None
        The sheet of a workbook, by name or number from 1; the object in an .RData file; the layer
        of an .h5ad file; the file in a zip archive.
    transpose : bool, default=False
        Whether the file has features in rows and samples in columns. Its first column has the names
        of the features, its header those of the samples.

    Returns
    -------
    pandas.DataFrame
        The columns are numbers (the doubles that R's ``read.csv`` reads) or text; files that have
        types of their own keep them. The index has the row names if the file has them, and
        otherwise numbers from 1.

    Raises
    ------
    DataFileError
        If the file is not a table; the message says what it seems to be. It is a ``ValueError``.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from pycdf import read_table
    >>> file = Path(mkdtemp()) / "export.csv"
    >>> _ = file.write_text("patient;age;dose;group\\n7;61;0,5;01\\n9;48;1,25;1\\n")
    >>> read_table(file, decimal=",", text=["group"])
         patient   age  dose group
    row
    1        7.0  61.0  0.50    01
    2        9.0  48.0  1.25     1
    """
    options = ReadOptions(
        sep, decimal, encoding, None if sheet is None else str(sheet), bool(transpose)
    )
    return read_data(os.fspath(path), [text] if isinstance(text, str) else text, options)


def read_data(
    source: str, as_text: Collection[str] = (), options: ReadOptions = BY_CONTENT
) -> pd.DataFrame:
    """Read the table in a file, or from stdin if ``source`` is "-".

    The columns in ``as_text`` are kept as text, exactly as written. ``options`` say how to read the
    file where its content does not decide it. What was guessed is said in warnings.
    """
    frame, notes = read_with_notes(source, as_text, options)
    warn_of(Note("guessed_format", 1, (), note) for note in notes)
    return frame


def read_with_notes(
    source: str, as_text: Collection[str] = (), options: ReadOptions = BY_CONTENT
) -> tuple[pd.DataFrame, list[str]]:
    """As ``read_data``, but return what was guessed instead of warning of it."""
    check_path(source)
    shown = "stdin" if source == "-" else visible(source)
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    request = Request(source, as_text, options)
    try:
        frame = _read(data, request)
    except DataFileError as error:
        raise DataFileError(f"{shown}: {error}") from None
    except MemoryError:
        raise DataFileError(f"{shown}: there is not enough memory to read it.") from None
    return frame, [f"{shown}: {note}" for note in request.notes]


def _read(data: bytes, request: Request) -> pd.DataFrame:
    """Read a file whose format is recognised from its content."""
    data = unpacked(data)
    if data.startswith(_ZIP):
        archive = open_zip(data)
        members = set(archive.namelist())
        if "xl/workbook.xml" in members:
            return read_excel(data, archive, request)
        if "content.xml" in members and "mimetype" in members:
            return read_opendocument(read_member(archive, "content.xml"), request)
        if refused := _foreign_archive(members):
            raise DataFileError(refused)
        return _read_plain(
            unpacked(read_member(archive, only_member(archive, request.options.sheet))), request
        )
    return _read_plain(data, request)


def _read_plain(data: bytes, request: Request) -> pd.DataFrame:
    if not data[:64].strip() and not data.strip():  # mostly without a copy
        raise DataFileError("it is empty.")
    if data.startswith(PARQUET):
        frame = read_parquet(data)
    elif data.startswith(FEATHER):
        frame = read_feather(data)
    elif data.startswith(HDF5):
        frame = read_anndata(data, request)
    elif is_r_file(data):
        frame = read_r_data(data, request)
    elif is_arff(data):
        frame = read_arff(data, request)
    else:
        if refused := foreign_kind(data):
            raise DataFileError(refused)
        if is_binary(data):
            raise DataFileError(
                "it is neither text nor in another format that pycdf reads: save it as CSV or "
                ".xlsx."
            )
        return read_text(data, request)
    return transpose_frame(frame, request) if request.options.transpose else frame


def _foreign_archive(members: set[str]) -> str | None:
    if "header.json" in members:
        return "it is a model file of pycdf, not a table."
    if "word/document.xml" in members:
        return "it is a Word document: copy its table into a spreadsheet and save that."
    if "ppt/presentation.xml" in members:
        return "it is a PowerPoint presentation: copy its table into a spreadsheet and save that."
    if "xl/workbook.bin" in members:
        return "it is a binary Excel workbook (.xlsb): save it as .xlsx."
    if any(name.endswith(".npy") for name in members):
        return (
            "it is an archive of NumPy arrays: save the table with pandas.DataFrame(...).to_csv()."
        )
    return None
