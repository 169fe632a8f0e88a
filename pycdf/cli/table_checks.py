"""Check the tables of a command before it answers, and speak of them as the user does.

:mod:`pycdf.inputs.table_checks` and :mod:`pycdf.inputs.label_checks` find what is wrong; here a
command refuses it or prints notes. Notes of ``CDF()`` are about its arguments;
:func:`in_file_words` prints them with the names of files.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import click
import pandas as pd

from pycdf.cli.console import say_note, warnings_as_notes
from pycdf.cli.table_input import Data
from pycdf.files.tables.transposed import transpose_hint
from pycdf.forest.model import Model
from pycdf.inputs import table_checks as checks
from pycdf.inputs.cell_kinds import text_columns
from pycdf.inputs.label_checks import label_findings
from pycdf.inputs.labels import Labels, read_labels
from pycdf.inputs.notes import Note
from pycdf.inputs.table_checks import Finding, Table
from pycdf.support.options import option
from pycdf.support.wording import agree, few, plural

_TOLD_BEFORE = ("text_became_missing", "dropped_rows", "duplicated_names")  # by these checks


def tell(findings: Iterable[Finding]) -> None:
    """Print each finding as a note; one that stops ends the command."""
    found = list(findings)
    for finding in found:
        if finding.stop:
            raise click.ClickException(finding.message)
    for finding in found:
        say_note(finding.message)


class Checked(NamedTuple):
    """The labels of a training table, and the columns that a note has told of."""

    labels: Labels
    text_columns: tuple[Any, ...]


def check_training(
    data: Data, label: str, given: dict[str, Any], use: Literal["train", "cv"] = "train"
) -> Checked:
    """Check the table that forests are to grow on, and read its labels."""
    assert data.labels is not None
    labels = read_labels(data.labels, f"column {label!r} of {data.name}")
    labelled = labels.codes >= 0
    empty = checks.empty_rows(data.features) & labelled
    tell(
        [
            *checks.unreadable_columns(data),
            *label_findings(data, label, labels, many_classes=given["many_classes"]),
            *checks.repeated_names(data.features.columns.tolist(), data.name),
            *checks.id_columns(data.take(labelled)),
            *checks.no_values(data, empty, use),
        ]
    )
    text = [one.name for one in text_columns(data.features) if one.texts and not one.numbers]
    return Checked(labels, tuple(text))


def check_model_columns(model: Model, data: Data) -> None:
    """Check that the columns of a model are in a table, or part of one, and can be read."""
    names = model.feature_names
    if names is None:
        return
    header = data.features.columns.tolist()
    used = [names[j] for j in model.kept]
    if not {*used} & {*header}:
        _refuse_as_a_whole(data, used)
    if len({*names}) == len(names):
        wanted = {*used}
        _refuse_repeated([name for name in header if name in wanted], data.name)
    columns = [j for j, name in enumerate(header) if name in {*used}]
    table = Table(data.name, data.features.iloc[:, columns], data.ids)
    tell(checks.unreadable_columns(table, of_model=True))


def check_test_table(old: Data, new: Data) -> None:
    """Check the second table of `pycdf run` against the first."""
    header, offered = old.features.columns.tolist(), new.features.columns.tolist()
    _refuse_repeated(header, old.name)
    _refuse_repeated([name for name in offered if name in {*header}], new.name)
    if not {*header} & {*offered}:
        _refuse_as_a_whole(new, header)
        raise click.ClickException(
            f"no column of {new.name} ({few(offered)}) has the name of one of {old.name} "
            f"({few(header)}): rename the columns."
        )
    read = {name for name, kind in zip(header, _kinds(old.features), strict=True) if kind}
    columns = [j for j, name in enumerate(offered) if name in read]
    table = Table(new.name, new.features.iloc[:, columns], new.ids)
    tell(checks.unreadable_columns(table, of_model=True))


def _refuse_as_a_whole(data: Data, wanted: Sequence[str]) -> None:
    """Refuse a table without any of the columns, if it was split or laid out in another way."""
    wrong = checks.wrong_separator(data.name, data.features.columns.tolist(), wanted)
    if wrong is not None:
        raise click.ClickException(wrong)
    hint = transpose_hint(data.features, wanted)
    if hint is not None:
        raise click.ClickException(f"{data.name} has none of the columns: {hint}")


def _kinds(frame: pd.DataFrame) -> list[bool]:
    """Whether each column of a frame is numeric."""
    return [dtype.kind in "biufmM" for dtype in frame.dtypes]


def _refuse_repeated(names: Sequence[Any], name: str) -> None:
    seen: dict[Any, int] = {}
    for one in names:
        seen[one] = seen.get(one, 0) + 1
    shared = [one for one, count in seen.items() if count > 1]
    if shared:
        raise click.ClickException(
            f"{plural(len(shared), 'column name')} of {name} "
            f"{agree(shared, 'occurs', 'occur')} more than once ({few(shared)}), so that "
            "a column cannot be found by its name: give the columns different names."
        )


# ---- the notes and errors of CDF() ---------------------------------------------------------------


@contextmanager
def in_file_words(
    train: str, label: str, test: str | None = None, told: Sequence[Any] = ()
) -> Iterator[None]:
    """Print the notes of ``CDF()``, and raise its errors, with the names of the user's files.

    Columns in ``told`` are left out for a reason that was given before.
    """
    words = {"xtrain": train, "xtest": test or train, "ytrain": f"column {label!r}"}
    with in_words(words, lambda note: note_text(note, train, label, test or train, told)):
        yield


@contextmanager
def in_words(
    words: dict[str, str], note_text: Callable[[Note], str | None] | None = None
) -> Iterator[None]:
    """Replace the names of arguments by these words, in errors and, by default, in notes.

    Notes about cells of text are left out by default: the checks have printed them before.
    """
    names = re.compile(rf"\b({'|'.join(words)})\b")

    def replaced(text: object) -> str:
        return names.sub(lambda found: words[found[0]], str(text))

    def note_replaced(note: Note) -> str | None:
        text = without_text_cells(note)
        return None if text is None else replaced(text)

    with warnings_as_notes(note_text or note_replaced):
        try:
            yield
        except click.ClickException:
            raise
        except ValueError as error:
            raise ValueError(replaced(error)) from None


def without_text_cells(note: Note) -> str | None:
    """The text of a note; None for cells of text, which the checks have printed before."""
    return None if note.kind == "text_became_missing" else note.message


def note_text(
    note: Note, train: str, label: str, test: str, told: Sequence[Any] = ()
) -> str | None:
    """The text of a note; None if a check of the tables has told it already."""
    names = list(note.names)
    if note.kind == "dropped_columns":
        names = [name for name in names if name not in told]
    if note.kind in _TOLD_BEFORE or not names:
        return None
    make = _TEXTS.get(note.kind)
    return note.message if make is None else make(names, train, label, test)


def _labels_in_columns(names: list[Any], train: str, label: str, _test: str) -> str:
    return (
        f"{agree(names, 'column', 'columns')} {few(names)} of {train} "
        f"{agree(names, 'equals', 'equal')} the labels "
        f"in {label!r}: leave such columns out with {option('drop')}."
    )


def _dropped_columns(names: list[Any], train: str, _label: str, _test: str) -> str:
    return (
        f"{plural(len(names), 'column')} of {train} {agree(names, 'does', 'do')} not vary, or "
        f"{agree(names, 'has', 'have')} no usable numbers, and {agree(names, 'is', 'are')} left "
        f"out: {few(names)}."
    )


def _filled_columns(names: list[Any], train: str, _label: str, test: str) -> str:
    return (
        f"{plural(len(names), 'column')} of {train} {agree(names, 'is', 'are')} not in {test} and "
        f"{agree(names, 'is', 'are')} filled with the medians of {train}, as in R: {few(names)}."
    )


def _ignored_columns(names: list[Any], train: str, _label: str, test: str) -> str:
    return f"{test} has {plural(len(names), 'column')} that {train} does not have: {few(names)}."


_TEXTS: dict[str, Callable[[list[Any], str, str, str], str]] = {
    "labels_in_columns": _labels_in_columns,
    "dropped_columns": _dropped_columns,
    "filled_columns": _filled_columns,
    "ignored_columns": _ignored_columns,
}
