"""The commands `pycdf plot` and `pycdf report`; :mod:`pycdf.cli.plot` declares their options."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import pandas as pd

from pycdf import plots
from pycdf.classifier import CDFClassifier
from pycdf.cli.console import say
from pycdf.cli.plot import KINDS
from pycdf.cli.table_checks import check_model_columns, in_words, tell
from pycdf.cli.table_input import check_folder, read_table, shown_name
from pycdf.explain.curves import parameter_curves
from pycdf.explain.fitted import feature_names, read_training
from pycdf.explain.out_of_bag import left_out_together
from pycdf.explain.seeds import stability
from pycdf.files.atomic import write_whole
from pycdf.files.model import load_model
from pycdf.files.tables.options import BY_CONTENT
from pycdf.forest.model import Model
from pycdf.inputs.label_checks import unlabelled
from pycdf.inputs.labels import read_labels
from pycdf.plots.files import picture_bytes, picture_forms
from pycdf.plots.style import need_matplotlib
from pycdf.support.wording import plural

# Not copied when growing similar forests
_NOT_COPIED = ("seed", "random_state", "oob_score", "warm_start", "progress")
_OPTIONS = ("tree", "top", "max_depth", "repeats", "seed")


class Rows(NamedTuple):
    """Labelled rows of a table."""

    X: pd.DataFrame
    y: pd.Series


class PlotInputs(NamedTuple):
    """The model, rows and options that a picture is drawn from."""

    model: Model
    data: Rows | None
    test: Rows | None
    options: dict[str, Any]
    """The options that were given, by their names in :mod:`pycdf.cli.plot`."""

    def chosen(self, **names: str) -> dict[str, Any]:
        """The given options as arguments: ``max_features="top"`` renames the option ``top``."""
        return {
            name: self.options[option] for name, option in names.items() if option in self.options
        }

    @property
    def training(self) -> Rows:
        """The training rows, for a kind that requires them."""
        assert self.data is not None
        return self.data

    def rows(self) -> dict[str, Any]:
        """The training rows as arguments, for a kind that can do without them."""
        return self.data._asdict() if self.data else {}

    def evaluated(self) -> dict[str, Any]:
        """The rows to predict, as arguments: the test rows, or the training rows out of bag."""
        rows = self.test or self.training
        return {"X": rows.X, "y": rows.y, "out_of_bag": self.test is None}


def plot(kind: str, model: str, output: str, dpi: int, **given: Any) -> None:
    """Draw a picture and write it."""
    _check_fits(kind, given)
    suffix = _picture_format(output)
    check_folder(output)
    loaded = load_model(model)
    data, test = (_read_rows(loaded, table, given) for table in ("data", "test"))
    options = {name: given[name] for name in _OPTIONS if given[name] is not None}
    with _in_file_words(given):
        inputs = PlotInputs(loaded, data, test, {"seed": loaded.seed} | options)
        content = picture_bytes(_DRAW[kind](inputs), suffix, dpi)
    write_whole(output, content)
    say(f"{output}: {KINDS[kind].shows}")


def report(model: str, output: str, **given: Any) -> None:
    """Write a report."""
    from pycdf.report.html import html_report

    _draw_to_files_only()
    check_folder(output)
    loaded = load_model(model)
    _check_label(given)
    data = _read_rows(loaded, "data", given)
    with _in_file_words(given):
        page = html_report(loaded, *(data or ()), title=Path(model).name, seed=given["seed"])
    write_whole(output, page.encode())
    say(f"{output}: {len(page) / 1e6:.1f} MB")


# ---- checking the options ------------------------------------------------------------------------


def _check_fits(kind: str, given: dict[str, Any]) -> None:
    """Refuse a command without the rows that it needs, or with options that would be ignored."""
    asked = KINDS[kind]
    tables = [table for table in ("data", "test") if given[table] is not None]
    if asked.needed and asked.rows and not tables:
        ways = {
            "data": "--data train.csv, the training rows",
            "test": "--test test.csv, other rows",
        }
        wanted = "; or ".join(ways[table] for table in asked.rows)
        raise click.UsageError(f"{kind} needs rows besides the model: add -y LABEL and {wanted}.")
    for table in tables:
        if table not in asked.rows:
            raise click.UsageError(f"{kind} does not use --{table}: leave it out.")
    if len(tables) == 2 and kind != "trees":
        raise click.UsageError(f"{kind} is drawn from --data or --test, not both: pass one.")
    for option in _OPTIONS:
        if given[option] is not None and option not in asked.takes:
            raise click.UsageError(
                f"{kind} does not use --{option.replace('_', '-')}: leave it out."
            )
    _check_label(given)


def _check_label(given: dict[str, Any]) -> None:
    tables = [f"--{table}" for table in ("data", "test") if given.get(table) is not None]
    if tables and given["label"] is None:
        raise click.UsageError(f"{tables[0]} needs -y, the name of its label column.")
    if not tables and (
        any(given[name] for name in ("label", "ids", "drop")) or given["reading"] != BY_CONTENT
    ):
        raise click.UsageError(
            "-y, --id, --drop and options on how to read a table need rows to read: "
            "add --data FILE."
        )
    if given.get("data") == given.get("test") == "-":
        raise click.UsageError("--data and --test cannot both be stdin.")


def _picture_format(output: str) -> str:
    """The format of a picture, from its file name."""
    _draw_to_files_only()
    suffix = Path(output).suffix.lower().lstrip(".")
    formats = picture_forms()
    if suffix not in formats:
        raise click.UsageError(
            f"{output}: the name must end with a picture format, such as .svg, .png or .pdf "
            f"(supported: {', '.join(formats)})."
        )
    return suffix


def _draw_to_files_only() -> None:
    """Choose a backend without windows, even if there is a display."""
    try:
        need_matplotlib()
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    import matplotlib

    matplotlib.use("Agg")


# ---- rows ----------------------------------------------------------------------------------------


def _read_rows(model: Model, table: str, given: dict[str, Any]) -> Rows | None:
    """The labelled rows of a table; "data" must have as many as the model was trained on."""
    source = given[table]
    if source is None:
        return None
    optional = given["drop"] if table == "test" else ()
    read = read_table(source, given["label"], given, optional)
    assert read.labels is not None  # _check_label requires -y
    labels = read_labels(read.labels)
    tell(unlabelled(read, given["label"], labels))
    check_model_columns(model, read)
    labelled = labels.codes >= 0
    rows = Rows(read.features[labelled], read.labels[labelled])
    trained = int(model.forest.rows[0])
    if table == "data" and len(rows.y) != trained:
        raise click.UsageError(
            f"{read.name} has {plural(len(rows.y), 'labelled row')}, but the model was trained on "
            f"{trained:,}: --data must be the training rows"
            + (" (other rows go to --test)." if "test" in given else ".")
        )
    return rows


def _in_file_words(given: dict[str, Any]) -> AbstractContextManager[None]:
    """Errors and notes about arguments, with the names of the files behind them."""
    data, test = given.get("data") or given.get("test"), given.get("test") or given.get("data")
    column = f"column {given['label']!r}"
    words = {"y_test": column, "y": column}
    if data is not None and test is not None:
        words |= {"X_test": shown_name(test), "X": shown_name(data)}
    return in_words(words)


def _regrowing_arguments(inputs: PlotInputs) -> dict[str, Any]:
    """The model's training rows and parameters, as arguments for growing similar forests."""
    training = read_training(inputs.model, *inputs.training)
    names = [str(name) for name in feature_names(inputs.model)]
    parameters = CDFClassifier.from_model(inputs.model).get_params(deep=False)
    return {
        "X": pd.DataFrame(training.rows, columns=names),
        "y": inputs.model.classes[training.codes],
        **{name: value for name, value in parameters.items() if name not in _NOT_COPIED},
        "progress": True,
    }


# ---- the pictures --------------------------------------------------------------------------------


def _evaluated_on_map(inputs: PlotInputs) -> dict[str, Any]:
    """As ``evaluated``, but in bag if some two rows are never out of bag in the same tree."""
    rows = inputs.evaluated()
    if rows["out_of_bag"] and not left_out_together(inputs.model.forest):
        say("note: too few trees for out-of-bag proximities: all trees are used for all rows")
        rows["out_of_bag"] = False
    return rows


def _features_to_compare(inputs: PlotInputs) -> int:
    """How many top features to compare across seeds: 20 by default, but fewer than are used."""
    used = len(np.unique(inputs.model.forest.features))
    most: int = inputs.options.get("top", 20)
    return max(1, min(most, used - 1))


_DRAW: dict[str, Callable[[PlotInputs], Any]] = {
    "tree": lambda inputs: plots.plot_tree(
        inputs.model, **inputs.rows(),
        **inputs.chosen(tree="tree", max_features="top", max_depth="max_depth"),
    ),
    "importance": lambda inputs: plots.plot_importance(inputs.model, **inputs.chosen(top="top")),
    "coselection": lambda inputs: plots.plot_coselection(inputs.model, **inputs.chosen(top="top")),
    "centroids": lambda inputs: plots.plot_centroids(
        inputs.model, **inputs.rows(), **inputs.chosen(top="top")
    ),
    "permutation": lambda inputs: plots.plot_permutation(
        inputs.model, *inputs.training, progress=True,
        **inputs.chosen(top="top", n_repeats="repeats", seed="seed"),
    ),
    "chance": lambda inputs: plots.plot_chance(
        inputs.model, *inputs.training, progress=True,
        **inputs.chosen(top="top", n_repeats="repeats", seed="seed"),
    ),
    "stability": lambda inputs: plots.plot_stability(
        stability(
            **_regrowing_arguments(inputs), top=_features_to_compare(inputs),
            **inputs.chosen(seeds="repeats"),
        ),
        **inputs.chosen(top="top"),
    ),
    "proximity": lambda inputs: plots.plot_proximity(inputs.model, **_evaluated_on_map(inputs)),
    "confusion": lambda inputs: plots.plot_confusion(inputs.model, **inputs.evaluated()),
    "probabilities": lambda inputs: plots.plot_probabilities(inputs.model, **inputs.evaluated()),
    "trees": lambda inputs: plots.plot_tree_curve(
        inputs.model, *(inputs.data or (None, None)), *(inputs.test or (None, None))
    ),
    "parameters": lambda inputs: plots.plot_parameter_curves(
        parameter_curves(
            **_regrowing_arguments(inputs), **inputs.chosen(splits="repeats", seed="seed")
        )
    ),
}  # fmt: skip
