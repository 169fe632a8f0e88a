"""Random numbers and times as text, compared with R's as.numeric() and as.character().

An R that reads or writes some of them differently is compared by the rule of its version in
r_changes.py, so that each text is compared on every R.
"""

import math
import random
import struct
from typing import Any

import numpy as np
import pytest

from pycdf.base_r.numbers import number_text, parse_number
from pycdf.base_r.text import r_texts

from .compare import bits
from .r_changes import EMPTY_EXPONENT, HEXADECIMAL_POINT, MOMENT_LABELS, number_text_today
from .tally import TALLY

NUMBER_TEXTS = 40_000
NUMBERS = 20_000
MOMENTS = 20_000
DAYS = 20_000
PIECES = ["1", ".", "e", "E", "-", "+", " ", "\t", "x", "0x", "p", "inf", "nan", "NA", "_", ","]
MORE_PIECES = [
    "5",
    "\u00a0",
    "\u2003",
    "\u2007",
    "0X",
    "P",
    "d",
    "D",
    "L",
    "f",
    "A",
    "0",
    "infinity",
]


def random_number(draw: random.Random) -> str:
    digits = "".join(draw.choices("0123456789", k=draw.choice([1, 2, 5, 15, 16, 19, 25, 60])))
    point = draw.randrange(len(digits) + 1)
    match draw.randrange(9):
        case 0:
            return f"{digits[:point]}.{digits[point:]}"
        case 1:
            return f"-{digits[:point]}.{digits[point:]}e{draw.randrange(-340, 320)}"
        case 2:
            return f"{draw.gauss(0, 1) * 10 ** draw.randrange(-5, 6):.15g}"
        case 3:
            return f"0x{draw.getrandbits(draw.randrange(1, 80)):x}p{draw.randrange(-1100, 1100)}"
        case 4:
            return repr(any_double(draw))
        case 5:
            return random_hexadecimal(draw)
        case 6:  # an exponent of any length, also of none
            exponent = "".join(draw.choices("0123456789", k=draw.choice([0, 0, 1, 2, 4, 5, 6, 12])))
            sign = draw.choice(["", "", "+", "-"])
            return f"{digits[:point]}.{digits[point:]}{draw.choice('eE')}{sign}{exponent}"
        case 7:
            return "".join(draw.choices(PIECES + MORE_PIECES, k=draw.randrange(1, 8)))
    return "".join(draw.choices(PIECES, k=4))


def random_hexadecimal(draw: random.Random) -> str:
    """With points, with and without an exponent, which may be empty or too large."""
    digits = "".join(
        draw.choices("0123456789abcdefABCDEF", k=draw.choice([0, 1, 3, 13, 17, 40, 300]))
    )
    for _ in range(draw.choice([0, 1, 1, 1, 2])):
        point = draw.randrange(len(digits) + 1)
        digits = f"{digits[:point]}.{digits[point:]}"
    exponents = [
        "",
        "",
        "p",
        "P",
        "p+",
        "P-",
        f"p{draw.randrange(-1200, 1200)}",
        "p99999",
        "p-99999",
    ]
    before, after = draw.choice(["", "-", "+", " "]), draw.choice(["", "", " ", "\u2003", "\u00a0"])
    return f"{before}{draw.choice(['0x', '0X'])}{digits}{draw.choice(exponents)}{after}"


def any_double(draw: random.Random) -> float:
    (value,) = struct.unpack("<d", struct.pack("<Q", draw.getrandbits(64)))
    return 0.0 if math.isnan(value) else value


def assert_texts(kind: str, given: list[Any], ours: list[Any], theirs: list[str]) -> None:
    """Text by text; what differs is shown with what it was made from."""
    rows = list(zip(given, ours, theirs, strict=True))
    TALLY.compare(kind, [mine == of_r for _, mine, of_r in rows])
    assert [row for row in rows if row[1] != row[2]] == []


def test_as_numeric(r):
    draw = random.Random(1)
    texts = [random_number(draw) for _ in range(NUMBER_TEXTS)]
    r["texts"] = r.labels(texts)
    theirs = r.value("suppressWarnings(as.numeric(texts))")
    theirs[np.isnan(theirs)] = np.nan  # R has more than one NaN
    today = [number_text_today(r.r_version, text) for text in texts]
    ours = np.array([parse_number(text) for text in today])
    changed = np.array([new != old for new, old in zip(today, texts, strict=True)])
    equal = bits(ours) == bits(theirs)
    TALLY.compare("texts read as numbers", equal[~changed])
    if changed.any():
        TALLY.compare("texts read as numbers, by the rule of this older R", equal[changed])
    assert equal.all(), [(texts[i], ours[i], theirs[i]) for i in np.flatnonzero(~equal)[:5]]
    assert changed.any() == (r.r_version < HEXADECIMAL_POINT.since)


@pytest.mark.parametrize(
    ("text", "change", "before"),
    [
        ("1e", EMPTY_EXPONENT, 1.0),
        ("1e+", EMPTY_EXPONENT, 1.0),
        ("-2.5E- ", EMPTY_EXPONENT, -2.5),
        ("0x1p", EMPTY_EXPONENT, 1.0),
        ("0x1.8P+", EMPTY_EXPONENT, 1.5),
        ("0x1.8", HEXADECIMAL_POINT, 24.0),
        ("0x.8", HEXADECIMAL_POINT, 8.0),
        ("-0X1.0.8", HEXADECIMAL_POINT, -264.0),
    ],
)
def test_a_number_that_r_reads_otherwise_since(r, text, change, before):
    """The examples that docs/differences.md gives for older versions."""
    r["text"] = r.labels([text])
    (theirs,) = r.value("suppressWarnings(as.numeric(text))")
    expected = before if r.r_version < change.since else parse_number(text)
    same = (
        bits(np.array([theirs])) == bits(np.array([expected])) or np.isnan([theirs, expected]).all()
    )
    TALLY.count("named texts that older versions of R read otherwise", bool(same))
    assert same, (theirs, expected)
    assert parse_number(text) != before


def test_as_character(r):
    draw = random.Random(2)
    makers = [
        any_double,
        lambda draw: draw.gauss(0, 1) * 10.0 ** draw.randrange(-8, 20),
        lambda draw: float(f"{draw.randrange(10**14, 10**15)}5e{draw.randrange(-40, 40)}"),
        lambda draw: math.nextafter(10.0 ** draw.randrange(-300, 300), 0),
        lambda draw: draw.randrange(1, 1000) / draw.randrange(1, 1000),
    ]
    values = [draw.choice(makers)(draw) for _ in range(NUMBERS)]
    r["numbers"] = r._vector(np.array(values))
    theirs = r.value("as.character(numbers)")
    ours = [number_text(value) for value in values]
    assert_texts("numbers written as text", values, ours, theirs)


def random_moment(draw: random.Random) -> np.datetime64:
    """A time in the last centuries or in a distant year, often at midnight or close to it."""
    match draw.randrange(7):
        case 0:
            return np.datetime64(draw.randrange(-(2**63) + 1, 2**63), "ns")
        case 1:
            return np.datetime64(draw.randrange(-2 * 10**17, 5 * 10**17), "us")
        case 2:  # near 1970 a double holds much more than microseconds
            return np.datetime64(draw.randrange(-(10 ** draw.randrange(1, 16)), 10**12), "ns")
        case 3:
            return np.datetime64(86400 * draw.randrange(-(10**6), 10**6), "s")
        case 4:
            return np.datetime64(draw.randrange(-(10**11), 10**12), "s")
        case 5:  # half a microsecond, exactly: multiples of 1/128 second
            return np.datetime64(7812500 * draw.randrange(-(10**11), 10**11), "ns")
    # just before the next second, minute or day
    step = 10**9 * draw.choice([1, 60, 86400])
    return np.datetime64(step * draw.randrange(-(10**4), 10**4) - draw.randrange(2000), "ns")


def seconds(moment: np.datetime64) -> float:
    """Seconds since 1970 as the nearest double, by exact division."""
    per_second = {"ns": 10**9, "us": 10**6, "s": 1}[np.datetime_data(moment.dtype)[0]]
    return int(moment.astype(np.int64)) / per_second


def test_as_character_of_moments(r):
    draw = random.Random(5)
    moments = [random_moment(draw) for _ in range(MOMENTS)]
    r["moments"] = r._vector(np.array([seconds(moment) for moment in moments]))
    theirs = r.value('as.character(.POSIXct(moments, tz = "UTC"))')
    ours: list[str | None] = list(r_texts(moments))
    kind = "moments written as text"
    if r.r_version < MOMENT_LABELS.since:
        ours = MOMENT_LABELS.today([seconds(moment) for moment in moments])
        kind += ", by the rule of this older R"
    assert_texts(kind, moments, ours, theirs)


def test_as_character_of_dates(r):
    draw = random.Random(6)
    numbers = [draw.randrange(-(10**6), 10 ** draw.randrange(1, 8)) for _ in range(DAYS)]
    r["days"] = r._vector(np.array(numbers, dtype=np.float64))
    theirs = r.value('as.character(structure(days, class = "Date"))')
    ours = r_texts([np.datetime64(number, "D") for number in numbers])
    assert_texts("dates written as text", numbers, ours, theirs)
