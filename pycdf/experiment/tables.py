"""Tables of means as in the paper: data sets x methods, with the best of each row in bold.

:func:`table` builds a :class:`Table`, and :func:`markdown` and :func:`latex` format it. Means are
compared as printed: numbers that look equal share the win. Averages and wins are over the data sets
on which every method has a mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.experiment.measures import MEASURES, SMALL_IS_GOOD
from pycdf.support.wording import one_line

DIGITS = 3
_NONE = "–"
_STAR = "\\*"  # in Markdown
_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
    **{character: "\\" + character for character in "&%$#_{}"},
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Table:
    """The means of one measure."""

    measure: str
    means: pd.DataFrame
    """Data sets x titles of methods; NaN if a method has no result."""
    fewer: pd.DataFrame
    """Whether a mean is over fewer splits than others in its row, because some failed."""

    @property
    def printed(self) -> pd.DataFrame:
        """The means as they are printed."""
        return self.means.map(rounded)

    @property
    def best(self) -> pd.DataFrame:
        """Which means are the best of their rows, as printed; none if there is only one method."""
        return _best(self.printed, self.measure) & (self.means.shape[1] > 1)

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


def _best(printed: pd.DataFrame, measure: str) -> pd.DataFrame:
    lines = printed.min(axis=1) if measure in SMALL_IS_GOOD else printed.max(axis=1)
    return printed.eq(lines, axis=0)


def table(
    results: pd.DataFrame, measure: str, data: Sequence[str], methods: dict[str, str]
) -> Table:
    """The means of a measure; ``methods`` maps names to titles, in the order of the columns."""
    groups = results.dropna(subset=[measure]).groupby(["data", "method"])[measure]
    means, counts = (
        one.unstack("method").reindex(index=list(data), columns=list(methods))
        for one in (groups.mean(), groups.size())
    )
    for one in (means, counts):
        one.columns = pd.Index(methods.values())
        one.index.name = "data"
    return Table(measure, means, counts.lt(counts.max(axis=1), axis=0))


def _cells(shown: Table, bold: str, starred: str) -> tuple[list[list[str]], list[bool]]:
    """All lines below the header as text, and whether each has a rule above it."""
    printed, best, fewer = shown.printed, shown.best, shown.fewer
    lines = []
    for row in range(len(printed)):
        line = [str(printed.index[row])]
        for column in range(printed.shape[1]):
            text = number(printed.to_numpy()[row, column])
            if best.iat[row, column]:
                text = bold.format(text)
            line.append(text + (starred if fewer.iat[row, column] else ""))
        lines.append(line)
    rules = [False] * len(lines)
    if shown.complete.any():
        of = "" if shown.complete.all() else f" of {int(shown.complete.sum())} rows"
        averages = shown.averages.map(rounded)
        several = len(averages) > 1
        top = _best(averages.to_frame().T, shown.measure).iloc[0] & several
        cells = [
            bold.format(number(value)) if is_top else number(value)
            for value, is_top in zip(averages, top, strict=True)
        ]
        lines.append([f"Average{of}", *cells])
        lines += [[f"Wins{of}", *(str(int(count)) for count in shown.wins)]] * several
        rules += [True, False][: 1 + several]
    return lines, rules


def rounded(value: float) -> float:
    """A mean as printed. The first rounding removes differences due to the order of summation."""
    return round(round(float(value), 12), DIGITS)


def number(value: float) -> str:
    """A mean as text."""
    return _NONE if np.isnan(value) else f"{rounded(value):.{DIGITS}f}"


def markdown(shown: Table, names: dict[str, str] | None = None) -> str:
    """The table in Markdown, with aligned columns; ``names`` maps data sets to other names."""
    lines, _ = _cells(shown, "**{}**", _STAR)
    header = ["Data set", *shown.means.columns]
    body = [[cell((names or {}).get(line[0], line[0])), *line[1:]] for line in lines]
    text = markdown_lines([cell(each) for each in header], body)
    if shown.fewer.to_numpy().any():
        text += f"\n{_starred(shown.measure, _STAR)}\n"
    return text


def _starred(measure: str, star: str) -> str:
    """The footnote on means with a star."""
    or_none = ", or kappa is undefined because all rows and predictions are of one class"
    why = f"some failed{or_none if measure == 'kappa' else ''}"
    return f"{star} Mean over fewer splits than other methods: {why}."


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


def latex(shown: Table, caption: str, names: dict[str, str] | None = None) -> str:
    """The table in LaTeX, as in the paper: ``tabular`` in ``table``, without extra packages."""
    lines, rules = _cells(shown, r"\textbf{{{}}}", "$^{*}$")
    columns = shown.means.shape[1]
    header = " & ".join(["Data set", *(escape(str(title)) for title in shown.means.columns)])
    rows = []
    for line, rule in zip(lines, rules, strict=True):
        name = escape((names or {}).get(line[0], line[0]))
        cells = [each.replace(_NONE, "--") for each in line[1:]]
        rows.append(("\\hline\n" if rule else "") + " & ".join([name, *cells]) + r" \\")
    note = ""
    if shown.fewer.to_numpy().any():
        text = _starred(shown.measure, "$^{*}$")
        note = f"\\multicolumn{{{columns + 1}}}{{l}}{{\\footnotesize {text}}}\n"
    return (
        "\\begin{table}\n\\centering\n"
        f"\\caption{{{escape(caption)}}}\n"
        f"\\label{{tab:{shown.measure.replace('_', '-')}}}\n"
        f"\\begin{{tabular}}{{l{'c' * columns}}}\n\\hline\n{header} \\\\\n\\hline\n"
        + "\n".join(rows)
        + f"\n\\hline\n{note}\\end{{tabular}}\n\\end{{table}}\n"
    )


def escape(text: str) -> str:
    """Escape text for LaTeX; control characters and the like become visible."""
    return "".join(_SPECIAL.get(character, character) for character in one_line(text))


def caption(measure: str, splits: int, tuned: bool) -> str:
    """The caption of a table."""
    how = "tuned by 10-fold cross-validation" if tuned else "with default parameters"
    return (
        f"{MEASURES[measure]}: means over {splits} random splits into 70 % training and 30 % "
        f"test rows; methods {how}. The best of each row is bold."
    )
