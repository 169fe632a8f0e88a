"""Numbers and their texts: R's answers, and exact arithmetic as a second opinion."""

import math
import random
import re
import struct
from fractions import Fraction
from pathlib import Path

import long_doubles
import numpy as np
import pandas as pd
import pytest

from pycdf.base_r import long_double as ld
from pycdf.base_r.numbers import number_text, parse_number
from pycdf.base_r.text import name_text

DATA = Path(__file__).parents[1] / "data"


def recorded(name: str) -> list[list[str]]:
    lines = (DATA / name).read_text(encoding="ascii").splitlines()[1:]
    return [line.split("\t") for line in lines]


@pytest.mark.parametrize("name", ["parse_number.tsv", "number_text.tsv", "label_text.tsv"])
def test_recorded_from_an_r_that_reads_as_today(name: str) -> None:
    """What as.numeric() reads last changed in R 4.4.3 (docs/differences.md)."""
    first = (DATA / name).read_text(encoding="ascii").partition("\n")[0]
    version = re.search(r"^# R version (\d+)\.(\d+)\.(\d+)", first)
    assert version is not None
    assert tuple(map(int, version.groups())) >= (4, 4, 3)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e", math.nan),
        ("1e+", math.nan),
        ("-2.5E- ", math.nan),
        ("0x1p", math.nan),
        ("0x1.8P+", math.nan),
        ("0x1.8", 1.5),
        ("0x.8", 0.5),
        ("0x1.8.4", 24.25),
        ("0x1.", 1.0),
        ("0x.", 0.0),
    ],
)
def test_what_r_before_4_4_3_reads_otherwise(text: str, value: float) -> None:
    assert bits(parse_number(text)) == bits(value)


def bits(value: float) -> str:
    return "NA" if math.isnan(value) else value.hex()


def test_as_numeric() -> None:
    cases = recorded("parse_number.tsv")
    assert len(cases) > 350
    texts = [text.encode().decode("unicode_escape") for text, _ in cases]
    answers = [math.nan if answer == "NA" else float.fromhex(answer) for _, answer in cases]
    different = [
        (text, bits(answer), bits(parse_number(text)))
        for text, answer in zip(texts, answers, strict=True)
        if bits(answer) != bits(parse_number(text))
    ]
    assert different == []


def test_r_is_not_always_nearest() -> None:
    """The reason why float() will not do."""
    off = [text for text, _ in recorded("parse_number.tsv")[:8]]
    for text in off:
        assert parse_number(text) != float(text)
        assert abs(parse_number(text) - float(text)) == math.ulp(float(text))


def test_few_decimals_are_nearest() -> None:
    """Up to four decimals the short way is taken: it must give what the long way gives."""
    draw = random.Random(3)
    for _ in range(20000):
        digits, decimals = draw.randrange(10 ** draw.randrange(1, 19)), draw.randrange(5)
        text = f"{digits}e-{decimals}"
        steps = ld.to_double(ld.quotient((digits, 0), (10**decimals, 0)))
        assert parse_number(text) == float(text) == steps


def test_as_character() -> None:
    cases = recorded("number_text.tsv")
    assert len(cases) > 400
    different = [
        (value, text, number_text(float.fromhex(value)))
        for value, text in cases
        if number_text(float.fromhex(value)) != text
    ]
    assert different == []


def exact(number: ld.Number) -> Fraction:
    return Fraction(number[0]) * Fraction(2) ** number[1]


def is_nearest(number: ld.Number, true: Fraction) -> bool:
    """Whether no 64-bit neighbour is nearer to the true value, an even one in a tie."""
    shift = number[0].bit_length() - 64
    m, e = (number[0] << -shift, number[1] + shift) if shift < 0 else number
    unit = Fraction(2) ** e
    gap = abs(true - exact(number))
    return gap < unit / 2 or (gap == unit / 2 and m % 2 == 0)


def test_long_double_steps_are_rounded_exactly() -> None:
    draw = random.Random(4)
    for _ in range(5000):
        a, b = ((draw.getrandbits(64) | 1, draw.randrange(-500, 500)) for _ in range(2))
        assert is_nearest(ld.product(a, b), exact(a) * exact(b))
        assert is_nearest(ld.quotient(a, b), exact(a) / exact(b))
        # Ties: 64 bits and one more.
        odd = (draw.getrandbits(64) | 1 << 64) << 1 | 1
        assert is_nearest(ld.rounded(odd, -7), Fraction(odd, 128))


def test_long_double_is_that_of_the_processor() -> None:
    answers = long_doubles.recorded("long_double_products.tsv")
    for (x, y), (m, e) in zip(long_doubles.factors(), answers, strict=True):
        steps = ld.quotient(ld.product(ld.from_double(x), ld.from_double(y)), (10, 0))
        assert exact(steps) == exact((int(m), int(e)))
        if long_doubles.NUMPY_HAS_80_BITS:
            wide = np.longdouble(x) * np.longdouble(y) / np.longdouble(10)
            assert exact(long_doubles.numpy_parts(wide)) == exact(steps)
            assert float(wide) == ld.to_double(steps)


def test_long_double_ends() -> None:
    largest = ((1 << 64) - 1, 16384 - 64)
    smallest = (1, -16445)
    assert ld.product(largest, (2, 0)) == ld.INFINITE
    assert ld.product(smallest, (1, -1)) == (0, -16445)  # a tie, to even
    assert exact(ld.product(smallest, (3, -1))) == 2 * exact(smallest)
    assert ld.product(ld.INFINITE, ld.ZERO) == ld.NAN
    assert ld.quotient(ld.INFINITE, ld.INFINITE) == ld.NAN
    assert ld.quotient((1, 0), ld.INFINITE) == ld.ZERO
    assert ld.times_plus(ld.INFINITE, 10, 1) == ld.INFINITE
    assert ld.to_double(ld.INFINITE) == math.inf
    assert math.isnan(ld.to_double(ld.NAN))


def test_every_double_is_a_long_double() -> None:
    draw = random.Random(6)
    for _ in range(2000):
        (value,) = struct.unpack("<d", struct.pack("<Q", draw.getrandbits(63)))
        if math.isfinite(value):
            assert ld.to_double(ld.from_double(value)) == value


@pytest.mark.parametrize("a", [(1, 16000), (1, -16000), (3, 0), (2**63 + 1, 5), (2**64 - 1, -70)])
@pytest.mark.parametrize("b", [(3, 0), (7, -5), (2**64 - 1, 3)])
def test_quotients_have_64_bits(a, b):
    """The nearest number with 64 significant bits, ties to even."""
    exact = Fraction(a[0]) * Fraction(2) ** a[1] / (Fraction(b[0]) * Fraction(2) ** b[1])
    m, e = ld.quotient(a, b)
    found = m * Fraction(2) ** e
    assert abs(found - exact) * 2**64 <= exact
    assert (found == exact) == (exact.denominator.bit_count() == 1)


def test_whole_numbers_with_an_exponent_of_one_are_exact() -> None:
    assert [parse_number(f"{number}e1") for number in range(2000)] == [
        10.0 * number for number in range(2000)
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a", "a"),
        (1.0, "1"),
        (np.float32(0.5), "0.5"),
        (1e5, "1e+05"),
        (3, "3"),
        (True, "TRUE"),
        (np.bool(False), "FALSE"),
        (math.nan, None),
        (None, None),
        (pd.NA, None),
        (pd.NaT, None),
        (("a", 2.0, None), ("a", "2", None)),
    ],
)
def test_names_of_columns(name, text) -> None:
    assert name_text(name) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("751230624e-310", "0x1.9c226ab5923d2p-1001"),
        ("2176689570349e-314", "0x1.dda9df2dc2101p-1003"),
        ("759097271105393317960916e-325", "0x1.a0733f0f2644bp-1001"),
    ],
)
def test_numbers_just_small_enough_for_another_way(text: str, value: str) -> None:
    """Below 1e-300, R divides by ten for each digit first; these are its answers."""
    assert parse_number(text).hex() == value
