"""Write tables: CSV, TSV, Parquet and Excel, text also gzipped."""

import gzip
import io
import sys
from pathlib import Path

import pandas as pd

from pycdf.files.atomic import write_whole
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.excel import write_excel
from pycdf.files.tables.parquet import pyarrow_for

_NOT_WRITTEN = {
    ".xls", ".xlsm", ".xlsb", ".ods", ".rds", ".rdata", ".rda", ".arff", ".h5ad", ".h5", ".feather",
    ".arrow", ".json", ".html", ".pdf", ".zip", ".bz2", ".xz", ".zst", ".sav", ".dta", ".pkl",
    ".npy", ".md", ".svg", ".png", ".cdf", ".doc", ".docx", ".odt", ".rtf", ".xml", ".tex",
}  # fmt: skip


def check_target(target: str) -> None:
    """Refuse a file name that promises a format that is not written, before any long work starts.

    Names with an ending that is no format get CSV.
    """
    ending = Path(target).suffix.lower()
    if ending in _NOT_WRITTEN:
        raise DataFileError(
            f"{target}: tables are not written as {ending}. Choose a name that ends with .csv, "
            ".tsv, .parquet or .xlsx; .csv.gz and .tsv.gz are compressed."
        )


def write_data(frame: pd.DataFrame, target: str) -> None:
    """Write a table without its index, in the format of the file name's suffix.

    "-" writes CSV to stdout.
    """
    check_target(target)
    kinds = [suffix.lower() for suffix in Path(target).suffixes]
    if kinds[-1:] in ([".parquet"], [".pq"]):
        pyarrow_for("writing")
        file = io.BytesIO()
        frame.to_parquet(file, index=False)
        write_whole(target, file.getvalue())
        return
    if kinds[-1:] == [".xlsx"]:
        write_whole(target, write_excel(frame))
        return
    text = frame.to_csv(
        index=False, lineterminator="\n", sep="\t" if {".tsv", ".tab"} & set(kinds) else ","
    )
    if target == "-":
        sys.stdout.write(text)
    else:
        content = text.encode(errors="backslashreplace")  # lone surrogates have no UTF-8
        write_whole(target, gzip.compress(content, mtime=0) if kinds[-1:] == [".gz"] else content)
