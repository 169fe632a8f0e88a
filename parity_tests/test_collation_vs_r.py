"""Text: how R sorts it, and how it reads and writes numbers in it, on random texts."""

import math
import random
import struct
from collections import Counter

import numpy as np
import pytest

from pycdf.collation import order, sort_key
from pycdf.rnumbers import number_text, parse_numbers
from tests.icu_versions import changed, latin_greek_cyrillic_letters, root_of

from .compare import bits
from .random_texts import SCRIPTS, random_texts
from .tally import TALLY

SIZE = 1000
# No text of these sorts elsewhere in another version of ICU, from the oldest in tests/data on.
SAME_IN_ALL = {"ascii", "latin", "marks", "greek_cyrillic"}
NOT_COMPARED: Counter[str] = Counter()


@pytest.mark.parametrize("script", SCRIPTS)
def test_order(r, script):
    texts = random_texts(random.Random(script), list(SCRIPTS[script]), SIZE)
    compare_order(r, texts)
    if script in SAME_IN_ALL and root_of(r.icu_version()) is not None:
        assert changed(r.icu_version()).isdisjoint("".join(texts))
    with r.code_point_order():
        same_order(texts, order(texts, "C"), r_order(r, texts))


def test_every_letter_of_latin_greek_and_cyrillic(r):
    """They sort alike in all these versions; of an older ICU the first letters are compared."""
    known = [c for c in latin_greek_cyrillic_letters() if c not in changed(r.icu_version())]
    compare_order(r, known)
    draw = random.Random("letters")
    compare_order(r, ["".join(draw.choices(known, k=2)) for _ in range(5 * SIZE)])


def compare_order(r, texts):
    """R's order is that of its own ICU; without characters that changed since, it is pycdf's.

    Where tests/data lacks the order of R's ICU, the texts with such characters are not compared.
    """
    theirs = r_order(r, texts)
    icu = r.icu_version()
    stable = {i for i, text in enumerate(texts) if changed(icu).isdisjoint(text)}
    kept = sorted(stable)
    ours = [kept[i] for i in order([texts[i] for i in kept])]
    same_order(texts, ours, [i for i in theirs if i in stable])
    root = root_of(icu)
    if root is not None and len(stable) < len(texts):
        keys = [sort_key(text, root) for text in texts]
        same_order(texts, sorted(range(len(texts)), key=keys.__getitem__), theirs)
    elif root is None:
        NOT_COMPARED["texts"] += len(texts) - len(stable)
        TALLY.not_compared["order of texts"] = (
            f"in {NOT_COMPARED['texts']:,} texts with characters that may sort elsewhere"
            f" (tests/data has no order of ICU {icu})"
        )


def r_order(r, texts):
    r["texts"] = r.labels(texts)
    return (r.value("order(texts)") - 1).tolist()


def same_order(texts, ours, theirs):
    same = ours == theirs
    TALLY.count("texts in order", same, len(theirs))
    first = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b), 0)
    assert same, f"{texts[ours[first]]!r} here, {texts[theirs[first]]!r} in R"


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
