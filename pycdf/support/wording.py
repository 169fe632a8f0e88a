"""Phrases that messages share: lists cut short, plurals, suggestions for a mistyped name."""

import difflib
from collections.abc import Sequence
from typing import Any


def few(items: Sequence[Any], most: int = 3) -> str:
    """The first few of many: ``'a', 'b', 'c' and 9 more``."""
    shown = ", ".join(repr(plain(item)) for item in items[:most])
    return shown + (f" and {len(items) - most:,} more" if len(items) > most else "")


def plain(item: Any) -> Any:
    """Numpy's scalars as Python's, which are shorter to read."""
    return item.item() if hasattr(item, "item") and getattr(item, "ndim", None) == 0 else item


def plural(count: int, word: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def no_column(name: str, names: Sequence[str], where: str) -> str:
    """That there is no such column, and which one may be meant."""
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
    """A name as text for one line: any space or line break becomes one space."""
    return " ".join(str(name).split())


def shown(value: object) -> str:
    """The ``repr`` of a value, cut to 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
