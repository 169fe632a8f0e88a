"""What does one tree look like? The first one as a diagram, its root in numbers, all as text."""

from typing import Any

import numpy as np
import pandas as pd

from pycdf.explain.evidence import split_evidence
from pycdf.explain.fitted import feature_names
from pycdf.explain.text import export_text
from pycdf.forest.model import STANDARDISED
from pycdf.forest.summary import leaf_note, other_rules_text
from pycdf.plots.nodes import Node, number_texts, p_text, read_tree
from pycdf.report.inputs import ReportInputs
from pycdf.report.page import (
    Html,
    figure,
    folded,
    heading,
    html,
    join,
    name,
    paragraph,
    plain_text,
    table,
)
from pycdf.report.svg import class_legend
from pycdf.report.tree_diagram import shown_depth, tree_diagram
from pycdf.report.words import class_heads, wide
from pycdf.support.wording import one_line, plural


def one_tree(inputs: ReportInputs) -> Html:
    """The section."""
    nodes = read_tree(inputs.model.forest, 0, inputs.look.order)
    names = [one_line(one) for one in feature_names(inputs.fit)]
    used = sorted({feature for node in nodes for feature in node.features})
    return join([
        figure(
            tree_diagram(nodes, inputs.look, {j: names[j] for j in used},
                         f"Diagram of the first tree, which has {plural(len(nodes), 'node')}; the "
                         "text below has the same content."),
            join([class_legend(inputs.look),
                  html(_caption(nodes, inputs.model.options["bootstrap"])
                       + _rules(inputs.model.options))]),
        ),
        _root(inputs, nodes[0], names),
        folded("The whole tree as text, with all features and centroids",
               plain_text(export_text(inputs.fit, 0), "The first tree as text")),
    ])  # fmt: skip


def _caption(nodes: list[Node], bootstrap: bool) -> str:
    sample = "a random sample of the training rows" if bootstrap else "all training rows"
    text = (
        f"The first of the trees, grown on {sample}. A node lists the first features that it "
        "selected; its bar shows the classes of its rows. A row goes on along the band of the "
        "class whose centroid (mean) is nearest on these features, and an arrow is the answer of a "
        "leaf. One tree is an example of what the forest does, not a summary of it."
    )
    depth = shown_depth(nodes)
    if any(node.depth > depth for node in nodes):
        text += f" Nodes more than {plural(depth, 'level')} below the root are not drawn."
    return text


def _rules(options: dict[str, Any]) -> str:
    """What the trees of a forest do that is not what R does."""
    rules = other_rules_text(options)
    return f" This forest is not R's: {rules}. {leaf_note(options)}".rstrip() if rules else ""


def _root(inputs: ReportInputs, root: Node, names: list[str]) -> Html:
    """The features of the root, with the centroids and, given the training rows, their tests."""
    if not root.features:
        return paragraph("The first tree is one leaf: there is no split.")
    tests = _tests(inputs)
    classes = list(root.centroids)
    lines = []
    for rank, feature in enumerate(root.features):
        means = [float(root.centroids[code][rank]) for code in classes]
        line: list[Any] = [name(names[feature]), *number_texts(means, None)]
        if tests is not None:
            line.insert(1, p_text(float(tests["p_adjusted"].iloc[rank])))
        lines.append(line)
    head: list[Any] = ["feature", *class_heads(inputs.look, classes)]
    text = (
        f"The root chose {plural(len(root.features), 'feature')} out of "
        f"{inputs.model.parameters['mtry']:,} drawn at random, the best first; the numbers are the "
        f"means of the classes (the centroids){_units(inputs)}."
    )
    if tests is not None:
        head.insert(1, "p")
        text += (
            " p: rank test of the classes, corrected for the choice among the features that were "
            "drawn. Only the root can be tested: further down, rows have already been parted by "
            "class. And only new rows can confirm a difference."
        )
    return join([
        heading("Where does it start?"),
        table("The root of the first tree", lines, head, len(head) - 1,
              wide("roots", len(classes))),
        paragraph(text, "limits"),
    ])  # fmt: skip


def _units(inputs: ReportInputs) -> str:
    """The units of centroids, if they are not those of the columns."""
    return "" if inputs.model.scaling is None else f", in {STANDARDISED}"


def _tests(inputs: ReportInputs) -> pd.DataFrame | None:
    if inputs.training is None or inputs.model.sending is not None:
        return None  # with another distance than R's, the rows of nodes are not known
    found = split_evidence(inputs.fit, inputs.training, inputs.training, 0)
    root = found[found["node"] == 0]
    return None if np.isnan(root["p_adjusted"]).all() else root
