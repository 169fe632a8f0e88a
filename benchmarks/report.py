"""Tables of the results, in Markdown; `python -m benchmarks.report` puts them into the pages.

:func:`write_results` writes summary.csv, table.md and the plot into a results folder.
:func:`fill_pages` rewrites the marked blocks of docs/performance.md, docs/scaling.md and README.md:
a block NAME is between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import planning
from benchmarks.figures import Summary, busy, ratios, same_as_r, slope, summarise
from benchmarks.markdown import digits, markdown
from benchmarks.tables import read_csv, write_csv
from benchmarks.workers import ROOT, TITLES

RESULTS = ROOT / "benchmarks" / "results"
PAGES = tuple(ROOT / page for page in ("docs/performance.md", "docs/scaling.md", "README.md"))
BLOCK = re.compile(r"(<!-- bench:(\w+) -->)\n.*?(<!-- /bench:\2 -->)", re.DOTALL)
NOT_YET = "*Not measured in the latest run.*"


def times(folder: Path) -> str:
    """Seconds of each competitor on each data set, then how many times pycdf's."""
    summaries = summarise(read_csv(folder / "rounds.csv"))
    ran = present(summaries)
    found = {(one.dataset, one.competitor): one for one in summaries}
    against = {name: ratios(summaries, name) for name in ran if name != "pycdf"}
    rows = []
    for dataset in dict.fromkeys(one.dataset for one in summaries):
        any_one = next(one for one in summaries if one.dataset == dataset)
        n, p, classes = any_one.shape
        rows.append(
            [f"{dataset} ({n} x {p}, {classes} classes)"]
            + [_cell(found.get((dataset, name)), lambda one: digits(one.seconds)) for name in ran]
            + [_ratio(one.by_dataset.get(dataset)) for one in against.values() if one]
        )
    blank = [""] * len(ran)
    means = [f"**{one.geometric_mean:.1f}**" for one in against.values() if one]
    worst = [f"**{one.worst:.1f}**" for one in against.values() if one]
    if means:
        rows += [["**geometric mean**", *blank, *means], ["**worst**", *blank, *worst]]
    titles = [TITLES[name].replace("scikit-learn ", "") for name in ran]
    over = [f"{TITLES[name]} / pycdf" for name, one in against.items() if one]
    over = [title.replace("scikit-learn ", "") for title in over]
    header = ["seconds (training rows x columns)", *titles, *over]
    return markdown(header, rows)


def summary(folder: Path) -> str:
    """One line per competitor: how many times longer it takes than pycdf."""
    summaries = summarise(read_csv(folder / "rounds.csv"))
    rows = []
    for name in present(summaries):
        if name != "pycdf" and (found := ratios(summaries, name)):
            rows.append(
                [
                    TITLES[name],
                    f"{found.geometric_mean:.1f}",
                    f"{found.worst:.1f} ({found.worst_dataset})",
                ]
            )
    return markdown(["time / pycdf's time", "geometric mean", "worst data set"], rows)


def accuracy(folder: Path) -> str:
    """The median accuracy of each competitor, and whether pycdf's predictions were R's."""
    rows = read_csv(folder / "rounds.csv")
    shown = _by_dataset(summarise(rows), lambda one: f"{one.accuracy:.3f}")
    same, compared = same_as_r(rows)
    if compared == 0:
        return shown
    return f"{shown}\n\npycdf's predictions were R's in {same} of {compared} runs with one seed."


def peaks(folder: Path) -> str:
    """Peak memory of the first full run, beyond what the process used before it."""
    summaries = summarise(read_csv(folder / "rounds.csv"))
    return _by_dataset(
        summaries, lambda one: "" if one.peak_mb is None else f"{max(one.peak_mb, 0):.0f}"
    )


def _by_dataset(summaries: list[Summary], cell: Callable[[Summary], str]) -> str:
    ran = present(summaries)
    found = {(one.dataset, one.competitor): one for one in summaries}
    rows = [
        [dataset, *(_cell(found.get((dataset, name)), cell) for name in ran)]
        for dataset in dict.fromkeys(one.dataset for one in summaries)
    ]
    return markdown(["", *(TITLES[name] for name in ran)], rows)


def _cell(one: Summary | None, show: Callable[[Summary], str]) -> str:
    return "" if one is None else show(one)


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def scaling(folder: Path) -> str:
    """Medians for each series of sizes, and its slopes."""
    ladders: dict[tuple[str, str], dict[int, list[float]]] = {}
    for row in read_csv(folder / "scaling.csv"):
        ladder = ladders.setdefault((row["along"], row["competitor"]), defaultdict(list))
        ladder[int(row["size"])].append(float(row["seconds"]))
    rows = []
    for (along, name), ladder in ladders.items():
        sizes = list(ladder)
        taken = [median(ladder[size]) for size in sizes]
        last = [i for i, size in enumerate(sizes) if size >= sizes[-1] / 10]
        rows.append(
            [
                f"{along}, {TITLES[name]}",
                f"{sizes[0]:,} to {sizes[-1]:,}",
                f"{digits(taken[0])} to {digits(taken[-1])}",
                f"{slope(sizes, taken):.2f}",
                f"{slope([sizes[i] for i in last], [taken[i] for i in last]):.2f}",
            ]
        )
    return markdown(["along", "sizes", "seconds", "slope", "slope of the last decade"], rows)


def memory(folder: Path) -> str:
    """Peak memory of a fit, and the size of its training matrix."""
    rows = [
        [
            f"{int(row['rows']):,} x {int(row['columns']):,}, {row['trees']} trees",
            f"{float(row['matrix_mb']):.1f}",
            f"{float(row['peak_mb']):.1f}",
            f"{float(row['times_matrix']):.2f}",
            f"{float(row['budget_mb']):.0f}",
        ]
        for row in read_csv(folder / "memory.csv")
    ]
    return markdown(["", "matrix, MB", "peak, MB", "peak / matrix", "budget, MB"], rows)


def startup(folder: Path) -> str:
    """Medians of imports and first calls."""
    taken: dict[str, list[float]] = defaultdict(list)
    for row in read_csv(folder / "startup.csv"):
        taken[row["kind"]].append(float(row["seconds"]))
    middle = {kind: median(seconds) for kind, seconds in taken.items()}
    alone, package = middle["import dependencies"], middle["import package"]
    rows = [
        ["import numpy, pandas, numba", digits(alone), ""],
        ["from pycdf import CDF", digits(package), f"{package / alone:.2f} times its dependencies"],
        ["first call of a process", digits(middle["first call"]), "kernels from the cache"],
        ["second call", digits(middle["second call"]), "DARWIN, 500 trees"],
        ["first call ever", digits(middle["first call ever"]), "compiles"],
    ]
    return markdown(["", "seconds", ""], rows)


def compilation(folder: Path) -> str:
    """Where the compiler's time goes: entries by phases, then the kernels that cost most."""
    spent: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    kernels: dict[str, float] = defaultdict(float)
    for row in read_csv(folder / "compile.csv"):
        seconds = float(row["seconds"])
        for entry in (row["entry"] or "(writing the cache)", "all"):
            spent[entry][row["phase"]] += seconds
            spent[entry]["all"] += seconds
        kernels[row["kernel"]] += seconds
    first = ["inlining", "typing", "lowering", "LLVM", "machine code"]
    phases = [*first, "cache file", "other", "all"]
    order = sorted(spent, key=lambda entry: spent[entry]["all"])
    rows = [[entry, *(f"{spent[entry][phase]:.2f}" for phase in phases)] for entry in order[::-1]]
    costly = sorted((name for name in kernels if name), key=lambda name: -kernels[name])[:8]
    shown = ", ".join(f"`{name}` {kernels[name]:.2f}" for name in costly)
    table = markdown(["entry, seconds", *phases], rows)
    return f"{table}\n\nThe kernels that cost most, each without those it calls: {shown}."


def versions(folder: Path) -> str:
    """What ran, on which system; what did not run, and why; which runs shared the core."""
    known = about(folder)
    facts = known["machine"]
    lines = [
        f"{facts['processor']}; {facts['system']}; Python {facts['python']}, "
        + ", ".join(f"{name} {facts[name]}" for name in ("numpy", "pandas", "numba", "llvmlite"))
        + "; "
        + "; ".join(dict.fromkeys(known.get("versions", {}).values()))
        + "."
    ]
    for name, what in known.get("missing", {}).items():
        lines.append(f"{TITLES[name]} did not run: {what}.")
    summaries = summarise(read_csv(folder / "rounds.csv"))
    if disturbed := busy(summaries):
        lines.append(
            f"The core was shared with another program in {len(disturbed)} of {len(summaries)} "
            "medians. CPU time does not count that, but caches were shared, too."
        )
    rounds = {TITLES[one.competitor]: one.rounds for one in summaries}
    lines.append("Rounds: " + ", ".join(f"{name} {n}" for name, n in rounds.items()) + ".")
    return "\n".join(lines)


def about(folder: Path) -> dict[str, Any]:
    """The facts of about.json."""
    facts: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    return facts


def present(summaries: Sequence[Summary]) -> list[str]:
    """The competitors that ran, in the order of the tables."""
    return [name for name in TITLES if any(one.competitor == name for one in summaries)]


# What a block shows, and the file it needs.
BLOCKS: dict[str, tuple[Callable[[Path], str], str]] = {
    "table": (times, "rounds.csv"),
    "summary": (summary, "rounds.csv"),
    "accuracy": (accuracy, "rounds.csv"),
    "peaks": (peaks, "rounds.csv"),
    "scaling": (scaling, "scaling.csv"),
    "memory": (memory, "memory.csv"),
    "startup": (startup, "startup.csv"),
    "compile": (compilation, "compile.csv"),
    "versions": (versions, "about.json"),
    "jobs": (planning.jobs, "jobs.csv"),
    "shipped": (planning.shipped, "jobs.csv"),
    "plan": (planning.plan, "jobs.csv"),
    "large": (planning.large, "large.csv"),
    "streams": (planning.streams, "streams.csv"),
}


def block(name: str, folder: Path) -> str:
    """The text of a block."""
    show, file = BLOCKS[name]
    return show(folder) if (folder / file).exists() else NOT_YET


def fill(text: str, folder: Path) -> str:
    """The text of a page with its marked blocks rewritten."""

    def fresh(match: re.Match[str]) -> str:
        return f"{match[1]}\n{block(match[2], folder)}\n{match[3]}"

    return BLOCK.sub(fresh, text)


def fill_pages(folder: Path) -> None:
    """Rewrite the blocks of all pages."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(fill(text, folder), encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {len(BLOCK.findall(text))} blocks")


def write_results(folder: Path) -> None:
    """Write summary.csv, table.md and the plot into the results folder."""
    summaries = summarise(read_csv(folder / "rounds.csv"))
    rows = []
    for one in summaries:
        n, p, classes = one.shape
        facts = asdict(one)
        facts.pop("shape")
        rows.append(facts | {"rows": n, "columns": p, "classes": classes})
    write_csv(folder / "summary.csv", rows)
    shown = {name: block(name, folder) for name in BLOCKS}
    text = "\n\n".join(f"## {name}\n\n{body}" for name, body in shown.items() if body != NOT_YET)
    (folder / "table.md").write_text(text + "\n", encoding="utf-8")
    if summaries:
        from benchmarks.picture import draw  # the tables need no matplotlib

        draw(summaries, about(folder)["ntrees"], folder)


if __name__ == "__main__":
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS
    write_results(chosen)
    fill_pages(chosen)
