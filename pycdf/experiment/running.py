"""Run every method on the same splits of every data set, or resume such a run.

The work proceeds split by split, so that the results at any time are a fair comparison on fewer
splits. With an output folder, each result is saved as soon as it is known
(:mod:`pycdf.experiment.records`), and the same call resumes an interrupted run.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from threading import Lock
from typing import Any

import pandas as pd

from pycdf.experiment import manifest as manifests
from pycdf.experiment.comparison import Comparison
from pycdf.experiment.data import Reading
from pycdf.experiment.designs import DEFAULT, Design
from pycdf.experiment.methods import Method
from pycdf.experiment.paper import recognise
from pycdf.experiment.records import FAILED, ONE_CLASS, Journal, Key, Record, tidy, times
from pycdf.experiment.saving import FILES
from pycdf.experiment.worker import Task, run, stored
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import brief, visible

RECORDS = "records.jsonl"


def run_experiment(
    reading: Reading,
    methods: Sequence[Method],
    splits: int,
    seed: int,
    *,
    design: Design = DEFAULT,
    quick: bool = False,
    n_jobs: int | None = None,
    output: str | Path | None = None,
    progress: bool = False,
) -> Comparison:
    """Run what has not been run yet, and collect all results."""
    missing = {one.name: reason for one in methods if (reason := one.unavailable())}
    ready = [one for one in methods if one.name not in missing]
    _check_design(reading, design)
    made = manifests.build(
        reading.sets, ready, seed=int(seed), splits=int(splits), quick=quick, design=design
    )
    folder = None if output is None else Path(output)
    if folder is not None:
        _check_overwriting(folder)
        manifests.check_format(folder)
        folder.mkdir(parents=True, exist_ok=True)
    with Journal(None if folder is None else folder / RECORDS) as journal:
        if folder is not None:
            manifests.keep(made, folder / manifests.FILE, started=_has_results(journal, folder))
        total = splits * len(reading.sets) * len(ready)
        left = [
            (one, method, i)
            for i in range(1, splits + 1)
            for one in reading.sets
            for method in ready
            if not journal.has_settled((one.name, method.name, i))
        ]
        unfinished = {one.name for one, _, _ in left}
        with (
            ProgressBar(progress, "fits", delay=0.0) as bar,
            stored([one for one in reading.sets if one.name in unfinished], folder) as files,
        ):
            tasks = [
                Task(
                    one.name, files[one.name], one.y, one.groups, method, design, i, seed, not quick
                )
                for one, method, i in left
            ]
            _work(tasks, total, n_jobs, journal, bar)
        records = journal.records
    wanted = [
        records[key]
        for one in reading.sets
        for method in ready
        for i in range(1, splits + 1)
        if (key := (one.name, method.name, i)) in records
    ]
    return Comparison(
        results=tidy(wanted),
        failures=_failures(reading, missing, wanted),
        methods={one.name: one.title for one in ready},
        data=tuple(one.name for one in reading.sets),
        manifest=made,
        notes=(*reading.guesses, *reading.notes),
        seconds=times(wanted),
        paper={one.name: match for one in reading.sets if (match := recognise(one)) is not None},
        warnings=pd.DataFrame(
            [(one.data, one.method, one.split, text) for one in wanted for text in one.warnings],
            columns=["data", "method", "split", "message"],
        ),
    )


def _has_results(journal: Journal, folder: Path) -> bool:
    """Whether a folder has results, including those of ``Comparison.save``."""
    return bool(journal.records) or (folder / FILES[0]).exists()


def _check_overwriting(folder: Path) -> None:
    """Refuse a folder if files that are not from a comparison would be overwritten."""
    if (folder / manifests.FILE).exists() or (folder / RECORDS).exists():
        return
    for name in FILES:
        if (folder / name).exists():
            raise ValueError(
                f"{visible(str(folder))} has a {name} that is not from a comparison and would be "
                "overwritten: "
                "choose another folder, or move the file."
            )


def _check_design(reading: Reading, design: Design) -> None:
    """Move data sets that cannot be divided by the design to the failures."""
    for one in list(reading.sets):
        try:
            design.check(one.y, one.groups)
        except ValueError as error:
            reading.sets.remove(one)
            reading.fail(one.name, one.source, f"{brief(one.name)}: {error}")


def _work(
    tasks: Sequence[Task],
    total: int,
    n_jobs: int | None,
    journal: Journal,
    report: Callable[[int, int, str], None],
) -> None:
    """Run the tasks that are left of ``total``; save each result as soon as it is known."""
    from joblib import Parallel, delayed

    done = total - len(tasks)
    handed_out: dict[Key, str] = {}  # the first one that is not back is at work
    lock = Lock()  # joblib asks for tasks in threads of its own

    def tell() -> None:
        report(done, total, next(iter(handed_out.values()), ""))

    def hand_out() -> Iterator[Any]:
        for task in tasks:
            with lock:
                handed_out[task.key] = f"{brief(task.data)}, {brief(task.method.title)}"
                tell()
            yield delayed(run)(task)

    # Batches of one task, so that each result is saved as soon as it is known
    pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    try:
        for record in pool(hand_out()):
            journal.add(record)
            with lock:
                del handed_out[record.key]
                done += 1
                tell()
    except BrokenProcessPool:
        raise ValueError(
            f"a worker process died after {done:,} fits, perhaps out of memory. With an output "
            "folder, the same call resumes from there; fewer jobs need less memory."
        ) from None


def _failures(reading: Reading, missing: dict[str, str], records: list[Record]) -> pd.DataFrame:
    rows: list[tuple[str, str, int | None, str]] = [
        (name, "", None, message) for name, message in reading.failures.items()
    ]
    rows += [("", name, None, f"unavailable: {reason}") for name, reason in missing.items()]
    rows += [
        (one.data, one.method, one.split, one.message)
        for one in records
        if one.status in (FAILED, ONE_CLASS)
    ]
    frame = pd.DataFrame(rows, columns=["data", "method", "split", "message"])
    return frame.astype({"split": "Int64"})
