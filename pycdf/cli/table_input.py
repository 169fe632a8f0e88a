"""Read the tables of a command, and separate features, labels and row ids."""

import errno
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click
import pandas as pd

from pycdf.cli.console import warnings_as_notes
from pycdf.files.tables.parquet import parquet_columns, parquet_parts
from pycdf.files.tables.reading import read_data
from pycdf.files.tables.transposed import transpose_hint
from pycdf.files.tables.writing import check_target
from pycdf.forest.model import Model
from pycdf.inputs.matching import surplus_columns
from pycdf.inputs.notes import warn_of
from pycdf.inputs.table_checks import Table, wrong_separator
from pycdf.support.wording import few, no_column, visible


@dataclass(frozen=True, eq=False)
class Data(Table):
    """A table, separated into features, labels and row ids."""

    labels: Any = None

    def take(self, rows: Any) -> "Data":
        """Some of the rows, by position or mask."""
        labels = None if self.labels is None else self.labels.iloc[rows]
        ids = self.ids.iloc[rows].reset_index(drop=True)
        return Data(self.name, self.features.iloc[rows], ids, labels)


def shown_name(source: str) -> str:
    """What messages call a file."""
    return "stdin" if source == "-" else visible(source)


def check_folder(path: str) -> None:
    """Check that the folder of an output file exists, before any long work starts."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)


def check_output(path: str) -> None:
    """Check that a table can be written to a file of this name, before any long work starts."""
    check_folder(path)
    check_target(path)


def read_table(
    source: str, label: str | None, given: dict[str, Any], optional: Sequence[str] = ()
) -> Data:
    """Read a table and separate its features, labels and row ids.

    The columns in ``optional`` may be missing.
    """
    named = [*([label] if label is not None else []), *given["ids"]]
    with warnings_as_notes():
        frame = read_data(source, named, given["reading"])
    return _separate(frame, label, given, source, optional)


def read_parts(
    model: Model, source: str, label: str | None, given: dict[str, Any]
) -> Iterator[Data]:
    """Read the rows to predict in parts if their file allows it, otherwise whole."""
    names, features = None, model.feature_names
    if features is not None and not given["reading"].transpose:
        names = parquet_columns(source, features)
    if features is None or names is None:
        yield read_table(source, label, given, optional=given["drop"])
        return
    used = {*features, *given["ids"]} | ({label} if label is not None else set())
    surplus = [name for name in names if name not in used | {*given["drop"]}]
    with warnings_as_notes():
        warn_of(surplus_columns(source, surplus))
    for frame in parquet_parts(source, [name for name in names if name in used]):
        yield _separate(frame, label, given, source, optional=given["drop"])


def _separate(
    frame: pd.DataFrame,
    label: str | None,
    given: dict[str, Any],
    source: str,
    optional: Sequence[str] = (),
) -> Data:
    """Separate the features of a table from its labels, row ids and dropped columns."""
    ids, drop, shown = list(given["ids"]), list(given["drop"]), shown_name(source)
    named = [*([label] if label is not None else []), *ids, *drop]
    names = frame.columns.tolist()
    for name in named:
        if name not in names and name not in optional:
            wrong = wrong_separator(shown, names, [name])
            hint = None if given["reading"].transpose else transpose_hint(frame, [name])
            missing = f"{shown} has no column {name!r}: {hint}" if hint else None
            raise click.UsageError(wrong or missing or no_column(name, names, shown))
    for name, option in [(label, "-y"), *((one, "--id") for one in ids)]:
        if names.count(name) > 1:
            raise click.UsageError(
                f"{names.count(name)} columns of {shown} are called {name!r}, so that {option} "
                "does not say which one is meant: rename them."
            )
    position = {name: names.index(name) for name in named if name in names}
    features = frame.iloc[:, [j for j, name in enumerate(names) if name not in position]]
    if features.shape[1] == 0:
        raise ValueError(f"{shown} has no columns besides {few(named)}.")
    columns = {name: frame.iloc[:, position[name]].array for name in ids}
    row_ids = pd.DataFrame(columns or {"row": frame.index})
    labels = frame.iloc[:, position[label]] if label in position else None
    return Data(shown, features, row_ids, labels)
