"""The order of labels in older versions of ICU, and where it differs from pycdf's."""

import functools
import itertools
import random

import pytest
from icu_versions import (
    NEWEST,
    OLDER,
    changed,
    is_assigned,
    latin_greek_cyrillic_letters,
    root_of,
    stated_changes,
)  # fmt: skip

from pycdf.base_r import collation
from pycdf.base_r.collation import elements, sort_key


@functools.cache
def characters(icu: int) -> list[str]:
    """Those with weights of their own in its order or ours, and some that have none in either."""
    found = set(map(chr, [*range(0xAC00, 0xD7A4), *range(0xE000, 0x110000, 997)]))
    for root in (root_of(icu), NEWEST):
        found |= root.single.keys() | set(map(chr, root.ideographs))
    return sorted(found)


def test_pycdf_has_the_newest_order() -> None:
    assert collation._load().versions == NEWEST.versions == ((78, 3), (48, 0), (17, 0))
    assert [root_of(icu).versions.icu[0] for icu in OLDER] == OLDER == [72, 74, 76]
    assert list(stated_changes()) == OLDER


@pytest.mark.endurance
@pytest.mark.parametrize("icu", OLDER)
def test_texts_without_a_changed_character_sort_alike(icu: int) -> None:
    """A proof for all texts: on each level the old weights map to the new ones and keep order.

    Keys are the weights level by level, so a map that ascends on each level keeps the order of
    texts, if both versions also split texts into the same elements.
    """
    old, new, changes = root_of(icu), NEWEST, changed(icu)
    maps: tuple[dict[int, int], ...] = ({0: 0}, {0: 0}, {0: 0})
    contractions = sorted(old.contractions | new.contractions)
    for text in itertools.chain(characters(icu), contractions):
        if changes.isdisjoint(text):
            assert (text in old.contractions) == (text in new.contractions), ascii(text)
            assert old.marks.get(text) == new.marks.get(text), ascii(text)
            before, after = elements(text, old), elements(text, new)
            assert len(before) == len(after), ascii(text)
            for one, other in zip(before, after, strict=True):
                for level in range(3):
                    assert maps[level].setdefault(one[level], other[level]) == other[level], (
                        f"{text!a} has a weight of its own on level {level + 1}"
                    )
    for weights in maps:
        ordered = [weights[weight] for weight in sorted(weights)]
        assert all(one < other for one, other in itertools.pairwise(ordered))


@pytest.mark.parametrize("icu", OLDER)
def test_the_reasons_are_as_stated(icu: int) -> None:
    old, new, reasons = root_of(icu), NEWEST, stated_changes()[icu]
    assert set(reasons) == {"assigned since", "ideograph moved", "other weights"}
    assert sum(map(len, reasons.values())) == len(changed(icu))
    for character in characters(icu):
        since = is_assigned(character, new) and not is_assigned(character, old)
        assert since == (character in reasons["assigned since"]), ascii(character)


@pytest.mark.parametrize("icu", OLDER)
def test_latin_greek_and_cyrillic_sort_alike_in_all(icu: int) -> None:
    """Every letter of these scripts that the older version has, and the marks on them."""
    letters = latin_greek_cyrillic_letters()
    assert len(letters) > 1900
    assert changed(icu) & set(letters) <= stated_changes()[icu]["assigned since"]
    assert changed(icu).isdisjoint(map(chr, range(0x370)))  # ASCII, Latin, marks
    assert changed(icu).isdisjoint(map(chr, [*range(0x1AB0, 0x1ACF), *range(0x1DC0, 0x2000)]))


@pytest.mark.endurance
@pytest.mark.parametrize("icu", OLDER)
def test_the_older_order_differs_only_with_changed_characters(icu: int) -> None:
    """The same on random texts, through sort_key()."""
    old, changes = root_of(icu), changed(icu)
    draw, points = random.Random(icu), characters(icu)
    texts = ["".join(draw.choices(points, k=draw.randrange(1, 4))) for _ in range(3000)]
    texts += ["".join(draw.choices(points[:0x9000], k=2)) for _ in range(3000)]
    kept = [text for text in texts if changes.isdisjoint(text)]
    assert 3000 < len(kept) < len(texts)
    by_old = sorted(kept, key=lambda text: (sort_key(text, old), text))
    assert by_old == sorted(kept, key=lambda text: (sort_key(text), text))
    moved = sorted(texts, key=lambda text: (sort_key(text, old), text))
    assert moved != sorted(texts, key=lambda text: (sort_key(text), text))
