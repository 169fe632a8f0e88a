"""Pages of the report are as they were recorded: a change is meant, or it is a mistake."""

import json

import pytest
from recorded_pages import RECORDED, elements, pages

PAGES = json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def written():
    return pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_recorded(written, name):
    """To record an intended change: ``python tests/recorded_pages.py``."""
    found = elements(written[name]())
    assert [words for words, _ in found] == [words for words, _ in PAGES[name]]
    for (words, numbers), (_, wanted) in zip(found, PAGES[name], strict=True):
        # Coordinates are rounded to one decimal, and a place on the map may be on the edge.
        assert numbers == pytest.approx(wanted, rel=1e-6, abs=0.101), words
