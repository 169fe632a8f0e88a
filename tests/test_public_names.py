"""What docs/versioning.md calls public is what was recorded: names, parameters, options, defaults.

After a change that is meant, and that CHANGELOG.md tells: ``python tests/test_public_names.py``
records them anew in `tests/data/public_names.txt`.
"""

import inspect
from pathlib import Path

import click
import numpy as np

import pycdf
from pycdf import explain, laboratory, plots
from pycdf.cli.main import main

RECORDED = Path(__file__).parent / "data" / "public_names.txt"
FROM_ELSEWHERE = ("sklearn", "builtins", "numpy", "pandas", "abc")


def shown(value):
    """A default as text that does not depend on the version of Python."""
    if isinstance(value, (np.ndarray, list, tuple)):
        return f"[{', '.join(map(shown, value))}]"
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    return f"<{getattr(value, '__name__', type(value).__name__)}>"


def parameters(thing):
    """The parameters of a function or class, without types."""
    parts, keywords_only = [], False
    for one in inspect.signature(thing).parameters.values():
        if one.kind is one.KEYWORD_ONLY and not keywords_only:
            parts.append("*")
        keywords_only |= one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        default = "" if one.default is one.empty else f"={shown(one.default)}"
        parts.append(f"{star}{one.name}{default}")
    return f"({', '.join(parts)})"


def lines_of_class(name, thing):
    """A class with its methods and properties, but those of scikit-learn's classes."""
    if issubclass(thing, (Exception, Warning)):
        yield f"{name}: {', '.join(base.__name__ for base in thing.__mro__[1:-1])}"
        return
    yield f"{name}{parameters(thing)}"
    for member in sorted(dir(thing)):
        owner = next((one for one in thing.__mro__ if member in vars(one)), None)
        if member.startswith("_") or owner.__module__.startswith(FROM_ELSEWHERE):
            continue
        if member.startswith("set_") and member.endswith("_request"):
            continue  # scikit-learn writes them into the class
        value = getattr(thing, member)
        yield f"{name}.{member}{parameters(value) if callable(value) else ''}"


def lines_of_module(module):
    """The names in ``__all__``."""
    for name in sorted(module.__all__):
        thing, whole = getattr(module, name), f"{module.__name__}.{name}"
        if inspect.isclass(thing):
            yield from lines_of_class(whole, thing)
        elif callable(thing):
            yield f"{whole}{parameters(thing)}"
        else:
            yield whole


def lines_of_command(path, command):
    """A command with its arguments and options, and those below it."""
    if isinstance(command, click.Group):
        for name in sorted(command.list_commands(click.Context(command))):
            below = command.get_command(click.Context(command), name)
            yield from lines_of_command(f"{path} {name}", below)
        return
    for one in command.params:
        names = "/".join([*one.opts, *one.secondary_opts])
        kind = ", ".join(one.type.choices) if isinstance(one.type, click.Choice) else one.type.name
        flag = "flag" if getattr(one, "is_flag", False) else kind
        yield f"{path} {names}: {flag}{' (many)' if one.multiple or one.nargs != 1 else ''}, " + (
            "required" if one.required else f"default {shown(default_of(one))}"
        )


def default_of(option):
    """The default of an option; click's mark for none is not public, and differs by version."""
    default = option.default
    if getattr(option, "is_flag", False):
        return default is True
    plain = default is None or isinstance(default, (bool, int, float, str, tuple, list))
    return default if plain else None


def public_names():
    """All lines."""
    for module in (pycdf, explain, plots, laboratory):
        yield from lines_of_module(module)
    yield from lines_of_command("pycdf", main)


def test_public_names_are_those_that_were_recorded():
    assert list(public_names()) == RECORDED.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    RECORDED.write_text("".join(f"{line}\n" for line in public_names()), encoding="utf-8")
