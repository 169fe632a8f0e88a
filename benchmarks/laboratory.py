"""Measure what each option of the laboratory changes, and tuning, on a folder of data sets.

    python -m benchmarks.laboratory FOLDER OUTPUT.csv [SPLITS] [TUNED_SPLITS]

For each table the same random splits (70 % of the rows for training, drawn by R's stream with seed
1) are fitted with R's defaults and with one option changed, with the same seed. On the first
TUNED_SPLITS of them, a forest is also tuned on the training rows alone (100 forests by out-of-bag
accuracy). The output has a line for each table, option and measure: the mean with R's defaults,
the mean difference that the option makes, its corrected standard error (Nadeau and Bengio 2003),
and in how many splits it wins and loses. It is written after every table, so that it can be
stopped; tables that it has already are not measured again.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, balanced_accuracy_score, cohen_kappa_score

from pycdf import CDFClassifier, RStream, tune
from pycdf.experiment.data import read_sets
from pycdf.validation import corrected_error

MEASURES = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "kappa": cohen_kappa_score,
}
OPTIONS = {
    "standardized": {"distance": "standardized"},
    "manhattan": {"distance": "manhattan"},
    "cosine": {"distance": "cosine"},
    "welch": {"feature_score": "welch"},
    "f": {"feature_score": "f"},
    "auc": {"feature_score": "auc"},
    "redundancy": {"redundancy": 0.5},
    "soft": {"vote": "soft"},
    "mtry_doubled": {"mtry": 0.4},
}
TEST_SHARE = 0.3


def draw_splits(y, splits):
    """Training and test rows of random splits in which both have something to learn or test."""
    stream, n = RStream(1), len(y)
    while splits:
        train = stream.sample(n, round((1 - TEST_SHARE) * n))
        test = np.setdiff1d(np.arange(n), train)
        test = test[np.isin(y[test], y[train])]  # no method can predict a class it has not seen
        if len(np.unique(y[train])) > 1 and len(test):
            splits -= 1
            yield train, test


def measured(y, predicted):
    """The measures of some predictions."""
    return [score(y, predicted) for score in MEASURES.values()]


def measure(X, y, splits, tuned_splits):
    """Measures by option: splits x measures; NaN where a split was not tuned."""
    found = {name: np.full((splits, len(MEASURES)), np.nan)
             for name in ("default", *OPTIONS, "tuned")}  # fmt: skip
    for split, (train, test) in enumerate(draw_splits(y, splits)):
        for name, options in {"default": {}, **OPTIONS}.items():
            model = CDFClassifier(seed=split, **options).fit(X[train], y[train])
            found[name][split] = measured(y[test], model.predict(X[test]))
        if split < tuned_splits:
            best = tune(X[train], y[train], budget=100, nested=0, seed=split, n_jobs=1).estimator
            found["tuned"][split] = measured(y[test], best.predict(X[test]))
    return found


def lines_of(name, found):
    """A line for each option and measure of a table."""
    for option in (*OPTIONS, "tuned"):
        for position, what in enumerate(MEASURES):
            # Kappa is undefined where all test rows and predictions are of one class.
            change = (found[option] - found["default"])[:, position]
            change = change[~np.isnan(change)]
            if len(change) > 1:
                yield {
                    "data": name, "option": option, "measure": what, "splits": len(change),
                    "default": round(float(np.nanmean(found["default"][:, position])), 4),
                    "change": round(float(change.mean()), 4),
                    "se": round(corrected_error(change.std(ddof=1), len(change), TEST_SHARE), 4),
                    "wins": int((change > 0).sum()), "losses": int((change < 0).sum()),
                }  # fmt: skip


def main(folder, output, splits=50, tuned_splits=10):
    """Measure every table of a folder, the small ones first."""
    reading = read_sets(sorted(Path(folder).glob("*.csv.gz")))
    lines = pd.read_csv(output).to_dict("records") if Path(output).exists() else []
    done = {line["data"] for line in lines}
    for data in sorted(reading.sets, key=lambda one: one.X.size):
        if data.name in done:
            continue
        began = time.monotonic()
        found = measure(data.X, data.y, int(splits), int(tuned_splits))
        lines += lines_of(data.name, found)
        pd.DataFrame(lines).to_csv(output, index=False)
        changes = {name: round(float(np.nanmean(found[name][:, 0] - found["default"][:, 0])), 4)
                   for name in OPTIONS}  # fmt: skip
        print(data.name, data.X.shape, f"{time.monotonic() - began:.0f} s", changes, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
