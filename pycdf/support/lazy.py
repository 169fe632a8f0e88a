"""Names that are fetched when they are asked for: what a package exports, without what it costs.

In go a package's name and where its public names live; out come ``__getattr__`` and ``__dir__``.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attach(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``homes``: the names that each module of the package gives; none if it is public itself."""
    home = {name: module for module, names in homes.items() for name in names or (module,)}

    def fetch(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{home[name]}")
        value = getattr(module, name) if homes[home[name]] else module
        setattr(sys.modules[package], name, value)
        return value

    return fetch, lambda: sorted({*vars(sys.modules[package]), *home})
