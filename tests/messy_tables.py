"""Tables with content that must not be answered from, or not without a word.

:func:`base` is a sound table of 30 rows; a :class:`MessyTable` spoils it in one way. ``training``
is what `train`, `cv` and `run` say about it as the training table, ``rows`` what `predict` and
`run` say about it as the rows to predict: a refusal, or notes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class MessyTable:
    """A spoiled table, and what commands say about it."""

    name: str
    spoil: Callable[[pd.DataFrame], Any]
    """Changes a copy of the base table; may return another table, or the text of a file."""
    training: str | tuple[str, ...] = ()
    """The refusal, or the notes; FILE stands for the name of the file."""
    rows: str | tuple[str, ...] = ()
    cv: str | tuple[str, ...] | None = None
    """What `cv` says, if it is not what `train` says; and the same for both tables of `run`."""
    run: str | tuple[str, ...] | None = None
    run_rows: str | tuple[str, ...] | None = None
    options: tuple[str, ...] = ()
    """Further options of the commands that train."""

    def write(self, folder):
        """Write the file; its name."""
        table = base()
        made = self.spoil(table)
        table = table if made is None else made
        text = table if isinstance(table, str) else table.to_csv(index=False)
        (folder / f"{self.name}.csv").write_text(text, encoding="utf-8")
        return f"{self.name}.csv"


def base():
    """Thirty patients of two classes, with four measurements."""
    rng = np.random.default_rng(7)
    values = rng.normal(5, 1, (30, 4)).round(3)
    values[::2] += 1.5
    frame = pd.DataFrame(values.round(3), columns=["x1", "x2", "x3", "x4"])
    frame.insert(0, "patient", [f"p{row}" for row in range(1, 31)])
    frame["Y"] = np.where(np.arange(30) % 2, "healthy", "tumour")
    return frame


def _set(column, cells):
    def spoil(table):
        table[column] = table[column].astype(object)
        for row, cell in cells(table).items():
            table.loc[row, column] = cell

    return spoil


def _whole(column, form):
    return _set(column, lambda table: {row: form(table[column][row]) for row in table.index})


def _some(column, cell, rows):
    return _set(column, lambda table: dict.fromkeys(rows, cell))


def _blank(rows, columns):
    return lambda table: (
        table.__setitem__(columns, table[columns].astype(object))
        or (table.loc.__setitem__((rows, columns), ""))
    )


def _header(old, new):
    return lambda table: table.set_axis([new if one == old else one for one in table], axis=1)


def _add(column, cells, at=1):
    return lambda table: table.insert(at, column, cells)


def _lines(*more):
    return lambda table: table.to_csv(index=False) + "".join(line + "\n" for line in more)


TABLES = [
    MessyTable("sound", lambda table: None),
    MessyTable(
        "unit",
        _whole("x1", lambda cell: f"{cell} mg"),
        training=(
            "1 of 4 columns of FILE cannot be read as numbers ('x1'): cells have a unit, such "
            "as '6.501 mg' in column 'x1', row 1 (p1). Keep only the number in a cell, and "
            "write the unit into the header."
        ),
        rows=(
            "1 column of FILE that the model uses cannot be read as numbers ('x1'): cells have "
            "a unit, such as '6.501 mg' in column 'x1', row 1 (p1). Keep only the number in a "
            "cell, and write the unit into the header."
        ),
    ),
    MessyTable(
        "percent",
        _whole("x2", lambda cell: f"{cell}%"),
        training=(
            "1 of 4 columns of FILE cannot be read as numbers ('x2'): cells have a unit, such "
            "as '6.799%' in column 'x2', row 1 (p1). Keep only the number in a cell, and write "
            "the unit into the header."
        ),
        rows=(
            "1 column of FILE that the model uses cannot be read as numbers ('x2'): cells have "
            "a unit, such as '6.799%' in column 'x2', row 1 (p1). Keep only the number in a "
            "cell, and write the unit into the header."
        ),
    ),
    MessyTable(
        "limits",
        _some("x1", "<0.5", range(5, 30)),
        training=(
            "1 of 4 columns of FILE cannot be read as numbers ('x1'): cells are limits, such as "
            "'<0.5' in column 'x1', row 6 (p6). Write a number, or leave the cell blank."
        ),
        rows=(
            "1 column of FILE that the model uses cannot be read as numbers ('x1'): cells are "
            "limits, such as '<0.5' in column 'x1', row 6 (p6). Write a number, or leave the "
            "cell blank."
        ),
    ),
    MessyTable(
        "few_limits",
        _some("x1", "<0.5", [3, 7]),
        training=(
            (
                "2 cells of text in 1 column of FILE ('x1') are read as missing, such as '<0.5' in "
                "column 'x1', row 4 (p4)."
            ),
        ),
        rows=(
            (
                "2 cells of text in 1 column of FILE ('x1') are read as missing, such as '<0.5' in "
                "column 'x1', row 4 (p4)."
            ),
        ),
    ),
    MessyTable(
        "remark",
        _some("x3", "see report", [11]),
        training=(
            (
                "1 cell of text in 1 column of FILE ('x3') is read as missing, such as 'see "
                "report' "
                "in column 'x3', row 12 (p12)."
            ),
        ),
        rows=(
            (
                "1 cell of text in 1 column of FILE ('x3') is read as missing, such as 'see "
                "report' "
                "in column 'x3', row 12 (p12)."
            ),
        ),
    ),
    MessyTable(
        "markers",
        _some("x3", "n/a", [11, 12]),
        training=(
            (
                "2 cells of text in 1 column of FILE ('x3') are read as missing, such as 'n/a' in "
                "column 'x3', row 12 (p12)."
            ),
        ),
        rows=(
            (
                "2 cells of text in 1 column of FILE ('x3') are read as missing, such as 'n/a' in "
                "column 'x3', row 12 (p12)."
            ),
        ),
    ),
    MessyTable(
        "words",
        _whole("x2", lambda cell: "high" if cell > 5 else "low"),
        training=(
            (
                "1 column of FILE holds text and is left out: 'x2'. Encode what matters as "
                "numbers, "
                "name ids with --id, and leave out the rest with --drop."
            ),
        ),
        rows=(
            "1 column of FILE that the model uses cannot be read as numbers ('x2'): cells are "
            "text, such as 'high' in column 'x2', row 1 (p1). Write numbers, or leave the "
            "column out."
        ),
    ),
    MessyTable(
        "site",
        _add("site", ["A", "B", "C"] * 10),
        training=(
            (
                "1 column of FILE holds text and is left out: 'site'. Encode what matters as "
                "numbers, name ids with --id, and leave out the rest with --drop."
            ),
        ),
        rows=("FILE has 1 column that the model does not have: 'site'.",),
    ),
    MessyTable(
        "twice",
        _header("x2", "x1"),
        training=(
            (
                "1 column name of FILE occurs more than once ('x1'): other tables can then only be "
                "matched by position. Give the columns different names, or leave them out with "
                "--drop."
            ),
        ),
        run=(
            "1 column name of FILE occurs more than once ('x1'), so that a column cannot be "
            "found by its name: give the columns different names."
        ),
        rows=(
            "1 column name of FILE occurs more than once ('x1'), so that a column cannot be "
            "found by its name: give the columns different names."
        ),
    ),
    MessyTable(
        "blank_rows",
        _lines(",,,,,", ",,,,,"),
        training=("2 rows of FILE have no label in column 'Y' and are left out: rows 31, 32.",),
        rows=(
            (
                "2 rows of FILE have no value in any column: rows 31, 32. They get no prediction "
                "(--allow-empty predicts them as R does)."
            ),
        ),
    ),
    MessyTable(
        "no_values",
        _blank([4, 9], ["x1", "x2", "x3", "x4"]),
        training=(
            (
                "2 rows of FILE have no value in any column: rows 5 (p5), 10 (p10). They are used "
                "in training, as in R."
            ),
        ),
        cv=(
            (
                "2 rows of FILE have no value in any column: rows 5 (p5), 10 (p10). They are used "
                "in training, as in R, and do not count (--allow-empty counts them)."
            ),
        ),
        rows=(
            (
                "2 rows of FILE have no value in any column: rows 5 (p5), 10 (p10). They get no "
                "prediction (--allow-empty predicts them as R does)."
            ),
        ),
    ),
    MessyTable(
        "empty_column",
        _blank(list(range(30)), ["x3"]),
        training=(
            "1 column of FILE does not vary, or has no usable numbers, and is left out: 'x3'.",
        ),
        rows=("1 column that the model uses is empty in FILE: 'x3'.",),
    ),
    MessyTable(
        "constant",
        lambda table: table.__setitem__("x3", 1.5),
        training=(
            "1 column of FILE does not vary, or has no usable numbers, and is left out: 'x3'.",
        ),
    ),
    MessyTable(
        "numbered",
        _add("nr", range(1, 31)),
        training=(
            (
                "1 column of FILE looks like an id ('nr') and is used as a feature: whole numbers, "
                "different in every row. Name ids with --id, or leave them out with --drop."
            ),
        ),
        run=(
            (
                "1 column of FILE looks like an id ('nr') and is used as a feature: whole numbers, "
                "different in every row. Name ids with --id, or leave them out with --drop."
            ),
            (
                "1 column of FILE is not in base.csv and is filled with the medians of FILE, as in "
                "R: 'nr'."
            ),
        ),
        rows=("FILE has 1 column that the model does not have: 'nr'.",),
    ),
    MessyTable(
        "patient_number",
        _add("patient_id", np.random.default_rng(1).permutation(30)),
        training=(
            (
                "1 column of FILE looks like an id ('patient_id') and is used as a feature: whole "
                "numbers, different in every row. Name ids with --id, or leave them out with "
                "--drop."
            ),
        ),
        run=(
            (
                "1 column of FILE looks like an id ('patient_id') and is used as a feature: whole "
                "numbers, different in every row. Name ids with --id, or leave them out with "
                "--drop."
            ),
            (
                "1 column of FILE is not in base.csv and is filled with the medians of FILE, as in "
                "R: 'patient_id'."
            ),
        ),
        rows=("FILE has 1 column that the model does not have: 'patient_id'.",),
    ),
    MessyTable(
        "count",
        _add("count", [3, 1, 4, 1, 5, 9] * 5),
        run=(
            (
                "1 column of FILE is not in base.csv and is filled with the medians of FILE, as in "
                "R: 'count'."
            ),
        ),
        rows=("FILE has 1 column that the model does not have: 'count'.",),
    ),
    MessyTable(
        "case",
        _some("Y", "Tumour", [0, 2]),
        training=(
            (
                "labels in column 'Y' of FILE differ only in case or blanks, and are different "
                "classes: 'Tumour' (2), 'tumour' (13). Spell each class in one way."
            ),
        ),
    ),
    MessyTable(
        "inner_blanks",
        _some("Y", "tu mour", [0, 2]),
        training=(
            (
                "labels in column 'Y' of FILE differ only in case or blanks, and are different "
                "classes: 'tu mour' (2), 'tumour' (13). Spell each class in one way."
            ),
        ),
    ),
    MessyTable(
        "unknown_label",
        _some("Y", "n/a", [0, 2]),
        training=(
            (
                "'n/a' in column 'Y' of FILE is a class of 2 rows: leave the cells blank if the "
                "label is missing."
            ),
        ),
    ),
    MessyTable(
        "no_label",
        _some("Y", "", [0, 1, 2, 3, 5]),
        training=(
            (
                "5 rows of FILE have no label in column 'Y' and are left out: rows 1 (p1), 2 (p2), "
                "3 (p3) and 2 more."
            ),
        ),
    ),
    MessyTable(
        "one_class",
        _whole("Y", lambda cell: "tumour"),
        training=(
            "column 'Y' of FILE has only the class 'tumour': a forest needs rows of at least "
            "two classes."
        ),
    ),
    MessyTable(
        "no_classes",
        _whole("Y", lambda cell: ""),
        training="column 'Y' of FILE has no label: a forest needs rows of at least two classes.",
        cv="--folds 2 is too many: there are only 0 labelled rows.",
    ),
    MessyTable(
        "measured",
        lambda table: table.__setitem__("Y", table["x1"] * 2 + 0.001),
        training=(
            "column 'Y' of FILE has 30 different numbers in 30 rows, as a measurement does. "
            "Name the column of the classes with -y; if these are classes, add --many-classes."
        ),
    ),
    MessyTable(
        "ages",
        lambda table: table.__setitem__("Y", 40 + np.arange(30) % 22),
        training=(
            "column 'Y' of FILE has 22 different numbers in 30 rows, as a measurement does. "
            "Name the column of the classes with -y; if these are classes, add --many-classes."
        ),
    ),
    MessyTable(
        "ids",
        lambda table: table.__setitem__("Y", [f"id{row}" for row in range(30)]),
        training=(
            "column 'Y' of FILE has a different label in each of 30 rows, as an id does. Name "
            "the column of the classes with -y; if these are classes, add --many-classes."
        ),
    ),
    MessyTable("codes", lambda table: table.__setitem__("Y", np.arange(30) % 14)),
    MessyTable("doses", lambda table: table.__setitem__("Y", np.arange(30) % 3 / 2)),
    MessyTable(
        "many", lambda table: table.__setitem__("Y", [f"c{row // 2 * 2 % 20}" for row in range(30)])
    ),
    MessyTable(
        "many_allowed",
        lambda table: table.__setitem__("Y", [f"id{row}" for row in range(30)]),
        options=("--many-classes",),
    ),
    MessyTable(
        "copy_of_labels",
        _add("outcome", ["tumour", "healthy"] * 15),
        training=(
            (
                "1 column of FILE holds text and is left out: 'outcome'. Encode what matters as "
                "numbers, name ids with --id, and leave out the rest with --drop."
            ),
            (
                "column 'outcome' of FILE equals the labels in 'Y': leave such columns out with "
                "--drop."
            ),
        ),
        rows=("FILE has 1 column that the model does not have: 'outcome'.",),
    ),
    MessyTable(
        "genes_in_rows",
        lambda table: table.set_index("patient").T.to_csv(),
        training=(
            "FILE has no column 'Y': 'Y' is in the row names. If the features are in rows and the "
            "samples in columns, pass --transpose."
        ),
        rows="FILE has no column 'patient': it has p1, p2, p3, ..., p29, p30 (30).",
    ),
    MessyTable(
        "lost_column",
        lambda table: table.drop(columns="x3"),
        run=("base.csv has 1 column that FILE does not have: 'x3'.",),
        rows="FILE has no column 'x3'.",
        run_rows=(
            (
                "1 column of base.csv is not in FILE and is filled with the medians of base.csv, "
                "as "
                "in R: 'x3'."
            ),
        ),
    ),
    MessyTable(
        "two_labels",
        _header("x2", "Y"),
        training=(
            "2 columns of FILE are called 'Y', so that -y does not say which one is meant: "
            "rename them."
        ),
        rows="FILE has no column 'x2'.",
        run_rows=(
            "2 columns of FILE are called 'Y', so that -y does not say which one is meant: "
            "rename them."
        ),
    ),
    MessyTable(
        "two_ids",
        _header("x2", "patient"),
        training=(
            "2 columns of FILE are called 'patient', so that --id does not say which one is "
            "meant: rename them."
        ),
        rows=(
            "2 columns of FILE are called 'patient', so that --id does not say which one is "
            "meant: rename them."
        ),
    ),
]
