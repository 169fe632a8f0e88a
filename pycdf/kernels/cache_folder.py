"""The folder of the compiled kernels: one for each user and key.

    <the user's cache folder>/pycdf-<key>/

The key is a hash of every file in this folder, of the versions of Python, numpy, numba and
llvmlite, of the processor, and of the settings that change the machine code. Kernels import nothing
from outside this folder, so nothing else can change their code. Where pycdf is installed is not
part of the key: virtual environments with the same versions share a folder.

The folders of the last keys stay, because other environments may use them: the 20 that were used
most recently, and none that has not been used for 90 days. They are looked through whenever a
folder with a new key is made.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np

from .cache_safety import distrust_folder
from .notices import tell

_config: Any = numba.config  # its stubs do not list the settings
_FOLDER = Path(__file__).parent  # all kernels are here, and import nothing from elsewhere
# These change the machine code, but numba's own cache ignores most of them.
_SETTINGS = (
    "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "CPU_NAME",
    "CPU_FEATURES", "ENABLE_AVX", "USING_SVML", "LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS",
)  # fmt: skip
_NAME = re.compile(r"pycdf-([0-9a-f]{12}|[0-9a-f]{24})")  # 12 digits: made by pycdf 0.1
_MOST = 20
_DAY = 86400.0
_UNUSED = 90 * _DAY


def cache_folder() -> Path | None:
    """Return the folder to which kernels are written, creating it; None if impossible."""
    return _folders()[1]


def readable_folders() -> tuple[Path, ...]:
    """Return the folders from which kernels are read, best first.

    There is more than one if somebody has prepared kernels in a folder that is read-only for us.
    """
    return _folders()[0]


@cache
def _folders() -> tuple[tuple[Path, ...], Path | None]:
    try:
        name = f"pycdf-{_key()}"
    except OSError:  # the package is not a folder of files
        return (), None
    readable: list[Path] = []
    for base in _bases():
        folder = Path(os.path.abspath(base), name)  # links stay: they are checked
        fresh = not folder.exists()
        try:
            problem = distrust_folder(folder)
            if problem is None:
                _create(folder)
                problem = distrust_folder(folder)
        except OSError:
            continue
        if problem is not None:
            tell(
                f"kernels in {base} are not used, because {problem}; "
                "NUMBA_CACHE_DIR can name a folder of your own."
            )
            continue
        readable.append(folder)
        if os.access(folder, os.W_OK | os.X_OK):
            if fresh:
                _prune(folder)
            elif time.time() - folder.stat().st_mtime > _DAY:
                with suppress(OSError):
                    os.utime(folder)  # it is in use
            return tuple(readable), folder
    return tuple(readable), None


def _create(folder: Path) -> None:
    """Make a folder and those above it, none of which others can write to, whatever the umask."""
    for path in (*reversed(folder.parents), folder):
        if not path.is_dir():
            path.mkdir(mode=0o755, exist_ok=True)


def _prune(new: Path) -> None:
    """Remove the folders of old keys."""
    used: list[tuple[float, Path]] = []
    for path in new.parent.iterdir():
        if _NAME.fullmatch(path.name) and path != new:
            with suppress(OSError):  # another process has just removed it
                used.append((path.stat().st_mtime, path))
    used.sort(reverse=True)
    for rank, (when, path) in enumerate(used, start=2):
        if rank > _MOST or time.time() - when > _UNUSED:
            shutil.rmtree(path, ignore_errors=True)


def _key() -> str:
    """Return a hash of every source file in this folder, and of versions and settings."""
    if not _FOLDER.is_dir():
        raise NotADirectoryError(_FOLDER)
    facts = [
        __package__,
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        sys.implementation.cache_tag,
        getattr(sys, "abiflags", ""),
        sys.flags.optimize,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        *(getattr(_config, name, None) for name in _SETTINGS),
    ]
    key = hashlib.sha256(repr(facts).encode())
    for source in sorted(_FOLDER.glob("*.py")):
        key.update(f"\0{source.name}\0".encode() + source.read_bytes())
    return key.hexdigest()[:24]


def _bases() -> Iterator[Path]:
    """Yield the folders to try, best first."""
    if _config.CACHE_DIR:
        yield Path(_config.CACHE_DIR)
    elif sys.platform == "win32":
        if local := os.environ.get("LOCALAPPDATA"):
            yield Path(local, "pycdf", "Cache")
    elif sys.platform == "darwin":
        yield Path("~/Library/Caches/pycdf").expanduser()
    else:
        yield Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "pycdf"
    with suppress(OSError):  # there is no temporary folder
        user = "" if sys.platform == "win32" else f"-{os.getuid()}"
        yield Path(tempfile.gettempdir(), f"pycdf{user}")
