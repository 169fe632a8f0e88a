"""The options of `pycdf importance`, which lists what a model makes of each feature.

:mod:`pycdf.cli.main` adds the command to the program; :mod:`pycdf.cli.run_importance` does the
work.
"""

from collections.abc import Callable
from typing import Any

import click

from pycdf.cli.program import work_of


def importance_command(
    table_options: Callable[[Any], Any], output: Callable[[Any], Any], jobs: Callable[[Any], Any]
) -> click.Command:
    """Build `pycdf importance`; other commands have these options, too."""

    @click.command("importance", short_help="Show which features decide.")
    @click.argument("model", type=click.Path(), metavar="MODEL")
    @click.option("-n", "--top", type=click.IntRange(1), help="Show only so many features.")
    @click.option(
        "--by",
        type=click.Choice(["contribution", "importance", "permutation"]),
        help="The column to sort by (default: contribution, where features have one).",
    )
    @click.option(
        "--data",
        type=click.Path(allow_dash=True),
        metavar="FILE",
        help="The training rows, in the order of training, for permutation importance.",
    )
    @click.option("-y", "--label", metavar="COLUMN", help="The label column of the rows.")
    @table_options
    @click.option("--repeats", type=click.IntRange(1), help="How often each feature is shuffled.")
    @click.option("--seed", type=int, help="Seed of the shuffles (default: the model's).")
    @jobs
    @output
    def importance(**given: Any) -> None:
        """Show which features decide, and how often they were selected.

        The column contribution is a feature's share of the distances by which rows are sent to one
        class or another. The column importance is its share of all selections, R's feature
        importance; a note says when that is nothing but chance. With --data there is a column
        permutation: the accuracy that a tree loses out of bag when the feature is shuffled, with
        its 95 % interval from low to high.

        \b
        Examples:
          pycdf importance model.cdf -n 20
          pycdf importance model.cdf --data train.csv -y diagnosis --id patient
        """
        work_of("importance").importance(**given)

    return importance
