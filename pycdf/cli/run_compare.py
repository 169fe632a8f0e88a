"""The command `pycdf compare`: print tables on stdout, and write all results to a folder.

:mod:`pycdf.cli.compare` declares the options; :mod:`pycdf.experiment.running` runs the experiment.
"""

import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from pycdf.cli.console import say
from pycdf.experiment import paper, report, tables
from pycdf.experiment.comparison import Comparison
from pycdf.experiment.data import Reading, read_sets
from pycdf.experiment.designs import Design
from pycdf.experiment.measures import MEASURES
from pycdf.experiment.methods import find_all, with_scaling
from pycdf.experiment.running import RECORDS, run_experiment
from pycdf.experiment.splits import check_splits, count_splits
from pycdf.experiment.tables import Spread
from pycdf.files.tables.options import ReadOptions
from pycdf.support.progress import duration
from pycdf.support.wording import plural


def compare(
    data: Sequence[str],
    methods: str,
    splits: int | None,
    seed: int,
    quick: bool,
    scale: str,
    stratify: bool,
    groups: str | None,
    folds: int | None,
    repeats: int | None,
    jobs: int,
    output: str,
    label: str | None,
    ids: Sequence[str],
    drop: Sequence[str],
    many_classes: bool,
    reading: ReadOptions,
    check_paper: bool,
    spread: Spread,
    dask: str | None,
) -> int:
    """Run or resume a comparison; print and save the results. Returns 1 if there are none."""
    count = count_splits(splits, folds, repeats)
    check_splits(count, seed)
    chosen = with_scaling(find_all(methods), scale)
    found = read_sets(
        list(data) or None, label, drop=(*ids, *drop), groups=groups, reading=reading,
        many_classes=many_classes,
    )  # fmt: skip
    if not data:
        found.notes.append("no data given: using DARWIN, which ships with pycdf")
    if check_paper:
        _keep_paper_sets(found)
    for note in (*found.guesses, *found.notes):
        say(f"note: {note}")
    for name, message in found.failures.items():
        say(f"{name} cannot be used: {message}")
    missing = {one.name: reason for one in chosen if (reason := one.unavailable())}
    for name, reason in missing.items():
        say(f"{name} is unavailable: {reason}")
    if not found.sets:
        raise click.ClickException("there is no data set to compare on.")
    _announce(found, len(chosen) - len(missing), count, quick, output)
    try:
        with _terminable(), _backend(dask):
            done = run_experiment(
                found, chosen, count, seed, design=Design(stratify, groups, folds), quick=quick,
                n_jobs=None if dask else jobs, output=output, progress=True,
            )  # fmt: skip
    except KeyboardInterrupt:
        say(f"stopped. Finished fits are saved in {output}: run the same command to resume.")
        raise
    written = done.save(output, spread)
    _show(done, check_paper, spread)
    if len(done.results) and not any(path.suffix == ".svg" for path in written):
        say("no pictures: they need matplotlib (pip install matplotlib)")
    say(f"{output}: {', '.join(path.name for path in written)}")
    took = duration(done.seconds[["tune", "fit", "predict"]].sum().sum())
    say(f"{plural(len(done.seconds), 'fit')} took {took} in total, each on one core")
    if len(done.failures):
        say("some of the work failed:")
        click.echo(report.failure_lines(done.failures), err=True, nl=False)
    return int(len(done.results) == 0)


def _keep_paper_sets(reading: Reading) -> None:
    """Keep only data sets that the paper uses, and note which is which."""
    matches = [(one, paper.recognise(one)) for one in reading.sets]
    for one, found in matches:
        n, p = one.X.shape
        sizes = "/".join(str(size) for size in one.class_sizes.values())
        shape = f"{n} x {p}, classes {sizes}"
        if found is None:
            reading.notes.append(f"{one.name} ({shape}) is not one of the paper's: left out")
        else:
            other = f"; the paper counts {found.p} columns" if found.p != p else ""
            reading.notes.append(
                f"{one.name} ({shape}) matches the paper's {found.id} {found.name}{other}"
            )
    reading.sets[:] = [one for one, found in matches if found is not None]


def _announce(reading: Reading, methods: int, splits: int, quick: bool, output: str) -> None:
    if (Path(output) / RECORDS).exists():
        say(f"resuming: {output} already has results, which are not computed again")
    how = "not tuned" if quick else "tuned by 10-fold cross-validation (--quick skips it)"
    say(
        f"{plural(len(reading.sets), 'data set')} x {plural(methods, 'method')} x "
        f"{plural(splits, 'split')}, {how}; results go to {output} (Ctrl-C keeps finished fits)"
    )


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM, which batch systems send, end the run as Ctrl-C does, without leftovers."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _backend(address: str | None) -> Iterator[None]:
    """Run the work on the dask scheduler at ``address``; None means on this machine."""
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise click.ClickException("--dask needs dask: pip install distributed.") from None
    from joblib import parallel_config

    connect: Any = Client
    with connect(address), parallel_config(backend="dask"):
        yield


def _show(done: Comparison, check_paper: bool, spread: Spread) -> None:
    """Print tables of accuracy and kappa, with the paper's figures if they are to be checked."""
    if not len(done.results):
        return
    for measure in report.PAPER:
        click.echo(f"{MEASURES[measure]}\n")
        if check_paper:
            click.echo(report.check_tables(done.checked, measure)[0])
        else:
            click.echo(tables.markdown(done.table(measure), report.names(done), spread))
    if check_paper:
        click.echo(paper.verdict_counts(done.checked))
        say("report.md and paper.csv have the standard error and verdict of each figure")
