"""The root order of labels in older versions of ICU, and the characters that sort elsewhere there.

tests/data/icu_NN holds the order of ICU NN, and icu_changes.tsv what differs from pycdf's, which is
the newest. Texts without a changed character sort alike in both: test_collation_versions.py proves
it, and parity_tests compares with the ICU of the R at hand.
"""

import functools
import unicodedata
from pathlib import Path

from pycdf.base_r.collation import SPECIAL, UNASSIGNED, Root, elements, read_root

DATA = Path(__file__).parent / "data"
NEWEST = read_root(Path(__file__).parents[1] / "pycdf" / "base_r" / "collation_data")
OLDER = sorted(int(folder.name.removeprefix("icu_")) for folder in DATA.glob("icu_[0-9]*"))
# These versions have the weights of the one before, byte for byte.
SAME_AS = {75: 74, 77: 76}
# ASCII, Latin-1 and Latin Extended-A but for the long s: they sort alike in ICU 70 and 71, too.
STABLE = frozenset(map(chr, range(0x17F)))


@functools.cache
def root_of(icu: int) -> Root | None:
    """The order of a major version of ICU; None where there is no file of it."""
    icu = SAME_AS.get(icu, icu)
    if icu == NEWEST.versions.icu[0]:
        return NEWEST
    return read_root(DATA / f"icu_{icu}") if icu in OLDER else None


@functools.cache
def stated_changes() -> dict[int, dict[str, set[str]]]:
    """Older version -> reason -> characters; tools/list_collation_changes.py writes the file."""
    stated: dict[int, dict[str, set[str]]] = {}
    for line in (DATA / "icu_changes.tsv").read_text(encoding="ascii").splitlines()[1:]:
        version, reason, ranges = line.split("\t")
        characters = stated.setdefault(int(version), {}).setdefault(reason, set())
        for part in ranges.split():
            first, _, last = part.partition("-")
            characters |= set(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return stated


@functools.cache
def changed(icu: int) -> frozenset[str]:
    """Characters that may sort elsewhere in this version than here.

    A version without a file may differ in all that changed since any older one. If it is newer
    than pycdf's, also in what is not assigned here; if it is older than all files, only the
    characters of `STABLE` are known to sort alike.
    """
    icu = SAME_AS.get(icu, icu)
    if icu == NEWEST.versions.icu[0]:
        return frozenset()
    if icu < OLDER[0]:
        return frozenset(map(chr, range(0x110000))) - STABLE
    versions = [icu] if icu in OLDER else OLDER
    found = frozenset().union(*(part for v in versions for part in stated_changes()[v].values()))
    if icu > NEWEST.versions.icu[0]:
        found |= {c for c in map(chr, range(0x110000)) if not is_assigned(c, NEWEST)}
    return found


def is_assigned(character: str, root: Root) -> bool:
    """Whether the character has weights of its own (or is private, which no version gives any)."""
    return not any(UNASSIGNED < weight[0] < SPECIAL for weight in elements(character, root))


@functools.cache
def latin_greek_cyrillic_letters() -> list[str]:
    """The letters with one of these scripts in their names, as far as Python knows them."""
    return [
        character
        for character in map(chr, range(0x110000))
        if unicodedata.category(character) in ("Lu", "Ll", "Lt", "Lm", "Lo")
        and any(f"{s} " in unicodedata.name(character, "") for s in ("LATIN", "GREEK", "CYRILLIC"))
    ]
