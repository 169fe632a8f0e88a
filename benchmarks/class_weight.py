"""Measure what ``class_weight="balanced"`` changes, on a folder of data sets.

    python -m benchmarks.class_weight FOLDER OUTPUT.csv [SPLITS]

For each table the same random splits (70 % of the rows for training, drawn by R's stream with seed
1) are fitted with and without weights. The output has the mean of each measure without weights, the
mean difference that weights make, and its standard error over the splits.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, balanced_accuracy_score, cohen_kappa_score

from pycdf import CDFClassifier, RStream
from pycdf.experiment.data import read_sets

MEASURES = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "kappa": cohen_kappa_score,
}


def measure(X, y, splits):
    """Measures of both forests on each split: (splits x measures) without and with weights."""
    stream = RStream(1)
    n = len(y)
    found = np.empty((2, splits, len(MEASURES)))
    split = 0
    while split < splits:
        train = stream.sample(n, round(0.7 * n))
        test = np.setdiff1d(np.arange(n), train)
        test = test[np.isin(y[test], y[train])]  # no method can predict a class it has not seen
        if len(np.unique(y[train])) < 2 or len(test) == 0:
            continue
        for which, weights in enumerate((None, "balanced")):
            model = CDFClassifier(seed=split, class_weight=weights).fit(X[train], y[train])
            predicted = model.predict(X[test])
            found[which, split] = [score(y[test], predicted) for score in MEASURES.values()]
        split += 1
    return found


def main(folder, output, splits=50):
    """Measure every table of a folder and write one line for each."""
    reading = read_sets(sorted(Path(folder).glob("*.csv.gz")))
    lines = []
    for data in sorted(reading.sets, key=lambda one: one.name):
        without, balanced = measure(data.X, data.y, int(splits))
        sizes = sorted(data.class_sizes.values())
        line = {
            "data": data.name, "rows": len(data.y), "classes": len(sizes),
            "largest_to_smallest": sizes[-1] / sizes[0],
        }  # fmt: skip
        for position, name in enumerate(MEASURES):
            # Kappa is undefined where all test rows and predictions are of one class.
            change = pd.Series((balanced - without)[:, position]).dropna()
            line[name] = np.nanmean(without[:, position])
            line[f"{name}_change"] = change.mean()
            line[f"{name}_se"] = change.sem()
        lines.append(line)
        print({key: round(value, 4) if key != "data" else value for key, value in line.items()},
              flush=True)  # fmt: skip
    pd.DataFrame(lines).round(4).to_csv(output, index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
