"""AnnData files (.h5ad), which need h5py: the matrix X with the columns of obs."""

import io
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.limits import check_size
from pycdf.files.tables.request import Request
from pycdf.support.options import in_python, option
from pycdf.support.wording import agree, few, plural

HDF5 = b"\x89HDF\r\n\x1a\n"
"""The first bytes of a file."""
_SPARSE = ("csr_matrix", "csc_matrix", "csr", "csc")


def read_anndata(data: bytes, request: Request) -> pd.DataFrame:
    """Read X, or the layer that is asked for, with a column for each variable and each of obs."""
    library = _h5py()
    try:
        with library.File(io.BytesIO(data), "r") as file:
            return _table(file, library, len(data), request)
    except DataFileError:
        raise
    except Exception as error:  # h5py raises many types, for what HDF5 says and for wrong content
        first = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
        raise DataFileError(f"it is a damaged AnnData file: {first[:200]}.") from None


def _h5py() -> Any:
    try:
        return import_module("h5py")
    except ImportError:
        raise DataFileError(
            "reading AnnData (.h5ad) needs h5py: pip install h5py (or save it as CSV, with "
            "adata.to_df().join(adata.obs).to_csv())."
        ) from None


def _table(file: Any, library: Any, size: int, request: Request) -> pd.DataFrame:
    if not {"X", "obs", "var"} <= set(file):
        raise DataFileError(
            "it is an HDF5 file, but not AnnData (.h5ad): save the table as CSV or Parquet."
        )
    layers = list(file["layers"]) if "layers" in file else []
    wanted = request.options.sheet
    if wanted is not None and wanted not in (*layers, "X"):
        raise DataFileError(f"it has no layer {wanted!r}; it has {few(['X', *layers], 6)}.")
    matrix = _matrix(file["X" if wanted in (None, "X") else f"layers/{wanted}"], library, size)
    variables, _ = _annotation(file["var"], library, size, columns=False)
    rows, columns = _annotation(file["obs"], library, size)
    if matrix.shape != (len(rows), len(variables)):
        raise DataFileError("it is a damaged AnnData file: X does not fit obs and var.")
    if not len(rows):
        raise DataFileError("the table has no rows.")
    index = pd.Index(rows, dtype=object, name="row")
    frame = pd.DataFrame(matrix, index=index, columns=pd.Index(variables, dtype=object))
    if not columns:
        return frame
    request.notes.append(
        f"{plural(len(columns), 'column')} of obs ({few(list(columns))}) "
        f"{agree(columns, 'comes', 'come')} after the {plural(len(variables), 'variable')}"
        ": leave out those that are neither features nor the label"
        + ("." if in_python() else f" ({option('drop')}).")
    )
    more = pd.DataFrame({name: pd.Series(one, dtype=one.dtype) for name, one in columns.items()})
    for name in set(request.as_text) & set(columns):
        if isinstance(more[name].dtype, pd.CategoricalDtype):
            more[name] = more[name].astype(object)
    more.index = index
    return pd.concat([frame, more], axis=1)


def _matrix(item: Any, library: Any, size: int) -> Any:
    if isinstance(item, library.Dataset):
        if item.ndim != 2 or item.dtype.kind not in "fiub":
            raise DataFileError("it is a damaged AnnData file: X is no matrix of numbers.")
        check_size(item.shape[0] * item.shape[1] * 8, size, "the matrix")
        return item[()].astype(np.float64)
    kind = item.attrs.get("encoding-type", item.attrs.get("h5sparse_format"))
    shape = item.attrs.get("shape", item.attrs.get("h5sparse_shape"))
    if kind not in _SPARSE or shape is None or len(shape) != 2:
        raise DataFileError(f"its matrix has the unknown form {kind!r}: make it dense or sparse.")
    rows, columns = (int(one) for one in shape)
    if min(rows, columns) < 0:
        raise DataFileError("it is a damaged AnnData file: the size of X is wrong.")
    check_size(rows * columns * 8, size, "the matrix")
    parts = [_small(item[name], size) for name in ("data", "indices", "indptr")]
    sparse = import_module("scipy.sparse")
    form = sparse.csr_matrix if kind.startswith("csr") else sparse.csc_matrix
    made = form(tuple(parts), shape=(rows, columns))
    made.check_format(full_check=True)  # toarray() trusts the indices
    return np.asarray(made.toarray(), dtype=np.float64)


def _small(dataset: Any, size: int) -> Any:
    check_size(dataset.size * dataset.dtype.itemsize, size, "the matrix")
    return dataset[()]


def _annotation(
    item: Any, library: Any, size: int, columns: bool = True
) -> tuple[list[str], dict[str, Any]]:
    """The names of the rows (or variables), and the other columns about them."""
    if isinstance(item, library.Dataset):  # before AnnData 0.7
        raise DataFileError("it is in the format of AnnData before 0.7: write it again.")
    key = _text(item.attrs["_index"])
    names = [_text(name) for name in _small(item[key], size)]
    if not columns:
        return names, {}
    found = {}
    for name in map(_text, item.attrs.get("column-order", ())):
        values = _column(item[name], library, size)
        if len(values) != len(names):
            raise DataFileError(f"it is a damaged AnnData file: obs[{name!r}] is too short.")
        found[name] = values
    return names, found


def _column(item: Any, library: Any, size: int) -> Any:
    if isinstance(item, library.Dataset):
        values = _small(item, size)
        if values.dtype.kind in "OSU":
            return np.array([_text(one) for one in values], dtype=object)
        return values
    if "codes" in item:
        categories = pd.Index([_text(one) for one in _small(item["categories"], size)])
        return pd.Categorical.from_codes(_small(item["codes"], size), categories)
    values, mask = _small(item["values"], size), _small(item["mask"], size)
    if values.dtype.kind in "OSU":
        texts = [None if gone else _text(one) for one, gone in zip(values, mask, strict=True)]
        return np.array(texts, dtype=object)
    return np.where(mask, np.nan, values.astype(np.float64))


def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)
