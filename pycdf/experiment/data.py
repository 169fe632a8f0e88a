"""Read the data sets of a comparison from files, folders of files, or tables in memory.

:func:`read_sets` returns numeric matrices with labels, notes on what it guessed or left out, and
the reason for each table that cannot be used: one bad table never stops the others.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.datasets import load_darwin
from pycdf.files.tables.compressed import ENDINGS
from pycdf.files.tables.options import BY_CONTENT, ReadOptions
from pycdf.files.tables.reading import read_with_notes
from pycdf.inputs.label_checks import label_findings
from pycdf.inputs.labels import read_labels
from pycdf.inputs.table_checks import Table, id_columns, repeated_names, unreadable_columns
from pycdf.inputs.tables import read_matrix
from pycdf.support.options import option
from pycdf.support.wording import brief, few, no_column, plural, shown, visible

_TABLES = (
    ".csv", ".tsv", ".tab", ".parquet", ".pq", ".feather", ".xlsx", ".ods", ".arff", ".rds",
    ".rdata", ".rda", ".h5ad",
)  # fmt: skip
_LABELS = ("y", "class", "label", "target")
_WHAT = "pass paths of files or folders, or tables by name, such as {'mine': (X, y)}."
_FEWEST = 4  # rows: two classes to train on, and some rows to test


@dataclass(frozen=True, eq=False)
class DataSet:
    """A numeric matrix with a label for each row."""

    name: str
    X: npt.NDArray[np.float64]
    y: npt.NDArray[Any]
    source: str = ""
    """The path of its file, or ``"memory"``."""
    label: str = ""
    """The label column of the file."""
    dropped: tuple[str, ...] = ()
    """Columns of the file that the user asked to leave out."""
    groups: npt.NDArray[Any] | None = None
    """The group of each row; None if rows are independent."""

    @property
    def class_sizes(self) -> dict[str, int]:
        """The number of rows of each class, in order of appearance."""
        return {str(label): int((self.y == label).sum()) for label in pd.unique(self.y)}

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the numbers, labels and groups, whatever their source."""
        digest = hashlib.sha256(repr((self.X.shape, [str(label) for label in self.y])).encode())
        digest.update(np.ascontiguousarray(self.X).tobytes())
        if self.groups is not None:
            digest.update(repr([str(group) for group in self.groups]).encode())
        return digest.hexdigest()


@dataclass
class Reading:
    """The data sets that were read, with notes and failures."""

    sets: list[DataSet] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    """Notes on the label columns that were guessed."""
    notes: list[str] = field(default_factory=list)
    """Notes on what was left out, or may go wrong."""
    failures: dict[str, str] = field(default_factory=dict)
    """Names of data sets that cannot be used, and the reasons."""

    def fail(self, name: str, item: Any, reason: str) -> None:
        """Record why a data set cannot be used, by its name or, if that is in use, its path."""
        in_use = name in self.failures or name in [one.name for one in self.sets]
        self.failures[str(item) if in_use and isinstance(item, Path) else name] = reason


def read_sets(
    data: Any,
    label: str | None = None,
    *,
    drop: Sequence[str] = (),
    groups: str | None = None,
    reading: ReadOptions = BY_CONTENT,
    many_classes: bool = True,
) -> Reading:
    """Read all data sets in ``data``: None for DARWIN, paths of files and folders, or a mapping.

    ``label`` is the label column, guessed if None; ``drop`` are columns to leave out; ``groups`` is
    the column of groups, if any; ``reading`` says how to read the files; without ``many_classes``,
    a table whose labels look like measurements or ids cannot be used.
    """
    found = Reading()
    guessed: dict[str, list[str]] = {}
    unseen = set(drop)
    for name, item in _items(data, found):
        if isinstance(item, Path) and item.resolve() in [
            Path(one.source).resolve() for one in found.sets
        ]:
            found.notes.append(f"{visible(str(item))} is given twice: it is used once")
            continue
        try:
            if name in [one.name for one in found.sets]:
                raise ValueError(f"two data sets are called {shown(name)}: rename a file.")
            if isinstance(item, Path):
                frame, notes = read_with_notes(str(item), _candidates(label), reading)
                found.notes += notes
                names = frame.columns.tolist()
                column = label_column(names, label, str(item))
                if label is None:
                    guessed.setdefault(column, []).append(name)
                unseen -= set(names)
                of_y = names.index(column)
                if column == groups:
                    raise ValueError(f"the column {shown(column)} cannot be both label and group.")
                grouping = _group_column(frame, groups, str(item))
                left_out = {*drop, groups} if groups is not None else {*drop}
                kept = [j for j, other in enumerate(names) if j != of_y and other not in left_out]
                read = Table(str(item), frame.iloc[:, kept], pd.DataFrame({"row": frame.index}))
                found.notes.extend(_checked(read, column, frame.iloc[:, of_y], many_classes))
                made = _data_set(
                    name, frame.iloc[:, kept], frame.iloc[:, of_y], found.notes, grouping
                )
                dropped = tuple(one for j, one in enumerate(names) if j != of_y and one in drop)
                found.sets.append(replace(made, source=str(item), label=column, dropped=dropped))
            elif isinstance(item, tuple | list) and len(item) == 2:
                X, grouping = item[0], _group_column(item[0], groups, f"X of {brief(name)}")
                if groups is not None:
                    X = X.drop(columns=groups)
                found.sets.append(_data_set(name, X, item[1], found.notes, grouping))
            else:
                raise TypeError(
                    f"it is of type {type(item).__name__}: pass a pair (X, y), or a path."
                )
        except OSError as error:
            found.fail(name, item, visible(f"{error.filename or item}: {error.strerror or error}"))
        except (ValueError, TypeError) as error:
            found.fail(name, item, str(error))
    if not found.sets and not found.failures and not found.notes:
        raise ValueError(f"data is empty: {_WHAT}")
    if unseen:
        found.notes.append(f"no table has a column {few(sorted(unseen))} to leave out")
    for column, users in guessed.items():
        found.guesses.append(
            f"using the column {column!r} of {', '.join(map(brief, users))} as labels "
            f"(to choose another: {option('label')})"
        )
    return found


def _items(data: Any, found: Reading) -> Iterable[tuple[str, Any]]:
    """Names, each with a path or a pair ``(X, y)``."""
    if data is None:
        yield "darwin", load_darwin()
    elif isinstance(data, Mapping):
        for name, item in data.items():
            yield str(name), Path(item) if isinstance(item, str | os.PathLike) else item
    else:
        paths = [data] if isinstance(data, str | os.PathLike) else data
        if not isinstance(paths, Iterable) or hasattr(paths, "columns"):
            raise TypeError(f"data is of type {type(data).__name__}: {_WHAT}")
        for given in paths:
            if not isinstance(given, str | os.PathLike):
                raise TypeError(f"data contains an item of type {type(given).__name__}: {_WHAT}")
            path = Path(given)
            if not path.is_dir():
                yield stem(path), path
                continue
            files = sorted(one for one in path.iterdir() if _is_table(one))
            if not files:
                found.failures[str(path)] = "this folder has no table, such as a CSV file."
            yield from ((stem(file), file) for file in files)


def stem(path: Path) -> str:
    """A file's name without its suffixes: ``colon`` for ``colon.csv.gz``.

    Bytes that are not UTF-8 become escapes, because the files of a comparison are UTF-8.
    """
    name = path.name.encode(errors="backslashreplace").decode()
    for ends in (ENDINGS, _TABLES):
        end = next((one for one in ends if name.lower().endswith(one)), "")
        name = name[: len(name) - len(end)]
    return name


def _is_table(path: Path) -> bool:
    name = path.name.lower()
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return path.is_file() and not name.startswith(".") and name.endswith(_TABLES)


def _candidates(label: str | None) -> list[str]:
    if label is not None:
        return [label]
    return [form for name in _LABELS for form in (name, name.upper(), name.capitalize())]


def label_column(names: Sequence[str], label: str | None, where: str) -> str:
    """The label column: ``label`` if given, otherwise the column with a usual name for labels.

    Where columns are words (a bag of words), several may have such a name; then it must be the
    last column of the table.
    """
    if label is not None:
        if label not in names:
            raise ValueError(no_column(label, names, where))
        return label
    likely = [name for name in names if name in _candidates(None)]
    if len(likely) == 1 or names[-1] in likely:
        return likely[-1]
    if likely:
        raise ValueError(
            f"{visible(where)}: which of {few(likely, 9)} has the labels? Name it with "
            f"{option('label')}."
        )
    raise ValueError(
        f"{visible(where)}: no column is called {few(_LABELS, 9)}. Name the label column with "
        f"{option('label')} (the last column is {shown(names[-1])})."
    )


def _checked(table: Table, column: str, y: pd.Series, many_classes: bool) -> list[str]:
    """Check a table from a file; raises ``ValueError`` if it must not be used."""
    labels = read_labels(y, f"column {column!r} of {table.name}")
    findings = [
        *unreadable_columns(table),
        *label_findings(table, column, labels, many_classes=many_classes),
        *repeated_names(table.features.columns.tolist(), table.name),
        *id_columns(table),
    ]
    for finding in findings:
        if finding.stop:
            raise ValueError(finding.message)
    return [one.message for one in findings if one.kind not in ("text_columns", "no_label")]


def _group_column(table: Any, column: str | None, where: str) -> npt.NDArray[Any] | None:
    """The groups of a table's rows, each as text; None if no column is asked for."""
    if column is None:
        return None
    if not hasattr(table, "columns"):
        raise ValueError(f"{where} has no column names: pass a DataFrame with {shown(column)}.")
    names = list(table.columns)
    if column not in names:
        raise ValueError(no_column(column, names, where))
    cells = pd.Series(table[column])
    if missing := int(cells.isna().sum()):
        raise ValueError(
            f"{visible(where)}: {plural(missing, 'cell')} of the groups {shown(column)} "
            f"{'is' if missing == 1 else 'are'} missing: every row needs a group."
        )
    return cells.astype(str).to_numpy(dtype=object)


def _data_set(
    name: str, X: Any, y: Any, notes: list[str], groups: npt.NDArray[Any] | None = None
) -> DataSet:
    """A data set without the rows and columns that no method can use."""
    called = brief(name)
    matrix = read_matrix(X, f"X of {called}")
    labels = read_labels(y, f"y of {called}")
    values = np.array(matrix.values, dtype=np.float64, order="C", ndmin=2)
    if len(values) != len(labels.codes):
        raise ValueError(
            f"{called} has {plural(len(values), 'row')} and {plural(len(labels.codes), 'label')}."
        )
    rows = labels.codes >= 0
    if not rows.all():
        notes.append(f"{called}: left out {plural(int((~rows).sum()), 'row')} without a label")
    values = values[rows]
    empty = np.flatnonzero(np.isnan(values).all(axis=0))
    if len(empty):
        names = matrix.names if matrix.names is not None else pd.RangeIndex(values.shape[1])
        notes.append(
            f"{called}: left out {plural(len(empty), 'column')} without any number "
            f"({few(names[empty].tolist())}); encode text as numbers first if it matters"
        )
    values = np.ascontiguousarray(np.delete(values, empty, axis=1))
    if missing := int(np.isnan(values).sum()):
        notes.append(
            f"{called}: {plural(missing, 'missing cell')}; CDF accepts missing values, and methods "
            "that do not will be reported as failed"
        )
    kept = labels.values[labels.codes[rows]]
    n_classes = len(pd.unique(kept))
    if len(values) < _FEWEST or values.shape[1] == 0 or n_classes < 2:
        raise ValueError(
            f"{called} has {plural(len(values), 'labelled row')} of "
            f"{plural(n_classes, 'class')} and "
            f"{plural(values.shape[1], 'column')} of numbers: a comparison needs {_FEWEST} rows, "
            "two classes and a column."
        )
    if 2 * n_classes > len(values):
        notes.append(
            f"{called}: {plural(n_classes, 'class')} in {plural(len(values), 'row')}: are the "
            "labels numeric measurements? These methods predict classes"
        )
    return DataSet(
        name, values, kept, source="memory", groups=None if groups is None else groups[rows]
    )
