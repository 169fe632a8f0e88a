"""How often anything is found where there is nothing to find: p-values of roots on null data.

    python benchmarks/calibration.py [--sets 400] [--design NAME]

Each data set has features that are independent of the classes. One tree is grown on all of its
rows, and the script counts in how many data sets the root has a feature with an adjusted p-value
below 0.05, by `explain.split_evidence`, and beside it how many there would be with R's default
p-values times the number of candidates. docs/gallery.md has the table.
"""

import argparse
import time

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from pycdf import CDFClassifier
from pycdf.explain import split_evidence

LEVEL = 0.05
FEATURES = 1_000


def binary(rng, n, p):
    return (rng.random((n, p)) < 0.06).astype(float)


def rare_counts(rng, n, p):
    return rng.poisson(0.08, (n, p)).astype(float)


def counts(rng, n, p):
    return rng.poisson(2.0, (n, p)).astype(float)


def five_levels(rng, n, p):
    return rng.choice([0.0, 1.0, 2.0, 3.0, 4.0], (n, p), p=[0.7, 0.15, 0.08, 0.05, 0.02])


def many_zeros(rng, n, p):
    return np.where(rng.random((n, p)) < 0.15, np.round(rng.exponential(size=(n, p)), 2), 0.0)


def rounded(rng, n, p):
    return np.round(rng.normal(size=(n, p)), 1)


def continuous(rng, n, p):
    return rng.normal(size=(n, p))


KINDS = [binary, rare_counts, counts, five_levels, many_zeros, rounded, continuous]
SIZES = [(12, 12), (50, 10), (70, 10, 10), (30, 20, 10, 10, 5), (200, 40, 30), (300, 60)]
DESIGNS = {
    f"{make.__name__.replace('_', ' ')}, {'/'.join(map(str, sizes))}": (make, sizes)
    for sizes in SIZES
    for make in KINDS
}


def smallest(make, sizes, number):
    """The smallest adjusted p-value in the root of one tree, and the one that R's would give."""
    rng = np.random.default_rng([number, sum(sizes)])
    n = sum(sizes)
    X = make(rng, n, FEATURES)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    fit = CDFClassifier(ntrees=1, depth=1, bootstrap=False, seed=number).fit(X, y)
    table = split_evidence(fit, X, y)
    by_r = (table["p_value"] * table["candidates"]).min()
    return table["p_adjusted"].min(), by_r


def row(name, sets):
    """One line of the table, with 95 % intervals of Clopper and Pearson."""
    started = time.perf_counter()
    make, sizes = DESIGNS[name]
    found = np.array([smallest(make, sizes, number) for number in range(sets)])
    shown = []
    for column in found.T:
        hits = int((column < LEVEL).sum())
        interval = binomtest(hits, sets).proportion_ci()
        shown.append(
            f"{100 * hits / sets:.1f} ({100 * interval.low:.1f} to {100 * interval.high:.1f})"
        )
    return {
        "features, rows per class": name,
        "adjusted p-values, %": shown[0],
        "R's p-values, %": shown[1],
        "seconds": round(time.perf_counter() - started, 1),
    }


def main() -> None:
    """Print the table, line by line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=400)
    parser.add_argument("--design", choices=[*DESIGNS], action="append")
    given = parser.parse_args()
    for name in given.design or DESIGNS:
        line = pd.Series(row(name, given.sets))
        print("| " + " | ".join(map(str, line)) + " |", flush=True)


if __name__ == "__main__":
    main()
