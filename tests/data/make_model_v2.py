"""Make model_v2.cdf, a model file of format version 2, and what it answers.

    python tests/data/make_model_v2.py

It was run once, by the version that introduced the format. The model has scaled columns and
out-of-bag votes. Every later version must load the file.
"""

import json
from pathlib import Path

import numpy as np

from pycdf import CDFClassifier, RStream

HERE = Path(__file__).parent


def rows():
    """30 rows of 12 columns on scales from 1 to 1e11; one is constant, one has missing values."""
    values = RStream(8).uniform(30 * 12).reshape(30, 12) * 10.0 ** np.arange(12)
    values[:, 5] = 1.0
    values[::7, 3] = np.nan
    return values


def main():
    """Write both files."""
    X = rows()
    labels = ["setosa", "Ähre", "b"]
    y = [labels[int(3 * row[0])] for row in X]
    fit = CDFClassifier(12, seed=2025, k=3, mtry=5, oob_score=True, scale=True).fit(X, y)
    fit.save(HERE / "model_v2.cdf")
    expected = {
        "classes": fit.model_.classes.tolist(),
        "votes": fit.model_.votes(X).tolist(),
        "oob_score": fit.oob_score_.hex(),
        "oob_votes": fit.model_.out_of_bag.votes.tolist(),
    }
    HERE.joinpath("model_v2.json").write_text(json.dumps(expected) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
