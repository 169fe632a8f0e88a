"""The R packages of a session: are they the right ones, and where do they come from?"""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .r_setup import (
    HOW_TO_COMPARATORS,
    HOW_TO_PACKAGES,
    RIsMissing,
    how_to_link,
    library,
    why_not_installed,
)

if TYPE_CHECKING:
    from .bridge import RSession

# Some tests start an R of their own, so what this session has loaded is not all that is used.
USED_ELSEWHERE = ("RRF", "rknn", "gmp", "reticulate")

PACKAGES_IN_USE = """
sort(Filter(
  function(name) !identical(utils::packageDescription(name)$Priority, "base"),
  union(loadedNamespaces(), Filter(function(name) nzchar(system.file(package = name)), used))
))
"""


def check_packages(r: "RSession") -> None:
    """Raise RIsMissing unless R loads CDF 0.1.0 and a matrixStats that suits it."""
    for package in ("CDF", "matrixStats"):
        other = built_by_another_r(r, package)
        if other:
            raise RIsMissing(
                f"{package} in {library()} was built by R {other}, and this is R "
                f"{r.versions()['R']}. {HOW_TO_PACKAGES} It builds the library again."
            )
        problem = load_error(r, package)
        if problem:
            linked = re.search(r"libR\w*\.so: cannot open shared object file", problem)
            how = how_to_link(Path(r.value("R.home()")[0])) if linked else HOW_TO_PACKAGES
            raise RIsMissing(f"R cannot load {package}: {problem}. {how}")
    if not r.value('utils::packageVersion("matrixStats") >= "1.0.0"')[0]:
        raise RIsMissing(
            f"R's matrixStats is {r.version('matrixStats')}. Before 1.0.0 its sd does not "
            f"refine the mean, and CDF grows other forests on ties. {HOW_TO_PACKAGES}"
        )
    if not r.value('utils::packageVersion("CDF") == "0.1.0"')[0]:
        raise RIsMissing(f"R's CDF is {r.version('CDF')}, not 0.1.0. {HOW_TO_PACKAGES}")


@cache
def why_missing(r: "RSession", package: str) -> str | None:
    """Why a package of the experiment cannot be used; None where it can."""
    other = built_by_another_r(r, package)
    if other:
        return f"was built by R {other}. {HOW_TO_COMPARATORS}"
    problem = load_error(r, package)
    if problem is None:
        return None
    return why_not_installed(package) or f"cannot be loaded: {problem}. {HOW_TO_COMPARATORS}"


def built_by_another_r(r: "RSession", package: str) -> str | None:
    """The version of R that built a package of the project's library, if it is not this one."""
    if not (library() / package / "DESCRIPTION").exists():
        return None
    r["place"] = r.labels([str(library() / package / "DESCRIPTION")])
    built = r.value('read.dcf(place, "Built")')[0].removeprefix("R ").split(";")[0]
    return None if built.split(".")[:2] == [str(part) for part in r.r_version[:2]] else built


def load_error(r: "RSession", package: str) -> str | None:
    """R's words when a package cannot be loaded, in one line."""
    r["package"] = r.labels([package])
    said = r.value("tryCatch({loadNamespace(package); NULL}, error = conditionMessage)")
    return " ".join(said[0].split()) if said else None


def packages_in_use(r: "RSession") -> dict[str, dict[str, str]]:
    """Version and folder of each package, without those that are part of R."""
    r["used"] = r.labels(USED_ELSEWHERE)
    return {
        name: {
            "version": r.version(name),
            "path": r.value(f'dirname(find.package("{name}"))')[0],
        }
        for name in r.value(PACKAGES_IN_USE)
    }
