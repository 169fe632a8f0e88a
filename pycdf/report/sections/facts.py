"""Parameters, data, versions, and how to cite: what is needed to make the report again."""

import platform
from importlib.metadata import version
from typing import Any

import numpy as np

from pycdf import __version__
from pycdf.explain.tree_curves import tree_curve
from pycdf.forest.summary import summary
from pycdf.report.charts import tree_chart
from pycdf.report.inputs import ReportInputs
from pycdf.report.page import Html, figure, heading, html, join, listing, table
from pycdf.report.words import class_name, percent
from pycdf.support.wording import few, plural

_PARAMETERS = {
    "ntrees": "trees in the forest",
    "depth": "levels of splits, at most",
    "mnode": "rows that a node needs to be split",
    "k": "features that a node selects",
    "mtry": "features that a node draws at random to select from",
}
_LIBRARIES = ("numpy", "pandas", "numba", "scikit-learn", "scipy")
_CITATION = (
    Html("Ali, A., Khan, Z., Aldahmani, S. (2025). Centroid Decision Forest. arXiv:2503.19306. "
         "doi:10.48550/arXiv.2503.19306 (the method)."),
    Html("Ali, A., Aldahmani, S., Khan, Z. (2025). CDF: Centroid Decision Forest for "
         "High-Dimensional Classification. R package, version 0.1.0 (the reference "
         "implementation)."),
    Html(f"The pycdf contributors (2025). pycdf: R's centroid decision forest in Python, bit for "
         f"bit. Version {__version__} (this software)."),
)  # fmt: skip


def facts(inputs: ReportInputs) -> Html:
    """The section."""
    return join([
        _parameters(inputs),
        _enough_trees(inputs),
        heading("Data"),
        _data(inputs),
        heading("Made with"),
        _made_with(inputs),
        heading("How to cite"),
        listing(_CITATION),
    ])  # fmt: skip


def _parameters(inputs: ReportInputs) -> Html:
    known = summary(inputs.model)
    options = known["options"]
    return table("Parameters", [
        *((one, f"{value:,}", _PARAMETERS[one]) for one, value in known["parameters"].items()),
        ("seed", known["seed"], "of the random numbers"),
        ("bootstrap", "yes" if options["bootstrap"] else "no",
         "whether each tree grows on a random sample of the rows"),
        ("scale", "yes" if options["scale"] else "no",
         "whether columns are standardised by the training rows"),
        *_class_weight(inputs),
        ("ddof", options["ddof"], "standard deviations are divided by n minus this; R: 1"),
        ("collation", options["collation"], "order of the labels, for ties in a leaf"),
        ("streams", options["streams"], "one random stream for all trees (r), or one each"),
        ("size", f"{known['nodes']:,} nodes",
         f"{plural(known['splits'], 'split')}, {plural(known['leaves'], 'leaf')}, at most "
         f"{plural(known['deepest'], 'level')} deep"),
    ], ("name", "value", "meaning"))  # fmt: skip


def _class_weight(inputs: ReportInputs) -> list[tuple[str, Any, str]]:
    """The class weights, if there are any; those of a dict class by class."""
    weights, names = inputs.model.options["class_weight"], inputs.look.names
    if weights is None:
        return []
    shown = weights
    if not isinstance(weights, str):
        shown = ", ".join(f"{names[code]}: {weights[code]:g}" for code in inputs.look.order)
    return [("class_weight", shown, "how often rows of a class are drawn for a tree")]


def _enough_trees(inputs: ReportInputs) -> Html:
    if inputs.training is None or inputs.model.forest.n_trees < 2:
        return Html("")
    try:
        curve = 1 - tree_curve(inputs.model, inputs.training, inputs.training)["oob_error"]
    except ValueError:
        return Html("")
    return figure(
        tree_chart(curve.to_numpy(), "Accuracy out of bag by number of trees."),
        "Are there enough trees? Accuracy out of bag of the first trees: if the line is level at "
        "its end, more trees would not help.",
    )


def _data(inputs: ReportInputs) -> Html:
    known = summary(inputs.model)
    columns = f"{known['columns']:,}"
    if known["columns_kept"] < known["columns"]:
        columns += f", of which {known['columns_kept']:,} are used"
    lines: list[tuple[Any, ...]] = [
        ("training rows", f"{known['training_rows']:,}"), ("columns", columns),
    ]  # fmt: skip
    if inputs.test is not None:
        lines.append(("test rows", f"{len(inputs.test.rows):,}"))
    return join([table("Rows and columns", lines), _classes(inputs), _notes(inputs)])


def _classes(inputs: ReportInputs) -> Html:
    look, n = inputs.look, len(inputs.look.order)
    head: list[str] = ["class"]
    columns: list[list[str]] = []
    if inputs.training is not None:
        head.append("training rows")
        sizes = np.bincount(inputs.training.codes, minlength=n)
        columns.append([f"{sizes[code]:,}" for code in look.order])
    else:
        forest = inputs.model.forest
        head.append("share of the rows of a tree, on average")
        drawn = forest.counts[forest.tree_start[:-1]].sum(axis=0)
        columns.append([percent(drawn[code] / drawn.sum()) for code in look.order])
    if inputs.test is not None:
        head.append("test rows")
        sizes = np.bincount(inputs.test.votes.codes, minlength=n)
        columns.append([f"{sizes[code]:,}" for code in look.order])
    lines = [(class_name(look, code), *cells)
             for code, *cells in zip(look.order, *columns, strict=True)]  # fmt: skip
    return table("Classes", lines, head, numbers=len(head) - 1)


def _notes(inputs: ReportInputs) -> Html:
    """What was done to the data, and what to look at."""
    model = inputs.model
    notes: list[Any] = list(inputs.origin.notes)
    dropped = np.setdiff1d(np.arange(model.n_features), model.kept)
    if len(dropped):
        names = model.feature_names
        shown = few([names[j] for j in dropped] if names is not None else dropped.tolist())
        notes.append(
            f"{plural(len(dropped), 'column')} without any use for a forest (constant, or "
            f"no numbers) {'is' if len(dropped) == 1 else 'are'} left out: {shown}."
        )
    for what, rows in (("training", inputs.training), ("test", inputs.test)):
        if rows is None:
            continue
        missing = np.isnan(rows.rows)
        count = int(missing.sum())
        if count:
            share = count / missing.size
            notes.append(
                f"{plural(count, 'cell')} of the {what} rows {'is' if count == 1 else 'are'} "
                f"missing ({percent(share, 2)}), in "
                f"{plural(int(missing.any(axis=0).sum()), 'column')} and "
                f"{plural(int(missing.any(axis=1).sum()), 'row')}. They do not count in means "
                "and distances."
            )
    return join([heading("Notes on the input"), listing(notes)]) if notes else Html("")


def _made_with(inputs: ReportInputs) -> Html:
    lines: list[tuple[Any, Any]] = []
    origin = inputs.origin
    if origin.date:
        lines.append(("date", origin.date))
    if origin.command:
        lines.append(("command", Html(f"<code>{html(origin.command)}</code>")))
    lines.append(("pycdf", __version__))
    lines.append(("Python", platform.python_version()))
    lines += [(one, version(one)) for one in _LIBRARIES]
    return table("Versions", lines)
