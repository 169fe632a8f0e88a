"""The experiment's splits and CDF's answers on them: R makes its own split and runs CDF itself.

PYCDF_DATA names a folder with the paper's data sets; DARWIN (D5) runs without it.
"""

from pathlib import Path

import numpy as np
import pytest

from pycdf import load_darwin
from pycdf.experiment.methods import find, run_split
from pycdf.experiment.splits import split, split_seed

from .tally import TALLY
from .test_real_data import FOLDER, read

PAPER = {
    "D5": "darwin", "D7": "breastcancer", "D8": "colon", "D9": "srbct", "D12": "dbworld_bodies",
    "D15": "prostate", "D16": "cns", "D17": "leukemia3",
}  # fmt: skip
AT_HAND = [
    name for name, file in PAPER.items()
    if name == "D5" or (FOLDER and (Path(FOLDER) / f"{file}.csv.gz").exists())
]  # fmt: skip
SEED = 1

R_SPLIT = "set.seed({seed} + {i}); train <- sample({n}, floor(0.7 * {n}))"
R_CDF = """
test <- setdiff(seq_along(y), train)
fit <- CDF::CDF(x[train, ], y[train], x[test, ], ntrees = {ntrees}, seed = {seed} + {i})
"""


def paper_set(name: str):
    X, y = load_darwin() if name == "D5" else read(Path(FOLDER) / f"{PAPER[name]}.csv.gz")
    return X.to_numpy(dtype=np.float64), y.to_numpy(dtype=object)


@pytest.mark.parametrize("seed", [1, 2025, -40])
@pytest.mark.parametrize("n", [2, 3, 10, 62, 90, 174, 250, 1000, 70_001])
def test_splits(r, n, seed):
    for i in (1, 2, 17, 500):
        train, test = split(n, seed, i)
        r.run(R_SPLIT.format(seed=seed, i=i, n=n))
        same = np.array_equal(train + 1, r.value("as.integer(train)")) and np.array_equal(
            test + 1, r.value(f"setdiff(1:{n}, train)")
        )
        assert TALLY.compare("experiment: splits", same)


@pytest.mark.parametrize("name", AT_HAND)
def test_cdf_on_the_splits_of_the_experiment(r, name):
    """Predictions, and so accuracies, are R's: with the defaults, and with fewer trees."""
    X, y = paper_set(name)
    r["x"], r["y"] = r.matrix(X), r.labels(y)
    for i, ntrees in ((1, 500), (2, 40), (3, 40), (4, 40)):
        r.run(R_SPLIT.format(seed=SEED, i=i, n=len(y)))
        r.run(R_CDF.format(seed=SEED, i=i, ntrees=ntrees))
        train, test = split(len(y), SEED, i)
        method = find("cdf") if ntrees == 500 else find(f"cdf(ntrees={ntrees})")
        ours = run_split(method, X, y, train, test, split_seed(SEED, i), tuned=True)
        accuracy = float((ours["predictions"] == y[test]).mean())
        same = list(ours["predictions"]) == r.value("as.character(fit$predictions)")
        same = same and accuracy == r.value("mean(as.character(fit$predictions) == y[test])")[0]
        assert TALLY.compare("experiment: CDF's accuracies", same), f"{name}, split {i}"
