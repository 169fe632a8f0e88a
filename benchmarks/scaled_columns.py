"""Out-of-bag accuracy with and without standardised columns, on a folder of data sets.

    python benchmarks/scaled_columns.py FOLDER

FOLDER has tables ``<name>.csv.gz`` with the label in the last column, ``Y``. Forests have R's
defaults and the seeds 1, 2 and 3. Prints one line per data set, the largest gain first: the mean
accuracy of both, the smallest and the largest difference between forests of the same seed, the
ratio by which ``explain.scale_note`` decides, and whether it says anything. docs/estimator.md has
the result.
"""

import sys
import warnings
from pathlib import Path

import numpy as np

from pycdf import CDFClassifier
from pycdf.explain import scale_note
from pycdf.files.tables.reading import read_data
from pycdf.forest.contributions import deciding_ratio

SEEDS = (1, 2, 3)


def measured(path: Path) -> tuple[float, str]:
    """The mean difference, and a line of the table."""
    table = read_data(str(path))
    X = table.drop(columns="Y").select_dtypes("number")
    scores = np.empty((2, len(SEEDS)))
    for scale in (False, True):
        for at, seed in enumerate(SEEDS):
            fit = CDFClassifier(seed=seed, oob_score=True, scale=scale).fit(X, table["Y"])
            scores[int(scale), at] = fit.oob_score_
            if not scale and at == 0:
                ratio, told = deciding_ratio(fit.model_.forest), scale_note(fit) is not None
    gains = scores[1] - scores[0]
    plain, scaled = scores.mean(axis=1)
    cells = [
        path.name.removesuffix(".csv.gz"), f"{len(X)} x {X.shape[1]:,}", f"{plain:.3f}",
        f"{scaled:.3f}", f"{gains.mean():+.3f}", f"{gains.min():+.3f} to {gains.max():+.3f}",
        f"{ratio:,.0f}", "yes" if told else "",
    ]  # fmt: skip
    return float(gains.mean()), " | ".join(cells)


def main() -> None:
    """Print the table."""
    folder = Path(sys.argv[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [measured(path) for path in sorted(folder.glob("*.csv.gz"))]
    for _, line in sorted(found, reverse=True):
        print(f"| {line} |")
    gains = np.array([gain for gain, _ in found])
    print(f"higher on {(gains > 0.01).sum()}, lower on {(gains < -0.01).sum()} of {len(gains)}")


if __name__ == "__main__":
    main()
