"""Run the experiment: every method on the same random splits of every data set.

In go data sets, methods and the number of splits; out comes a :class:`Comparison`. Work is handed
out split by split, so that what is there at any time is a fair comparison on fewer splits. With an
output folder each answer is kept as it comes (:mod:`pycdf.experiment.records`), and the same call
goes on where the last one stopped.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from pycdf.experiment import manifest as manifests
from pycdf.experiment import tables
from pycdf.experiment.data import DataSet, Reading, read_sets
from pycdf.experiment.measures import MEASURES, SMALL_IS_GOOD
from pycdf.experiment.methods import Method, find
from pycdf.experiment.paper import PaperSet, check, recognise
from pycdf.experiment.records import FAILED, ONE_CLASS, Journal, Record, tidy
from pycdf.experiment.report import FILES, write
from pycdf.experiment.specs import split_list
from pycdf.experiment.splits import check_splits
from pycdf.experiment.statistics import Paired, compare_methods
from pycdf.experiment.worker import Task, run, stored
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.notes import InputWarning
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import plural

PAPER_METHODS = ("cdf", "cart", "rf", "rrf", "xgb", "knn", "rknn", "svm")
RECORDS = "records.jsonl"


@dataclass(frozen=True, eq=False)
class Comparison:
    """What came out of a comparison."""

    results: pd.DataFrame
    """One row per data set, method and split: rows in both parts, the measures, and the
    parameters that tuning chose."""
    failures: pd.DataFrame
    """What could not be done: data set, method, split, message. No method: the data set cannot
    be read; no split: none could be tried."""
    methods: dict[str, str]
    """Names and titles of the methods that ran, in order."""
    data: tuple[str, ...]
    """Names of the data sets, in order."""
    manifest: dict[str, Any]
    """Versions, seeds, parameters and checksums: what is needed to repeat the run."""
    notes: tuple[str, ...]
    """What was guessed or left out."""
    seconds: pd.DataFrame = field(repr=False)
    """Time of each fit: data, method, split, seconds."""
    paper: dict[str, PaperSet] = field(repr=False)
    """The paper's data sets among ``data``, recognised by rows, columns and class sizes."""
    warnings: pd.DataFrame = field(repr=False)
    """What the methods' libraries warned of: data, method, split, message."""

    def table(self, measure: str = "accuracy") -> tables.Table:
        """Means in the paper's form; ``.means`` is the DataFrame."""
        if measure not in MEASURES:
            raise ValueError(f"there is no measure {measure!r}: pass one of {', '.join(MEASURES)}.")
        return tables.table(self.results, measure, self.data, self.methods)

    def paired(self, measure: str = "accuracy", alpha: float = 0.05) -> Paired:
        """Friedman, Wilcoxon and Nemenyi over data sets: CDF, else the first, against the rest."""
        means = self.table(measure).means
        if measure in SMALL_IS_GOOD:
            means = -means
        titles = means.dropna(axis=1, how="all").columns.tolist()
        if not titles:
            raise ValueError(f"no method has a {measure}: there is nothing to compare.")
        cdf = self.methods.get("cdf", "")
        return compare_methods(means, cdf if cdf in titles else titles[0], alpha)

    @cached_property
    def checked(self) -> pd.DataFrame:
        """Our means beside the paper's figures (see :mod:`pycdf.experiment.paper`)."""
        return check(self.results, self.paper, list(self.methods))

    def save(self, folder: str | Path) -> list[Path]:
        """Write results, tables, tests and pictures; return the files."""
        return write(self, Path(folder))

    def __repr__(self) -> str:
        lines = [
            f"Comparison of {plural(len(self.methods), 'method')} on "
            f"{plural(len(self.data), 'data set')}, {self.manifest['splits']} splits, "
            f"seed {self.manifest['seed']}, {'tuned' if self.manifest['tuned'] else 'not tuned'}"
        ]
        if len(self.results):
            lines.append(self.table().means.round(tables.DIGITS).to_string())
        if len(self.failures):
            lines.append(f"{plural(len(self.failures), 'failure')}: see .failures")
        return "\n".join(lines)


def compare(
    data: Any = None,
    methods: str | Iterable[Any] = PAPER_METHODS,
    splits: int = 500,
    seed: int = 1,
    *,
    quick: bool = False,
    jobs: int | None = None,
    output: str | Path | None = None,
    label: str | None = None,
    drop: Sequence[str] = (),
    sep: str | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare methods on random 70/30 splits, as the paper does.

    Parameters
    ----------
    data
        Paths of tables, or of folders of them; or a dictionary of names and ``(X, y)``. None is
        the shipped DARWIN.
    methods
        Names of the paper's methods, dotted names of scikit-learn style estimators, such as
        ``"lr=sklearn.linear_model.LogisticRegression(C=0.1)"``, or estimators.
    splits, seed
        Split i, from 1, is R's ``set.seed(seed + i); sample(n, floor(0.7 * n))``. Every method on
        it starts from ``seed + i``.
    quick
        Skip the tuning by 10-fold cross-validation inside the training rows.
    jobs
        Processes; None is one, or what ``joblib.parallel_config`` says, which may also name
        another backend, such as dask. The numbers are the same.
    output
        A folder for everything that comes out. Each answer is kept there as it comes, and the same
        call goes on where the last one stopped.
    label
        The label column of tables; by default the one called Y, class, label or target.
    drop
        Columns of tables to leave out, such as the patient's number.
    sep
        What stands between the cells of tables; by default it is found out.
    progress
        Whether to show what is done and the time left, on stderr if that is a terminal.
    """
    check_splits(splits, seed)
    check_jobs(jobs, "jobs")
    found = find_all(methods)
    reading = read_sets(data, label, drop=[drop] if isinstance(drop, str) else drop, sep=sep)
    for note in reading.notes:
        warnings.warn(note, InputWarning, stacklevel=2)
    done = run_experiment(
        reading, found, splits, seed, quick=quick, jobs=jobs, output=output, progress=progress
    )
    if output is not None:
        done.save(output)
    return done


def find_all(methods: str | Iterable[Any]) -> list[Method]:
    """The methods, each once."""
    if isinstance(methods, str):
        methods = split_list(methods)
    elif hasattr(methods, "fit"):
        methods = [methods]
    elif not isinstance(methods, Iterable):
        raise TypeError(f"methods is {methods!r}: pass names or estimators, such as ['cdf', 'rf'].")
    found = [find(one) for one in methods]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"two methods are called {name!r}: give one another name, as in mine={name}, or "
                f"in Python ('mine', estimator)."
            )
    if not found:
        raise ValueError("methods is empty: name at least one, such as cdf.")
    return found


def run_experiment(
    reading: Reading,
    methods: Sequence[Method],
    splits: int,
    seed: int,
    *,
    quick: bool = False,
    jobs: int | None = None,
    output: str | Path | None = None,
    progress: bool = False,
) -> Comparison:
    """Do what is not done yet, and gather all of it."""
    missing = {one.name: reason for one in methods if (reason := one.unavailable())}
    ready = [one for one in methods if one.name not in missing]
    made = manifests.build(reading.sets, ready, seed=int(seed), splits=int(splits), quick=quick)
    folder = None if output is None else Path(output)
    if folder is not None:
        _refuse_others(folder)
        folder.mkdir(parents=True, exist_ok=True)
    with Journal(None if folder is None else folder / RECORDS) as journal:
        if folder is not None:
            manifests.keep(made, folder / manifests.FILE, started=_has_results(journal, folder))
        with (
            ProgressBar(unit="fits") if progress else nullcontext() as report,
            stored(reading.sets, folder) as files,
        ):
            total = splits * len(reading.sets) * len(ready)
            for done in _work(reading.sets, files, ready, splits, seed, not quick, jobs, journal):
                if report is not None:
                    report(done, total)
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
        seconds=pd.DataFrame(
            [(one.data, one.method, one.split, one.seconds) for one in wanted],
            columns=["data", "method", "split", "seconds"],
        ),
        paper={one.name: known for one in reading.sets if (known := recognise(one)) is not None},
        warnings=pd.DataFrame(
            [(one.data, one.method, one.split, told) for one in wanted for told in one.warnings],
            columns=["data", "method", "split", "message"],
        ),
    )


def _has_results(journal: Journal, folder: Path) -> bool:
    """Also those of a comparison that was saved from Python."""
    return bool(journal.records) or (folder / FILES[0]).exists()


def _refuse_others(folder: Path) -> None:
    """Stop at a folder with files of other origin that would be written over."""
    if (folder / manifests.FILE).exists() or (folder / RECORDS).exists():
        return
    for name in FILES:
        if (folder / name).exists():
            raise ValueError(
                f"{folder} has a {name} that is of no comparison and would be lost: name another "
                "folder, or move it."
            )


def _work(
    sets: Sequence[DataSet],
    files: dict[str, str],
    methods: Sequence[Method],
    splits: int,
    seed: int,
    tuned: bool,
    jobs: int | None,
    journal: Journal,
) -> Iterator[int]:
    """Do what is not settled, keep each answer, and yield how many there are."""
    from joblib import Parallel, delayed

    open_keys = [
        (one, method, i)
        for i in range(1, splits + 1)
        for one in sets
        for method in methods
        if not _settled(journal, one, method, i)
    ]
    done = splits * len(sets) * len(methods) - len(open_keys)
    tasks = (
        delayed(run)(Task(one.name, files[one.name], one.y, method, i, seed, tuned))
        for one, method, i in open_keys
    )
    # One task at a time: an answer is kept as soon as it is there.
    pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    try:
        for record in pool(tasks):
            journal.add(record)
            done += 1
            yield done
    except BrokenProcessPool:
        raise ValueError(
            f"a process ended with its work undone, after {done:,} fits: out of memory? With an "
            "output folder the same call goes on from there; fewer jobs need less memory."
        ) from None


def _settled(journal: Journal, one: DataSet, method: Method, i: int) -> bool:
    known = journal.records.get((one.name, method.name, i))
    return known is not None and known.settled


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
