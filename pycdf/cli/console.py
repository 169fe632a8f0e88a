"""What goes to stderr: sentences, notes on the inputs, progress.

Results go to stdout or to files; a pipe or a log sees here only what is worth keeping.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click


def tell(line: str) -> None:
    click.echo(f"pycdf: {line}", err=True)


def tell_progress(line: str) -> None:
    """A line that the next one overwrites; nothing in a pipe or a log."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{line}", err=True, nl=False)


@contextmanager
def notes() -> Iterator[None]:
    """What R does silently with the inputs, and other warnings to users, told once each."""
    told: set[str] = set()

    def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, UserWarning):
            usual(message, category, *place, **more)
        elif str(message) not in told:
            told.add(str(message))
            tell(f"note: {message}")

    with warnings.catch_warnings():
        usual = warnings.showwarning
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
