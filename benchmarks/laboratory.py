"""Measure what each option of the laboratory changes, and tuning, on a folder of data sets.

    python -m benchmarks.laboratory FOLDER RESULTS.csv.gz [SPLITS] [TUNED_SPLITS] [FORESTS]

For each table the same random splits (70 % of the rows for training, drawn by R's stream with seed
1) are fitted with R's defaults and with one option changed, with the same seed. Then forests are
tuned on the training rows of the first TUNED_SPLITS splits alone (FORESTS settings by out-of-bag
accuracy). All are judged by the test rows.

The results have a line for each table, split and option ("default" is R; a tuned forest is called
by the number of FORESTS, such as "tuned_100"). It works in rounds over all tables, the
small ones first, so that the tables have about the same number of splits whenever it is stopped. It
begins with what the results do not have yet: call it again to go on, or with more splits.
`python -m benchmarks.laboratory_tables` makes the tables of docs/laboratory.md.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from pycdf import RStream, tune
from pycdf.experiment.data import read_sets
from pycdf.explain.many_forests import grow, read_data, read_settings
from pycdf.forest.voting import winners

OPTIONS = {
    "default": {},
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
FORESTS = 100
COLUMNS = ("data", "split", "option", "accuracy", "balanced_accuracy", "kappa")
TEST_SHARE = 0.3
ROUND = 10  # splits of a table before it is the turn of the next one


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


def measures(y, predicted):
    """Accuracy, balanced accuracy and kappa; kappa is NaN if all is of one class."""
    classes, codes = np.unique(np.concatenate([y, predicted]), return_inverse=True)
    confusion = np.zeros((len(classes), len(classes)))
    np.add.at(confusion, (codes[: len(y)], codes[len(y) :]), 1)
    rows, columns, right = confusion.sum(axis=1), confusion.sum(axis=0), np.diag(confusion)
    accuracy, chance = right.sum() / len(y), rows @ columns / len(y) ** 2
    balanced = (right[rows > 0] / rows[rows > 0]).mean()
    return accuracy, balanced, (accuracy - chance) / (1 - chance) if chance < 1 else np.nan


def fit_options(X, y, train, test, split, options):
    """The measures of forests with one option each; the data are read once."""
    data = read_data(X[train], y[train])
    for option in options:
        model = grow(data, read_settings(OPTIONS[option], "SPLITS"), split)
        yield option, measures(y[test], model.classes[winners(model.votes(X[test]))])


def fit_tuned(X, y, train, test, split, forests):
    """The measures of a forest that is tuned on the training rows."""
    best = tune(X[train], y[train], budget=forests, nested=0, seed=split, n_jobs=1).estimator
    return measures(y[test], best.predict(X[test]))


class Results:
    """The lines so far, in a file that is always whole."""

    def __init__(self, path):
        self.path = Path(path)
        self.lines = pd.read_csv(path).to_numpy().tolist() if self.path.exists() else []
        self.done = {tuple(line[:3]) for line in self.lines}

    def add(self, *key, values):
        """Add a line."""
        self.lines.append([*key, *(round(float(value), 6) for value in values)])
        self.done.add(key)

    def save(self):
        """Write all lines, in place of those of before."""
        frame = pd.DataFrame(self.lines, columns=COLUMNS)
        unfinished = self.path.with_name(f"unfinished_{self.path.name}")
        frame.sort_values(["data", "split"], kind="stable").to_csv(unfinished, index=False)
        os.replace(unfinished, self.path)


def main(folder, output, splits=50, tuned_splits=50, forests=FORESTS):
    """All rounds with single options, then all rounds with tuned forests."""
    sets = sorted(read_sets(sorted(Path(folder).glob("*.csv.gz"))).sets, key=lambda one: one.X.size)
    splits, tuned_splits, forests = int(splits), int(tuned_splits), int(forests)
    rows = {one.name: list(draw_splits(one.y, max(splits, tuned_splits))) for one in sets}
    results = Results(output)
    for first in range(0, splits, ROUND):
        for one in sets:
            began = time.process_time()
            for split in range(first, min(first + ROUND, splits)):
                left = [name for name in OPTIONS if (one.name, split, name) not in results.done]
                if left:
                    found = fit_options(one.X, one.y, *rows[one.name][split], split, left)
                    for option, values in found:
                        results.add(one.name, split, option, values=values)
            results.save()
            print(first, one.name, one.X.shape, f"{time.process_time() - began:.1f} s", flush=True)
    tuned = f"tuned_{forests}"
    for split in range(tuned_splits):
        for one in sets:
            if (one.name, split, tuned) not in results.done:
                began = time.process_time()
                values = fit_tuned(one.X, one.y, *rows[one.name][split], split, forests)
                results.add(one.name, split, tuned, values=values)
                results.save()
                used = time.process_time() - began
                print(tuned, split, one.name, f"{used:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
