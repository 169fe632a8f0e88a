"""Frames with columns of every type, and a campaign of random dirty frames, against R.

PYCDF_DIRTY_CASES sets how many dirty frames (default 600, at least 500), PYCDF_DIRTY runs one
alone. An older R, which reads or writes some texts differently, is compared by the rules of
r_changes.py.
"""

import os

import numpy as np
import pytest

from .dirty import dirty_case
from .frames import (
    SPELLINGS,
    Cells,
    Refusal,
    attempt,
    call,
    cells_today,
    column,
    difference,
    pandas_frame,
    polars_frame,
    prepare_r,
    r_column,
    r_frame,
)  # fmt: skip
from .r_changes import EMPTY_EXPONENT, MOMENT_LABELS
from .tally import TALLY

ONE = os.environ.get("PYCDF_DIRTY")
COUNT = int(os.environ.get("PYCDF_DIRTY_CASES", "600"))
NUMBERS = [int(ONE)] if ONE else range(COUNT)
KIND = "dirty frames"
BY_OLDER_RULE = ", by the rule of this older R"
SEEN = set()

RNG = np.random.default_rng(11)
Y = ["a", "b", "c"] * 12
BASE = RNG.normal(size=(42, 7)).cumsum(axis=1) + np.outer([*range(3)] * 14, np.ones(7))


@pytest.fixture(scope="module")
def dirty_r(r):
    prepare_r(r)
    return r


def typed(kind: str, gaps: bool) -> Cells:
    """42 cells of one kind."""
    latent = RNG.normal(size=42) * 4 + np.arange(42) % 3
    values = {
        "double": latent.tolist(),
        "integer": [int(v * 100) for v in latent],
        "logical": [v > 1 for v in latent.tolist()],
        "text": [f"{v:.15g}" if v > -2 else "word" for v in latent.tolist()],
        "factor": [f"{v:.0f}" if v > -2 else "word" for v in latent.tolist()],
        "date": [int(v * 3000) for v in latent],
        "moment": [int(v * 1e14) + 123457 for v in latent],
    }[kind]
    return Cells("typed", kind, [None if gaps and i % 5 == 4 else v for i, v in enumerate(values)])


def half(cells: Cells, part: slice) -> Cells:
    return Cells(cells.name, cells.kind, cells.values[part])


@pytest.mark.parametrize("gaps", [False, True], ids=["whole", "with gaps"])
@pytest.mark.parametrize(
    ("kind", "spelling"),
    [(kind, spelling) for kind, all_ in SPELLINGS.items() for spelling in [*all_, "polars"]],
)
def test_a_column_of_every_type(dirty_r, kind, spelling, gaps):
    cells = typed(kind, gaps)
    plain = [Cells(f"v{j}", "double", BASE[:, j].tolist()) for j in range(7)]
    frames, theirs = [], []
    for part, rows in ((slice(36), 36), (slice(36, 42), 6)):
        columns = [half(c, part) for c in [*plain, cells]]
        if spelling == "polars":
            frames.append(polars_frame(columns))
        else:
            made = [column(c, "float64") for c in columns[:-1]] + [column(columns[-1], spelling)]
            frame = made[0].to_frame("v0")
            for c, series in zip(columns[1:], made[1:], strict=True):
                frame[c.name] = series
            frames.append(frame)
        theirs.append(r_frame(dirty_r, columns, rows))
    settings = {"ntrees": 8, "seed": 3, "mtry": 6}
    ours = call(frames[0], Y, frames[1], **settings)
    given = {"xtrain": theirs[0], "ytrain": dirty_r.labels(Y), "xtest": theirs[1]}
    given |= {name: dirty_r._number(value) for name, value in settings.items()}
    answer = attempt(dirty_r, "traced_cdf", dirty_r._named_list(given))
    found = difference(ours, answer, Y)
    TALLY.count("columns of every type", found is None)
    assert found is None, found
    assert "typed" in ours.feature_importance.index


def test_a_column_of_exponents_without_digits(dirty_r):
    """R 4.4.1 and later read "9e" as NA, older versions as 9: the forests differ."""
    texts = Cells("v", "text", ["1", "2", "1", "2", "9e", "8e", "9e", "8e"])
    numbers = Cells("w", "double", [0.5, 1.0, 0.4, 1.1, 0.9, 0.1, 0.8, 0.3])
    columns, y = [texts, numbers], ["a", "b"] * 4
    settings = {"ntrees": 25, "seed": 1, "mtry": 2, "mnode": 1}
    theirs = r_frame(dirty_r, columns, 8)
    given = {"xtrain": theirs, "ytrain": dirty_r.labels(y), "xtest": theirs}
    given |= {name: dirty_r._number(value) for name, value in settings.items()}
    answer = attempt(dirty_r, "traced_cdf", dirty_r._named_list(given))
    fits = {}
    for version in {dirty_r.r_version, (4, 4, 0), EMPTY_EXPONENT.since}:
        frame = pandas_frame(cells_today(version, columns), ["object", "float64"], 8)
        fits[version] = call(frame, y, frame, **settings)
    found = difference(fits[dirty_r.r_version], answer, y)
    older = dirty_r.r_version < EMPTY_EXPONENT.since
    TALLY.count("frames with exponents without digits" + BY_OLDER_RULE * older, found is None)
    assert found is None, found
    assert list(fits[(4, 4, 0)].predictions) != list(fits[EMPTY_EXPONENT.since].predictions)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("spelling", [s for s in SPELLINGS["moment"] if s != "zoned"])
def test_labels_that_are_moments(dirty_r, spelling, seed):
    """Midnights, and times that differ in the fraction of a second; some are missing."""
    rng = np.random.default_rng(seed)
    day, second = 86400 * 10**6, 10**6
    pools = [
        [0, day, -3 * day],  # R before 4.3.0 writes all of them, or none, without the time
        [0, day, 60 * second],
        [60 * second + 250_000, 60 * second + 750_000, 61 * second],  # two classes before 4.3.0
        [-250_000, -1, 1, 1_700_000_000_123_456],
        rng.integers(-9 * 10**15, 9 * 10**15, 3).tolist(),
    ]
    pool = pools[seed % len(pools)]
    values = [None if rng.random() < 0.05 else int(rng.choice(pool)) for _ in Y]
    labels = Cells("y", "moment", values)
    y = column(labels, spelling)
    kind = "labels that are moments"
    if dirty_r.r_version < MOMENT_LABELS.since:
        y = MOMENT_LABELS.today([None if v is None else v / 10**6 for v in values])
        kind += BY_OLDER_RULE
    settings = {"ntrees": 6, "seed": seed + 1, "mtry": 4}
    ours = call(BASE[:36], y, BASE[36:], **settings)
    given = {"xtrain": dirty_r.matrix(BASE[:36]), "ytrain": r_column(dirty_r, labels)}
    given |= {"xtest": dirty_r.matrix(BASE[36:])}
    given |= {name: dirty_r._number(value) for name, value in settings.items()}
    found = difference(ours, attempt(dirty_r, "traced_cdf", dirty_r._named_list(given)), y)
    TALLY.count(kind, found is None)
    assert found is None, found


@pytest.mark.parametrize("number", NUMBERS)
def test_dirty_frame(dirty_r, number):
    case = dirty_case(number, dirty_r.r_version)
    arguments = case.arguments(dirty_r)
    theirs = attempt(dirty_r, "traced_cdf", arguments)
    outcome = "answered by both"
    if isinstance(theirs, Refusal):
        outcome = "refused by both"
        if theirs.by_accident:
            outcome = "R falls over: against R mended"
            theirs = attempt(dirty_r, "mended_cdf", arguments)
    ours = call(case.xtrain, case.ytrain, case.xtest, **case.settings)
    found = difference(ours, theirs, case.ytrain)
    TALLY.count(f"{KIND}, {outcome}{BY_OLDER_RULE * case.by_older_rule}", found is None)
    SEEN.update(case.kinds, [outcome])
    assert found is None, f"{found}\n  replay: PYCDF_DIRTY={number} nox -s parity -- -k dirty"


@pytest.mark.last
@pytest.mark.skipif(ONE is not None, reason="one case alone does not meet everything")
def test_the_dirty_frames_met_everything():
    ran = sum(n for kind, n in TALLY.compared.items() if kind.startswith(KIND))
    assert ran == len(NUMBERS) >= 500, f"{ran} dirty frames ran"
    wanted = {f"{kind} column" for kind in SPELLINGS}
    wanted |= {
        f"{kind} labels" for kind in ("text", "factor", "integer", "double", "logical", "date")
    }
    wanted |= {"pandas frame", "polars frame", "array of double", "array of text"}
    wanted |= {"answered by both", "refused by both", "R falls over: against R mended"}
    assert not wanted - SEEN, f"never met: {wanted - SEEN}"
