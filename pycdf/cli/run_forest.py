"""The commands `train`, `predict`, `run` and `describe`.

:mod:`pycdf.cli.main` declares their options. Tables go to stdout or to a file; stderr gets notes, a
one-line summary and, if it is a terminal, progress.
"""

import json
import os
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.api import CDF, train_and_predict
from pycdf.cli.console import say, warnings_as_notes
from pycdf.cli.output import check_escaping, write_table
from pycdf.cli.run_importance import say_notes
from pycdf.cli.table_checks import (
    check_model_columns,
    check_test_table,
    check_training,
    in_file_words,
    tell,
    without_text_cells,
)
from pycdf.cli.table_input import Data, check_folder, check_output, read_parts, read_table
from pycdf.explain.fitted import feature_names, read_rows
from pycdf.explain.seen_rows import SeenRows
from pycdf.files.model import load_model, save_model
from pycdf.forest import voting
from pycdf.forest.model import Model
from pycdf.forest.summary import file_overview, other_rules_text, settings_text, summary
from pycdf.inputs.checks import check_rules
from pycdf.inputs.label_checks import class_counts
from pycdf.inputs.labels import read_labels
from pycdf.inputs.laboratory import R_RULES
from pycdf.inputs.table_checks import empty_columns, empty_rows, no_values
from pycdf.support.wording import agree, few, plural
from pycdf.validation import accuracy, kappa

Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_PARAMETERS = ("ntrees", "depth", "mnode", "k", "mtry", "collation", "streams", "scale")


def train(data: str, label: str, output: str, **given: Any) -> None:
    """Grow a forest and save it."""
    check_folder(output)
    table = read_table(data, label, given)
    labels, told = check_training(table, label, given)
    say(class_counts(labels))
    with in_file_words(table.name, label, told=told):
        rules = {name: given[name] for name in R_RULES}
        check_rules(rules["distance"], rules["feature_score"], rules["redundancy"])
        fit = train_and_predict(
            table.features, table.labels, table.features.iloc[:0],
            **forest_arguments(given), progress=True, rules=rules,
        )  # fmt: skip
    save_model(fit.model_, output)
    used = settings_text(fit.parameters)
    if other := other_rules_text(rules):
        used += f", {other}"
    say_notes(fit.model_)
    say(
        f"{output}: {plural(len(fit.classes), 'class')}, "
        f"{plural(len(fit.feature_importance), 'feature')}; {used}; seed {fit.seed}"
    )


def predict(
    model: str, data: str, output: str, label: str | None, labels_only: bool, allow_empty: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Predict rows with a saved model."""
    check_output(output)
    check_escaping(output, given["escape_formulas"])
    loaded = load_model(model)
    tables, parts, empty, no_number, found = [], [], [], [], []
    seen = SeenRows(loaded)
    for part in read_parts(loaded, data, label, given):
        check_model_columns(loaded, part)
        with warnings_as_notes(without_text_cells):
            rows = read_rows(loaded, part.features, part.name)
        votes = loaded.votes(rows, given["jobs"], only_kept=True)
        missing = np.isnan(rows)
        empty.append(np.all(missing, axis=1) & (not allow_empty))
        no_number.append(np.all(missing, axis=0))
        found.append(voting.winners(votes))
        shares = pd.DataFrame(
            voting.vote_shares(votes, loaded.forest.n_trees), columns=loaded.classes
        )
        tables.append(
            prediction_table(
                part, loaded.classes[found[-1]], None if labels_only else shares, empty[-1]
            )
        )
        parts.append(Data(part.name, part.features.iloc[:, :0], part.ids, part.labels))
        if label is not None:
            seen.add(rows)
    whole = Data(
        parts[0].name, pd.DataFrame(), pd.concat([part.ids for part in parts], ignore_index=True)
    )
    blank = np.concatenate(empty)
    if len(blank) > 1:
        tell(empty_columns(whole.name, feature_names(loaded).tolist(), np.all(no_number, axis=0)))
    tell(no_values(whole, blank, "predict"))
    write_table(pd.concat(tables, ignore_index=True), output, given["escape_formulas"])
    if label is not None:
        codes = _codes(loaded, pd.concat([part.labels for part in parts]), label, whole.name)
        codes[blank] = -1
        winners = np.concatenate(found)
        _say_accuracy(codes, winners)
        _say_seen(seen, codes, winners, whole.name)


def run(train: str, test: str, label: str, output: str, allow_empty: bool, **given: Any) -> None:
    """Train on one table and predict another, as R's ``CDF()`` does."""
    if train == test == "-":
        raise click.UsageError("TRAIN and TEST cannot both be stdin.")
    check_output(output)
    check_escaping(output, given["escape_formulas"])
    old = read_table(train, label, given)
    new = read_table(test, label, given, optional=(label, *given["drop"]))
    _, told = check_training(old, label, given)
    check_test_table(old, new)
    with in_file_words(old.name, label, new.name, told):
        fit = CDF(old.features, old.labels, new.features, **forest_arguments(given), progress=True)
    used = fit.feature_importance.index
    shared = new.features.iloc[:, np.flatnonzero(new.features.columns.isin(used))]
    blank = empty_rows(shared) & (not allow_empty)
    if len(blank) > 1:
        tell(empty_columns(new.name, shared.columns.tolist(), empty_rows(shared.T)))
    tell(no_values(new, blank, "predict"))
    predicted = prediction_table(new, fit.predictions, fit.probabilities, blank)
    write_table(predicted, output, given["escape_formulas"])
    say_seed(given, fit.seed)
    if new.labels is not None:
        codes = _codes(fit.model_, new.labels, label, new.name)
        codes[blank] = -1
        winners = fit.probabilities.to_numpy().argmax(axis=1)  # ties: the first, as in voting
        _say_accuracy(codes, winners)
        if shared.shape[1] == len(used):  # otherwise no row can be a training row
            seen = SeenRows(fit.model_)
            with warnings_as_notes(lambda _: None):
                seen.add(read_rows(fit, shared))
            _say_seen(seen, codes, winners, new.name)


def describe(model: str, as_json: bool) -> None:
    """Describe a model file."""
    facts = {"file": model, "bytes": os.stat(model).st_size, **summary(load_model(model))}
    if as_json:
        click.echo(json.dumps(facts, indent=1, default=str))
    else:
        click.echo(file_overview(facts).text())


# ---- output --------------------------------------------------------------------------------------


def prediction_table(
    table: Data, predictions: npt.NDArray[Any], shares: pd.DataFrame | None, blank: Bools
) -> pd.DataFrame:
    """Row ids, predicted labels and, if given, a column prob_<label> for each class.

    Rows in ``blank`` have neither label nor probabilities.
    """
    labels = pd.Series(predictions, name="prediction")
    if blank.any():
        labels = labels.astype(object).where(~blank, None)
    parts = [table.ids, labels]
    if shares is not None:
        named = shares.reset_index(drop=True).rename(columns=lambda name: f"prob_{name}")
        named.loc[blank] = np.nan
        parts.append(named)
    return pd.concat(parts, axis=1)


def say_seed(given: dict[str, Any], seed: int) -> None:
    """Print the seed if the user gave none."""
    if given["seed"] is None:
        say(f"seed {seed}")


def _codes(model: Model, labels: pd.Series, column: str, name: str) -> Longs:
    """The class of each row, -1 without a label; labels that the model lacks count as wrong."""
    read = read_labels(labels, f"column {column!r} of {name}")
    texts = read_labels(model.classes, "classes").texts
    known = {text: code for code, text in enumerate(texts)}
    unknown = [text for text in read.texts if text not in known]
    if unknown:
        say(
            f"note: {few(unknown)} in column {column!r} of {name} "
            f"{agree(unknown, 'is not a class', 'are not classes')} of the model "
            f"({few(list(texts), 8)}): such rows count as wrong."
        )
    code_of = np.array([*(known.get(text, len(texts)) for text in read.texts), -1], dtype=np.int64)
    return code_of[read.codes]


def _say_seen(seen: SeenRows, codes: Longs, found: Longs, name: str) -> None:
    for note in seen.note(codes, found, name):
        say(f"note: {note.message}")


def _say_accuracy(codes: Longs, found: Longs) -> None:
    """Print accuracy and kappa of the rows that have a label and a prediction."""
    labelled = codes >= 0
    if labelled.any():
        true, predicted = codes[labelled].tolist(), found[labelled].tolist()
        right = sum(one == other for one, other in zip(true, predicted, strict=True))
        say(
            f"accuracy {accuracy(true, predicted):.7f} ({right:,} of {len(true):,}), "
            f"kappa {kappa(true, predicted):.4f}"
        )


def forest_arguments(given: dict[str, Any]) -> dict[str, Any]:
    """The options that are arguments of ``CDF()``."""
    chosen = {name: given[name] for name in (*_PARAMETERS, "seed")}
    return {**chosen, "n_jobs": given["jobs"]}
