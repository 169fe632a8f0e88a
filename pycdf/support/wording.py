"""Phrases that messages share: shortened lists, plurals, suggestions for a mistyped name.

Names and labels come from files, and may hold anything. :func:`visible` makes characters that would
act on a terminal, or are not allowed in XML, visible; everything here that returns a name uses it.
"""

import difflib
import re
from collections.abc import Sequence, Sized
from typing import Any

# Control characters, line separators, marks that are invisible or reverse the direction of text,
# lone surrogates, and code points that are no characters
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\U000e0000-\U000e007f"
    + "".join(chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_HUGE = 10**600  # Python refuses to write integers of more than some 4,300 digits
_LONGEST = 200  # characters of a name for which similar ones are looked for


def few(items: Sequence[Any], most: int = 3) -> str:
    """The first few of many items: ``'a', 'b', 'c' and 9 more``."""
    first = ", ".join(shown(plain(item)) for item in items[:most])
    return first + (f" and {len(items) - most:,} more" if len(items) > most else "")


def plain(item: Any) -> Any:
    """Convert a NumPy scalar to a Python one, which has a shorter ``repr``."""
    return item.item() if hasattr(item, "item") and getattr(item, "ndim", None) == 0 else item


def plural(count: int, word: str) -> str:
    """A count with its noun: ``1 row``, ``2 rows``, ``2 classes``, ``2 leaves``."""
    if count == 1:
        return f"1 {word}"
    if word.endswith("leaf"):
        word = word.removesuffix("f") + "ve"
    return f"{count:,} {word}" + ("es" if word.endswith("s") else "s")


def agree(count: int | Sized, one: str, several: str) -> str:
    """The words that agree with one or several: ``agree(names, "is", "are")``."""
    number = count if isinstance(count, int) else len(count)
    return one if number == 1 else several


def no_column(name: str, names: Sequence[str], where: str) -> str:
    """A message that ``where`` has no such column, with the most similar names."""
    close: list[str] = []
    if len(name) <= _LONGEST:
        short = [other for other in names if len(other) <= _LONGEST]
        folded = {other.strip().casefold(): other for other in reversed(short)}
        close = difflib.get_close_matches(name.strip().casefold(), folded, n=3)
    missing = f"{visible(where)} has no column {shown(name)}"
    if close:
        return f"{missing}: did you mean {' or '.join(shown(folded[one]) for one in close)}?"
    if names:
        some = list(names) if len(names) <= 6 else [*names[:3], "...", *names[-2:]]
        total = f" ({len(names):,})" if len(names) > 6 else ""
        return f"{missing}: it has {', '.join(map(brief, some))}{total}."
    return f"{missing}."


def visible(text: str) -> str:
    r"""The text with control characters and the like written as escapes, such as ``\x1b``."""
    return _HIDDEN.sub(as_escape, text)


def as_escape(found: re.Match[str]) -> str:
    r"""What was found, written as escapes, such as ``\x1b``."""
    return found[0].encode("unicode_escape").decode()


def one_line(name: Any) -> str:
    """A name as a single line of visible text: any run of white space becomes one space."""
    return visible(" ".join(str(name).split()))


def brief(name: Any) -> str:
    """A name as a single line of visible text, truncated to 60 characters."""
    return clipped(one_line(name))


def shown(value: object, most: int = 60) -> str:
    """The ``repr`` of a value, truncated to ``most`` characters."""
    if isinstance(value, int) and abs(value) >= _HUGE:
        return "an int of more than 600 digits"
    return clipped(repr(value), most)


def clipped(text: str, most: int = 60) -> str:
    """The text, truncated to ``most`` characters."""
    return text if len(text) <= most else text[: most - 3] + "..."
