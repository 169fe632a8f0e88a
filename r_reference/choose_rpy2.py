"""Which rpy2 goes with which R.

In comes R's version as text, "4.2.2"; out come the requirements for pip. rpy2 binds to functions of
R's library by name, so the newest one does not load with an older R:

- rpy2 3.6.9 (rpy2-rinterface 3.6.7) wants `R_getVar`, which R 4.2.2 does not have: it needs R 4.5;
- rpy2 3.5.17, the last release in one piece, loads with R 4.2.2 in Python 3.11, 3.12 and 3.13.

Run as a script it prints the requirements for the R version given as its argument.
"""

import re
import sys


def requirements(r_version: str) -> list[str]:
    """Return what pip shall install for this version of R; ValueError if it is not a version."""
    match = re.fullmatch(r"(\d+)\.(\d+)(\.\d+)?", r_version.strip())
    if match is None:
        raise ValueError(f"not a version of R: {r_version!r}")
    version = int(match[1]), int(match[2])
    if version >= (4, 5):
        return ["rpy2>=3.6.4"]
    return ["rpy2==3.5.17"]


if __name__ == "__main__":
    print(*requirements(sys.argv[1]))
