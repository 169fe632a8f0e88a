"""The command `tune`; :mod:`pycdf.cli.run_tune` does the work, and is imported when it runs."""

from collections.abc import Callable
from typing import Any

import click

from pycdf.cli.program import work_of


def tune_command(shared_options: Callable[[Any], Any]) -> click.Command:
    """The command, with the options that it shares with others after its own."""

    @click.command(
        "tune",
        short_help="Search for the settings that suit the data.",
        epilog="FILE is CSV, Excel, Parquet, .rds, ARFF, ... (docs/command-line.md); - is stdin.",
    )
    @click.argument("data", type=click.Path(allow_dash=True), metavar="FILE")
    @click.option(
        "--budget",
        type=click.IntRange(2),
        help="Forests to try (default: 100, or as --seconds allow).",
    )
    @click.option("--seconds", type=click.FloatRange(0, min_open=True), help="How long to search.")
    @click.option(
        "--measure", type=click.Choice(["accuracy", "kappa", "balanced_accuracy"]),
        default="accuracy", show_default=True, help="What to make as large as possible.",
    )  # fmt: skip
    @click.option(
        "--nested", type=click.IntRange(0), default=5, show_default=True,
        help="Outer folds for the honest figure; 0 for none.",
    )  # fmt: skip
    @click.option("--ntrees", type=int, default=500, show_default=True, help="Number of trees.")
    @click.option("--model", type=click.Path(), metavar="MODEL", help="Save the best forest here.")
    @click.option(
        "--picture", type=click.Path(), metavar="FILE", help="Draw all scores, .png or .svg."
    )
    @shared_options
    def tune(**given: Any) -> None:
        """Search for the settings with the best out-of-bag score on the rows of FILE.

        The table has what was tried, the best first. The best of many out-of-bag scores is too
        good, so the search is repeated within outer folds: stderr says how good the winners are on
        rows that the search did not see, beside R's defaults.

        \b
        Example:
          pycdf tune data.csv -y diagnosis --budget 100 --seed 1 --jobs -1 --model best.cdf
        """
        work_of("tune").run_tune(**given)

    return tune
