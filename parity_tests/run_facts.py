"""When, where and with which versions a run was made."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from typing import Any

from .bridge import RSession
from .r_packages import packages_in_use
from .r_setup import ROOT


def facts(r: RSession) -> dict[str, Any]:
    """What the summary of a run says of R and of the run itself."""
    return {
        "date": date(),
        "commit": commit(),
        "system": system(),
        "versions": r.versions(),
        "packages": packages_in_use(r),
        "settings": settings(),
    }


def commit() -> str:
    """The commit under test; changes that are not committed are mentioned."""
    command = ["git", "-C", str(ROOT)]
    try:
        short = subprocess.check_output([*command, "rev-parse", "--short=10", "HEAD"], text=True)
        changed = subprocess.check_output([*command, "status", "--porcelain"], text=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return short.strip() + (" with changes" if changed.strip() else "")


def date() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


def system() -> str:
    """Such as "Debian GNU/Linux 13 (trixie), x86_64"."""
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = f"{platform.system()} {platform.release()}"
    return f"{name}, {platform.machine()}"


def settings() -> dict[str, str]:
    """The variables that decide how much is compared."""
    names = ("PYCDF_CASES", "PYCDF_FIRST_CASE", "PYCDF_DIRTY_CASES")
    return {name: os.environ[name] for name in names if name in os.environ}
