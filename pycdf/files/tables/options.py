"""How to read a table, where a file's content does not decide it or is read wrongly by default.

This module imports nothing heavy: the command line declares its options from it.
"""

import codecs
from dataclasses import dataclass

from pycdf.support.options import option

_DECIMALS = (".", ",")


@dataclass(frozen=True)
class ReadOptions:
    """What a user says about a file; None means: recognise it from the file's content.

    The same options exist on the command line (:mod:`pycdf.cli.table_options`) and as arguments of
    ``pycdf.read_table`` and ``pycdf.compare``. Any other value raises a ``ValueError`` that names
    the option.
    """

    sep: str | None = None
    """The separator of columns in text, one character."""
    decimal: str | None = None
    """The decimal mark of numbers in text: "." or ","."""
    encoding: str | None = None
    """The encoding of text, such as "latin-1"."""
    sheet: str | None = None
    """The sheet of a workbook, by name or number from 1; the object of an .RData file; ..."""
    transpose: bool = False
    """Whether the features are in the rows of the file, and the samples in its columns."""

    def __post_init__(self) -> None:
        if self.sep is not None and (
            len(self.sep) != 1 or not self.sep.isascii() or self.sep in '"\r\n\0'
        ):
            raise ValueError(
                f"{option('sep', self.sep)}: pass one ASCII character, such as ';' or '\\t'."
            )
        if self.decimal is not None and self.decimal not in _DECIMALS:
            raise ValueError(f"{option('decimal', self.decimal)}: pass '.' or ','.")
        if self.sep is not None and self.sep == self.decimal:
            raise ValueError(
                f"{option('sep')} and {option('decimal')} are both {self.sep!r}: they must differ."
            )
        if self.encoding is not None:
            try:
                known = codecs.lookup(self.encoding)
                "".encode(known.name)
            except (LookupError, ValueError):
                raise ValueError(
                    f"{option('encoding', self.encoding)}: pass the name of a text encoding, such "
                    "as 'utf-8', 'utf-16' or 'latin-1'."
                ) from None


BY_CONTENT = ReadOptions()
"""Recognise everything from the content of the file."""
