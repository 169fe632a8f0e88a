"""The odd inputs: what R users pass that is not quite a table of numbers with labels.

Out comes ``ODD``, a list of :class:`Odd`: which arguments of a plain call change, as R code and as
Python values.
"""

import datetime
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

RNG = np.random.default_rng(40)
Y = ["a", "b"] * 20
X = RNG.normal(size=(40, 12)) + np.outer([0.0, 1.0] * 20, [1.2] * 3 + [0] * 9)
Z = RNG.normal(size=(6, 12))
NAMES = [f"v{j}" for j in range(12)]
NA = float("nan")


@dataclass(frozen=True)
class Odd:
    """An odd input: the arguments of R's call that change, as R code, and pycdf's."""

    name: str
    r: str
    ours: dict[str, Any] = field(default_factory=dict)


def frame(values: Any, names: list[Any]) -> pd.DataFrame:
    return pd.DataFrame(values, columns=names)


def changed(values: np.ndarray, at: Any, to: float) -> np.ndarray:
    values = values.copy()
    values[at] = to
    return values


def settings() -> list[Odd]:
    """Every parameter with every odd value."""
    odd = []
    values: list[tuple[str, Any]] = [
        ("0", 0), ("-3", -3), ("1", 1), ("2.9", 2.9), ("-1.9", -1.9), ("100", 100), ("TRUE", True),
        ("FALSE", False), ('"5"', "5"), ('"5.7"', "5.7"), ('" 7 "', " 7 "), ('"0x4"', "0x4"),
        ('"1e1"', "1e1"), ('"a"', "a"), ('""', ""), ("NA", None), ("NaN", NA), ("Inf", np.inf),
        ("-Inf", -np.inf), ("3e9", 3e9), ("-3e9", -3e9), ('"5e"', "5e"), ('"0x1.8"', "0x1.8"),
        ("c(3, 9)", [3, 9]), ("c(9, 3)", (9, 3)), ("c(3, NA)", [3, None]),
        ("4L", np.int32(4)), ("4", np.float32(4)), ("numeric(0)", []),
    ]  # fmt: skip
    for name in ("ntrees", "depth", "mnode", "k", "mtry"):
        for code, value in values:
            if code == "NA":
                value = pd.NA  # None is R's NULL, below
            odd.append(Odd(f"{name} {code}", f"{name} = {code}", {name: value}))
    for name in ("ntrees", "depth", "mnode"):
        odd.append(Odd(f"{name} NULL", f"{name} = NULL", {name: None}))
    for name in ("depth", "mnode", "k", "mtry"):
        odd.append(Odd(f"{name} 2147483647.5", f"{name} = 2147483647.5", {name: 2147483647.5}))
        odd.append(Odd(f"{name} 2^31", f"{name} = 2^31", {name: 2**31}))
    odd.append(Odd("depth 50", "depth = 50", {"depth": 50}))
    odd.append(Odd("mnode 1000", "mnode = 1000", {"mnode": 1000}))
    odd.append(Odd("mtry 3.9", "mtry = 3.9", {"mtry": 3.9}))
    odd.append(Odd("k NULL is every column", "k = NULL", {"k": []}))
    odd.append(Odd("mtry NULL is every column", "mtry = NULL", {"mtry": []}))
    return odd


def seeds() -> list[Odd]:
    values: list[tuple[str, Any]] = [
        ("1.9", 1.9), ("-5.9", -5.9), ("TRUE", True), ("FALSE", False), ('"1"', "1"),
        ('"1.9"', "1.9"), ('" 1 "', " 1 "), ('"1e0"', "1e0"), ('"0x1"', "0x1"), ('"-0.5"', "-0.5"),
        ("c(1, 2)", [1, 2]), ("c(1, NA)", [1, None]), ("c(NA, 1)", [None, 1]), ("-5", -5),
        ("0", 0), ("NA", pd.NA), ("NaN", NA), ("Inf", np.inf), ('"a"', "a"), ('""', ""),
        ('"TRUE"', "TRUE"), ('"NA"', "NA"), ("3e9", 3e9), ('"3e9"', "3e9"),
        ('"1e+"', "1e+"), ('"0x1.8"', "0x1.8"), ("2^31 - 1", 2**31 - 1),
        ("2^31 - 0.5", 2**31 - 0.5), ("2^31", 2**31), ("1 - 2^31", 1 - 2**31),
        ("0.5 - 2^31", 0.5 - 2**31), ("-2^31", -(2**31)), ("integer(0)", []), ("7L", np.int64(7)),
    ]  # fmt: skip
    return [Odd(f"seed {code}", f"seed = {code}", {"seed": value}) for code, value in values]


def rows_and_columns() -> list[Odd]:
    inf, tiny = np.inf, 1e-200
    constant = changed(X, (slice(None), 3), 0.1)
    empty = changed(X, (slice(None), 4), NA)
    text = X.astype(str).astype(object)
    text[3, 2] = "word"
    mixed = X.astype(object)
    mixed[0, 0], mixed[1, 0], mixed[2, 0] = "a", True, "7"
    strange = changed(changed(changed(Z, 0, inf), 1, -inf), 2, NA)
    return [
        Odd("as it should be", ""),
        Odd("one test row", "xtest = Z[1, , drop = FALSE]", {"xtest": Z[:1]}),
        Odd("one test row, two columns", "xtest = Z[1, 1:2, drop = FALSE]", {"xtest": Z[:1, :2]}),
        Odd("p = 1", "xtrain = X[, 1, drop = FALSE]", {"xtrain": X[:, :1]}),
        Odd("p = 2", "xtrain = X[, 1:2]", {"xtrain": X[:, :2]}),
        Odd("p = 7", "xtrain = X[, 1:7]", {"xtrain": X[:, :7]}),
        Odd(
            "one usable column",
            "xtrain = cbind(X[, 1], matrix(1, 40, 11)), mtry = 2",
            {"xtrain": np.column_stack([X[:, 0], np.ones((40, 11))]), "mtry": 2},
        ),
        Odd(
            "one training row",
            'xtrain = X[1, , drop = FALSE], ytrain = "a"',
            {"xtrain": X[:1], "ytrain": ["a"]},
        ),
        Odd(
            "no training row",
            "xtrain = X[0, ], ytrain = character(0)",
            {"xtrain": X[:0], "ytrain": []},
        ),
        Odd("no training column", "xtrain = X[, 0]", {"xtrain": X[:, :0]}),
        Odd("xtrain a vector", "xtrain = X[, 1]", {"xtrain": X[:, 0]}),
        Odd("xtrain NULL", "xtrain = NULL", {"xtrain": None}),
        Odd(
            "xtrain three-dimensional",
            "xtrain = array(X, c(40, 6, 2))",
            {"xtrain": X.reshape(40, 6, 2)},
        ),
        Odd("xtest NULL", "xtest = NULL", {"xtest": None}),
        Odd("xtest a vector", "xtest = Z[, 1]", {"xtest": Z[:, 0]}),
        Odd("xtest a list of numbers", "xtest = Z[, 1]", {"xtest": Z[:, 0].tolist()}),
        Odd(
            "xtest a series", "xtest = Z[, 1]", {"xtest": pd.Series(Z[:, 0], index=list("uvwxyz"))}
        ),
        Odd("xtest a row as a vector", "xtest = Z[1, ]", {"xtest": Z[0]}),
        Odd(
            "xtest a vector of text",
            'xtest = c("0.5", "a", "-1e0")',
            {"xtest": ["0.5", "a", "-1e0"]},
        ),
        Odd(
            "xtest a vector of text with marks of exponents and points",
            'xtest = c("1e", "-2E+", "0x1p", "0x1.8", "0.3")',
            {"xtest": ["1e", "-2E+", "0x1p", "0x1.8", "0.3"]},
        ),
        Odd("xtest a vector of words", 'xtest = c("u", "v", "w")', {"xtest": ["u", "v", "w"]}),
        Odd(
            "xtest a factor",
            'xtest = factor(c("1", "-2", "b"))',
            {"xtest": pd.Series(["1", "-2", "b"], dtype="category")},
        ),
        Odd(
            "xtest dates",
            'xtest = as.Date("1970-01-01") + 0:2',
            {"xtest": [datetime.date(1970, 1, day) for day in (1, 2, 3)]},
        ),
        Odd("xtest without columns", "xtest = Z[, 0]", {"xtest": Z[:, :0]}),
        Odd("xtest with fewer columns", "xtest = Z[, 1:5]", {"xtest": Z[:, :5]}),
        Odd(
            "xtest with more columns",
            "xtest = cbind(Z, 1, 2)",
            {"xtest": np.column_stack([Z, np.full(6, 1.0), np.full(6, 2.0)])},
        ),
        Odd("a constant column", "xtrain = local({X[, 4] <- 0.1; X})", {"xtrain": constant}),
        Odd("an empty column", "xtrain = local({X[, 5] <- NA; X})", {"xtrain": empty}),
        Odd(
            "a column with one value",
            "xtrain = local({X[-1, 5] <- NA; X})",
            {"xtrain": changed(X, (slice(1, None), 4), NA)},
        ),
        Odd("all columns constant", "xtrain = 0 * X", {"xtrain": 0 * X}),
        Odd("all columns empty", "xtrain = NA * X", {"xtrain": NA * X}),
        Odd("all too large", "xtrain = 1e200 * X", {"xtrain": 1e200 * X}),
        Odd("all too small", "xtrain = 1e-200 * X", {"xtrain": tiny * X}),
        Odd(
            "one too large",
            "xtrain = local({X[, 2] <- 1e200 * X[, 2]; X})",
            {"xtrain": changed(X, (slice(None), 1), 1e200 * X[:, 1])},
        ),
        Odd(
            "overflowing sums",
            "xtrain = local({X[, 2] <- 1.7e308 * (X[, 2] > 0); X})",
            {"xtrain": changed(X, (slice(None), 1), 1.7e308 * (X[:, 1] > 0))},
        ),
        Odd(
            "Inf in training",
            "xtrain = local({X[1, 1] <- Inf; X})",
            {"xtrain": changed(X, (0, 0), inf)},
        ),
        Odd(
            "-Inf in training",
            "xtrain = local({X[1, 1] <- -Inf; X})",
            {"xtrain": changed(X, (0, 0), -inf)},
        ),
        Odd(
            "Inf in all of training",
            "xtrain = local({X[1, ] <- Inf; X})",
            {"xtrain": changed(X, 0, inf)},
        ),
        Odd(
            "Inf, -Inf and NA test rows",
            "xtest = local({Z[1, ] <- Inf; Z[2, ] <- -Inf; Z[3, ] <- NA; Z})",
            {"xtest": strange},
        ),
        Odd(
            "one Inf in a test row",
            "xtest = local({Z[1, 1] <- Inf; Z})",
            {"xtest": changed(Z, (0, 0), inf)},
        ),
        Odd(
            "integer matrix",
            "xtrain = matrix(as.integer(5 * X), 40)",
            {"xtrain": (5 * X).astype(int)},
        ),
        Odd("logical matrices", "xtrain = X > 0, xtest = Z > 0", {"xtrain": X > 0, "xtest": Z > 0}),
        Odd("matrix of text", "xtrain = local({m <- ourtext; m})", {"xtrain": text}),
        Odd(
            "matrix of cells",
            'xtrain = local({m <- X; mode(m) <- "list"; m[[1, 1]] <- "a"; '
            'm[[2, 1]] <- TRUE; m[[3, 1]] <- "7"; m})',
            {"xtrain": mixed},
        ),
        Odd(
            "matrix with a list in a cell",
            'xtrain = local({m <- X; mode(m) <- "list"; m[[1, 1]] <- list(1, 2); m})',
            {"xtrain": [[[1, 2], *X[0, 1:]], *X[1:].tolist()]},
        ),
        Odd(
            "sparse matrices",
            "xtrain = X * (X > 0), xtest = Z",
            {"xtrain": sparse.csr_matrix(X * (X > 0)), "xtest": sparse.coo_array(Z)},
        ),
    ]


def names() -> list[Odd]:
    v = 'paste0("v", 0:11)'
    twice, r_twice = ["v0", "v1", "v0", *NAMES[3:]], 'c("v0", "v1", "v0", paste0("v", 3:11))'
    order = [5, 3, 0, 1, 2, 4, 11, 10, 9, 8, 7, 6]
    shuffled, r_shuffled = [NAMES[j] for j in order], 'paste0("v", c(5, 3, 0:2, 4, 11:6))'
    moved, r_moved = [f"v{j}" for j in range(4, 16)], 'paste0("v", 4:15)'
    letters = list("abcdefghijk")
    doubles = [0.0, 1e5, *map(float, range(2, 12))]
    digits = [str(j) for j in range(11, -1, -1)]
    cases: list[tuple[str, Any, str, Any, str]] = [
        ("the same", NAMES, v, NAMES, v),
        ("shuffled", NAMES, v, shuffled, r_shuffled),
        ("of xtrain only", NAMES, v, None, ""),
        ("of xtest only", None, "", NAMES, v),
        ("disjoint", NAMES, v, [*letters, "l"], "letters[1:12]"),
        ("some missing, some extra", NAMES, v, moved, r_moved),
        ("twice in xtrain", twice, r_twice, NAMES, v),
        ("twice in xtest", NAMES, v, twice, r_twice),
        ("twice in both", twice, r_twice, twice, r_twice),
        ("numbers and text", list(range(12)), "0:11", digits, "11:0"),
        ("doubles and text", doubles, "c(0, 1e5, 2:11)", ["0", "1e+05", *range(2, 12)],
         "c(0, 1e5, 2:11)"),
        ("empty text", ["", *letters], 'c("", letters[1:11])', [*letters, ""],
         'c(letters[1:11], "")'),
    ]  # fmt: skip
    odd = []
    for name, train, r_train, test, r_test in cases:
        ours: dict[str, Any] = {}
        code = []
        if train is not None:
            ours["xtrain"] = frame(X, train)
            code.append(f"xtrain = setNames(as.data.frame(X), {r_train})")
        if test is not None:
            ours["xtest"] = frame(Z, test)
            code.append(f"xtest = setNames(as.data.frame(Z), {r_test})")
        odd.append(Odd(f"names: {name}", ", ".join(code), ours))
    return odd


def labels() -> list[Odd]:
    blanks = [" a", "b\t", "a\n", "\rb"] * 10
    nbsp = ["a", "a\u00a0"] * 20
    some = [None, *Y[1:39], ""]
    floats = [1.0, 2.5] * 20
    digits = [0.1 + 0.2, 0.3, 1 / 3, 100000.0] * 10
    return [
        Odd("labels: one class", 'ytrain = rep("a", 40)', {"ytrain": ["a"] * 40}),
        Odd("labels: none", "ytrain = rep(NA, 40)", {"ytrain": [None] * 40}),
        Odd("labels: empty text", 'ytrain = rep("", 40)', {"ytrain": [""] * 40}),
        Odd("labels: NULL", "ytrain = NULL", {"ytrain": None}),
        Odd("labels: too few", "ytrain = y[-1]", {"ytrain": Y[1:]}),
        Odd("labels: too many", 'ytrain = c(y, "a")', {"ytrain": [*Y, "a"]}),
        Odd("labels: a data frame", "ytrain = data.frame(y)", {"ytrain": pd.DataFrame({"y": Y})}),
        Odd(
            "labels: a matrix of one column",
            "ytrain = matrix(y)",
            {"ytrain": np.array(Y)[:, np.newaxis]},
        ),
        Odd(
            "labels: a factor with other levels first",
            'ytrain = factor(y, c("z", "b", "a"))',
            {"ytrain": pd.Categorical(Y, ["z", "b", "a"])},
        ),
        Odd(
            "labels: blanks", r'ytrain = rep(c(" a", "b\t", "a\n", "\rb"), 10)', {"ytrain": blanks}
        ),
        Odd("labels: no-break space", r'ytrain = rep(c("a", "a\u00a0"), 20)', {"ytrain": nbsp}),
        Odd("labels: some missing", 'ytrain = c(NA, y[2:39], "")', {"ytrain": some}),
        Odd(
            "labels: two rows left",
            'ytrain = c("a", "b", rep(NA, 38))',
            {"ytrain": ["a", "b", *[None] * 38]},
        ),
        Odd(
            "labels: integers",
            "ytrain = rep(c(100000L, 7L), 20)",
            {"ytrain": np.array([100000, 7] * 20)},
        ),
        Odd("labels: doubles", "ytrain = rep(c(1, 2.5), 20)", {"ytrain": floats}),
        Odd(
            "labels: doubles of 15 digits",
            "ytrain = rep(c(0.1 + 0.2, 0.3, 1/3, 1e5), 10)",
            {"ytrain": digits},
        ),
        Odd("labels: logicals", "ytrain = rep(c(TRUE, FALSE), 20)", {"ytrain": [True, False] * 20}),
        Odd(
            "labels: logicals with NA",
            "ytrain = rep(c(TRUE, FALSE, NA, TRUE), 10)",
            {"ytrain": pd.array([True, False, None, True] * 10, dtype="boolean")},
        ),
        Odd(
            "labels: dates",
            'ytrain = rep(as.Date("2020-01-01") + 0:1, 20)',
            {"ytrain": [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)] * 20},
        ),
        Odd(
            "labels: numbers and text are one",
            'ytrain = rep(c("1", "b", "1", "1.0"), 10)',
            {"ytrain": [1.0, "b", "1", "1.0"] * 10},
        ),
        Odd(
            'labels: the text "NaN"',
            'ytrain = rep(c("x", "NaN"), 20)',
            {"ytrain": ["x", "NaN"] * 20},
        ),
        Odd(
            'labels: the text "NaN" first',
            'ytrain = rep(c("NaN", "x", "y", "NaN"), 10)',
            {"ytrain": ["NaN", "x", "y", "NaN"] * 10},
        ),
        Odd(
            'labels: the text "NA"', 'ytrain = rep(c("x", "NA"), 20)', {"ytrain": ["x", "NA"] * 20}
        ),
        Odd("labels: a class with one row", 'ytrain = c("z", y[-1])', {"ytrain": ["z", *Y[1:]]}),
        Odd("labels: every row its own", "ytrain = 1:40", {"ytrain": np.arange(1, 41)}),
    ]


ODD = [*settings(), *seeds(), *rows_and_columns(), *names(), *labels()]
