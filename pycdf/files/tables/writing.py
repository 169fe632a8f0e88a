"""Write tables: CSV, TSV and Parquet, gzipped or not."""

import gzip
import io
import sys
from pathlib import Path

import pandas as pd

from pycdf.files.atomic import write_whole
from pycdf.files.tables.parquet import pyarrow_for


def write_data(frame: pd.DataFrame, target: str) -> None:
    """Write a table without its index, in the format of the file name's suffix.

    "-" writes CSV to stdout.
    """
    kinds = [suffix.lower() for suffix in Path(target).suffixes]
    if kinds[-1:] in ([".parquet"], [".pq"]):
        pyarrow_for("writing")
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
