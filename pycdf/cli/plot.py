"""The options of `pycdf plot`, which draws a model and its rows.

:mod:`pycdf.cli.main` adds the command to the program. The work is done in
:mod:`pycdf.cli.run_plots`, which is slow to import and so is imported only when it runs.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import click

from pycdf.cli.program import work_of

Decorator = Callable[[Any], Any]


class Kind(NamedTuple):
    """A kind of picture, and what it needs besides the model."""

    shows: str
    rows: tuple[str, ...] = ()
    """The tables that it can be drawn from: "data" (the training rows), "test" (other rows)."""
    needed: bool = True
    """Whether one of these tables is required."""
    takes: tuple[str, ...] = ()
    """The options that apply to it."""
    slow: bool = False
    """Whether it grows many forests."""


KINDS = {
    "tree": Kind(
        "one tree: features, centroids, branches",
        ("data",),
        False,
        ("tree", "top", "max_depth"),
    ),
    "importance": Kind("which features contribute and were selected", takes=("top",)),
    "coselection": Kind("which features are selected together", takes=("top",)),
    "centroids": Kind("centroids on the features that decide", ("data",), False, ("top",)),
    "permutation": Kind(
        "accuracy lost when a feature is shuffled", ("data",), takes=("top", "repeats", "seed")
    ),
    "chance": Kind(
        "features selected more often than chance",
        ("data",),
        takes=("top", "repeats", "seed"),
        slow=True,
    ),
    "stability": Kind(
        "features selected with other seeds, too", ("data",), takes=("top", "repeats"), slow=True
    ),
    "proximity": Kind("a map of the rows by shared leaves", ("data", "test")),
    "confusion": Kind("confusion matrix", ("data", "test")),
    "probabilities": Kind("how confident the forest is of each class", ("data", "test")),
    "trees": Kind("accuracy by number of trees", ("data", "test")),
    "parameters": Kind(
        "accuracy by trees, mtry and k", ("data",), takes=("repeats", "seed"), slow=True
    ),
}


def _kind_lines() -> str:
    """The table of kinds in --help."""
    lines = []
    for name, kind in KINDS.items():
        need = " or ".join(f"--{table}" for table in kind.rows)
        need = need if kind.needed else f"[{need}]"
        shows = f"{kind.shows}*" if kind.slow else kind.shows
        lines.append(f"  {name:13}  {shows:42}  {need}".rstrip())
    return "\n".join(lines)


_PLOT_HELP = f"""Draw a picture of the model in MODEL, in the format of the file name's suffix.

\b
Kinds, and the rows they need ([optional]; *: slow, grows many forests):
{_kind_lines()}

--data are the training rows; confusion, probabilities and trees predict them out of bag, each row
by the trees that were grown without it. --test are other rows. Needs matplotlib:
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
    "--data", type=_ROWS, metavar="FILE", help="The training rows, in the order of training."
)
_label = click.option("-y", "--label", metavar="COLUMN", help="The label column of the rows.")
_seed = click.option("--seed", type=int, help="Random seed (default: the model's).")


def plot_command(table_options: Decorator) -> click.Command:
    """Build `pycdf plot`; ``table_options`` are shared by all commands that read rows."""

    @click.command("plot", help=_PLOT_HELP, short_help="Draw a tree, features, rows, ...")
    @click.argument("kind", type=click.Choice(list(KINDS)), metavar="KIND")
    @_model
    @click.option(
        "-o",
        "--output",
        type=click.Path(),
        required=True,
        metavar="FILE",
        help="The picture to write: .svg, .png or .pdf.",
    )
    @_data
    @click.option("--test", type=_ROWS, metavar="FILE", help="Rows that were not in training.")
    @_label
    @table_options
    @click.option("--tree", type=click.IntRange(0), help="Which tree, counted from 0 (default: 0).")
    @click.option("--top", type=click.IntRange(1), help="How many features to show.")
    @click.option(
        "--max-depth", type=click.IntRange(0), help="Collapse the nodes of a tree below this depth."
    )
    @click.option("--repeats", type=click.IntRange(1), help="Number of shuffles, seeds or splits.")
    @_seed
    @click.option(
        "--dpi",
        type=click.IntRange(20, 2000),
        default=150,
        show_default=True,
        help="Dots per inch of a .png.",
    )
    def plot(**given: Any) -> None:
        work_of("plots").plot(**given)

    return plot
