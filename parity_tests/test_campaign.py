"""The campaign: generated calls in R and in pycdf, and a count of the difficult branches taken.

PYCDF_CASES sets how many (default 3,000, at least 1,000), PYCDF_FIRST_CASE with which number they
begin (default 0), and PYCDF_CASE runs one alone.
"""

import os
from dataclasses import replace

import numpy as np
import pytest

from pycdf import RStream

from .bridge import fits_r_integer
from .cases import generated_case
from .check import assert_same, decided_by_order, fit
from .compare import bits
from .tally import HARD_BRANCHES, TALLY

ONE = os.environ.get("PYCDF_CASE")
FIRST = int(os.environ.get("PYCDF_FIRST_CASE", "0"))
COUNT = int(os.environ.get("PYCDF_CASES", "3000"))
NUMBERS = [int(ONE)] if ONE else range(FIRST, FIRST + COUNT)
IN_C_ORDER = [int(ONE)] if ONE else range(FIRST, FIRST + COUNT // 10)
KIND = "generated forests"


def check(r, number, collation, kind):
    """Compare one case, and where it leaves the stream; return the case and R's answer."""
    case = generated_case(number)
    name = f"test_case_in_{collation.lower()}_order"
    replay = f"\n  replay: PYCDF_CASE={number} nox -s parity -- -k {name}"
    theirs = r.cdf(case)
    after = r.uniform(1)
    stream = RStream(case.settings["seed"])
    # Half of the cases seed the call itself, half pass a stream, of which R has only one.
    seed = stream if number % 2 else case.settings["seed"]
    ours = fit(case, seed=seed, collation=collation)
    same_stream = not number % 2 or TALLY.compare(
        "streams after a generated call", bits(stream.uniform(1)) == bits(after)
    )
    assert_same(kind, case, ours, theirs, replay)
    assert same_stream, f"{case.name}: the stream stands elsewhere{replay}"
    return case, theirs


@pytest.mark.parametrize("number", NUMBERS)
def test_case_in_icu_order(r, number):
    case, theirs = check(r, number, "icu", KIND)
    TALLY.traits.update(case.traits)
    TALLY.met.update(theirs.met)
    ties, decided = decided_by_order(theirs, sorted(theirs.classes))
    TALLY.met.update(leaf_ties=ties, collation_ties=decided)
    if isinstance(case.xtrain, np.ndarray) and fits_r_integer(case.xtrain):
        as_double = r.cdf(replace(case, xtrain=case.xtrain.astype(float)))
        TALLY.met["integer_rule"] += not same_selection(theirs, as_double)


def same_selection(one, other):
    return np.array_equal(one.forest.columns, other.forest.columns)


@pytest.mark.parametrize("number", IN_C_ORDER)
def test_case_in_c_order(r, number):
    icu_order = r.sorted([str(label) for label in set(generated_case(number).ytrain)])
    with r.code_point_order():
        _, theirs = check(r, number, "C", "generated forests in C order")
    TALLY.met["c_order_ties"] += decided_by_order(theirs, icu_order)[1]


@pytest.mark.last
@pytest.mark.skipif(ONE is not None, reason="one case alone does not meet everything")
def test_the_campaign_met_every_hard_branch():
    ran = TALLY.compared[KIND]
    assert ran == len(NUMBERS) >= 1000, f"{ran} cases ran"
    missing = [text for name, text in HARD_BRANCHES.items() if not TALLY.met[name]]
    assert not missing, f"the campaign never met: {'; '.join(missing)}"
    assert TALLY.met["c_order_ties"] > 0, "no leaf tie was decided by code points against ICU"
