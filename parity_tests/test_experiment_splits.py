"""The experiment's splits and CDF's answers on them: R makes its own split and runs CDF itself.

PYCDF_DATA names a folder with the paper's data sets; DARWIN (D5) runs without it.
"""

from pathlib import Path

import numpy as np
import pytest

from pycdf import load_darwin
from pycdf.experiment.designs import Design
from pycdf.experiment.fitting import run_split
from pycdf.experiment.methods import find
from pycdf.experiment.splits import split, split_seed

from .tally import TALLY
from .test_real_data import FOLDER, read

PAPER = {
    "D1": "wind", "D2": "robotflp1", "D3": "robotflp4", "D4": "lsvt", "D5": "darwin",
    "D6": "datascape", "D7": "breastcancer", "D8": "colon", "D9": "srbct",
    "D10": "lymphoma_recon45", "D11": "gse2685", "D12": "dbworld_bodies", "D13": "dlbcl",
    "D15": "prostate", "D16": "cns", "D17": "leukemia3", "D18": "leukemia4", "D20": "gse967",
    "D23": "gse2191",
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


R_DESIGNS = {
    Design(stratify=True): """
train <- unlist(lapply(unique(y), function(k) {
  rows <- which(y == k)
  rows[sample(length(rows), max(1, floor(0.7 * length(rows))))]
}))
""",
    Design(groups="group"): """
g <- unique(group)
drawn <- g[sample(length(g), floor(0.7 * length(g)))]
train <- unlist(lapply(drawn, function(one) which(group == one)))
""",
    Design(folds=5): """
fold <- integer(length(y))
fold[sample(length(y))] <- rep_len(1:5, length(y))
train <- which(fold != (i - 1) %% 5 + 1)
""",
    Design(stratify=True, folds=5): """
fold <- integer(length(y))
dealt <- 0
for (k in unique(y)) {
  rows <- which(y == k)
  fold[rows[sample(length(rows))]] <- (dealt + seq_along(rows) - 1) %% 5 + 1
  dealt <- dealt + length(rows)
}
train <- which(fold != (i - 1) %% 5 + 1)
""",
}


@pytest.mark.parametrize("design", R_DESIGNS, ids=lambda one: one.words)
def test_other_designs(r, design):
    """On labels and groups that are not sorted."""
    y = np.array([*"badcabbcbbbdbabcabbbabcabacabab"] * 3)
    group = np.array([f"p{j * 7 % 23}" for j in range(len(y))])
    r["y"], r["group"] = r.labels(y), r.labels(group)
    for i in (1, 2, 6, 17, 500):
        r.run(f"i <- {i}; set.seed({SEED} + {(i - 1) // 5 + 1 if design.folds else i})")
        r.run(R_DESIGNS[design])
        train, test = design.split(y, group if design.groups else None, SEED, i)
        same = np.array_equal(train + 1, r.value("as.integer(train)")) and np.array_equal(
            test + 1, r.value("setdiff(seq_along(y), train)")
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
