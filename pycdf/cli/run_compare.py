"""What `pycdf compare` does: options in, tables on stdout, files in a folder, the rest on stderr.

:mod:`pycdf.cli.compare` has the options; :mod:`pycdf.experiment.compare` does the work.
"""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from pycdf.cli.console import tell
from pycdf.experiment import paper, pictures, report, tables
from pycdf.experiment.compare import RECORDS, Comparison, find_all, run_experiment
from pycdf.experiment.data import Reading, read_sets
from pycdf.experiment.measures import MEASURES
from pycdf.experiment.splits import check_splits
from pycdf.support.progress import duration
from pycdf.support.wording import plural


def compare(
    data: Sequence[str],
    methods: str,
    splits: int,
    seed: int,
    quick: bool,
    jobs: int,
    output: str,
    label: str | None,
    drop: Sequence[str],
    sep: str | None,
    check_paper: bool,
    dask: str | None,
) -> int:
    """Run, or go on with, a comparison; show and keep what comes out. 1 if there is nothing."""
    check_splits(splits, seed)
    chosen = find_all(methods)
    reading = read_sets(list(data) or None, label, drop=drop, sep=sep)
    if not data:
        reading.notes.append("no data are named: this is DARWIN, which ships with pycdf")
    if check_paper:
        _only_the_papers(reading)
    for note in (*reading.guesses, *reading.notes):
        tell(f"note: {note}")
    for name, message in reading.failures.items():
        tell(f"{name} cannot be used: {message}")
    missing = {one.name: reason for one in chosen if (reason := one.unavailable())}
    for name, reason in missing.items():
        tell(f"{name} is unavailable: {reason}")
    if not reading.sets:
        raise click.ClickException("there is no data set to compare on.")
    _announce(reading, len(chosen) - len(missing), splits, quick, output)
    try:
        with _backend(dask):
            done = run_experiment(
                reading, chosen, splits, seed, quick=quick, jobs=None if dask else jobs,
                output=output, progress=True,
            )  # fmt: skip
    except KeyboardInterrupt:
        tell(f"stopped. What is done is kept in {output}: the same command goes on from there.")
        raise
    written = done.save(output)
    _show(done, check_paper)
    if len(done.results) and not any(path.suffix == ".svg" for path in written):
        tell("no pictures: they need matplotlib (pip install matplotlib)")
    tell(f"{output}: {', '.join(path.name for path in written)}")
    took = duration(done.seconds["seconds"].sum())
    tell(f"{plural(len(done.seconds), 'fit')} took {took}, each on one core")
    if len(done.failures):
        tell("not everything could be done:")
        click.echo(report.failure_lines(done.failures), err=True, nl=False)
    return int(len(done.results) == 0)


def _only_the_papers(reading: Reading) -> None:
    """Keep the data sets that the paper has; say which is which."""
    known = [(one, paper.recognise(one)) for one in reading.sets]
    for one, found in known:
        n, p = one.X.shape
        sizes = "/".join(str(size) for size in one.class_sizes.values())
        shape = f"{n} x {p}, classes {sizes}"
        if found is None:
            reading.notes.append(f"{one.name} ({shape}) is no data set of the paper: left out")
        else:
            other = f"; the paper counts {found.p} columns" if found.p != p else ""
            reading.notes.append(f"{one.name} is {found.id} {found.name} by its {shape}{other}")
    reading.sets[:] = [one for one, found in known if found is not None]


def _announce(reading: Reading, methods: int, splits: int, quick: bool, output: str) -> None:
    if (Path(output) / RECORDS).exists():
        tell(f"{output} has results already: what is there is not done again")
    how = "not tuned" if quick else "tuned by 10-fold cross-validation (--quick skips it)"
    tell(
        f"{plural(len(reading.sets), 'data set')} x {plural(methods, 'method')} x "
        f"{plural(splits, 'split')}, {how}; results go to {output}, and Ctrl-C keeps what is done"
    )


@contextlib.contextmanager
def _backend(address: str | None) -> Iterator[None]:
    """Work goes to the dask scheduler at an address, if there is one."""
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


def _show(done: Comparison, check_paper: bool) -> None:
    """Tables for people: accuracy and kappa, or what the paper has beside ours."""
    if not len(done.results):
        return
    for measure in report.SHOWN:
        click.echo(f"{MEASURES[measure]}\n")
        if check_paper:
            click.echo(report.check_tables(done.checked, measure)[0])
        else:
            names = pictures.titles(done.data, done.paper)
            click.echo(tables.markdown(done.table(measure), names))
    if check_paper:
        click.echo(paper.verdict_counts(done.checked))
        tell("standard errors and verdicts, figure by figure: report.md and paper.csv")
