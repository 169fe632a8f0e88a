"""List the code points whose place in the order changed between two versions of ICU.

    python -m tools.list_collation_changes

For each older root collation in tests/data (icu_72, ...) it writes to tests/data/icu_changes.tsv a
smallest set of code points, found greedily level by level, such that texts without them sort in
the old order as in pycdf's. Each line: older version, reason, code points (hexadecimal ranges).
tests/base_r/test_collation_versions.py proves the list.
"""

from __future__ import annotations

import bisect
import itertools
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pycdf.base_r.collation import HAN, SPECIAL, UNASSIGNED, Element, Root, elements, read_root

PROJECT = Path(__file__).resolve().parent.parent
TESTS = PROJECT / "tests" / "data"
NEW, IDEOGRAPH, OTHER = "assigned since", "ideograph moved", "other weights"
# An ASCII character outweighs all others: where they moved against each other, the others did.
ASCII = 0x110000


def changes(old: Root, new: Root) -> dict[int, str]:
    """Changed code points, each with the reason."""
    found: dict[int, str] = {}
    weights: dict[str, tuple[list[Element], list[Element]]] = {}
    points = map(chr, itertools.chain(range(0xD800), range(0xE000, 0x110000)))
    for text in itertools.chain(points, sorted(old.contractions | new.contractions)):
        if any(ord(character) in found for character in text):
            continue
        before, after = elements(text, old), elements(text, new)
        if is_assigned(before) != is_assigned(after):
            found[ord(text)] = NEW
        elif len(before) != len(after):
            found[ord(text[-1])] = OTHER
        else:
            weights[text] = before, after
    for level in range(3):
        count: Counter[tuple[int, int]] = Counter()
        for text, (before, after) in weights.items():
            for one, other in zip(before, after, strict=True):
                count[one[level], other[level]] += ASCII if text.isascii() else 1
        kept = heaviest_ascent(count)
        for text, (before, after) in list(weights.items()):
            if any((a[level], b[level]) not in kept for a, b in zip(before, after, strict=True)):
                found[ord(text[-1])] = IDEOGRAPH if is_ideograph(after) else OTHER
                del weights[text]
    return found


def is_assigned(weights: list[Element]) -> bool:
    return not any(UNASSIGNED < primary < SPECIAL for primary, _, _ in weights)


def is_ideograph(weights: list[Element]) -> bool:
    return any(HAN <= primary < UNASSIGNED for primary, _, _ in weights)


def heaviest_ascent(count: Counter[tuple[int, int]]) -> set[tuple[int, int]]:
    """The heaviest set of pairs in which both members ascend together."""
    pairs = sorted(count, key=lambda pair: (pair[0], -pair[1]))
    seconds = sorted({second for _, second in pairs})
    # best[i]: heaviest chain that ends at most at seconds[i] (a Fenwick tree of maxima)
    best: list[tuple[int, int]] = [(0, -1)] * (len(seconds) + 1)
    before = []
    for place, pair in enumerate(pairs):
        at = bisect.bisect_left(seconds, pair[1])
        weight, last = 0, -1
        while at > 0:
            weight, last = max((weight, last), best[at])
            at -= at & -at
        before.append(last)
        weight += count[pair]
        at = bisect.bisect_left(seconds, pair[1]) + 1
        while at <= len(seconds):
            best[at] = max(best[at], (weight, place))
            at += at & -at
    place = max((best[at] for at in range(1, len(best))), default=(0, -1))[1]
    kept = set()
    while place >= 0:
        kept.add(pairs[place])
        place = before[place]
    return kept


def ranges(points: Iterable[int]) -> str:
    """Hexadecimal numbers and ranges: "41-5A 61"."""
    runs: list[list[int]] = []
    for point in sorted(points):
        if runs and runs[-1][1] == point - 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    return " ".join(f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in runs)


def main() -> None:
    newest = read_root(PROJECT / "pycdf" / "base_r" / "collation_data")
    older = {
        folder.name.removeprefix("icu_"): changes(read_root(folder), newest)
        for folder in sorted(TESTS.glob("icu_[0-9]*"))
    }
    lines = ["# older ICU\treason\tcode points"]
    for version, found in older.items():
        for reason in (NEW, IDEOGRAPH, OTHER):
            points = [point for point in found if found[point] == reason]
            lines.append(f"{version}\t{reason}\t{ranges(points)}")
            print(f"ICU {version}: {reason}: {len(points)}")
    (TESTS / "icu_changes.tsv").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
