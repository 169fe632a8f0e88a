"""What `pycdf plot` and `pycdf report` do.

In go the options as click read them (:mod:`pycdf.cli.plot`); out go files, and on stderr notes
and what was written.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import pandas as pd

from pycdf import plots
from pycdf.classifier import CDFClassifier
from pycdf.cli.console import notes, tell
from pycdf.cli.plot import KINDS
from pycdf.cli.run_forest import check_folder, read_table
from pycdf.explain.curves import parameter_curves
from pycdf.explain.fitted import feature_names, read_training
from pycdf.explain.out_of_bag import left_out_together
from pycdf.explain.seeds import stability
from pycdf.files.atomic import write_whole
from pycdf.files.model import load_model
from pycdf.forest.model import Model
from pycdf.inputs.labels import read_labels
from pycdf.plots.files import picture_bytes, picture_forms
from pycdf.plots.style import need_matplotlib
from pycdf.support.wording import plural

_NOT_AGAIN = ("seed", "oob_score", "warm_start", "progress")  # of a model, for others like it
_OPTIONS = ("tree", "top", "max_depth", "repeats", "seed")


class Rows(NamedTuple):
    """Labelled rows of a table."""

    X: pd.DataFrame
    y: pd.Series


class Wish(NamedTuple):
    """What a picture is drawn from."""

    model: Model
    data: Rows | None
    test: Rows | None
    options: dict[str, Any]
    """Those that were given, by the names of :mod:`pycdf.cli.plot`."""

    def chosen(self, **names: str) -> dict[str, Any]:
        """Given options by the names that a function has for them."""
        return {
            name: self.options[option] for name, option in names.items() if option in self.options
        }

    @property
    def training(self) -> Rows:
        """The training rows of a kind that needs them."""
        assert self.data is not None
        return self.data

    def rows(self) -> dict[str, Any]:
        """The training rows, where a picture can do without."""
        return self.data._asdict() if self.data else {}

    def judged(self) -> dict[str, Any]:
        """The rows to judge: the training rows out of bag, or others."""
        rows = self.test or self.training
        return {"X": rows.X, "y": rows.y, "out_of_bag": self.test is None}


def plot(kind: str, model: str, output: str, dpi: int, **given: Any) -> None:
    """Draw a picture and write it."""
    _check_fits(kind, given)
    form = _form(output)
    check_folder(output)
    known = load_model(model)
    data, test = (_read_rows(known, table, given) for table in ("data", "test"))
    options = {name: given[name] for name in _OPTIONS if given[name] is not None}
    with notes():
        wish = Wish(known, data, test, {"seed": known.seed} | options)
        content = picture_bytes(_DRAW[kind](wish), form, dpi)
    write_whole(output, content)
    tell(f"{output}: {KINDS[kind].shows}")


def report(model: str, output: str, **given: Any) -> None:
    """Write a report."""
    from pycdf.report.html import html_report

    _use_no_display()
    check_folder(output)
    known = load_model(model)
    _check_label(given)
    data = _read_rows(known, "data", given)
    with notes():
        page = html_report(known, *(data or ()), title=Path(model).name, seed=given["seed"])
    write_whole(output, page.encode())
    tell(f"{output}: {len(page) / 1e6:.1f} MB")


# ---- what can be asked for -----------------------------------------------------------------------


def _check_fits(kind: str, given: dict[str, Any]) -> None:
    """Stop at rows that are missing, and at options that would be ignored."""
    asked = KINDS[kind]
    tables = [table for table in ("data", "test") if given[table] is not None]
    if asked.needed and asked.rows and not tables:
        ways = {
            "data": "--data train.csv, the training rows",
            "test": "--test test.csv, other rows",
        }
        wanted = "; or ".join(ways[table] for table in asked.rows)
        raise click.UsageError(f"{kind} needs rows beside the model: add -y LABEL and {wanted}.")
    for table in tables:
        if table not in asked.rows:
            raise click.UsageError(f"{kind} makes no use of --{table}: leave it out.")
    if len(tables) == 2 and kind != "trees":
        raise click.UsageError(f"{kind} is drawn from --data or from --test: pass one of them.")
    for option in _OPTIONS:
        if given[option] is not None and option not in asked.takes:
            raise click.UsageError(
                f"{kind} makes no use of --{option.replace('_', '-')}: leave it out."
            )
    _check_label(given)


def _check_label(given: dict[str, Any]) -> None:
    tables = [f"--{table}" for table in ("data", "test") if given.get(table) is not None]
    if tables and given["label"] is None:
        raise click.UsageError(f"{tables[0]} needs -y: the name of its label column.")
    if not tables and any(given[name] for name in ("label", "ids", "drop", "sep")):
        raise click.UsageError("-y, --id, --drop and --sep say how to read rows: add --data FILE.")
    if given.get("data") == given.get("test") == "-":
        raise click.UsageError("--data and --test cannot both be stdin.")


def _form(output: str) -> str:
    """The format that a file's name tells."""
    _use_no_display()
    form = Path(output).suffix.lower().lstrip(".")
    forms = picture_forms()
    if form not in forms:
        raise click.UsageError(
            f"{output}: the name must end with a format, such as .svg, .png or .pdf "
            f"(there are {', '.join(forms)})."
        )
    return form


def _use_no_display() -> None:
    """A command draws to files only, also where there is a screen."""
    try:
        need_matplotlib()
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    import matplotlib

    matplotlib.use("Agg")


# ---- rows ----------------------------------------------------------------------------------------


def _read_rows(model: Model, table: str, given: dict[str, Any]) -> Rows | None:
    """The labelled rows of a table; the training rows must be as many as in training."""
    source = given[table]
    if source is None:
        return None
    optional = given["drop"] if table == "test" else ()
    read = read_table(source, given["label"], given, optional)
    assert read.labels is not None  # there is no table without -y
    labelled = read_labels(read.labels).codes >= 0
    rows = Rows(read.features[labelled], read.labels[labelled])
    trained = int(model.forest.rows[0])
    if table == "data" and len(rows.y) != trained:
        raise click.UsageError(
            f"{'stdin' if source == '-' else source} has {plural(len(rows.y), 'labelled row')} and "
            f"the model was trained on {trained:,}: --data are the training rows"
            + (", --test other ones." if "test" in given else ".")
        )
    return rows


def _again(wish: Wish) -> dict[str, Any]:
    """What the model was grown from, to grow others like it."""
    training = read_training(wish.model, *wish.training)
    names = [str(name) for name in feature_names(wish.model)]
    parameters = CDFClassifier.from_model(wish.model).get_params(deep=False)
    return {
        "X": pd.DataFrame(training.rows, columns=names),
        "y": wish.model.classes[training.codes],
        **{name: value for name, value in parameters.items() if name not in _NOT_AGAIN},
        "progress": True,
    }


# ---- the pictures --------------------------------------------------------------------------------


def _judged_by_map(wish: Wish) -> dict[str, Any]:
    """As ``judged``; a forest of few trees has not left out every two rows together."""
    rows = wish.judged()
    if rows["out_of_bag"] and not left_out_together(wish.model.forest):
        tell("note: too few trees to judge out of bag: all trees tell which rows are near")
        rows["out_of_bag"] = False
    return rows


def _compared(wish: Wish) -> int:
    """How many features the seeds are compared by: 20, or all but one of few."""
    used = len(np.unique(wish.model.forest.features))
    most: int = wish.options.get("top", 20)
    return max(1, min(most, used - 1))


_DRAW: dict[str, Callable[[Wish], Any]] = {
    "tree": lambda wish: plots.plot_tree(
        wish.model, **wish.rows(),
        **wish.chosen(tree="tree", max_features="top", max_depth="max_depth"),
    ),
    "importance": lambda wish: plots.plot_importance(wish.model, **wish.chosen(top="top")),
    "coselection": lambda wish: plots.plot_coselection(wish.model, **wish.chosen(top="top")),
    "centroids": lambda wish: plots.plot_centroids(
        wish.model, **wish.rows(), **wish.chosen(top="top")
    ),
    "permutation": lambda wish: plots.plot_permutation(
        wish.model, *wish.training, progress=True,
        **wish.chosen(top="top", repeats="repeats", seed="seed"),
    ),
    "chance": lambda wish: plots.plot_chance(
        wish.model, *wish.training, progress=True,
        **wish.chosen(top="top", repeats="repeats", seed="seed"),
    ),
    "stability": lambda wish: plots.plot_stability(
        stability(**_again(wish), top=_compared(wish), **wish.chosen(seeds="repeats")),
        **wish.chosen(top="top"),
    ),
    "proximity": lambda wish: plots.plot_proximity(wish.model, **_judged_by_map(wish)),
    "confusion": lambda wish: plots.plot_confusion(wish.model, **wish.judged()),
    "probabilities": lambda wish: plots.plot_probabilities(wish.model, **wish.judged()),
    "trees": lambda wish: plots.plot_tree_curve(
        wish.model, *(wish.data or (None, None)), *(wish.test or (None, None))
    ),
    "parameters": lambda wish: plots.plot_parameter_curves(
        parameter_curves(**_again(wish), **wish.chosen(splits="repeats", seed="seed"))
    ),
}  # fmt: skip
