"""The benchmark data, in a form that every language reads as the same doubles.

A :class:`Problem` is a 70/30 split, drawn from R's stream, of a named or a generated data set.
:func:`write` saves it for the workers as raw float64 and lines of labels.
"""

import csv
import gzip
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pycdf import RStream, load_darwin

REAL = (
    "darwin", "colon", "srbct", "breastcancer", "dbworld_bodies",
    "prostate", "cns", "leukemia3", "singh_raw",
)  # fmt: skip
# Rows, columns, classes: the shapes of real expression data, for those who do not have the data.
GENERATED = {
    "generated_62x2000": (62, 2000, 2),
    "generated_83x2308": (83, 2308, 4),
    "generated_102x6033": (102, 6033, 2),
    "generated_250x1000": (250, 1000, 2),
}


@dataclass(frozen=True)
class Problem:
    """Training rows with labels, and test rows with their true labels."""

    name: str
    xtrain: np.ndarray
    ytrain: np.ndarray
    xtest: np.ndarray
    ytest: np.ndarray

    @property
    def n_classes(self) -> int:
        """The number of classes in the training rows."""
        return len(set(self.ytrain))


def names() -> tuple[str, ...]:
    """The available data sets: the real data in PYCDF_DATA, or else DARWIN and generated data."""
    if os.environ.get("PYCDF_DATA"):
        return REAL
    return ("darwin", *GENERATED)


def load(name: str) -> Problem:
    """A data set, split as R does after set.seed(1): sample(n, floor(0.7 * n)) rows train."""
    return split(name, *table(name))


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """All rows of a data set, and their labels."""
    folder = os.environ.get("PYCDF_DATA")
    if folder and name in REAL:
        return read_csv(Path(folder) / f"{name}.csv.gz")
    if name == "darwin":
        frame, series = load_darwin()
        return frame.to_numpy(), series.to_numpy(dtype=str)
    if name in GENERATED:
        return generate(*GENERATED[name])
    raise SystemExit(f"There is no data set {name!r} here; there are: {', '.join(names())}.")


def split(name: str, values: np.ndarray, labels: np.ndarray) -> Problem:
    """Split the rows: training rows in the order drawn, the rest in their original order."""
    n = len(values)
    train = RStream(1).sample(n, int(0.7 * n))
    test = np.setdiff1d(np.arange(n), train)
    return Problem(
        name, np.ascontiguousarray(values[train]), labels[train], values[test], labels[test]
    )


def read_csv(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The doubles that were written: Python's float is exact, pandas' default parser is not."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    values = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return values, np.array([row[-1] for row in rows])


def generate(n: int, p: int, classes: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns, one in twenty of which shifts with the class."""
    stream = np.random.default_rng(seed)
    codes = stream.integers(classes, size=n)
    values = stream.standard_normal((n, p))
    values[:, ::20] += 0.5 * codes[:, None]
    return values, np.array([f"class {code}" for code in codes])


def write(problem: Problem, folder: Path) -> None:
    """Save a problem for the workers: shape, matrices row by row, training labels."""
    rows, columns = problem.xtrain.shape
    (folder / "shape.txt").write_text(f"{rows}\n{columns}\n{len(problem.xtest)}\n")
    problem.xtrain.astype("<f8").tofile(folder / "train.f64")
    problem.xtest.astype("<f8").tofile(folder / "test.f64")
    (folder / "labels.txt").write_text("\n".join(problem.ytrain) + "\n", encoding="utf-8")


def read(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Read what :func:`write` saved: training rows, their labels, test rows."""
    rows, columns, tests = (int(line) for line in (folder / "shape.txt").read_text().split())
    xtrain = np.fromfile(folder / "train.f64", dtype="<f8").reshape(rows, columns)
    xtest = np.fromfile(folder / "test.f64", dtype="<f8").reshape(tests, columns)
    labels = (folder / "labels.txt").read_text(encoding="utf-8").splitlines()
    return xtrain, np.array(labels), xtest
