"""Data frames and matrices in files of R (.rds, .RData)."""

import datetime
from typing import Any

import numpy as np
import pandas as pd

from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.r_objects import HOW_TO_SAVE, NA_INTEGER, RObject, read_objects
from pycdf.files.tables.request import Request
from pycdf.support.options import option
from pycdf.support.wording import few

_HOW = f"save a data frame, {HOW_TO_SAVE}"
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_DAYS = 700_000  # about as many as Python's dates go back from 1970
_LATEST = 9e9  # seconds: pandas' times end in 2262


def read_r_data(data: bytes, request: Request) -> pd.DataFrame:
    """Read a file of ``saveRDS()``, or one object of a file of ``save()``."""
    objects = read_objects(data)
    wanted = request.options.sheet
    tables = [name for name, value in objects.items() if _is_table(value)]
    if wanted is None or (wanted not in objects and "" in objects):
        if len(tables) > 1:
            raise DataFileError(
                f"it has several tables, {few(tables, 6)}: choose one, such as "
                f"{option('sheet', tables[0])}."
            )
        wanted = tables[0] if tables else next(iter(objects), "")
        others = [name for name in objects if name != wanted]
        if others and tables:
            request.notes.append(f"the table {wanted!r} was read. The file also has {few(others)}.")
    elif wanted not in objects:
        raise DataFileError(f"it has no object {wanted!r}; it has {few(list(objects), 6)}.")
    found = objects.get(wanted)
    if not isinstance(found, RObject) or not _is_table(found):
        raise DataFileError(f"it has no table but {_what(found)}: {_HOW}")
    frame = _from_matrix(found) if "dim" in found.attributes else _from_data_frame(found)
    for name in request.as_text:
        for j in range(frame.shape[1]):
            column: Any = frame.iloc[:, j]
            if frame.columns[j] == name and isinstance(column.dtype, pd.CategoricalDtype):
                frame.isetitem(j, column.astype(object))
    return frame


def _is_table(value: Any) -> bool:
    if not isinstance(value, RObject):
        return False
    if value.kind == "list":
        return "data.frame" in value.texts("class")
    dim = value.attributes.get("dim")
    return (
        value.kind in ("logical", "integer", "double", "character")
        and isinstance(dim, RObject)
        and len(dim.values) == 2
    )


def _what(value: Any) -> str:
    if not isinstance(value, RObject):
        return "an object that holds no data"
    classes = [text for text in value.texts("class") if text]
    if classes:
        return f"an object of class {classes[0]!r}"
    return {"list": "a list", "pairlist": "a call or function"}.get(
        value.kind, f"{'an' if value.kind == 'integer' else 'a'} {value.kind} vector"
    )


def _from_data_frame(value: RObject) -> pd.DataFrame:
    names = ["" if name is None else name for name in value.texts("names")]
    if len(names) != len(value.values):
        raise DataFileError("it is a damaged R file: a data frame without names.")
    columns = [_column(name, one) for name, one in zip(names, value.values, strict=True)]
    sizes = {len(column) for column in columns}
    if len(sizes) > 1:
        raise DataFileError("it is a damaged R file: the columns have different lengths.")
    size = sizes.pop() if sizes else 0
    frame = pd.DataFrame(dict(enumerate(columns)))
    return _finished(frame, names, _row_names(value.attributes.get("row.names"), size))


def _row_names(names: Any, size: int) -> list[str] | None:
    """Row names that are text; R numbers all others."""
    if not isinstance(names, RObject) or names.kind != "character" or len(names.values) != size:
        return None
    return ["NA" if name is None else name for name in names.values]


def _column(name: str, value: Any) -> Any:
    if not isinstance(value, RObject) or value.kind not in (
        "logical", "integer", "double", "character",
    ):  # fmt: skip
        raise DataFileError(
            f"column {name!r} has {_what(value)} and not one value in each row: leave it out."
        )
    if "dim" in value.attributes or "data.frame" in value.texts("class"):
        raise DataFileError(f"column {name!r} is a table itself: give each of its columns a name.")
    classes = value.texts("class")
    if value.kind == "character":
        return pd.Series(value.values, dtype=object)
    if "factor" in classes and value.kind == "integer":
        levels = value.texts("levels")
        codes = np.where(value.values == NA_INTEGER, 0, value.values) - 1
        known = codes.min(initial=-1) >= -1 and codes.max(initial=-1) < len(levels)
        if len(levels) != len(set(levels)) or not known:
            raise DataFileError(f"it is a damaged R file: the factor {name!r} lacks levels.")
        if None in levels:  # as addNA() makes it: what has this level is missing
            gone = levels.index(None)
            codes = np.where(codes == gone, -1, codes - (codes > gone))
        index = pd.Index([level for level in levels if level is not None], dtype=object)
        return pd.Series(pd.Categorical.from_codes(codes, index, ordered="ordered" in classes))
    values = value.values
    if "integer64" in classes and value.kind == "double":
        longs = values.view(np.int64)
        return pd.Series(np.where(longs == np.iinfo(np.int64).min, np.nan, longs))
    if "Date" in classes:
        return pd.Series([_date(day) for day in values.tolist()], dtype=object)
    if "POSIXct" in classes and value.kind == "double":
        known = np.isfinite(values) & (np.abs(values) < _LATEST)
        return pd.Series(pd.to_datetime(np.where(known, values, np.nan), unit="s"))
    return pd.Series(_plain(values, value.kind))


def _date(day: float) -> datetime.date | None:
    if not abs(day) < _DAYS:  # nor is an NA, of either kind
        return None
    return datetime.date.fromordinal(int(day // 1) + _EPOCH)


def _plain(values: Any, kind: str) -> Any:
    """Numbers and logicals; integers stay integers unless some are missing."""
    if kind == "double":
        return values
    missing = values == NA_INTEGER
    if missing.any():
        return np.where(missing, np.nan, values.astype(np.float64))
    return values != 0 if kind == "logical" else values.astype(np.int64)


def _from_matrix(value: RObject) -> pd.DataFrame:
    rows, columns = (int(size) for size in value.attributes["dim"].values)
    if rows * columns != len(value.values) or min(rows, columns) < 0:
        raise DataFileError("it is a damaged R file: the size of a matrix is wrong.")
    names = [f"V{j + 1}" for j in range(columns)]
    row_names = None
    given = value.attributes.get("dimnames")
    if isinstance(given, RObject) and len(given.values) == 2:
        row_names = _row_names(given.values[0], rows)
        names = _row_names(given.values[1], columns) or names
    if value.kind == "character":
        cells = np.array(value.values, dtype=object)
    else:
        cells = np.asarray(_plain(value.values, value.kind))
    return _finished(pd.DataFrame(cells.reshape((rows, columns), order="F")), names, row_names)


def _finished(frame: pd.DataFrame, names: list[str], row_names: list[str] | None) -> pd.DataFrame:
    if len(frame) == 0 or not names:
        raise DataFileError("the table has no rows." if names else "the table has no columns.")
    frame.columns = pd.Index(names, dtype=object)
    index: Any = pd.RangeIndex(1, len(frame) + 1)
    frame.index = index if row_names is None else pd.Index(row_names, dtype=object)
    frame.index.name = "row"
    return frame
