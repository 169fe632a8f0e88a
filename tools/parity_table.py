"""Write the tables of README.md and docs/parity.md from the summaries of parity runs.

    PYCDF_PARITY_SUMMARY=r-4.5.json nox -s parity
    python tools/parity_table.py r-4.2.json r-4.5.json r-4.6.json

The runs replace those in docs/parity_runs.json, without the folder names of the machines they ran
on; then the tables are written between their markers. Without arguments the tables are written from
the recorded runs.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "docs" / "parity_runs.json"
PAGES = (ROOT / "README.md", ROOT / "docs" / "parity.md")

# A kind belongs to the first group whose pattern matches its name.
GROUPS = {
    "forests on random data: ties, gaps, integer matrices, 2 to 40 classes, all parameters": (
        r"generated forests|forests just below"
    ),
    "named forests, also on a running stream and in R's C locale": (
        r"^named forests|forests on a running stream|C locale|traced"
    ),
    "real data sets: forests and accuracies; DARWIN with 500 trees": (
        r"real data|DARWIN, 500|^accuracies$"
    ),
    "data frames: every column type, random dirty frames": r"frames|columns of every type",
    "odd inputs: answered, refused, or where R fails": r"odd inputs|named differences",
    "class separability scores, rankings, centroids": (
        r"^scores$|rankings|centroids|every column selected"
    ),
    "random draws, defaults, signature": r"^stream|signature|defaults of",
    "text sorted, read as numbers, written from numbers": (
        r"text|label|collation|in order|as\.numeric|POSIXct"
    ),
    "trees with a stream of their own, each grown alone by R": r"trees",
    "rank tests of splits: statistics and p-values; scores of splits": (
        r"rank|p-value|upper tails|selected features|evidence"
    ),
    "the experiment: splits, CDF's accuracies, RRF's forests, rknn's classifiers": r"^experiment",
}
REST = "DARWIN's cells; what pages show; curves, maps, accuracies of folds"


def main(summaries: list[str]) -> None:
    if summaries:
        runs = [without_paths(json.loads(Path(name).read_text("utf-8"))) for name in summaries]
        runs.sort(key=version)
        RUNS.write_text(json.dumps(runs, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for page in PAGES:
        page.write_text(filled(page.read_text("utf-8"), read_runs()), "utf-8")


def read_runs() -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = json.loads(RUNS.read_text("utf-8"))
    return runs


def without_paths(run: dict[str, Any]) -> dict[str, Any]:
    packages = {name: package["version"] for name, package in run["packages"].items()}
    return run | {"packages": packages}


def version(run: dict[str, Any]) -> list[int]:
    return [int(part) for part in run["versions"]["R"].split(".")]


def filled(page: str, runs: list[dict[str, Any]]) -> str:
    """The page with a new table between each pair of markers."""
    tables = {"runs": runs_table, "kinds": kinds_table, "branches": branches_table}
    for name, make in tables.items():
        table = make(runs)
        pattern = rf"(<!-- parity:{name} -->\n).*?(<!-- /parity:{name} -->)"
        page = re.sub(pattern, lambda m, t=table: f"{m[1]}{t}\n{m[2]}", page, flags=re.DOTALL)
    return page


def runs_table(runs: list[dict[str, Any]]) -> str:
    lines = [
        "| R | system | ICU | Python | passed | failed | compared | different | date, commit |",
        "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for run in runs:
        versions, tests, kinds = run["versions"], run["tests"], run["kinds"].values()
        cells = [
            versions["R"],
            run["system"],
            versions["ICU"],
            versions["Python"],
            f"{tests['passed']:,}",
            f"{tests['failed'] + tests['error']:,}",
            f"{sum(kind['compared'] for kind in kinds):,}",
            f"{sum(kind['different'] for kind in kinds):,}",
            f"{run['date']}, {run['commit']}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def kinds_table(runs: list[dict[str, Any]]) -> str:
    """One row per group of kinds: the number of comparisons, and of differences if any."""
    lines = [f"| compared | {columns(runs)} |", f"| --- |{' ---: |' * len(runs)}"]
    sums = [grouped(run["kinds"]) for run in runs]
    for group in (*GROUPS, REST):
        cells = [cell(*counts.get(group, (0, 0))) for counts in sums]
        if any(counts.get(group) for counts in sums):
            lines.append(f"| {group} | {' | '.join(cells)} |")
    return "\n".join(lines)


def branches_table(runs: list[dict[str, Any]]) -> str:
    """How often the random cases took each of the difficult branches."""
    lines = [f"| met | {columns(runs)} |", f"| --- |{' ---: |' * len(runs)}"]
    for text in runs[0]["hard_branches"]:
        cells = " | ".join(f"{run['hard_branches'][text]:,}" for run in runs)
        lines.append(f"| {text} | {cells} |")
    return "\n".join(lines)


def columns(runs: list[dict[str, Any]]) -> str:
    return " | ".join(f"R {run['versions']['R']}" for run in runs)


def grouped(kinds: dict[str, dict[str, int]]) -> dict[str, tuple[int, int]]:
    sums: dict[str, tuple[int, int]] = {}
    for kind, counts in kinds.items():
        group = next((name for name, pattern in GROUPS.items() if re.search(pattern, kind)), REST)
        compared, different = sums.get(group, (0, 0))
        sums[group] = compared + counts["compared"], different + counts["different"]
    return sums


def cell(compared: int, different: int) -> str:
    return f"{compared:,}" + (f", **{different:,} different**" if different else "")


if __name__ == "__main__":
    main(sys.argv[1:])
