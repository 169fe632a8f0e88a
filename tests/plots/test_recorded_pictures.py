"""Every plot consists of what was recorded: a change of a picture is meant, or it is a mistake."""

import json

import pytest

pytest.importorskip("matplotlib")

from matplotlib import pyplot
from picture_parts import RECORDED, drawings, parts

pytestmark = pytest.mark.filterwarnings("ignore::pycdf.TrainingRowsWarning")
PICTURES = json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def drawn():
    return drawings()


@pytest.mark.endurance
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_the_recorded_parts(drawn, name):
    """To record an intended change: ``python tests/picture_parts.py``."""
    found = parts(drawn[name])
    pyplot.close("all")
    assert [words for words, _ in found] == [words for words, _ in PICTURES[name]]
    for (words, numbers), (_, wanted) in zip(found, PICTURES[name], strict=True):
        assert numbers == pytest.approx(wanted, rel=1e-4, abs=1e-4), words


def test_all_plots_are_recorded(drawn):
    assert list(drawn) == list(PICTURES)
