"""The notes on the inputs: when one is due, and what it says.

Each function checks for one kind of change and returns its notes, usually none or one. The first
sentence of a note says what was done, the last one what to do about it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.base_r.numbers import parse_number
from pycdf.inputs.labels import Labels, read_labels
from pycdf.inputs.matching import Match
from pycdf.inputs.notes import Note
from pycdf.inputs.tables import Matrix, has_own_names
from pycdf.support.wording import agree, few, plain, plural, shown

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.intp]


def _note(kind: str, names: Sequence[Any], message: str, count: int | None = None) -> Note:
    found = tuple([name if type(name) is str else plain(name) for name in names])
    return Note(kind, len(names) if count is None else count, found, message)


def labels_in_columns(
    train: Matrix, columns: Floats, labels: Labels, names: pd.Index
) -> list[Note]:
    """Note columns that equal the labels, as numbers or as text."""
    equal = _equal_to_labels(train, columns, labels)
    if not len(equal):
        return []
    found = names.take(equal).tolist()
    return [
        _note(
            "labels_in_columns",
            found,
            f"{agree(found, 'column', 'columns')} {few(found)} of xtrain "
            f"{agree(found, 'equals', 'equal')} ytrain: were the labels left among the columns? "
            "Drop them from xtrain and xtest.",
        )
    ]


def _equal_to_labels(train: Matrix, columns: Floats, labels: Labels) -> Longs:
    """Positions of the columns that equal the labels."""
    rows = labels.codes >= 0
    codes = labels.codes[rows]
    found = np.empty(0, dtype=np.intp)
    numbers = np.array(
        [_label_number(*pair) for pair in zip(labels.values, labels.texts, strict=True)]
    )
    if not np.isnan(numbers).any():
        found = np.flatnonzero(columns[:, 0] == numbers[codes[0]])
        for row in range(1, len(codes)):
            if not len(found):
                break
            found = found[columns[found, row] == numbers[codes[row]]]
    text = [
        j for j, column in train.lost.items() if _same_text(read_labels(column.cells), labels, rows)
    ]
    return np.union1d(found, np.array(text, dtype=np.intp))


def _label_number(value: Any, text: str) -> float:
    return float(value) if isinstance(value, bool | np.bool) else parse_number(text)


def _same_text(column: Labels, labels: Labels, rows: npt.NDArray[np.bool_]) -> bool:
    if column.texts == labels.texts:
        return bool((column.codes[rows] == labels.codes[rows]).all())
    ours = np.array([*column.texts, ""])[column.codes[rows]]
    return bool((ours == np.array(labels.texts)[labels.codes[rows]]).all())


def dropped_rows(rows: npt.NDArray[np.bool_]) -> list[Note]:
    """Note the rows without a label, which are dropped."""
    if rows.all():
        return []
    gone = np.flatnonzero(~rows).tolist()
    text = (
        f"{plural(len(gone), 'row')} of {len(rows):,} in xtrain had no label in ytrain "
        f"(missing or blank) and {agree(gone, 'was', 'were')} left out: {few(gone)}."
    )
    return [_note("dropped_rows", gone, text)]


def text_became_missing(matrix: Matrix, argument: str, used: Longs | None = None) -> list[Note]:
    """Note cells of text that are not numbers, in the columns ``used`` (None: in all)."""
    at = [j for j in matrix.lost if used is None or j in used]
    if not at:
        return []
    found = at if matrix.names is None else matrix.names.take(at).tolist()
    cells = sum(matrix.lost[j].lost for j in at)
    example = matrix.lost[at[0]].example
    if matrix.flat:
        text = (
            f"{argument} is one column of text, and {plural(cells, 'cell')} (such as "
            f"{shown(example)}) became missing: pass the rows to predict, as a table with the "
            "columns of xtrain."
        )
    else:
        text = (
            f"{plural(cells, 'cell')} of text in {plural(len(found), 'column')} of {argument} "
            f"({few(found)}) became missing: {shown(example)} is not a number. "
            "Leave such columns out, or convert them to numbers (pandas.get_dummies)."
        )
    return [_note("text_became_missing", found, text, cells)]


def dates_in_seconds(train: Matrix, test: Matrix, match: Match, kept: Longs) -> list[Note]:
    """Note columns of dates that are times at midnight, as parsed dates are."""
    if not train.midnights and not test.midnights:
        return []
    in_test = [
        j for i, j in zip(kept, match.source[kept], strict=True)
        if j in test.midnights and i not in train.midnights
    ]  # fmt: skip
    notes = []
    for matrix, argument, at in (
        (train, "xtrain", [j for j in train.midnights if j in kept]),
        (test, "xtest", in_test),
    ):
        if at:
            found = at if matrix.names is None else matrix.names.take(at).tolist()
            text = (
                f"{plural(len(found), 'column')} of {argument} ({few(found)}) "
                f"{agree(found, 'has', 'have')} only times at midnight, in seconds as R's "
                "POSIXct. R's Date counts days, which gives a different forest: for days pass "
                "dates, by .dt.date in pandas or .astype('datetime64[D]') in NumPy."
            )
            notes.append(_note("dates_in_seconds", found, text))
    return notes


def dropped_columns(names: pd.Index, columns: Floats, kept: Longs) -> list[Note]:
    """Note the training columns that are dropped, by reason."""
    if len(kept) == len(columns):
        return []
    dropped = np.ones(len(columns), dtype=np.bool_)
    dropped[kept] = False
    gone = np.flatnonzero(dropped)
    values = columns[gone]
    missing = np.isnan(values)
    empty = missing.all(axis=1)
    first = values[np.arange(len(gone)), missing.argmin(axis=1)]
    constant = ~empty & (missing | (values == first[:, np.newaxis])).all(axis=1)
    found = names.take(gone).tolist()
    parts = []
    for reason, which in (
        ("constant", constant),
        ("all missing", empty),
        ("infinite, or too large or small for a standard deviation", ~(constant | empty)),
    ):
        if which.any():
            parts.append(f"{reason}: {few([found[j] for j in np.flatnonzero(which)])}")
    text = (
        f"{plural(len(gone), 'column')} of {len(columns):,} in xtrain "
        f"{agree(gone, 'was', 'were')} left out ({'; '.join(parts)})."
    )
    return [_note("dropped_columns", found, text)]


def matching(train: Matrix, test: Matrix, match: Match, names: pd.Index, kept: Longs) -> list[Note]:
    """Note anything unusual about how the test columns were matched."""
    p, width = len(match.source), test.values.shape[1]
    notes: list[Note] = []
    if not len(test.values):
        return notes
    if has_own_names(train) != has_own_names(test) and not match.by_name and not test.flat:
        named, bare = ("xtrain", "xtest") if has_own_names(train) else ("xtest", "xtrain")
        text = (
            f"{named} has column names and {bare} has none: columns were matched by position. "
            "Pass both with names, or both without."
        )
        notes.append(_note("matched_by_position", (), text))
    if len(match.shared):
        text = (
            f"{plural(len(match.shared), 'name')} ({few(match.shared)}) "
            f"{'occur' if len(match.shared) > 1 else 'occurs'} more than once in xtrain: each copy "
            "uses the first column of that name in xtest. Give the columns unique names."
        )
        notes.append(_note("duplicated_names", match.shared, text))
    filled = names.take(kept[match.source[kept] < 0]).tolist()
    if filled:
        notes.append(_note("filled_columns", filled, _filled_text(test, match, filled, p, width)))
    if len(match.surplus):
        extra = (match.surplus if test.names is None else test.names.take(match.surplus)).tolist()
        which = f"not in xtrain ({few(extra)})" if match.by_name else f"beyond xtrain's {p:,}"
        were_they = agree(extra, "it was", "they were")
        text = f"xtest has {plural(len(extra), 'column')} {which}: {were_they} ignored."
        notes.append(_note("ignored_columns", extra, text))
    return notes


def _filled_text(test: Matrix, match: Match, filled: list[Any], p: int, width: int) -> str:
    with_medians = f"{agree(filled, 'was', 'were')} filled with the medians of xtrain"
    if test.flat:
        return (
            f"xtest has one dimension: its {len(test.values):,} values are as many rows of one "
            f"column, and {plural(len(filled), 'column')} {with_medians}. For one row pass [xtest]."
        )
    if not match.by_name:
        return (
            f"xtest has {plural(width, 'column')} and xtrain {p:,}: "
            f"{plural(len(filled), 'column')} ({few(filled)}) {with_medians}. "
            "Pass xtest with all columns of xtrain."
        )
    if test.names is not None and (match.source < 0).all():
        return (
            f"no column of xtest ({few(test.names.tolist())}) has the name of one of xtrain's "
            f"({few(filled)}): all were filled with the medians of xtrain, and every test row gets "
            "the same prediction. Rename the columns, or match by position: xtest.to_numpy()."
        )
    return (
        f"{plural(len(filled), 'column')} of xtrain ({few(filled)}) not in xtest {with_medians}. "
        "Pass xtest with all columns of xtrain."
    )
