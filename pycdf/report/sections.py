"""The sections of a report: their pictures and tables, and what these show and do not show.

In goes what is known of a fit (:class:`Known`); out comes HTML. :mod:`pycdf.report` puts the
sections on a page.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from pycdf import plots
from pycdf.explain.evidence import split_evidence
from pycdf.explain.fitted import Fit, TrainingRows
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
_PAIRED = 15  # features whose pairs are drawn
_PARAMETERS = {
    "ntrees": "trees in the forest",
    "depth": "levels of splits, at most",
    "mnode": "rows that a node needs to be split",
    "k": "features that a node selects",
    "mtry": "features that a node draws, to select from",
}


@dataclass(frozen=True, eq=False)
class Known:
    """What a report is made from."""

    fit: Fit
    model: Model
    seed: int
    training: TrainingRows | None
    """The training rows and labels, where they were given."""

    @cached_property
    def evidence(self) -> pd.DataFrame:
        """The evidence for the splits of the first tree."""
        return split_evidence(self.fit, self.training, self.training, 0)

    @cached_property
    def judged(self) -> RowVotes:
        """The training rows, judged out of bag."""
        return row_votes(self.model, self.training, self.training, out_of_bag=True)


# ---- what the forest alone tells -----------------------------------------------------------------


def _model(known: Known) -> Html:
    told = summary(known.model)
    columns = f"{told['columns']:,}"
    if told["columns_kept"] < told["columns"]:
        columns += f", of which {told['columns_kept']:,} vary and are used"
    forest = known.model.forest
    roots = forest.counts[forest.tree_start[:-1]].mean(axis=0)
    look = class_look(known.model.classes)
    options = told["options"]
    spread = "divided by n - 1, as in R" if options["ddof"] else "divided by n"
    return join([
        table("What the forest is", [
            ("training rows", f"{told['training_rows']:,}"),
            ("columns", columns),
            ("trees", f"{told['trees']:,}"),
            ("nodes", f"{told['nodes']:,} ({told['splits']:,} splits, {told['leaves']:,} leaves)"),
            ("deepest node", f"{plural(told['deepest'], 'level')} below the root"),
            ("seed", told["seed"]),
        ]),
        table("Parameters in use", [
            *((name, value, _PARAMETERS[name]) for name, value in told["parameters"].items()),
            ("spread", spread, "standard deviation in the class separability score"),
            ("collation", options["collation"], "order of labels, where a leaf is tied"),
            ("bootstrap", "yes" if options["bootstrap"] else "no",
             "whether a tree grows on a sample of the rows, drawn with replacement"),
            ("streams", options["streams"], "of random numbers: R's one, or one per tree"),
        ], ("name", "value", "meaning")),
        table("Classes, and how many rows of each a tree grows on, on average",
              [(look.names[code], f"{roots[code]:.1f}") for code in look.order],
              ("class", "rows"), numbers=1),
    ])  # fmt: skip


def _features(known: Known) -> Html:
    shares = selection_table(known.fit)
    first = shares[shares > 0].head(_TOP)
    return join([
        picture(
            plots.plot_importance(known.fit, _TOP),
            "Bars: share of all selections of the most selected features; "
            f"{_few_values(first, '.2%')}.",
            "How often nodes selected a feature, as a share of all selections: R's feature "
            "importance. It counts choices, not what they are worth: a feature that tells the same "
            "as another shares its selections with it, and some features are selected by chance.",
        ),
        table(f"The {len(first)} most selected features",
              [(one_line(name), f"{share:.4%}") for name, share in first.items()],
              ("feature", "share of selections"), numbers=1),
        picture(
            plots.plot_centroids(known.fit, _TOP, X=known.training, y=known.training),
            "Heat map: class centroids on the most selected features.",
            "Where the classes lie on the most selected features. "
            + ("Colours are class means of the training rows, in standard deviations of the "
               "feature. The features were selected for such differences: they look clearer here "
               "than on new rows." if known.training is not None else
               "Colours compare the classes within a feature, not features with each other: the "
               "forest does not know how far rows scatter."),
        ),
        picture(
            plots.plot_coselection(known.fit, _PAIRED),
            "Triangle of numbers: how many nodes selected both of two features.",
            "Which features nodes select together, beside chance. Features that separate the same "
            "classes go together; that they act on each other, it does not show.",
        ),
    ])  # fmt: skip


def _first_tree(known: Known) -> Html:
    return join([
        picture(
            plots.plot_tree(known.fit, 0, X=known.training, y=known.training),
            "Diagram of the first tree; the text below has the same.",
            "The first tree of the forest: a node selects features, and each row goes to the class "
            "whose centroid is nearest on them. One tree is an example of what the forest does, "
            "not a summary of it; another seed gives another first tree.",
        ),
        plain_text(export_text(known.fit, 0), "The first tree as text"),
    ])  # fmt: skip


# ---- what the training rows tell -----------------------------------------------------------------


def _accuracy(known: Known) -> Html:
    judged = known.judged
    look = class_look(judged.classes)
    right = judged.found == judged.codes
    agreement = kappa(judged.codes.tolist(), judged.found.tolist())
    lines = []
    for code in look.order:
        own = judged.codes == code
        share = f"{right[own].mean():.1%}" if own.any() else "-"
        lines.append((look.names[code], f"{own.sum():,}", f"{right[own].sum():,}", share))
    lines.append(("all", f"{len(right):,}", f"{right.sum():,}", f"{right.mean():.1%}"))
    return join([
        paragraph(f"{judged.headline()}; Cohen's kappa {agreement:.3f}."),
        paragraph(
            "Each row is judged by the trees that did not draw it, so that no tree is asked about "
            "rows that it knows. This estimates the accuracy on new rows of the same kind; it "
            "knows nothing of rows from another laboratory, or of choices (of features, of "
            "parameters) that were made with these rows before the forest was grown.", "limits",
        ),
        table("Rows judged right, out of bag", lines, ("class", "rows", "right", "share"), 3),
        picture(
            plots.plot_confusion(known.model, known.training, known.training, out_of_bag=True),
            f"Confusion matrix, out of bag: {judged.headline()}.",
            "Rows of each class by the class that they are taken for; right ones are framed. In a "
            "class of few rows a share says little.",
        ),
        picture(
            plots.plot_probabilities(known.model, known.training, known.training, out_of_bag=True),
            "Histograms: share of trees that vote for a row's own class, class by class.",
            "How sure the trees are of the rows of each class. Shares of votes order the rows; "
            "they are not calibrated probabilities.",
        ),
        picture(
            plots.plot_tree_curve(known.model, known.training, known.training),
            "Curve: out-of-bag accuracy of the first tree, the first two, and so on.",
            "Whether more trees would help: where the curve is flat, they would not. With few "
            "trees, few judge a row, so that the left end also shows chance.",
        ),
    ])  # fmt: skip


def _map(known: Known) -> Html:
    outside = left_out_together(known.model.forest)
    by_whom = (
        "Only trees that drew neither of two rows tell how near these are."
        if outside
        else "The forest has too few trees to judge rows out of bag: trees also tell of rows that "
        "they were grown on, so that classes look farther apart than they are."
    )
    return picture(
        plots.plot_proximity(known.model, known.training, known.training, out_of_bag=outside),
        "Scatter plot of the training rows: near each other where they share leaves.",
        "Rows are near each other where they end in the same leaves of many trees: islands of one "
        "class, rows among another class (look at these first) and rows far from all. "
        f"{by_whom} The plane keeps two of many dimensions: rows that overlap here may differ.",
    )


def _permutation(known: Known) -> Html:
    found = permutation_importance(known.fit, known.training, known.training, seed=known.seed)
    first = found.head(_TOP)
    return join([
        picture(
            plots.plot_permutation(found, top=_TOP),
            "Bars: out-of-bag accuracy lost when a feature is shuffled; "
            f"{_few_values(first['importance'], '.2%')}.",
            "What the trees lose, out of bag, when the values of one feature are shuffled. It says "
            "what this forest relies on, not what it could not replace: where several features "
            "tell the same, each of them alone is missed little.",
        ),
        table(f"The first {len(first)} features by loss of accuracy",
              [(one_line(name), f"{line['importance']:.4%}", f"{line['std']:.4%}",
                f"{int(line['trees']):,}") for name, line in first.iterrows()],
              ("feature", "loss", "standard deviation", "trees that use it"), 3),
    ])  # fmt: skip


def _first_split(known: Known) -> Html:
    found = known.evidence
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
            "How well each feature that the root selected parts the classes among its rows. The "
            "features are here because they part the classes: the plain p-value would be small "
            "also by chance. The corrected one makes up for the choice among all that the root "
            "drew (Bonferroni). It says nothing of nodes further down, whose rows were sent there "
            "by these very classes, and only fresh rows prove a difference.", "limits",
        ),
    ])  # fmt: skip


def _p(value: float) -> str:
    return "unknown" if np.isnan(value) else f"{value:.2g}"


def _few_values(values: pd.Series, form: str) -> str:
    """The first three, in words."""
    return "first are " + ", ".join(
        f"{one_line(name)} ({value:{form}})" for name, value in values.head(3).items()
    )


OF_THE_FOREST = (
    ("The model", _model),
    ("Features that nodes select", _features),
    ("The first tree", _first_tree),
)
OF_THE_ROWS = (
    ("How good the forest is", _accuracy),
    ("Where the rows lie", _map),
    ("Features that the forest relies on", _permutation),
    ("Is the first split real?", _first_split),
)
