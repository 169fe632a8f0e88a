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
from pycdf.experiment.designs import Design
from pycdf.experiment.fitting import OneClassError, run_split, warm_up
from pycdf.experiment.measures import score
from pycdf.experiment.methods import Method
from pycdf.experiment.records import DONE, FAILED, ONE_CLASS, Key, Record
from pycdf.experiment.rrf import SCRATCH
from pycdf.experiment.splits import split_seed
from pycdf.files.private import private

_MESSAGE = 500  # characters: longer error messages are truncated
_WARM: set[str] = set()  # names of the methods that have been fitted in this process


@dataclass(frozen=True, eq=False)
class Task:
    """One method to run on one split."""

    data: str
    """The name of the data set."""
    matrix: str
    """The path of its feature matrix."""
    y: npt.NDArray[Any]
    groups: npt.NDArray[Any] | None
    method: Method
    design: Design
    split: int
    seed: int
    tuned: bool

    @property
    def key(self) -> Key:
        """The data set, method and split that identify the result."""
        return self.data, self.method.name, self.split


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
            write_matrix(one.X, files[one.name])
        yield files
    finally:
        load_matrix.cache_clear()
        shutil.rmtree(home, ignore_errors=True)


def write_matrix(X: npt.NDArray[np.float64], path: str) -> None:
    """Write a matrix in NumPy's format; unlike that of ``numpy.save``, the error of a full disk
    has a number and names the file.
    """
    header = np.lib.format.header_data_from_array_1_0(X)
    try:
        with open(path, "wb", opener=private) as file:
            np.lib.format.write_array_header_1_0(file, header)
            file.write(X.data.cast("B"))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


@lru_cache(maxsize=64)
def load_matrix(path: str) -> npt.NDArray[np.float64]:
    """The matrix, memory-mapped, so that all processes on a machine share it."""
    return np.asarray(np.load(path, mmap_mode="r"))


def run(task: Task) -> Record:
    """Fit, predict and score one method on one split."""
    train, test = task.design.split(task.y, task.groups, task.seed, task.split)
    X = load_matrix(task.matrix)
    seed = split_seed(task.seed, task.split)
    scratch = SCRATCH.set(Path(task.matrix).parent)
    try:
        if task.method.name not in _WARM:
            warm_up(task.method, X, task.y, train, seed)
            _WARM.add(task.method.name)
        answer = run_split(task.method, X, task.y, train, test, seed, task.tuned, task.groups)
        found = score(
            task.y[test].tolist(),
            np.asarray(answer["predictions"]).tolist(),
            answer["probabilities"],
            np.asarray(answer["classes"]).tolist(),
            answer["scores"],
        )
    except OneClassError as error:
        return Record(*task.key, ONE_CLASS, len(train), len(test), message=str(error))
    except Exception as error:  # a method may raise anything; the others must go on
        message = f"{type(error).__name__}: {error}".strip()
        return Record(*task.key, FAILED, len(train), len(test), message=message[:_MESSAGE])
    finally:
        SCRATCH.reset(scratch)
    return Record(
        *task.key,
        DONE,
        len(train),
        len(test),
        measures={name: _or_none(value) for name, value in found.items()},
        parameters=answer["parameters"],
        warnings=answer["warnings"],
        seconds={name: _or_none(round(value, 5)) for name, value in answer["seconds"].items()},
    )


def _or_none(value: float) -> float | None:
    """None for NaN, which JSON does not have."""
    return None if np.isnan(value) else value
