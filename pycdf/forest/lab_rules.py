"""The rules of a forest that are not R's, with the kernels that follow them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pycdf.forest.arrays import Floats, Forest
from pycdf.inputs.laboratory import EXAMPLES, R_RULES, Function, numbered
from pycdf.kernels.arrays import read_only
from pycdf.kernels.compile import Kernel, inner, usual
from pycdf.kernels.lab_distances import distance_of
from pycdf.kernels.lab_grow import Lab, grow_lab_trees, new_lab_grower
from pycdf.kernels.lab_partition import new_measured
from pycdf.kernels.lab_route import LabRoute, new_lab_router, route_lab_rows
from pycdf.kernels.lab_scores import score_of
from pycdf.support.wording import shown


class Growing(NamedTuple):
    """How trees are grown: numbers of built-in functions, and those of the caller."""

    lab: Lab
    distance: Function | None
    score: Function | None

    def kernel(self) -> Kernel:
        """The kernel that grows such trees."""
        return _grower(self.distance, self.score)


class Sending(NamedTuple):
    """How rows are sent: the number of a distance, or the caller's, and the nodes' spreads."""

    number: int
    distance: Function | None
    spreads: Floats

    def kernel(self) -> Kernel:
        """The kernel that sends rows this way."""
        return _router(self.distance)

    def rules(self, forest: Forest) -> LabRoute:
        """What the kernel needs besides the forest, or a part of its trees."""
        k = int(np.diff(forest.feature_start).max(initial=0))
        measured = new_measured(k, forest.counts.shape[1])
        return LabRoute(self.number, read_only(self.spreads), measured)


def growing(options: Mapping[str, Any]) -> Growing | None:
    """How trees with these options are grown; None for R's way."""
    if all(options[name] == R_RULES[name] for name in ("distance", "feature_score", "redundancy")):
        return None
    distance, own_distance = numbered("distance", options["distance"])
    score, own_score = numbered("feature_score", options["feature_score"])
    return Growing(Lab(distance, score, float(options["redundancy"])), own_distance, own_score)


def sending(options: Mapping[str, Any], spreads: Floats | None) -> Sending | None:
    """How rows are sent down trees with these options; None for R's way."""
    if spreads is None or options["distance"] == R_RULES["distance"]:
        return None
    return Sending(*numbered("distance", options["distance"]), spreads)


@lru_cache(maxsize=64)
def _grower(distance: Function | None, score: Function | None) -> Kernel:
    if distance is None and score is None:
        return grow_lab_trees
    return new_lab_grower(
        distance_of if distance is None else _with_number("distance", distance),
        score_of if score is None else _with_number("feature_score", score),
        own=False,
    )


@lru_cache(maxsize=64)
def _router(distance: Function | None) -> Kernel:
    if distance is None:
        return route_lab_rows
    return new_lab_router(_with_number("distance", distance), own=False)


def _with_number(kind: str, function: Function) -> Kernel:
    """A caller's function as a kernel that takes a number first, which it does not need."""
    compiled = function if hasattr(function, "py_func") else usual(function)
    # It has to be compiled before kernels call it: they are compiled in a way that is not for all.
    try:
        compiled(*EXAMPLES[kind])
    except Exception as error:
        raise ValueError(
            f"{kind}={shown(function)}: numba cannot compile this function. {error}"
        ) from error

    @inner
    def with_number(number, *arguments):  # type: ignore[no-untyped-def]
        return compiled(*arguments)

    return with_number
