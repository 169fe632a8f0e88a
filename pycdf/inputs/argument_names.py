"""R's rules for the names of arguments, for a function that R users call by R's names.

R first takes names that are complete, then names that are the beginning of one remaining argument
(``ntree`` is ``ntrees``), and gives what has no name to the arguments that are left, in order.
"""

import difflib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from pycdf.inputs.foreign_names import hint

P = ParamSpec("P")
R = TypeVar("R")


def matches_names_as_r(function: Callable[P, R]) -> Callable[P, R]:
    """Let callers shorten the names of a function's arguments, but not of keyword-only ones.

    The signature stays the function's own: to a type checker a short name is a mistake.
    """
    parameters = inspect.signature(function).parameters.values()
    formals = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    others = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        matched = match_arguments(function.__name__, formals, others, arguments, named)
        return function(**matched)  # type: ignore[call-arg]

    return call


def match_arguments(
    function: str,
    formals: Sequence[str],
    others: Sequence[str],
    arguments: Sequence[Any],
    named: Mapping[str, Any],
) -> dict[str, Any]:
    """All arguments by their complete names; ``others`` have to be named completely."""
    matched = {name: value for name, value in named.items() if name in formals or name in others}
    free = [name for name in formals if name not in matched]
    meant: dict[str, str] = {}
    for name in named:
        if name in matched:
            continue
        found = [one for one in free if one.startswith(name)]
        if not found:
            raise TypeError(_unknown(function, name, [*formals, *others]))
        if len(found) > 1:
            raise TypeError(
                f"{name!r} could be {' or '.join(found)} of {function}(): write the whole name."
            )
        if found[0] in meant:
            raise TypeError(
                f"{meant[found[0]]!r} and {name!r} are both {found[0]} of {function}(): pass one."
            )
        meant[found[0]] = name
    matched |= {whole: named[name] for whole, name in meant.items()}
    free = [name for name in formals if name not in matched]
    if len(arguments) > len(free):
        raise TypeError(
            f"{function}() takes {len(formals)} arguments without a name at most; "
            f"{len(formals) - len(free)} are named and {len(arguments)} are not."
        )
    return dict(zip(free, arguments, strict=False)) | matched


def _unknown(function: str, name: str, known: Sequence[str]) -> str:
    instead = "use seed" if name == "random_state" else hint(name)
    if instead is None:
        close = difflib.get_close_matches(name.casefold(), known, n=1)
        instead = f"did you mean {close[0]}?" if close else f"it has {', '.join(known)}."
        return f"{function}() has no argument {name!r}: {instead}"
    return f"{function}() has no argument {name!r}: {instead}."
