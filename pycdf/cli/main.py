"""The program `pycdf` and its commands: `train`, `predict`, `run`, `cv`, `compare`, `plot`, ...

Tables go to stdout or to files; notes, progress and errors go to stderr. The work of a command
is in a module `run_*`, which is imported only when it runs, so that `pycdf --help` and shell
completion do not wait for numba. :mod:`pycdf.cli.program` imports it, and reports errors.
"""

from collections.abc import Callable
from typing import Any

import click

from pycdf import __version__
from pycdf.cli.compare import compare
from pycdf.cli.importance import importance_command
from pycdf.cli.plot import plot_command
from pycdf.cli.program import Program, work_of
from pycdf.cli.report import report_command
from pycdf.cli.rule_options import rule_options
from pycdf.cli.table_options import reading_options
from pycdf.cli.tune import tune_command

_DATA = "FILE is CSV, Excel, Parquet, .rds, ARFF, ... (docs/command-line.md); - is stdin."


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
    help="A column that identifies rows: not a feature, but copied to predictions. Repeatable.",
)  # fmt: skip
_drop = click.option(
    "--drop", multiple=True, metavar="COLUMN", help="A column to leave out. May be repeated."
)
_table = _options(_id, _drop, reading_options)
_many_classes = click.option(
    "--many-classes", is_flag=True,
    help="The labels are classes, though there are as many as in measurements or ids.",
)  # fmt: skip
_allow_empty = click.option(
    "--allow-empty", is_flag=True, help="Predict rows without any value, too, as R does."
)
_output = _options(
    click.option(
        "-o", "--output", type=_FILE, default="-", metavar="FILE",
        help="The file to write: .csv, .tsv, .csv.gz, .parquet or .xlsx (default: CSV on stdout).",
    ),
    click.option(
        "--escape-formulas", is_flag=True,
        help="Put ' before text that starts with =, +, - or @, which spreadsheets run as formulas.",
    ),
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
    click.option(
        "--scale", is_flag=True,
        help="Give every column mean 0 and standard deviation 1 among the training rows.",
    ),
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

    Tables are CSV, Excel, Parquet, .rds, ARFF, ...; - is stdin or stdout.
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
@_options(_parameters, rule_options, _table, _many_classes)
def train(**given: Any) -> None:
    """Grow a forest on the rows of FILE and save it in a model file.

    The classes and their numbers of rows are printed on stderr. The data are cleaned as in R:
    columns that are constant or not numeric are left out, and so are rows without a label; notes
    on stderr say which.

    \b
    Example:
      pycdf train train.csv -y diagnosis --id patient -o model.cdf --seed 1
    """
    work_of("forest").train(**given)


@main.command(epilog=_DATA, short_help="Predict labels and probabilities.")
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.argument("data", type=_FILE, metavar="FILE")
@_output
@click.option(
    "-y", "--label", metavar="COLUMN",
    help="Compare with the labels in this column; the accuracy is printed on stderr.",
)  # fmt: skip
@click.option("--labels-only", is_flag=True, help="Omit the probabilities.")
@_options(_table, _allow_empty, _jobs)
def predict(**given: Any) -> None:
    """Predict the rows of FILE: a label, and the share of trees that vote for each class.

    Columns are matched by name, in any order; additional columns are ignored. Rows without any
    value get no prediction.

    \b
    Examples:
      pycdf predict model.cdf new.csv --id patient -o predictions.csv
      zcat new.csv.gz | pycdf predict model.cdf - | head
    """
    work_of("forest").predict(**given)


@main.command(epilog=_DATA, short_help="Train on one file and predict another, as CDF() in R.")
@click.argument("train", type=_FILE, metavar="TRAIN")
@click.argument("test", type=_FILE, metavar="TEST")
@_label
@_output
@_options(_parameters, _table, _many_classes, _allow_empty)
def run(**given: Any) -> None:
    """Train on TRAIN and predict TEST without saving a model, as R's CDF(xtrain, ytrain, xtest).

    If TEST has the label column, too, the accuracy is printed on stderr.

    \b
    Example:
      pycdf run train.csv test.csv -y diagnosis --seed 1 -o predictions.csv
    """
    work_of("forest").run(**given)


@main.command(epilog=_DATA, short_help="Cross-validate: accuracy, kappa, AUC, ...")
@click.argument("data", type=_FILE, metavar="FILE")
@_label
@click.option(
    "--folds", type=click.IntRange(2), default=10, show_default=True, help="Number of folds."
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How often to draw other folds.",
)
@click.option(
    "--stratify/--no-stratify",
    default=True,
    show_default=True,
    help="Keep the shares of the classes equal in all folds.",
)
@click.option(
    "--predictions",
    type=_FILE,
    metavar="FILE",
    help="Also write the prediction and the probabilities of each row.",
)
@click.option("--by-fold", type=_FILE, metavar="FILE", help="Also write the measures of each fold.")
@click.option("--confusion", type=_FILE, metavar="FILE", help="Also write the confusion matrix.")
@_output
@_options(_parameters, _table, _many_classes, _allow_empty)
def cv(**given: Any) -> None:
    """Cross-validate on the rows of FILE, and report how good the predictions are.

    The table has accuracy, balanced accuracy, Cohen's kappa and AUC, and for each class against
    the others sensitivity, specificity and AUC, with 95 % intervals over all folds and repeats. The
    confusion matrix is printed on stderr. Folds are drawn from R's random stream, which then also
    grows the forests: a few lines of R give the same results (docs/command-line.md).

    \b
    Example:
      pycdf cv data.csv -y diagnosis --folds 5 --repeats 3 --seed 1 --predictions p.csv
    """
    work_of("cv").cv(**given)


main.add_command(_options(_id, _drop, _many_classes, _jobs)(compare))


main.add_command(tune_command(_options(_label, _output, _seed, _jobs, _table, _many_classes)))
main.add_command(importance_command(_table, _output, _jobs))


@main.command(short_help="Describe a model file.")
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for other programs.")
def describe(**given: Any) -> None:
    """Describe a model file: its forest, classes, columns and parameters.

    \b
    Example:
      pycdf describe model.cdf
    """
    work_of("forest").describe(**given)


main.add_command(plot_command(_table))
main.add_command(report_command(_table))


@main.command(short_help="Train and test a forest on the DARWIN data.")
@click.option("--seed", type=int, default=2025, show_default=True, help="As in R's set.seed.")
def demo(seed: int) -> None:
    """Train and test a forest on the DARWIN data; show the R code with the same results."""
    work_of("demo").show(seed)


@main.command(short_help="Compile all kernels now, so that no later call has to.")
def warmup() -> None:
    """Compile all kernels now, so that no later call has to: for images, clusters and CI."""
    work_of("warmup").compile_all()


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
