"""``compare``: run every method on the same random splits of every data set.

The work proceeds split by split, so that the results at any time are a fair comparison on fewer
splits. With an output folder, each result is saved as soon as it is known
(:mod:`pycdf.experiment.records`), and the same call resumes an interrupted run.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pandas as pd

from pycdf.experiment import manifest as manifests
from pycdf.experiment.comparison import Comparison
from pycdf.experiment.data import DataSet, Reading, read_sets
from pycdf.experiment.methods import Method, find
from pycdf.experiment.paper import recognise
from pycdf.experiment.records import FAILED, ONE_CLASS, Journal, Record, tidy
from pycdf.experiment.report import FILES
from pycdf.experiment.specs import split_list
from pycdf.experiment.splits import check_splits
from pycdf.experiment.worker import Task, run, stored
from pycdf.files.tables.options import ReadOptions
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.notes import InputWarning
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import brief, shown, visible

PAPER_METHODS = ("cdf", "cart", "rf", "rrf", "xgb", "knn", "rknn", "svm")
RECORDS = "records.jsonl"


def compare(
    data: Any = None,
    methods: str | Iterable[Any] = PAPER_METHODS,
    splits: int = 500,
    seed: int = 1,
    *,
    quick: bool = False,
    n_jobs: int | None = None,
    output: str | Path | None = None,
    label: str | None = None,
    drop: Sequence[str] = (),
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    transpose: bool = False,
    progress: bool = False,
) -> Comparison:
    """Compare methods on random splits into 70 % training and 30 % test rows, as in the paper.

    Parameters
    ----------
    data : str, Path, iterable of these, or dict, default=None
        Paths of tables (CSV, Excel, ...) or of folders of tables, or a dictionary of names and
        pairs ``(X, y)``. None means the DARWIN data that ship with pycdf.
    methods : str or iterable, default=the paper's eight methods
        Names of the paper's methods; full names of scikit-learn estimator classes, such as
        ``"lr=sklearn.linear_model.LogisticRegression(C=0.1)"``; or estimators.
    splits : int, default=500
        Number of splits. Split i, counted from 1, is R's
        ``set.seed(seed + i); sample(n, floor(0.7 * n))``.
    seed : int, default=1
        Every method on split i uses the seed ``seed + i``.
    quick : bool, default=False
        Whether to skip tuning by 10-fold cross-validation within the training rows.
    n_jobs : int or None, default=None
        Number of processes. None means one, unless ``joblib.parallel_config`` says otherwise; it
        can also choose another backend, such as dask. The results are the same.
    output : str or Path, default=None
        A folder for all results. Each result is saved there as soon as it is known, and the same
        call resumes an interrupted run. None writes nothing.
    label : str, default=None
        The label column of tables. None means the one called Y, class, label or target.
    drop : str or sequence of str, default=()
        Columns of tables to leave out, such as a patient id.
    sep : str, default=None
        The column separator of text files. None detects it.
    decimal : str, default=None
        The decimal mark of numbers in text files, "." or ",". None detects it.
    encoding : str, default=None
        The encoding of text files, such as "latin-1". None detects it.
    sheet : str, default=None
        The sheet of workbooks, by name or number, or the object in .RData files.
    transpose : bool, default=False
        Whether the files have features in rows and samples in columns.
    progress : bool, default=False
        Whether to show progress and the time left on stderr, if that is a terminal.

    Returns
    -------
    Comparison
        The results of all splits, with tables and statistical tests.

    Examples
    --------
    >>> from pycdf import compare
    >>> compare(methods=["cdf(ntrees=20)", "knn", "cart"], splits=5, quick=True)
    Comparison of 3 methods on 1 data set, 5 splits, seed 1, not tuned
            cdf(ntrees=20)    kNN   CART
    data
    darwin           0.872  0.706  0.766
    """
    check_splits(splits, seed)
    check_jobs(n_jobs)
    found = find_all(methods)
    reading = read_sets(
        data,
        label,
        drop=[drop] if isinstance(drop, str) else drop,
        reading=ReadOptions(sep, decimal, encoding, sheet, transpose),
    )
    for note in reading.notes:
        warnings.warn(note, InputWarning, stacklevel=2)
    done = run_experiment(
        reading, found, splits, seed, quick=quick, n_jobs=n_jobs, output=output, progress=progress
    )
    if output is not None:
        done.save(output)
    return done


def find_all(methods: str | Iterable[Any]) -> list[Method]:
    """Find all methods; two with the same name are refused."""
    if isinstance(methods, str):
        methods = split_list(methods)
    elif hasattr(methods, "fit"):
        methods = [methods]
    elif not isinstance(methods, Iterable):
        raise TypeError(
            f"methods is {shown(methods)}: pass names or estimators, such as ['cdf', 'rf']."
        )
    found = [find(one) for one in methods]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"two methods are called {shown(name)}: rename one, as in mine={brief(name)} or, "
                "in "
                f"Python, ('mine', estimator)."
            )
    if not found:
        raise ValueError("methods is empty: pass at least one, such as cdf.")
    return found


def run_experiment(
    reading: Reading,
    methods: Sequence[Method],
    splits: int,
    seed: int,
    *,
    quick: bool = False,
    n_jobs: int | None = None,
    output: str | Path | None = None,
    progress: bool = False,
) -> Comparison:
    """Run what has not been run yet, and collect all results."""
    missing = {one.name: reason for one in methods if (reason := one.unavailable())}
    ready = [one for one in methods if one.name not in missing]
    made = manifests.build(reading.sets, ready, seed=int(seed), splits=int(splits), quick=quick)
    folder = None if output is None else Path(output)
    if folder is not None:
        _check_overwriting(folder)
        folder.mkdir(parents=True, exist_ok=True)
    with Journal(None if folder is None else folder / RECORDS) as journal:
        if folder is not None:
            manifests.keep(made, folder / manifests.FILE, started=_has_results(journal, folder))
        with (
            ProgressBar(unit="fits") if progress else nullcontext() as report,
            stored(reading.sets, folder) as files,
        ):
            total = splits * len(reading.sets) * len(ready)
            for done in _work(reading.sets, files, ready, splits, seed, not quick, n_jobs, journal):
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


def _work(
    sets: Sequence[DataSet],
    files: dict[str, str],
    methods: Sequence[Method],
    splits: int,
    seed: int,
    tuned: bool,
    n_jobs: int | None,
    journal: Journal,
) -> Iterator[int]:
    """Run what is not settled, save each result, and yield the number of results so far."""
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
    # Batches of one task, so that each result is saved as soon as it is known.
    pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    try:
        for record in pool(tasks):
            journal.add(record)
            done += 1
            yield done
    except BrokenProcessPool:
        raise ValueError(
            f"a worker process died after {done:,} fits, perhaps out of memory. With an output "
            "folder, the same call resumes from there; fewer jobs need less memory."
        ) from None


def _settled(journal: Journal, one: DataSet, method: Method, i: int) -> bool:
    record = journal.records.get((one.name, method.name, i))
    return record is not None and record.settled


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
