"""The rows that `pycdf plot` and `pycdf report` read besides a model: --data and --test."""

from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import click
import pandas as pd

from pycdf.cli.table_checks import check_model_columns, in_words, tell
from pycdf.cli.table_input import read_table, shown_name
from pycdf.files.tables.options import BY_CONTENT
from pycdf.forest.model import Model
from pycdf.inputs.label_checks import unlabelled
from pycdf.inputs.labels import read_labels
from pycdf.support.wording import plural


class Rows(NamedTuple):
    """Labelled rows of a table."""

    X: pd.DataFrame
    y: pd.Series
    ids: pd.DataFrame


def check_label(given: dict[str, Any]) -> None:
    """Refuse rows without a label column, and options for rows that are not there."""
    tables = [f"--{table}" for table in ("data", "test") if given[table] is not None]
    if tables and given["label"] is None:
        raise click.UsageError(f"{tables[0]} needs -y, the name of its label column.")
    if not tables and (
        any(given[name] for name in ("label", "ids", "drop")) or given["reading"] != BY_CONTENT
    ):
        raise click.UsageError(
            "-y, --id, --drop and options on how to read a table need rows to read: "
            "add --data FILE."
        )
    if given["data"] == given["test"] == "-":
        raise click.UsageError("--data and --test cannot both be stdin.")


def read_labelled_rows(model: Model, table: str, given: dict[str, Any]) -> Rows | None:
    """The labelled rows of a table; "data" must have as many as the model was trained on."""
    source = given[table]
    if source is None:
        return None
    optional = given["drop"] if table == "test" else ()
    read = read_table(source, given["label"], given, optional)
    assert read.labels is not None  # check_label requires -y
    labels = read_labels(read.labels)
    tell(unlabelled(read, given["label"], labels))
    check_model_columns(model, read)
    labelled = labels.codes >= 0
    rows = Rows(read.features[labelled], read.labels[labelled], read.ids[labelled])
    trained = int(model.forest.rows[0])
    if table == "data" and len(rows.y) != trained:
        raise click.UsageError(
            f"{read.name} has {plural(len(rows.y), 'labelled row')}, but the model was trained on "
            f"{trained:,}: --data must be the training rows (other rows go to --test)."
        )
    return rows


def in_file_words(given: dict[str, Any]) -> AbstractContextManager[None]:
    """Errors and notes about arguments, with the names of the files behind them."""
    data, test = given["data"] or given["test"], given["test"] or given["data"]
    column = f"column {given['label']!r}"
    words = {"y_test": column, "y": column}
    if data is not None and test is not None:
        words |= {"X_test": shown_name(test), "X": shown_name(data)}
    return in_words(words)
