"""Create files that only this user can read, for data that are on disk for a short time."""

import os


def private(path: str, flags: int) -> int:
    """Open a file with mode 0600, whatever the umask: ``open(path, "wb", opener=private)``."""
    return os.open(path, flags, 0o600)
