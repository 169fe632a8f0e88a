"""How messages name an option: ``decimal=','`` in Python, ``--decimal ,`` on the command line.

A message calls :func:`option`. The command line has its own spelling
(:mod:`pycdf.cli.option_names`), which is in force while a command runs.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pycdf.support.wording import plain, shown

UNSAID = object()
"""In place of a value: the message is about the option as such."""

Spelling = Callable[[str, object], str]
"""How a tool spells an option, given the argument's name in Python and a value or ``UNSAID``."""


def as_argument(name: str, value: object) -> str:
    """An option as an argument of a function."""
    return name if value is UNSAID else f"{name}={shown(plain(value))}"


_spelling: ContextVar[Spelling] = ContextVar("spelling", default=as_argument)


def option(name: str, value: object = UNSAID) -> str:
    """An option as the user writes it, with a value or alone."""
    return _spelling.get()(name, value)


def in_python() -> bool:
    """Whether the user calls functions, and does not run a command."""
    return _spelling.get() is as_argument


@contextmanager
def spelled_by(spelling: Spelling) -> Iterator[None]:
    """Spell options in this way inside the ``with`` block."""
    before = _spelling.set(spelling)
    try:
        yield
    finally:
        _spelling.reset(before)
