"""The commands `train`, `predict`, `run`, `cv`, `importance` and `describe`.

:mod:`pycdf.cli.main` declares their options. Tables go to stdout or to a file; stderr gets notes, a
one-line summary and, if it is a terminal, progress.
"""

import errno
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.api import CDF
from pycdf.base_r.stream import RStream
from pycdf.cli.console import say, say_progress, warnings_as_notes
from pycdf.explain.fitted import read_rows
from pycdf.files.model import load_model, save_model
from pycdf.files.tables.parquet import parquet_columns, parquet_parts
from pycdf.files.tables.reading import read_data
from pycdf.files.tables.writing import write_data
from pycdf.forest import voting
from pycdf.forest.model import Model
from pycdf.forest.summary import summary, summary_lines
from pycdf.inputs.labels import read_labels
from pycdf.inputs.matching import surplus_columns
from pycdf.inputs.notes import warn_of
from pycdf.support.wording import few, no_column, plural
from pycdf.validation import accuracy, kappa, stratified_folds

_PARAMETERS = ("ntrees", "depth", "mnode", "k", "mtry", "collation", "streams")


@dataclass(frozen=True, eq=False)
class Data:
    """A table, separated into features, labels and row ids."""

    features: pd.DataFrame
    labels: Any
    ids: pd.DataFrame
    """The columns given by --id; without any, the row names or numbers."""


def train(data: str, label: str, output: str, **given: Any) -> None:
    """Grow a forest and save it."""
    check_folder(output)
    table = read_table(data, label, given)
    with warnings_as_notes():
        fit = CDF(
            table.features, table.labels, table.features.iloc[:0], **_chosen(given), progress=True
        )
    save_model(fit.model_, output)
    used = ", ".join(f"{name}={value}" for name, value in fit.parameters.items())
    say(
        f"{output}: {len(fit.classes)} classes, "
        f"{plural(len(fit.feature_importance), 'feature')}; {used}; seed {fit.seed}"
    )


def predict(
    model: str, data: str, output: str, label: str | None, labels_only: bool, **given: Any
) -> None:
    """Predict rows with a saved model."""
    check_folder(output)
    loaded = load_model(model)
    shown = "stdin" if data == "-" else data
    tables, labels = [], []
    for part in _parts(loaded, data, label, given):
        with warnings_as_notes():
            rows = read_rows(loaded, part.features, shown)
            votes = voting.votes(loaded.forest, rows, n_jobs=given["jobs"])
        predictions = loaded.classes[voting.winners(votes)]
        shares = pd.DataFrame(
            voting.vote_shares(votes, loaded.forest.n_trees), columns=loaded.classes
        )
        tables.append(_prediction_table(part, predictions, None if labels_only else shares))
        labels.append(part.labels)
    predicted = pd.concat(tables, ignore_index=True)
    write_data(predicted, output)
    if label is not None:
        _say_accuracy(pd.concat(labels), predicted["prediction"].to_numpy())


def run(train: str, test: str, label: str, output: str, **given: Any) -> None:
    """Train on one table and predict another, as R's ``CDF()`` does."""
    if train == test == "-":
        raise click.UsageError("TRAIN and TEST cannot both be stdin.")
    check_folder(output)
    old = read_table(train, label, given)
    new = read_table(test, label, given, optional=(label, *given["drop"]))
    with warnings_as_notes():
        fit = CDF(old.features, old.labels, new.features, **_chosen(given), progress=True)
    write_data(_prediction_table(new, fit.predictions, fit.probabilities), output)
    _say_seed(given, fit.seed)
    if new.labels is not None:
        _say_accuracy(new.labels, fit.predictions)


def cv(
    data: str, label: str, folds: int, repeats: int, predictions: str | None, output: str,
    **given: Any,
) -> None:  # fmt: skip
    """Cross-validate; all folds and forests use one random stream, as a script in R would."""
    check_folder(output)
    check_folder(predictions or "-")
    table = read_table(data, label, given)
    assert table.labels is not None
    labelled = read_labels(table.labels)
    rows = np.flatnonzero(labelled.codes >= 0)
    codes = labelled.codes[rows]
    X, y = table.features.iloc[rows], labelled.values[codes]
    if folds > len(rows):
        raise click.UsageError(
            f"--folds {folds} is too many: there are only {plural(len(rows), 'labelled row')}."
        )
    chosen = _chosen(given)
    stream = RStream(chosen.pop("seed"))
    lines, by_repeat = [], []
    with warnings_as_notes():
        for repeat in range(repeats):
            fold = stratified_folds(codes, folds, stream)
            found = np.empty_like(y)
            for part in range(folds):
                say_progress(f"repeat {repeat + 1} of {repeats}, fold {part + 1} of {folds}")
                inside, outside = fold == part, fold != part
                fit = CDF(X[outside], y[outside], X[inside], seed=stream, **chosen)
                found[inside] = fit.predictions
                lines.append(
                    [
                        repeat + 1,
                        part + 1,
                        int(inside.sum()),
                        *_scores(y[inside].tolist(), fit.predictions.tolist()),
                    ]
                )
            by_repeat.append(
                table.ids.iloc[rows].assign(
                    repeat=repeat + 1, fold=fold + 1, label=y, prediction=found
                )
            )
    say_progress("")
    result = pd.DataFrame(lines, columns=["repeat", "fold", "rows", "accuracy", "kappa"])
    _show(result, output)
    all_rows = pd.concat(by_repeat)
    if predictions:
        write_data(all_rows, predictions)
    _say_seed(given, stream.seed)
    score, agreement = _scores(all_rows["label"].tolist(), all_rows["prediction"].tolist())
    spread = result["accuracy"].std()
    say(
        f"accuracy {score:.4f}, kappa {agreement:.4f} over all rows; mean accuracy of the folds "
        f"{result['accuracy'].mean():.4f} (sd {spread:.4f})"
    )


def importance(model: str, top: int | None, output: str) -> None:
    """List the features by how often they were selected."""
    loaded = load_model(model)
    names = loaded.feature_names or range(loaded.n_features)
    table = pd.DataFrame({"feature": list(names), "importance": loaded.importances()})
    table = table.sort_values("importance", ascending=False, kind="stable")
    _show(table.head(top or len(table)), output)


def describe(model: str, as_json: bool) -> None:
    """Describe a model file."""
    facts = {"file": model, "bytes": os.stat(model).st_size, **summary(load_model(model))}
    if as_json:
        click.echo(json.dumps(facts, indent=1, default=str))
    else:
        for line in summary_lines(facts):
            click.echo(line)


def check_folder(path: str) -> None:
    """Check that the folder of an output file exists, before any long work starts."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)


# ---- tables --------------------------------------------------------------------------------------


def _parts(model: Model, source: str, label: str | None, given: dict[str, Any]) -> Iterator[Data]:
    """Read a table in parts if its file allows it, otherwise whole."""
    names = parquet_columns(source, model.feature_names or ())
    others = [*([label] if label is not None else []), *given["ids"]]
    if names is None or model.feature_names is None:
        yield read_table(source, label, given)
        return
    used = {*model.feature_names, *others}
    with warnings_as_notes():
        warn_of(surplus_columns(source, [name for name in names if name not in used]))
    for frame in parquet_parts(source, [name for name in names if name in used]):
        yield _separate(frame, label, given, source)


def read_table(
    source: str, label: str | None, given: dict[str, Any], optional: Sequence[str] = ()
) -> Data:
    """Read a table and separate its features, labels and row ids.

    The columns in ``optional`` may be missing.
    """
    named = [*([label] if label is not None else []), *given["ids"]]
    frame = read_data(source, named, given["reading"])
    return _separate(frame, label, given, source, optional)


def _separate(
    frame: pd.DataFrame,
    label: str | None,
    given: dict[str, Any],
    source: str,
    optional: Sequence[str] = (),
) -> Data:
    """Separate the features of a table from its labels, row ids and dropped columns."""
    ids, drop = list(given["ids"]), list(given.get("drop", ()))
    named = [*([label] if label is not None else []), *ids, *drop]
    names = frame.columns.tolist()
    for name in named:
        if name not in names and name not in optional:
            raise click.UsageError(no_column(name, names, "stdin" if source == "-" else source))
    position = {name: names.index(name) for name in named if name in names}
    features = frame.iloc[:, [j for j, name in enumerate(names) if name not in position]]
    if features.shape[1] == 0:
        raise ValueError(f"{source} has no columns besides {few(named)}.")
    columns = {name: frame.iloc[:, position[name]].array for name in ids}
    row_ids = pd.DataFrame(columns or {"row": frame.index})
    return Data(features, frame.iloc[:, position[label]] if label in position else None, row_ids)


def _prediction_table(
    table: Data, predictions: npt.NDArray[Any], shares: pd.DataFrame | None
) -> pd.DataFrame:
    """Row ids, predicted labels and, if given, a column prob_<label> for each class."""
    parts = [table.ids, pd.DataFrame({"prediction": predictions})]
    if shares is not None:
        parts.append(shares.reset_index(drop=True).rename(columns=lambda name: f"prob_{name}"))
    return pd.concat(parts, axis=1)


def _show(table: pd.DataFrame, output: str) -> None:
    """Print an aligned table on a terminal; write a file, or CSV to a pipe."""
    if output == "-" and sys.stdout.isatty():
        click.echo(table.to_string(index=False))
    else:
        write_data(table, output)


def _say_seed(given: dict[str, Any], seed: int) -> None:
    if given["seed"] is None:
        say(f"seed {seed}")


def _say_accuracy(labels: pd.Series, predictions: npt.NDArray[Any]) -> None:
    """Print accuracy and kappa of the rows that have a label."""
    pairs = [
        (str(one).strip(), str(other))
        for one, other in zip(labels, predictions, strict=True)
        if not pd.isna(one) and str(one).strip()
    ]
    if pairs:
        true, found = (list(side) for side in zip(*pairs, strict=True))
        right = sum(one == other for one, other in pairs)
        score, agreement = _scores(true, found)
        say(f"accuracy {score:.7f} ({right} of {len(pairs)}), kappa {agreement:.4f}")


def _scores(true: Sequence[Any], predicted: Sequence[Any]) -> tuple[float, float]:
    return accuracy(true, predicted), kappa(true, predicted)


def _chosen(given: dict[str, Any]) -> dict[str, Any]:
    """The options that are arguments of ``CDF()``."""
    chosen = {name: given[name] for name in (*_PARAMETERS, "seed")}
    return {**chosen, "n_jobs": given["jobs"]}
