"""Paths that no file can have."""

import os

from pycdf.support.wording import shown


def check_path(path: str | os.PathLike[str]) -> None:
    """Refuse a path with a null character, which Python's own error does not name."""
    if "\0" in os.fspath(path):
        raise ValueError(f"{shown(os.fspath(path))} is not a path: it contains a null character.")
