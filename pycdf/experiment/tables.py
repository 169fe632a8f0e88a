"""Tables of means as in the paper: data sets x methods, with the best of each row in bold.

:func:`table` builds a :class:`Table`, and :func:`markdown` formats it; LaTeX is in
:mod:`pycdf.experiment.latex`. Means are compared as printed: numbers that look equal share the win.
Averages and wins are over the data sets on which every method has a mean.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.experiment.measures import MEASURES, SMALL_IS_GOOD
from pycdf.experiment.resampled import share_of_test_rows
from pycdf.support.overview import Overview, Overviewed
from pycdf.support.wording import brief, one_line, shown
from pycdf.validation import Interval, interval

DIGITS = 3
_NONE = "–"
_STAR = "\\*"  # in Markdown
Spread = Literal["none", "sd", "interval"]
SPREADS: dict[Spread, str] = {
    "none": "",
    "sd": " The second number is the standard deviation over the splits.",
    "interval": " Numbers in brackets are 95 % intervals of the means, with the standard error of "
    "Nadeau and Bengio (2003), because splits overlap.",
}
"""What can stand beside a mean, and what captions say about it."""


@dataclass(frozen=True, eq=False, repr=False)
class Table(Overviewed):
    """The means of one measure."""

    measure: str
    means: pd.DataFrame
    """Data sets x titles of methods; NaN if a method has no result."""
    fewer: pd.DataFrame
    """Whether a mean is over fewer splits than others in its row, because some failed."""
    sds: pd.DataFrame
    """Standard deviations over the splits; NaN for a single split."""
    lows: pd.DataFrame
    """Lower ends of 95 % intervals of the means, corrected because splits overlap."""
    highs: pd.DataFrame
    """Upper ends."""

    @property
    def printed(self) -> pd.DataFrame:
        """The means as they are printed."""
        return self.means.map(rounded)

    @property
    def best(self) -> pd.DataFrame:
        """Which means are the best of their rows, as printed; none in a row with a single mean."""
        contested = (self.means.notna().sum(axis=1) > 1).to_numpy()
        return _best(self.printed, self.measure) & contested[:, np.newaxis]

    @property
    def complete(self) -> npt.NDArray[np.bool_]:
        """The rows in which every method has a mean, ignoring methods without any mean."""
        return self.means.dropna(axis=1, how="all").notna().all(axis=1).to_numpy()

    @property
    def averages(self) -> pd.Series:
        """The average of each method over the complete rows; NaN for one without any mean."""
        return self.means[self.complete].mean()

    @property
    def wins(self) -> pd.Series:
        """How often each method is best, ties included, over the complete rows."""
        return self.best[self.complete].sum()

    def spread(self, kind: Spread) -> pd.DataFrame | None:
        """The spread of each mean as text: ``0.041``, or ``[0.801, 0.949]``."""
        if kind not in SPREADS:
            raise ValueError(f"spread is {shown(kind)}: pass one of {', '.join(SPREADS)}.")
        if kind == "none":
            return None
        if kind == "sd":
            return self.sds.map(number)
        return "[" + self.lows.map(number) + ", " + self.highs.map(number) + "]"

    def _overview(self) -> Overview:
        lines, _ = cells(self, "{} *", " †")
        facts = {"*": "the best of its row"} if self.means.shape[1] > 1 else {}
        if self.fewer.to_numpy().any():
            facts["†"] = fewer_splits(self.measure)
        return Overview(
            f"{MEASURES[self.measure]}: means over the splits",
            facts,
            ["data set", *map(brief, self.means.columns)],
            [[brief(name), *cells] for name, *cells in lines],
        )


def _best(printed: pd.DataFrame, measure: str) -> pd.DataFrame:
    lines = printed.min(axis=1) if measure in SMALL_IS_GOOD else printed.max(axis=1)
    return printed.eq(lines, axis=0)


def table(
    results: pd.DataFrame, measure: str, data: Sequence[str], methods: dict[str, str]
) -> Table:
    """The means of a measure; ``methods`` maps names to titles, in the order of the columns."""
    groups = results.dropna(subset=[measure]).groupby(["data", "method"])
    found = {
        key: interval(rows[measure].tolist(), measure, share_of_test_rows(rows))
        for key, rows in groups
    }
    means, sds, lows, highs, counts = (
        pd.DataFrame(
            [[getattr(found.get((name, one)), part, np.nan) for one in methods] for name in data],
            index=pd.Index(data, name="data"),
            columns=pd.Index(methods.values()),
            dtype=np.float64,
        )
        for part in Interval._fields
    )
    return Table(measure, means, counts.lt(counts.max(axis=1), axis=0), sds, lows, highs)


def cells(
    table: Table, bold: str, starred: str, beside: str = "", spread: Spread = "none"
) -> tuple[list[list[str]], list[bool]]:
    """All lines below the header as text, and whether each has a rule above it.

    ``bold``, ``starred`` and ``beside`` are the marks of the best mean, of one over fewer splits,
    and the form of the spread behind a mean.
    """
    printed, best, fewer = table.printed, table.best, table.fewer
    spreads = table.spread(spread)
    lines = []
    for row in range(len(printed)):
        line = [str(printed.index[row])]
        for column in range(printed.shape[1]):
            text = number(printed.to_numpy()[row, column])
            if best.iat[row, column]:
                text = bold.format(text)
            text += starred if fewer.iat[row, column] else ""
            if spreads is not None and not np.isnan(printed.to_numpy()[row, column]):
                text += beside.format(spreads.iat[row, column])
            line.append(text)
        lines.append(line)
    rules = [False] * len(lines)
    if table.complete.any():
        of = "" if table.complete.all() else f" of {int(table.complete.sum())} rows"
        averages = table.averages.map(rounded)
        several = bool(averages.notna().sum() > 1)
        top = _best(averages.to_frame().T, table.measure).iloc[0] & several
        cells = [
            bold.format(number(value)) if is_top else number(value)
            for value, is_top in zip(averages, top, strict=True)
        ]
        lines.append([f"Average{of}", *cells])
        lines += [[f"Wins{of}", *(str(int(count)) for count in table.wins)]] * several
        rules += [True, False][: 1 + several]
    return lines, rules


def rounded(value: float) -> float:
    """A mean as printed. The first rounding removes differences due to the order of summation."""
    return round(round(float(value), 12), DIGITS)


def number(value: float) -> str:
    """A mean as text."""
    return _NONE if np.isnan(value) else f"{rounded(value):.{DIGITS}f}"


def markdown(table: Table, names: dict[str, str] | None = None, spread: Spread = "none") -> str:
    """The table in Markdown, with aligned columns; ``names`` maps data sets to other names."""
    beside = {"sd": " ± {}", "interval": " {}"}.get(spread, "")
    lines, _ = cells(table, "**{}**", _STAR, beside, spread)
    header = ["Data set", *table.means.columns]
    body = [[cell((names or {}).get(line[0], line[0])), *line[1:]] for line in lines]
    text = markdown_lines([cell(each) for each in header], body)
    if table.fewer.to_numpy().any():
        text += f"\n{_STAR} {fewer_splits(table.measure)}.\n"
    return text


def fewer_splits(measure: str) -> str:
    """The footnote on means of which some splits are missing."""
    or_none = ", or kappa is undefined because all rows and predictions are of one class"
    why = f"some failed{or_none if measure == 'kappa' else ''}"
    return f"Mean over fewer splits than other methods: {why}"


def markdown_lines(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Cells as a Markdown table, with the first column aligned left and the others right."""
    widths = [max(3, *(len(line[j]) for line in [header, *body])) for j in range(len(header))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]

    def row(cells: Sequence[str]) -> str:
        first, *others = cells
        padded = [first.ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        return "| " + " | ".join(padded) + " |\n"

    return row(header) + row(rule) + "".join(row(line) for line in body)


def cell(name: Any) -> str:
    """A name as a cell of a Markdown table."""
    return one_line(name).replace("|", "\\|")


def caption(measure: str, made: Mapping[str, Any], spread: Spread = "none") -> str:
    """The caption of a table of the run that the manifest ``made`` describes."""
    text = (
        f"{MEASURES[measure]}: means over {how_split(made)}; methods "
        f"{how_tuned(made)}{how_scaled(made)}. The best of each row is bold."
    )
    return text + SPREADS[spread]


def how_split(made: Mapping[str, Any]) -> str:
    """In words, how many splits of which kind a run has."""
    one = made["splits"] == 1
    kind = re.sub("^(random split|fold)s", r"\1", made["splitting"]) if one else made["splitting"]
    return f"{made['splits']:,} {kind}"


def how_tuned(made: Mapping[str, Any]) -> str:
    """In words, which methods of a run were tuned."""
    cross = "tuned by 10-fold cross-validation"
    usual = cross if made["tuned"] else "with default parameters"
    others = [
        brief(one["title"])
        for one in made["methods"].values()
        if bool(one.get("tuning")) != made["tuned"]
    ]
    why = "without parameters to tune" if made["tuned"] else cross
    return f"{usual} (except {', '.join(others)}, {why})" if others else usual


def how_scaled(made: Mapping[str, Any]) -> str:
    """In words, which methods of a run scaled the features; empty if none did."""
    scaled = [brief(one["title"]) for one in made["methods"].values() if "scaling" in one]
    if not scaled:
        return ""
    which = "all" if len(scaled) == len(made["methods"]) else ", ".join(scaled)
    return f"; features standardised by the training rows for {which}"
