"""Change pycdf in small wrong ways, and see whether a test fails.

    nox -s mutants                                    a sample of every room
    nox -s mutants -- files inputs                    every mutant of two rooms
    nox -s mutants -- --sample 60 --seed 1 explain    60 mutants, spread over the room's modules

A mutant is run against the tests that run its line, cheapest files first, until one fails. Those
that no test can notice are listed in `equivalent.toml`, with reasons. Fails when, in a room, fewer
than 95 % of the others are noticed. Kernels run as plain Python; modules that compile them are run
against tests that compile. `--list` only lists mutants; `--only NAME` runs one, shows what its
tests print, and how `equivalent.toml` would list it.
"""

import argparse
import ast
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants import coverage_map, runner, warm
from mutants.equivalent import entry_text, is_listed
from mutants.operators import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "mutants"
FLOOR = 0.95
_LONGEST = 6  # seconds: tests that take longer in plain Python are broken off, and not used
ROOMS = (
    "support", "datasets", "kernels", "base_r", "inputs", "forest", "files", "top", "explain",
    "plots", "report", "experiment", "tuning", "cli",
)  # fmt: skip
# The layout of the sources and whole pages; tests that run tests; a browser takes more memory than
# a mutant may.
LEFT_OUT = (
    "tests/project/", "tests/kernels/test_plain_python.py",
    "tests/report/test_report_in_browser.py",
)  # fmt: skip
# Files of constants, of which no test in particular runs a line; tests that start processes.
BESIDES = {
    "pycdf/kernels/lab_registry.py": ("tests/test_laboratory.py",),
    "pycdf/kernels/simd_sizes.py": ("tests/kernels/test_screen.py",),
    "pycdf/__main__.py": ("tests/cli/test_cli.py",),
    "pycdf/cli/program.py": ("tests/cli/test_program.py",),
    "pycdf/cli/run_warmup.py": ("tests/cli/test_warmup_reach.py",),
}
# Looks at modules and runs nothing of them
OF_SIGNATURES = "tests/test_public_names.py"
# Workers of a cluster take long to start, which is no processor time of a test: these come last.
WITH_WORKERS = ("tests/forest/test_cluster.py",)
# As plain Python the kernels are slow: these tests cover them, and others would take hours.
FOR_KERNELS = (
    "tests/kernels/", "tests/base_r/", "tests/explain/test_evidence.py",
    "tests/explain/test_permutation.py", "tests/explain/test_rank_tests.py",
    "tests/files/test_column_types.py", "tests/files/test_tables.py",
    "tests/forest/test_golden.py", "tests/inputs/test_scaling.py", "tests/test_class_weight.py",
    "tests/test_laboratory.py",
)  # fmt: skip
# Modules that compile kernels and keep them. Plain Python does not run them, and a test of a forest
# would compile all kernels anew for each mutant. These tests compile little, mostly in processes
# that coverage does not see: all of them run.
_CACHE_TESTS = tuple(f"tests/kernels/test_{x}.py" for x in ("jit_cache", "cache_files"))
_FORK_TESTS = (*_CACHE_TESTS, "tests/kernels/test_compile_fork.py")
_CODE_TESTS = (
    "tests/kernels/test_pipeline.py", "tests/kernels/test_vectors.py", *_CACHE_TESTS[:1],
)  # fmt: skip
COMPILING = {
    f"pycdf/kernels/{name}.py": tests
    for names, tests in (
        (("cache_files", "cache_folder", "cache_safety", "notices"), _CACHE_TESTS),
        (("code_cache", "compile_turns"), (*_FORK_TESTS, "tests/kernels/test_warm_start.py")),
        (("compile", "linking", "lowering", "pipeline", "simd", "simd_llvm"), _CODE_TESTS),
    )
    for name in names
}


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


def is_plain(mutant: Mutant) -> bool:
    """Whether it runs with kernels as plain Python."""
    return mutant.file.startswith("pycdf/kernels/") and mutant.file not in COMPILING


def test_files(room: str, plain: bool) -> list[str]:
    """All files of tests that are used for a room."""
    if room == "kernels" and not plain:
        return sorted({file for tests in COMPILING.values() for file in tests})
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    kept = [file for file in sorted(files) if not file.startswith(LEFT_OUT)]
    return [file for file in kept if not plain or file.startswith(FOR_KERNELS)]


def maps(room: str, copies: list[runner.Copy], plain: bool) -> dict[str, coverage_map.FileMap]:
    """What the tests of every file run, measured now or kept from before."""
    package = coverage_map.hash_of(ROOT / "pycdf")
    folder = WORK / "maps"
    folder.mkdir(parents=True, exist_ok=True)
    kept, tasks = {}, []
    for file in test_files(room, plain):
        tests = coverage_map.hash_of(*coverage_map.with_helpers(ROOT / file, ROOT / "tests"))
        path = folder / f"{Path(file).stem}-{package[:12]}-{tests[:12]}-{plain:d}.json"
        kept[file] = path

        def measure(copy: runner.Copy, file: str = file, path: Path = path) -> int:
            longest = _LONGEST if plain else None
            coverage_map.save(coverage_map.measure(file, copy.folder, longest), path)
            return 0

        if not path.exists():
            log = WORK / "logs" / f"{Path(file).stem}.log"
            tasks.append(runner.Task(file, measure, log, 900, plain))
    for task, code in runner.run_all(tasks, copies):
        if code != 0:
            print(f"{task.name} could not be measured: see {task.log}", flush=True)
    return {file: coverage_map.load(path) for file, path in kept.items() if path.exists()}


def lines_with_name_of(mutant: Mutant) -> set[int]:
    """The lines of the module that use the constant of which a mutant changes the value."""
    tree = ast.parse((ROOT / mutant.file).read_text(encoding="utf-8"))
    names = {
        part.id
        for one in tree.body
        if isinstance(one, ast.Assign | ast.AnnAssign)
        and one.lineno <= mutant.lines.start <= (one.end_lineno or one.lineno)
        for part in ast.walk(one)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    used = (one for one in ast.walk(tree) if isinstance(one, ast.Name) and one.id in names)
    return {one.lineno for one in used if isinstance(one.ctx, ast.Load)}


def tests_for(
    mutant: Mutant, measured: dict[str, coverage_map.FileMap], budget: float
) -> list[list[str]]:
    """The tests that run the changed lines, by file: the room's own first, then cheap ones.

    Of a constant these are, before all others, the tests that run a line that uses it.
    """
    groups = []
    _, room, *inside = mutant.file.split("/")
    near = f"tests/{room}/" if inside else "tests/test_"
    looking = (OF_SIGNATURES,) if mutant.import_time else ()
    users = lines_with_name_of(mutant) if mutant.import_time else set()
    for file, found in measured.items():
        by_line = found.lines.get(mutant.file, {})
        names = {name for line in mutant.lines for name in by_line.get(line, ())}
        # Whoever imports the module may see it, and coverage does not tell which tests do.
        imported = mutant.import_time and (by_line or file.startswith(near))
        if mutant.file in COMPILING:
            names = set(found.cost) if file in COMPILING[mutant.file] else set()
        elif imported or file in (*BESIDES.get(mutant.file, ()), *looking):
            names = set(found.cost)
        first = {name for line in users for name in by_line.get(line, ())}
        far = 2 if file in WITH_WORKERS else not file.startswith(near)
        for rank, some in ((-1, first), (far, names - first)):
            if some:
                groups.append((rank, sum(found.cost[name] for name in some), file, some))
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
    measured = {
        plain: maps(room, copies, plain) for plain in sorted({*map(is_plain, by_name.values())})
    }
    groups = {}
    for name, one in by_name.items():
        groups[name] = tests_for(one, measured[is_plain(one)], options.budget)
        if not groups[name]:  # perhaps a function that is called while modules are imported
            by_name[name] = replace(one, import_time=True)
            groups[name] = tests_for(by_name[name], measured[is_plain(one)], options.budget)

    def told(name: str) -> None:
        tests = sum(map(len, groups[name]))
        print(f"survived {tests} tests: {describe(by_name[name])}", flush=True)

    for name in by_name:
        if not groups[name]:
            counts[runner.SURVIVED] += 1
            told(name)
    for plain in measured:
        some = {name: one for name, one in by_name.items() if is_plain(one) == plain}
        limits = {name: limit_of(groups[name], measured[plain]) for name in some}
        for name, code in codes_of(some, groups, limits, copies, plain):
            answer = runner.judge(code)
            counts[answer] += 1
            if answer == runner.SURVIVED:
                told(name)
    return counts


def limit_of(groups: list[list[str]], measured: dict[str, coverage_map.FileMap]) -> float:
    """Seconds of processor time for the tests of a mutant; those that hang wait five times that."""
    costs = [measured[names[0].split("::")[0]].cost[name] for names in groups for name in names]
    return 20 + 4 * sum(costs)


def codes_of(
    by_name: dict[str, Mutant],
    groups: dict[str, list[list[str]]],
    limits: dict[str, float],
    copies: list[runner.Copy],
    plain: bool,
) -> Iterator[tuple[str, int | None]]:
    """The exit codes of mutants that have tests: warm where possible, then in new processes."""
    run = [name for name in by_name if groups[name]]
    files = sorted({names[0].split("::")[0] for name in run for names in groups[name]})
    cold = [name for name in run if by_name[name].import_time]
    tasks = [
        task_of(by_name[name], groups[name], limits[name], plain, True)
        for name in run
        if not by_name[name].import_time
    ]
    for task, code in warm.run_all(tasks, copies, files, WORK / "logs" / "warm.log"):
        if code == warm.COLD:
            cold.append(task.name)
        else:
            yield task.name, code
    tasks = [task_of(by_name[name], groups[name], limits[name], plain, False) for name in cold]
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
