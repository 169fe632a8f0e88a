"""Write a root collation, as pycdf/base_r/collation.py reads it, from an installed ICU.

    python -m tools.build_collation  # from the system's ICU into pycdf/base_r/collation_data
    python -m tools.build_collation --icu 72 --out tests/data/icu_72
    python -m tools.build_collation --icu 78 --folder lib --check 100000

`--folder` names the folder of the libraries where the linker does not find them (a package that
was only unpacked, say). `--check` sorts so many random texts with the files just written, and
compares with ICU. Both files are zlib-compressed streams of variable-length integers.
root_collation.bin:

1. major and minor version of ICU, of CLDR, and of Unicode;
2. weight pairs: count, all secondaries, all tertiaries;
3. collation elements, ascending: count, each primary minus the previous one, each pair's number;
4. single code points: count, each minus the previous one, then their elements: how many each has,
   and all of them as signed steps from "the element after the last one written";
5. contractions: count, their lengths, their code points, then their elements as above;
6. combining marks: count, each minus the previous one, first classes, last classes.

root_han.bin, the ideographs by radical and stroke, as runs of successive code points:

1. number of blocks (a run names its block so that its step is small);
2. number of runs, then the block of each run;
3. each run's first code point, as a signed step from the one after the block's last run;
4. each run's length less one.

Signed steps are written as 0, -1, 1, -2, ... = 0, 1, 2, 3, ...

Primaries are numbered anew so that code which knows ASCII only agrees with the file: the i-th
ASCII primary is i << 24, and whatever sorts between two ASCII primaries follows the lower one.
Code points without an element of their own (unassigned, private use) come in code-point order
at UNASSIGNED; Hangul syllables decompose. The build stops where ICU does otherwise.
"""

from __future__ import annotations

import argparse
import itertools
import random
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from parity_tests.random_texts import SCRIPTS, random_texts
from pycdf.base_r import collation
from pycdf.base_r.collation import HAN, SLOT_BITS, SPECIAL, UNASSIGNED, decompose_hangul
from tools.icu_library import Element, Root

PROJECT = Path(__file__).resolve().parent.parent
# Where runs of ideographs start: extensions A to J and the compatibility ideographs.
HAN_BLOCKS = (
    0x3400, 0x4E00, 0xF900, 0x20000, 0x2A700, 0x2B740, 0x2B820, 0x2CEB0, 0x2EBF0, 0x30000, 0x31350,
    0x323B0,
)  # fmt: skip
# ICU's first byte of a primary weight for unassigned code points; U+FFFD and the like follow.
UNASSIGNED_BYTE = 0xFE


def combining_classes(root: Root) -> list[tuple[int, int, int]]:
    """First and last combining class of each code point whose decomposition starts with a mark."""
    rows = [(point, *root.combining_classes(point)) for point in range(0x110000)]
    return [row for row in rows if row[1] > 0]


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
        elif primary >> 24 == UNASSIGNED_BYTE:  # sorts before all unassigned code points
            numbers[primary] = UNASSIGNED
        elif primary >> 24 > UNASSIGNED_BYTE:
            numbers[primary], special = SPECIAL + special, special + 1
        else:
            within += 1
            numbers[primary] = (slot << SLOT_BITS) + within
    if [numbers[p] for p in sorted(numbers)] != sorted(numbers.values()):
        raise RuntimeError("the new primaries do not keep ICU's order")
    return numbers


def varints(values: Iterable[int]) -> bytes:
    out = bytearray()
    for value in values:
        while value > 0x7F:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)
    return bytes(out)


def signed(step: int) -> int:
    return 2 * step if step >= 0 else -2 * step - 1


def build(root: Root) -> dict[str, bytes]:
    """The two files, not yet compressed."""
    table: dict[str, list[Element]] = {}
    han: dict[int, int] = {}  # primary weight -> code point
    unassigned: list[tuple[Element, int]] = []
    plain = root.elements("a")[0][1:]
    for point in range(0x110000):
        character = chr(point)
        if 0xD800 <= point <= 0xDFFF:
            continue
        elements = root.elements(character)
        if (jamo := decompose_hangul(point)) is not None:
            if elements != [e for part in jamo for e in root.elements(chr(part))]:
                raise RuntimeError(f"U+{point:04X} is not the sum of its jamo")
        elif root.is_unified_ideograph(point):
            if len(elements) != 1 or elements[0][1:] != plain or elements[0][0] in han:
                raise RuntimeError(f"U+{point:04X} has not one primary weight of its own")
            han[elements[0][0]] = point
        elif len(elements) == 1 and elements[0][0] >> 24 == UNASSIGNED_BYTE:
            unassigned.append((elements[0], point))
        else:
            table[character] = elements
    if {element[1:] for element, _ in unassigned} != {plain}:
        raise RuntimeError("an unassigned code point has weights of its own")
    if sorted(unassigned) != unassigned:
        raise RuntimeError("unassigned code points are not in code-point order")
    return encode(root, table, [han[primary] for primary in sorted(han)])


def encode(root: Root, table: dict[str, list[Element]], ideographs: list[int]) -> dict[str, bytes]:
    contractions = {text: root.elements(text) for text in root.contractions()}
    numbers = number_primaries({**table, **contractions}, ideographs, root)

    def renumber(elements: list[Element]) -> list[Element]:
        return [(numbers[p], s, t) for p, s, t in elements]

    singles = {text: renumber(table[text]) for text in sorted(table)}
    pieces = {text: renumber(contractions[text]) for text in contractions}
    distinct = sorted({e for part in (singles, pieces) for es in part.values() for e in es})
    pairs = sorted({element[1:] for element in distinct})
    place = {element: i for i, element in enumerate(distinct)}
    stream = [number for pair in root.versions() for number in pair]
    stream += [len(pairs), *(pair[0] for pair in pairs), *(pair[1] for pair in pairs)]
    stream += [len(distinct), *steps([element[0] for element in distinct])]
    stream += [pairs.index(element[1:]) for element in distinct]
    stream += [len(singles), *steps([ord(text) for text in singles])]
    stream += element_numbers(singles, place)
    stream += [len(pieces), *map(len, pieces), *(ord(c) for text in pieces for c in text)]
    stream += element_numbers(pieces, place)
    marks = combining_classes(root)
    points, first, last = zip(*marks, strict=True)
    stream += [len(marks), *steps(points), *first, *last]
    print(
        f"{len(singles)} code points, {len(pieces)} contractions, {len(distinct)} elements,"
        f" {len(ideographs)} ideographs, {len(marks)} marks"
    )
    return {"root_collation.bin": varints(stream), "root_han.bin": encode_han(ideographs)}


def steps(ascending: Sequence[int]) -> list[int]:
    """Each number minus the one before; the first from 0."""
    return [after - before for before, after in itertools.pairwise([0, *ascending])]


def element_numbers(texts: dict[str, list[Element]], place: dict[Element, int]) -> list[int]:
    places = [place[element] for elements in texts.values() for element in elements]
    expected = [0, *(before + 1 for before in places)]
    sizes = [len(elements) for elements in texts.values()]
    return sizes + [signed(at - before) for at, before in zip(places, expected, strict=False)]


def encode_han(ideographs: list[int]) -> bytes:
    runs: list[list[int]] = []
    for point in ideographs:
        if runs and runs[-1][1] == point - 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    blocks: list[int] = []
    firsts: list[int] = []
    lengths: list[int] = []
    reached = dict.fromkeys(range(len(HAN_BLOCKS)), 0)
    for first, last in runs:
        block = sum(start <= first for start in HAN_BLOCKS) - 1
        if block < 0:
            raise RuntimeError(f"ideograph U+{first:04X} is in none of HAN_BLOCKS")
        blocks.append(block)
        firsts.append(signed(first - reached[block]))
        lengths.append(last - first)
        reached[block] = last + 1
    return varints([len(HAN_BLOCKS), len(runs), *blocks, *firsts, *lengths])


def check(root: Root, folder: Path, n: int) -> None:
    """Sort `n` random texts with the files, script by script; ICU must find them ascending."""
    ours = collation.read_root(folder)
    each = -(-n // len(SCRIPTS))
    for script, pool in SCRIPTS.items():
        texts = random_texts(random.Random(f"check {script}"), list(pool), each)
        keyed = sorted((collation.sort_key(text, ours), text) for text in texts)
        for (one, text), (other, following) in itertools.pairwise(keyed):
            if root.compare(text, following) != (-1 if one < other else 0):
                raise RuntimeError(f"{script}: {text!a} and {following!a} compare otherwise in ICU")
    print(f"{each * len(SCRIPTS)} texts in ICU's order")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--icu", type=int, help="major version (default: the system's)")
    parser.add_argument("--folder", type=Path, help="where its libraries are")
    parser.add_argument("--out", type=Path, default=PROJECT / "pycdf" / "base_r" / "collation_data")
    parser.add_argument("--check", type=int, default=0, metavar="N", help="compare N random texts")
    given = parser.parse_args()
    root = Root(given.icu, given.folder)
    print(root.versions())
    given.out.mkdir(parents=True, exist_ok=True)
    for name, stream in build(root).items():
        packed = zlib.compress(stream, 9)
        (given.out / name).write_bytes(packed)
        print(f"{name}: {len(packed)} bytes")
    if given.check:
        check(root, given.out, given.check)


if __name__ == "__main__":
    main()
