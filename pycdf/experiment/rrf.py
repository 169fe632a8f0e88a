"""``RRFClassifier``: regularized random forests, grown by R's package RRF in an Rscript process.

Data and results are exchanged in binary files, whose format is described in :file:`rrf.R`, so that
doubles are passed exactly. One R process can grow many forests. Errors of R are raised as
:class:`RError`, and its warnings become Python warnings.
"""

import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
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
from pycdf.files.private import private

Ints = npt.NDArray[np.int32]

SCRATCH: ContextVar[Path | None] = ContextVar("SCRATCH", default=None)
"""A folder for temporary files that is deleted even if this process is killed; None: the usual."""
SCRIPT = Path(__file__).with_name("rrf.R")
SETTINGS = ("ntree", "mtry", "nodesize", "maxnodes", "coefReg", "flagReg")
_PACKAGE = 'install.packages("RRF")'
_HOW = f"Install R, and run {_PACKAGE} in it."
_NO_PACKAGE = (
    f"run {_PACKAGE} in R, or name its library in R_LIBS (pycdf runs R with --vanilla, so an "
    ".Rprofile is not read)."
)


class RError(RuntimeError):
    """R stopped with an error, or could not be run."""


@dataclass(frozen=True)
class Job:
    """One forest to grow: its parameters, training rows, and rows to predict."""

    seed: int
    settings: Parameters
    inside: npt.NDArray[np.intp]
    """Positions of the training rows."""
    left: npt.NDArray[np.intp]
    """Positions of the rows to predict."""


class RRFClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Regularized random forest: a wrapper of R's ``RRF::RRF``.

    The forest exists only in R: each new prediction grows it again, from the same seed.

    Parameters
    ----------
    ntree : int, default=500
        Number of trees.
    mtry : int, default=None
        Features drawn in a node. None means RRF's default, ``floor(sqrt(p))``.
    nodesize : int, default=None
        Minimum number of rows in a leaf. None means RRF's default, 1.
    maxnodes : int, default=None
        Maximum number of leaves of a tree. None means no limit.
    coefReg : float, default=None
        The weight of a feature that no node has used yet, above 0 and at most 1. None means RRF's
        default, 0.8.
    flagReg : int, default=None
        1 regularizes, 0 grows an ordinary random forest. None means RRF's default, 1.
    seed : int or None, default=None
        As in R's ``set.seed``; None means a random one.
    timeout : float, default=3600
        Time limit for a forest, in seconds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns in training.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if all of them are strings.
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
        """Check and store the training rows; R grows the forest later, to predict.

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
            raise ValueError("y has only one class: RRF needs rows of two classes or more.")
        self._seed = RStream(self.seed).seed
        self._rows = X
        self._latest: list[tuple[Floats, Ints, Floats]] = []
        return self

    def predict(self, X: Any) -> Labels:
        """Predict the class with the most votes; R breaks ties at random.

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
        """The arguments for RRF; None means its default."""
        return {name: getattr(self, name) for name in SETTINGS}

    def _answers(self, X: Any) -> tuple[Ints, Floats]:
        """R's predicted codes and votes for the rows of X; the latest ones are cached."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        if not self._latest or not np.array_equal(self._latest[0][0], X):
            n = len(self._rows)
            job = Job(self._seed, self.settings(), np.arange(n), np.arange(n, n + len(X)))
            codes = np.concatenate([self._codes, np.zeros(len(X), dtype=np.intp)])
            [answers] = run_jobs(np.concatenate([self._rows, X]), codes, [job], self.timeout)
            self._latest[:] = [(X.copy(), *answers)]  # the caller may modify X
        return self._latest[0][1:]


def predict_folds(make: Callable[..., RRFClassifier]) -> Predict:
    """Predict folds for tuning: one R process grows the forests of all candidates and folds."""

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

    The columns of the votes are the classes of the forest's training rows. ``timeout`` is in
    seconds per forest.
    """
    with tempfile.TemporaryDirectory(prefix="pycdf-", dir=SCRATCH.get()) as folder:
        request, response = Path(folder) / "in", Path(folder) / "out"
        with open(request, "wb", opener=private) as file:
            file.writelines(_encode(X, codes, jobs))
        run_r([str(request), str(response)], timeout * len(jobs), folder)
        answers = response.read_bytes() if response.exists() else b""
    return list(_decode(answers, codes, jobs))


def _encode(X: Floats, codes: npt.NDArray[np.intp], jobs: Sequence[Job]) -> Iterable[bytes]:
    """The input of the script, in which classes and rows are numbered from 1."""
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


def _decode(
    answers: bytes, codes: npt.NDArray[np.intp], jobs: Sequence[Job]
) -> Iterator[tuple[Ints, Floats]]:
    """The predicted codes and votes of each job, from the output of the script."""
    shapes = [(len(job.left), len(np.unique(codes[job.inside]))) for job in jobs]
    size = sum(rows * (4 + 8 * columns) for rows, columns in shapes)
    if len(answers) != size:
        raise RError(f"R wrote {len(answers):,} bytes instead of {size:,}.")
    offset = 0
    for rows, columns in shapes:
        predicted = np.frombuffer(answers, "<i4", rows, offset)
        votes = np.frombuffer(answers, "<f8", rows * columns, offset + predicted.nbytes)
        offset += predicted.nbytes + votes.nbytes
        yield predicted.astype(np.int32) - 1, votes.astype(np.float64).reshape(columns, rows).T


def run_r(arguments: list[str], timeout: float, folder: str | None = None) -> str:
    """Run :data:`SCRIPT` and return its stdout; lines on stderr become warnings, or the error.

    R makes its own temporary files in ``folder``, and leaves them there if it is killed.

    ``--vanilla`` keeps R from running an ``.Rprofile`` of the current folder, or loading a
    workspace from it.
    """
    program = shutil.which("Rscript")
    if program is None:
        raise RError(f"Rscript was not found. {_HOW}")
    libraries = [os.environ[name] for name in ("PYCDF_R_LIBRARY", "R_LIBS") if os.environ.get(name)]
    environment = os.environ | ({"R_LIBS": os.pathsep.join(libraries)} if libraries else {})
    if folder is not None:
        environment["TMPDIR"] = folder
    for name in ("R_ENVIRON", "R_ENVIRON_USER"):  # emptied by --vanilla; the script reads them
        if name in environment:
            environment[f"PYCDF_{name}"] = environment[name]
    try:
        done = subprocess.run(
            [program, "--vanilla", str(SCRIPT), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            umask=0o077,  # only this user can read what R writes
        )
    except subprocess.TimeoutExpired:
        raise RError(f"R did not finish in {timeout:g} seconds: increase timeout.") from None
    messages = done.stderr.strip()
    if done.returncode:
        raise RError(f"R stopped: {messages or f'exit status {done.returncode}, no message'}")
    for line in dict.fromkeys(messages.splitlines()):
        warnings.warn(f"R: {line}", UserWarning, stacklevel=2)
    return done.stdout


@cache
def missing() -> str | None:
    """Why RRF is unavailable and what to do about it, or None if it can run."""
    try:
        return None if "RRF" in versions() else f"R has no package RRF: {_NO_PACKAGE}"
    except RError as problem:
        return str(problem)


def versions() -> dict[str, str]:
    """The versions of R and, if it has the package, of RRF."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # R's start-up messages
        found = run_r(["versions"], timeout=60).split()
    return dict(zip(("R", "RRF"), found, strict=False))
