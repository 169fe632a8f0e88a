"""Write the files of a comparison: results, a report in Markdown, LaTeX tables and pictures.

Every file except ``timings.csv`` has the same bytes whenever the same run is repeated, with any
number of processes.
"""

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from pycdf.experiment import manifest, paper, pictures, tables
from pycdf.experiment.measures import MEASURES
from pycdf.experiment.statistics import Paired
from pycdf.files.atomic import write_whole
from pycdf.files.tables.writing import write_data
from pycdf.support.wording import brief, one_line, plural

if TYPE_CHECKING:
    from pycdf.experiment.comparison import Comparison

SHOWN = ("accuracy", "kappa")  # the paper's measures also get LaTeX tables and pictures
_OPTIONAL = (
    "failures.csv", "paper.csv",
    *(f"{one}{end}" for one in SHOWN for end in (".tex", "-boxes.svg", "-ranks.svg")),
)  # fmt: skip
FILES = ("results.csv", "timings.csv", "report.md", *_OPTIONAL)
_FEWEST = 5  # data sets: with fewer, no test across data sets can be significant
_SHOWN_LINES = 12  # failures listed
_SHOWN_LETTERS = 240  # length of a message, at most


def write(done: "Comparison", folder: Path) -> list[Path]:
    """Write all files and return their paths. Without matplotlib, there are no pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    frames = {"results.csv": done.results, "timings.csv": done.seconds}
    if len(done.failures):
        frames["failures.csv"] = done.failures
    if len(done.checked):
        frames["paper.csv"] = done.checked
    for name in _OPTIONAL:
        (folder / name).unlink(missing_ok=True)  # left by an earlier run
    for name, frame in frames.items():
        write_data(frame, str(folder / name))
        written.append(folder / name)
    texts: dict[str, bytes] = {}
    if len(done.results):
        for measure in SHOWN:
            latex = tables.latex(done.table(measure), _caption(done, measure), _names(done))
            texts[f"{measure}.tex"] = latex.encode()
        written += _pictures(done, folder)
    drawn = [path.name for path in written if path.suffix == ".svg"]
    texts["report.md"] = report(done, drawn).encode()
    if not (folder / manifest.FILE).exists():  # a run with an output folder has written it already
        texts[manifest.FILE] = manifest.text(done.manifest)
    for name, text in texts.items():
        write_whole(folder / name, text)
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
    """The whole comparison in Markdown; ``drawn`` are the names of the pictures to include."""
    made = done.manifest
    tuned = "tuned by 10-fold cross-validation" if made["tuned"] else "not tuned (--quick)"
    fixed = [brief(one["title"]) for one in made["methods"].values() if one.get("tuning") == []]
    if fixed:
        tuned += f" (except {', '.join(fixed)}, without parameters to tune)"
    used = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    parts = [
        "# Comparison\n",
        f"{plural(len(done.methods), 'method')}, {tuned}, on {plural(len(done.data), 'data set')}; "
        f"{plural(made['splits'], 'random split')} into 70 % training and 30 % test rows, seed "
        f"{made['seed']}. pycdf {made['pycdf']}, {used}. All parameters are in `manifest.json`, "
        "and the time of each fit in `timings.csv`.\n",
        *(f"Note: {one_line(note)}.\n" for note in done.notes),
    ]
    if len(done.failures):
        parts += ["## Failures\n", failure_lines(done.failures)]
    if len(done.warnings):
        parts += ["## Warnings\n", warning_lines(done.warnings)]
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
        parts += ["## Comparison with the paper\n", check_text(done.checked)]
    return "\n".join(parts)


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
    if not _worth_testing(paired):
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
    body = [
        [
            tables.cell(name),
            f"{paired.mean_ranks[str(name)]:.2f}",
            f"{row['wins']}/{row['ties']}/{row['losses']}",
            f"{row['median']:+.4f}",
            f"{row['W']:.1f}",
            f"{row['p']:.4f}",
            f"{row['p_holm']:.4f}",
        ]
        for name, row in paired.wilcoxon.to_dict("index").items()
    ]
    body.insert(
        0, [tables.cell(paired.reference), f"{paired.mean_ranks[paired.reference]:.2f}", *[""] * 5]
    )
    header = ["Method", "Mean rank", "Won/tied/lost", "Median difference", "W", "p", "p (Holm)"]
    text = sentences + "\n" + tables.markdown_lines(header, body)
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
