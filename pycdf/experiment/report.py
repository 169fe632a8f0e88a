"""Everything that a comparison leaves in its folder.

In goes a :class:`pycdf.experiment.compare.Comparison`; out come ``results.csv`` and ``report.md``,
each table in LaTeX, and the pictures. Every file but ``timings.csv`` has the same bytes whenever
the same run is repeated, with any number of processes.
"""

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from pycdf.experiment import manifest, paper, pictures, tables
from pycdf.experiment.measures import MEASURES
from pycdf.experiment.statistics import Paired
from pycdf.files.atomic import write_whole
from pycdf.files.tables import write_data
from pycdf.support.wording import plural

if TYPE_CHECKING:
    from pycdf.experiment.compare import Comparison

SHOWN = ("accuracy", "kappa")  # the paper's measures have tables of their own and pictures
_SOMETIMES = (
    "failures.csv", "paper.csv",
    *(f"{one}{end}" for one in SHOWN for end in (".tex", "-boxes.svg", "-ranks.svg")),
)  # fmt: skip
FILES = ("results.csv", "timings.csv", "report.md", *_SOMETIMES)
_FEWEST = 5  # data sets: with fewer no test over data sets can tell anything
_SHOWN_LINES = 12  # of failures
_SHOWN_LETTERS = 240  # of a message


def write(done: "Comparison", folder: Path) -> list[Path]:
    """Write all files; return those that were written. Without matplotlib there are no pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    frames = {"results.csv": done.results, "timings.csv": done.seconds}
    if len(done.failures):
        frames["failures.csv"] = done.failures
    if len(done.checked):
        frames["paper.csv"] = done.checked
    for name in _SOMETIMES:
        (folder / name).unlink(missing_ok=True)  # of an earlier run
    for name, frame in frames.items():
        write_data(frame, str(folder / name))
        written.append(folder / name)
    texts = {}
    if len(done.results):
        for measure in SHOWN:
            texts[f"{measure}.tex"] = tables.latex(
                done.table(measure), _caption(done, measure), _names(done)
            )
        written += _pictures(done, folder)
    drawn = [path.name for path in written if path.suffix == ".svg"]
    texts["report.md"] = report(done, drawn)
    if not (folder / manifest.FILE).exists():  # a run with a folder of its own has kept it already
        texts[manifest.FILE] = manifest.text(done.manifest)
    for name, text in texts.items():
        write_whole(folder / name, text.encode())
        written.append(folder / name)
    return written


def _pictures(done: "Comparison", folder: Path) -> list[Path]:
    written = []
    try:
        for measure in SHOWN:
            marks = {
                (str(row["data"]), str(row["method"]).lower()): float(row["paper"])
                for row in done.checked[done.checked["measure"] == measure].to_dict("records")
            }
            figure = pictures.box_plots(
                done.results, measure, _names(done), done.methods, marks or None
            )
            path = folder / f"{measure}-boxes.svg"
            pictures.save(figure, path)
            written.append(path)
            paired = done.paired(measure)
            if _worth_testing(paired):
                path = folder / f"{measure}-ranks.svg"
                pictures.save(pictures.rank_diagram(paired, MEASURES[measure]), path)
                written.append(path)
    except pictures.NoPicturesError:
        pass
    return written


def _names(done: "Comparison") -> dict[str, str]:
    return pictures.titles(done.data, done.paper)


def _caption(done: "Comparison", measure: str) -> str:
    return tables.caption(measure, done.manifest["splits"], done.manifest["tuned"])


def _worth_testing(paired: Paired) -> bool:
    return len(paired.mean_ranks) > 1 and len(paired.data) >= _FEWEST


def report(done: "Comparison", drawn: list[str]) -> str:
    """The whole comparison as one page of Markdown; ``drawn``: the pictures to show."""
    made = done.manifest
    tuned = "tuned by 10-fold cross-validation" if made["tuned"] else "not tuned (--quick)"
    fixed = [one["title"] for one in made["methods"].values() if one.get("tuning") == []]
    if fixed:
        tuned += f" (but not {', '.join(fixed)}: nothing to choose)"
    used = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    parts = [
        "# Comparison\n",
        f"{plural(len(done.methods), 'method')}, {tuned}, on {plural(len(done.data), 'data set')}; "
        f"{made['splits']} random splits into 70 % training and 30 % test rows, seed "
        f"{made['seed']}. pycdf {made['pycdf']}, {used}. `manifest.json` has all parameters, "
        "`timings.csv` the time of each fit.\n",
        *(f"Note: {note}.\n" for note in done.notes),
    ]
    if len(done.failures):
        parts += ["## What failed\n", failure_lines(done.failures)]
    if len(done.warnings):
        parts += ["## What was warned of\n", warning_lines(done.warnings)]
    if len(done.results):
        for measure in MEASURES:
            if done.results[measure].notna().any():
                parts += [
                    f"## {MEASURES[measure]}\n",
                    tables.markdown(done.table(measure), _names(done)),
                ]
                parts += [
                    f"![{name}]({name})\n" for name in drawn if name.startswith(f"{measure}-b")
                ]
        for measure in SHOWN:
            parts += [
                f"## {MEASURES[measure]}: paired comparison\n",
                paired_text(done.paired(measure)),
            ]
            parts += [f"![{name}]({name})\n" for name in drawn if name.startswith(f"{measure}-r")]
    if len(done.checked):
        parts += ["## Beside the paper\n", check_text(done.checked)]
    return "\n".join(parts)


def failure_lines(failures: pd.DataFrame) -> str:
    """What failed, the same message once, with the number of its splits."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for row in failures.astype(object).to_dict("records"):
        groups.setdefault((row["data"], row["method"], row["message"]), []).append(row["split"])
    lines = [_told(*group, splits) for group, splits in groups.items()]
    more = len(lines) - _SHOWN_LINES
    if more > 0:
        lines[_SHOWN_LINES:] = [f"- and {more} more in failures.csv"]
    return "\n".join(lines) + "\n"


def warning_lines(warned: pd.DataFrame) -> str:
    """What was warned of: the first message of each category, with the number of its splits."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    first: dict[tuple[str, str, str], str] = {}
    for row in warned.to_dict("records"):
        key = (row["data"], row["method"], row["message"].partition(":")[0])
        groups.setdefault(key, []).append(row["split"])
        first.setdefault(key, row["message"])
    lines = [_told(*key[:2], first[key], sorted(set(splits))) for key, splits in groups.items()]
    return "\n".join(lines) + "\n"


def _told(data: str, method: str, message: str, splits: list[Any]) -> str:
    where = " / ".join(part for part in (data, method) if part)
    if len(splits) > 1:
        where += f", {plural(len(splits), 'split')}"
    elif not pd.isna(splits[0]):
        where += f", split {splits[0]}"
    return f"- {where}: {textwrap.shorten(message, _SHOWN_LETTERS, placeholder=' ...')}"


def paired_text(paired: Paired) -> str:
    """Friedman, Wilcoxon, Nemenyi in a table and a few sentences."""
    n = len(paired.data)
    if not _worth_testing(paired):
        return (
            f"Tests over data sets need at least {_FEWEST} of them, and two methods; here "
            f"{plural(len(paired.mean_ranks), 'method')} can be compared on "
            f"{plural(n, 'data set')}.\n"
        )
    chi2, p = paired.friedman
    told = f"Friedman's test over {n} data sets: chi-squared {chi2:.2f}, p = {p:.4g}. " * (
        chi2 == chi2
    )
    told += (
        f"Mean ranks that differ by less than {paired.critical_difference:.2f} are not told apart "
        f"(Nemenyi, level {paired.alpha:.0%}). Wilcoxon's signed-rank test, exact and two-sided, "
        f"compares {paired.reference} with each other method; Holm's correction.\n"
    )
    body = [
        [
            str(name),
            f"{paired.mean_ranks[str(name)]:.2f}",
            f"{row['wins']}/{row['ties']}/{row['losses']}",
            f"{row['median']:+.4f}",
            f"{row['W']:.1f}",
            f"{row['p']:.4f}",
            f"{row['p_holm']:.4f}",
        ]
        for name, row in paired.wilcoxon.to_dict("index").items()
    ]
    body.insert(0, [paired.reference, f"{paired.mean_ranks[paired.reference]:.2f}", *[""] * 5])
    header = ["Method", "Mean rank", "Won/tied/lost", "Median difference", "W", "p", "p (Holm)"]
    text = told + "\n" + tables.markdown_lines(header, body)
    if paired.smallest_p > paired.alpha:
        text += (
            f"\nWith {n} data sets and {plural(len(body) - 1, 'comparison')} no corrected p-value "
            f"can be below {paired.smallest_p:.3f}, however clear the differences.\n"
        )
    return text


def check_text(checked: pd.DataFrame) -> str:
    """Our means beside the paper's figures, with the rule."""
    rule = (
        f'"{paper.AGREES}": within two standard errors of the difference, in which the paper\'s '
        f"{paper.SPLITS} splits are taken to vary as ours do, and its rounding counts; "
        f'"{paper.IS_CLOSE}": within three, or by at most {paper.CLOSE}; else '
        f'"{paper.DIFFERS}". By chance alone one figure in twenty is beyond two standard errors. '
        f"Fewer than {paper.FEWEST} splits are too few for a verdict.\n"
    )
    parts = [f"{paper.verdict_counts(checked)}.\n", rule]
    for measure in paper.MEASURES:
        parts += [f"### {MEASURES[measure]}\n", *check_tables(checked, measure)]
    return "\n".join(parts)


def check_tables(checked: pd.DataFrame, measure: str) -> list[str]:
    """The figures at a glance, if there is more than one method, and one by one."""
    several = checked["method"].nunique() > 1
    return [paper.overview(checked, measure)] * several + [paper.markdown(checked, measure)]
