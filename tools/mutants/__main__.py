"""Change pycdf in small wrong ways, and see whether a test fails.

    nox -s mutants                                    a sample of every room
    nox -s mutants -- files inputs                    every mutant of two rooms
    nox -s mutants -- --sample 60 --seed 1 explain    60 mutants, spread over the room's modules

A mutant is run against the tests that run its line, cheapest files first, until one fails. Those
that no test can notice are listed in `equivalent.toml`, with reasons. Fails when, in a room, fewer
than 95 % of the others are noticed. Kernels run as plain Python. `--list` only lists mutants;
`--only NAME` runs one, shows what its tests print, and how `equivalent.toml` would list it.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants import coverage_map, runner, warm
from mutants.equivalent import entry_text, is_listed
from mutants.operators import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "mutants"
FLOOR = 0.95
ROOMS = (
    "support", "datasets", "kernels", "base_r", "inputs", "forest", "files", "top", "explain",
    "plots", "report", "experiment", "cli",
)  # fmt: skip
# The layout of the sources and whole pages; tests that run tests.
LEFT_OUT = ("tests/project/", "tests/kernels/test_plain_python.py")
# Tests that start processes see these files, and coverage does not.
BESIDES = {
    "pycdf/kernels/code_cache.py": ("tests/kernels/test_jit_cache.py",),
    "pycdf/kernels/compile.py": ("tests/kernels/test_jit_cache.py",),
    "pycdf/__main__.py": ("tests/cli/test_cli.py",),
}
# As plain Python the kernels are slow: these tests cover them, and others would take hours.
FOR_KERNELS = ("tests/kernels/", "tests/forest/test_golden.py", "tests/explain/test_evidence.py",
               "tests/explain/test_rank_tests.py", "tests/base_r/")  # fmt: skip


def sources(room: str) -> list[Path]:
    """The modules of a room."""
    package = ROOT / "pycdf"
    return sorted(package.glob("*.py") if room == "top" else (package / room).rglob("*.py"))


def choose(room: str, sample: int | None, seed: int) -> list[Mutant]:
    """The mutants of a room, or a sample spread evenly over its modules."""
    found = []
    for path in sources(room):
        file = path.relative_to(ROOT).as_posix()
        some = mutants_of(file, path.read_text(encoding="utf-8"))
        random.Random(f"{seed} {file}").shuffle(some)
        found += some
    if sample is None or sample >= len(found):
        return found
    return [found[int((i + 0.5) * len(found) / sample)] for i in range(sample)]


def test_files(plain: bool) -> list[str]:
    """All files of tests that are used."""
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    kept = [file for file in sorted(files) if not file.startswith(LEFT_OUT)]
    return [file for file in kept if not plain or file.startswith(FOR_KERNELS)]


def maps(copies: list[runner.Copy], plain: bool) -> dict[str, coverage_map.FileMap]:
    """What the tests of every file run, measured now or kept from before."""
    # Helpers beside the tests may hold their cases.
    package = coverage_map.hash_of(ROOT / "pycdf", *sorted((ROOT / "tests").glob("*.py")))
    folder = WORK / "maps"
    folder.mkdir(parents=True, exist_ok=True)
    kept, tasks = {}, []
    for file in test_files(plain):
        tests = coverage_map.hash_of(ROOT / file)
        path = folder / f"{Path(file).stem}-{package[:12]}-{tests[:12]}-{plain:d}.json"
        kept[file] = path

        def measure(copy: runner.Copy, file: str = file, path: Path = path) -> int:
            coverage_map.save(coverage_map.measure(file, copy.folder), path)
            return 0

        if not path.exists():
            log = WORK / "logs" / f"{Path(file).stem}.log"
            tasks.append(runner.Task(file, measure, log, 900, plain))
    for task, code in runner.run_all(tasks, copies):
        if code != 0:
            print(f"{task.name} could not be measured: see {task.log}", flush=True)
    return {file: coverage_map.load(path) for file, path in kept.items() if path.exists()}


def tests_for(
    mutant: Mutant, measured: dict[str, coverage_map.FileMap], budget: float
) -> list[list[str]]:
    """The tests that run the changed lines, by file: the room's own first, then cheap ones."""
    groups = []
    room = mutant.file.split("/")[1]
    for file, found in measured.items():
        by_line = found.lines.get(mutant.file, {})
        lines = by_line if mutant.import_time else mutant.lines
        names = {name for line in lines for name in by_line.get(line, ())}
        if file in BESIDES.get(mutant.file, ()):
            names = set(found.cost)
        if names:
            far = not file.startswith(f"tests/{room}/")
            groups.append((far, sum(found.cost[name] for name in names), file, names))
    chosen = []
    for _, _, file, names in sorted(groups):
        cost, kept = measured[file].cost, set()
        for name in sorted(names, key=cost.__getitem__):
            if cost[name] <= budget:
                budget -= cost[name]
                kept.add(name)
        if kept:
            chosen.append([name for name in cost if name in kept])
    return chosen


def task_of(
    mutant: Mutant, groups: list[list[str]], limit: float, plain: bool, is_warm: bool
) -> runner.Task:
    """The tests of a mutant, in a new process or in one that has imported everything."""

    def work(copy: runner.Copy) -> int:
        before = (ROOT / mutant.file).read_text(encoding="utf-8")
        if is_warm and not warm.put_in(copy.folder / mutant.file, before, mutant.source):
            return warm.COLD
        return runner.run_tests(groups)

    log = WORK / "logs" / f"{mutant.name}.log"
    return runner.Task(mutant.name, work, log, limit, plain, (mutant.file, mutant.source))


def run_room(room: str, options: argparse.Namespace, copies: list[runner.Copy]) -> Counter[str]:
    """Run the mutants of a room; print those that survived; count."""
    mutants = choose(room, options.sample, options.seed)
    if options.only:
        mutants = [one for one in choose(room, None, 0) if one.name in options.only]
    by_name = {one.name: one for one in mutants if not is_listed(one)}
    counts = Counter(equivalent=len(mutants) - len(by_name))
    plain = room == "kernels"
    measured = maps(copies, plain) if by_name else {}
    groups = {name: tests_for(one, measured, options.budget) for name, one in by_name.items()}

    def told(name: str) -> None:
        tests = sum(map(len, groups[name]))
        print(f"survived {tests} tests: {describe(by_name[name])}", flush=True)

    for name in by_name:
        if not groups[name]:
            counts[runner.SURVIVED] += 1
            told(name)
    for name, code in codes_of(by_name, groups, options, copies, plain):
        answer = runner.judge(code)
        counts[answer] += 1
        if answer == runner.SURVIVED:
            told(name)
    return counts


def codes_of(
    by_name: dict[str, Mutant],
    groups: dict[str, list[list[str]]],
    options: argparse.Namespace,
    copies: list[runner.Copy],
    plain: bool,
) -> Iterator[tuple[str, int | None]]:
    """The exit codes of mutants that have tests: warm where possible, then in new processes."""
    limit = 60 + 3 * options.budget
    files = sorted({names[0].split("::")[0] for some in groups.values() for names in some})
    run = [name for name in by_name if groups[name]]
    cold = [name for name in run if by_name[name].import_time]
    tasks = [
        task_of(by_name[name], groups[name], limit, plain, True)
        for name in run
        if not by_name[name].import_time
    ]
    for task, code in warm.run_all(tasks, copies, files, WORK / "logs" / "warm.log"):
        if code == warm.COLD:
            cold.append(task.name)
        else:
            yield task.name, code
    tasks = [task_of(by_name[name], groups[name], limit, plain, False) for name in cold]
    for task, code in runner.run_all(tasks, copies):
        yield task.name, code


def describe(mutant: Mutant) -> str:
    """A mutant, to be read."""
    where = f"{mutant.file}:{mutant.lines.start} {mutant.function}"
    return f"{mutant.name} {where} ({mutant.operator})\n    - {mutant.before}\n    + {mutant.after}"


def main() -> int:
    """Parse the command line, run, print the table."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "nox -s mutants --", description=__doc__, formatter_class=layout
    )
    parser.add_argument("rooms", nargs="*", metavar="room", help=" ".join(ROOMS))
    parser.add_argument("--sample", type=int, help="how many mutants of each room")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time")
    parser.add_argument(
        "--budget", type=float, default=20, help="seconds of processor time for a mutant's tests"
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these mutants")
    parser.add_argument("--list", action="store_true", help="list mutants and run nothing")
    options = parser.parse_args()
    rooms = options.rooms or ROOMS
    if unknown := set(rooms) - set(ROOMS):
        parser.error(f"no such room: {', '.join(sorted(unknown))}; choose from {' '.join(ROOMS)}")
    if not options.rooms and options.sample is None and not options.only:
        options.sample = 40
    if options.list:
        for room in rooms:
            for mutant in choose(room, options.sample, options.seed):
                print(describe(mutant))
        return 0
    (WORK / "logs").mkdir(parents=True, exist_ok=True)
    runner.import_large_libraries()
    os.chdir(ROOT)
    copies = [runner.Copy(ROOT / "pycdf", WORK / f"copy{i}") for i in range(options.jobs)]
    table, failed = [], False
    for room in rooms:
        begin = time.monotonic()
        counts = run_room(room, options, copies)
        noticed, lived = counts["killed"] + counts["timeout"], counts["survived"]
        share = noticed / max(1, noticed + lived)
        failed |= share < FLOOR
        table.append(
            f"{room:11}{counts['killed']:8}{counts['timeout']:9}{lived:10}"
            f"{counts['equivalent']:12}{share:9.1%}{time.monotonic() - begin:8.0f} s"
        )
        print(HEADER, *table, sep="\n", flush=True)
    for name in options.only or ():
        print((WORK / "logs" / f"{name}.log").read_text())
    for room in rooms if options.only else ():
        for mutant in choose(room, None, 0):
            if mutant.name in options.only:
                print(entry_text(mutant))
    return int(failed)


HEADER = "\nroom         killed  timeout  survived  equivalent  noticed    time"

if __name__ == "__main__":
    sys.exit(main())
