"""Which rpy2 goes with which R.

rpy2 looks up functions of R's library by name, so each release needs an R that has them:

- `rpy2-rinterface` 3.6.6 and later call `R_getVar`, which R has had since 4.5.0;
- 3.6.5 and earlier, and rpy2 3.5, call `Rf_findVar`, which R 4.2 to 4.6 have, though it is no part
  of the documented interface;
- rpy2 3.5.17 is the last release in one piece.

Tried: 3.5.17 with R 4.2.2 and Python 3.11, 3.12 and 3.13; 3.6.9 (rpy2-rinterface 3.6.7) with R
4.5.0 and 4.6.1 and Python 3.13. R 4.3 and 4.4 have no `R_getVar`, so they get 3.5.17 as well.

Run as a script it prints the requirements for the R version given as its argument.
"""

import re
import sys

NEWEST = ["rpy2>=3.6.4", "rpy2-rinterface>=3.6.6"]
BEFORE_R_GETVAR = ["rpy2==3.5.17"]


def requirements(r_version: str) -> list[str]:
    """Return what pip installs for this version of R; ValueError if it is not a version."""
    match = re.fullmatch(r"(\d+)\.(\d+)(\.\d+)?", r_version.strip())
    if match is None:
        raise ValueError(f"not a version of R: {r_version!r}")
    return NEWEST if (int(match[1]), int(match[2])) >= (4, 5) else BEFORE_R_GETVAR


if __name__ == "__main__":
    print(*requirements(sys.argv[1]))
