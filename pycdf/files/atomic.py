"""Replace a file in one step, so that a crash leaves either the old file or the new one intact."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pycdf.files.paths import check_path


@contextmanager
def _naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Name the file in errors: that of a full disk names none, others the temporary file."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file atomically: even after a crash it has all of the old content or all of the new.

    A symbolic link is followed, and an existing file keeps its permissions.
    """
    check_path(path)
    target = Path(os.path.realpath(path))  # replace the file that a link points to, not the link
    if target.exists() and not target.is_file():
        with _naming(path):
            target.write_bytes(data)  # a device or a pipe; for a folder this raises an error
        return
    spare = target.with_name(f".{target.name[:200]}.{secrets.token_hex(6)}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with _naming(path):
        # The umask applies; but a file that may be private is private until it has its mode
        opened = os.open(spare, flags, 0o600 if target.exists() else 0o666)
    with _naming(path), os.fdopen(opened, "wb") as file:
        try:
            if target.exists():
                os.chmod(spare, stat.S_IMODE(target.stat().st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            file.close()
            os.replace(spare, target)
        except BaseException:
            with suppress(OSError):  # closing tries to write the rest, to a disk that is full
                file.close()
            with suppress(OSError):
                os.unlink(spare)
            raise
    if os.name == "posix":  # the renaming is durable only once the folder is synced, too
        with suppress(OSError):
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
