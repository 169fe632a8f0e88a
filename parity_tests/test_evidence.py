"""The evidence for a split: R's own scores and tests on the rows that R itself would draw.

Trees of one split are grown here; R then draws the same rows, tree by tree, scores the selected
features on them, and tests these on the distinct ones.
"""

import numpy as np
import pytest

from pycdf import CDFClassifier, load_darwin
from pycdf.explain.evidence import split_evidence
from pycdf.explain.rank_tests import RankTest

from .compare import bits
from .tally import TALLY
from .test_ranktests import TESTS, ask, compare

NTREES = 12


def data(kind):
    if kind == "DARWIN":
        X, y = load_darwin()
        return X.to_numpy(), y.to_numpy()
    rng = np.random.default_rng(len(kind))
    y = rng.permutation(np.arange(80) % int(kind.split()[0]))
    X = rng.normal(size=(80, 30)) + 0.3 * y[:, np.newaxis]
    if "missing" in kind:
        X[rng.random(X.shape) < 0.2] = np.nan
    if "whole" in kind:
        X = np.round(X * 1000).astype(np.int32)
    if "rounded" in kind:
        X = X.round(1)
    return X, np.array([f"class {code}" for code in y])


@pytest.mark.parametrize(
    "kind",
    ["DARWIN", "2 classes", "2 rounded", "3 missing", "5 classes", "4 whole", "8 rounded missing"],
)
def test_roots(r, kind):
    r.run(TESTS)
    X, y = data(kind)
    n, p = X.shape
    fit = CDFClassifier(ntrees=NTREES, depth=1, seed=31).fit(X, y)
    table = split_evidence(fit, X, y)
    r.set_seed(31)
    for tree in range(NTREES):
        rows = r.sample(n, n, True) - 1
        candidates = r.sample(p, fit.model_.parameters["mtry"], False) - 1
        root = table[table["tree"] == tree]
        chosen = root["feature"].to_numpy().astype(int)
        assert set(chosen) <= set(candidates)  # no ties so far: R's stream is where ours was
        assert (root["candidates"] == len(candidates)).all()

        scores = r.scores(X[rows][:, chosen], y[rows].tolist())
        same = bits(root["score"].to_numpy()) == bits(scores)
        assert TALLY.compare("scores of selected features", same)

        distinct = np.unique(rows)
        order = list(dict.fromkeys(y[rows]))
        groups = np.array([order.index(label) for label in y[distinct]])
        values = X[distinct][:, chosen].astype(float)
        ours = RankTest(
            root["statistic"].to_numpy(),
            root["p_value"].to_numpy(),
            root["test"].str.contains("exact").to_numpy(dtype=bool),
        )
        compare(ask(r, values, groups), ours, values, groups, f"{kind}, tree {tree}")
        assert (root["distinct_rows"] == len(distinct)).all()
