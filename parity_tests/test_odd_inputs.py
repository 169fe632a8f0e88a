"""The odd inputs, one by one against live R: the same answer, or a refusal on both sides.

Where R falls over one of its own matrices, pycdf answers, and the answer is that of an R in which
these matrices are kept matrices. An older R, which reads some texts otherwise, is compared by the
rules of r_changes.py. Where pycdf differs on purpose, docs/differences.md says so, and
the test shows what R does.
"""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from .frames import Refusal, attempt, call, difference, prepare_r
from .odd_inputs import NA, NAMES, ODD, Odd, X, Y, Z, frame
from .r_changes import number_text_today
from .tally import TALLY


@pytest.fixture(scope="module")
def odd_r(r):
    prepare_r(r)
    r["X"], r["y"], r["Z"] = r.matrix(X), r.labels(Y), r.matrix(Z)
    text = X.astype(str).astype(object)
    text[3, 2] = "word"
    r["ourtext"] = r.call("as_matrix", r._text(text.ravel(order="F")), r._number(40))
    r.run(
        "odd_arguments <- function(...) {"
        "a <- list(xtrain = X, ytrain = y, xtest = Z, ntrees = 6, seed = 1); b <- list(...);"
        "for (n in names(b)) a[n] <- list(b[[n]]); a }"
    )
    return r


def today(version, odd: Odd) -> dict[str, Any]:
    """pycdf's arguments: texts for numbers as today's R has to get them to read what R reads."""

    def translated(value: Any) -> Any:
        if isinstance(value, str):
            return number_text_today(version, value)
        return list(map(translated, value)) if isinstance(value, list) else value

    return {
        name: value if name == "ytrain" else translated(value) for name, value in odd.ours.items()
    }


def reads_otherwise(version, odd: Odd) -> bool:
    """Whether R of this version reads a text of the input otherwise than today's."""
    ours = today(version, odd)
    return any(
        ours[name] != value for name, value in odd.ours.items() if isinstance(value, str | list)
    )


def both(r, odd: Odd, function: str = "traced_cdf"):
    given = {"xtrain": X, "ytrain": Y, "xtest": Z, "ntrees": 6, "seed": 1}
    given |= today(r.r_version, odd)
    ours = call(**given)
    theirs = attempt(r, function, r.run(f"odd_arguments({odd.r})"))
    return ours, theirs, given["ytrain"]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.name)
def test_odd_input(odd_r, odd):
    ours, theirs, y = both(odd_r, odd)
    if isinstance(theirs, Refusal) and theirs.by_accident:
        kind = "odd inputs where R falls over, against R mended"
        ours, theirs, y = both(odd_r, odd, "mended_cdf")
        found = str(ours) if isinstance(ours, Exception) else difference(ours, theirs, y)
    else:
        refused = isinstance(ours, Exception)
        kind = "odd inputs, refused by both" if refused else "odd inputs, answered by both"
        found = difference(ours, theirs, y)
    if reads_otherwise(odd_r.r_version, odd):
        kind += ", by the rule of this older R"
    TALLY.count(kind, found is None)
    assert found is None, f"{odd.name}: {found}"


@pytest.mark.parametrize("odd", ODD[::7], ids=lambda odd: odd.name)
def test_the_mended_r_is_r_where_r_answers(odd_r, odd):
    plain, mended = (
        attempt(odd_r, f, odd_r.run(f"odd_arguments({odd.r})"))
        for f in ("traced_cdf", "mended_cdf")
    )
    if isinstance(plain, Refusal):
        assert plain.by_accident or isinstance(mended, Refusal)
    else:
        assert plain.predictions == mended.predictions
        assert np.array_equal(plain.forest.centroids, mended.forest.centroids, equal_nan=True)


# ---- differences on purpose: docs/differences.md names these tests -------------------------------


def differs(odd_r, odd: Odd):
    ours, theirs, _ = both(odd_r, odd)
    return ours, theirs


def as_named(*facts: bool) -> None:
    """Count a difference that is just as docs/differences.md says; fail if it is not."""
    TALLY.count("named differences, as docs/differences.md says", all(facts))
    assert all(facts), facts


def test_no_test_row(odd_r):
    ours, theirs = differs(odd_r, Odd("", "xtest = Z[0, ]", {"xtest": Z[:0]}))
    as_named(theirs.by_accident, ours.predictions.shape == (0,), ours.probabilities.shape == (0, 2))


def test_no_column_in_a_test_frame(odd_r):
    ours, theirs = differs(
        odd_r,
        Odd("", "xtest = data.frame(row.names = 1:6)", {"xtest": pd.DataFrame(index=range(6))}),
    )
    as_matrix = attempt(odd_r, "traced_cdf", odd_r.run("odd_arguments(xtest = Z[, 0])"))
    as_named(isinstance(theirs, Refusal), list(ours.predictions) == as_matrix.predictions)


def test_none_is_the_default_of_k_and_mtry(odd_r):
    ours, theirs = differs(odd_r, Odd("", "k = NULL, mtry = NULL", {"k": None, "mtry": None}))
    as_named(
        (theirs.settings["k"], theirs.settings["mtry"]) == (12, 12),
        (ours.parameters["k"], ours.parameters["mtry"]) == (5, 2),
    )


def test_a_numeric_nan_is_no_label(odd_r):
    ours, theirs = differs(
        odd_r, Odd("", "ytrain = rep(c(1, NaN, 2, 1), 10)", {"ytrain": [1.0, NA, 2.0, 1.0] * 10})
    )
    as_named(
        theirs.classes == ["1", "NaN", "2"],
        ours.classes.tolist() == [1.0, 2.0],
        ours.notes[0].kind == "dropped_rows",
    )


def test_a_missing_name_matches_a_missing_name(odd_r):
    code = "xtrain = setNames(as.data.frame(X), c(NA, letters[1:11])), "
    code += "xtest = setNames(as.data.frame(Z), c(NA, letters[1:11]))"
    missing = [None, *"abcdefghijk"]
    ours, theirs = differs(
        odd_r, Odd("", code, {"xtrain": frame(X, missing), "xtest": frame(Z, missing)})
    )
    given = call(frame(X, NAMES), Y, frame(Z, NAMES), ntrees=6, seed=1)
    as_named(np.array_equal(ours.votes, given.votes), not np.array_equal(theirs.votes, given.votes))


@pytest.mark.parametrize(("r_code", "ours"), [('xtest = "abc"', "abc"), ("xtest = 3", 3)])
def test_a_single_value_is_no_table(odd_r, r_code, ours):
    mine, theirs = differs(odd_r, Odd("", r_code, {"xtest": ours}))
    as_named(isinstance(mine, TypeError), theirs.by_accident)


@pytest.mark.parametrize(
    ("r_code", "ours"),
    [
        ("xtrain = X + 1i", {"xtrain": X + 1j}),
        ("xtest = array(Z, c(6, 6, 2))", {"xtest": Z.reshape(6, 6, 2)}),
        ("ytrain = matrix(y, 20)", {"ytrain": np.array(Y).reshape(20, 2)}),
        ("ntrees = 4 + 1i", {"ntrees": 4 + 1j}),
        ("seed = 1 + 0i", {"seed": 1 + 0j}),
    ],
    ids=[
        "complex cells",
        "xtest of three dimensions",
        "labels in a table",
        "complex",
        "complex seed",
    ],
)
def test_refused_here_and_not_in_r(odd_r, r_code, ours):
    mine, theirs = differs(odd_r, Odd("", r_code, ours))
    as_named(isinstance(mine, TypeError | ValueError), not isinstance(theirs, Refusal))
