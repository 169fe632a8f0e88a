"""Numbers in the cells of a table, as R reads them."""

from pathlib import Path

import numpy as np
import pytest

from pycdf import RStream
from pycdf.base_r.numbers import parse_number
from pycdf.kernels.parse_cells import MISSING, NUMBER, OTHER, parse_cells

HERE = Path(__file__).parents[1]


def cells(texts):
    encoded = [text.encode() for text in texts]
    data = np.frombuffer(b"".join(encoded), np.uint8)
    stops = np.cumsum([len(text) for text in encoded]).astype(np.int32)
    starts = np.concatenate([[0], stops[:-1]]).astype(np.int32)
    values, kinds = np.empty(len(texts)), np.empty(len(texts), np.uint8)
    parse_cells(data, starts, stops, ord("."), ord('"'), values, kinds)
    return values, kinds


def test_numbers_are_those_that_r_reads():
    """Recorded from R: as.numeric(), which read.csv's type.convert() uses, too."""
    lines = (HERE / "data" / "parse_number.tsv").read_text(encoding="utf-8").split("\n")
    pairs = [line.split("\t") for line in lines if "\t" in line]
    values, kinds = cells([text for text, _ in pairs])
    compared = 0
    for (text, recorded), value, kind in zip(pairs, values, kinds, strict=True):
        if kind == NUMBER:
            assert float(value).hex() == float.fromhex(recorded).hex(), text
            compared += 1
    assert compared > 60


def test_the_kernel_rounds_as_r_does():
    """Random numbers of up to 18 digits against the parser that R's answers were compared with."""
    stream = RStream(1)
    texts = []
    for digits, point, zeros in zip(
        (stream.uniform(20_000) * 18 + 1).astype(int),
        stream.uniform(20_000),
        (stream.uniform(20_000) * 10).astype(int),
        strict=True,
    ):
        body = "".join(map(str, stream.sample(10, int(digits), replace=True)))
        place = int(point * (digits + 1))
        text = f"{body[:place]}.{body[place:]}" if zeros < 5 else f"0.{'0' * zeros}{body}"
        texts.append(text)
    values, kinds = cells(texts)
    assert (kinds == NUMBER).mean() > 0.9
    expected = np.array([parse_number(text) for text in texts])
    assert np.array_equal(values[kinds == NUMBER], expected[kinds == NUMBER])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7.0),
        (" -7\t", -7.0),
        ('"+7."', 7.0),
        ('" .5 "', 0.5),
        ("1e5", 1e5),
        ("1E-05", 1e-5),
        ("1e+2", 100.0),
        ("000000000000000000000000012", 12.0),
        ("-0", -0.0),
    ],
)
def test_cells_that_are_numbers(text, value):
    # between others, which must not run into it
    values, kinds = cells(["9", text, "9"])
    assert kinds.tolist() == [NUMBER] * 3
    assert values.tolist() == [9.0, value, 9.0]
    assert np.signbit(values[1]) == np.signbit(value)


@pytest.mark.parametrize("text", ["", '""', " \t", '" "', "NA", '"NA"'])
def test_cells_without_a_value(text):
    values, kinds = cells(["9", text, "9"])
    assert kinds.tolist() == [NUMBER, MISSING, NUMBER]
    assert np.isnan(values[1])


@pytest.mark.parametrize(
    "text",
    [
        '"', "-", "+", ".", "-.", "1e", "1e+", "1e-", "e5", "1e5x", "1e00005", "1.2.3", "1,2",
        "--1", " NA", '"NA "', "N", "NAN", "NB", "1 2", '"1', "1a", "9" * 30, "1e99",
        "0." + "0" * 60 + "1",
    ],
)  # fmt: skip
def test_cells_that_are_left_to_the_complete_parser(text):
    values, kinds = cells(["9", text, "9"])
    assert kinds.tolist() == [NUMBER, OTHER, NUMBER]
    assert np.isnan(values[1])


def test_another_decimal_mark_and_no_quotes():
    data = np.frombuffer(b'1,5"2"1.5', np.uint8)
    starts, stops = np.array([0, 3, 6], np.int32), np.array([3, 6, 9], np.int32)
    values, kinds = np.empty(3), np.empty(3, np.uint8)
    parse_cells(data, starts, stops, ord(","), -1, values, kinds)
    assert kinds.tolist() == [NUMBER, OTHER, OTHER]
    assert values[0] == 1.5
