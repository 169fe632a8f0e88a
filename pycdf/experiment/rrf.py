"""``RRFClassifier``: R's regularized random forest, grown by R's package RRF in an Rscript process.

In go rows and labels; out come R's predictions and votes. Data and answers cross in binary files,
whose form :file:`rrf.R` tells, so that doubles stay as they are; one process serves many forests.
What R says when it stops reaches the user as :class:`RError`, its warnings as Python's.
"""

import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from pycdf.base_r.stream import RStream
from pycdf.experiment.tuning import Floats, Fold, Labels, Parameters, Predict

Ints = npt.NDArray[np.int32]

SCRIPT = Path(__file__).with_name("rrf.R")
SETTINGS = ("ntree", "mtry", "nodesize", "maxnodes", "coefReg", "flagReg")
_HOW = 'Install R, and in R its package: install.packages("RRF").'


class RError(RuntimeError):
    """R, or a package of it, stopped."""


@dataclass(frozen=True)
class Job:
    """One forest: what to grow it with, and the rows it is grown on and asked about."""

    seed: int
    settings: Parameters
    inside: npt.NDArray[np.intp]
    left: npt.NDArray[np.intp]


class RRFClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Regularized random forest: R's ``RRF::RRF``, in R.

    The forest lives in R: it is grown, from the same seed, when predictions are asked for.

    Parameters
    ----------
    ntree : int, default=500
        Number of trees.
    mtry : int, default=None
        Features drawn in a node. None is RRF's ``floor(sqrt(p))``.
    nodesize : int, default=None
        The fewest rows of a leaf. None is RRF's 1.
    maxnodes : int, default=None
        The most leaves of a tree. None is no limit.
    coefReg : float, default=None
        How much a feature that no node has used yet counts, above 0 and at most 1. None is RRF's
        0.8.
    flagReg : int, default=None
        1 regularizes, 0 is a plain random forest. None is RRF's 1.
    seed : int or None, default=None
        R's ``set.seed``; None is fresh randomness.
    timeout : float, default=3600
        Seconds that a forest may take before R is stopped.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns in training.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where all of them are strings.
    """

    classes_: Labels
    n_features_in_: int

    def __init__(
        self,
        ntree: int = 500,
        mtry: int | None = None,
        nodesize: int | None = None,
        maxnodes: int | None = None,
        coefReg: float | None = None,
        flagReg: int | None = None,
        seed: int | None = None,
        timeout: float = 3600,
    ) -> None:
        self.ntree = ntree
        self.mtry = mtry
        self.nodesize = nodesize
        self.maxnodes = maxnodes
        self.coefReg = coefReg
        self.flagReg = flagReg
        self.seed = seed
        self.timeout = timeout

    def fit(self, X: Any, y: Any) -> Self:
        """Check and keep the training rows.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, self._codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("y has one class only: RRF needs rows of two classes or more.")
        self._seed = RStream(self.seed).seed
        self._rows = X
        self._at_hand: list[tuple[Floats, Ints, Floats]] = []
        return self

    def predict(self, X: Any) -> Labels:
        """The class that most trees vote for; R draws lots where several do.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        codes, _ = self._answers(X)
        return self.classes_[codes]

    def predict_proba(self, X: Any) -> Floats:
        """The share of trees that vote for each class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        votes = self._answers(X)[1]
        shares: Floats = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def settings(self) -> Parameters:
        """What RRF is called with; None is its default."""
        return {name: getattr(self, name) for name in SETTINGS}

    def _answers(self, X: Any) -> tuple[Ints, Floats]:
        """R's answers for some rows; those for the last ones are at hand."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        if not self._at_hand or not np.array_equal(self._at_hand[0][0], X):
            n = len(self._rows)
            job = Job(self._seed, self.settings(), np.arange(n), np.arange(n, n + len(X)))
            codes = np.concatenate([self._codes, np.zeros(len(X), dtype=np.intp)])
            [answers] = run_jobs(np.concatenate([self._rows, X]), codes, [job], self.timeout)
            self._at_hand[:] = [(X.copy(), *answers)]  # the caller may write on X
        return self._at_hand[0][1:]


def predict_folds(make: Callable[..., RRFClassifier]) -> Predict:
    """Predictions for tuning: all candidates and folds in one process of R."""

    def predict(
        candidates: Sequence[Parameters], X: Floats, y: Labels, parts: Sequence[Fold], seed: int
    ) -> Iterator[list[Labels]]:
        classes, codes = np.unique(y, return_inverse=True)
        models = [make(seed, **chosen) for chosen in candidates]
        jobs = [Job(seed, model.settings(), *part) for model in models for part in parts]
        answers = [
            classes[predicted] for predicted, _ in run_jobs(X, codes, jobs, models[0].timeout)
        ]
        for start in range(0, len(jobs), len(parts)):
            yield answers[start : start + len(parts)]

    return predict


def run_jobs(
    X: Floats, codes: npt.NDArray[np.intp], jobs: Sequence[Job], timeout: float
) -> list[tuple[Ints, Floats]]:
    """For each forest, the class codes that R predicts and the votes (rows x classes).

    Columns of votes are the classes of the rows that the forest was grown on. ``timeout`` is in
    seconds for each forest.
    """
    with tempfile.TemporaryDirectory(prefix="pycdf-") as folder:
        there, back = Path(folder) / "in", Path(folder) / "out"
        with there.open("wb") as file:
            file.writelines(_written(X, codes, jobs))
        _rscript([str(SCRIPT), str(there), str(back)], timeout * len(jobs))
        answers = back.read_bytes()
    return list(_read(answers, codes, jobs))


def _written(X: Floats, codes: npt.NDArray[np.intp], jobs: Sequence[Job]) -> Iterable[bytes]:
    """What the script reads; R counts classes and rows from 1."""
    yield _ints([*X.shape, len(jobs)])
    yield np.ravel(X, order="F").astype("<f8").tobytes()
    yield _ints(codes + 1)
    for job in jobs:
        yield _ints([job.seed, len(job.inside), len(job.left)])
        given = [job.settings[name] for name in SETTINGS]
        yield np.array([np.nan if each is None else each for each in given], "<f8").tobytes()
        yield _ints(job.inside + 1)
        yield _ints(job.left + 1)


def _ints(values: npt.ArrayLike) -> bytes:
    return np.asarray(values).astype("<i4").tobytes()


def _read(
    answers: bytes, codes: npt.NDArray[np.intp], jobs: Sequence[Job]
) -> Iterator[tuple[Ints, Floats]]:
    place = 0
    for job in jobs:
        rows, columns = len(job.left), len(np.unique(codes[job.inside]))
        predicted = np.frombuffer(answers, "<i4", rows, place)
        votes = np.frombuffer(answers, "<f8", rows * columns, place + predicted.nbytes)
        place += predicted.nbytes + votes.nbytes
        yield predicted.astype(np.int32) - 1, votes.astype(np.float64).reshape(columns, rows).T


def _rscript(arguments: list[str], timeout: float) -> str:
    """Run R; its stdout. What it says on stderr is warned of, or is the error."""
    program = shutil.which("Rscript")
    if program is None:
        raise RError(f"Rscript was not found. {_HOW}")
    libraries = [os.environ[name] for name in ("PYCDF_R_LIBRARY", "R_LIBS") if os.environ.get(name)]
    environment = os.environ | ({"R_LIBS": os.pathsep.join(libraries)} if libraries else {})
    try:
        done = subprocess.run(
            [program, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        raise RError(f"R was not done in {timeout:g} seconds: raise timeout.") from None
    said = done.stderr.strip()
    if done.returncode:
        raise RError(f"R stopped: {said or f'status {done.returncode}, without a word'}")
    for line in dict.fromkeys(said.splitlines()):
        warnings.warn(f"R: {line}", UserWarning, stacklevel=2)
    return done.stdout


@cache
def missing() -> str | None:
    """Why RRF cannot run here and what to do about it, or None."""
    if shutil.which("Rscript") is None:
        return f"Rscript was not found. {_HOW}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what R says when it starts
            found = _rscript(["-e", 'cat(requireNamespace("RRF", quietly = TRUE))'], timeout=60)
    except RError as problem:
        return str(problem)
    return None if found.endswith("TRUE") else f"R has no package RRF. {_HOW}"


@cache
def versions() -> dict[str, str]:
    """Of R and of its package RRF."""
    asked = 'cat(format(getRversion()), format(packageVersion("RRF")))'
    r, package = _rscript(["-e", asked], timeout=60).split()
    return {"R": r, "RRF": package}
