"""Check a table from a file before a forest answers from it: columns, header, rows.

``CDF()`` accepts what R accepts. A file can be misread as a whole, and R's answer from it would
look plausible, so commands check it first. Each function returns :class:`Finding` objects; those
that ``stop`` must not be answered.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.inputs.cell_kinds import (
    COMMA,
    LIMIT,
    TEXT,
    UNIT,
    TextColumn,
    cell_kind,
    text_columns,
)
from pycdf.support.options import in_python, option
from pycdf.support.wording import agree, clipped, few, plural

Bools = npt.NDArray[np.bool_]

_FEWEST = 10  # rows in which whole numbers in order are no coincidence
_ID_NAME = re.compile(
    r"(?:.*[\W_])?(?:id|ids|nr|no|number|index|idx|key|barcode|accession|patient|sample|subject|"
    r"participant|case|record|row|unnamed)(?:[\W_]*(?:id|nr|no|number|name|code|\d+))?",
    re.IGNORECASE,
)
_REMEDIES = {
    UNIT: "keep only the number in a cell, and write the unit into the header",
    LIMIT: "write a number, or leave the cell blank",
    TEXT: "write numbers, or leave the column out",
}
_WRITTEN = {
    COMMA: "are written with a comma",
    UNIT: "have a unit",
    LIMIT: "are limits",
    TEXT: "are text",
}


_USES_OF_EMPTY = {  # one row, several rows
    "predict": (
        "It gets no prediction ({allow} predicts it as R does).",
        "They get no prediction ({allow} predicts them as R does).",
    ),
    "train": ("It is used in training, as in R.", "They are used in training, as in R."),
    "cv": (
        "It is used in training, as in R, and does not count ({allow} counts it).",
        "They are used in training, as in R, and do not count ({allow} counts them).",
    ),
}


@dataclass(frozen=True)
class Finding:
    """Something about a table that a user should know before an answer."""

    kind: str
    message: str
    stop: bool = False
    """Whether there must be no answer."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table as messages speak of it."""

    name: str
    """The file, or "stdin"."""
    features: pd.DataFrame
    ids: pd.DataFrame
    """The columns that identify rows; without any, a column ``row`` of numbers or row names."""

    def rows(self, positions: Sequence[int], most: int = 3) -> str:
        """Some rows as the user knows them: ``row 3``, ``rows 3 (p17), 7 (p2) and 5 more``."""
        own = self.ids.columns.tolist() != ["row"]
        shown = []
        for position in positions[:most]:
            cells = [str(one) for one in self.ids.iloc[position] if not pd.isna(one) and str(one)]
            names = clipped(", ".join(cells))
            numbered = f"{position + 1} ({names})" if names else f"{position + 1}"
            shown.append(numbered if own else names)
        more = f" and {len(positions) - most:,} more" if len(positions) > most else ""
        return f"{agree(positions, 'row', 'rows')} {', '.join(shown)}{more}"


def repeated_names(names: Sequence[Any], name: str) -> list[Finding]:
    """Note names that several columns share."""
    shared = [one for one, count in pd.Series(names, dtype=object).value_counts().items()
              if count > 1]  # fmt: skip
    if not shared:
        return []
    shared = [one for one in dict.fromkeys(names) if one in set(shared)]
    text = (
        f"{plural(len(shared), 'column name')} of {name} {agree(shared, 'occurs', 'occur')} more "
        f"than once ({few(shared)}): other tables can then only be matched by position. Give the "
        f"columns different names, or leave them out with {option('drop')}."
    )
    return [Finding("repeated_names", text)]


def unreadable_columns(table: Table, *, of_model: bool = False) -> list[Finding]:
    """Check for columns of numbers that cannot be read, and for text among numbers.

    The columns of a model must hold numbers. In training, a column of plain text is left out.
    """
    found = text_columns(table.features)
    stops = [
        one
        for one in found
        if one.written_otherwise or (of_model and one.texts and not one.numbers)
    ]
    if stops:
        return [_stop(table, stops, of_model)]
    findings = []
    if plain := [one.name for one in found if one.texts and not one.numbers]:
        text = (
            f"{plural(len(plain), 'column')} of {table.name} {agree(plain, 'holds', 'hold')} text "
            f"and {agree(plain, 'is', 'are')} left out: {few(plain)}. Encode what matters as "
            f"numbers, name ids with {option('id')}, and leave out the rest with {option('drop')}."
        )
        findings.append(Finding("text_columns", text))
    if partly := [one for one in found if one.numbers]:
        row, cell = partly[0].first[partly[0].cause]
        cells = sum(one.lost for one in partly)
        text = (
            f"{plural(cells, 'cell')} of text in {plural(len(partly), 'column')} of {table.name} "
            f"({few([one.name for one in partly])}) {agree(cells, 'is', 'are')} read as "
            f"missing, such as {clipped(cell)!r} in column {partly[0].name!r}, {table.rows([row])}."
        )
        findings.append(Finding("text_cells", text))
    return findings


def _stop(table: Table, stops: list[TextColumn], of_model: bool) -> Finding:
    """The refusal of a table with unreadable columns, with the most frequent cause."""
    causes = [one.cause for one in stops]
    cause = max(dict.fromkeys(causes), key=causes.count)
    example = next(one for one in stops if one.cause == cause)
    remedy = _REMEDIES.get(cause) or (
        f"pass {option('decimal', ',')} if it is the decimal mark; if it separates thousands, save "
        "the file without such separators"
    )
    row, cell = example.first[cause]
    names = [one.name for one in stops]
    width = plural(table.features.shape[1], "column")
    count = plural(len(names), "column") if of_model else f"{len(names):,} of {width}"
    used = " that the model uses" if of_model else ""
    text = (
        f"{count} of {table.name}{used} cannot be read as numbers ({few(names)}): cells "
        f"{_WRITTEN[cause]}, such as {clipped(cell)!r} in column {example.name!r}, "
        f"{table.rows([row])}. {remedy[0].upper()}{remedy[1:]}."
    )
    return Finding("unreadable_columns", text, stop=True)


def empty_columns(name: str, columns: Sequence[Any], empty: Bools) -> list[Finding]:
    """Note columns of a model that have no number in a table."""
    found = [column for column, none in zip(columns, empty.tolist(), strict=True) if none]
    if not found:
        return []
    text = (
        f"{plural(len(found), 'column')} that the model uses {agree(found, 'is', 'are')} empty in "
        f"{name}: {few(found)}."
    )
    return [Finding("empty_columns", text)]


def id_columns(table: Table) -> list[Finding]:
    """Note features that look like ids: whole numbers, all different, in order or named so."""
    frame = table.features
    if len(frame) < _FEWEST:
        return []
    numeric = np.flatnonzero([dtype.kind in "iuf" for dtype in frame.dtypes])
    start = frame.iloc[:_FEWEST, numeric].to_numpy(dtype=np.float64)
    with np.errstate(invalid="ignore"):
        in_order = np.all(np.diff(start, axis=0) > 0, axis=0)
        whole = np.all(start == np.floor(start), axis=0)
    found = []
    for at in np.flatnonzero(whole).tolist():
        name = frame.columns[numeric[at]]
        named = _ID_NAME.fullmatch(str(name).strip()) is not None
        if not (in_order[at] or named):
            continue
        values = frame.iloc[:, int(numeric[at])].to_numpy(dtype=np.float64)
        steps = np.diff(values)
        if (values != np.floor(values)).any():
            continue
        if (steps > 0).all() or (named and len(np.unique(values)) == len(values)):
            found.append(name)
    if not found:
        return []
    name_them = "Leave" if in_python() else f"Name ids with {option('id')}, or leave"
    like = agree(found, "looks like an id", "look like ids")
    used = agree(found, "is used as a feature", "are used as features")
    text = (
        f"{plural(len(found), 'column')} of {table.name} {like} ({few(found)}) and {used}: whole "
        f"numbers, different in every row. {name_them} them out with {option('drop')}."
    )
    return [Finding("id_columns", text)]


def empty_rows(frame: pd.DataFrame) -> Bools:
    """Which rows have no number in any column."""
    numeric = np.array([dtype.kind in "biufmM" for dtype in frame.dtypes], dtype=np.bool_)
    empty: Bools = np.all(frame.iloc[:, numeric].isna().to_numpy(), axis=1)
    for position in np.flatnonzero(~numeric).tolist():
        if not empty.any():
            break
        cells = frame.iloc[:, position].astype(object).tolist()
        for row in np.flatnonzero(empty):
            empty[row] = cell_kind(cells[row]) != "number"
    return empty


def no_values(table: Table, empty: Bools, use: Literal["predict", "train", "cv"]) -> list[Finding]:
    """Note the rows without any value, and what a command does with them."""
    rows = np.flatnonzero(empty).tolist()
    if not rows:
        return []
    use_of_them, allow = agree(rows, *_USES_OF_EMPTY[use]), option("allow_empty", True)
    text = (
        f"{plural(len(rows), 'row')} of {table.name} {agree(rows, 'has', 'have')} no value in any "
        f"column: {table.rows(rows)}. {use_of_them.format(allow=allow)}"
    )
    return [Finding("empty_rows", text)]


def wrong_separator(name: str, header: Sequence[Any], wanted: Sequence[str]) -> str | None:
    """The refusal if ``wanted`` columns are in one cell of the header, because of the separator."""
    columns = set(wanted)
    for cell in map(str, header[:4]):
        for sep in ";,\t|":
            if sep in cell and columns & {part.strip(' "') for part in cell.split(sep)}:
                return (
                    f"the header of {name} was not split into columns: {clipped(cell)!r} is one "
                    f"cell. Pass {option('sep', sep)}."
                )
    return None
