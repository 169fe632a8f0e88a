"""Tables that commands write: to files and pipes as data, to a terminal as text that is safe."""

import sys
from pathlib import Path
from typing import Any

import click
import pandas as pd

from pycdf.files.tables.formulas import escape_formulas
from pycdf.files.tables.writing import write_data
from pycdf.support.wording import visible


def check_escaping(output: str, escape: bool) -> None:
    """Refuse --escape-formulas for a format that has none."""
    if escape and Path(output).suffix.lower() in (".parquet", ".pq"):
        raise click.UsageError("--escape-formulas is for CSV and TSV: leave it out for Parquet.")


def write_table(table: pd.DataFrame, output: str, escape: bool = False) -> None:
    """Write a table to a file, or CSV to stdout; ``escape`` escapes formulas of spreadsheets."""
    if output == "-" and sys.stdout.isatty():
        table = visible_table(table)
    write_data(escape_formulas(table) if escape else table, output)


def show_table(table: pd.DataFrame, output: str, escape: bool = False) -> None:
    """Print an aligned table on a terminal; write a file, or CSV to a pipe."""
    if output == "-" and sys.stdout.isatty():
        click.echo(visible_table(table).to_string(index=False))
    else:
        write_table(table, output, escape)


def visible_table(table: pd.DataFrame) -> pd.DataFrame:
    """The table with control characters in its text and header made visible."""
    shown = table.rename(columns=lambda name: visible(str(name)))
    for j, dtype in enumerate(table.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):
            cells: Any = table.iloc[:, j].astype(object)
            cells = cells.map(lambda cell: visible(str(cell)), na_action="ignore")
            shown.isetitem(j, cells)
    return shown
