"""The order of labels: R's answers, and what the order promises by itself."""

import random
import unicodedata
from pathlib import Path

import pytest
from icu_versions import changed, root_of
from programs import python_ok

from pycdf.base_r import collation
from pycdf.base_r.collation import ranks, sort_key

DATA = Path(__file__).parents[1] / "data"


RECORDED = sorted(int(file.stem.removeprefix("collation_icu")) for file in DATA.glob("collation_*"))


def recorded(icu: int = 78) -> list[tuple[int, int, str]]:
    """R's places in the root order of a version of ICU and in C order, and the text."""
    rows = []
    for line in (DATA / f"collation_icu{icu}.tsv").read_text(encoding="ascii").splitlines()[1:]:
        icu, c_order, text = line.split("\t")
        rows.append((int(icu), int(c_order), text.encode().decode("unicode_escape")))
    return rows


def test_hangul_is_taken_apart_as_unicode_does() -> None:
    syllables = range(0xAC00, 0xD7A4)
    assert len(syllables) == 11_172
    for point in syllables:
        parts = unicodedata.normalize("NFD", chr(point))
        assert collation.decompose_hangul(point) == tuple(map(ord, parts))
    assert collation.decompose_hangul(syllables[0] - 1) is None
    assert collation.decompose_hangul(syllables[-1] + 1) is None


def test_ranks_are_those_of_r() -> None:
    icu, c_order, texts = map(list, zip(*recorded(), strict=True))
    assert len(texts) > 900
    assert ranks(texts, "icu") == icu
    assert ranks(texts, "C") == c_order
    assert icu != c_order


@pytest.mark.parametrize("icu", RECORDED)
def test_an_older_icu_differs_only_in_texts_with_changed_characters(icu: int) -> None:
    rows = recorded(icu)
    root = root_of(icu)
    assert root is not None
    keys = [sort_key(text, root) for _, _, text in rows]
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    assert [places[key] for key in keys] == [place for place, _, _ in rows]
    kept = [row for row in rows if changed(icu).isdisjoint(row[2])]
    assert sorted(kept) == sorted(kept, key=lambda row: (sort_key(row[2]), row))
    assert (len(kept) < len(rows)) == (icu != 78)


def test_ascii_by_itself_and_from_the_file_is_the_same() -> None:
    root = collation._load()
    for code in range(128):
        known = [collation._ASCII[chr(code)]] if chr(code) in collation._ASCII else []
        own = [element for element in collation.elements(chr(code), root) if any(element)]
        assert own == known, code


def test_order_of_printable_ascii() -> None:
    alphabet = "".join(f"{letter}{letter.upper()}" for letter in "abcdefghijklmnopqrstuvwxyz")
    expected = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789" + alphabet
    assert "".join(sorted(map(chr, range(32, 127)), key=sort_key)) == expected


@pytest.mark.parametrize(
    "ascending",
    [
        ["", "a", "A", "b"],
        ["control", "PD"],
        ["normal", "Tumor"],
        ["t10", "t2", "T2"],
        ["e", "E", "é", "É", "f"],
        ["role", "Role", "rôle", "roles"],  # accents count after all letters
        ["z", "α", "я", "あ", "中"],
        ["и", "й", "к"],
        ["가", "각", "나"],
        ["1", "２", "3"],
        ["ｗ", "ⓦ", "W", "Ｗ"],
        ["ก", "เก", "ข"],  # a vowel written before its consonant sorts after it
    ],
)
def test_texts_ascend(ascending: list[str]) -> None:
    assert ranks(ascending) == list(range(len(ascending)))


@pytest.mark.parametrize(
    "equal",
    [["a", "a\u0001", "\u00ada"], ["é", "e\u0301"], ["각", unicodedata.normalize("NFD", "각")]],
)
def test_texts_that_compare_equal_share_a_rank(equal: list[str]) -> None:
    assert ranks(equal) == [0] * len(equal)
    assert ranks(equal, "C") != [0] * len(equal)


def test_a_contraction_reaches_over_a_mark_that_does_not_block_it() -> None:
    # U+0418 U+0306 is one letter; U+0323 sits below, so U+0306 still joins; U+0301 blocks it.
    assert sort_key("И\u0323\u0306")[0] == sort_key("Й")[0]
    assert sort_key("И\u0301\u0306")[0] == sort_key("И")[0] != sort_key("Й")[0]


def test_every_code_point_has_a_place() -> None:
    points = random.Random(2).sample(range(0x110000), 5000)
    for point in points:
        sort_key(chr(point))
    assert sort_key("\U0010ffff") > sort_key("\ue000") > sort_key("\U000323af") > sort_key("中")


def test_another_collation_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^collation is 'c'.*\"C\""):
        ranks(["a"], "c")  # type: ignore[arg-type]


@pytest.mark.endurance
def test_ascii_labels_read_no_file() -> None:
    """In another process, since here the file has been read."""
    code = (
        "from pycdf.base_r import collation\nfrom pycdf.inputs import labels\n"
        "collation.ranks(['PD', 'control'])\n"
        "assert collation._load.cache_info().misses == 0\n"
        "collation.ranks(['é'])\n"
        "assert collation._load.cache_info().misses == 1\n"
        "assert 'ideographs' not in vars(collation._load())\n"
    )
    python_ok("-c", code)
