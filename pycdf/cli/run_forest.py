"""What the commands of :mod:`pycdf.cli.main` do.

In go the options as click read them; out go tables (stdout or a file), and on stderr notes, results
in a sentence, and progress if that is a terminal.
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
from pycdf.cli.console import notes, tell, tell_progress
from pycdf.explain.fitted import read_rows
from pycdf.files.model import load_model, save_model
from pycdf.files.tables import parquet_columns, parquet_parts, read_data, write_data
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
    """A table, taken apart."""

    features: pd.DataFrame
    labels: pd.Series | None
    ids: pd.DataFrame
    """What tells the rows apart: the columns named by --id, else row names or numbers."""


def train(data: str, label: str, output: str, **given: Any) -> None:
    """Grow a forest and save it."""
    check_folder(output)
    table = read_table(data, label, given)
    with notes():
        fit = CDF(
            table.features, table.labels, table.features.iloc[:0], **_chosen(given), progress=True
        )
    save_model(fit.model_, output)
    used = ", ".join(f"{name}={value}" for name, value in fit.parameters.items())
    tell(
        f"{output}: {len(fit.classes)} classes, "
        f"{plural(len(fit.feature_importance), 'feature')}; {used}; seed {fit.seed}"
    )


def predict(
    model: str, data: str, output: str, label: str | None, labels_only: bool, **given: Any
) -> None:
    """Predict rows by a saved model."""
    check_folder(output)
    known = load_model(model)
    shown = "stdin" if data == "-" else data
    answers, labels = [], []
    for table in _parts(known, data, label, given):
        with notes():
            rows = read_rows(known, table.features, shown)
            counted = voting.votes(known.forest, rows, n_jobs=given["jobs"])
        predictions = known.classes[voting.winners(counted)]
        shares = pd.DataFrame(counted / known.forest.n_trees, columns=known.classes)
        answers.append(_answer(table, predictions, None if labels_only else shares))
        labels.append(table.labels)
    answer = pd.concat(answers, ignore_index=True)
    write_data(answer, output)
    if label is not None:
        _compare(pd.concat(labels), answer["prediction"].to_numpy())


def run(train: str, test: str, label: str, output: str, **given: Any) -> None:
    """R's one-shot call."""
    if train == test == "-":
        raise click.UsageError("TRAIN and TEST cannot both be stdin.")
    check_folder(output)
    known = read_table(train, label, given)
    new = read_table(test, label, given, optional=(label, *given["drop"]))
    with notes():
        fit = CDF(known.features, known.labels, new.features, **_chosen(given), progress=True)
    write_data(_answer(new, fit.predictions, fit.probabilities), output)
    _tell_seed(given, fit.seed)
    if new.labels is not None:
        _compare(new.labels, fit.predictions)


def cv(
    data: str, label: str, folds: int, repeats: int, predictions: str | None, output: str,
    **given: Any,
) -> None:  # fmt: skip
    """Cross-validate: all folds and forests from one stream, as a script in R would."""
    check_folder(output)
    check_folder(predictions or "-")
    table = read_table(data, label, given)
    assert table.labels is not None
    labelled = read_labels(table.labels)
    rows = np.flatnonzero(labelled.codes >= 0)
    codes = labelled.codes[rows]
    X, y = table.features.iloc[rows], labelled.values[codes]
    if folds > len(rows):
        raise click.UsageError(f"--folds {folds} is more than the {plural(len(rows), 'row')}.")
    chosen = _chosen(given)
    stream = RStream(chosen.pop("seed"))
    lines, kept = [], []
    with notes():
        for repeat in range(repeats):
            fold = stratified_folds(codes, folds, stream)
            found = np.empty_like(y)
            for part in range(folds):
                tell_progress(f"repeat {repeat + 1} of {repeats}, fold {part + 1} of {folds}")
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
            answer = table.ids.iloc[rows].assign(
                repeat=repeat + 1, fold=fold + 1, label=y, prediction=found
            )
            kept.append(answer)
    tell_progress("")
    result = pd.DataFrame(lines, columns=["repeat", "fold", "rows", "accuracy", "kappa"])
    _show(result, output)
    if predictions:
        write_data(pd.concat(kept), predictions)
    _tell_seed(given, stream.seed)
    all_rows = pd.concat(kept)
    score, agreement = _scores(all_rows["label"].tolist(), all_rows["prediction"].tolist())
    spread = result["accuracy"].std()
    tell(
        f"accuracy {score:.4f}, kappa {agreement:.4f} over all rows; accuracy of folds "
        f"{result['accuracy'].mean():.4f} (sd {spread:.4f})"
    )


def importance(model: str, top: int | None, output: str) -> None:
    """Features by how often they were selected."""
    known = load_model(model)
    names = known.feature_names or range(known.n_features)
    table = pd.DataFrame({"feature": list(names), "importance": known.importances()})
    table = table.sort_values("importance", ascending=False, kind="stable")
    _show(table.head(top or len(table)), output)


def describe(model: str, as_json: bool) -> None:
    """What a model file holds."""
    known = load_model(model)
    told = {"file": model, "bytes": os.stat(model).st_size, **summary(known)}
    if as_json:
        click.echo(json.dumps(told, indent=1, default=str))
    else:
        for line in summary_lines(told):
            click.echo(line)


def check_folder(path: str) -> None:
    """Stop before the work is done, not after."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)


# ---- tables --------------------------------------------------------------------------------------


def _parts(model: Model, source: str, label: str | None, given: dict[str, Any]) -> Iterator[Data]:
    """The table in parts where its file allows it, else whole."""
    names = parquet_columns(source, model.feature_names or ())
    others = [*([label] if label is not None else []), *given["ids"]]
    if names is None or model.feature_names is None:
        yield read_table(source, label, given)
        return
    known = {*model.feature_names, *others}
    with notes():
        warn_of(surplus_columns(source, [name for name in names if name not in known]))
    for frame in parquet_parts(source, [name for name in names if name in known]):
        yield _apart(frame, label, given, source)


def read_table(
    source: str, label: str | None, given: dict[str, Any], optional: Sequence[str] = ()
) -> Data:
    """The table in a file, taken apart."""
    named = [*([label] if label is not None else []), *given["ids"]]
    frame = read_data(source, as_text=named, sep=given["sep"])
    return _apart(frame, label, given, source, optional)


def _apart(
    frame: pd.DataFrame,
    label: str | None,
    given: dict[str, Any],
    source: str,
    optional: Sequence[str] = (),
) -> Data:
    """A table without the columns that are no features."""
    ids, drop = list(given["ids"]), list(given.get("drop", ()))
    named = [*([label] if label is not None else []), *ids, *drop]
    names = frame.columns.tolist()
    for name in named:
        if name not in names and name not in optional:
            raise click.UsageError(no_column(name, names, "stdin" if source == "-" else source))
    place = {name: names.index(name) for name in named if name in names}
    features = frame.iloc[:, [j for j, name in enumerate(names) if name not in place]]
    if features.shape[1] == 0:
        raise ValueError(f"{source} has no columns beside {few(named)}.")
    columns = {name: frame.iloc[:, place[name]].array for name in ids}
    told = pd.DataFrame(columns or {"row": frame.index})
    return Data(features, frame.iloc[:, place[label]] if label in place else None, told)


def _answer(
    table: Data, predictions: npt.NDArray[Any], shares: pd.DataFrame | None
) -> pd.DataFrame:
    """Row ids, labels, and a column prob_<label> for each class."""
    parts = [table.ids, pd.DataFrame({"prediction": predictions})]
    if shares is not None:
        parts.append(shares.reset_index(drop=True).rename(columns=lambda name: f"prob_{name}"))
    return pd.concat(parts, axis=1)


def _show(table: pd.DataFrame, output: str) -> None:
    """A table for people on a terminal, CSV elsewhere."""
    if output == "-" and sys.stdout.isatty():
        click.echo(table.to_string(index=False))
    else:
        write_data(table, output)


def _tell_seed(given: dict[str, Any], seed: int) -> None:
    if given["seed"] is None:
        tell(f"seed {seed}")


def _compare(labels: pd.Series, predictions: npt.NDArray[Any]) -> None:
    pairs = [
        (str(one).strip(), str(other))
        for one, other in zip(labels, predictions, strict=True)
        if not pd.isna(one) and str(one).strip()
    ]
    if pairs:
        true, found = (list(side) for side in zip(*pairs, strict=True))
        right = sum(one == other for one, other in pairs)
        score, agreement = _scores(true, found)
        tell(f"accuracy {score:.7f} ({right} of {len(pairs)}), kappa {agreement:.4f}")


def _scores(true: Sequence[Any], predicted: Sequence[Any]) -> tuple[float, float]:
    return accuracy(true, predicted), kappa(true, predicted)


def _chosen(given: dict[str, Any]) -> dict[str, Any]:
    chosen = {name: given[name] for name in (*_PARAMETERS, "seed")}
    return {**chosen, "n_jobs": given["jobs"]}
