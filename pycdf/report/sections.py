"""The sections of a report: pictures and tables, with what each shows and does not show.

Each section is a function of :class:`ReportInputs` that returns HTML;
:func:`pycdf.report.html.html_report` puts the sections on a page.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pycdf import plots
from pycdf.explain.evidence import split_evidence
from pycdf.explain.fitted import Fit
from pycdf.explain.out_of_bag import left_out_together
from pycdf.explain.permutation import permutation_importance
from pycdf.explain.row_votes import RowVotes, row_votes
from pycdf.explain.selection import selection_table
from pycdf.explain.text import export_text
from pycdf.forest.model import Model
from pycdf.forest.summary import summary
from pycdf.plots.style import class_look
from pycdf.report.page import Html, join, paragraph, picture, plain_text, table
from pycdf.support.wording import one_line, plural
from pycdf.validation import kappa

_TOP = 20  # features in a table or chart
_PAIRED = 15  # features whose pairs are shown
_PARAMETERS = {
    "ntrees": "trees in the forest",
    "depth": "levels of splits, at most",
    "mnode": "rows that a node needs to be split",
    "k": "features that a node selects",
    "mtry": "features that a node draws at random to select from",
}


@dataclass(frozen=True, eq=False)
class ReportInputs:
    """The fit and training rows that a report is made from, and results that sections share."""

    fit: Fit
    model: Model
    seed: int
    training: Any
    """The :class:`TrainingRows`; None if they were not given, and no section asks for them."""

    @cached_property
    def evidence(self) -> pd.DataFrame:
        """Statistical tests of the splits of the first tree."""
        return split_evidence(self.fit, self.training, self.training, 0)

    @cached_property
    def out_of_bag(self) -> RowVotes:
        """The out-of-bag votes for the training rows."""
        return row_votes(self.model, self.training, self.training, out_of_bag=True)


# ---- sections that need only the forest ----------------------------------------------------------


def _model(inputs: ReportInputs) -> Html:
    facts = summary(inputs.model)
    columns = f"{facts['columns']:,}"
    if facts["columns_kept"] < facts["columns"]:
        columns += f", of which {facts['columns_kept']:,} vary and are used"
    forest = inputs.model.forest
    roots = forest.counts[forest.tree_start[:-1]].mean(axis=0)
    look = class_look(inputs.model.classes)
    options = facts["options"]
    spread = "divided by n - 1, as in R" if options["ddof"] else "divided by n"
    return join([
        table("Size of the forest", [
            ("training rows", f"{facts['training_rows']:,}"),
            ("columns", columns),
            ("trees", f"{facts['trees']:,}"),
            ("nodes",
             f"{facts['nodes']:,} ({plural(facts['splits'], 'split')}, "
             f"{plural(facts['leaves'], 'leaf')})"),
            ("deepest node", f"{plural(facts['deepest'], 'level')} below the root"),
            ("seed", facts["seed"]),
        ]),
        table("Parameters", [
            *((name, value, _PARAMETERS[name]) for name, value in facts["parameters"].items()),
            ("spread", spread, "standard deviation in the class separability score"),
            ("collation", options["collation"], "order of labels, for ties in a leaf"),
            ("bootstrap", "yes" if options["bootstrap"] else "no",
             "whether each tree grows on a sample of the rows, drawn with replacement"),
            ("streams", options["streams"],
             "random streams: one for all trees, as in R, or one per tree"),
        ], ("name", "value", "meaning")),
        table("Classes, and the average number of rows of each that a tree is grown on",
              [(look.names[code], f"{roots[code]:.1f}") for code in look.order],
              ("class", "rows"), numbers=1),
    ])  # fmt: skip


def _features(inputs: ReportInputs) -> Html:
    shares = selection_table(inputs.fit)
    first = shares[shares > 0].head(_TOP)
    return join([
        picture(
            plots.plot_importance(inputs.fit, _TOP),
            "Bar chart: the most selected features by their share of all selections; "
            f"{_top_values(first, '.2%')}.",
            "How often nodes selected each feature, as a share of all selections: R's feature "
            "importance. It counts selections, not their value: features that carry the same "
            "information share their selections, and some features are selected by chance.",
        ),
        table(f"The {len(first)} most selected features",
              [(one_line(name), f"{share:.4%}") for name, share in first.items()],
              ("feature", "share of selections"), numbers=1),
        picture(
            plots.plot_centroids(inputs.fit, _TOP, X=inputs.training, y=inputs.training),
            "Heat map: class centroids on the most selected features.",
            "The class centroids on the most selected features. "
            + ("Colours show class means of the training rows, in standard deviations of the "
               "feature. The features were selected for such differences, which therefore look "
               "clearer here than on new rows." if inputs.training is not None else
               "Colours compare the classes within a feature, but not one feature with another: "
               "the forest does not record how widely the rows are scattered."),
        ),
        picture(
            plots.plot_coselection(inputs.fit, _PAIRED),
            "Triangular matrix: how many nodes selected both features of each pair.",
            "Which features nodes select together, compared with chance. Features that separate "
            "the same classes are often selected together; this does not show an interaction.",
        ),
    ])  # fmt: skip


def _first_tree(inputs: ReportInputs) -> Html:
    return join([
        picture(
            plots.plot_tree(inputs.fit, 0, X=inputs.training, y=inputs.training),
            "Diagram of the first tree; the text below has the same content.",
            "The first tree of the forest: each node selects features, and each row goes to the "
            "branch of the class whose centroid is nearest on these features. One tree is an "
            "example of what the forest does, not a summary of it; another seed gives another "
            "first tree.",
        ),
        plain_text(export_text(inputs.fit, 0), "The first tree as text"),
    ])  # fmt: skip


# ---- sections that need the training rows --------------------------------------------------------


def _accuracy(inputs: ReportInputs) -> Html:
    votes = inputs.out_of_bag
    look = class_look(votes.classes)
    right = votes.found == votes.codes
    agreement = kappa(votes.codes.tolist(), votes.found.tolist())
    lines = []
    for code in look.order:
        own = votes.codes == code
        share = f"{right[own].mean():.1%}" if own.any() else "-"
        lines.append((look.names[code], f"{own.sum():,}", f"{right[own].sum():,}", share))
    lines.append(("all", f"{len(right):,}", f"{right.sum():,}", f"{right.mean():.1%}"))
    return join([
        paragraph(f"{votes.headline()}; Cohen's kappa {agreement:.3f}."),
        paragraph(
            "Each row is predicted only by trees that were grown without it. This estimates the "
            "accuracy on new rows of the same kind; it does not cover rows from another "
            "laboratory, or features and parameters that were chosen using these rows before the "
            "forest was grown.", "limits",
        ),
        table("Correct out-of-bag predictions", lines, ("class", "rows", "correct", "share"), 3),
        picture(
            plots.plot_confusion(inputs.model, inputs.training, inputs.training, out_of_bag=True),
            f"Confusion matrix, out of bag: {votes.headline()}.",
            "Confusion matrix: rows of each class by predicted class; correct predictions are "
            "framed. In a small class the shares are unreliable.",
        ),
        picture(
            plots.plot_probabilities(
                inputs.model, inputs.training, inputs.training, out_of_bag=True
            ),
            "Histograms, class by class: share of trees that vote for a row's own class.",
            "How confident the trees are about the rows of each class. Vote shares rank the rows; "
            "they are not calibrated probabilities.",
        ),
        picture(
            plots.plot_tree_curve(inputs.model, inputs.training, inputs.training),
            "Curve: out-of-bag accuracy of the first tree, the first two trees, and so on.",
            "Whether more trees would help: they would not if the curve is flat at its end. At its "
            "start only a few trees vote on each row, so it is noisy.",
        ),
    ])  # fmt: skip


def _map(inputs: ReportInputs) -> Html:
    out_of_bag = left_out_together(inputs.model.forest)
    trees_used = (
        "Only trees that were grown without either of two rows count for their proximity."
        if out_of_bag
        else "The forest has too few trees for out-of-bag proximities: trees also count for rows "
        "that they were grown on, so the classes look farther apart than they are."
    )
    return picture(
        plots.plot_proximity(inputs.model, inputs.training, inputs.training, out_of_bag=out_of_bag),
        "Scatter plot of the training rows: rows that share many leaves are close to each other.",
        "Rows are close to each other if they end in the same leaf in many trees. Look for groups "
        "of one class, rows among another class (check these first), and isolated rows. "
        f"{trees_used} The map shows two of many dimensions: rows that overlap here may differ.",
    )


def _permutation(inputs: ReportInputs) -> Html:
    found = permutation_importance(inputs.fit, inputs.training, inputs.training, seed=inputs.seed)
    first = found.head(_TOP)
    return join([
        picture(
            plots.plot_permutation(found, top=_TOP),
            "Bar chart: out-of-bag accuracy lost when a feature is shuffled; "
            f"{_top_values(first['importance'], '.2%')}.",
            "The out-of-bag accuracy that the trees lose when the values of one feature are "
            "shuffled. It shows what this forest relies on, not what is irreplaceable: if several "
            "features carry the same information, each of them alone matters little.",
        ),
        table(f"The top {len(first)} features by loss of accuracy",
              [(one_line(name), f"{line['importance']:.4%}", f"{line['std']:.4%}",
                f"{int(line['trees']):,}") for name, line in first.iterrows()],
              ("feature", "loss", "standard deviation", "trees that use it"), 3),
    ])  # fmt: skip


def _first_split(inputs: ReportInputs) -> Html:
    found = inputs.evidence
    root = found[found["node"] == 0]
    if not len(root):
        return paragraph("The first tree is one leaf: there is no split.")
    first = root.iloc[0]
    head = (
        f"The root of the first tree: {first['distinct_rows']:,} distinct rows, "
        f"{plural(len(root), 'feature')} selected among {first['candidates']:,}; "
        + " or ".join(root["test"].dropna().unique())
    )
    return join([
        table(head,
              [(one_line(line["feature"]), f"{line['score']:.4g}", _p(line["p_value"]),
                _p(line["p_adjusted"])) for _, line in root.iterrows()],
              ("feature", "separability score", "p-value", "corrected p-value"), 3),
        paragraph(
            "How well each feature that the root selected separates the classes among its rows. "
            "The features were selected because they separate the classes, so the raw p-values "
            "are too small. The corrected ones account for the choice among all the features that "
            "the root drew (Bonferroni, of p-values by permutation). They say nothing about nodes "
            "further down, whose rows were sent there because of their classes, and only new rows "
            "can prove a difference.",
            "limits",
        ),
    ])  # fmt: skip


def _p(value: float) -> str:
    return "unknown" if np.isnan(value) else f"{value:.2g}"


def _top_values(values: pd.Series, form: str) -> str:
    """The first three values in words, each in the format ``form``."""
    return "the first are " + ", ".join(
        f"{one_line(name)} ({value:{form}})" for name, value in values.head(3).items()
    )


FOREST_SECTIONS = (
    ("The model", _model),
    ("Selected features", _features),
    ("The first tree", _first_tree),
)
ROW_SECTIONS = (
    ("Accuracy", _accuracy),
    ("Map of the rows", _map),
    ("Permutation importance", _permutation),
    ("Is the first split significant?", _first_split),
)
