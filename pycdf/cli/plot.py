"""The commands `pycdf plot` and `pycdf report`: pictures and a page of a model file.

In go a model file and, for what needs them, tables of rows; out go files. What is declared here is
wired to the program in :mod:`pycdf.cli.main`; all that takes long to import is in
:mod:`pycdf.cli.run_plots`, which is imported when a command runs.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import click

Decorator = Callable[[Any], Any]


class Kind(NamedTuple):
    """A kind of picture: what it needs and takes, beside the model."""

    shows: str
    rows: tuple[str, ...] = ()
    """The tables that it can be drawn from: "data" (the training rows), "test" (other rows)."""
    needed: bool = True
    """Whether one of them must be there."""
    takes: tuple[str, ...] = ()
    """Options that mean something to it."""
    slow: bool = False
    """Whether it grows forests."""


KINDS = {
    "tree": Kind(
        "one tree: features, centroids, branches",
        ("data",),
        False,
        ("tree", "top", "max_depth"),
    ),
    "importance": Kind("how often features were selected", takes=("top",)),
    "coselection": Kind("which features are selected together", takes=("top",)),
    "centroids": Kind("centroids on the most selected features", ("data",), False, ("top",)),
    "permutation": Kind(
        "accuracy lost when a feature is shuffled", ("data",), takes=("top", "repeats", "seed")
    ),
    "chance": Kind(
        "selected more often than by chance?",
        ("data",),
        takes=("top", "repeats", "seed"),
        slow=True,
    ),
    "stability": Kind(
        "selected under other seeds, too?", ("data",), takes=("top", "repeats"), slow=True
    ),
    "proximity": Kind("a map of the rows: near ones share leaves", ("data", "test")),
    "confusion": Kind("which classes are taken for which", ("data", "test")),
    "probabilities": Kind("how sure the forest is of each class", ("data", "test")),
    "trees": Kind("accuracy by number of trees", ("data", "test")),
    "parameters": Kind(
        "accuracy by trees, mtry and k", ("data",), takes=("repeats", "seed"), slow=True
    ),
}


def _kind_lines() -> str:
    """The kinds, for --help."""
    lines = []
    for name, kind in KINDS.items():
        need = " or ".join(f"--{table}" for table in kind.rows)
        need = need if kind.needed else f"[{need}]"
        shows = f"{kind.shows} (slow)" if kind.slow else kind.shows
        lines.append(f"  {name:13}  {shows:42}  {need}".rstrip())
    return "\n".join(lines)


_PLOT_HELP = f"""Draw a picture of the model in MODEL; the file's name tells the format.

\b
Kinds, and the rows that they need ([...]: can use):
{_kind_lines()}

--data are the training rows: confusion, probabilities and trees judge them out of bag, by the trees
that did not draw them. --test are others. Slow kinds grow many forests. Needs matplotlib:
pip install matplotlib.

\b
Examples:
  pycdf plot tree model.cdf -o tree.svg
  pycdf plot importance model.cdf -o features.pdf --top 20
  pycdf plot proximity model.cdf -o map.png --data train.csv -y diagnosis
  pycdf plot confusion model.cdf -o test.svg --test test.csv -y diagnosis
"""

_ROWS = click.Path(allow_dash=True)
_model = click.argument("model", type=click.Path(), metavar="MODEL")
_data = click.option(
    "--data", type=_ROWS, metavar="FILE", help="The training rows, in their order."
)
_label = click.option("-y", "--label", metavar="COLUMN", help="The label column of the rows.")
_seed = click.option("--seed", type=int, help="For what is random (default: the model's).")


def plot_command(table_options: Decorator) -> click.Command:
    """`pycdf plot`; ``table_options`` are those of all commands that read rows."""

    @click.command("plot", help=_PLOT_HELP, short_help="A picture: a tree, features, rows, ...")
    @click.argument("kind", type=click.Choice(list(KINDS)), metavar="KIND")
    @_model
    @click.option(
        "-o",
        "--output",
        type=click.Path(),
        required=True,
        metavar="FILE",
        help="The picture to write: .svg, .png, .pdf.",
    )
    @_data
    @click.option("--test", type=_ROWS, metavar="FILE", help="Rows that were not in training.")
    @_label
    @table_options
    @click.option("--tree", type=click.IntRange(0), help="Which tree, counted from 0 (default: 0).")
    @click.option("--top", type=click.IntRange(1), help="How many features are shown.")
    @click.option(
        "--max-depth", type=click.IntRange(0), help="Fold the nodes of a tree below this depth."
    )
    @click.option(
        "--repeats", type=click.IntRange(1), help="How many shuffles, seeds or splits, if any."
    )
    @_seed
    @click.option(
        "--dpi",
        type=click.IntRange(20, 2000),
        default=150,
        show_default=True,
        help="Dots per inch of a .png.",
    )
    def plot(**given: Any) -> None:
        _work().plot(**given)

    return plot


def report_command(table_options: Decorator) -> click.Command:
    """`pycdf report`; ``table_options`` are those of all commands that read rows."""

    @click.command("report", short_help="A page on a model: one HTML file.")
    @_model
    @click.option(
        "-o",
        "--output",
        type=click.Path(),
        required=True,
        metavar="FILE",
        help="The page to write, such as report.html.",
    )
    @_data
    @_label
    @table_options
    @_seed
    def report(**given: Any) -> None:
        """Write a page on the model in MODEL: what it is, what it selects, its first tree.

        With the training rows (--data and -y) also how good it is, out of bag, where the rows lie,
        and whether its first split is real. The page is one file and asks nothing of the network.
        Needs matplotlib: pip install matplotlib.

        \b
        Example:
          pycdf report model.cdf -o report.html --data train.csv -y diagnosis
        """
        _work().report(**given)

    return report


def _work() -> Any:
    from pycdf.cli import run_plots as plot_work

    return plot_work
