"""Forests and what they answer have the same bits on every processor: checksums of all of them."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))

import forest_digest

pytestmark = pytest.mark.endurance  # 50 forests and all that can be asked of them


@pytest.fixture(scope="module")
def digests():
    return forest_digest.all_digests()


def test_enough_is_compared(digests):
    assert digests.forests == 50
    assert set(forest_digest.recorded()) == set(forest_digest.PORTABLE)
    assert digests.counts["forests"] > 300_000


@pytest.mark.parametrize("kind", forest_digest.PORTABLE)
def test_bits_are_those_of_every_processor(digests, kind):
    assert digests.texts()[kind] == forest_digest.recorded()[kind]
