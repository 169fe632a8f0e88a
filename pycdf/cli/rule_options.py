"""The options of forests that are not R's."""

from typing import Any

import click

_OPTIONS = (
    click.option(
        "--distance", type=click.Choice(["euclidean", "standardized", "manhattan", "cosine"]),
        default="euclidean", show_default=True,
        help="By which rows go to centroids (R: euclidean).",
    ),
    click.option(
        "--score", "feature_score", type=click.Choice(["css", "welch", "f", "auc"]),
        default="css", show_default=True, help="By which features are selected (R: css).",
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
