"""Tables in the paper's form: rows are data sets, columns are methods, the best of a row is bold.

In go tidy results (one row per data set, method and split); out come a :class:`Table` of means, and
its Markdown and LaTeX. What counts as best is what the reader sees: numbers that are equal as
printed share the win. Averages and wins are over the data sets on which every method has a mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.experiment.measures import MEASURES, SMALL_IS_GOOD

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
    """Means of one measure."""

    measure: str
    means: pd.DataFrame
    """Rows: data sets, columns: titles of methods; NaN where a method has no answer."""
    fewer: pd.DataFrame
    """Where a mean is over fewer splits than others in its row, since some failed."""

    @property
    def printed(self) -> pd.DataFrame:
        """The means as they are printed."""
        return self.means.map(rounded)

    @property
    def best(self) -> pd.DataFrame:
        """Which entries are the best of their rows, as printed; none where there is no choice."""
        return _best(self.printed, self.measure) & (self.means.shape[1] > 1)

    @property
    def complete(self) -> npt.NDArray[np.bool_]:
        """The rows in which every method has a mean; one that has none at all does not count."""
        return self.means.dropna(axis=1, how="all").notna().all(axis=1).to_numpy()

    @property
    def averages(self) -> pd.Series:
        """Of each method, over the complete rows; NaN for one that has no mean at all."""
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
    """The means of a measure; ``methods``: names and titles, in the order of the columns."""
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
    """All lines below the header as text; and before which there is a rule."""
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
    """As it is printed. Sums in another order must not turn a 5 at the end up here, down there."""
    return round(round(float(value), 12), DIGITS)


def number(value: float) -> str:
    """A mean as it is printed."""
    return _NONE if np.isnan(value) else f"{rounded(value):.{DIGITS}f}"


def markdown(shown: Table, names: dict[str, str] | None = None) -> str:
    """The table in Markdown, its columns lined up; ``names``: other names for data sets."""
    lines, _ = _cells(shown, "**{}**", _STAR)
    header = ["Data set", *shown.means.columns]
    body = [[_escape_bar((names or {}).get(line[0], line[0])), *line[1:]] for line in lines]
    text = markdown_lines([_escape_bar(str(cell)) for cell in header], body)
    if shown.fewer.to_numpy().any():
        text += f"\n{_starred(shown.measure, _STAR)}\n"
    return text


def _starred(measure: str, star: str) -> str:
    """Why some means are starred."""
    or_none = ", or have no kappa: all rows and predictions are of one class"
    why = f"some failed{or_none if measure == 'kappa' else ''}"
    return f"{star} Fewer splits than the other methods: {why}."


def markdown_lines(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Cells as a Markdown table, the first column to the left, the others to the right."""
    widths = [max(3, *(len(line[j]) for line in [header, *body])) for j in range(len(header))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]

    def row(cells: Sequence[str]) -> str:
        first, *others = cells
        padded = [first.ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        return "| " + " | ".join(padded) + " |\n"

    return row(header) + row(rule) + "".join(row(line) for line in body)


def _escape_bar(text: str) -> str:
    return text.replace("|", "\\|")


def latex(shown: Table, caption: str, names: dict[str, str] | None = None) -> str:
    """The table as the paper has it: ``tabular`` in ``table``, with no package needed."""
    lines, rules = _cells(shown, r"\textbf{{{}}}", "$^{*}$")
    columns = shown.means.shape[1]
    header = " & ".join(["Data set", *(escape(str(title)) for title in shown.means.columns)])
    rows = []
    for line, rule in zip(lines, rules, strict=True):
        name = escape((names or {}).get(line[0], line[0]))
        cells = [cell.replace(_NONE, "--") for cell in line[1:]]
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
    """Text that LaTeX prints as it is."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def caption(measure: str, splits: int, tuned: bool) -> str:
    """What a table shows, in a sentence."""
    how = "tuned by 10-fold cross-validation" if tuned else "with default parameters"
    return (
        f"{MEASURES[measure]}: means over {splits} random splits into 70 % training and 30 % "
        f"test rows; methods {how}. The best of each row is bold."
    )
