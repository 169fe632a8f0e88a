"""The program `pycdf` and its commands: `train`, `predict`, `run`, `cv`, `compare`, `plot`, ...

Tables go to stdout or to files; notes, progress and errors go to stderr. The commands themselves
are in :mod:`pycdf.cli.run_forest`, which is imported only when one of them runs, so that
`pycdf --help` and shell completion do not wait for numba. Exit codes: 0 for success, 1 for unusable
data, 2 for a wrong command line.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from pycdf import __version__
from pycdf.cli.compare import compare
from pycdf.cli.plot import plot_command, report_command
from pycdf.cli.table_options import reading_options

_DATA = "FILE is CSV, TSV or Parquet, gzipped or not; - is stdin."


_DISK_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


class Program(click.Group):
    """A group of commands that reports errors in one line, without usage or traceback."""

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run a command, and exit with the matching code."""
        extra["standalone_mode"] = False
        try:
            code = super().main(args, **extra)
            sys.stdout.flush()
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "pycdf"
            click.echo(f"{command}: {error.format_message()}", err=True)
            click.echo(f"Try '{command} --help'.", err=True)
            sys.exit(2)
        except click.ClickException as error:
            _fail(error.format_message())
        except (click.Abort, KeyboardInterrupt):
            click.echo("", err=True)
            sys.exit(130)
        except BrokenPipeError:  # the reader, such as `head`, has stopped reading
            _close_stdout()
            sys.exit(1)
        except OSError as error:
            name = error.filename
            if name is None and error.errno in _DISK_FULL:
                name = "stdout"
                _close_stdout()
            what = error.strerror or str(error)
            _fail(f"{name}: {what}" if name else what)
        except (ValueError, TypeError) as error:
            _fail(str(error))
        sys.exit(code if isinstance(code, int) else 0)


def _close_stdout() -> None:
    """Send what is left of the output to nowhere: Python would try again to write it on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str) -> None:
    click.echo(f"pycdf: {message}", err=True)
    sys.exit(1)


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator; --help lists them in this order."""

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_FILE = click.Path(allow_dash=True)
_label = click.option("-y", "--label", required=True, metavar="COLUMN", help="The label column.")
_id = click.option(
    "--id", "ids", multiple=True, metavar="COLUMN",
    help="A column that identifies rows: copied to the output, not a feature. May be repeated.",
)  # fmt: skip
_drop = click.option(
    "--drop", multiple=True, metavar="COLUMN", help="A column to leave out. May be repeated."
)
_output = click.option(
    "-o", "--output", type=_FILE, default="-", metavar="FILE",
    help="The file to write: .csv, .tsv or .parquet, optionally .gz (default: CSV on stdout).",
)  # fmt: skip
_seed = click.option(
    "--seed", type=int, help="As in R's set.seed (default: a random one, printed on stderr)."
)
_jobs = click.option(
    "--jobs", type=int, default=1, show_default=True, help="Cores to use; -1 means all.",
    callback=lambda _ctx, _param, value: _check_jobs(value),
)  # fmt: skip
_parameters = _options(
    click.option("--ntrees", type=int, default=500, show_default=True, help="Number of trees."),
    click.option("--depth", type=int, default=3, show_default=True, help="Levels of splits."),
    click.option(
        "--mnode", type=int, default=3, show_default=True, help="Rows that a node needs to split."
    ),
    click.option("--k", type=int, help="Features selected in a node (default: round(2 log(p)))."),
    click.option("--mtry", type=int, help="Features drawn in a node (default: round(0.2 p))."),
    _seed,
    click.option(
        "--collation", type=click.Choice(["icu", "C"]), default="icu", show_default=True,
        help="Order of labels, for ties in a leaf: as in R's usual locales, or as in C.",
    ),
    click.option(
        "--streams", type=click.Choice(["r", "per_tree"]), default="r", show_default=True,
        help="One random stream for all trees, as in R, or one per tree, to use several --jobs.",
    ),
    _jobs,
)  # fmt: skip


def _check_jobs(value: int) -> int:
    if value == 0:
        raise click.BadParameter("there must be at least one: pass 1 or more, or -1 for all cores.")
    return value


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="pycdf %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """R's centroid decision forest (CRAN package CDF 0.1.0), reproduced bit for bit.

    \b
    Examples:
      pycdf train train.csv -y diagnosis -o model.cdf --seed 1
      pycdf predict model.cdf new.csv --id patient -o predictions.csv
      pycdf run train.csv test.csv -y diagnosis --seed 1
      pycdf cv data.csv.gz -y diagnosis --folds 10 --seed 1
      pycdf compare data.csv.gz --splits 20 --quick -o results/
      pycdf importance model.cdf -n 20
      pycdf plot tree model.cdf -o tree.svg
      pycdf report model.cdf -o report.html --data train.csv -y diagnosis
      zcat data.csv.gz | pycdf predict model.cdf - > predictions.csv

    Tables are CSV, TSV or Parquet, gzipped or not; - is stdin or stdout.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command(epilog=_DATA, short_help="Grow a forest and save it in a model file.")
@click.argument("data", type=_FILE, metavar="FILE")
@_label
@click.option(
    "-o", "--output", type=click.Path(), required=True, metavar="MODEL",
    help="The model file to write, such as model.cdf.",
)  # fmt: skip
@_options(_parameters, _id, _drop, reading_options)
def train(**given: Any) -> None:
    """Grow a forest on the rows of FILE and save it in a model file.

    The data are cleaned as in R: columns that are constant or not numeric are ignored, and rows
    without a label are dropped. Notes on stderr list these changes.

    \b
    Example:
      pycdf train train.csv -y diagnosis --id patient -o model.cdf --seed 1
    """
    _commands().train(**given)


@main.command(epilog=_DATA, short_help="Predict labels and probabilities.")
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.argument("data", type=_FILE, metavar="FILE")
@_output
@click.option(
    "-y", "--label", metavar="COLUMN",
    help="Compare with the labels in this column; the accuracy is printed on stderr.",
)  # fmt: skip
@click.option("--labels-only", is_flag=True, help="Omit the probabilities.")
@_options(_id, reading_options, _jobs)
def predict(**given: Any) -> None:
    """Predict the rows of FILE: a label, and the share of trees that vote for each class.

    Columns are matched by name, in any order; additional columns are ignored.

    \b
    Examples:
      pycdf predict model.cdf new.csv --id patient -o predictions.csv
      zcat new.csv.gz | pycdf predict model.cdf - | head
    """
    _commands().predict(**given)


@main.command(epilog=_DATA, short_help="Train on one file and predict another, as CDF() in R.")
@click.argument("train", type=_FILE, metavar="TRAIN")
@click.argument("test", type=_FILE, metavar="TEST")
@_label
@_output
@_options(_parameters, _id, _drop, reading_options)
def run(**given: Any) -> None:
    """Train on TRAIN and predict TEST without saving a model, as R's CDF(xtrain, ytrain, xtest).

    If TEST has the label column, too, the accuracy is printed on stderr.

    \b
    Example:
      pycdf run train.csv test.csv -y diagnosis --seed 1 -o predictions.csv
    """
    _commands().run(**given)


@main.command(epilog=_DATA, short_help="Cross-validate: accuracy and kappa.")
@click.argument("data", type=_FILE, metavar="FILE")
@_label
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True)
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--predictions", type=_FILE, metavar="FILE", help="Also write the prediction for each row."
)
@_output
@_options(_parameters, _id, _drop, reading_options)
def cv(**given: Any) -> None:
    """Cross-validate on the rows of FILE: accuracy and Cohen's kappa, fold by fold.

    Folds are stratified and drawn from R's random stream, which then also grows the forests: a few
    lines of R give the same results (docs/command-line.md).

    \b
    Example:
      pycdf cv data.csv -y diagnosis --folds 5 --repeats 3 --seed 1
    """
    _commands().cv(**given)


main.add_command(_options(_drop, _jobs)(compare))


@main.command(short_help="Show how often each feature was selected.")
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.option("-n", "--top", type=click.IntRange(1), help="Show only so many features.")
@_output
def importance(**given: Any) -> None:
    """Show how often each feature was selected, as a share of all selections.

    \b
    Example:
      pycdf importance model.cdf -n 20
    """
    _commands().importance(**given)


@main.command(short_help="Describe a model file.")
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for other programs.")
def describe(**given: Any) -> None:
    """Describe a model file: its forest, classes, columns and parameters.

    \b
    Example:
      pycdf describe model.cdf
    """
    _commands().describe(**given)


main.add_command(plot_command(_options(_id, _drop, reading_options)))
main.add_command(report_command(_options(_id, _drop, reading_options)))


@main.command(short_help="Train and test a forest on the DARWIN data.")
@click.option("--seed", type=int, default=2025, show_default=True, help="As in R's set.seed.")
def demo(seed: int) -> None:
    """Train and test a forest on the DARWIN data; show the R code with the same results."""
    from pycdf.cli.run_demo import show

    show(seed)


@main.command(short_help="Print a script for tab completion in your shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script that lets your shell complete commands and options.

    \b
    Examples:
      echo 'eval "$(pycdf completion bash)"' >> ~/.bashrc
      echo 'eval "$(pycdf completion zsh)"' >> ~/.zshrc
      pycdf completion fish > ~/.config/fish/completions/pycdf.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None  # click supports these three
    click.echo(found(main, {}, "pycdf", "_PYCDF_COMPLETE").source())


def _commands() -> Any:
    from pycdf.cli import run_forest as commands

    return commands
