"""The options of forests that are not R's."""

from typing import Any

import click

_OPTIONS = (
    click.option(
        "--distance", default="euclidean", show_default=True, metavar="NAME",
        help="By which rows go to centroids: euclidean (R's), standardized, manhattan or cosine.",
    ),
    click.option(
        "--score", "feature_score", default="css", show_default=True, metavar="NAME",
        help="By which features are selected: css (R's), welch, f or auc.",
    ),
    click.option(
        "--redundancy", type=click.FloatRange(0, 1), default=0.0, show_default=True,
        help="What a feature loses by correlation with one that is selected (R: 0).",
    ),
    click.option(
        "--vote", type=click.Choice(["hard", "soft"]), default="hard", show_default=True,
        help="Trees vote for one class, as in R, or with the shares of a leaf.",
    ),
)  # fmt: skip


def rule_options(function: Any) -> Any:
    """Add the options to a command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
