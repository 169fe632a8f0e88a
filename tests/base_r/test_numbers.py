"""Numbers and their texts: R's answers, and exact arithmetic as a second opinion."""

import math
import random
import re
import struct
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import long_doubles
import numpy as np
import pandas as pd
import pytest

from pycdf.base_r import long_double as ld
from pycdf.base_r.integers import as_integers
from pycdf.base_r.numbers import number_text, parse_number
from pycdf.base_r.text import name_text, r_texts

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


# R's answers at the limits of the ways in which it reads numbers.
AT_LIMITS = {
    # Below 1e-300, R divides by ten for each digit first.
    "751230624e-310": "0x1.9c226ab5923d2p-1001",
    "2176689570349e-314": "0x1.dda9df2dc2101p-1003",
    "759097271105393317960916e-325": "0x1.a0733f0f2644bp-1001",
    "152902268646e-312": "0x1.a36b9fdd6f3fcp-1000",
    "577124514069951008343e-321": "0x1.8bc5a76c3001cp-998",
    # It divides by 1e307, and multiplies by 1e-308.
    "6862665438559218398682e-307": "0x1.a1fe20a052373p-948",
    "378020703e-316": "0x1.b2ebf7509e3d4p-1022",
    "1288749327388282e-308": "0x1.07630cf5c43ecp-973",
    "2458e-312": "0x0.1c47a593856fap-1022",
    # 1e28 has more than 64 bits.
    "993583968272016e-28": "0x1.bf786eaf7eb97p-44",
    "12128339471100088e28": "0x1.5c10f740c575bp+146",
    # exactly the largest double in long double
    "17976931348623157083e289": "0x1.fffffffffffffp+1023",
    # ties between two long doubles
    "2569732436004754911748689121467281466689e-283": "0x1.c12f2021e3197p-810",
    "133070601446678390572936632491392075420057970254472121082872e-307": "0x1.7d19807e97b7cp-824",
    "0497140868512827.547406512249314134480700e51": "0x1.2e1ee16874917p+218",
    "2454685004239149769087578e-302": "0x1.bd9370d9aed20p-923",
    "572515993414073755e1": "0x1.3dcf6a81f307ap+62",
    # An exponent that has reached 9999 takes no more digits.
    f"0.{'0' * 9999}1e99991": "0x1.999999999999ap-4",
    f"0.{'0' * 9999}1e9999": "0x1.999999999999ap-4",
    # more than long double can hold, divided by as much
    f"{'9' * 5000}e-9999": "nan",
    f"{'9' * 5000}e-307": "inf",
    # Powers of two overflow from 2**1024 on, also in divisors.
    "0x1p1023": "0x1.0000000000000p+1023",
    "0x1p1024": "inf",
    "0x1p-1023": "0x0.8000000000000p-1022",
    "0x1p-1024": "0x0.0p+0",
    "0xf.d7p-1024": "0x0.0p+0",
    f"0x{'f' * 5000}p-1024": "nan",
    # Digits behind the point count first if the result is below 2**-122.
    "0x.e9295p-1023": "0x0.7494a80000000p-1022",
    "0x.1p1025": "0x1.0000000000000p+1021",
    f"0x.{'0' * 249}1p877": "0x1.0000000000000p-123",
    f"0x.{'0' * 255}1p901": "0x0.0p+0",
    f"0x.{'0' * 255}1p902": "0x1.0000000000000p-122",
    f"0x.{'0' * 299}1p1077": "nan",
    f"0x.{'0' * 299}1p1078": "0x1.0000000000000p-122",
    "0x3c94af9aF65f6c7d8dF9Fdc5F841b7F3dc6e8b14955b52178809.14cF377368bcd5dp-800": (
        "0x1.e4a57cd7b2fb6p-595"
    ),
}


@pytest.mark.parametrize("text", AT_LIMITS, ids=lambda text: f"{text[:12]}{text[-9:]}")
def test_numbers_where_r_changes_its_way(text: str) -> None:
    assert parse_number(text).hex() == AT_LIMITS[text]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (610000.0, "610000"),
        (99999.99999999997, "1e+05"),
        (999999999999999.5, "1e+15"),
        # R takes 1e27 from a table of doubles, which is inexact, and 1e28 from powl().
        (float.fromhex("0x1.511de6fa0b9c7p+139"), "9.1771923651227e+41"),
        (float.fromhex("0x1.b3f131e73ed02p+142"), "9.4939796909025e+42"),
        (float.fromhex("0x1.fddc96ed3a62dp-45"), "5.66060174243271e-14"),
        # powl() is one unit too small for these powers
        (float.fromhex("0x1.b62efd32f6bf8p+281"), "6.65035588777101e+84"),
        (float.fromhex("0x1.75ab68b8cd6afp-160"), "9.98730831055461e-49"),
    ],
)
def test_texts_that_depend_on_the_last_bits(value: float, text: str) -> None:
    """R's answers, for numbers beside the middle between two of 15 digits."""
    assert number_text(value) == text


# R's answers for a double for each power of ten that powl() misses by a unit: the number of digits
# depends on it. (Processors differ in 1e-79 and 1e176.)
POWERS_OFF = {
    "0x1.a6f6445dbf78cp-982": "4.0420866926982e-296",
    "0x1.464d467ed0189p-969": "2.55454631819921e-292",
    "0x1.34091509dfe9ep-918": "5.4303116322297e-277",
    "0x1.eaffd3fda3d54p-898": "9.07621607743661e-271",
    "0x1.c8a84e9a297fdp-888": "8.6439935009862e-268",
    "0x1.460d194a8947ap-866": "2.58862743041131e-261",
    "0x1.7013a74212766p-852": "4.78786767694931e-257",
    "0x1.55c67f301a6aep-808": "7.821036465524e-244",
    "0x1.ebc7a3bdeee91p-793": "3.68760331282851e-239",
    "0x1.cc68941169e19p-783": "3.53522265367401e-236",
    "0x1.9bd4e8c5c11fep-779": "5.05956477827041e-235",
    "0x1.a93d3603c079dp-770": "2.674832364104e-232",
    "0x1.6b91582beeeaep-733": "3.1431026692354e-221",
    "0x1.ea5eb23fa08c2p-699": "7.2831101190718e-211",
    "0x1.ebf2d18a4f585p-692": "9.35239163090861e-209",
    "0x1.e00af70f939c5p-656": "6.2713764182791e-198",
    "0x1.4ebe24f9959f3p-602": "7.87796100589531e-182",
    "0x1.ed4821d5bd19bp-596": "7.42980954781791e-180",
    "0x1.519aef9b0d0c9p-572": "8.5312303042196e-173",
    "0x1.c20f252908f4ap-568": "1.81966777270611e-171",
    "0x1.5518a9e98e0cdp-553": "4.5190744403402e-167",
    "0x1.2ddf4e41a2216p-526": "5.36791415232261e-159",
    "0x1.40f6bd63c88d4p-406": "7.5864375170187e-123",
    "0x1.221e6c3fcfd73p-307": "4.34637603129641e-93",
    "0x1.48204a5887cd2p-283": "8.2473055350275e-86",
    "0x1.554783cc7ede0p-215": "2.5317509641522e-65",
    "0x1.281581b77cc27p-162": "1.97840723668841e-49",
    "0x1.f8a7d8d710f4ep-154": "8.6324852394456e-47",
    "0x1.acd238fd32722p-75": "4.4339071008985e-23",
    "0x1.9843387db217fp+191": "5.0052846758209e+57",
    "0x1.8effa76072f5bp+281": "6.05564266374331e+84",
    "0x1.01020059c3794p+292": "7.9884974847463e+87",
    "0x1.3f38a08d100ecp+363": "2.34282681589971e+109",
    "0x1.8d3e3851b8948p+392": "1.5652172993976e+118",
    "0x1.ecd15f9b15438p+484": "9.61533409924401e+145",
    "0x1.6de473ec4867bp+499": "2.3392748545128e+150",
    "0x1.bffef8e333b88p+517": "7.50830515405221e+155",
    "0x1.ce19997c473e0p+522": "2.4782992083974e+157",
    "0x1.8e1c58ce69687p+554": "9.1702571791206e+166",
    "0x1.b7f1276f3bbc8p+573": "5.3130387430076e+172",
    "0x1.6518a780bd514p+593": "4.522023562273e+178",
    "0x1.c223791a1e80cp+632": "3.1337440184123e+190",
    "0x1.1f4ca4fdc61bfp+662": "2.14759246736291e+199",
    "0x1.a2ac066331f50p+686": "5.25062435468771e+206",
    "0x1.ab41a3d30ebe8p+713": "7.19176563338741e+214",
    "0x1.ac5e5124d26c9p+766": "6.4946262793199e+230",
    "0x1.bb38256a13b21p+786": "7.0462055890041e+236",
    "0x1.8f5a9699bb016p+867": "1.5350557840447e+261",
    "0x1.54e2ba2ba821ep+882": "4.29363313550161e+265",
    "0x1.7d51c7f1e4666p+896": "7.8691009311291e+269",
    "0x1.43b59837d4ac4p+901": "2.1376735168759e+271",
    "0x1.da0ef7924886cp+909": "8.01415982630601e+273",
    "0x1.b249130f53eb7p+918": "3.75899138694331e+276",
    "0x1.b5ba1cb49e0cbp+962": "6.665292298836e+289",
    "0x1.a376666f0e2bcp+985": "5.3579530679543e+296",
    "0x1.a433fd7a47662p+1023": "1.47538321068481e+308",
}


def test_powers_of_ten_are_as_far_off_as_in_r() -> None:
    found = {value: number_text(float.fromhex(value)) for value in POWERS_OFF}
    assert found == POWERS_OFF


@pytest.mark.parametrize(
    ("m", "rounded"),
    [
        (2**65 - 1, 2**65),
        (2**64 + 1, 2**64),  # a tie, to even
        (2**64 + 3, 2**64 + 4),
        (2**67 + 7, 2**67),
        (2**67 + 8, 2**67),
        (2**67 + 9, 2**67 + 16),  # the last bit decides
        (2**67 + 23, 2**67 + 16),
        (2**67 + 24, 2**67 + 32),
    ],
)
def test_long_doubles_have_64_bits(m: int, rounded: int) -> None:
    found = ld.rounded(m, 0)
    assert exact(found) == rounded


def test_long_doubles_beside_infinity_and_zero() -> None:
    largest, smallest = ((1 << 64) - 1, 16384 - 64), (1, -16445)
    assert ld.product(largest, (1, 0)) == largest
    for number in ((3, 0), (3, 7)):
        assert ld.product(ld.INFINITE, number) == ld.product(number, ld.INFINITE) == ld.INFINITE
        assert ld.quotient(ld.INFINITE, number) == ld.INFINITE
        assert ld.quotient(number, ld.NAN) == ld.quotient(ld.NAN, number) == ld.NAN
        assert ld.product(number, ld.NAN) == ld.product(ld.NAN, number) == ld.NAN
    assert ld.product((0, -5), ld.INFINITE) == ld.product(ld.INFINITE, (0, 9)) == ld.NAN
    assert ld.quotient((3, 0), (3, 0)) != ld.NAN
    # Ties of the smallest numbers go to the even one.
    for units, half in ((1, 0), (3, 2), (5, 2), (7, 4)):
        assert exact(ld.quotient((units, -16445), (2, 0))) == half * exact(smallest)
        assert exact(ld.product((units, -16445), (1, -1))) == half * exact(smallest)


@pytest.mark.parametrize(
    ("value", "integers"),
    [
        (None, []),
        (True, [1]),
        (2147483647, [2147483647]),
        (2147483648, [None]),
        (-2147483647, [-2147483647]),
        (-2147483648, [None]),
        (2147483647.9, [2147483647]),
        (2147483648.0, [None]),
        (-2147483647.9, [-2147483647]),
        (-2.9, [-2]),
        (Decimal("7.5"), [7]),
        (Fraction(-7, 2), [-3]),
        (math.nan, [None]),
        (-math.inf, [None]),
        (" 0x1F ", [31]),
        ("12a", [None]),
        (np.float32(3.5), [3]),
        (np.array(4), [4]),
        (np.array([[1, 2], [3, 4]]), [1, 2, 3, 4]),
        (["1", None, pd.NA, pd.NaT, np.int8(5), np.array(6.5)], [1, None, None, None, 5, 6]),
        (pd.Series([1.5, np.nan]), [1, None]),
    ],
)  # fmt: skip
def test_as_integer(value, integers) -> None:
    found = as_integers(value)
    assert found == integers
    assert {type(one) for one in found} <= {int, type(None)}


@pytest.mark.parametrize("value", [b"1", 1j, object, [[1]]])
def test_what_r_cannot_make_an_integer(value) -> None:
    with pytest.raises(TypeError, match=r"^not a number: "):
        as_integers(value)


@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        ([True, False], ["TRUE", "FALSE"]),
        ([True, 2, False], ["1", "2", "0"]),
        ([True, 2.5], ["1", "2.5"]),
        ([True, 2**31], ["1", "2147483648"]),
        ([True, "a"], ["TRUE", "a"]),
        ([100_000, 1], ["100000", "1"]),
        ([100_000, 0.5], ["1e+05", "0.5"]),
        ([100_000, 2**31 - 1], ["100000", "2147483647"]),
        ([100_000, 2**31], ["1e+05", "2147483648"]),
        ([100_000, -(2**31)], ["1e+05", "-2147483648"]),
        ([100_000, 10**15], ["1e+05", "1e+15"]),
        ([100_000, 10**15 + 1], ["100000", "1000000000000001"]),  # no two become one
        ([100_000, "a"], ["100000", "a"]),
        ([3 * 10**9, "a"], ["3e+09", "a"]),
    ],
)
def test_labels_of_one_vector_are_of_one_type(labels, texts) -> None:
    """As in R, where c(TRUE, 2L) is c(1L, 2L); bit64 has all digits of large integers."""
    assert r_texts(labels) == texts
    assert r_texts([np.array(one)[()] if one != "a" else one for one in labels]) == texts
