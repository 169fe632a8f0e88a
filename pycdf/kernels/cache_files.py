"""Files of the cache: written as a whole, and read only if they are as they were written."""

import hashlib
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from .cache_safety import distrust_file
from .notices import tell

_MAGIC = b"pycdf kernel 1\n"
_DIGEST_BYTES = hashlib.sha256().digest_size
_PART = ".part"
_ABANDONED = 3600.0  # seconds after which a partial file is nobody's


def read_checked(path: Path) -> bytes | None:
    """Return what was written; None if there is no such file, or a damaged or unsafe one."""
    try:
        with open(path, "rb") as file:
            problem = distrust_file(path, os.fstat(file.fileno()))
            whole = file.read() if problem is None else b""
    except OSError:
        return None
    if problem is not None:
        tell(f"the kernel in {path} is compiled again, because {problem}.")
    start = len(_MAGIC) + _DIGEST_BYTES
    data = whole[start:]
    return data if whole[:start] == _MAGIC + hashlib.sha256(data).digest() else None


def write_checked(path: Path, data: bytes) -> None:
    """Write a file with its checksum; readers see all of it or nothing."""
    for part in path.parent.glob(f"*{_PART}"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > _ABANDONED:
                part.unlink()
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}{_PART}")
    try:
        # Nobody else may write to it, whatever the umask.
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as file:
            file.write(_MAGIC + hashlib.sha256(data).digest())
            file.write(data)
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
