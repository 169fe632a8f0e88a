"""Names in messages: control characters made visible, long ones truncated."""

import time
import unicodedata

import pytest

from pycdf.support.wording import brief, clipped, few, no_column, one_line, shown, visible


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("a\r\nfake line", r"a\r\nfake line"),
        ("\x00\x01\x7f\x85\x9b", r"\x00\x01\x7f\x85\x9b"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\u2028\u2066\u200f\ufeff", r"\u2028\u2066\u200f\ufeff"),
        ("\ufffe\uffff\U0001ffff\ufdd0", r"\ufffe\uffff\U0001ffff\ufdd0"),
        ("\ud800 \udcff", r"\ud800 \udcff"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_acts_on_a_terminal_is_visible(name, expected):
    assert visible(name) == expected
    assert visible(expected) == expected


def test_ordinary_text_stays():
    """Also the joiners that Persian words and emoji need."""
    for text in (
        "naïve 中文 العربية",
        "می\u200cخواهم",
        "👨\u200d👩\u200d👧",
        r"C:\data",
        "a~`|<>&$",
    ):
        assert visible(text) == text


def test_all_of_unicode_is_visible_in_the_end():
    """No control character, surrogate or line separator is left, wherever it is."""
    everything = visible("".join(map(chr, range(0x110000))))
    kinds = {unicodedata.category(letter) for letter in everything}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"}
    directions = {unicodedata.bidirectional(letter) for letter in everything}
    assert not directions & {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    everything.encode()


def test_a_name_is_one_line():
    assert one_line(" a\n\tb\x01 ") == r"a b\x01"
    assert brief("x" * 61) == "x" * 57 + "..."
    assert brief("x" * 60) == "x" * 60


def test_long_values_are_truncated():
    assert shown("x" * 58) == "'" + "x" * 58 + "'"
    assert shown("x" * 59) == "'" + "x" * 56 + "..."
    assert shown("x" * 99, 20) == "'" + "x" * 16 + "..."
    assert clipped("abcdef", 5) == "ab..."
    assert few(["y" * 10**7, "b"]) == "'" + "y" * 56 + "..., 'b'"
    assert shown(10**5000) == "an int of more than 600 digits"
    assert shown(-(10**5000)) == "an int of more than 600 digits"


def test_missing_columns_with_hostile_names():
    names = ["a\nb", "\x1b[2J", "c" * 500]
    assert no_column("zzzz", names, "t\x07.csv") == (
        r"t\x07.csv has no column 'zzzz': it has a b, \x1b[2J, " + "c" * 57 + "...."
    )
    assert no_column("a\nc", names, "t") == r"t has no column 'a\nc': did you mean 'a\nb'?"
    began = time.perf_counter()
    message = no_column("x" * 10**6, ["x" * 10**6 + "y", "v"], "t")
    assert message == f"t has no column '{'x' * 56}...: it has {'x' * 57}..., v."
    assert time.perf_counter() - began < 5  # looking for similar names would take hours
