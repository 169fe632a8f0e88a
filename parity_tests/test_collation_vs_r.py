"""Text: how R sorts it, and how it reads and writes numbers in it, on random texts."""

import math
import random
import struct
import unicodedata

import numpy as np
import pytest

from pycdf.base_r.collation import order
from pycdf.base_r.numbers import number_text, parse_numbers

from .compare import bits
from .tally import TALLY

SCRIPTS = {
    "ascii": range(1, 128),
    "latin": [*range(0x41, 0x5B), *range(0x61, 0x7B), *range(0xA0, 0x250), *range(0x1E00, 0x1F00)],
    "marks": [*range(0x61, 0x69), *range(0x300, 0x370), 0x418, 0x438, 0x1DC0, 0x20D0],
    "greek_cyrillic": range(0x370, 0x530),
    "hebrew_arabic": range(0x591, 0x700),
    "indic": range(0x900, 0xE00),
    "thai_lao_tibetan": range(0xE01, 0xFD0),
    "hangul": [*range(0x1100, 0x1200), *range(0xAC00, 0xD7A4)],
    "kana": range(0x3000, 0x3400),
    "han": [*range(0x3400, 0xA000), *range(0xF900, 0xFB00), *range(0x20000, 0x32400)],
    "symbols": range(0x2000, 0x2C00),
    "wide": range(0xFF00, 0xFFF0),
    "emoji": [*range(0x1F300, 0x1FB00), 0x200D, 0xFE0F],
    "anything": [*range(1, 0xD800), *range(0xE000, 0x110000)],
}
SIZE = 1000


def random_texts(draw: random.Random, pool: list[int], n: int) -> list[str]:
    """Texts of one script, many of them small changes of others, so that late levels decide."""
    texts = [""]
    while len(texts) < n:
        if draw.random() < 0.5:
            made = "".join(chr(draw.choice(pool)) for _ in range(draw.randrange(1, 7)))
        else:
            parts = list(draw.choice(texts))
            at = draw.randrange(len(parts) + 1)
            change = draw.randrange(4)
            if change == 0:
                parts.insert(at, chr(draw.choice(pool)))
            elif change == 1:
                parts[at : at + 3] = reversed(parts[at : at + 3])
            made = "".join(parts)
            if change == 2:
                made = made.swapcase()
            elif change == 3:
                made = unicodedata.normalize(draw.choice(["NFC", "NFD", "NFKD"]), made)
        texts.append(made)
    return texts


@pytest.mark.parametrize("script", SCRIPTS)
def test_order(r, script):
    texts = random_texts(random.Random(script), list(SCRIPTS[script]), SIZE)
    r["texts"] = r.labels(texts)
    theirs = {"icu": r.value("order(texts)") - 1}
    with r.code_point_order():
        theirs["C"] = r.value("order(texts)") - 1
    for collation, expected in theirs.items():
        ours = order(texts, collation)
        same = ours == expected.tolist()
        TALLY.count("texts in order", same, SIZE)
        first = next((i for i, (a, b) in enumerate(zip(ours, expected, strict=True)) if a != b), 0)
        assert same, f"{collation}: {texts[ours[first]]!r} here, {texts[expected[first]]!r} in R"


def random_number(draw: random.Random) -> str:
    digits = "".join(draw.choices("0123456789", k=draw.choice([1, 2, 5, 15, 16, 19, 25, 60])))
    point = draw.randrange(len(digits) + 1)
    kind = draw.randrange(6)
    if kind == 0:
        return f"{digits[:point]}.{digits[point:]}"
    if kind == 1:
        return f"-{digits[:point]}.{digits[point:]}e{draw.randrange(-340, 320)}"
    if kind == 2:
        return f"{draw.gauss(0, 1) * 10 ** draw.randrange(-5, 6):.15g}"
    if kind == 3:
        return f"0x{draw.getrandbits(draw.randrange(1, 80)):x}p{draw.randrange(-1100, 1100)}"
    if kind == 4:
        return repr(any_double(draw))
    pieces = ["1", ".", "e", "E", "-", "+", " ", "\t", "x", "0x", "p", "inf", "nan", "NA", "_", ","]
    return "".join(draw.choices([*pieces, "5", "\u00a0", "\u2003", "\u2007"], k=4))


def any_double(draw: random.Random) -> float:
    (value,) = struct.unpack("<d", struct.pack("<Q", draw.getrandbits(64)))
    return 0.0 if math.isnan(value) else value


def test_as_numeric(r):
    draw = random.Random(1)
    texts = [random_number(draw) for _ in range(40_000)]
    r["texts"] = r.labels(texts)
    theirs = r.value("suppressWarnings(as.numeric(texts))")
    ours = parse_numbers(texts)
    theirs[np.isnan(theirs)] = np.nan  # R has more than one NaN
    equal = bits(ours) == bits(theirs)
    TALLY.count("texts read as numbers", True, int(equal.sum()))
    TALLY.count("texts read as numbers", False, int((~equal).sum()))
    assert equal.all(), [(texts[i], ours[i], theirs[i]) for i in np.flatnonzero(~equal)[:5]]


def test_as_character(r):
    draw = random.Random(2)
    makers = [
        any_double,
        lambda draw: draw.gauss(0, 1) * 10.0 ** draw.randrange(-8, 20),
        lambda draw: float(f"{draw.randrange(10**14, 10**15)}5e{draw.randrange(-40, 40)}"),
        lambda draw: math.nextafter(10.0 ** draw.randrange(-300, 300), 0),
        lambda draw: draw.randrange(1, 1000) / draw.randrange(1, 1000),
    ]
    values = [draw.choice(makers)(draw) for _ in range(20_000)]
    r["numbers"] = r.labels([value.hex() for value in values])  # R reads these exactly
    theirs = r.value("as.character(as.numeric(numbers))")
    ours = [number_text(value) for value in values]
    different = [row for row in zip(values, ours, theirs, strict=True) if row[1] != row[2]]
    TALLY.count("numbers written as text", True, len(values) - len(different))
    TALLY.count("numbers written as text", False, len(different))
    assert different == []
