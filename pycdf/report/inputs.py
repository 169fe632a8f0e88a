"""What a report is made from: the fit, its rows and their ids, and the votes that judge them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.fitted import (
    Classes,
    Fit,
    Rows,
    TrainingRows,
    model_of,
    read_codes,
    read_rows,
    read_training,
)
from pycdf.explain.row_votes import RowVotes, row_votes, votes_of
from pycdf.explain.seen_rows import SeenRows
from pycdf.forest import voting
from pycdf.forest.model import Model
from pycdf.inputs.labels import read_labels
from pycdf.inputs.notes import warn_of
from pycdf.plots.style import ClassLook, class_look
from pycdf.support.options import in_python
from pycdf.support.wording import one_line, plural

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
IdList: TypeAlias = Any  # array-like, Series, or DataFrame with several columns


def pass_training_rows() -> str:
    """How to pass the training rows, in the words of the tool in use."""
    return (
        "pass the training rows as X and y"
        if in_python()
        else "add the training rows with --data FILE and -y COLUMN"
    )


def pass_test_rows() -> str:
    """How to pass other rows, in the words of the tool in use."""
    return (
        "pass other rows as X_test and y_test"
        if in_python()
        else "add other rows with --test FILE and -y COLUMN"
    )


class Origin(NamedTuple):
    """Where a report comes from, as its last section says."""

    title: str | None = None
    date: str | None = None
    command: str | None = None
    notes: tuple[str, ...] = ()
    """Notes on the input that were given while its tables were read."""
    test_name: str = "X_test"
    """What messages call the test rows."""


class Ids(NamedTuple):
    """The names of rows, and what kind of name it is."""

    kind: str
    names: list[str]
    first: int | None = None
    """The number of the first row, 0 or 1, if the names are nothing but row numbers."""


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """Labelled rows, with the votes by which the forest is judged."""

    votes: RowVotes
    rows: Floats
    """All rows that were given; ``votes.rows`` are those that have votes."""
    ids: Ids
    """Of all rows that were given."""

    @property
    def out_of_bag(self) -> bool:
        """Whether these are the training rows, each judged by the trees that did not draw it."""
        return self.votes.out_of_bag

    @property
    def kind(self) -> str:
        """What the rows are called."""
        return "training row" if self.out_of_bag else "test row"

    def counted(self, n: int) -> str:
        """A number of these rows in words."""
        return plural(n, self.kind)


@dataclass(frozen=True, eq=False)
class ReportInputs:
    """The fit and rows that a report is made from, and results that sections share."""

    fit: Fit
    model: Model
    seed: int
    origin: Origin
    training: TrainingRows | None
    training_ids: Ids | None
    test: JudgedRows | None
    """Rows that were not in training."""
    seen_note: str
    """What is to be said about training rows among the test rows; empty if there are none."""

    @cached_property
    def look(self) -> ClassLook:
        """Names, colours and markers of the classes."""
        return class_look(self.model.classes)

    @cached_property
    def out_of_bag(self) -> JudgedRows:
        """The training rows, each judged by the trees that did not draw it."""
        training = self.need_training()
        assert self.training_ids is not None
        votes = row_votes(self.model, training, training, out_of_bag=True)
        return JudgedRows(votes, training.rows, self.training_ids)

    @property
    def judged(self) -> JudgedRows:
        """The rows that say how good the forest is: test rows, or else those of training."""
        if self.test is not None:
            return self.test
        if self.training is None:
            raise ValueError("this needs labelled rows.")
        return self.out_of_bag

    def how_to_judge(self) -> str:
        """What to do if there are no rows by which the forest can be judged."""
        return (
            "There are no rows by which the forest could be judged. To judge it out of bag, "
            f"{pass_training_rows()}; to judge it on rows that it has not seen, {pass_test_rows()}."
        )

    def need_training(self) -> TrainingRows:
        """The training rows, or an error that says how to pass them."""
        if self.training is None:
            raise ValueError(f"this needs the training rows: {pass_training_rows()}.")
        return self.training


class GivenRows(NamedTuple):
    """Rows and labels as a caller passes them, with ids; None if they are not given."""

    X: Rows | None = None
    y: Classes | None = None
    ids: IdList = None


def read_inputs(
    fit: Fit, training: GivenRows, test: GivenRows, seed: int | None, origin: Origin
) -> ReportInputs:
    """Read and check the arguments of ``html_report``."""
    model = model_of(fit)
    _check_given(training, "", "the training rows and labels")
    _check_given(test, "_test", "rows that were not in training, and their labels")
    rows = ids = judged = None
    seen_note = ""
    if training.X is not None and training.y is not None:
        rows = read_training(fit, training.X, training.y)
        labelled = read_labels(training.y, "y").codes >= 0
        ids = _read_ids(training, labelled, "ids")
    if test.X is not None and test.y is not None:
        judged, seen_note = _read_test(fit, model, test.X, test.y, test, origin.test_name)
    seed = model.seed if seed is None else seed
    return ReportInputs(fit, model, seed, origin, rows, ids, judged, seen_note)


def _check_given(given: GivenRows, suffix: str, what: str) -> None:
    if (given.X is None) != (given.y is None):
        raise TypeError(f"pass both X{suffix} and y{suffix}, {what}, or neither.")
    if given.X is None and given.ids is not None:
        raise TypeError(f"ids{suffix} identifies the rows of X{suffix}: pass these, too.")


def _read_test(
    fit: Fit, model: Model, X: Rows, y: Classes, given: GivenRows, name: str
) -> tuple[JudgedRows | None, str]:
    """The test rows that were not in training, and what is to be said about the others."""
    rows, codes = read_rows(fit, X, "X_test"), read_codes(fit, y, "y_test")
    if len(rows) != len(codes) or len(rows) == 0:
        raise ValueError(
            f"X_test has {plural(len(rows), 'row')} and y_test {plural(len(codes), 'label')}: pass "
            "one label per row, and at least one."
        )
    ids = _read_ids(given, np.ones(len(rows), dtype=bool), "ids_test")
    votes = model.votes(rows, only_kept=True)
    seen = SeenRows(model)
    seen.add(rows)
    notes = seen.note(codes.astype(np.int64), voting.winners(votes), name)
    if not notes:
        return JudgedRows(votes_of(model, codes, votes), rows, ids), ""
    warn_of(notes)
    new = np.ones(len(rows), dtype=bool)
    new[list(notes[0].names)] = False
    if not new.any():
        return None, notes[0].message
    names = [one for one, keep in zip(ids.names, new, strict=True) if keep]
    judged = votes_of(model, codes[new], votes[new])
    said = f"{notes[0].message} They are left out of everything below."
    return JudgedRows(judged, rows[new], ids._replace(names=names)), said


def _read_ids(given: GivenRows, chosen: npt.NDArray[np.bool_], name: str) -> Ids:
    """Names of the chosen rows: the ids, or else the table's own index, or else positions."""
    ids = given.ids
    if ids is None and isinstance(given.X, pd.DataFrame):
        ids = given.X.index
    if ids is None:
        ids = np.arange(len(chosen))
    if isinstance(ids, pd.DataFrame):
        kind = " / ".join(one_line(column) for column in ids.columns)
        cells = ids.to_numpy().tolist()
    else:
        kind = one_line(getattr(ids, "name", None) or "row")
        cells = [[one] for one in np.asarray(ids, dtype=object).ravel().tolist()]
    if len(cells) != len(chosen):
        raise ValueError(
            f"{name} has {plural(len(cells), 'id')} for {plural(len(chosen), 'row')}: pass one per "
            "row."
        )
    kept = [cell for cell, keep in zip(cells, chosen, strict=True) if keep]
    numbered = kind == "row" and all(isinstance(cell[0], int) for cell in cells)
    first = cells[0][0] if numbered and cells[0][0] in (0, 1) else None
    if first is not None and [cell[0] for cell in cells] != [*range(first, first + len(cells))]:
        first = None
    return Ids(kind, [" / ".join(map(one_line, cell)) for cell in kept], first)
