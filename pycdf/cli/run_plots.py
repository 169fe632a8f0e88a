"""The command `pycdf plot`; :mod:`pycdf.cli.plot` declares its options."""

from collections.abc import Callable
from typing import Any, NamedTuple

import click
import numpy as np
import pandas as pd

from pycdf import plots
from pycdf.classifier import CDFClassifier
from pycdf.cli.console import say, say_note
from pycdf.cli.labelled_rows import Rows, check_label, in_file_words, read_labelled_rows
from pycdf.cli.picture_output import picture_format
from pycdf.cli.plot import KINDS
from pycdf.cli.table_input import check_folder
from pycdf.explain.curves import parameter_curves
from pycdf.explain.fitted import feature_names, read_training
from pycdf.explain.out_of_bag import left_out_together
from pycdf.explain.seeds import stability
from pycdf.files.atomic import write_whole
from pycdf.files.model import load_model
from pycdf.forest.model import Model
from pycdf.forest.selection_notes import selection_note
from pycdf.plots.files import picture_bytes

# Not copied when growing similar forests
_NOT_COPIED = ("seed", "random_state", "oob_score", "warm_start", "progress")
_OF_SELECTIONS = ("importance", "coselection", "chance", "stability")  # kinds of pictures
_OPTIONS = ("tree", "top", "max_depth", "repeats", "seed")


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
        return {"X": self.data.X, "y": self.data.y} if self.data else {}

    def test_rows(self) -> dict[str, Any]:
        """The test rows as arguments, if there are any."""
        return {"X_test": self.test.X, "y_test": self.test.y} if self.test else {}

    def evaluated(self) -> dict[str, Any]:
        """The rows to predict, as arguments: the test rows, or the training rows out of bag."""
        rows = self.test or self.training
        return {"X": rows.X, "y": rows.y, "out_of_bag": self.test is None}


def plot(kind: str, model: str, output: str, dpi: int, **given: Any) -> None:
    """Draw a picture and write it."""
    _check_fits(kind, given)
    suffix = picture_format(output)
    check_folder(output)
    loaded = load_model(model)
    data, test = (read_labelled_rows(loaded, table, given) for table in ("data", "test"))
    options = {name: given[name] for name in _OPTIONS if given[name] is not None}
    with in_file_words(given):
        inputs = PlotInputs(loaded, data, test, {"seed": loaded.seed} | options)
        content = picture_bytes(_DRAW[kind](inputs), suffix, dpi)
    write_whole(output, content)
    say(f"{output}: {KINDS[kind].shows}")
    note = selection_note(loaded, command_line=True) if kind in _OF_SELECTIONS else None
    if note is not None:
        say_note(note)


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
    check_label(given)


def _regrowing_arguments(inputs: PlotInputs) -> dict[str, Any]:
    """The model's training rows and parameters, as arguments for growing similar forests."""
    training = read_training(inputs.model, inputs.training.X, inputs.training.y)
    names = [str(name) for name in feature_names(inputs.model)]
    parameters = CDFClassifier.from_model(inputs.model).get_params(deep=False)
    return {
        "X": pd.DataFrame(training.own, columns=names),
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
        inputs.model, inputs.training.X, inputs.training.y, progress=True,
        **inputs.chosen(top="top", n_repeats="repeats", seed="seed"),
    ),
    "chance": lambda inputs: plots.plot_chance(
        inputs.model, inputs.training.X, inputs.training.y, progress=True,
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
        inputs.model, **inputs.rows(), **inputs.test_rows()
    ),
    "parameters": lambda inputs: plots.plot_parameter_curves(
        parameter_curves(
            **_regrowing_arguments(inputs), **inputs.chosen(splits="repeats", seed="seed")
        )
    ),
}  # fmt: skip
