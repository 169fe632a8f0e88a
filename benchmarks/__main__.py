"""`python -m benchmarks`: measure, write benchmarks/results, show the tables.

If no part is chosen, all parts run. Competitors that are missing (R, a package) are reported and
skipped.
"""

import argparse
from pathlib import Path

from benchmarks import data, report
from benchmarks.compare import compare
from benchmarks.jobs import jobs
from benchmarks.memory import memory
from benchmarks.scaling import scaling
from benchmarks.startup import startup
from benchmarks.tables import machine, update_about, write_csv
from benchmarks.workers import ROOT, TITLES, choose_core

PARTS = ("compare", "scaling", "memory", "startup", "jobs")
PARTIAL = ROOT / "build" / "bench"


def words(text: str) -> list[str]:
    """The words of a comma-separated list."""
    return [word for word in text.split(",") if word]


def arguments() -> argparse.Namespace:
    """The command-line arguments."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    for part in PARTS:
        parser.add_argument(f"--{part}", action="store_true", help=f"only this part: {part}")
    parser.add_argument("--rounds", type=int, help="rounds of each measurement (default: 11)")
    parser.add_argument("--r-rounds", type=int, help="rounds with the slowest (default: 3)")
    parser.add_argument("--ntrees", type=int, default=500, help="trees of the comparison")
    parser.add_argument("--only", type=words, default=list(TITLES), help=", ".join(TITLES))
    parser.add_argument(
        "--datasets", type=words, default=list(data.names()), help=", ".join(data.names())
    )
    parser.add_argument("--quick", action="store_true", help="few rounds, short ladders")
    parser.add_argument("--core", type=int, default=choose_core(), help="the core to run on")
    parser.add_argument(
        "--out", type=Path, help="folder of the results (default: benchmarks/results for all data "
        "sets and competitors, build/bench for some of them and with --quick)",
    )  # fmt: skip
    chosen = parser.parse_args()
    if unknown := set(chosen.only) - set(TITLES):
        parser.error(f"no such competitor: {', '.join(sorted(unknown))}")
    if chosen.out is None:
        # A partial comparison must not replace the complete one that the pages show.
        whole = set(chosen.only) == set(TITLES) and set(chosen.datasets) == set(data.names())
        chosen.out = report.RESULTS if whole and not chosen.quick else PARTIAL
    chosen.rounds = chosen.rounds or (3 if chosen.quick else 11)
    chosen.r_rounds = 1 if chosen.r_rounds is None and chosen.quick else chosen.r_rounds
    chosen.r_rounds = 3 if chosen.r_rounds is None else chosen.r_rounds
    return chosen


def main() -> None:
    """Measure the chosen parts, one after the other."""
    chosen = arguments()
    parts = [part for part in PARTS if getattr(chosen, part)] or PARTS
    update_about(chosen.out, machine=machine())
    core, quick = chosen.core, chosen.quick
    if "compare" in parts:
        rows, versions, missing = compare(
            chosen.datasets, chosen.only, rounds=chosen.rounds, r_rounds=chosen.r_rounds,
            ntrees=chosen.ntrees, core=core,
        )  # fmt: skip
        write_csv(chosen.out / "rounds.csv", rows)
        update_about(chosen.out, versions=versions, missing=missing, ntrees=chosen.ntrees)
        for name, what in missing.items():
            print(f"{TITLES[name]} did not run; missing: {what}")
    some = min(chosen.rounds, 5)
    if "scaling" in parts:
        named = ["pycdf"] if chosen.only == list(TITLES) else chosen.only
        rows = scaling(named, rounds=some, core=core, quick=quick)
        write_csv(chosen.out / "scaling.csv", rows)
    if "memory" in parts:
        write_csv(chosen.out / "memory.csv", memory(core=core, quick=quick))
    if "startup" in parts:
        rows, spent = startup(repeats=2 if quick else chosen.rounds, core=core)
        write_csv(chosen.out / "startup.csv", rows)
        write_csv(chosen.out / "compile.csv", spent)
    if "jobs" in parts:
        write_csv(chosen.out / "jobs.csv", jobs(rounds=some, quick=quick))
    report.write_results(chosen.out)
    print((chosen.out / "table.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
