"""Whether other users could have put something into the cache, whose code is executed.

A folder or file is trusted if it belongs to the user or to root, and nobody else can write to it.
The same holds for every folder above it, because who can write there can put another one in its
place; a sticky folder, such as /tmp, prevents that. Windows has other permissions, which are not
examined: the user's own folders are closed to others there.
"""

import os
import stat
import sys
from pathlib import Path

_UNMAPPED = 65534  # the owner of the system's folders as some containers see it


def distrust_folder(folder: Path) -> str | None:
    """Say why a folder cannot be trusted and how to mend it; None if it can, or does not exist."""
    if sys.platform == "win32":
        return None
    try:
        real = folder.resolve()
    except (OSError, RuntimeError):  # no access, or links in a circle
        return f"{folder} cannot be reached"
    for path in dict.fromkeys([folder, *folder.parents, real, *real.parents]):
        try:
            state = path.lstat()
        except OSError:  # it does not exist yet; one without access fails when it is used
            continue
        above = path not in (folder, real)
        if problem := _distrust(path, state, above):
            return problem
    return None


def distrust_file(path: Path, state: os.stat_result) -> str | None:
    """Say why an open file cannot be trusted and how to mend it; None if it can."""
    return None if sys.platform == "win32" else _distrust(path, state, above=False)


def _distrust(path: Path, state: os.stat_result, above: bool) -> str | None:
    if state.st_uid not in {os.getuid(), 0, *((_UNMAPPED,) if above else ())}:
        return f"{path} belongs to another user"
    if stat.S_ISLNK(state.st_mode) or (above and state.st_mode & stat.S_ISVTX):
        return None
    by_group = state.st_mode & stat.S_IWGRP and not _is_own_group(state.st_gid)
    if by_group or state.st_mode & stat.S_IWOTH:
        return f"others can write to {path} (chmod go-w {path})"
    return None


def _is_own_group(number: int) -> bool:
    """Whether a group is the user's own, as many systems make one for each user."""
    import grp
    import pwd

    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False
    return group.gr_name == user and set(group.gr_mem) <= {user}
