"""Kinds of cells, and checks of tables that do not come from text files."""

import re

import numpy as np
import pandas as pd
import pytest

from pycdf.inputs import table_checks as checks
from pycdf.inputs.cell_kinds import cell_kind, text_columns
from pycdf.inputs.label_checks import class_counts, label_findings
from pycdf.inputs.labels import read_labels

KINDS = {
    "number": ["1", " 2.5 ", "-3e5", ".5", "0x1F", "Inf", 4, 2.5, True, np.int64(3)],
    "blank": ["", "  ", "NA", "NaN", None, np.nan, pd.NA],
    "marker": ["n/a", "N/A", "#N/A", "-", "?", ".", "null", "Unknown", "n.d."],
    "comma": ["3,2", "-0,5", ",5", "1.234,5", "1,5e3", "1,234", "1,234.5", "1'234.5"],
    "unit": ["3.2 mg", "5%", "5 %", "12mm", "0,5 mg/l", "37°C", "$5", "3 mmHg", "10kg"],
    "limit": ["<0.5", "> 10", "≤3", "<0,5 mg", "~7", "<=2"],
    "text": ["high", "1a", "T2", "2b", "IIb", "p17", "2024-01-05", "3/4", "1 2", "a,b", "3-5"],
}


def test_cells_have_kinds():
    checked = 0
    for kind, cells in KINDS.items():
        for cell in cells:
            assert cell_kind(cell) == kind, cell
            checked += 1
    assert checked == 60


def table(**columns):
    frame = pd.DataFrame(columns)
    return checks.Table("t.xlsx", frame, pd.DataFrame({"row": range(1, len(frame) + 1)}))


def test_text_in_a_table_of_another_format():
    """A workbook or a Parquet file can hold numbers as text, whatever --decimal says."""
    mixed = table(
        a=pd.Series(["3,5", "4", "2,25", None], dtype=object),
        b=pd.Categorical(["1,5", "2,5", "2,5", "1,5"]),
        c=[1.0, 2.0, 3.0, 4.0],
    )
    (found,) = checks.unreadable_columns(mixed)
    assert found.stop
    assert found.message == (
        "2 of 3 columns of t.xlsx cannot be read as numbers ('a', 'b'): cells are written with a "
        "comma, such as '3,5' in column 'a', row 1. Pass decimal=',' if it is the decimal mark; if "
        "it separates thousands, save the file without such separators."
    )
    assert [column.name for column in text_columns(mixed.features)] == ["a", "b"]


@pytest.mark.parametrize(("count", "stops"), [(9, False), (10, True)])
def test_half_of_the_cells_decide(count, stops):
    cells = [f"{row} mg" for row in range(count)] + [str(row) for row in range(10)]
    found = checks.unreadable_columns(table(a=pd.Series(cells, dtype=object)))
    assert [one.stop for one in found] == [stops]


def test_a_column_of_missing_values_is_empty_and_not_text():
    marked = table(a=["n/a", "-"], b=[1.0, 2.0], c=[None, None])
    assert checks.unreadable_columns(marked, of_model=True) == []
    assert checks.empty_rows(marked.features).tolist() == [False, False]
    assert checks.empty_rows(marked.features[["a", "c"]]).tolist() == [True, True]


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("a", range(1, 21), True),
        ("a", range(100, 300, 10), True),
        ("a", [*range(1, 20), 19], False),  # not all different
        ("a", np.arange(20) / 2, False),  # not whole
        ("a", np.random.default_rng(1).permutation(20), False),  # not in order
        ("sample", np.random.default_rng(1).permutation(20), True),
        ("Patient ID", np.random.default_rng(1).permutation(20), True),
        ("Unnamed: 0", np.random.default_rng(1).permutation(20), True),
        ("acid", np.random.default_rng(1).permutation(20), False),
        ("sample", np.arange(20) % 7, False),
        ("a", range(1, 6), False),  # too few rows
    ],
)  # fmt: skip
def test_ids_among_the_features(name, values, told):
    assert bool(checks.id_columns(table(**{name: list(values)}))) == told


@pytest.mark.parametrize(
    ("labels", "stops"),
    [
        (np.arange(140) % 14, False),  # classes 0 to 13
        (np.arange(28) % 14, False),
        (np.arange(100) % 25, True),  # four rows for each of 25 numbers: ages
        (np.arange(200) % 25, False),
        (np.arange(60) / 7, True),
        (np.arange(60) % 3 / 2, False),  # doses
        (np.arange(400) % 40 / 3, True),
        ([f"p{row}" for row in range(10)], True),
        ([f"p{row}" for row in range(9)], False),  # too few rows to tell
        ([f"p{row // 2}" for row in range(20)], False),
        ([f"p{row // 2}" for row in range(19)], True),
        (["a", "b"] * 5, False),
    ],
)
def test_labels_that_are_no_classes(labels, stops):
    read = read_labels(list(labels))
    found = label_findings(table(x=[1.0] * len(labels)), "Y", read)
    assert [one.stop for one in found] == [True] * stops
    assert not [one for one in label_findings(table(x=[1.0] * len(labels)), "Y", read,
                                              many_classes=True) if one.stop]  # fmt: skip


def test_classes_are_counted():
    assert class_counts(read_labels(["b", "a", "b", None])) == "2 classes: b (2), a (1)"
    many = class_counts(read_labels([f"c{row}" for row in range(14)]))
    assert many.startswith("14 classes: c0 (1), c1 (1), ")
    assert many.endswith("c11 (1) and 2 more")


def test_whole_numbers_that_rise_at_first_are_no_ids():
    rising = np.arange(200.0)
    found = checks.id_columns(table(a=rising, b=np.where(rising == 150, 149.5, rising)))
    assert [one.message[:38] for one in found] == ["1 column of t.xlsx looks like an id ('"]
    assert "('a')" in found[0].message


def test_rows_are_named_by_their_ids():
    ids = pd.DataFrame({"id": ["p1", None, "", "p4"], "visit": [1, 2, None, 4]}, dtype=object)
    named = checks.Table("t.csv", pd.DataFrame({"a": [1.0] * 4}), ids)
    assert named.rows([0]) == "row 1 (p1, 1)"
    assert named.rows([1, 2]) == "rows 2 (2), 3"
    assert named.rows([0, 1, 2, 3]) == "rows 1 (p1, 1), 2 (2), 3 and 1 more"


@pytest.mark.parametrize(("count", "more"), [(3, ""), (4, " and 1 more"), (5, " and 2 more")])
def test_variants_of_labels_are_listed_up_to_three(count, more):
    words = ["low", "mid", "high", "top", "none"][:count]
    labels = read_labels([*words, *(word.upper() for word in words)] * 3)
    texts = [one.message for one in label_findings(table(a=[1.0] * 6 * count), "y", labels)
             if one.kind == "label_variants"]  # fmt: skip
    (text,) = texts
    assert text.count("(3)") == 6
    assert text.endswith(f"(3){more}. Spell each class in one way.")


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["ill", "well"] * 5 + ["wlel"], ["has", "'wlel' (or 'well'?), in row 11", "it is"]),
        (["a", "b"] * 4 + ["zzz"], None),  # too few rows
        (["a", "b"] * 5, None),
        (["a"] * 9 + ["b"], ["has", "'b', in row 10", "it is"]),
        ([10, 11] * 9 + [111], ["has", "'111', in row 19", "it is"]),
        (["a", "b"] * 5 + ["x", "y", "z"],
         ["have", "'x', 'y', 'z', in rows 11, 12, 13", "they are"]),
        (["low", "high"] * 9 + ["lwo", None, "hihg", "x", "y"],
         ["have", "'lwo', 'hihg' (or 'high'?), 'x' and 1 more, in rows 19, 21, 22 and 1 more",
          "they are"]),
    ],
)  # fmt: skip
def test_a_class_of_a_single_row_may_be_misspelt(labels, told):
    found = label_findings(table(a=[1.0] * len(labels)), "y", read_labels(labels))
    texts = [one.message for one in found if one.kind == "single_rows"]
    if told is None:
        assert texts == []
    else:
        (text,) = texts
        assert re.search(rf"^\d class(es)? in column 'y' of t.xlsx {told[0]} a single row: ", text)
        assert f" row: {told[1]}. Correct " in text
        assert text.endswith(f"if {told[2]} misspelt: a forest learns little from one row.")
    assert not any(one.stop for one in found)
    meant = label_findings(
        table(a=[1.0] * len(labels)), "y", read_labels(labels), many_classes=True
    )
    assert not any(one.kind == "single_rows" for one in meant)


@pytest.mark.parametrize(
    ("numbers", "stops"),
    [
        (list(range(20)), False),
        (list(range(21)), True),
        ([one + 0.5 for one in range(10)], False),
        ([one + 0.5 for one in range(11)], True),
    ],
)
def test_how_many_numbers_are_too_many_for_classes(numbers, stops):
    """With two rows each, more than 20 whole numbers or 10 fractions look like measurements."""
    labels = read_labels(numbers * 2)
    found = label_findings(table(a=[1.0] * len(numbers) * 2), "y", labels)
    assert [one.kind for one in found] == ["not_classes"] * stops


@pytest.mark.parametrize(("count", "stops"), [(30, False), (31, True)])
def test_more_than_30_fractions_are_no_classes_however_many_rows_they_have(count, stops):
    labels = read_labels([one + 0.5 for one in range(count)] * 6)
    found = label_findings(table(a=[1.0] * count * 6), "y", labels)
    assert [one.kind for one in found] == ["not_classes"] * stops


def test_as_many_classes_as_are_listed():
    twelve = class_counts(read_labels([f"c{row}" for row in range(12)]))
    assert twelve.endswith("c10 (1), c11 (1)")
    assert class_counts(read_labels(["a", "b", "a"]), most=1) == "2 classes: a (2) and 1 more"


@pytest.mark.parametrize(
    ("labels", "what"),
    [
        (range(25), "a different label in each of 25 rows, as an id does"),
        ([row + 0.5 for row in range(25)], "25 different numbers in 25 rows, as a measurement"),
        ([row // 2 for row in range(60)], "30 different numbers in 60 rows, as a measurement does"),
        ([f"p{row // 2}" for row in range(21)], "11 different labels in 21 rows, too many for"),
        (["a"] * 12, "only the class 'a': a forest needs rows of at least two classes."),
        ([None] * 12, "no label: a forest needs rows of at least two classes."),
    ],
)
def test_what_labels_seem_to_be(labels, what):
    read = read_labels(list(labels))
    (found,) = label_findings(table(x=[1.0] * len(read.codes)), "Y", read)
    assert found.message.startswith(f"column 'Y' of t.xlsx has {what}")


@pytest.mark.parametrize(("rows", "stops"), [(104, True), (105, False)])
def test_five_rows_of_each_number_are_enough_for_classes(rows, stops):
    labels = read_labels([row % 21 for row in range(rows)])
    found = label_findings(table(x=[1.0] * rows), "Y", labels)
    assert [one.stop for one in found] == [True] * stops


@pytest.mark.parametrize(("rows", "told"), [(9, False), (10, True)])
def test_ten_rows_in_order_are_no_coincidence(rows, told):
    assert bool(checks.id_columns(table(a=list(range(rows))))) == told


def test_ids_and_names_in_words():
    order = np.random.default_rng(1).permutation(20)
    ids = checks.id_columns(table(sample=order, b=order * 1.5, c=range(20)))
    assert [one.message for one in ids] == [
        "2 columns of t.xlsx look like ids ('sample', 'c') and are used as features: whole "
        "numbers, different in every row. Leave them out with drop."
    ]
    (found,) = checks.repeated_names(["b", "a", "b", "c", "a", "b"], "t.csv")
    assert found.message.startswith("2 column names of t.csv occur more than once ('b', 'a'): ")
    assert not found.stop
    assert checks.repeated_names(["a", "b"], "t.csv") == []


def test_text_cells_among_numbers_are_located():
    some = table(
        a=pd.Series([1, "n/a", "high", "low", 5, 6], dtype=object),
        b=["x", "y", "n/a", "z", "x", "x"],
    )
    plain, cells = checks.unreadable_columns(some)
    assert plain.message.startswith("1 column of t.xlsx holds text and is left out: 'b'.")
    assert cells.message == (
        "3 cells of text in 1 column of t.xlsx ('a') are read as missing, such as 'high' in "
        "column 'a', row 3."
    )
    (stop,) = checks.unreadable_columns(some, of_model=True)
    assert stop.message == (
        "1 column of t.xlsx that the model uses cannot be read as numbers ('b'): cells are text, "
        "such as 'x' in column 'b', row 1. Write numbers, or leave the column out."
    )


def test_rows_without_values():
    frame = pd.DataFrame({"a": [1.0, np.nan, np.nan, np.nan], "b": ["x", "2", "n/a", None]})
    empty = checks.empty_rows(frame)
    assert empty.tolist() == [False, False, True, True]
    rows = checks.Table("t.csv", frame, pd.DataFrame({"row": range(1, 5)}))
    (found,) = checks.no_values(rows, empty, "train")
    assert found.message == (
        "2 rows of t.csv have no value in any column: rows 3, 4. They are used in training, as "
        "in R."
    )
    assert checks.no_values(rows, empty & False, "train") == []


@pytest.mark.parametrize(
    ("header", "sep"),
    [(["a;b;c"], "';'"), (["id", "x", "y", "a\tb"], r"'\t'"), (["1", "2", "3", "4", "a|b"], None),
     (['"a" , "z"'], "','"), (["a b"], None)],
)  # fmt: skip
def test_a_header_in_one_cell(header, sep):
    text = checks.wrong_separator("t.csv", header, ["a", "b"])
    assert (text is None) == (sep is None)
    assert sep is None or text.endswith(f"is one cell. Pass sep={sep}.")


def test_the_most_frequent_cause_is_named():
    units, commas = ["1 mg", "2 mg"], ["1,5", "2,5"]
    (found,) = checks.unreadable_columns(table(a=commas, b=units, c=units, d=[1.0, 2.0]))
    assert found.message == (
        "3 of 4 columns of t.xlsx cannot be read as numbers ('a', 'b', 'c'): cells have a unit, "
        "such as '1 mg' in column 'b', row 1. Keep only the number in a cell, and write the unit "
        "into the header."
    )
    cells = ["1", "2", "3", "n/a", "<5"]
    some = table(a=cells, b=["1", "x", "2", "3", "4"])
    (found,) = checks.unreadable_columns(some)
    assert found.message.startswith("3 cells of text in 2 columns of t.xlsx ('a', 'b') are read")
    assert found.message.endswith("such as '<5' in column 'a', row 5.")


def test_what_commands_do_with_rows_without_values():
    rows = table(a=[np.nan, np.nan, 1.0])
    one = np.array([True, False, False])
    (found,) = checks.no_values(rows, one, "predict")
    assert found.message.endswith(
        "row 1. It gets no prediction (allow_empty=True predicts it as R does)."
    )
    (found,) = checks.no_values(rows, np.array([True, True, False]), "cv")
    assert found.message.endswith("and do not count (allow_empty=True counts them).")
    assert checks.empty_columns("t.csv", ["a", "b"], np.array([False, False])) == []
    (found,) = checks.empty_columns("t.csv", ["a", "b"], np.array([False, True]))
    assert found.message == "1 column that the model uses is empty in t.csv: 'b'."


def test_one_cell_alone_can_be_a_number_written_otherwise():
    (found,) = checks.unreadable_columns(table(a=["1,5", None, "n/a"], b=[1.0, 2.0, 3.0]))
    assert found.stop


def test_cells_of_a_text_column_can_be_anything():
    """Also what is no key of a dict; and 1 equals True, which is another kind."""
    cells = ["1.5", "x", {"a": 1}, [2], True, 1, None, "x"]
    [column] = text_columns(pd.DataFrame({"c": pd.Series(cells, dtype=object)}))
    counted = [cell_kind(cell) for cell in cells]
    assert column.counts == {kind: counted.count(kind) for kind in counted}
