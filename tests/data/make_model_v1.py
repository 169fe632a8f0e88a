"""Make model_v1.cdf, the model file that every later version must load, and what it answers.

    python tests/data/make_model_v1.py

It was run once, by the version that introduced the format. To run it again is to lose the point of
the file: a later format gets a file of its own.
"""

import json
from pathlib import Path

import numpy as np

from pycdf import RStream
from pycdf.files.model import save_model
from pycdf.forest.training import grow_model
from pycdf.inputs.labels import read_labels
from pycdf.inputs.prepare import training_data

HERE = Path(__file__).parent


def rows():
    """30 rows of 12 columns; one column is constant, one has missing values."""
    values = RStream(7).uniform(30 * 12).reshape(30, 12)
    values[:, 5] = 1.0
    values[::7, 3] = np.nan
    return values


def main():
    """Write both files."""
    X = rows()
    labels = ["setosa", "Ähre", "b"]
    y = [labels[int(3 * row[0])] for row in X]
    read = read_labels(y)
    names = tuple(f"gene {j}" for j in range(12))
    data = training_data(X, read.codes, read.values, read.texts, names, integer=False)
    parameters = {"ntrees": 12, "depth": 3, "mnode": 3, "k": 3, "mtry": 5}
    model = grow_model(data, parameters, 1, "icu", RStream(2025))
    save_model(model, HERE / "model_v1.cdf")
    expected = {
        "classes": model.classes.tolist(),
        "votes": model.votes(X).tolist(),
        "importances": [share.hex() for share in model.importances().tolist()],
    }
    HERE.joinpath("model_v1.json").write_text(json.dumps(expected) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
