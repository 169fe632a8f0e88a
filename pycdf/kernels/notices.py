"""Messages about compiling, on stderr; PYCDF_QUIET=1 silences them."""

import os
import sys


def quiet() -> bool:
    """Whether the user wants no messages."""
    return os.environ.get("PYCDF_QUIET", "") not in ("", "0")


def tell(text: str) -> None:
    """Print a line for the user, unless all is to be quiet."""
    if not quiet():
        print(f"pycdf: {text}", file=sys.stderr)
