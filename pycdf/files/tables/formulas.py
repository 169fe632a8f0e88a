"""Escape text that a spreadsheet would run as a formula when it opens a CSV file.

Spreadsheets treat a cell that starts with ``=``, ``+``, ``-`` or ``@`` as a formula, quoted or not.
A leading apostrophe makes it text.
"""

import re
from typing import Any

import pandas as pd

# A tab or carriage return in front is skipped by spreadsheets
_FORMULA = re.compile(r"[\t\r\n ]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?inf", re.ASCII)


def escape_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with an apostrophe before each text, or header, that looks like a formula.

    Numbers, and text that is a number, such as a label "-1.5", stay as they are.
    """
    escaped = frame.rename(columns=_escaped)
    for j, dtype in enumerate(frame.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):
            cells: Any = frame.iloc[:, j].astype(object).map(_escaped)
            escaped.isetitem(j, cells)
    return escaped


def _escaped(cell: Any) -> Any:
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
