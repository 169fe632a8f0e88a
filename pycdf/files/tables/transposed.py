"""Tables with the features in rows and the samples in columns, as gene expression often comes."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from pycdf.files.tables.columns import table_of_columns
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.request import Request
from pycdf.support.options import option
from pycdf.support.wording import agree, few


def transpose_frame(frame: pd.DataFrame, request: Request) -> pd.DataFrame:
    """Turn a table that was read from a typed format: its row names become the columns.

    Without row names, the first column has the names of the features.
    """
    if isinstance(frame.index, pd.RangeIndex):
        names, body = frame.iloc[:, 0], frame.iloc[:, 1:]
    else:
        names, body = frame.index.to_series(), frame
    if body.shape[1] == 0:
        raise DataFileError("it has no columns besides the names of the features.")
    samples = [str(name) for name in body.columns]
    features = [None if pd.isna(name) else name for name in names]
    if all(dtype.kind in "biuf" for dtype in body.dtypes):
        turned = pd.DataFrame(
            np.ascontiguousarray(body.to_numpy(dtype=np.float64, na_value=np.nan).T),
            index=pd.Index(samples, dtype=object, name="row"),
        )
        turned.columns = pd.Index([str(name) for name in features], dtype=object)
        return turned
    rows = [[None if pd.isna(cell) else cell for cell in body.iloc[i]] for i in range(len(body))]
    columns: list[list[Any]] = [["", *samples]]
    columns += [[name, *row] for name, row in zip(features, rows, strict=True)]
    return table_of_columns(columns, request)


def transpose_hint(frame: pd.DataFrame, wanted: Collection[str]) -> str | None:
    """A sentence if columns that are wanted seem to be rows of a table, otherwise None.

    They are if most of their names are among the row names or in the first column. Names that are
    nowhere may be missing because the table has its features in rows: that is likely if the first
    column has different texts, all others are numbers, and there are more rows than columns.
    """
    absent = set(wanted) - set(frame.columns)
    if frame.shape[1] == 0 or not absent:
        return None
    if isinstance(frame.index, pd.RangeIndex):
        names, where, body = frame.iloc[:, 0], "the first column", frame.iloc[:, 1:]
    else:
        names, where, body = frame.index.to_series(), "the row names", frame
    texts = [name for name in names if isinstance(name, str)]
    found = [name for name in texts if name in absent]
    if 2 * len(found) > len(absent):
        return (
            f"{few(found)} {agree(found, 'is', 'are')} in {where}. If the features are in "
            f"rows and the samples in columns, pass {option('transpose', True)}."
        )
    if (
        not found
        and len(frame) > body.shape[1] > 1
        and len(set(texts)) == len(frame)
        and all(dtype.kind in "biuf" for dtype in body.dtypes)
    ):
        return (
            f"{where} {'has' if where == 'the first column' else 'are'} {len(frame):,} different "
            "texts and all else is numbers. If the features are in rows and the samples in "
            f"columns, pass {option('transpose', True)}."
        )
    return None
