"""Lazy imports: a package exports names whose modules are imported on first use."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attach(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and ``__dir__`` of a package with lazy exports.

    ``homes`` maps each module, relative to the package, to the names that it provides; an empty
    tuple exports the module itself.
    """
    home = {name: module for module, names in homes.items() for name in names or (module,)}

    def fetch(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{home[name]}")
        value = getattr(module, name) if homes[home[name]] else module
        setattr(sys.modules[package], name, value)
        return value

    return fetch, lambda: sorted({*vars(sys.modules[package]), *home})
