"""The order in which R sorts text: ICU's root collation, or code points.

`sort_key` gives the sort key of one text, `order` and `ranks` sort many.

R breaks a tie between classes in a leaf by the labels' collation, which with ICU (R on Linux and
macOS in a UTF-8 locale) is the root order of CLDR: characters are compared first by their primary
weights (which letter), then by their secondary weights (accents), then by their tertiary weights
(case); ignorable characters have no weights. In the C locale R compares bytes, which for UTF-8 is
the order of code points.

The order changes slightly with each version of Unicode. pycdf uses that of ICU 78, the newest;
docs/parity.md ("Order of labels by ICU version") says where older ones differ.

ASCII labels use the table below. The first label with another character loads
collation_data/root_collation.bin, the first ideograph collation_data/root_han.bin;
tools/build_collation.py writes both. As in R, texts are not normalised: combining marks that are
not in canonical order are compared as they are.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.resources
import zlib
from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

Collation = Literal["icu", "C"]
Element = tuple[int, int, int]
Key = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

# ASCII by primary weight. Upper case has the weight of lower case; other controls have none.
ASCII_ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"

# Bits between two ASCII primary weights, for all characters that sort between them.
SLOT_BITS = 24
# What follows "z" and is not listed one by one: ideographs, then code points that Unicode has not
# assigned, then U+FFFD to U+FFFF.
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


def sort_key(text: str, root: Root | None = None) -> Key:
    """The weights of `text`, level by level: keys compare as texts do in ICU's root collation.

    `root` is a version of that collation other than pycdf's own. Only keys of the same version
    can be compared.
    """
    if root is not None:
        weights = elements(text, root)
    elif text.isascii():
        weights = [_ASCII[character] for character in text if character in _ASCII]
    else:
        weights = elements(text, _load())
    return (
        tuple([primary for primary, _, _ in weights if primary]),
        tuple([secondary for _, secondary, _ in weights if secondary]),
        tuple([tertiary for _, _, tertiary in weights if tertiary]),
    )


def ranks(texts: Sequence[str], collation: Collation = "icu") -> list[int]:
    """Rank of each text in sorted order, counted from 0; texts that compare equal share a rank."""
    keys = _keys(texts, collation)
    rank_of = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [rank_of[key] for key in keys]


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


class Versions(NamedTuple):
    """Major and minor versions of ICU, CLDR and Unicode that the data are from."""

    icu: tuple[int, int]
    cldr: tuple[int, int]
    unicode: tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Root:
    """The root collation of one version of ICU."""

    versions: Versions
    single: dict[str, tuple[Element, ...]]
    contractions: dict[str, tuple[Element, ...]]
    starts: frozenset[str]  # every proper prefix of a contraction
    marks: dict[str, tuple[int, int]]  # first and last combining class
    folder: Traversable

    @functools.cached_property
    def ideographs(self) -> dict[int, int]:
        """Rank of each ideograph by radical and stroke; read on first use."""
        return _read_ideographs(self.folder / "root_han.bin")


@functools.cache
def _load() -> Root:
    return read_root(importlib.resources.files("pycdf") / "base_r" / "collation_data")


def read_root(folder: Traversable) -> Root:
    """Read the root collation in a folder; tools/build_collation.py describes its two files."""
    numbers = _Numbers(folder / "root_collation.bin")
    versions = Versions(*[(numbers.one(), numbers.one()) for _ in Versions._fields])
    pairs = numbers.one()
    secondary, tertiary = numbers.take(pairs), numbers.take(pairs)
    count = numbers.one()
    primary, pair = np.cumsum(numbers.take(count)), numbers.take(count)
    columns = (primary, secondary[pair], tertiary[pair])
    distinct = list(zip(*(column.tolist() for column in columns), strict=True))

    count = numbers.one()
    characters = [chr(point) for point in np.cumsum(numbers.take(count)).tolist()]
    single = dict(zip(characters, numbers.elements(count, distinct), strict=True))
    count = numbers.one()
    sizes = numbers.take(count)
    letters = "".join(map(chr, numbers.take(sizes.sum()).tolist()))
    texts = [letters[start:end] for start, end in _spans(sizes)]
    contractions = dict(zip(texts, numbers.elements(count, distinct), strict=True))
    count = numbers.one()
    characters = [chr(point) for point in np.cumsum(numbers.take(count)).tolist()]
    classes = zip(numbers.take(count).tolist(), numbers.take(count).tolist(), strict=True)
    marks = dict(zip(characters, classes, strict=True))
    starts = frozenset(text[:size] for text in texts for size in range(1, len(text)))
    return Root(versions, single, contractions, starts, marks, folder)


def _read_ideographs(file: Traversable) -> dict[int, int]:
    numbers = _Numbers(file)
    blocks, count = numbers.one(), numbers.one()
    block, step, length = (
        numbers.take(count), _signed(numbers.take(count)), numbers.take(count) + 1,
    )  # fmt: skip
    first = np.empty(count, dtype=np.int64)
    for number in range(blocks):
        here = block == number
        first[here] = np.cumsum(step[here]) + np.cumsum(length[here]) - length[here]
    place = np.cumsum(length) - length
    points = np.arange(length.sum()) + np.repeat(first - place, length)
    return {point: place for place, point in enumerate(points.tolist())}


class _Numbers:
    """A reader of numbers stored in seven bits per byte, lowest first; a high bit: more follow."""

    def __init__(self, file: Traversable) -> None:
        octets = np.frombuffer(zlib.decompress(file.read_bytes()), dtype=np.uint8)
        starts = np.flatnonzero(np.concatenate(([True], octets[:-1] < 0x80)))
        within = np.arange(octets.size) - np.repeat(starts, np.diff(starts, append=octets.size))
        parts = (octets & 0x7F).astype(np.int64) << 7 * within
        self._values = np.add.reduceat(parts, starts)
        self._at = 0

    def take(self, count: int) -> npt.NDArray[np.int64]:
        """The next `count` numbers."""
        self._at += count
        return self._values[self._at - count : self._at]

    def one(self) -> int:
        return int(self.take(1)[0])

    def elements(self, count: int, distinct: list[Element]) -> list[tuple[Element, ...]]:
        """The elements of `count` texts: the number of each, then all as steps in `distinct`."""
        sizes = self.take(count)
        # A step of 0 is the element after the previous one.
        places = np.cumsum(_signed(self.take(sizes.sum())) + 1) - 1
        flat = tuple([distinct[place] for place in places.tolist()])
        return [flat[start:end] for start, end in _spans(sizes)]


def _spans(sizes: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Start and end of each part, when a sequence is divided into parts of these sizes."""
    ends = np.cumsum(sizes)
    return zip((ends - sizes).tolist(), ends.tolist(), strict=True)


def _signed(steps: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Decode zigzag numbers: 0, 1, 2, 3, 4, ... stand for 0, -1, 1, -2, 2, ..."""
    return np.where(steps & 1, -(steps + 1) // 2, steps // 2)


def elements(text: str, root: Root) -> list[Element]:
    """The collation elements of a text, found by longest match as in the Unicode algorithm."""
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


def _contract(match: str, rest: list[str], at: int, root: Root) -> tuple[str, int]:
    """Extend a character to the longest contraction it starts; remove used marks from `rest`."""
    longest, end = match, at
    tried = match
    for position in range(at, len(rest)):
        if tried not in root.starts:
            break
        tried += rest[position]
        if tried in root.contractions:
            longest, end = tried, position + 1
    # A contraction may also skip marks in between, unless one of them blocks the last mark.
    position, blocking = end, 0
    while position < len(rest) and rest[position] in root.marks:
        first, last = root.marks[rest[position]]
        if position > end and blocking < first and longest + rest[position] in root.contractions:
            longest += rest.pop(position)
        else:
            blocking = last
            position += 1
    return longest, end


def _single(character: str, root: Root) -> tuple[Element, ...]:
    known = root.single.get(character)
    if known is not None:
        return known
    point = ord(character)
    jamo = decompose_hangul(point)
    if jamo is not None:
        return tuple(element for part in jamo for element in root.single[chr(part)])
    if point > _BEFORE_HAN and (place := root.ideographs.get(point)) is not None:
        return ((HAN + place, _NO_ACCENT, _LOWER),)
    return ((UNASSIGNED + point, _NO_ACCENT, _LOWER),)
