"""The command `pycdf importance`; :mod:`pycdf.cli.importance` declares its options."""

from dataclasses import replace
from typing import Any

import click
import numpy as np
import pandas as pd

from pycdf.cli.console import say_note
from pycdf.cli.labelled_rows import check_label, in_file_words, read_labelled_rows
from pycdf.cli.output import check_escaping, show_table
from pycdf.cli.table_input import check_output
from pycdf.explain.fitted import TrainingRows, read_training
from pycdf.explain.importance import importance_table
from pycdf.files.model import load_model
from pycdf.forest.contributions import has_contributions
from pycdf.forest.model import Model
from pycdf.forest.scale_notes import scale_note
from pycdf.forest.selection_notes import selection_note

_SHUFFLES = {"repeats": "n_repeats", "seed": "seed"}


def importance(model: str, top: int | None, by: str | None, output: str, **given: Any) -> None:
    """List the features with all measures of importance, those that decide most first."""
    check_output(output)
    check_escaping(output, given["escape_formulas"])
    _check_rows(by, given)
    loaded = load_model(model)
    known, distance = has_contributions(loaded), loaded.options["distance"]
    if by == "contribution" and not known:
        raise click.ClickException(
            f"the distance {distance!r} is not a sum over features, so no feature has a part of "
            "its own: sort --by importance, or with --data --by permutation."
        )
    rows = read_labelled_rows(loaded, "data", given)
    with in_file_words({**given, "test": None}):
        training = None if rows is None else read_training(loaded, rows.X, rows.y)
        table = _measures(loaded, training, given)
    if not known:
        table["contribution"] = np.nan
        by = by or ("importance" if training is None else "permutation")
        say_note(f"contributions are unknown: the distance {distance!r} is no sum over features.")
    names = loaded.feature_names or range(loaded.n_features)
    table.insert(0, "feature", list(names))
    table = table.sort_values(by or "contribution", ascending=False, kind="stable")
    show_table(table.head(top or len(table)), output, given["escape_formulas"])
    say_notes(loaded)


def say_notes(model: Model) -> None:
    """Print what is to be known before reading anything into the importance of features."""
    for note in (selection_note(model, command_line=True), scale_note(model)):
        if note is not None:
            say_note(note)


def _check_rows(by: str | None, given: dict[str, Any]) -> None:
    """Refuse options that need rows if there are none."""
    check_label({**given, "test": None})
    if given["data"] is not None:
        return
    if by == "permutation":
        raise click.UsageError(
            "--by permutation needs the training rows: add --data FILE and -y COLUMN."
        )
    for name in _SHUFFLES:
        if given[name] is not None:
            raise click.UsageError(f"--{name} is about shuffles, which need --data: leave it out.")


def _measures(model: Model, training: TrainingRows | None, given: dict[str, Any]) -> pd.DataFrame:
    """The measures of all columns of the model, in their order; unused columns have 0."""
    # Columns are told apart by number: their names need not differ.
    nameless = replace(model, feature_names=None)
    rows = None if training is None else replace(training, model=nameless)
    shuffles = {name: given[one] for one, name in _SHUFFLES.items() if given[one] is not None}
    table = importance_table(
        nameless, rows, rows, n_jobs=given["jobs"], progress=True, **{"seed": model.seed} | shuffles
    )
    table = table.rename(columns={"selection": "importance"})
    return table.reindex(range(model.n_features), fill_value=0.0).reset_index(drop=True)
