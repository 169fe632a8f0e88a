"""Where older versions of R answer otherwise: one rule per change, so that they are compared, too.

pycdf follows the newest R. A :class:`Change` translates an input of an older R into the input for
which the newest R, and so pycdf, gives the older one's answer: before 4.4.1 ``as.numeric("1e")`` is
what ``as.numeric("1e0")`` is today. A test that runs on an older R passes the original to R and the
translation to pycdf, and the two answers must be equal, bit for bit. What no rule changes must be
equal as it is. docs/differences.md lists the changes for users.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Version = tuple[int, ...]
BLANKS = r"[ \t\n\v\f\r\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*"


@dataclass(frozen=True)
class Change:
    """A change in how R reads or writes text."""

    name: str
    since: Version
    """The first R with today's answer."""
    today: Callable[[Any], Any]
    """An input of an older R to the input of today's R that has the same answer."""


# ---- numbers in text ---------------------------------------------------------------------------

_DECIMAL_WITHOUT_EXPONENT = re.compile(
    rf"([ \t\n\v\f\r]*[+-]?(?=\.?[0-9])[0-9]*(?:\.[0-9]*)?[eE][+-]?)({BLANKS})"
)
_BINARY_WITHOUT_EXPONENT = re.compile(
    rf"([ \t\n\v\f\r]*[+-]?0[xX][0-9a-fA-F.]*[pP][+-]?)({BLANKS})"
)
_POINT_WITHOUT_EXPONENT = re.compile(
    rf"([ \t\n\v\f\r]*[+-]?0[xX])([0-9a-fA-F]*\.[0-9a-fA-F.]*)({BLANKS})"
)


def _empty_exponent(text: str) -> str:
    """An exponent without digits was 0: "1e" is "1e0", "0x1p+" is "0x1p+0"."""
    for pattern in (_DECIMAL_WITHOUT_EXPONENT, _BINARY_WITHOUT_EXPONENT):
        if match := pattern.fullmatch(text):
            return f"{match[1]}0{match[2]}"
    return text


def _hexadecimal_point(text: str) -> str:
    """A point in a hexadecimal number without an exponent was skipped: "0x1.8" is "0x18"."""
    if match := _POINT_WITHOUT_EXPONENT.fullmatch(text):
        # "0x." was 0: a zero keeps "0x" from being no number at all.
        return f"{match[1]}0{match[2].replace('.', '')}{match[3]}"
    return text


EMPTY_EXPONENT = Change("an exponent without digits", (4, 4, 1), _empty_exponent)
HEXADECIMAL_POINT = Change("a hexadecimal point without an exponent", (4, 4, 3), _hexadecimal_point)
NUMBER_TEXTS = (EMPTY_EXPONENT, HEXADECIMAL_POINT)


def number_text_today(version: Version, text: str) -> str:
    """The text that today's R reads as R of this version reads ``text``."""
    # A change applies to what the R of its time was given: the empty exponent goes first, which
    # leaves a hexadecimal point with an exponent as it is, as it did in R before 4.4.1.
    for change in NUMBER_TEXTS:
        if version < change.since:
            text = change.today(text)
    return text


# ---- labels ------------------------------------------------------------------------------------


def _moments_in_whole_seconds(seconds: Sequence[float | None]) -> list[str | None]:
    """Labels with the time of day unless all are midnights, and without fractions of a second."""
    known = [second for second in seconds if second is not None]
    dates_only = all(second % 86400 == 0 for second in known)

    def text(second: float) -> str:
        date, _, time = str(np.datetime64(math.floor(second), "s")).partition("T")
        year, month, day = date.rsplit("-", 2)
        date = f"{int(year)}-{month}-{day}"
        return date if dates_only else f"{date} {time}"

    return [None if second is None else text(second) for second in seconds]


MOMENT_LABELS = Change("labels that are moments", (4, 3, 0), _moments_in_whole_seconds)
