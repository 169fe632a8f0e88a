"""What a reader of one file format is asked for."""

from collections.abc import Collection
from dataclasses import dataclass, field

from pycdf.files.tables.options import BY_CONTENT, ReadOptions


@dataclass(frozen=True)
class Request:
    """A table that is wanted from a file, and the notes on how it was read."""

    name: str
    """The file's name, "-" for stdin."""
    as_text: Collection[str] = ()
    """Columns to keep as text."""
    options: ReadOptions = BY_CONTENT
    notes: list[str] = field(default_factory=list)
    """Sentences on what was guessed; readers append to it."""
