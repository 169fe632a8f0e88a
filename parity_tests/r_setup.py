"""Is R ready for the comparison? If not: the real cause, and the line that mends it."""

import os
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOW_TO_R = "Install R (Debian: apt-get install r-base-core r-base-dev), then run `nox -s parity`."
HOW_TO_PACKAGES = "Run `Rscript r_reference/install.R` (see r_reference/README.md)."
HOW_TO_COMPARATORS = "Run `Rscript r_reference/install.R comparators` (see r_reference/README.md)."


class RIsMissing(Exception):
    """R, one of its packages, or the locale that the comparison needs is not there."""


def library() -> Path:
    """The project's own R library, which need not exist."""
    return Path(os.environ.get("PYCDF_R_LIBRARY", ROOT / ".r-library")).resolve()


def comparators_wanted() -> str:
    """``"must"`` or ``"try"``: whether a missing package of the experiment is a failure."""
    wanted = os.environ.get("PYCDF_COMPARATORS", "try")
    if wanted not in ("must", "try"):
        raise ValueError(f'PYCDF_COMPARATORS is either "must" or "try", not {wanted!r}.')
    return wanted


def why_not_installed(package: str) -> str | None:
    """What install.R noted when it could not install a package."""
    notes = library() / "not-installed.txt"
    lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    return next(
        (why for name, _, why in (x.partition(" ") for x in lines) if name == package), None
    )


def check_loaded_r(home: str, loaded: str) -> None:
    """Raise RIsMissing when the library of one R was loaded for the packages of another.

    That happens where the linker knows a system's R and the PATH names a newer one.
    """
    description = (Path(home) / "library" / "base" / "DESCRIPTION").read_text(encoding="utf-8")
    found = next(x for x in description.splitlines() if x.startswith("Version:")).split()[1]
    if found != loaded:
        raise RIsMissing(
            f"Python has loaded the library of R {loaded}, but the R in {home} is {found}. "
            + how_to_link(Path(home))
        )


def how_to_link(home: Path) -> str:
    return (
        f"Run\n  export LD_LIBRARY_PATH={home / 'lib'}:$LD_LIBRARY_PATH\n"
        "before Python starts, or use `nox -s parity`, which does."
    )


def why_no_session(error: BaseException) -> str:
    """Why rpy2 could not load R, in words that say what to do."""
    home = r_home()
    if home is None:
        return f"There is no R on the PATH. {HOW_TO_R}"
    said = str(error)
    if isinstance(error, ModuleNotFoundError) and error.name and error.name.startswith("rpy2"):
        return f"rpy2 is not installed. `nox -s parity` installs the one that fits R ({home})."
    if not any((home / "lib").glob("libR.*")) and not any((home / "bin").rglob("R.dll")):
        return (
            f"{home} has no libR, so no other program can load this R. It has to be configured "
            "with --enable-R-shlib, or installed from a distribution's package."
        )
    if "cannot open shared object file" in said or "Library not loaded" in said:
        return f"R's libraries were not found ({said}). {how_to_link(home)}"
    if "undefined symbol" in said or "symbol not found" in said.lower():
        return (
            f"rpy2 {rpy2_version()} does not fit the R in {home}: {said}. `nox -s parity` installs "
            "one that does (r_reference/choose_rpy2.py)."
        )
    return f"rpy2 {rpy2_version()} cannot start the R in {home}: {error!r}"


def r_home() -> Path | None:
    if "R_HOME" in os.environ:
        return Path(os.environ["R_HOME"])
    if shutil.which("R") is None:
        return None
    asked = subprocess.run(["R", "RHOME"], capture_output=True, text=True, check=True)
    return Path(asked.stdout.strip().splitlines()[-1])


def rpy2_version() -> str:
    try:
        return version("rpy2")
    except PackageNotFoundError:
        return "(not installed)"
