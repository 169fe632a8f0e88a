"""The unit of work: fit and score one method on one split of one data set, in any process.

A :class:`Task` has the path of its matrix rather than the matrix itself (:func:`stored` writes the
files). :func:`run` returns a :class:`Record`, which also reports errors.
"""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.experiment.data import DataSet
from pycdf.experiment.measures import score
from pycdf.experiment.methods import Method, OneClassError, run_split
from pycdf.experiment.records import DONE, FAILED, ONE_CLASS, Record
from pycdf.experiment.splits import split, split_seed
from pycdf.files.private import private

_MESSAGE = 500  # characters: longer error messages are truncated


@dataclass(frozen=True, eq=False)
class Task:
    """One method to run on one split."""

    data: str
    """The name of the data set."""
    matrix: str
    """The path of its feature matrix."""
    y: npt.NDArray[Any]
    method: Method
    split: int
    seed: int
    tuned: bool


@contextmanager
def stored(sets: Sequence[DataSet], folder: Path | None) -> Iterator[dict[str, str]]:
    """Write the matrices to files, named by checksum, that exist inside the ``with`` block.

    Only this user can read them, whatever the umask allows.
    """
    if folder is None:
        home = Path(tempfile.mkdtemp(prefix="pycdf-"))
    else:
        home = folder / ".matrices"
        shutil.rmtree(home, ignore_errors=True)  # left by a run that was killed
        home.mkdir(mode=0o700)
    try:
        files = {one.name: str(home.resolve() / f"{one.checksum}.npy") for one in sets}
        for one in sets:
            with open(files[one.name], "wb", opener=private) as file:
                np.save(file, one.X)
        yield files
    finally:
        load_matrix.cache_clear()
        shutil.rmtree(home, ignore_errors=True)


@lru_cache(maxsize=64)
def load_matrix(path: str) -> npt.NDArray[np.float64]:
    """The matrix, memory-mapped, so that all processes on a machine share it."""
    return np.asarray(np.load(path, mmap_mode="r"))


def run(task: Task) -> Record:
    """Fit, predict and score one method on one split."""
    train, test = split(len(task.y), task.seed, task.split)
    what = (task.data, task.method.name, task.split)
    try:
        answer = run_split(
            task.method,
            load_matrix(task.matrix),
            task.y,
            train,
            test,
            split_seed(task.seed, task.split),
            task.tuned,
        )
        found = score(
            task.y[test].tolist(),
            np.asarray(answer["predictions"]).tolist(),
            answer["probabilities"],
            np.asarray(answer["classes"]).tolist(),
        )
    except OneClassError as error:
        return Record(*what, ONE_CLASS, len(train), len(test), message=str(error))
    except Exception as error:  # a method may raise anything; the others must go on
        message = f"{type(error).__name__}: {error}".strip()
        return Record(*what, FAILED, len(train), len(test), message=message[:_MESSAGE])
    return Record(
        *what,
        DONE,
        len(train),
        len(test),
        measures={name: None if np.isnan(value) else value for name, value in found.items()},
        parameters=answer["parameters"],
        warnings=answer["warnings"],
        seconds=round(answer["seconds"], 4),
    )
