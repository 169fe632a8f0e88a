"""Write the pages of the paper's experiment from the records of its runs.

    python docs/tools/experiment_pages.py                      writes the pages again
    python docs/tools/experiment_pages.py take untuned FOLDER  first takes the records of a run

`docs/experiment/records/` keeps the manifest and the packed records of each run of `pycdf compare`.
To add splits or methods, unpack them into a folder as `records.jsonl` and `manifest.json`, run the
same command with more splits, and take the folder again. A page shows the splits that every method
has finished on every data set. Blocks of `docs/experiment.md` are between the comments
`<!-- experiment:NAME -->` and `<!-- /experiment:NAME -->`.
"""

import json
import lzma
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from pycdf.experiment import paper, pictures, report, tables
from pycdf.experiment.comparison import Comparison
from pycdf.experiment.measures import MEASURES
from pycdf.experiment.records import Record, from_line, tidy, times
from pycdf.support.wording import plural

HERE = Path(__file__).parents[1] / "experiment"
RECORDS = HERE / "records"
PAGE = HERE.with_suffix(".md")
BLOCK = re.compile(r"(<!-- experiment:(\w+) -->)\n.*?(<!-- /experiment:\2 -->)", re.DOTALL)
FOOT = """
[All figures with their standard errors]({name}.csv). [The experiment](../experiment.md) explains
the method, the verdicts and what the figures say.
"""
TITLES = {
    "cdf": "CDF beside the paper",
    "untuned": "The paper's eight methods, untuned",
    "tuned": "Tuned methods",
    "tuned_forests": "RF and RRF, tuned",
    "rivals": "Other methods for such data",
    "variants": "Other settings that the paper may have used",
}
# Settings that may be the paper's: name in the run, the paper's method, and what they are
VARIANTS = {
    "cdf_paper": ("CDF", "as in the paper's text"),
    "cart_rpart": ("CART", "like rpart's"),
    "rknn_5": ("RkNN", "k = 5"),
    "svm_scaled": ("SVM", "like e1071's"),
}


def take(name: str, folder: Path) -> None:
    """Keep the records and the manifest of a run; of the paths of its data only the file names."""
    made = json.loads((folder / "manifest.json").read_text())
    for facts in made["data"].values():
        facts["source"] = Path(facts["source"]).name
    RECORDS.mkdir(parents=True, exist_ok=True)
    (RECORDS / f"{name}.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    lines = sorted((folder / "records.jsonl").read_text().splitlines(keepends=True))
    packed = lzma.compress("".join(lines).encode(), preset=9)
    (RECORDS / f"{name}.jsonl.xz").write_bytes(packed)


def load(name: str) -> Comparison | None:
    """A run as a comparison of the splits that are finished; None if it has no records."""
    path = RECORDS / f"{name}.jsonl.xz"
    if not path.exists():
        return None
    made = json.loads((RECORDS / f"{name}.json").read_text())
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    records = finished([from_line(line) for line in lines], made)
    made["splits"] = len({one.split for one in records})
    failed = [(one.data, one.method, one.split, one.message) for one in records if one.message]
    columns = ["data", "method", "split", "message"]
    return Comparison(
        results=tidy(records),
        failures=pd.DataFrame(failed, columns=columns),
        methods={key: facts["title"] for key, facts in made["methods"].items()},
        data=tuple(made["data"]),
        manifest=made,
        notes=(),
        seconds=times(records),
        paper={key: found for key, facts in made["data"].items() if (found := recognised(facts))},
        warnings=pd.DataFrame(columns=columns),
    )


def finished(records: list[Record], made: dict[str, Any]) -> list[Record]:
    """The records of the splits that every method has finished, in the order of the manifest."""
    place = {
        (data, method): (i, j)
        for i, data in enumerate(made["data"])
        for j, method in enumerate(made["methods"])
    }
    counts = pd.Series([one.split for one in records]).value_counts()
    whole = {split for split, count in counts.items() if count == len(place)}
    kept = [one for one in records if one.split in whole]
    return sorted(kept, key=lambda one: (*place[one.data, one.method], one.split))


def recognised(facts: dict[str, Any]) -> paper.PaperSet | None:
    """The paper's data set that a manifest describes."""
    shape = np.broadcast_to(0.0, (facts["rows"], facts["columns"]))
    return paper.recognise(SimpleNamespace(X=shape, class_sizes=facts["classes"]))  # type: ignore[arg-type]


def page(name: str, done: Comparison) -> str:
    """The page of a run: the paper's figures, means, tests, and differences by data set."""
    made = done.manifest
    used = ", ".join(f"{key} {number}" for key, number in made["versions"].items())
    parts = [
        f"# {TITLES[name]}\n",
        f"{described(done)}, on {plural(len(done.data), 'data set')}; "
        f"{tables.how_split(made)}, seed {made['seed']}{tables.how_scaled(made)}. pycdf "
        f"{made['pycdf']}, {used}. {failures(done)}\n",
    ]
    if name != "rivals":
        parts += ["## Beside the paper\n", f"{paper.verdict_counts(done.checked)}.\n"]
        for measure in report.PAPER:
            parts += [f"### {MEASURES[measure]}\n"]
            if len(done.methods) > 1:
                parts += [paper.overview(done.checked, measure)]
            else:
                parts += [paper.markdown(done.checked, measure)]
    if len(done.methods) > 2:
        for measure in (*report.PAPER, "auc"):
            drawn = draw(name, done, measure) if measure in report.PAPER else []
            parts += [
                f"## {MEASURES[measure]}\n",
                "The best of each row is bold.\n",
                tables.markdown(done.table(measure), report.names(done)),
                *report.undefined_lines(done.results, measure),
                *(f"![{MEASURES[measure]}: {what}]({file})\n" for what, file in drawn),
                report.paired_text(done.paired(measure)),
                "### CDF against each method, by data set\n",
                report.difference_text(done, measure),
            ]
    return "\n".join(parts) + FOOT.format(name=name)


def described(done: Comparison) -> str:
    """The number of methods, and how they were tuned."""
    if [*done.methods] == ["cdf"]:
        return "CDF with its defaults"
    return f"{plural(len(done.methods), 'method')}, {tables.how_tuned(done.manifest)}"


def failures(done: Comparison) -> str:
    """A sentence on the fits that failed."""
    if not len(done.failures):
        return "No fit failed."
    return f"{len(done.failures)} fits failed: {report.failure_lines(done.failures)}"


def draw(name: str, done: Comparison, measure: str) -> list[tuple[str, str]]:
    """Draw box plots and mean ranks; what they show, and their files."""
    marks = paper.figures_of(done.checked, measure)
    boxes = pictures.box_plots(done.results, measure, report.names(done), done.methods, marks)
    ranks = pictures.rank_diagram(done.paired(measure), MEASURES[measure])
    files = [
        ("box plots of all splits", f"{name}-{measure}-boxes.png"),
        ("mean ranks with the critical difference", f"{name}-{measure}-ranks.svg"),
    ]
    for figure, (_, file) in zip((boxes, ranks), files, strict=True):
        if file.endswith("svg"):
            pictures.save(figure, HERE / file)
        else:  # as SVG, thousands of points would make a large file
            figure.savefig(HERE / file, dpi=90)
    return files


def verdicts(runs: dict[str, Comparison]) -> str:
    """How many figures of each method agree with the paper, untuned and tuned."""
    kinds = (paper.AGREES, paper.IS_CLOSE, paper.DIFFERS)
    having = [name for name in ("untuned", "tuned") if name in runs]
    rows = []
    for title in (*paper.METHODS, "all"):
        line = [title]
        for name in having:
            checked = with_verdicts(runs, name)
            mine = checked if title == "all" else checked[checked["method"] == title]
            counts = " / ".join(str((mine["verdict"] == kind).sum()) for kind in kinds)
            line.append(counts if len(mine) else "–")
        rows.append(line)
    return tables.markdown_lines(["agrees / close / differs", *having], rows)


def with_verdicts(runs: dict[str, Comparison], name: str) -> pd.DataFrame:
    """The figures of a run that have verdicts; RF and RRF were tuned in a run of their own."""
    found = runs[name].checked
    if name == "tuned" and "tuned_forests" in runs:
        forests = runs["tuned_forests"].checked
        found = pd.concat([found, forests[forests["method"] != "CDF"]])
    return found[found["verdict"] != paper.UNKNOWN]


def averages(runs: dict[str, Comparison]) -> str:
    """The paper's averages over its 23 data sets and over ours, beside our own."""
    every = paper.paper_sets()
    have = {one.id for one in runs["cdf"].paper.values()}
    ours = [one for one in every if one.id in have]
    lines = []
    for measure in report.PAPER:
        for label, some in (("the paper's", every), ("of these, our", ours)):
            figures = [[one.figures[measure, title] for title in paper.METHODS] for one in some]
            means = np.mean(figures, axis=0)
            lines.append([f"{MEASURES[measure]}: {label} {len(some)}", *map(tables.number, means)])
        for name in ("untuned", "tuned"):
            if name in runs:
                found = runs[name].table(measure).means.mean()
                cells = [tables.number(found.get(title, np.nan)) for title in paper.METHODS]
                lines.append([f"{MEASURES[measure]}: here, {name}", *cells])
    return tables.markdown_lines(["mean over data sets", *paper.METHODS], lines)


def standing(done: Comparison) -> str:
    """Where CDF stands among the methods of a run."""
    rows = []
    paired = done.paired("accuracy")
    found = done.differences("accuracy")
    for title in done.methods.values():
        mine = found[found["method"] == title]
        won = [str(int((mine["low"] > 0).sum())), str(int((mine["high"] < 0).sum()))]
        means = [done.table(one).means[title].mean() for one in ("accuracy", "kappa", "auc")]
        rank = f"{paired.mean_ranks[title]:.2f}"
        line = [tables.cell(title), *map(tables.number, means), rank]
        rows.append([*line, *(won if len(mine) else ["", ""])])
    header = ["method", "accuracy", "kappa", "AUC", "mean rank", "CDF better", "CDF worse"]
    return tables.markdown_lines(header, rows)


def tuning(runs: dict[str, Comparison]) -> str:
    """What tuning changes: each method with its defaults and tuned, on the same splits."""
    lines = []
    for name in ("tuned", "tuned_forests"):
        for key, title in runs[name].methods.items() if name in runs else ():
            mine = runs[name].results.query("method == @key")
            usual = runs["untuned"].results.query("method == @key")
            both = mine.merge(usual, on=["data", "split"], suffixes=("", "_usual"))
            if key == "cdf" or not len(both):
                continue
            sets = both.groupby("data")[["accuracy", "accuracy_usual", "kappa", "kappa_usual"]]
            of = [runs["untuned"].paper[data].figures for data in sets.groups]
            theirs = {
                measure: np.mean([one[measure, title] for one in of]) for measure in report.PAPER
            }
            means = sets.mean().mean()
            cells = [
                tables.number(value)
                for measure in report.PAPER
                for value in (means[f"{measure}_usual"], means[measure], theirs[measure])
            ]
            lines.append([title, f"{len(sets)}", f"{both['split'].nunique()}", *cells])
    header = [one for measure in report.PAPER for one in (measure, "tuned", "paper")]
    return tables.markdown_lines(["method", "data sets", "splits", *header], lines)


def variants(done: Comparison, usual: Comparison) -> str:
    """How well other settings fit the paper's figures, beside the usual ones."""
    kinds = (paper.AGREES, paper.IS_CLOSE, paper.DIFFERS)
    lines = []
    same = usual.results[usual.results["split"].isin(done.results["split"])]
    for name, (title, what) in VARIANTS.items():
        of_variant = done.results[done.results["method"] == name].assign(method=title.lower())
        for shown, results, sets in (
            ("usual", same, usual.paper),
            (what, of_variant, done.paper),
        ):
            checked = paper.check(results, sets, [title.lower()])
            off = checked[checked["measure"] == "accuracy"]["difference"]
            counts = [str((checked["verdict"] == kind).sum()) for kind in kinds]
            lines.append([title, shown, *counts, f"{off.mean():+.3f}", f"{off.abs().mean():.3f}"])
    header = ["method", "settings", *kinds, "mean difference", "its size"]
    return tables.markdown_lines(header, lines)


def main(arguments: list[str]) -> None:
    """Take a run if asked to, and write all pages."""
    if arguments:
        _, name, folder = arguments
        take(name, Path(folder))
    runs = {name: done for name in TITLES if (done := load(name)) is not None}
    for name, done in runs.items():
        if name == "variants":
            continue  # a table on the main page is enough
        (HERE / f"{name}.md").write_text(page(name, done))
        done.checked.round(6).to_csv(HERE / f"{name}.csv", index=False)
    blocks = {"verdicts": verdicts(runs), "averages": averages(runs)}
    if "tuned" in runs:
        blocks["tuning"] = tuning(runs)
    blocks |= {name: standing(done) for name, done in runs.items() if len(done.methods) > 2}
    if "variants" in runs:
        blocks["variants"] = variants(runs["variants"], runs["untuned"])
    text = PAGE.read_text()
    PAGE.write_text(BLOCK.sub(lambda m: f"{m[1]}\n{blocks.get(m[2], '').rstrip()}\n{m[3]}", text))


if __name__ == "__main__":
    main(sys.argv[1:])
