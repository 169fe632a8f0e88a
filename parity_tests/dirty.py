"""Random dirty frames: every column type, text that is no number, gaps, other columns in test.

A dirty case is made from its number alone: ``PYCDF_DIRTY=1234 nox -s parity -- -k dirty`` makes one
again. Where an older R reads a text otherwise, pycdf gets the text that it reads so (r_changes.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from .bridge import RSession
from .frames import SPELLINGS, Cells, cells_today, pandas_frame, polars_frame, r_column, r_frame
from .r_changes import Version

SEED = 4097
NUMBERS = [
    "inf",
    "-Inf",
    "1e",
    "2E+",
    "0x1A",
    "0x1.8",
    "0x1p",
    " 7 ",
    "1e400",
    "-.5",
    "1e-320",
    "+3",
    "0x1p-2",
    "5\t",
    "1E5",
]
WORDS = [
    "1_000",
    "a",
    "",
    "NA",
    "1,5",
    "NaN",
    "TRUE",
    "1d2",
    "--1",
    "é",
    "1 2",
    "P001",
    "nan",
    "1L",
]
Draw = np.random.Generator


@dataclass(frozen=True)
class Dirty:
    """One call on both sides; R's tables are made when R is there."""

    name: str
    xtrain: Any
    ytrain: Any
    xtest: Any
    settings: dict[str, int]
    arguments: Callable[[RSession], Any]
    kinds: frozenset[str]
    by_older_rule: bool
    """Whether pycdf's tables are not R's, because this R reads some of their texts otherwise."""


def cells(rng: Draw, name: Any, kind: str, latent: np.ndarray, gaps: float) -> Cells:
    """A column of a kind that follows the latent numbers, with gaps and, in text, dirt."""
    match kind:
        case "double":
            values: list[Any] = np.round(latent, int(rng.integers(0, 17))).tolist()
        case "integer":
            values = np.round(latent * 10 ** rng.integers(0, 4)).astype(int).tolist()
        case "date":  # up to the years that Python has
            days = np.round(latent * 10 ** rng.integers(0, 4))
            values = np.clip(days, -700000, 700000).astype(int).tolist()
        case "logical":
            values = (latent > 0).tolist()
        case "moment":
            micros = np.round(latent * 10.0 ** rng.integers(0, 15))
            values = np.clip(micros, -9e15, 9e15).astype(int).tolist()
        case _:
            values = _texts(rng, latent, kind)
    missing = rng.random(len(values)) < gaps
    return Cells(name, kind, [None if m else v for m, v in zip(missing, values, strict=True)])


def _texts(rng: Draw, latent: np.ndarray, kind: str) -> list[str]:
    digits = 1 if kind == "factor" else int(rng.integers(1, 18))
    texts = [f"{value:.{digits}g}" for value in latent.tolist()]
    dirt = rng.choice([0.0, 0.0, 0.1, 0.5, 1.0], p=[0.3, 0.2, 0.3, 0.15, 0.05])
    pool = WORDS if rng.random() < 0.7 else WORDS + NUMBERS
    return [str(rng.choice(pool)) if rng.random() < dirt else text for text in texts]


def labels(rng: Draw, codes: np.ndarray) -> tuple[Any, Cells]:
    """Labels in one of many types, some of them missing, for both sides."""
    kind = str(rng.choice(["text", "text", "factor", "integer", "double", "logical", "date"]))
    k = int(codes.max()) + 1
    pool: list[Any] = {
        "text": ["PD", "control", " a ", "a", "B\t", "b", "1", "10", "NaN", "NA", "é", "t2"],
        "factor": ["z", "Y", "x", "W", "1", "01", "aB", "Ab", "n", "m", "l", "k"],
        "integer": [100000, 7, -3, 0, 2**31 - 1, 12, 1, 2, 3, 4, 5, 6],
        "double": [0.1 + 0.2, 0.5, 1e5, 1 / 3, 1e15, 123456.7, 1e-5, -2.0, 3.0, 1e22, 0.3, 7.25],
        "logical": [True, False] * 6,
        "date": [0, 18262, -1, 20000, 1, 2, 3, 4, 5, 6, 7, 8],
    }[kind]
    pool = [pool[i] for i in rng.permutation(len(pool))] if kind != "logical" else pool
    gaps = rng.choice([0.0, 0.05, 0.2], p=[0.6, 0.25, 0.15])
    values = [None if rng.random() < gaps else pool[code] for code in codes.tolist()]
    if kind == "text" and rng.random() < 0.2:
        values[int(rng.integers(len(values)))] = str(rng.choice(["", " ", "\t\n"]))
    column = Cells("y", kind, values)
    if k > 2 and kind == "logical":
        column = Cells("y", kind, [None if v is None else bool(v) for v in values])
    spellings = [s for s in SPELLINGS[kind] if kind != "integer" or s != "float64"]
    series = pandas_frame([column], [str(rng.choice(spellings))], len(values)).iloc[:, 0]
    how = rng.random()
    if how < 0.3 and kind in ("text", "factor", "logical", "integer"):
        return list(values), column
    if how < 0.4 and kind == "text":
        return pl.Series("y", values, dtype=pl.String), column
    return series, column


def dirty_case(number: int, version: Version) -> Dirty:
    """The case with this number, for R of a version."""
    rng = np.random.default_rng([SEED, number])
    n, m = int(rng.integers(6, 40)), int(rng.choice([1, 2, 3, 6], p=[0.06, 0.24, 0.4, 0.3]))
    p, k = int(rng.integers(1, 14)), int(rng.choice([2, 3, 5], p=[0.6, 0.25, 0.15]))
    codes = np.concatenate([np.arange(k), rng.integers(0, k, n - min(k, n))])[:n]
    codes = rng.permutation(codes)
    latent = rng.normal(size=(n + m, p)) * rng.choice([1.0, 5.0, 300.0], size=p)
    latent[:n] += codes[:, np.newaxis] * rng.normal(size=p) * 2
    latent[:, rng.random(p) < 0.06] = 3.0
    gaps = rng.choice([0.0, 0.05, 0.3], size=p)
    gaps[rng.random(p) < 0.03] = 1.0
    kinds = [str(kind) for kind in rng.choice(list(SPELLINGS), size=p)]
    names: list[Any] = [f"v{j}" for j in range(p)]
    if p > 2 and rng.random() < 0.1:
        names[2] = names[0]
    if rng.random() < 0.1:
        names = list(range(p))
    train = [cells(rng, names[j], kinds[j], latent[:n, j], gaps[j]) for j in range(p)]
    test = []
    for j in range(p):
        kind = kinds[j] if rng.random() < 0.8 else str(rng.choice(list(SPELLINGS)))
        test.append(cells(rng, names[j], kind, latent[n:, j], gaps[j] / 2))
    how = rng.random()
    if how < 0.3:
        test = [test[j] for j in rng.permutation(p)[: rng.integers(0 if p > 1 else 1, p + 1)]]
        test = test or [cells(rng, "other", "double", latent[n:, 0], 0.0)]
    if how < 0.15 or how > 0.9:
        test.append(cells(rng, "extra", "text", latent[n:, 0], 0.0))
    settings = {"ntrees": int(rng.integers(1, 6)), "seed": int(rng.integers(1, 2**31))}
    if rng.random() < 0.8:
        settings["mtry"] = int(rng.integers(1, p + 4))
    if rng.random() < 0.3:
        settings |= {"depth": int(rng.integers(0, 6)), "mnode": int(rng.integers(0, 6))}
    ytrain, label_column = labels(rng, codes)
    xtrain, r_train, one = container(rng, train, n, version)
    xtest, r_test, other = container(rng, test, m, version)

    def arguments(r: RSession) -> Any:
        given = {"xtrain": r_train(r), "ytrain": r_column(r, label_column), "xtest": r_test(r)}
        return r._named_list(given | {name: r._number(v) for name, v in settings.items()})

    met = {f"{column.kind} column" for column in train}
    met |= {one, other, f"{label_column.kind} labels"}
    return Dirty(
        name=f"dirty case {number}",
        xtrain=xtrain,
        ytrain=ytrain,
        xtest=xtest,
        settings=settings,
        arguments=arguments,
        kinds=frozenset(met),
        by_older_rule=cells_today(version, train + test) != train + test,
    )


def container(
    rng: Draw, columns: list[Cells], rows: int, version: Version
) -> tuple[Any, Callable[[Any], Any], str]:
    """The columns in a frame, or in an array without names, on both sides."""
    draw = rng.random()
    ours = cells_today(version, columns)
    kinds = {column.kind for column in columns}
    if draw < 0.25 and (kinds <= {"text", "factor"} or kinds <= {"double"}):
        return _array(columns, ours, rows)
    if draw < 0.5 and len({str(column.name) for column in columns}) == len(columns):
        return polars_frame(ours), lambda r: r_frame(r, columns, rows), "polars frame"
    spellings = [str(rng.choice(SPELLINGS[column.kind])) for column in columns]
    frame = pandas_frame(ours, spellings, rows)
    return frame, lambda r: r_frame(r, columns, rows), "pandas frame"


def _array(
    columns: list[Cells], ours: list[Cells], rows: int
) -> tuple[Any, Callable[[Any], Any], str]:
    """An array of doubles or of text; R's matrix of the same."""
    kind = "double" if columns[0].kind == "double" else "text"
    whole = Cells("", kind, [value for column in columns for value in column.values])

    def matrix(r: RSession) -> Any:
        return r.call("as_matrix", r_column(r, whole), r._number(rows))

    flat = [value for column in ours for value in column.values]
    array = np.array(flat, dtype=float if kind == "double" else object)
    return array.reshape((rows, len(columns)), order="F"), matrix, f"array of {kind}"
