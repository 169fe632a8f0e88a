"""Messages on stderr: status lines and warnings.

Results go to stdout or to files, so a pipe or a log gets only what is worth keeping.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from pycdf.support.wording import visible

_KEPT: list[list[str]] = []


def say(line: str) -> None:
    """Print a line for the user on stderr; nothing in it can act on the terminal."""
    click.echo(f"pycdf: {visible(line)}", err=True)


def say_note(text: str) -> None:
    """Print a note on stderr; whoever keeps notes gets it, too."""
    for kept in _KEPT:
        kept.append(text)
    say(f"note: {text}")


@contextmanager
def kept_notes() -> Iterator[list[str]]:
    """Keep the notes that are printed meanwhile."""
    notes: list[str] = []
    _KEPT.append(notes)
    try:
        yield notes
    finally:
        _KEPT.remove(notes)


@contextmanager
def warnings_as_notes(translate: Callable[[Any], str | None] | None = None) -> Iterator[None]:
    """Print each distinct ``UserWarning``, such as those about the inputs, once, as a note.

    ``translate`` gives the text for a :class:`pycdf.Note`, or None if there is nothing to print.
    """
    printed: set[str] = set()

    def show(message: Any, category: type[Warning], *location: Any, **more: Any) -> None:
        if not issubclass(category, UserWarning):
            usual(message, category, *location, **more)
            return
        note = getattr(message, "note", None)
        text = translate(note) if translate is not None and note is not None else str(message)
        if text is not None and text not in printed:
            printed.add(text)
            say_note(text)

    with warnings.catch_warnings():
        usual = warnings.showwarning
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
