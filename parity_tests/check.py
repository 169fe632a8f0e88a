"""Run one case in R and in pycdf, compare the answers, count the outcome."""

import warnings
from typing import Any

import numpy as np

from pycdf import CDF, InputWarning

from .bridge import RSession
from .cases import Case, in_words
from .compare import Answer, first_difference
from .tally import TALLY


def fit(case: Case, **other: Any) -> Any:
    """pycdf's answer, without warnings: many cases have inputs that it warns about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return CDF(case.xtrain, case.ytrain, case.xtest, **(case.settings | other))


def assert_same(kind: str, case: Case, ours: Any, theirs: Answer, replay: str = "") -> None:
    """Fail with the first difference; count either way."""
    difference = first_difference(ours, theirs)
    TALLY.count(kind, difference is None)
    assert difference is None, f"{in_words(case)}\n  {difference}{replay}"


def compare(kind: str, r: RSession, case: Case, **other: Any) -> Answer:
    """R's answer, after checking that pycdf's is equal to it."""
    theirs = r.cdf(case)
    assert_same(kind, case, fit(case, **other), theirs)
    return theirs


def decided_by_order(answer: Answer, other_order: list[str]) -> tuple[int, int]:
    """The number of tied leaves, and of those that the other order would decide differently."""
    place = np.array([other_order.index(label) for label in answer.classes])
    leaves = answer.forest.leaf >= 0
    counts, chosen = answer.forest.counts[leaves], answer.forest.leaf[leaves]
    tied = counts == counts.max(axis=1, keepdims=True)
    first = np.where(tied, place, len(place)).argmin(axis=1)
    return int((tied.sum(axis=1) > 1).sum()), int((first != chosen).sum())
