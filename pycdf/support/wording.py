"""Phrases that messages share: shortened lists, plurals, suggestions for a mistyped name."""

import difflib
from collections.abc import Sequence
from typing import Any


def few(items: Sequence[Any], most: int = 3) -> str:
    """The first few of many items: ``'a', 'b', 'c' and 9 more``."""
    shown = ", ".join(repr(plain(item)) for item in items[:most])
    return shown + (f" and {len(items) - most:,} more" if len(items) > most else "")


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


def no_column(name: str, names: Sequence[str], where: str) -> str:
    """A message that ``where`` has no such column, with the most similar names."""
    folded = {other.strip().casefold(): other for other in reversed(names)}
    close = difflib.get_close_matches(name.strip().casefold(), folded, n=3)
    if close:
        hint = "did you mean " + " or ".join(repr(folded[one]) for one in close) + "?"
    elif names:
        shown = list(names) if len(names) <= 6 else [*names[:3], "...", *names[-2:]]
        hint = f"it has {', '.join(shown)}" + (f" ({len(names):,})." if len(names) > 6 else ".")
    else:
        return f"{where} has no column {name!r}."
    return f"{where} has no column {name!r}: {hint}"


def one_line(name: Any) -> str:
    """A name as a single line of text: any run of white space becomes one space."""
    return " ".join(str(name).split())


def shown(value: object) -> str:
    """The ``repr`` of a value, truncated to 60 characters."""
    return clipped(repr(value))


def clipped(text: str) -> str:
    """The text, truncated to 60 characters."""
    return text if len(text) <= 60 else text[:57] + "..."
