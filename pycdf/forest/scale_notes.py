"""Whether a few columns decide the distances only because their numbers are large.

A distance adds up the columns in their own units. If these differ by orders of magnitude, the
columns with the largest numbers decide, whatever else a node selects. :func:`scale_note` is the one
place that decides whether that is so; it needs nothing but the forest.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pycdf.forest.contributions import contributions, deciding_ratio
from pycdf.forest.model import Model
from pycdf.support.options import in_python, option
from pycdf.support.wording import agree, few, plural

_TOO_FAR = 30.0
"""Standardised columns have ratios of 1 to 3, or 6 if only one of twenty separates the classes, and
gene expression in raw intensities has 4 to 14. Columns in units that differ by orders of magnitude
have 100 and more."""


def scale_note(model: Model, names: Sequence[Any] | None = None) -> str | None:
    """What to know about the scales of the columns; None if they do not decide.

    ``names`` are those of the forest's features; None takes the model's own.
    """
    if model.scaling is not None or model.sending is not None:  # what decides is R's distance
        return None
    ratio = deciding_ratio(model.forest)
    if not ratio >= _TOO_FAR:
        return None
    if names is None:
        own = model.feature_names
        names = [j if own is None else own[j] for j in model.kept.tolist()]
    shares = contributions(model.forest, len(names))
    order = np.argsort(-shares, kind="stable")
    half = 1 + int(np.searchsorted(np.cumsum(shares[order]), 0.5))
    deciding = [names[j] for j in order[:half].tolist()]
    digits = 10 ** (math.floor(math.log10(ratio)) - 1)
    train = "fit" if in_python() else "train"
    pipeline = ", or put a scaler before the forest in a pipeline" if in_python() else ""
    return (
        "The scales of the columns differ by orders of magnitude, and columns with large numbers "
        "decide: where nodes split, the classes are about "
        f"{round(ratio / digits) * digits:,.0f} times as far apart on the columns that decide as "
        f"on a typical one that was selected. {agree(half, 'Column', 'Columns')} {few(deciding)} "
        f"{agree(half, 'makes', 'make')} up half of what all {plural(len(names), 'column')} "
        f"contribute. To give all columns the same scale, {train} with "
        f"{option('scale', True)}{pipeline}; the accuracy may rise or fall."
    )
