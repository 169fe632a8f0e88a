"""One compiler at a time: among the threads of a process, among processes, and across a fork.

Threads take turns because numba demands it. Processes take turns so that the second can use what
the first one compiled; it is no catastrophe if they do not, since cache files are written as a
whole. So nobody waits for ever for a process that hangs.

A fork copies only the thread that calls it. In the middle of another thread's compilation it would
copy a compiler that is locked and stays so. It therefore waits until the kernel is compiled.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from numba.core.compiler_lock import global_compiler_lock

_LONGEST_WAIT = 120.0  # seconds; a kernel takes some seconds to compile, also on slow machines
_threads: Any = global_compiler_lock._lock  # its own acquire() cannot give up
_forks = threading.local()  # .waited: whether a fork in this thread got the lock
_patient = True  # until another process has kept its turn for too long
_depth = 0  # entries that call entries are compiled within each other
_copied_midway = False


@contextmanager
def compiler_turn(folder: Path | None) -> Iterator[None]:
    """Wait for the turn of this thread, and of this process among those that use the folder."""
    global _depth
    if _copied_midway:
        raise RuntimeError(
            "this process was forked while another thread compiled a kernel for more than "
            f"{_LONGEST_WAIT:.0f} s, and cannot compile: call pycdf once before forking, "
            'or use the start method "spawn".'
        )
    # Always numba's own lock first: two locks that are taken in the same order cannot deadlock.
    with global_compiler_lock:
        file = _lock_file(folder) if _depth == 0 and folder is not None else None
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            if file is not None:
                file.close()  # which frees the lock


def _lock_file(folder: Path) -> BinaryIO | None:
    """Lock the folder's lock file, or return without a lock after one long wait in this process."""
    global _patient
    try:
        file = open(folder / "lock", "ab")  # noqa: SIM115 (it stays open as long as it is locked)
    except OSError:
        return None
    end = time.monotonic() + _LONGEST_WAIT
    try:
        while not _try_lock(file.fileno()) and _patient:
            time.sleep(0.02)
            _patient = time.monotonic() < end
    except OSError:  # not on this file system
        pass
    except BaseException:
        file.close()
        raise
    return file


def _try_lock(descriptor: int) -> bool:
    """Lock a file unless another process has locked it."""
    if sys.platform == "win32":
        import msvcrt

        with suppress(PermissionError):
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            return True
    else:
        import fcntl

        with suppress(BlockingIOError, PermissionError):
            # Unlike flock's, this lock belongs to the process: a forked child does not hold it.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False


def _before_fork() -> None:
    _forks.waited = _threads.acquire(timeout=_LONGEST_WAIT)


def _after_fork() -> None:
    if _forks.waited:
        _threads.release()


def _after_fork_in_child() -> None:
    global _copied_midway
    _after_fork()
    _copied_midway = _copied_midway or not _forks.waited


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child
    )
