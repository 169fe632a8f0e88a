"""Real data: the same splits in R and in pycdf give the same forest and the same accuracy.

PYCDF_DATA names a folder of data sets (``<name>.csv.gz``: features, then the label ``Y``). Without
it DARWIN runs, which ships with the package.
"""

import csv
import gzip
import os
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pycdf import RStream, load_darwin

from .cases import Case
from .check import assert_same, fit
from .compare import bits
from .tally import TALLY

FOLDER = os.environ.get("PYCDF_DATA")
FILES = sorted(Path(FOLDER).glob("*.csv.gz")) if FOLDER else []
SPLITS = (1, 2)
NTREES = 20


@cache
def read(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """The doubles that were written: Python's float is exact, pandas' default parser is not."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    values = np.array([[number(cell) for cell in row[:-1]] for row in rows])
    return pd.DataFrame(values, columns=header[:-1]), pd.Series([row[-1] for row in rows])


def number(cell: str) -> float:
    """Text that is not a number is missing, as when R reads a text column as numbers."""
    try:
        return float(cell)
    except ValueError:
        return np.nan


DATA_SETS = {path.name.removesuffix(".csv.gz"): partial(read, path) for path in FILES}
DATA_SETS["darwin"] = load_darwin


def split(r, X, y, seed: int, **settings: float) -> tuple[Case, np.ndarray]:
    """R draws the training rows: set.seed(seed); sample(n, 0.7 n). With the test rows' labels."""
    n = len(X)
    r.set_seed(seed)
    train = r.sample(n, int(0.7 * n), False) - 1
    assert (RStream(seed).sample(n, int(0.7 * n)) == train).all()
    test = np.setdiff1d(np.arange(n), train)
    case = Case(
        f"split {seed}", X.iloc[train], y.iloc[train], X.iloc[test], {"seed": seed} | settings
    )
    return case, y.iloc[test].to_numpy()


def compare_split(r, kind: str, case: Case, truth: np.ndarray) -> None:
    theirs, ours = r.cdf(case), fit(case)
    accuracy = (np.array(theirs.predictions) == truth).mean()
    same_accuracy = TALLY.compare("accuracies", (ours.predictions == truth).mean() == accuracy)
    assert_same(kind, case, ours, theirs)
    assert same_accuracy


def test_the_folder_of_data_sets_is_there():
    """An empty folder must not count as compared."""
    assert not FOLDER or FILES, f"PYCDF_DATA={FOLDER} has no *.csv.gz"


def test_darwin_with_the_defaults(r):
    X, y = load_darwin()
    compare_split(r, "DARWIN, 500 trees", *split(r, X, y, 2025))


def test_darwin_is_rs(r):
    """The shipped data are those of the R package, to the bit."""
    X, y = load_darwin()
    r.run('utils::data("DARWIN", package = "CDF")')
    names = r.value("names(DARWIN)")
    assert [*X.columns, "Y"] == names
    assert list(y) == r.value("as.character(DARWIN$Y)")
    theirs = r.value("as.matrix(as.data.frame(lapply(DARWIN[, -451], as.double)))")
    assert TALLY.compare("cells of DARWIN", bits(X.to_numpy()) == bits(theirs))


@pytest.mark.parametrize("seed", SPLITS)
@pytest.mark.parametrize("name", DATA_SETS)
def test_data_set(r, name, seed):
    X, y = DATA_SETS[name]()
    TALLY.data_sets.add(name)
    compare_split(r, "real data", *split(r, X, y, seed, ntrees=NTREES))


def test_whole_numbers_as_integer_matrices(r):
    """Data sets with at least ten columns of several whole numbers: these as R's integer matrix."""
    compared = []
    for name, data_set in DATA_SETS.items():
        X, y = data_set()
        whole = (X.notna() & (X.round() == X) & (X.abs() < 2**31)).all() & (X.nunique() > 2)
        if whole.sum() < 10:
            continue
        case, truth = split(r, X.loc[:, whole], y, 3, ntrees=NTREES, depth=4)
        case = replace(
            case,
            xtrain=case.xtrain.to_numpy().astype(np.int64),
            xtest=case.xtest.to_numpy().astype(np.int64),
        )
        compare_split(r, "real data, integer matrix", case, truth)
        compared.append(name)
    assert "darwin" in compared
