"""Whether forests with a stream for each tree are as accurate as those on R's stream.

Both kinds are grown on the same random splits, with the same seeds. The results are the rows of
streams.csv: dataset, split, and the two accuracies.
"""

import warnings

import numpy as np

from benchmarks import data
from pycdf import CDF, InputWarning, RStream

SPLITS = 60


def streams(datasets: list[str], splits: int = SPLITS) -> list[dict[str, object]]:
    """Accuracies in pairs. Split i: set.seed(i); sample(n, floor(0.7 * n)) train; seed i."""
    warnings.simplefilter("ignore", InputWarning)  # constant columns, split by split
    rows: list[dict[str, object]] = []
    for name in datasets:
        values, labels = data.table(name)
        for split in range(1, splits + 1):
            train = RStream(split).sample(len(values), int(0.7 * len(values)))
            test = np.setdiff1d(np.arange(len(values)), train)
            row: dict[str, object] = {"dataset": name, "split": split}
            for kind in ("r", "per_tree"):
                fit = CDF(values[train], labels[train], values[test], seed=split, streams=kind)
                row[kind] = float((fit.predictions == labels[test]).mean())
            rows.append(row)
        print(f"streams on {name}: done", flush=True)
    return rows
