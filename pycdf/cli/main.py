"""The command line: `pycdf train`, `predict`, `run`, `cv`, `compare`, `importance`, `plot`, ...

In go files and options, out go tables on stdout or in files, and notes, progress and errors on
stderr. What the commands do is in :mod:`pycdf.cli.run_forest`, which is imported only when one is run:
`pycdf --help` and shell completion must not wait for numba. Exit codes: 0, 1 for data that cannot
be used, 2 for a wrong command line.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from pycdf import __version__
from pycdf.cli.compare import compare
from pycdf.cli.plot import plot_command, report_command

_DATA = "FILE is CSV, TSV or Parquet, gzipped or not; - is stdin."


class Program(click.Group):
    """A group of commands that tells errors in a line, without usage or traceback."""

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run, and exit with the code that fits."""
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
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.exit(1)
        except OSError as error:
            what = error.strerror or str(error)
            _fail(f"{error.filename}: {what}" if error.filename else what)
        except (ValueError, TypeError) as error:
            _fail(str(error))
        sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> None:
    click.echo(f"pycdf: {message}", err=True)
    sys.exit(1)


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in their order."""

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_FILE = click.Path(allow_dash=True)
_label = click.option("-y", "--label", required=True, metavar="COLUMN", help="The label column.")
_id = click.option(
    "--id", "ids", multiple=True, metavar="COLUMN",
    help="A column that names rows: kept in the output, not used as a feature. May be repeated.",
)  # fmt: skip
_drop = click.option(
    "--drop", multiple=True, metavar="COLUMN", help="A column to leave out. May be repeated."
)
_sep = click.option(
    "--sep", metavar="CHARACTER", callback=lambda _ctx, _param, value: _one_character(value),
    help="What separates columns in text (default: what the file's name or first line tells).",
)  # fmt: skip
_output = click.option(
    "-o", "--output", type=_FILE, default="-", metavar="FILE",
    help="Where to: .csv, .tsv, .parquet, with .gz if you like (default: CSV on stdout).",
)  # fmt: skip
_seed = click.option(
    "--seed", type=int, help="R's set.seed (default: fresh randomness; it is told on stderr)."
)
_jobs = click.option(
    "--jobs", type=int, default=1, show_default=True, help="Cores to use; -1 is all of them.",
    callback=lambda _ctx, _param, value: _some_jobs(value),
)  # fmt: skip
_parameters = _options(
    click.option("--ntrees", type=int, default=500, show_default=True, help="Number of trees."),
    click.option("--depth", type=int, default=3, show_default=True, help="Levels of splits."),
    click.option(
        "--mnode", type=int, default=3, show_default=True, help="The smallest node that is split."
    ),
    click.option("--k", type=int, help="Features selected in a node (default: round(2 log(p)))."),
    click.option("--mtry", type=int, help="Features drawn in a node (default: round(0.2 p))."),
    _seed,
    click.option(
        "--collation", type=click.Choice(["icu", "C"]), default="icu", show_default=True,
        help="How labels sort where a leaf's vote is tied: as in R's usual locales, or in C.",
    ),
    click.option(
        "--streams", type=click.Choice(["r", "per_tree"]), default="r", show_default=True,
        help="R's one stream, tree after tree, or one for each tree, so that --jobs can grow them.",
    ),
    _jobs,
)  # fmt: skip


def _some_jobs(value: int) -> int:
    if value == 0:
        raise click.BadParameter("0 cores can do nothing: pass 1 or more, or -1 for all of them.")
    return value


def _one_character(value: str | None) -> str | None:
    value = {"\\t": "\t", "tab": "\t"}.get(value or "", value)
    if value is not None and len(value) != 1:
        raise click.BadParameter(f"{value!r} is not one character (a tab is \\t).")
    return value


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="pycdf %(version)s")
def main() -> None:
    """R's centroid decision forest (CRAN package CDF 0.1.0), bit for bit.

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


@main.command(epilog=_DATA, short_help="Grow a forest and keep it in a model file.")
@click.argument("data", type=_FILE, metavar="FILE")
@_label
@click.option(
    "-o", "--output", type=click.Path(), required=True, metavar="MODEL",
    help="The model file to write, such as model.cdf.",
)  # fmt: skip
@_options(_parameters, _id, _drop, _sep)
def train(**given: Any) -> None:
    """Grow a forest on the rows of FILE and keep it in a model file.

    Columns are cleaned as in R: those that are constant or hold no numbers play no part, and rows
    without a label are left out. What was done is told on stderr.

    \b
    Example:
      pycdf train train.csv -y diagnosis --id patient -o model.cdf --seed 1
    """
    _commands().train(**given)


@main.command(epilog=_DATA, short_help="Predict rows: labels and probabilities.")
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.argument("data", type=_FILE, metavar="FILE")
@_output
@click.option(
    "-y", "--label", metavar="COLUMN", help="Compare with the labels in this column (on stderr)."
)
@click.option("--labels-only", is_flag=True, help="Leave the probabilities out.")
@_options(_id, _sep, _jobs)
def predict(**given: Any) -> None:
    """Predict the rows of FILE: a label, and the share of trees that vote for each class.

    Columns are found by name, in any order; others are ignored.

    \b
    Examples:
      pycdf predict model.cdf new.csv --id patient -o predictions.csv
      zcat new.csv.gz | pycdf predict model.cdf - | head
    """
    _commands().predict(**given)


@main.command(epilog=_DATA, short_help="R's one call: train on one file, predict another.")
@click.argument("train", type=_FILE, metavar="TRAIN")
@click.argument("test", type=_FILE, metavar="TEST")
@_label
@_output
@_options(_parameters, _id, _drop, _sep)
def run(**given: Any) -> None:
    """R's one call, CDF(xtrain, ytrain, xtest): train on TRAIN, predict TEST, keep no model.

    Where TEST has the label column, too, the accuracy is told on stderr.

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
    "--predictions", type=_FILE, metavar="FILE", help="Also write the prediction of each row."
)
@_output
@_options(_parameters, _id, _drop, _sep)
def cv(**given: Any) -> None:
    """Cross-validate on the rows of FILE: accuracy and Cohen's kappa, fold by fold.

    Folds are stratified and drawn from R's stream, which then grows the forests: a few lines of R
    give the same (docs/command-line.md).

    \b
    Example:
      pycdf cv data.csv -y diagnosis --folds 5 --repeats 3 --seed 1
    """
    _commands().cv(**given)


main.add_command(_options(_drop, _sep, _jobs)(compare))


@main.command(short_help="How often each feature was selected.")
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.option("-n", "--top", type=click.IntRange(1), help="Only the first so many.")
@_output
def importance(**given: Any) -> None:
    """Show how often each feature was selected, as a share of all selections.

    \b
    Example:
      pycdf importance model.cdf -n 20
    """
    _commands().importance(**given)


@main.command(short_help="What is in a model file.")
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def describe(**given: Any) -> None:
    """Tell what is in a model file.

    \b
    Example:
      pycdf describe model.cdf
    """
    _commands().describe(**given)


main.add_command(plot_command(_options(_id, _drop, _sep)))
main.add_command(report_command(_options(_id, _drop, _sep)))


@main.command(short_help="The main job on the shipped DARWIN data.")
@click.option("--seed", type=int, default=2025, show_default=True, help="R's set.seed.")
def demo(seed: int) -> None:
    """The main job on the shipped DARWIN data, and the R lines that give the same."""
    from pycdf.cli.run_demo import show

    show(seed)


@main.command(short_help="Lines for your shell: complete with Tab.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the lines that make a shell complete commands and options.

    \b
    Examples:
      echo 'eval "$(pycdf completion bash)"' >> ~/.bashrc
      echo 'eval "$(pycdf completion zsh)"' >> ~/.zshrc
      pycdf completion fish > ~/.config/fish/completions/pycdf.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None  # click has these three
    click.echo(found(main, {}, "pycdf", "_PYCDF_COMPLETE").source())


def _commands() -> Any:
    from pycdf.cli import run_forest as commands

    return commands
