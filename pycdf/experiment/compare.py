"""``compare``: the comparison of methods, as Python users call it."""

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pycdf.experiment.comparison import Comparison
from pycdf.experiment.data import read_sets
from pycdf.experiment.designs import Design
from pycdf.experiment.methods import find_all, with_scaling
from pycdf.experiment.running import run_experiment
from pycdf.experiment.splits import check_splits, count_splits
from pycdf.files.tables.options import ReadOptions
from pycdf.inputs.checks import check_jobs
from pycdf.inputs.notes import InputWarning


def compare(
    data: Any = None,
    methods: str | Iterable[Any] = "paper",
    splits: int | None = None,
    seed: int = 1,
    *,
    quick: bool = False,
    scale: str | Iterable[str] = (),
    stratify: bool = False,
    groups: str | None = None,
    folds: int | None = None,
    repeats: int | None = None,
    n_jobs: int | None = None,
    output: str | Path | None = None,
    label: str | None = None,
    drop: Sequence[str] = (),
    many_classes: bool = False,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    transpose: bool = False,
    progress: bool = False,
) -> Comparison:
    """Compare methods on the same splits of data sets, as in the paper or by another design.

    Parameters
    ----------
    data : str, Path, iterable of these, or dict, default=None
        Paths of tables (CSV, Excel, ...) or of folders of tables, or a dictionary of names and
        pairs ``(X, y)``. None means the DARWIN data that ship with pycdf.
    methods : str or iterable, default="paper"
        Names of methods; ``"paper"`` for the paper's eight, ``"rivals"`` for seven others; full
        names of scikit-learn estimator classes, such as
        ``"lr=sklearn.linear_model.LogisticRegression(C=0.1)"``; or estimators.
    splits : int, default=None
        Number of random splits into 70 % training and 30 % test rows; None means 500. Split i,
        counted from 1, is R's ``set.seed(seed + i); sample(n, floor(0.7 * n))``.
    seed : int, default=1
        Every method on split i uses the seed ``seed + i``.
    quick : bool, default=False
        Whether to skip tuning by 10-fold cross-validation within the training rows.
    scale : str or iterable of str, default=()
        Names of the methods whose features are standardised with the means and standard deviations
        of the training rows; "all" means all methods.
    stratify : bool, default=False
        Whether to draw the training rows from each class on its own.
    groups : str, default=None
        The column of groups, such as patients, whose rows are never both in training and test.
    folds : int, default=None
        Number of folds of repeated cross-validation, instead of random splits.
    repeats : int, default=None
        How often to cross-validate, each time with other folds; None means 10.
    n_jobs : int or None, default=None
        Number of processes. None means one, unless ``joblib.parallel_config`` says otherwise; it
        can also choose another backend, such as dask. The results are the same.
    output : str or Path, default=None
        A folder for all results. Each result is saved there as soon as it is known, and the same
        call resumes an interrupted run. None writes nothing.
    label : str, default=None
        The label column of tables. None means the one called Y, class, label or target.
    drop : str or sequence of str, default=()
        Columns of tables to leave out, such as a patient id.
    many_classes : bool, default=False
        Whether a label column of a table may have so many different values that it looks like an id
        or a measurement.
    sep : str, default=None
        The column separator of text files. None detects it.
    decimal : str, default=None
        The decimal mark of numbers in text files, "." or ",". None detects it.
    encoding : str, default=None
        The encoding of text files, such as "latin-1". None detects it.
    sheet : str, default=None
        The sheet of workbooks, by name or number, or the object in .RData files.
    transpose : bool, default=False
        Whether the files have features in rows and samples in columns.
    progress : bool, default=False
        Whether to show the fits done and the time left, in a terminal or a notebook.

    Returns
    -------
    Comparison
        The results of all splits, with tables and statistical tests.

    Examples
    --------
    >>> from pycdf import compare
    >>> compare(methods=["cdf(ntrees=20)", "knn", "cart"], splits=5, quick=True)
    Comparison of 3 methods on 1 data set, 5 splits, seed 1, not tuned
      data  darwin
      more  done.table(measure), done.paired(measure), done.results, done.save(folder)
    method          accuracy  kappa  wins
    cdf(ntrees=20)     0.872  0.745     1
    kNN                0.706  0.423     0
    CART               0.766  0.533     0
    """
    count = count_splits(splits, folds, repeats)
    check_splits(count, seed)
    check_jobs(n_jobs)
    found = with_scaling(find_all(methods), scale)
    reading = read_sets(
        data,
        label,
        drop=[drop] if isinstance(drop, str) else drop,
        groups=groups,
        reading=ReadOptions(sep, decimal, encoding, sheet, transpose),
        many_classes=many_classes,
    )
    for note in reading.notes:
        warnings.warn(note, InputWarning, stacklevel=2)
    done = run_experiment(
        reading,
        found,
        count,
        seed,
        design=Design(stratify, groups, folds),
        quick=quick,
        n_jobs=n_jobs,
        output=output,
        progress=progress,
    )
    if output is not None:
        done.save(output)
    return done
