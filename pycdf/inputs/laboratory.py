"""The distances, scores and ways to vote that a forest can have, beside R's.

A distance or a score is a name, or a function of the caller. A function gets a name when it is
registered; only then can a model that uses it be saved, and found again when it is loaded.
"""

import re
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np

from pycdf.kernels.lab_distances import DISTANCES
from pycdf.kernels.lab_scores import SCORES
from pycdf.support.wording import few, shown

Function: TypeAlias = Callable[..., Any]
Distance: TypeAlias = str | Function
Score: TypeAlias = str | Function
Vote = Literal["hard", "soft"]

R_RULES = {"distance": "euclidean", "feature_score": "css", "redundancy": 0.0, "vote": "hard"}
"""What R does."""

EXAMPLES: dict[str, tuple[Any, ...]] = {
    "distance": (np.array([1.0, 2.0]), np.array([2.0, 0.5]), np.ones(2)),
    "feature_score": (np.array([1.0, 2.0, 3.0, 5.0]), np.array([0, 2, 4])),
}
"""Arguments with which a function can be tried: a row, a centroid and spreads; or the values of two
classes, and where these start."""

_BUILT_IN = {"distance": DISTANCES, "feature_score": SCORES}
_registered: dict[str, dict[str, Function]] = {"distance": {}, "feature_score": {}}
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def names_of(kind: str) -> tuple[str, ...]:
    """The names of all distances or scores; ``kind`` is "distance" or "feature_score"."""
    return (str(R_RULES[kind]), *_BUILT_IN[kind], *_registered[kind])


def register(kind: str, name: str, function: Function) -> None:
    """Give a caller's function a name; the last function of a name counts."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(
            f"{shown(name)} cannot be the name of a {kind}: pass up to 40 lower-case letters, "
            "digits and _, with a letter first."
        )
    if name == R_RULES[kind] or name in _BUILT_IN[kind]:
        raise ValueError(f"{name!r} is a {kind} of pycdf: choose another name.")
    _try(kind, function)
    _registered[kind][name] = function


def check_rule(kind: str, value: Any) -> None:
    """Raise an error unless this is a distance or a score."""
    if callable(value):
        _try(kind, value)
    elif not isinstance(value, str) or value not in names_of(kind):
        raise ValueError(
            f"{kind}={shown(value)}: pass {few([*names_of(kind)], 20)}, or a function of your own "
            "(docs/laboratory.md)."
        )


def rule_name(kind: str, value: Any) -> Any:
    """The name of a distance or a score; a function without a name is returned as it is."""
    if isinstance(value, str):
        return value
    return next((name for name, known in _registered[kind].items() if known is value), value)


def numbered(kind: str, value: Any) -> tuple[int, Function | None]:
    """The number of a built-in function, 0 for R's, or 1 and the caller's own function."""
    if not isinstance(value, str):
        return 1, value
    if value == R_RULES[kind]:
        return 0, None
    if value in _BUILT_IN[kind]:
        return 1 + list(_BUILT_IN[kind]).index(value), None
    if value not in _registered[kind]:
        raise ValueError(
            f"the {kind} {value!r} is not known here: call "
            f"pycdf.laboratory.register_{kind}({value!r}, function) first."
        )
    return 1, _registered[kind][value]


def _try(kind: str, function: Any) -> None:
    """Raise an error if a function cannot be called as a distance or a score."""
    arguments = tuple(array.copy() for array in EXAMPLES[kind])
    called = "(row, centroid, spread)" if kind == "distance" else "(values, starts)"
    try:
        value = function(*arguments)
        float(value)
    except Exception as error:
        raise ValueError(
            f"{kind}={shown(function)} cannot be called as a {kind}: it must take {called} and "
            f"return a number, but raised {type(error).__name__}: {error}"
        ) from error
