"""Compare our means with the paper's figures.

:func:`check` gives one row per data set, method and measure, with our mean, its standard error, the
paper's figure, and a verdict. ``paper.csv`` has the figures of Ali, Khan and Aldahmani, *Centroid
Decision Forest* (2025, arXiv:2503.19306): its tables of data sets, accuracy and Cohen's kappa.

How the verdict is reached: the paper's figure is itself a mean over 500 random splits, printed with
three digits; its spread is not reported. If method and data are the same, the splits there vary as
much as ours, and the difference of the two means has the standard error

    sqrt(sd^2 / splits + sd^2 / 500 + 0.001^2 / 12)

where ``sd`` is the standard deviation over our splits and the last term is the rounding error. A
figure "agrees" if it is within two standard errors. About one true agreement in twenty falls
outside by chance, but of sixteen (eight data sets, two measures) none should fall outside three: a
figure within three standard errors, or within 0.02, is "close", and beyond that it "differs". With
fewer than ten splits, ``sd`` is too uncertain for a verdict.
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
from pycdf.experiment.tables import cell, markdown_lines, number

METHODS = ("CDF", "CART", "RF", "RRF", "XGB", "kNN", "RkNN", "SVM")
MEASURES = ("accuracy", "kappa")
SPLITS = 500
CLOSE = 0.02
FEWEST = 10  # splits: if two are equal by chance, the sd is zero and everything "differs"
_ROUNDING = 0.001**2 / 12  # the variance of the error from rounding to three digits
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
    """The paper's means by measure and method."""


@cache
def paper_sets() -> tuple[PaperSet, ...]:
    """The paper's 23 data sets, with its figures for eight methods."""
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
    """The paper's data set with the same numbers of rows, columns and rows per class, or None.

    Names are ignored. One column fewer than in the paper's table is accepted, too: for DBWB the
    paper seems to count the label column.
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
    results: pd.DataFrame, paper_data: Mapping[str, PaperSet], methods: Sequence[str]
) -> pd.DataFrame:
    """Our means and the paper's figures, with verdicts.

    ``paper_data`` maps the names of our data sets to the paper's; ``methods`` are names, matched to
    the paper's regardless of case.
    """
    titles = {title.lower(): title for title in METHODS}
    rows = []
    for measure in MEASURES:
        for name, paper in paper_data.items():
            for method in methods:
                if method.lower() not in titles:
                    continue
                mine = results[(results["data"] == name) & (results["method"] == method)]
                values = mine[measure].dropna().to_numpy()
                if len(values):
                    title = titles[method.lower()]
                    figure = paper.figures[measure, title]
                    keys = {"measure": measure, "data": name, "id": paper.id, "method": title}
                    rows.append(keys | _compared(values, figure))
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
    """The verdict on a difference with standard error ``spread`` (see the module's docstring)."""
    if abs(difference) <= _AGREE * spread:
        return AGREES
    return IS_CLOSE if abs(difference) <= max(CLOSE, _NEAR * spread) else DIFFERS


def markdown(checked: pd.DataFrame, measure: str) -> str:
    """The rows of one measure as a Markdown table."""
    body = [
        [
            cell(f"{row['id']} {row['data']}"), row["method"], str(row["splits"]),
            f"{row['mean']:.4f}",
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
    sets = {row["data"]: cell(f"{row['id']} {row['data']}") for row in rows}
    methods = list(dict.fromkeys(row["method"] for row in rows))
    body = [
        [shown, *(cells.get((name, method), "") for method in methods)]
        for name, shown in sets.items()
    ]
    unknown = f", ? {UNKNOWN}" if any(row["verdict"] == UNKNOWN for row in rows) else ""
    return (
        markdown_lines(["Data set", *methods], body)
        + f"\nThe paper's figures in brackets. ~ {IS_CLOSE}, ! {DIFFERS}{unknown}, no mark: "
        f"{AGREES}.\n"
    )


def figures_of(checked: pd.DataFrame, measure: str) -> dict[tuple[str, str], float] | None:
    """The paper's figures by the names of data sets and methods here; None if there are none."""
    rows = checked[checked["measure"] == measure].to_dict("records")
    figures = {(row["data"], row["method"].lower()): float(row["paper"]) for row in rows}
    return figures or None


def verdict_counts(checked: pd.DataFrame) -> str:
    """How many figures agree, are close, and differ, in one line."""
    counts = checked["verdict"].value_counts()
    kinds = [kind for kind in (AGREES, IS_CLOSE, DIFFERS, UNKNOWN) if kind in counts]
    return f"{len(checked)} figures: " + ", ".join(f"{kind} {counts[kind]}" for kind in kinds)
