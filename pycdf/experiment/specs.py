"""Parse classifiers written as text, ``name=package.module.Class(argument=1)``, and build them.

Arguments are literals (numbers, text, True, None, lists, tuples, dictionaries); the text is never
evaluated as code.
"""

import ast
import difflib
from collections.abc import Callable, Iterable
from typing import Any

from pycdf.experiment.class_names import is_full_name
from pycdf.experiment.tuning import Parameters
from pycdf.support.wording import clipped, shown

_FORM = (
    "Write a method as NAME, package.module.Class, package.module.Class(argument=value), or one of "
    "these with a name of your own in front: mine=package.module.Class(argument=value)."
)


def split_list(text: str) -> list[str]:
    """Split text at commas, except those in brackets or quotes."""
    items, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth = max(0, depth - 1)
        elif letter == "," and depth == 0:
            items.append("")
            continue
        items[-1] += letter
    return [item.strip() for item in items if item.strip()]


def parse(spec: str) -> tuple[str | None, str, Parameters]:
    """The user's own name or None, the name of the class or method, and the arguments."""
    front, equals, rest = spec.partition("=")
    own = front.strip() if equals and "(" not in front else None
    if own == "":
        raise ValueError(f"there is no name in front of '=' in {_quoted(spec)}. {_FORM}")
    target, bracket, inside = (spec if own is None else rest).strip().partition("(")
    target = target.strip()
    if not is_full_name(target):
        raise ValueError(f"{_quoted(spec)} is not a method. {_FORM}")
    if not bracket:
        return own, target, {}
    try:
        call = ast.parse(f"_({inside}", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError  # something follows the brackets
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError(f"the arguments in {_quoted(spec)} need names: argument=value.")
        return own, target, {str(each.arg): _literal(each, spec) for each in call.keywords}
    except (RecursionError, MemoryError):  # thousands of brackets
        raise ValueError(f"{_quoted(spec)} has too many brackets. {_FORM}") from None
    except (SyntaxError, ValueError) as problem:
        if isinstance(problem, SyntaxError) or not str(problem):
            raise ValueError(f"{_quoted(spec)} is not a method. {_FORM}") from None
        raise


def _quoted(spec: str) -> str:
    return shown(spec, 100)


def _literal(keyword: ast.keyword, spec: str) -> Any:
    try:
        return ast.literal_eval(keyword.value)
    except ValueError:
        raise ValueError(
            f"{keyword.arg}={clipped(ast.unparse(keyword.value))} in {_quoted(spec)} is not a "
            "literal such as 1, 0.5, 'text', None or [1, 2]. In Python, pass the estimator itself."
        ) from None


def written(arguments: Parameters) -> str:
    """Arguments as text, such as ``(C=0.1)``; empty if there are none."""
    inside = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return f"({inside})" if inside else ""


def unknown(target: str, methods: Iterable[str]) -> str:
    """A message that there is no such method, with similar names."""
    names = list(methods)
    near = difflib.get_close_matches(target.lower()[:100], names, n=2, cutoff=0.5)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return (
        f"there is no method {shown(target)}.{meant} Choose from {', '.join(names)}, or give the "
        "full "
        "name of a scikit-learn estimator class, such as sklearn.linear_model.LogisticRegression."
    )


def check_estimator(estimator: Any) -> None:
    """Refuse an object that cannot be fitted and predict."""
    lacks = [f"{each}()" for each in ("fit", "predict") if not hasattr(estimator, each)]
    if lacks:
        what = estimator.__name__ if isinstance(estimator, type) else shown(estimator, 200)
        raise ValueError(
            f"{what} is not a classifier: it has no {' and no '.join(lacks)}. Pass the name of a "
            "method, or a scikit-learn estimator or its class."
        )


def refuse_regressor(estimator: Any) -> None:
    """Refuse a regressor: the numbers that it predicts are not labels."""
    from sklearn.base import is_regressor

    if hasattr(estimator, "__sklearn_tags__") and is_regressor(estimator):
        raise ValueError(f"{type(estimator).__name__} is a regressor: pass a classifier.")


def refuse_seeds(name: str, arguments: Parameters) -> None:
    """Refuse a seed among the arguments: each split has its own."""
    seeds = {"seed", "random_state"} & set(arguments)
    if seeds:
        raise ValueError(
            f"{seeds.pop()} cannot be set in {clipped(name + written(arguments), 200)}: each split "
            "has its own seed. In Python, an estimator with a random_state keeps it."
        )


def check_arguments(make: Callable[..., Any], name: str, arguments: Parameters) -> None:
    """Refuse arguments that the class does not accept, before anything is run."""
    try:
        refuse_regressor(make(1))
    except TypeError as problem:
        called = clipped(name + written(arguments), 200)
        raise ValueError(f"{called} cannot be built: {problem}.") from problem
    except ImportError:
        pass  # Method.unavailable() reports what is missing


def construct(kind: type, arguments: Parameters, seed: int) -> Any:
    """Build an estimator with the given arguments and seed."""
    return _seed(kind(**arguments), seed)


def seeded_copy(estimator: Any, seed: int) -> Any:
    """An unfitted copy of an estimator, with the given seed."""
    from sklearn.base import clone

    return _seed(clone(estimator, safe=False), seed)


def _seed(estimator: Any, seed: int) -> Any:
    """Set every ``random_state`` and ``seed`` that is None, including those in a pipeline."""
    if hasattr(estimator, "get_params"):
        open_seeds = {
            name: seed if name.endswith("seed") else seed % 2**32
            for name, value in estimator.get_params().items()
            if value is None and name.rpartition("__")[2] in ("random_state", "seed")
        }
        estimator.set_params(**open_seeds)
    return estimator
