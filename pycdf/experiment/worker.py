"""One method on one split of one data set: the unit of work that runs in any process.

In goes a :class:`Task`, which names the file of the matrix rather than carrying it (:func:`stored`
writes the files); out comes a :class:`Record`. Whatever goes wrong becomes part of the record.
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

_MESSAGE = 500  # characters of an error that are kept


@dataclass(frozen=True, eq=False)
class Task:
    """What to do."""

    data: str
    matrix: str
    """The file of the features."""
    y: npt.NDArray[Any]
    method: Method
    split: int
    seed: int
    tuned: bool


@contextmanager
def stored(sets: Sequence[DataSet], folder: Path | None) -> Iterator[dict[str, str]]:
    """Files of the matrices, for as long as the work goes on; their names tell their contents."""
    home = Path(tempfile.mkdtemp(prefix="pycdf-")) if folder is None else folder / ".matrices"
    shutil.rmtree(home, ignore_errors=True)  # of a run that was killed
    home.mkdir()
    try:
        files = {one.name: str(home.resolve() / f"{one.checksum}.npy") for one in sets}
        for one in sets:
            np.save(files[one.name], one.X)
        yield files
    finally:
        load_matrix.cache_clear()
        shutil.rmtree(home, ignore_errors=True)


@lru_cache(maxsize=64)
def load_matrix(path: str) -> npt.NDArray[np.float64]:
    """The matrix, mapped into memory: all processes on a machine share its pages."""
    return np.asarray(np.load(path, mmap_mode="r"))


def run(task: Task) -> Record:
    """Fit, predict and score."""
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
    except Exception as error:  # whatever a method may raise: the others go on
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
