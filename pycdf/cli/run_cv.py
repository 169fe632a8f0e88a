"""The command `cv`: cross-validate, and report what papers report."""

from typing import Any

import click
import numpy as np

from pycdf.api import CDF
from pycdf.base_r.stream import RStream
from pycdf.cli.console import say
from pycdf.cli.cv_tables import CrossValidation, Repeat
from pycdf.cli.output import check_escaping, show_table, visible_table, write_table
from pycdf.cli.run_forest import forest_arguments, say_seed
from pycdf.cli.table_checks import check_training, in_file_words
from pycdf.cli.table_input import check_output, read_table
from pycdf.inputs.label_checks import class_counts
from pycdf.inputs.labels import read_labels
from pycdf.inputs.table_checks import empty_rows
from pycdf.support.progress import ProgressBar
from pycdf.support.wording import one_line, plural
from pycdf.validation import shuffled_folds, stratified_folds


def cv(
    data: str, label: str, folds: int, repeats: int, stratify: bool, predictions: str | None,
    by_fold: str | None, confusion: str | None, output: str, allow_empty: bool, **given: Any,
) -> None:  # fmt: skip
    """Cross-validate; all folds and forests use one random stream, as a script in R would."""
    for path in (output, predictions, by_fold, confusion):
        check_output(path or "-")
        check_escaping(path or "-", given["escape_formulas"])
    table = read_table(data, label, given)
    rows = np.flatnonzero(read_labels(table.labels).codes >= 0)
    if folds > len(rows):
        raise click.UsageError(
            f"--folds {folds} is too many: there are only {plural(len(rows), 'labelled row')}."
        )
    labels, told = check_training(table, label, given, "train" if allow_empty else "cv")
    say(class_counts(labels))
    used = table.take(rows)
    codes = labels.codes[rows]
    y = labels.values[codes]
    blank = empty_rows(used.features) & (not allow_empty)
    chosen = forest_arguments(given)
    stream = RStream(chosen.pop("seed"))
    code_of = {value: code for code, value in enumerate(labels.values.tolist())}
    deal = stratified_folds if stratify else shuffled_folds
    done = []
    with in_file_words(table.name, label, told=told), ProgressBar(unit="folds") as bar:
        for repeat in range(repeats):
            fold = deal(codes, folds, stream)
            found = np.empty(len(rows), dtype=np.int64)
            shares = np.zeros((len(rows), len(labels.values)))
            for part in range(folds):
                bar(repeat * folds + part, repeats * folds)
                inside, outside = fold == part, fold != part
                fit = CDF(
                    used.features[outside], y[outside], used.features[inside], seed=stream, **chosen
                )
                here = np.array([code_of[value] for value in fit.classes.tolist()])
                votes = fit.probabilities.to_numpy()
                found[inside] = here[votes.argmax(axis=1)]  # ties: the first, as in voting
                shares[np.ix_(inside, here)] = votes
            done.append(Repeat(fold, found, shares))
    result = CrossValidation(labels.values, codes.astype(np.int64), ~blank, folds, done)
    escape = given["escape_formulas"]
    show_table(result.summary(), output, escape)
    if by_fold:
        write_table(result.by_fold(), by_fold, escape)
    if confusion:
        write_table(result.confusion().reset_index(), confusion, escape)
    if predictions:
        write_table(result.predictions(used.ids), predictions, escape)
    say_seed(given, stream.seed)
    say(f"confusion matrix over {plural(repeats, 'repeat')}, true classes in rows:")
    matrix = result.confusion().rename(index=one_line)
    click.echo(visible_table(matrix).to_string(), err=True)
    say(result.headline())
