"""When the number of times that features were selected is chance, and what is said about it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from random_rows import random_rows

from pycdf import CDF, CDFClassifier
from pycdf.explain import selection_note
from pycdf.forest.selection_notes import _dispersion
from pycdf.forest.summary import summary
from pycdf.forest.training import same_labels


def informative(n=120, p=60, good=6, seed=1):
    """Rows of two classes that differ in the first ``good`` columns."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, p))
    X[:, :good] += 1.5 * y[:, np.newaxis]
    return X, y


def fit(X, y, **parameters):
    return CDFClassifier(**{"ntrees": 60, "seed": 2, **parameters}).fit(X, y)


def note(*rows, command_line=False, **parameters):
    return selection_note(fit(*rows, **parameters), command_line=command_line)


@pytest.mark.parametrize("p", [2, 10, 30, 37])
def test_up_to_37_columns_defaults_leave_nothing_to_choose(p):
    """R's k and mtry: the shares of two seeds have nothing in common, and the note says so."""
    X, y = informative(p=p, good=2)
    model = fit(X, y)
    used = model.model_.parameters
    assert used["k"] >= used["mtry"]
    text = selection_note(model)
    assert text.startswith("How often a feature was selected is pure chance here: a node draws ")
    assert f"(k={used['k']}, mtry={used['mtry']})" in text
    assert "Contribution and permutation importance show what decides." in text
    if p == 30:
        other = fit(X, y, seed=5).feature_importances_
        assert abs(np.corrcoef(model.feature_importances_, other)[0, 1]) < 0.5


@pytest.mark.parametrize(
    ("parameters", "python", "options"),
    [
        ({"mtry": 6}, "(k=3)", "(--k 3)"),
        ({"mtry": 1}, "(k=3, mtry=9)", "(--k 3 --mtry 9)"),
        ({"mtry": 1, "k": 1}, "(k=1, mtry=3)", "(--k 1 --mtry 3)"),
    ],
)
def test_the_remedy_lets_nodes_choose(parameters, python, options):
    X, y = informative(p=9, good=3)
    asked = {"k": 9, **parameters}
    assert note(X, y, **asked).endswith(f"a smaller k or a larger mtry {python}.")
    assert note(X, y, **asked, command_line=True).endswith(f"{options}.")
    advice = dict(part.split("=") for part in python.strip("()").split(", "))
    taken = {**asked, **{name: int(value) for name, value in advice.items()}}
    assert note(X, y, ntrees=500, **taken) is None


def test_little_choice_is_mostly_chance():
    X, y = informative(p=40)
    text = note(X, y, k=19, mtry=20, ntrees=30)
    assert text.startswith("How often a feature was selected is mostly chance here: ")
    assert "A node selects 19 of the 20 features that it draws, so it has little choice." in text
    assert text.endswith("(k=10).")
    assert note(X, y, k=10, mtry=20, ntrees=30) is None


def test_few_trees_are_mostly_chance():
    X, y = informative(p=400, good=2)
    text = note(X, y, ntrees=2)
    assert "There are only 0.39 selections per feature." in text
    assert text.endswith("More trees make the counts more reliable.")
    assert note(X, y, ntrees=200) is None


def test_the_share_that_is_chance():
    """Features drawn at random have the variance of the draws: a dispersion of 1."""
    rng = np.random.default_rng(1)
    drawn = [rng.permuted(np.tile(np.arange(40), (300, 1)), axis=1)[:, :8] for _ in range(60)]
    found = [_dispersion(np.bincount(one.ravel(), minlength=40), 300) for one in drawn]
    assert np.mean(found) == pytest.approx(1.0, abs=0.06)


def test_splits_that_cannot_score():
    """With one row of most classes, no two have a standard deviation."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5, 300))
    X[:, :20] += 2 * np.arange(5)[:, np.newaxis]
    few_rows = CDF(X, np.arange(5), X, ntrees=300, depth=4, mnode=2, seed=2)
    text = selection_note(few_rows)
    assert "of the splits no feature could be scored" in text
    assert "A larger mnode or a smaller depth avoids such splits." in text
    # The paper's standard deviation of a single row is 0.
    model = few_rows.model_
    assert selection_note(replace(model, options={**model.options, "ddof": 0})) is None


def test_a_forest_of_leaves():
    X, y = random_rows(20, 50, 2)
    assert note(X, y, depth=0).startswith("No tree is split, so no feature was selected")
    assert note(X, y, mnode=21).endswith("a larger depth or a smaller mnode.")


def test_a_single_column():
    X, y = informative(p=1, good=1)
    assert note(X, y) is None


def test_the_dispersion_of_a_few_counts():
    """6 of 12 selections in 4 splits: each feature has the chance 1/2, and so the variance 1."""
    assert _dispersion(np.array([1, 2, 3]), 4) == 1.0
    assert _dispersion(np.array([2, 2, 2]), 4) == 0.0


def test_a_summary_says_whether_columns_have_names():
    X, y = informative(p=3, good=1)
    names = CDFClassifier(ntrees=2, seed=1).fit(pd.DataFrame(X, columns=[*"abc"]), y)
    facts = summary(names.model_)
    assert facts["named_columns"] is True
    assert set(facts["selected_most"]) == {*"abc"}
    facts = summary(fit(X, y).model_)
    assert facts["named_columns"] is False
    assert facts["in_bag_counts"] is True
    assert (facts["columns"], facts["columns_kept"], facts["training_rows"]) == (3, 3, 120)
    assert facts["splits"] + facts["leaves"] == facts["nodes"]


def test_labels_are_compared_where_the_rows_of_trees_are_known():
    X, y = informative(p=3, good=1)
    forest = fit(X, y, ntrees=3).model_.forest
    codes = y.astype(np.int32)
    assert same_labels(forest, codes)
    assert not same_labels(forest, codes[::-1])
    unknown = forest._replace(inbag=np.zeros((3, 0), dtype=np.uint8))
    assert same_labels(unknown, codes[::-1])
