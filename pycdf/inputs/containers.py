"""Convert tables of other libraries to those that pycdf reads: pandas and polars frames, arrays.

Their libraries are never imported here: whoever has such a table has imported its library.
"""

import os
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.support.wording import plural


def unwrap(data: Any, argument: str) -> Any:
    """A frame or array with the same cells, or ``data`` itself if it is of another type.

    AnnData become their ``X`` with the names of observations and variables; Arrow tables and
    xarray's arrays and data sets become pandas frames, lazy frames of polars are collected, and
    sparse matrices become arrays of doubles. ``argument`` is their name in error messages.
    """
    if is_sparse(data):
        return dense(data, argument)
    if _is_a(data, "anndata", "AnnData"):
        refuse_huge(data.shape, argument)
        return data.to_df()
    if _is_a(data, "polars", "LazyFrame"):
        return data.collect()
    if _is_a(data, "pyarrow", "Table") or _is_a(data, "pyarrow", "RecordBatch"):
        return data.to_pandas()
    if _is_a(data, "xarray", "DataArray"):
        return _from_data_array(data, argument)
    if _is_a(data, "xarray", "Dataset"):
        return _from_dataset(data, argument)
    return data


def is_sparse(data: Any) -> bool:
    """Whether it is a sparse matrix or array, as scipy has them."""
    return hasattr(data, "toarray") and hasattr(data, "nnz")


def dense(data: Any, argument: str) -> npt.NDArray[np.float64]:
    """A sparse matrix as an array of doubles, which is what R's ``as.matrix()`` makes of it."""
    refuse_huge(data.shape, argument)
    return np.asarray(data.toarray(), dtype=np.float64)


def refuse_huge(shape: tuple[int, ...], argument: str) -> None:
    """Raise an error if all cells of a sparse table would not fit into memory."""
    size = 8 * int(np.prod([int(length) for length in shape], dtype=object))
    if size > _physical_memory():
        rows, columns = shape[0], shape[-1]
        raise ValueError(
            f"{argument} has {plural(rows, 'row')} and {plural(columns, 'column')}: with its zeros "
            f"written out, as a forest needs it, it takes {size / 1e9:,.0f} GB, more than this "
            "machine's memory. Select columns first, for example with scikit-learn's SelectKBest "
            "or, for texts, TfidfVectorizer(max_features=...)."
        )


def _physical_memory() -> float:
    """Bytes of memory of this machine; infinity if unknown."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):  # Windows
        return float("inf")


def _from_data_array(data: Any, argument: str) -> Any:
    if data.ndim != 2:
        raise ValueError(
            f"{argument} has the dimensions {', '.join(map(str, data.dims))}: pass a DataArray of "
            "two, rows and columns."
        )
    # Without coordinates pandas numbers the columns; these are not names.
    return data.to_pandas() if data.dims[1] in data.coords else data.to_numpy()


def _from_dataset(data: Any, argument: str) -> Any:
    if len(data.dims) != 1:
        raise ValueError(
            f"{argument} has the dimensions {', '.join(map(str, data.dims))}: pass a Dataset whose "
            "variables have the rows as their only dimension."
        )
    return data.to_dataframe()[list(data.data_vars)]


def _is_a(data: Any, library: str, kind: str) -> bool:
    module = sys.modules.get(library)
    return module is not None and isinstance(data, getattr(module, kind, ()))
