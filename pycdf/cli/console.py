"""Messages on stderr: status lines, warnings and progress.

Results go to stdout or to files, so a pipe or a log gets only what is worth keeping.
"""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from pycdf.support.wording import visible


def say(line: str) -> None:
    """Print a line for the user on stderr; nothing in it can act on the terminal."""
    click.echo(f"pycdf: {visible(line)}", err=True)


def say_progress(line: str) -> None:
    """Print a line that the next one overwrites; print nothing in a pipe or a log."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{line}", err=True, nl=False)


@contextmanager
def warnings_as_notes(translate: Callable[[Any], str | None] | None = None) -> Iterator[None]:
    """Print each distinct ``UserWarning``, such as those about the inputs, once, as a note.

    ``translate`` gives the text for a :class:`pycdf.Note`, or None if there is nothing to print.
    """
    printed: set[str | None] = {None}

    def show(message: Any, category: type[Warning], *location: Any, **more: Any) -> None:
        if not issubclass(category, UserWarning):
            usual(message, category, *location, **more)
            return
        note = getattr(message, "note", None)
        text = translate(note) if translate is not None and note is not None else str(message)
        if text not in printed:
            printed.add(text)
            say(f"note: {text}")

    with warnings.catch_warnings():
        usual = warnings.showwarning
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
