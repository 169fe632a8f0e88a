"""The compiled kernels on disk: a cache that is never stale, and never needed.

numba's own cache reuses an entry's code as long as *the entry's own file* is unchanged, and would
miss an edit of an inner kernel in another file; it depends on where the file is; and it fails on a
damaged file. This one has a file for each entry and signature, with a checksum, in a folder with a
key (:mod:`pycdf.kernels.cache_folder`).

If no folder can be used, or the package is in a zip file, each process compiles its own kernels.
"""

import gc
import hashlib
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.event import Event, Listener, install_listener
from numba.core.serialize import dumps

from .cache_files import read_checked, write_checked
from .cache_folder import cache_folder, readable_folders
from .compile_turns import compiler_turn
from .notices import quiet, tell


def compile_and_keep(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Make a function an entry whose machine code is kept in the cache folder, if there is one."""
    kernel = compile_here(function, options)
    if readable_folders():
        kernel._cache = KernelCache(function, counts_references=options["_nrt"])
    return kernel


def compile_here(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Make a function a kernel that each process compiles."""
    kernel: Any = numba.njit(**options)(function)
    vars(kernel)["compile"] = _guarded(kernel)
    return kernel


class KernelCache(_Cache):
    """What numba asks for an entry's machine code, and gives it to."""

    def __init__(self, function: Callable[..., Any], *, counts_references: bool) -> None:
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        self._counts_references = counts_references
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder with the kernels."""
        return str(readable_folders()[-1])

    def holds(self, sig: Any) -> bool:
        """Whether there is a file for a signature; it may turn out to be damaged."""
        name = self._file_name(sig)
        return self._enabled and any((folder / name).exists() for folder in readable_folders())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature; None if it has to be compiled."""
        if self._counts_references:
            # Sets up numba's memory management, but also its rules for all functions, and imports
            # scipy for them. A process that only runs machine code needs neither: a quarter second.
            target_context.refresh()
        for folder in readable_folders() if self._enabled else ():
            kept = read_checked(folder / self._file_name(sig))
            # Whatever is wrong with a file that is as it was written: compiling mends it.
            with suppress(Exception):
                if kept is not None:
                    signature, parts = pickle.loads(kept)
                    if signature == sig:
                        return CompileResult._rebuild(target_context, *parts)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature, if possible."""
        folder = cache_folder()
        if self._enabled and folder is not None and not data.library.has_dynamic_globals:
            with suppress(OSError):  # the disk is full, the folder is gone
                write_checked(folder / self._file_name(sig), dumps((sig, data._reduce())))

    def enable(self) -> None:
        """Use the cache."""
        self._enabled = True

    def disable(self) -> None:
        """Neither read nor write."""
        self._enabled = False

    def flush(self) -> None:
        """Remove the kernels of this entry."""
        folder = cache_folder()
        for path in folder.glob(f"{self._name}-*") if folder is not None else ():
            path.unlink(missing_ok=True)

    def _file_name(self, sig: Any) -> str:
        return f"{self._name}-{hashlib.sha256(str(sig).encode()).hexdigest()[:16]}.kernel"


def _guarded(kernel: Any) -> Callable[[Any], Any]:
    """Wrap the step in which numba loads or compiles a signature, so that it is safe."""
    compile_signature: Callable[[Any], Any] = kernel.compile

    def compile_in_turn(signature: Any) -> Any:
        # What is there only has to be loaded: no need to wait for a process that compiles.
        kept = isinstance(kernel._cache, KernelCache) and kernel._cache.holds(signature)
        with (
            compiler_turn(None if kept else cache_folder()),
            _no_collection(),
            install_listener("numba:compile", _Notice()),
        ):
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
    """Tells the user that numba compiles, when the first kernel of a folder is compiled."""

    _given = False

    def on_start(self, event: Event) -> None:
        if not _Notice._given and not quiet():
            folder = cache_folder()
            if folder is None:
                tell("compiling for this process only: no cache folder is writable ...")
            elif _is_first_time(folder / "told"):
                tell(
                    "compiling for this machine; each kernel takes some seconds, once "
                    "(pycdf warmup compiles all of them) ..."
                )
        _Notice._given = True

    def on_end(self, event: Event) -> None:
        """Say nothing: the result follows."""


def _is_first_time(mark: Path) -> bool:
    """Whether this mark is made now; True also if it cannot be made."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    except OSError:
        pass
    return True
