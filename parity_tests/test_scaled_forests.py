"""``scale=True`` is R's ``scale()`` before ``CDF()``: the same means, deviations and forests."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from .cases import Case
from .check import assert_same, fit
from .compare import bits
from .tally import TALLY
from .test_real_data import DATA_SETS, NTREES, split


def scaled_in_r(r, case: Case) -> Case:
    """The case with its columns scaled by R: the test rows by the numbers of the training rows."""
    r["train"], r["test"] = r.matrix(case.xtrain), r.matrix(case.xtest)
    r.run("scaled <- scale(as.matrix(train))")
    r.run('center <- attr(scaled, "scaled:center"); spread <- attr(scaled, "scaled:scale")')
    r.run("new <- scale(as.matrix(test), center, spread)")
    return replace(
        case,
        xtrain=like(case.xtrain, r.value("as.vector(scaled)")),
        xtest=like(case.xtest, r.value("as.vector(new)")),
    )


def like(table, values: np.ndarray):
    """Numbers of R, column after column, as a table of the same kind."""
    cells = values.reshape(np.shape(table), order="F")
    return pd.DataFrame(cells, columns=table.columns) if hasattr(table, "columns") else cells


def compare_scaled(r, kind: str, case: Case) -> None:
    theirs = r.cdf(scaled_in_r(r, case))
    ours = fit(case, scale=True)
    kept, scaling = ours.model_.kept, ours.model_.scaling
    for name, found in (("center", scaling.means), ("spread", scaling.spreads)):
        known = r.value(f"as.vector({name})")[kept]
        assert TALLY.compare("means and deviations of scale()", bits(found) == bits(known))
    assert_same(kind, case, ours, theirs)


@pytest.mark.parametrize("name", DATA_SETS)
def test_data_set(r, name):
    case, _ = split(r, *DATA_SETS[name](), 1, ntrees=NTREES)
    compare_scaled(r, "real data, scaled", case)


def generated(seed: int) -> Case:
    """Columns of scales from 1e-150 to 1e150, some constant, with missing cells."""
    draw = np.random.default_rng(seed)
    n, p = int(draw.integers(8, 60)), int(draw.integers(12, 40))
    X = draw.normal(size=(2 * n, p)) + draw.normal(size=p) * 10.0 ** draw.integers(0, 12, p)
    X *= 10.0 ** draw.integers(-150, 150, p)
    X[:, 0] = 0.1
    X[draw.random(X.shape) < 0.05 * draw.integers(0, 3)] = np.nan
    y = draw.integers(0, 3, n)
    y[:3] = range(3)
    labels = [f"c{code}" for code in y]
    return Case(f"scaled {seed}", X[:n], labels, X[n:], {"seed": seed, "ntrees": 5})


@pytest.mark.parametrize("first", range(0, 200, 25))
def test_generated_columns(r, first):
    for seed in range(first, first + 25):
        compare_scaled(r, "generated forests, scaled", generated(seed))


def test_whole_numbers(r):
    """The result of scale() is no integer matrix."""
    draw = np.random.default_rng(3)
    X = draw.integers(-1000, 1000, (60, 12))
    labels = [f"c{code}" for code in np.arange(40) % 2]
    case = Case("scaled integers", X[:40], labels, X[40:], {"seed": 5, "ntrees": 20})
    compare_scaled(r, "generated forests, scaled", case)
