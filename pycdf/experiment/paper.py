"""The paper's figures, and our means beside them.

In go tidy results and the shapes of the data sets; out comes one row per data set, method and
measure with our mean, its standard error, the paper's figure, and a verdict. ``paper.csv`` has the
figures of Ali, Khan and Aldahmani, *Centroid Decision Forest* (2025, arXiv:2503.19306): its tables
of data sets, of accuracy and of Cohen's kappa.

The rule. The paper's figure is itself a mean over 500 random splits, printed with three digits, and
its spread is not told. If method and data are the same, a split is as variable there as here, so
that the difference of the two means has the standard error

    sqrt(sd^2 / splits + sd^2 / 500 + 0.001^2 / 12)

with the standard deviation ``sd`` of our splits, and a rounding error for the last term. Within
two of these a figure "agrees". About one true agreement in twenty falls outside by chance, but none
of sixteen (eight data sets, two measures) should be outside three: within three, or within 0.02,
the figure is "close", and beyond that it "differs". Fewer than ten splits tell their own spread too
badly for a verdict.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

from pycdf.experiment.data import DataSet
from pycdf.experiment.tables import markdown_lines, number

METHODS = ("CDF", "CART", "RF", "RRF", "XGB", "kNN", "RkNN", "SVM")
MEASURES = ("accuracy", "kappa")
SPLITS = 500
CLOSE = 0.02
FEWEST = 10  # splits: of two that agree by chance the spread is zero, and everything "differs"
_ROUNDING = 0.001**2 / 12  # the variance of what rounding to three digits takes away
_AGREE, _NEAR = 2.0, 3.0  # standard errors
AGREES, IS_CLOSE, DIFFERS, UNKNOWN = "agrees", "close", "differs", "too few splits"


@dataclass(frozen=True)
class PaperSet:
    """A data set of the paper."""

    id: str
    name: str
    n: int
    p: int
    class_sizes: tuple[int, ...]
    figures: Mapping[tuple[str, str], float]
    """By measure and method."""


@cache
def paper_sets() -> tuple[PaperSet, ...]:
    """The paper's 23 data sets with its figures for eight methods."""
    text = files(__package__).joinpath("paper.csv").read_text()
    return tuple(
        PaperSet(
            id=row["id"],
            name=row["name"],
            n=int(row["n"]),
            p=int(row["p"]),
            class_sizes=tuple(int(size) for size in row["class_sizes"].split("/")),
            figures={
                (measure, method): float(row[f"{measure}_{method}"])
                for measure in MEASURES
                for method in METHODS
            },
        )
        for row in csv.DictReader(text.splitlines())
    )


def recognise(data: DataSet) -> PaperSet | None:
    """The paper's data set with as many rows, columns, and rows of each class, whatever its name.

    One column less than in the paper's table will do: for DBWB it seems to count the label.
    """
    n, p = data.X.shape
    sizes = sorted(data.class_sizes.values())
    near = [one for one in paper_sets() if one.n == n and sorted(one.class_sizes) == sizes]
    for counted in (p, p + 1):
        for one in near:
            if one.p == counted:
                return one
    return None


def check(
    results: pd.DataFrame, known: Mapping[str, PaperSet], methods: Sequence[str]
) -> pd.DataFrame:
    """Our means beside the paper's figures.

    ``known``: the paper's data set for a data set's name; ``methods``: names, matched to the
    paper's without regard to case.
    """
    titles = {title.lower(): title for title in METHODS}
    rows = []
    for measure in MEASURES:
        for name, paper in known.items():
            for method in methods:
                if method.lower() not in titles:
                    continue
                mine = results[(results["data"] == name) & (results["method"] == method)]
                values = mine[measure].dropna().to_numpy()
                if len(values):
                    title = titles[method.lower()]
                    figure = paper.figures[measure, title]
                    told = {"measure": measure, "data": name, "id": paper.id, "method": title}
                    rows.append(told | _compared(values, figure))
    return pd.DataFrame(rows, columns=_COLUMNS)


_COLUMNS = [
    "measure", "data", "id", "method", "splits", "mean", "se", "paper", "difference",
    "difference_se", "verdict",
]  # fmt: skip


def _compared(values: Any, figure: float) -> dict[str, Any]:
    splits = len(values)
    sd = float(np.std(values, ddof=1)) if splits > 1 else float("nan")
    difference = float(values.mean()) - figure
    spread = float(np.sqrt(sd**2 / splits + sd**2 / SPLITS + _ROUNDING))
    return {
        "splits": splits,
        "mean": float(values.mean()),
        "se": sd / float(np.sqrt(splits)),
        "paper": figure,
        "difference": difference,
        "difference_se": spread,
        "verdict": verdict(difference, spread) if splits >= FEWEST else UNKNOWN,
    }


def verdict(difference: float, spread: float) -> str:
    """By the rule above."""
    if abs(difference) <= _AGREE * spread:
        return AGREES
    return IS_CLOSE if abs(difference) <= max(CLOSE, _NEAR * spread) else DIFFERS


def markdown(checked: pd.DataFrame, measure: str) -> str:
    """The rows of one measure as a Markdown table."""
    body = [
        [
            f"{row['id']} {row['data']}", row["method"], str(row["splits"]), f"{row['mean']:.4f}",
            f"{row['se']:.4f}", f"{row['paper']:.3f}", f"{row['difference']:+.4f}",
            f"{row['difference_se']:.4f}", row["verdict"],
        ]
        for _, row in checked[checked["measure"] == measure].iterrows()
    ]  # fmt: skip
    header = [
        "Data set", "Method", "Splits", "Mean", "s.e.", "Paper", "Difference", "its s.e.",
        "Verdict",
    ]  # fmt: skip
    return markdown_lines(header, body)


def overview(checked: pd.DataFrame, measure: str) -> str:
    """Our means and the paper's figures as one Markdown table: data sets x methods."""
    rows = checked[checked["measure"] == measure].to_dict("records")
    cells = {
        (row["data"], row["method"]): f"{number(row['mean'])} ({number(row['paper'])})"
        + {IS_CLOSE: " ~", DIFFERS: " !", UNKNOWN: " ?"}.get(row["verdict"], "")
        for row in rows
    }
    sets = {row["data"]: f"{row['id']} {row['data']}" for row in rows}
    methods = list(dict.fromkeys(row["method"] for row in rows))
    body = [
        [shown, *(cells.get((name, method), "") for method in methods)]
        for name, shown in sets.items()
    ]
    unknown = f", ? {UNKNOWN}" if any(row["verdict"] == UNKNOWN for row in rows) else ""
    return (
        markdown_lines(["Data set", *methods], body)
        + f"\nIn brackets: the paper. ~ {IS_CLOSE}, ! {DIFFERS}{unknown}, no mark: {AGREES}.\n"
    )


def verdict_counts(checked: pd.DataFrame) -> str:
    """How many figures agree: a sentence."""
    counts = checked["verdict"].value_counts()
    kinds = [kind for kind in (AGREES, IS_CLOSE, DIFFERS, UNKNOWN) if kind in counts]
    return f"{len(checked)} figures: " + ", ".join(f"{kind} {counts[kind]}" for kind in kinds)
