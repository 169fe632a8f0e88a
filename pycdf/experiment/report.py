"""The report of a comparison in Markdown: tables, tests, failures and warnings on one page."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from pycdf.experiment import paper, pictures, tables
from pycdf.experiment.measures import MEASURES
from pycdf.experiment.statistics import TESTS, Paired
from pycdf.experiment.tables import Spread
from pycdf.support.wording import brief, one_line, plural

if TYPE_CHECKING:
    from pycdf.experiment.comparison import Comparison

_FEWEST = 5  # data sets: with fewer, no test across data sets can be significant
_SHOWN_LINES = 12  # failures listed
_SHOWN_LETTERS = 240  # length of a message, at most
PAPER = ("accuracy", "kappa")  # the paper's measures, with tests and pictures


def names(done: "Comparison") -> dict[str, str]:
    """The data sets' names as they appear in tables and pictures."""
    return pictures.titles(done.data, done.paper)


def worth_testing(paired: Paired) -> bool:
    """Whether there are enough data sets and methods for tests across data sets."""
    return len(paired.mean_ranks) > 1 and len(paired.data) >= _FEWEST


def report(done: "Comparison", drawn: Sequence[str], spread: Spread = "none") -> str:
    """The whole comparison in Markdown; ``drawn`` are the names of the pictures to include."""
    made = done.manifest
    used = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    parts = [
        "# Comparison\n",
        f"{plural(len(done.methods), 'method')}, {tables.how_tuned(made)}, on "
        f"{plural(len(done.data), 'data set')}; {tables.how_split(made)}, seed "
        f"{made['seed']}{tables.how_scaled(made)}. pycdf {made['pycdf']}, {used}. All parameters "
        "are in `manifest.json`, and the times of tuning, training and prediction in "
        "`timings.csv`.\n",
        *(f"Note: {one_line(note).rstrip('.')}.\n" for note in done.notes),
    ]
    if len(done.failures):
        parts += ["## Failures\n", failure_lines(done.failures)]
    if len(done.warnings):
        parts += ["## Warnings\n", warning_lines(done.warnings)]
    if len(done.results):
        parts += [
            f"In the tables of means, the best of each row is bold.{tables.SPREADS[spread]}\n"
        ]
        for measure in MEASURES:
            if done.results[measure].notna().any():
                parts += [
                    f"## {MEASURES[measure]}\n",
                    tables.markdown(done.table(measure), names(done), spread),
                    *undefined_lines(done.results, measure),
                    *_shown(drawn, f"{measure}-boxes"),
                ]
        for measure in PAPER:
            parts += [
                f"## {MEASURES[measure]}: paired comparison\n",
                paired_text(done.paired(measure)),
                *_shown(drawn, f"{measure}-ranks"),
            ]
            if len(done.methods) > 1:
                parts += ["### By data set\n", difference_text(done, measure, _P_VALUES)]
    if len(done.checked):
        parts += ["## Comparison with the paper\n", check_text(done.checked)]
    return "\n".join(parts)


def _shown(drawn: Sequence[str], begin: str) -> list[str]:
    return [f"![{name}]({name})\n" for name in drawn if name.startswith(begin)]


def undefined_lines(results: pd.DataFrame, measure: str) -> list[str]:
    """A line if a measure is undefined on some splits for every method that has it elsewhere."""
    if measure != "auc":  # others are undefined for single methods, which the table marks
        return []
    parts = []
    for data, rows in results.groupby("data", sort=False):
        defined = rows.groupby("split")[measure].count() > 0
        if 0 < defined.sum() < len(defined):
            parts.append(f"{brief(data)} on {int((~defined).sum())} of {len(defined)}")
    if not parts:
        return []
    return [f"Undefined where a class has no test rows: {'; '.join(parts)} splits.\n"]


_P_VALUES = "`differences.csv` has the p-values, also with Holm's correction."


def difference_text(done: "Comparison", measure: str, more: str = "") -> str:
    """The differences to each other method by data set, as a table with an explanation.

    ``more`` is a sentence that the explanation ends with.
    """
    found = done.differences(measure)
    reference = brief(done.methods[done.reference(measure)])
    others = [brief(title) for title in found["method"].unique()]
    by_data = {(row["data"], brief(row["method"])): row for row in found.to_dict("records")}
    body = []
    for name, title in names(done).items():
        rows = [by_data.get((name, other)) for other in others]
        body.append([tables.cell(title), *(_difference(row) for row in rows)])
    for what, wanted in (("better", 1), ("worse", -1)):
        counts = [
            sum(_sign(row) == wanted for key, row in by_data.items() if key[1] == other)
            for other in others
        ]
        body.append([f"{reference} {what}", *map(str, counts)])
    text = (
        f"Mean difference, {reference} minus the other method, ± half of its 95 % interval, with "
        "the corrected resampled t-test of Nadeau and Bengio (2003): splits overlap, and an "
        "uncorrected interval would be too short. Bold: the interval does not contain zero."
    )
    return f"{text} {more}".rstrip() + "\n\n" + tables.markdown_lines(["Data set", *others], body)


def _difference(row: Mapping[Any, Any] | None) -> str:
    if row is None:
        return "–"
    text = f"{row['difference']:+.3f}"
    if row["high"] == row["high"]:
        text += f" ± {row['high'] - row['difference']:.3f}"
    return f"**{text}**" if _sign(row) else text


def _sign(row: Mapping[Any, Any]) -> int:
    """1 or -1 if the whole interval is above or below zero, else 0."""
    return int(row["low"] > 0) - int(row["high"] < 0)


def failure_lines(failures: pd.DataFrame) -> str:
    """A list of failures, in which splits with the same message share a line."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for row in failures.astype(object).to_dict("records"):
        groups.setdefault((row["data"], row["method"], row["message"]), []).append(row["split"])
    lines = [_message_line(*group, splits) for group, splits in groups.items()]
    more = len(lines) - _SHOWN_LINES
    if more > 0:
        lines[_SHOWN_LINES:] = [f"- and {more} more in failures.csv"]
    return "\n".join(lines) + "\n"


def warning_lines(warned: pd.DataFrame) -> str:
    """A list of warnings: the first message of each category, with its number of splits."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    first: dict[tuple[str, str, str], str] = {}
    for row in warned.to_dict("records"):
        key = (row["data"], row["method"], row["message"].partition(":")[0])
        groups.setdefault(key, []).append(row["split"])
        first.setdefault(key, row["message"])
    lines = [
        _message_line(*key[:2], first[key], sorted(set(splits))) for key, splits in groups.items()
    ]
    return "\n".join(lines) + "\n"


def _message_line(data: str, method: str, message: str, splits: list[Any]) -> str:
    where = " / ".join(brief(part) for part in (data, method) if part)
    if len(splits) > 1:
        where += f", {plural(len(splits), 'split')}"
    elif not pd.isna(splits[0]):
        where += f", split {splits[0]}"
    return f"- {where}: {textwrap.shorten(one_line(message), _SHOWN_LETTERS, placeholder=' ...')}"


def paired_text(paired: Paired) -> str:
    """The tests of Friedman, Wilcoxon and Nemenyi in a table and a few sentences."""
    n = len(paired.data)
    if not worth_testing(paired):
        return (
            f"Tests across data sets need at least {_FEWEST} data sets and two methods; here "
            f"{plural(len(paired.mean_ranks), 'method')} can be compared on "
            f"{plural(n, 'data set')}.\n"
        )
    chi2, p = paired.friedman
    sentences = f"Friedman's test over {n} data sets: chi-squared {chi2:.2f}, p = {p:.4g}. " * (
        chi2 == chi2
    )
    sentences += (
        f"Mean ranks that differ by less than {paired.critical_difference:.2f} do not differ "
        f"significantly (Nemenyi's test, level {paired.alpha:.0%}). Exact two-sided Wilcoxon "
        f"signed-rank tests compare {brief(paired.reference)} with each other method; p-values "
        "are also "
        "given with Holm's correction.\n"
    )
    methods = [paired.reference, *map(str, paired.wilcoxon.index)]
    body = [[tables.cell(method), *paired.tests(method)] for method in methods]
    text = sentences + "\n" + tables.markdown_lines(["Method", *TESTS], body)
    if paired.smallest_p > paired.alpha:
        text += (
            f"\nWith {n} data sets and {plural(len(body) - 1, 'comparison')} no corrected p-value "
            f"can be below {paired.smallest_p:.3f}, however clear the differences.\n"
        )
    return text


def check_text(checked: pd.DataFrame) -> str:
    """Our means and the paper's figures, with the rule for the verdicts."""
    rule = (
        f'A figure "{paper.AGREES}" within two standard errors of the difference, which assume '
        f"that the paper's {paper.SPLITS} splits vary as much as ours and allow for its rounding. "
        f'It is "{paper.IS_CLOSE}" within three, or within {paper.CLOSE}; otherwise it '
        f'"{paper.DIFFERS}". By chance alone, one figure in twenty is beyond two standard errors. '
        f"Fewer than {paper.FEWEST} splits are too few for a verdict.\n"
    )
    parts = [f"{paper.verdict_counts(checked)}.\n", rule]
    for measure in paper.MEASURES:
        parts += [f"### {MEASURES[measure]}\n", *check_tables(checked, measure)]
    return "\n".join(parts)


def check_tables(checked: pd.DataFrame, measure: str) -> list[str]:
    """A table of all figures and, if there are several methods, an overview before it."""
    several = checked["method"].nunique() > 1
    return [paper.overview(checked, measure)] * several + [paper.markdown(checked, measure)]
