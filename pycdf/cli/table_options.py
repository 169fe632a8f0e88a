"""The options of all commands that read tables: how a file is to be read.

A command gets them as one :class:`pycdf.files.tables.options.ReadOptions`, called ``reading``.
"""

import functools
from collections.abc import Callable
from typing import Any

import click

from pycdf.files.tables.options import ReadOptions

_OPTIONS = (
    click.option(
        "--sep", metavar="CHARACTER", callback=lambda _ctx, _param, value: _character(value),
        help="The column separator of text files (default: detected).",
    ),
    click.option(
        "--decimal", metavar="CHARACTER",
        help="The decimal mark of text files, . or , (default: detected).",
    ),
    click.option(
        "--encoding", metavar="NAME",
        help="The encoding of text files, such as latin-1 (default: detected).",
    ),
    click.option(
        "--sheet", metavar="NAME",
        help="The sheet of a workbook, by name or number, or the object in an .RData file.",
    ),
    click.option(
        "--transpose", is_flag=True, help="The file has features in rows and samples in columns."
    ),
)  # fmt: skip


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Declare the options on a command, before it becomes a ``click.Command``."""

    @functools.wraps(command)
    def with_options(
        *,
        sep: str | None,
        decimal: str | None,
        encoding: str | None,
        sheet: str | None,
        transpose: bool,
        **given: Any,
    ) -> Any:
        try:
            reading = ReadOptions(sep, decimal, encoding, sheet, transpose)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        return command(reading=reading, **given)

    declared: Callable[..., Any] = with_options
    for option in reversed(_OPTIONS):
        declared = option(declared)
    return declared


def _character(value: str | None) -> str | None:
    """A separator as it can be typed in a shell."""
    return "\t" if value in ("\\t", "tab") else value
