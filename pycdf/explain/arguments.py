"""Check counts, lists and seeds passed to the functions of this package.

The errors name the argument and say what to pass.
"""

from collections.abc import Iterable
from typing import Any

from pycdf.base_r.stream import RStream
from pycdf.inputs.checks import is_whole
from pycdf.support.options import option


def whole(value: Any, name: str, least: int = 1, most: int | None = None, why: str = "") -> int:
    """A whole number from ``least`` to ``most``; ``why`` explains the upper limit."""
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    wanted = f"pass a whole number {limits}{why}."
    if not is_whole(value):
        raise TypeError(f"{option(name, value)}: {wanted}")
    number = int(value)
    if number < least or (most is not None and number > most):
        raise ValueError(f"{option(name, number)}: {wanted}")
    return number


def several(values: Iterable[Any], name: str) -> list[Any]:
    """The values of a list, tuple, array or other iterable, as a list."""
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise TypeError(f"{option(name, values)}: pass several numbers, as a list.")
    return list(values)


def stream_of(seed: int | RStream | None) -> RStream:
    """A stream from a seed; a stream is returned as it is, None gives fresh randomness."""
    return seed if isinstance(seed, RStream) else RStream(seed)


def check_pair(X: Any, y: Any) -> None:
    """Raise an error if only one of rows and labels is given."""
    if (X is None) != (y is None):
        given, missing = ("X", "y") if y is None else ("y", "X")
        raise ValueError(f"{given} is given and {missing} is not: pass both, or neither.")
