"""Class weights: how many rows of each class a bootstrap sample has.

A bootstrap sample of R's forest has about as many rows of a class as the training data. With
weights it has a fixed number, in proportion to the size of the class times its weight. The total
stays the number of training rows.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pycdf.support.wording import few, plain, shown

ClassWeight = Literal["balanced"] | Mapping[Any, float] | None
"""What a user passes: "balanced", or a weight for each label."""

Weights = Literal["balanced"] | list[float] | None
"""No weights, "balanced" ones, or one for each class in the order of the class codes."""

MOST_DRAWS = 128  # of one row in one tree, on average; a forest counts up to 255


def check_class_weight(given: Any) -> None:
    """Raise an error for weights that suit no data."""
    if given is None or (isinstance(given, str) and given == "balanced"):
        return
    if not isinstance(given, Mapping) or not given:
        raise ValueError(
            f"class_weight={shown(given)}: pass 'balanced', a dict from labels to weights, or None "
            "to draw rows as R does."
        )
    for label, weight in given.items():
        if not _is_positive(weight):
            raise ValueError(
                f"class_weight has {shown(weight)} for {shown(plain(label))}: a weight is a number "
                "above 0. To leave out a class, drop its rows from X and y."
            )


def weights_of_classes(given: Any, classes: npt.NDArray[Any]) -> Weights:
    """The weights in the order of ``classes``; those that a dict does not have are 1."""
    if given is None or isinstance(given, str):
        return "balanced" if given else None
    labels = classes.tolist()
    unknown = [label for label in map(plain, given) if label not in labels]
    if unknown and len(given) - len(unknown) < len(labels):  # all weighted: a class is just absent
        raise ValueError(
            f"class_weight has a weight for {few(unknown)}, but the labels in y are {few(labels)}."
        )
    found = {plain(label): float(weight) for label, weight in given.items()}
    return [found.get(label, 1.0) for label in labels]


def weights_by_label(weights: Weights, classes: npt.NDArray[Any]) -> ClassWeight:
    """The weights as a user passes them."""
    if weights is None or weights == "balanced":
        return weights
    return dict(zip(classes.tolist(), weights, strict=True))


def class_draws(
    weights: Weights, codes: npt.NDArray[np.int32], classes: npt.NDArray[Any]
) -> npt.NDArray[np.int64] | None:
    """How many rows of each class a bootstrap sample has; None without weights.

    The exact shares are rounded down, but to at least one row; then the classes that lost most by
    rounding get one row more each, until the sample has as many rows as the training data.
    """
    if weights is None:
        return None
    sizes = np.bincount(codes, minlength=len(classes))
    weighted = np.ones(len(sizes)) if weights == "balanced" else np.array(weights) * sizes
    exact = len(codes) * (weighted / weighted.sum())
    draws: npt.NDArray[np.int64] = np.maximum(1, np.floor(exact)).astype(np.int64)
    while draws.sum() > len(codes):  # where classes of less than one row were raised to one
        draws[np.argmax(np.where(draws > 1, draws - exact, -np.inf))] -= 1
    gain = np.argsort(draws - exact, kind="stable")[: len(codes) - int(draws.sum())]
    draws[gain] += 1
    often = draws / sizes
    worst = int(often.argmax())
    if often[worst] > MOST_DRAWS:
        raise ValueError(
            f"class_weight would draw each row of class {shown(plain(classes[worst]))} about "
            f"{often[worst]:,.0f} times per tree: at most {MOST_DRAWS} are possible. Pass a dict "
            "with a smaller weight for this class, or collect more rows of it."
        )
    return draws


def _is_positive(weight: Any) -> bool:
    number = isinstance(weight, int | float | np.integer | np.floating)
    return number and not isinstance(weight, bool) and bool(0 < weight < np.inf)
