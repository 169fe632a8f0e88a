"""Write pycdf/data/root_collation.bin and root_han.bin from ICU's root collation.

In: libicu 72 (Debian's libicu72, the library behind R 4.2.2 there), through ctypes.
Out: two zlib-compressed streams of variable-length integers, which pycdf/base_r/collation.py reads.
root_collation.bin:

1. weight pairs (secondary, tertiary): count, then each pair;
2. collation elements, ascending: count, then each as (primary minus the previous one, pair number);
3. single code points: count, then each as (code point minus the previous one, number of elements,
   elements as signed steps from "the element after the last one written");
4. contractions: count, then each as (length, code points, number of elements, elements);
5. combining marks: count, then each as (code point minus the previous one, first class, last
   class).

root_han.bin, the ideographs by radical and stroke, as runs of successive code points:

1. number of blocks (a run names its block so that its step is small);
2. number of runs, then the block of each run;
3. each run's first code point, as a signed step from the one after the block's last run;
4. each run's length less one.

Signed steps are written as 0, -1, 1, -2, ... = 0, 1, 2, 3, ...

Primaries are numbered anew so that code which knows ASCII only agrees with the file: the i-th
ASCII primary is i << 24, and whatever sorts between two ASCII primaries follows the lower one.
Code points without an element of their own (unassigned, private use) come in code-point order
at UNASSIGNED; Hangul syllables decompose. Run: python tools/build_collation.py
"""

from __future__ import annotations

import ctypes
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pycdf.base_r.collation import HAN, SLOT_BITS, SPECIAL, UNASSIGNED, decompose_hangul

ICU_VERSION = 72
FOLDER = Path(__file__).resolve().parent.parent / "pycdf" / "data"
HAN_BLOCKS = (
    0x3400, 0x4E00, 0xF900, 0x20000, 0x2A700, 0x2B740, 0x2B820, 0x2CEB0, 0x30000, 0x31350,
)  # fmt: skip
Element = tuple[int, int, int]

i18n = ctypes.CDLL(f"libicui18n.so.{ICU_VERSION}")
common = ctypes.CDLL(f"libicuuc.so.{ICU_VERSION}")


def icu(library: ctypes.CDLL, name: str, restype=ctypes.c_void_p):
    """An ICU function; ICU appends its version to each name."""
    function = getattr(library, f"{name}_{ICU_VERSION}")
    function.restype = restype
    return function


def checked(status: ctypes.c_int) -> None:
    if status.value > 0:
        raise RuntimeError(f"ICU reports error {status.value}")


class Root:
    """ICU's root collator: its elements, and the strings that have elements of their own."""

    def __init__(self) -> None:
        status = ctypes.c_int(0)
        handle = icu(i18n, "ucol_open")(b"root", ctypes.byref(status))
        checked(status)
        self.collator = ctypes.c_void_p(handle)

    def elements(self, text: str) -> list[Element]:
        units = text.encode("utf-16-le", "surrogatepass")
        status = ctypes.c_int(0)
        iterator = ctypes.c_void_p(
            icu(i18n, "ucol_openElements")(
                self.collator, units, len(units) // 2, ctypes.byref(status)
            )
        )
        found: list[Element] = []
        step = icu(i18n, "ucol_next", ctypes.c_int32)
        while (order := step(iterator, ctypes.byref(status)) & 0xFFFFFFFF) != 0xFFFFFFFF:
            primary, secondary, tertiary = order >> 16, order >> 8 & 0xFF, order & 0x3F
            if order & 0xC0 == 0xC0:  # the low halves of the element before
                before = found[-1]
                found[-1] = (before[0] | primary, before[1] | secondary, before[2] | tertiary)
            else:
                found.append((primary << 16, secondary << 8, tertiary << 8))
        icu(i18n, "ucol_closeElements", None)(iterator)
        checked(status)
        return found

    def contractions(self) -> list[str]:
        sets = [ctypes.c_void_p(icu(common, "uset_openEmpty")()) for _ in range(2)]
        status = ctypes.c_int(0)
        icu(i18n, "ucol_getContractionsAndExpansions", None)(
            self.collator, *sets, ctypes.c_bool(True), ctypes.byref(status)
        )
        checked(status)
        texts = []
        for item in range(icu(common, "uset_getItemCount", ctypes.c_int32)(sets[0])):
            first, last, units = ctypes.c_int32(), ctypes.c_int32(), (ctypes.c_uint16 * 64)()
            size = icu(common, "uset_getItem", ctypes.c_int32)(
                sets[0], item, ctypes.byref(first), ctypes.byref(last), units, 64,
                ctypes.byref(status),
            )  # fmt: skip
            checked(status)
            if size == 0:
                raise RuntimeError("a contraction of one code point")
            texts.append(bytes(units)[: 2 * size].decode("utf-16-le"))
        return sorted(texts)


def combining_classes() -> list[tuple[int, int, int]]:
    """First and last combining class of each code point whose decomposition starts with a mark."""
    status = ctypes.c_int(0)
    nfd = ctypes.c_void_p(icu(common, "unorm2_getNFDInstance")(ctypes.byref(status)))
    checked(status)
    class_of = icu(common, "u_getCombiningClass", ctypes.c_uint8)
    decompose = icu(common, "unorm2_getDecomposition", ctypes.c_int32)
    rows = []
    for point in range(0x110000):
        units = (ctypes.c_uint16 * 64)()
        size = decompose(nfd, point, units, 64, ctypes.byref(status))
        checked(status)
        text = bytes(units)[: 2 * size].decode("utf-16-le") if size > 0 else None
        first, last = (ord(text[0]), ord(text[-1])) if text else (point, point)
        if class_of(first) > 0:
            rows.append((point, class_of(first), class_of(last)))
    return rows


def is_han(element: Element) -> bool:
    return 0xFA <= element[0] >> 24 <= 0xFD


def is_unassigned(element: Element) -> bool:
    return element[0] >> 24 == 0xFE


def number_primaries(table: dict[str, list[Element]], han: list[int], root: Root) -> dict[int, int]:
    """ICU's primary -> ours, in the same order."""
    ascii_primaries = {
        element[0] for code in range(128) for element in table.get(chr(code), []) if element[0]
    }
    numbers = {0: 0}
    for place, code in enumerate(han):
        numbers[root.elements(chr(code))[0][0]] = HAN + place
    slot = within = special = 0
    for primary in sorted({e[0] for elements in table.values() for e in elements} - {0}):
        if primary in numbers:
            continue
        if primary in ascii_primaries:
            slot, within = slot + 1, 0
            numbers[primary] = slot << SLOT_BITS
        elif primary >> 24 == 0xFE:  # a mark before all unassigned code points, for indexes
            numbers[primary] = UNASSIGNED
        elif primary >> 24 > 0xFE:
            numbers[primary], special = SPECIAL + special, special + 1
        else:
            within += 1
            numbers[primary] = (slot << SLOT_BITS) + within
    if [numbers[p] for p in sorted(numbers)] != sorted(numbers.values()):
        raise RuntimeError("the new primaries do not keep ICU's order")
    return numbers


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(step: int) -> bytes:
    return varint(2 * step if step >= 0 else -2 * step - 1)


def build() -> dict[str, bytes]:
    root = Root()
    table: dict[str, list[Element]] = {}
    han: list[tuple[int, int]] = []
    unassigned: list[tuple[int, int]] = []
    plain = root.elements("a")[0][1:]
    for point in range(0x110000):
        character = chr(point)
        if 0xD800 <= point <= 0xDFFF:
            continue
        elements = root.elements(character)
        if (jamo := decompose_hangul(point)) is not None:
            if elements != [e for part in jamo for e in root.elements(chr(part))]:
                raise RuntimeError(f"U+{point:04X} is not the sum of its jamo")
        elif len(elements) == 1 and is_unassigned(elements[0]):
            unassigned.append((elements[0][0], point))
        elif len(elements) == 1 and is_han(elements[0]) and elements[0][1:] == plain:
            han.append((elements[0][0], point))
        else:
            table[character] = elements
    return encode(root, table, han, unassigned)


def encode(
    root: Root,
    table: dict[str, list[Element]],
    han: list[tuple[int, int]],
    unassigned: list[tuple[int, int]],
) -> dict[str, bytes]:
    if {root.elements(chr(p))[0][1:] for _, p in unassigned} != {root.elements("a")[0][1:]}:
        raise RuntimeError("an unassigned code point has weights of its own")
    if [point for _, point in sorted(unassigned)] != sorted(point for _, point in unassigned):
        raise RuntimeError("unassigned code points are not in code-point order")
    own: dict[int, int] = {}  # Compatibility ideographs share the primary of the unified one.
    for primary, point in sorted(han):
        own.setdefault(primary, point)
    for primary, point in han:
        if own[primary] != point:
            table[chr(point)] = root.elements(chr(point))
    contractions = {text: root.elements(text) for text in root.contractions()}
    ideographs = [own[primary] for primary in sorted(own)]
    numbers = number_primaries({**table, **contractions}, ideographs, root)

    def renumber(elements: list[Element]) -> list[Element]:
        return [(numbers[p], s, t) for p, s, t in elements]

    singles = {text: renumber(table[text]) for text in sorted(table)}
    pieces = {text: renumber(contractions[text]) for text in contractions}
    distinct = sorted({e for part in (singles, pieces) for es in part.values() for e in es})
    pairs = sorted({element[1:] for element in distinct})
    place = {element: i for i, element in enumerate(distinct)}
    out = [varint(len(pairs)), *(varint(w) for pair in pairs for w in pair), varint(len(distinct))]
    before = 0
    for primary, *pair in distinct:
        out += [varint(primary - before), varint(pairs.index(tuple(pair)))]
        before = primary

    expected = 0

    def write_elements(elements: list[Element]) -> None:
        nonlocal expected
        out.append(varint(len(elements)))
        for element in elements:
            out.append(signed(place[element] - expected))
            expected = place[element] + 1

    out.append(varint(len(singles)))
    before = 0
    for text, elements in singles.items():
        out.append(varint(ord(text) - before))
        before = ord(text)
        write_elements(elements)
    out.append(varint(len(pieces)))
    for text, elements in pieces.items():
        out += [varint(len(text)), *(varint(ord(c)) for c in text)]
        write_elements(elements)
    marks = combining_classes()
    out.append(varint(len(marks)))
    before = 0
    for point, first, last in marks:
        out += [varint(point - before), varint(first), varint(last)]
        before = point
    print(
        f"{len(singles)} code points, {len(pieces)} contractions, {len(distinct)} elements,"
        f" {len(ideographs)} ideographs, {len(marks)} marks"
    )
    return {"root_collation.bin": b"".join(out), "root_han.bin": encode_han(ideographs)}


def encode_han(ideographs: list[int]) -> bytes:
    runs: list[list[int]] = []
    for point in ideographs:
        if runs and runs[-1][1] == point - 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    blocks, steps, lengths = [], [], []
    reached = dict.fromkeys(range(len(HAN_BLOCKS)), 0)
    for first, last in runs:
        block = sum(start <= first for start in HAN_BLOCKS) - 1
        blocks.append(varint(block))
        steps.append(signed(first - reached[block]))
        lengths.append(varint(last - first))
        reached[block] = last + 1
    head = [varint(len(HAN_BLOCKS)), varint(len(runs))]
    return b"".join(head + blocks + steps + lengths)


if __name__ == "__main__":
    for name, stream in build().items():
        packed = zlib.compress(stream, 9)
        (FOLDER / name).write_bytes(packed)
        print(f"{name}: {len(packed)} bytes")
