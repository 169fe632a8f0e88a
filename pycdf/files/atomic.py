"""Replace a file in one step, so that a crash leaves either the old file or the new one intact."""

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pycdf.files.paths import check_path

try:
    import fcntl
except ImportError:  # Windows, where nobody can delete a file that is open
    fcntl = None  # type: ignore[assignment]


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

    A symbolic link is followed, and an existing file keeps its permissions. Parts that earlier
    calls for this file left behind because their process was killed are deleted.
    """
    check_path(path)
    target = Path(os.path.realpath(path))  # replace the file that a link points to, not the link
    if target.exists() and not target.is_file():
        with _naming(path):
            target.write_bytes(data)  # a device or a pipe; for a folder this raises an error
        return
    _delete_parts(target)
    with _naming(path):
        part, opened = _new_part(target)
    with _naming(path), os.fdopen(opened, "wb") as file:
        try:
            if target.exists():
                os.chmod(part, stat.S_IMODE(target.stat().st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if fcntl is None:
                file.close()  # Windows renames closed files only; elsewhere the lock is kept
            os.replace(part, target)
        except BaseException:
            with suppress(OSError):  # closing tries to write the rest, to a disk that is full
                file.close()
            with suppress(OSError):
                os.unlink(part)
            raise
    if os.name == "posix":  # the renaming is durable only once the folder is synced, too
        with suppress(OSError):
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _new_part(target: Path) -> tuple[Path, int]:
    """A new file beside the target, open and locked."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # The umask applies; but a file that may be private is private until it has its mode
    mode = 0o600 if target.exists() else 0o666
    while True:
        part = target.with_name(f".{target.name[:200]}.{secrets.token_hex(6)}.part")
        opened = os.open(part, flags, mode)
        _lock(opened, wait=True)
        # Another process may have taken it for one left behind before it was locked.
        if os.fstat(opened).st_nlink:
            return part, opened
        os.close(opened)


def _delete_parts(target: Path) -> None:
    """Delete parts of this target that no process is writing: those that nobody has locked."""
    name = re.compile(rf"\.{re.escape(target.name[:200])}\.[0-9a-f]{{12}}\.part")
    with suppress(OSError), os.scandir(target.parent) as entries:
        for part in [Path(entry.path) for entry in entries if name.fullmatch(entry.name)]:
            with suppress(OSError):
                opened = os.open(part, os.O_RDONLY)
                try:
                    if _lock(opened, wait=False):
                        part.unlink()
                finally:
                    os.close(opened)


def _lock(opened: int, wait: bool) -> bool:
    """Lock an open file; whether that was possible. The lock ends when the file is closed."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # locked by another process, or a file system without locks
        return False
    return True
