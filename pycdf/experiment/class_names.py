"""Import a class by its full name, such as ``sklearn.svm.LinearSVC``.

Importing a module runs its code. A mistyped or made-up name must not run anything, so the module is
first found on disk, without importing even the packages that contain it, and its text must contain
the name of the class.
"""

import difflib
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

from pycdf.support.wording import clipped, one_line, shown

_LONGEST = 200  # characters of a full name; those of real classes have some 50


def is_full_name(target: str) -> bool:
    """Whether a text has the form of a name, or of a full name of a class."""
    parts = target.split(".")
    return len(target) <= _LONGEST and all(part.isidentifier() for part in parts)


def load_class(target: str) -> type:
    """Import the class with this full name; raises ``ValueError`` if there is none."""
    module, _, name = target.rpartition(".")
    _check_on_disk(module, name)
    try:
        found = getattr(import_module(module), name, None)
    except (Exception, SystemExit) as error:  # a module's code may do anything
        why = clipped(one_line(error) or type(error).__name__, 200)
        raise ValueError(f"{shown(target, 100)} cannot be imported: {why}.") from error
    if found is None:
        raise ValueError(_no_class(module, name, dir(import_module(module))))
    if not isinstance(found, type):
        raise ValueError(f"{shown(target, 100)} is not a class.")
    return found


def _check_on_disk(module: str, name: str) -> None:
    """Raise an error if the module cannot be found, or never mentions the class."""
    if module in sys.modules:
        return
    spec = None
    path = None
    for end in _ends(module):
        spec = PathFinder.find_spec(module[:end], path)
        if spec is None:
            inside = f" in {module[:end].rpartition('.')[0]}" if "." in module[:end] else ""
            what = module[:end].rpartition(".")[2]
            raise ValueError(f"there is no module {what}{inside}: is its package installed?")
        path = spec.submodule_search_locations
    text = _source(spec)
    if text is not None and not re.search(rf"\b{name}\b|import \*", text):
        raise ValueError(_no_class(module, name, re.findall(r"\b[A-Z]\w+", text)))


def _ends(module: str) -> Iterator[int]:
    """Where the names of a module's packages end, and its own."""
    yield from (found.start() for found in re.finditer(r"\.", module))
    yield len(module)


def _source(spec: ModuleSpec | None) -> str | None:
    """The text of a module; None if it is not written in Python, or cannot be read."""
    loader: Any = None if spec is None else spec.loader
    try:
        source: str | None = loader.get_source(loader.name)
    except (AttributeError, ImportError, OSError, SyntaxError, UnicodeError):
        return None
    return source


def _no_class(module: str, name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, {each for each in names if each[:1].isupper()}, n=2)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"there is no {name} in {module}.{meant}"
