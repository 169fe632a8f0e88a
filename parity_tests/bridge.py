"""R in this process: the only module that imports rpy2.

Arrays, labels and settings are passed to R, and R's answers come back as numpy arrays and plain
Python. Only the low level of rpy2 is used, so there is no converter to activate: every conversion
is written out here, and doubles are copied as memory, bit for bit. :func:`start` returns the
session, or raises :class:`~parity_tests.r_setup.RIsMissing` with the cause.
"""

import os
import platform
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .cases import Case
from .compare import Answer, PlainForest
from .r_packages import check_packages
from .r_setup import ROOT, RIsMissing, check_loaded_r, library, why_no_session

TRACE = ROOT / "r_reference" / "trace.R"
LARGEST_INTEGER = 2**31 - 1


class RSession:
    """R with CDF, the trace of its internals, and ICU's root order of labels."""

    def __init__(self) -> None:
        # ICU reads the environment when R first compares strings: a locale set later is too late.
        os.environ["LC_ALL"] = "C.UTF-8"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # rpy2 warns about R's environment variables
                from rpy2 import rinterface

                rinterface.initr()
        except Exception as error:
            raise RIsMissing(why_no_session(error)) from error
        self._r = rinterface
        check_loaded_r(self.value("R.home()")[0], self.value("format(getRversion())")[0])
        self.rpy2_version = version("rpy2")
        if library().is_dir():
            self["library"] = self._text([library()])
            self.run(".libPaths(c(library, .libPaths()))")
        check_packages(self)
        self._check_order()
        self.run('RNGkind("Mersenne-Twister", "Inversion", "Rejection")')
        self["trace_file"] = self._text([str(TRACE)])
        self.run("sys.source(trace_file, envir = globalenv())")

    def _check_order(self) -> None:
        if not self.value('capabilities("ICU")')[0]:
            raise RIsMissing(
                "This R was built without ICU: it cannot sort labels in ICU's root order."
            )
        if self.sorted(["PD", "control"]) != ["control", "PD"] or self.collation() != "root":
            raise RIsMissing(
                f"R sorts by {self.collation()!r}, not in ICU's root order, under LC_ALL=C.UTF-8. "
                "Is that locale there (`locale -a`)?"
            )

    # ---- R's language ------------------------------------------------------------------------

    def run(self, code: str) -> Any:
        """Evaluate R code in the global environment; the value stays R's."""
        parsed = self._r.baseenv["parse"](text=self._text([code]))
        value = None
        for expression in parsed:
            value = self._r.baseenv["eval"](expression, self._r.globalenv)
        return value

    def value(self, code: str) -> Any:
        """Evaluate R code; return the value converted to Python."""
        return self.python(self.run(code))

    def __setitem__(self, name: str, value: Any) -> None:
        self._r.globalenv[name] = value

    def call(self, function: str, *args: Any, **kwargs: Any) -> Any:
        return self._r.globalenv[function](*args, **kwargs)

    def python(self, value: Any) -> Any:
        """An R vector, or a list of them by name: numbers as arrays, text as lists."""
        r = self._r
        if isinstance(value, r.FloatSexpVector | r.IntSexpVector) and not isinstance(
            value, r.BoolSexpVector
        ):
            # Not value.memoryview(): in rpy2 3.5 each call loses one reference to None.
            return np.array(value, copy=True)
        if isinstance(value, r.StrSexpVector):
            return [None if item is r.NA_Character else str(item) for item in value]
        if isinstance(value, r.BoolSexpVector):
            return [bool(item) for item in value]
        if isinstance(value, r.ListSexpVector):
            return {name: self.python(item) for name, item in zip(value.names, value, strict=True)}
        if value is r.NULL or isinstance(value, type(r.NULL)):
            return None
        raise TypeError(f"no Python form for R's {type(value).__name__}")

    # ---- Python values to R ------------------------------------------------------------------

    def _text(self, items: Any) -> Any:
        return self._r.StrSexpVector([str(item) for item in items])

    def _vector(self, values: np.ndarray) -> Any:
        """A numpy vector as R's: integers stay integers where they fit (-2^31 is R's NA)."""
        if values.dtype.kind == "b":
            return self._r.BoolSexpVector(values.tolist())
        if fits_r_integer(values):
            return self._r.IntSexpVector.from_memoryview(memoryview(values.astype(np.int32)))
        return self._r.FloatSexpVector.from_memoryview(memoryview(values.astype(np.float64)))

    def matrix(self, data: Any) -> Any:
        """The data as an R user would have them: frames, integer, logical or double matrices."""
        if isinstance(data, pd.DataFrame):
            columns = [self._vector(data[name].to_numpy()) for name in data.columns]
            frame = self._r.ListSexpVector(columns)
            return self.call("as_frame", frame, self._text(data.columns), self._number(len(data)))
        if isinstance(data, list):
            data = np.array(data, dtype=np.float64)
        values = self._vector(np.ravel(data, order="F"))
        return self.call("as_matrix", values, self._number(data.shape[0]))

    def labels(self, labels: Any) -> Any:
        items = list(labels)
        if all(isinstance(item, int | np.integer) for item in items):
            return self._vector(np.array(items, dtype=np.int64))
        return self._text(items)

    def _number(self, value: float) -> Any:
        return self._r.FloatSexpVector([float(value)])

    # ---- what the tests ask ------------------------------------------------------------------

    def arguments(self, case: Case) -> dict[str, Any]:
        given = {
            "xtrain": self.matrix(case.xtrain),
            "ytrain": self.labels(case.ytrain),
            "xtest": self.matrix(case.xtest),
        }
        return given | {name: self._number(value) for name, value in case.settings.items()}

    def cdf(self, case: Case) -> Answer:
        """R's forest for a case; afterwards R's stream is in the state in which CDF left it."""
        return self.answer(self.call("traced_cdf", **self.arguments(case)))

    def answer(self, value: Any) -> Answer:
        names = value[list(value.names).index("feature_importance")].names
        read = self.python(value)
        forest = PlainForest(**read["forest"])
        return Answer(
            classes=read["classes"],
            forest=forest,
            votes=read["votes"],
            predictions=read["predictions"],
            probabilities=read["probabilities"],
            importance=read["feature_importance"],
            names=None if isinstance(names, type(self._r.NULL)) else [str(name) for name in names],
            settings=dict(zip(SETTINGS, (int(v) for v in read["settings"]), strict=True)),
            met=dict(zip(self.value("COUNTS"), (int(v) for v in read["met"]), strict=True)),
        )

    def untraced_is_identical(self, case: Case) -> bool:
        """Whether the original CDF gives the same answer as the traced one, bit for bit."""
        self["arguments"] = self._named_list(self.arguments(case))
        return self.value(
            "identical(do.call(CDF::CDF, arguments), do.call(traced_cdf, arguments)[1:3])"
        )[0]

    def scores(self, X: Any, y: Any) -> np.ndarray:
        return self.python(self.call("class_separability", self.matrix(X), self.labels(y)))

    def order_decreasing(self, scores: np.ndarray) -> np.ndarray:
        self["scores"] = self._vector(scores)
        return self.value("order(scores, decreasing = TRUE)") - 1

    def set_seed(self, seed: int, sample_kind: str = "Rejection") -> None:
        """R's set.seed(); R warns of the older way to sample."""
        self.run(f"suppressWarnings(set.seed({seed}, sample.kind = '{sample_kind}'))")

    def draw(self, code: str, **vectors: Any) -> np.ndarray:
        """A draw in R from vectors of doubles, which the code calls by their names."""
        for name, values in vectors.items():
            self[name] = self._r.FloatSexpVector(np.asarray(values, np.float64).tolist())
        return np.asarray(self.value(code), np.float64)

    def stream_state(self) -> np.ndarray:
        """The position in the Mersenne Twister's words, and the words."""
        return self.value(".Random.seed")[1:].astype(np.int64).astype(np.uint32)

    def uniform(self, n: int) -> np.ndarray:
        return self.value(f"runif({n})")

    def sample(self, n: int, size: int, replace: bool) -> np.ndarray:
        """R's sample(), counted from 1 as R does."""
        drawn = self.value(f"sample({n}, {size}, {'TRUE' if replace else 'FALSE'})")
        return drawn.astype(np.int64)

    def sorted(self, labels: list[str]) -> list[str]:
        self["labels"] = self._text(labels)
        return self.value("sort(labels)")

    def collation(self) -> str:
        return self.value("icuGetCollate()")[0]

    @cached_property
    def r_version(self) -> tuple[int, ...]:
        """R's version as numbers: (4, 2, 2). What R answers may depend on it."""
        return tuple(int(part) for part in self.value("format(getRversion())")[0].split("."))

    def icu_version(self) -> int:
        """The major version of the ICU by which R sorts."""
        return int(self.value('extSoftVersion()[["ICU"]]')[0].split(".")[0])

    def version(self, package: str) -> str:
        return self.value(f'format(utils::packageVersion("{package}"))')[0]

    def versions(self) -> dict[str, str]:
        return {
            "R": ".".join(map(str, self.r_version)),
            "CDF": self.version("CDF"),
            "matrixStats": self.version("matrixStats"),
            "ICU": self.value('extSoftVersion()[["ICU"]]')[0],
            "rpy2": self.rpy2_version,
            "Python": platform.python_version(),
            "numpy": np.__version__,
        }

    @contextmanager
    def code_point_order(self) -> Iterator[None]:
        """R sorts as in the C locale inside; in ICU's root order again afterwards."""
        self.run('Sys.setlocale("LC_COLLATE", "C")')
        try:
            assert self.sorted(["control", "PD"]) == ["PD", "control"]
            assert self.collation() == "ICU not in use"
            yield
        finally:
            self.run('Sys.setlocale("LC_COLLATE", "C.UTF-8")')
            self._check_order()

    def in_c_locale(self, cases: list[Case]) -> list[Answer]:
        """The answers of a second R, started in the C locale as on a machine without locales."""
        with tempfile.TemporaryDirectory() as folder:
            self["there"] = self._text([str(Path(folder) / "cases.rds")])
            self["back"] = self._text([str(Path(folder) / "answers.rds")])
            self["cases"] = self._r.ListSexpVector(
                [self._named_list(self.arguments(case)) for case in cases]
            )
            self.run("saveRDS(list(cases = cases, paths = .libPaths()), there)")
            script = Path(folder) / "run.R"
            script.write_text(C_LOCALE_SCRIPT, encoding="ascii")
            environment = os.environ | {"LC_ALL": "C"}
            command = ["Rscript", str(script), str(TRACE), folder]
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            return [self.answer(value) for value in self.run("readRDS(back)")]

    def _named_list(self, items: dict[str, Any]) -> Any:
        return self.call("as_list", self._r.ListSexpVector(list(items.values())), self._text(items))


SETTINGS = ("ntrees", "depth", "mnode", "k", "mtry")

C_LOCALE_SCRIPT = """
given <- commandArgs(TRUE)
todo <- readRDS(file.path(given[2], "cases.rds"))
.libPaths(todo$paths)
source(given[1])
stopifnot(identical(Sys.getlocale("LC_COLLATE"), "C"))
stopifnot(identical(sort(c("control", "PD")), c("PD", "control")))
stopifnot(icuGetCollate() == "ICU not in use")
answers <- lapply(todo$cases, function(arguments) do.call(traced_cdf, arguments))
saveRDS(answers, file.path(given[2], "answers.rds"))
"""

HELPERS = """
as_matrix <- function(values, rows) { dim(values) <- c(rows, length(values) / rows); values }
as_list <- function(values, names) { names(values) <- names; values }
as_frame <- function(columns, names, rows) {
  names(columns) <- names
  structure(columns, class = "data.frame", row.names = seq_len(rows))
}
"""


def fits_r_integer(values: np.ndarray) -> bool:
    """Whether an array is R's integer matrix."""
    return (
        values.dtype.kind in "iu"
        and values.size > 0
        and int(values.max()) <= LARGEST_INTEGER
        and int(values.min()) >= -LARGEST_INTEGER
    )


@cache
def start() -> RSession:
    """The one R session of this process."""
    session = RSession()
    session.run(HELPERS)
    return session
