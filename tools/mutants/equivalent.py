"""Mutants that no test can notice: `equivalent.toml` lists them, with reasons."""

import tomllib
from pathlib import Path
from typing import Any

from mutants.operators import Mutant

_LIST = Path(__file__).with_name("equivalent.toml")
_NUMBERS = ("arithmetic", "comparison", "constant", "min/max")


def entries(kind: str = "mutant") -> list[dict[str, Any]]:
    """What the file lists as a ``mutant`` or as a ``line``: identifying texts, and a reason."""
    return tomllib.loads(_LIST.read_text(encoding="utf-8")).get(kind, [])


def known() -> dict[str, str]:
    """Reasons by the names of mutants."""
    keys = ("file", "function", "operator", "before", "after")
    return {
        Mutant(*(one[key] for key in keys), range(0), False, "", one.get("copy", 0)).name: one[
            "reason"
        ]
        for one in entries()
    }


def known_lines() -> dict[tuple[str, str, str], str]:
    """Reasons by file, function and text of lines of which no changed number can be noticed."""
    return {(one["file"], one["function"], one["before"]): one["reason"] for one in entries("line")}


def is_listed(mutant: Mutant) -> bool:
    """Whether the file lists a mutant, or a changed number in its line."""
    line = (mutant.file, mutant.function, mutant.before)
    return mutant.name in known() or (mutant.operator in _NUMBERS and line in known_lines())


def entry_text(mutant: Mutant) -> str:
    """What to write into the file for a mutant; the reason is for you to say."""
    texts = {
        key: getattr(mutant, key) for key in ("file", "function", "operator", "before", "after")
    }
    lines = [f"{key} = {_quoted(value)}" for key, value in texts.items()]
    if mutant.copy:
        lines.append(f"copy = {mutant.copy}")
    return "\n".join(["[[mutant]]", *lines, 'reason = ""'])


def _quoted(text: str) -> str:
    return f"'{text}'" if "'" not in text else f"'''{text}'''"
