"""The options of `pycdf report`, which describes a model on a page.

:mod:`pycdf.cli.main` adds the command to the program; :mod:`pycdf.cli.run_report` does the work.
"""

from collections.abc import Callable
from typing import Any

import click

from pycdf.cli.program import work_of

_ROWS = click.Path(allow_dash=True)


def report_command(table_options: Callable[[Any], Any]) -> click.Command:
    """Build `pycdf report`; ``table_options`` are shared by all commands that read rows."""

    @click.command("report", short_help="Write a report on a model as one HTML file.")
    @click.argument("model", type=click.Path(), metavar="MODEL")
    @click.option(
        "-o",
        "--output",
        type=click.Path(),
        required=True,
        metavar="FILE",
        help="The page to write, such as report.html.",
    )
    @click.option(
        "--data", type=_ROWS, metavar="FILE", help="The training rows, in the order of training."
    )
    @click.option("--test", type=_ROWS, metavar="FILE", help="Rows that were not in training.")
    @click.option("-y", "--label", metavar="COLUMN", help="The label column of the rows.")
    @table_options
    @click.option("--seed", type=int, help="Seed of the shuffles (default: the model's).")
    def report(**given: Any) -> None:
        """Write a report on the model in MODEL: how good it is, where it fails, what decides.

        The answer comes first: the accuracy with its interval, beside that of a constant answer;
        then the samples that are wrong or unsure, by their --id; the features that decide; a map of
        the samples; one tree; parameters, data and versions. --data are the training rows, judged
        out of bag, each by the trees that were grown without it. --test are other rows, which then
        decide how good the forest is. The page is a single file and loads nothing from the network.

        \b
        Examples:
          pycdf report model.cdf -o report.html --data train.csv -y diagnosis --id patient
          pycdf report model.cdf -o report.html --data train.csv --test test.csv -y diagnosis
        """
        work_of("report").report(**given)

    return report
