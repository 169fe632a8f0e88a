"""The order in which R sorts text: ICU's root collation, or code points.

In: texts. Out: a sort key for one text (`sort_key`), or the place of each text (`order`, `ranks`).

R breaks a tie between classes in a leaf by the labels' collation, which with ICU (R on Linux and
macOS in a UTF-8 locale) is the root order of CLDR: characters are compared first by their primary
weights (which letter), then by the secondary ones (accents), then by the tertiary ones (case);
ignorable characters have none. In the C locale R compares bytes, which for UTF-8 is the order of
code points.

ASCII labels use the table below. The first other label loads data/root_collation.bin, the first
ideograph data/root_han.bin; tools/build_collation.py takes both from ICU 72. As in R, nothing is
normalised: marks in another than the canonical order compare as they stand.
"""

from __future__ import annotations

import functools
import importlib.resources
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

Collation = Literal["icu", "C"]
Element = tuple[int, int, int]
Key = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

# ASCII by primary weight; upper case shares the weight of lower case, the other controls have none.
ASCII_ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"

# Room between two ASCII primaries for all that sorts between them.
SLOT_BITS = 24
# Whatever follows "z" and is not listed singly: ideographs, then what Unicode has not assigned
# (by code point), then U+FFFD to U+FFFF.
_LAST_SLOT = len(ASCII_ORDER) << SLOT_BITS
HAN = _LAST_SLOT + 0x100000
UNASSIGNED = _LAST_SLOT + 0x200000
SPECIAL = _LAST_SLOT + 0x400000

_BEFORE_HAN = 0x33FF

# ICU's weights for "no accent", "lower case" and "upper case".
_NO_ACCENT, _LOWER, _UPPER = 0x0500, 0x0500, 0x1C00
_UPPER_W = 0x2000  # "w" has more forms than the other letters

_ASCII: dict[str, Element] = {
    character: (slot << SLOT_BITS, _NO_ACCENT, _LOWER)
    for slot, character in enumerate(ASCII_ORDER, start=1)
}
_ASCII |= {
    character.upper(): (weights[0], _NO_ACCENT, _UPPER_W if character == "w" else _UPPER)
    for character, weights in list(_ASCII.items())
    if character.isalpha()
}


def sort_key(text: str) -> Key:
    """The weights of `text`, level by level: keys compare as ICU's root collation does."""
    if text.isascii():
        elements = [_ASCII[character] for character in text if character in _ASCII]
    else:
        elements = _elements(text, _load())
    return (
        tuple([primary for primary, _, _ in elements if primary]),
        tuple([secondary for _, secondary, _ in elements if secondary]),
        tuple([tertiary for _, _, tertiary in elements if tertiary]),
    )


def ranks(texts: Sequence[str], collation: Collation = "icu") -> list[int]:
    """Place of each text in sorted order, counted from 0; texts that compare equal share one."""
    keys = _keys(texts, collation)
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return [places[key] for key in keys]


def order(texts: Sequence[str], collation: Collation = "icu") -> list[int]:
    """Positions of the texts in sorted order, as R's order() less one; equal texts keep theirs."""
    keys = _keys(texts, collation)
    return sorted(range(len(keys)), key=keys.__getitem__)


def _keys(texts: Sequence[str], collation: Collation) -> list[Any]:
    if collation == "icu":
        return [sort_key(text) for text in texts]
    if collation == "C":
        return list(texts)  # Python compares text by code point, as strcmp() does on UTF-8.
    raise ValueError(
        f'collation is {collation!r}: pass "icu" (R with ICU, its usual order) or "C" (code points)'
    )


def decompose_hangul(point: int) -> tuple[int, ...] | None:
    """The jamo of a Hangul syllable; None for any other code point."""
    index = point - 0xAC00
    if not 0 <= index < 11172:
        return None
    lead, vowel, tail = 0x1100 + index // 588, 0x1161 + index % 588 // 28, index % 28
    return (lead, vowel, 0x11A7 + tail) if tail else (lead, vowel)


class _Root(NamedTuple):
    """The root collation: what data/root_collation.bin holds."""

    single: dict[str, tuple[Element, ...]]
    contractions: dict[str, tuple[Element, ...]]
    starts: frozenset[str]  # every proper beginning of a contraction
    marks: dict[str, tuple[int, int]]  # first and last combining class


@functools.cache
def _load() -> _Root:
    """Read the data file; its layout is told in tools/build_collation.py."""
    numbers = _varints("root_collation.bin")
    pairs = [(next(numbers), next(numbers)) for _ in range(next(numbers))]
    elements: list[Element] = []
    primary = 0
    for _ in range(next(numbers)):
        primary += next(numbers)
        elements.append((primary, *pairs[next(numbers)]))

    expected = 0

    def read_elements() -> tuple[Element, ...]:
        nonlocal expected
        found = []
        for _ in range(next(numbers)):
            place = expected + _signed(next(numbers))
            found.append(elements[place])
            expected = place + 1
        return tuple(found)

    single = {}
    point = 0
    for _ in range(next(numbers)):
        point += next(numbers)
        single[chr(point)] = read_elements()
    contractions = {}
    for _ in range(next(numbers)):
        text = "".join([chr(next(numbers)) for _ in range(next(numbers))])
        contractions[text] = read_elements()
    marks = {}
    point = 0
    for _ in range(next(numbers)):
        point += next(numbers)
        marks[chr(point)] = (next(numbers), next(numbers))
    starts = frozenset(text[:size] for text in contractions for size in range(1, len(text)))
    return _Root(single, contractions, starts, marks)


@functools.cache
def _han_places() -> dict[int, int]:
    """Place of each ideograph, by radical and stroke."""
    numbers = _varints("root_han.bin")
    reached = [0] * next(numbers)
    count = next(numbers)
    blocks, steps, lengths = ([next(numbers) for _ in range(count)] for _ in range(3))
    points: list[int] = []
    for block, step, length in zip(blocks, steps, lengths, strict=True):
        first = reached[block] + _signed(step)
        reached[block] = first + length + 1
        points.extend(range(first, reached[block]))
    return {point: place for place, point in enumerate(points)}


def _signed(step: int) -> int:
    return -(step + 1) // 2 if step & 1 else step // 2


def _varints(name: str) -> Iterator[int]:
    """Numbers written seven bits a byte, the lowest first; a high bit says that more follow."""
    file = importlib.resources.files("pycdf") / "data" / name
    value = shift = 0
    for byte in zlib.decompress(file.read_bytes()):
        value |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            yield value
            value = shift = 0


def _elements(text: str, root: _Root) -> list[Element]:
    """The collation elements of a text, by the longest matches of the Unicode algorithm."""
    rest = list(text)
    found: list[Element] = []
    at = 0
    while at < len(rest):
        match = rest[at]
        at += 1
        if match in root.starts:
            match, at = _contract(match, rest, at, root)
        if len(match) > 1:
            found += root.contractions[match]
        else:
            found += _single(match, root)
    return found


def _contract(match: str, rest: list[str], at: int, root: _Root) -> tuple[str, int]:
    """Extend a character to the contraction that it starts; marks used up leave `rest`."""
    longest, end = match, at
    tried = match
    for position in range(at, len(rest)):
        if tried not in root.starts:
            break
        tried += rest[position]
        if tried in root.contractions:
            longest, end = tried, position + 1
    # A contraction may also reach over marks in between, unless one of them blocks the last.
    position, blocking = end, 0
    while position < len(rest) and rest[position] in root.marks:
        first, last = root.marks[rest[position]]
        if position > end and blocking < first and longest + rest[position] in root.contractions:
            longest += rest.pop(position)
        else:
            blocking = last
            position += 1
    return longest, end


def _single(character: str, root: _Root) -> tuple[Element, ...]:
    known = root.single.get(character)
    if known is not None:
        return known
    point = ord(character)
    jamo = decompose_hangul(point)
    if jamo is not None:
        return tuple(element for part in jamo for element in root.single[chr(part)])
    if point > _BEFORE_HAN and (place := _han_places().get(point)) is not None:
        return ((HAN + place, _NO_ACCENT, _LOWER),)
    return ((UNASSIGNED + point, _NO_ACCENT, _LOWER),)
