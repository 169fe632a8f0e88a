"""Data frames with columns of every type, and labels of every type, on both sides.

A :class:`Cells` is a column in plain Python values, None for missing; from it come the column that
an R user holds (factor, character, logical, Date, POSIXct, ...) and the one that a Python user
holds, in one of the dtypes that pandas, Arrow and polars have for it. :func:`attempt` calls R and
brings back its answer, or why it stopped.
"""

import datetime
import re
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from pycdf import CDF, InputWarning
from pycdf.base_r.text import name_text
from pycdf.inputs.labels import read_labels

from .bridge import RSession
from .compare import Answer, first_difference
from .r_changes import Version, number_text_today

# CDF 0.1.0 falls over one test row, and over one candidate: R made vectors of its matrices.
ACCIDENTS = (
    "length of 'dimnames' [2] not equal to array extent",
    "'x' must be an array of at least two dimensions",
    "incorrect number of dimensions",
)

HELPERS = """
as_column <- function(values, missing, kind) {
  values[missing] <- NA
  switch(kind,
    factor = factor(values), date = structure(values, class = "Date"),
    moment = .POSIXct(values, tz = "UTC"), values)
}
typed_frame <- function(columns, names, rows) {
  names(columns) <- names
  structure(columns, class = "data.frame", row.names = seq_len(rows))
}
attempt <- function(f, arguments) tryCatch(
  suppressWarnings(do.call(f, arguments)),
  error = function(e) list(error = conditionMessage(e)))

# CDF with its matrices kept matrices where it has one test row or one candidate feature.
mend <- function(e) {
  if (!is.call(e)) return(e)
  if (identical(e[[1L]], quote(sapply))) return(bquote(matrix(.(e), nrow = nrow(vote_mat))))
  if (identical(e[[1L]], quote(`[`)) && identical(e[[length(e)]], quote(seq_len(ncol(Xtr)))) &&
      is.call(e[[2L]])) e$drop <- FALSE
  for (i in seq_along(e)) {
    if (identical(e[[i]], quote(snr_matrix)) && !(i == 2L && identical(e[[1L]], quote(`<-`)))) {
      e[[i]] <- quote(matrix(snr_matrix, ncol = ncol(pairs)))
    } else if (is.call(e[[i]])) e[[i]] <- mend(e[[i]])
  }
  e
}
mended_cdf <- local({
  inside <- cdf_with_inside
  body(inside) <- mend(body(inside))
  traced <- traced_cdf
  environment(traced) <- list2env(list(cdf_with_inside = inside), parent = globalenv())
  traced
})
"""


@dataclass(frozen=True)
class Refusal:
    """Why R stopped."""

    message: str

    @property
    def by_accident(self) -> bool:
        return self.message in ACCIDENTS


@dataclass(frozen=True)
class Cells:
    """One column. Dates are day numbers, moments microseconds since 1970."""

    name: Any
    kind: str
    values: list[Any]


def cells_today(version: Version, columns: list[Cells]) -> list[Cells]:
    """The columns that today's R reads as R of this version reads the given ones."""
    return [
        replace(
            column,
            values=[
                number_text_today(version, value) if isinstance(value, str) else value
                for value in column.values
            ],
        )
        for column in columns
    ]


# ---- R's side ----------------------------------------------------------------------------------


def prepare_r(r: RSession) -> None:
    r.run(HELPERS)


def r_column(r: RSession, column: Cells) -> Any:
    """The column as R holds it."""
    missing = [value is None for value in column.values]
    known = [0 if gone else value for gone, value in zip(missing, column.values, strict=True)]
    match column.kind:
        case "text" | "factor":
            vector = r._text(known)
        case "logical":
            vector = r._vector(np.array(known, dtype=bool))
        case "integer":
            vector = r._vector(np.array(known, dtype=np.int64))
        case "moment":
            vector = r._vector(np.array([value / 10**6 for value in known], dtype=np.float64))
        case _:
            vector = r._vector(np.array(known, dtype=np.float64))
    gone = r._vector(np.array(missing, dtype=bool))
    return r.call("as_column", vector, gone, r._text([column.kind]))


def r_frame(r: RSession, columns: list[Cells], rows: int) -> Any:
    made = r._r.ListSexpVector([r_column(r, column) for column in columns])
    names = r._text([column.name for column in columns])
    return r.call("typed_frame", made, names, r._number(rows))


def attempt(r: RSession, function: str, arguments: Any) -> Answer | Refusal:
    """R's answer to a call of ``traced_cdf`` or ``mended_cdf``."""
    value = r.call("attempt", r._r.globalenv[function], arguments)
    if list(value.names) == ["error"]:
        return Refusal(r.python(value)["error"][0])
    return r.answer(value)


# ---- Python's side -----------------------------------------------------------------------------

SPELLINGS = {
    "double": ["float64", "Float64", "double[pyarrow]", "object"],
    "integer": ["int64", "Int64", "int32[pyarrow]", "object", "float64"],
    "logical": ["bool", "boolean", "bool[pyarrow]", "object"],
    "text": ["object", "string", "string[pyarrow]", "arrow text"],
    "factor": ["category"],
    "date": ["object", "date32[day][pyarrow]"],
    "moment": ["datetime64[us]", "datetime64[ns]", "zoned", "object", "timestamp[us][pyarrow]"],
}


def column(cells: Cells, spelling: str) -> pd.Series:
    """The column in one of pandas' dtypes; plain ones that have no NA become what pandas makes."""
    values = [_value(cells.kind, value) for value in cells.values]
    if spelling == "object":
        return pd.Series(values, dtype=object)
    if spelling == "category":
        return pd.Series(pd.Categorical(values))
    if spelling == "arrow text":
        import pyarrow

        return pd.Series(values, dtype=pd.ArrowDtype(pyarrow.string()))
    if spelling == "zoned":
        return (
            pd.Series(values, dtype="datetime64[us]")
            .dt.tz_localize("UTC")
            .dt.tz_convert("Asia/Tokyo")
        )
    if None in values and spelling in ("int64", "bool"):
        spelling = "object"
    return pd.Series(values, dtype=spelling)


def _value(kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "date":
        return datetime.date(1970, 1, 1) + datetime.timedelta(days=value)
    if kind == "moment":
        return datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=value)
    return value


def pandas_frame(columns: list[Cells], spellings: list[str], rows: int) -> pd.DataFrame:
    made = [column(cells, spelling) for cells, spelling in zip(columns, spellings, strict=True)]
    frame = pd.concat(made, axis=1) if made else pd.DataFrame(index=range(rows))
    frame.columns = pd.Index([cells.name for cells in columns], dtype=object)
    return frame


def polars_frame(columns: list[Cells]) -> pl.DataFrame:
    """The same in polars, which wants each name once."""
    made = []
    for cells in columns:
        values = [_value(cells.kind, value) for value in cells.values]
        dtype = {
            "double": pl.Float64, "integer": pl.Int32, "logical": pl.Boolean, "text": pl.String,
            "factor": pl.Categorical, "date": pl.Date, "moment": pl.Datetime("us"),
        }[cells.kind]  # fmt: skip
        made.append(pl.Series(str(cells.name), values, dtype=dtype))
    return pl.DataFrame(made)


def call(*arguments: Any, **settings: Any) -> Any:
    """pycdf's answer, or the error that it raised for the caller."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)
            return CDF(*arguments, **settings)
    except (TypeError, ValueError) as error:
        return error


# ---- both --------------------------------------------------------------------------------------


def difference(ours: Any, theirs: Answer | Refusal, ytrain: Any) -> str | None:
    """Where the two part, in words. An error here must meet a stop there, and no accident."""
    if isinstance(ours, Exception):
        assert re.match(r"(xtrain|ytrain|xtest|ntrees|depth|mnode|k|mtry|seed)\b", str(ours)), ours
        if isinstance(theirs, Refusal) and not theirs.by_accident:
            return None
        return f"refused here ({ours}), in R: {_told(theirs)}"
    if isinstance(theirs, Refusal):
        return f"answered here, in R: {_told(theirs)}"
    return first_difference(as_r_writes(ours, ytrain), theirs)


def as_r_writes(fit: Any, ytrain: Any) -> Any:
    """The same forest with its labels as R's text; predictions are traced to their class."""
    texts = np.array(read_labels(ytrain).texts, dtype=object)
    known = list(fit.classes)
    predicted = np.array([known.index(label) for label in fit.predictions], dtype=np.intp)
    importance = fit.feature_importance.set_axis(map(name_text, fit.feature_importance.index))
    return replace(fit, classes=texts, predictions=texts[predicted], feature_importance=importance)


def _told(theirs: Answer | Refusal) -> str:
    return f"stops ({theirs.message})" if isinstance(theirs, Refusal) else "answers"
