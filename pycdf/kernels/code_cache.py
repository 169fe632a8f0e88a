"""The compiled kernels on disk: a cache that is never stale.

numba reuses an entry's code as long as *the entry's own file* is unchanged, and would miss an edit
of an inner kernel in another file. The folder with the code therefore has a key in its name: a hash
of every file in this folder, of the versions of numba and llvmlite, and of the settings that change
the machine code. Kernels import nothing from outside this folder, so nothing else can change their
code:

    <the user's cache folder>/pycdf/pycdf-<installation>/<key>/

If no folder is writable, or the package is in a zip file, each process compiles its own kernels.
When compiling starts, a message on stderr says so once (PYCDF_QUIET=1 silences it).

Processes that compile at the same time take turns: numba numbers the specialisations of an entry in
an index file, which two writers can corrupt, and the second process can use what the first one
compiled.
"""

import gc
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import llvmlite
import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.core.event import Event, Listener, install_listener

_config: Any = numba.config  # its stubs do not list the settings
_FOLDER = Path(__file__).parent  # all kernels are here, and import nothing from elsewhere
# These change the machine code, but numba's own cache ignores them.
_SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")


def compile_and_keep(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Make a function an entry whose machine code is kept in the cache folder, if there is one."""
    folder = cache_folder()
    kernel: Any = None
    if folder is not None:
        # numba reads this when caching is enabled, which is while it decorates.
        before = _config.CACHE_DIR
        _config.CACHE_DIR = str(folder)
        try:
            with suppress(RuntimeError):  # numba found no folder
                kernel = numba.njit(cache=True, **options)(function)
        finally:
            _config.CACHE_DIR = before
    # A folder that numba chooses would not have our key: no cache is better than a stale one.
    if kernel is None or not _within(kernel.stats.cache_path, folder):
        kernel = numba.njit(**options)(function)
    vars(kernel)["compile"] = _guarded(kernel)
    return kernel


@cache
def cache_folder() -> Path | None:
    """Return the folder for this installation's entries, creating it; None if impossible."""
    try:
        key = _key()
    except OSError:  # the package is not a folder of files
        return None
    installation = hashlib.sha256(f"{_FOLDER}\0{sys.implementation.cache_tag}".encode())
    for base in _bases():
        folder = base / f"pycdf-{installation.hexdigest()[:12]}" / key
        try:
            fresh = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        if fresh:  # remove what the same installation compiled from other sources
            for other in set(folder.parent.iterdir()) - {folder}:
                shutil.rmtree(other, ignore_errors=True)
        return folder
    return None


def _guarded(kernel: Any) -> Callable[[Any], Any]:
    """Wrap the step in which numba loads or compiles a signature, so that it is safe."""
    compile_signature: Callable[[Any], Any] = kernel.compile

    def compile_in_turn(signature: Any) -> Any:
        # Always numba's own lock first: two locks that are taken in the same order cannot deadlock.
        with (
            global_compiler_lock,
            _turn(),
            _no_collection(),
            install_listener("numba:compile", _Notice()),
        ):
            try:
                return compile_signature(signature)
            except (OSError, EOFError, UnpicklingError) as error:
                # The disk is full, the folder is gone, a file is damaged: go on without this cache.
                if not isinstance(error, OSError):
                    shutil.rmtree(kernel.stats.cache_path, ignore_errors=True)
                kernel._cache.disable()
                return compile_signature(signature)

    return compile_in_turn


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the garbage collector: a compiler's objects live long, and scanning them costs 10 %."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Notice(Listener):
    """Tells the user, once per process, that numba compiles; loading cached code is silent."""

    _given = False

    def on_start(self, event: Event) -> None:
        if not _Notice._given and os.environ.get("PYCDF_QUIET", "") in ("", "0"):
            folder = cache_folder()
            if folder is None:
                how = "for this process only: no cache folder is writable (several seconds)"
            elif any(folder.rglob("*.nbi")):  # the kernels of forests are there, others are not
                how = "once: additional kernels (several seconds)"
            else:
                how = "once (several seconds)"
            print(f"pycdf: compiling for this machine, {how} ...", file=sys.stderr)
        _Notice._given = True

    def on_end(self, event: Event) -> None:
        """Say nothing: the result follows."""


@contextmanager
def _turn() -> Iterator[None]:
    """Hold the lock file of the cache folder; continue without it if files cannot be locked."""
    global _depth
    folder = cache_folder()
    file = None
    if _depth == 0 and folder is not None:
        with suppress(OSError):
            file = open(folder / "lock", "ab")  # noqa: SIM115 (closed below, which frees the lock)
            _lock(file.fileno())
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if file is not None:
            file.close()


_depth = 0  # entries that call entries are compiled within each other


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        for _ in range(6):  # Windows gives up, with OSError, after 10 s
            with suppress(OSError):
                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
                return
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _key() -> str:
    """Return a hash of every source file in this folder, and of versions and settings."""
    if not _FOLDER.is_dir():
        raise NotADirectoryError(_FOLDER)
    key = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    for name in _SETTINGS:
        key.update(f"\0{name}={getattr(_config, name, None)!r}".encode())
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
    with suppress(OSError):
        yield _private_temporary_folder()


def _private_temporary_folder() -> Path:
    """Return a folder that only the user can write to, because cached code is executed."""
    if sys.platform == "win32":
        return Path(tempfile.gettempdir(), "pycdf")
    folder = Path(tempfile.gettempdir(), f"pycdf-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.lstat()
    if folder.is_symlink() or state.st_uid != os.getuid() or state.st_mode & 0o022:
        raise PermissionError(folder)
    return folder


def _within(path: str | None, folder: Path | None) -> bool:
    return path is not None and folder is not None and Path(path).is_relative_to(folder)
