"""How good is it for each class? Confusion matrix, sensitivity, specificity, ROC, calibration."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.explain.confusion_matrix import confusion_of_codes
from pycdf.explain.intervals import FEWEST_FOR_AUC
from pycdf.explain.probabilities import calibration_of, roc_points
from pycdf.report.charts import calibration_chart, roc_chart, small_roc_chart
from pycdf.report.inputs import JudgedRows, ReportInputs
from pycdf.report.page import (
    Cell,
    Html,
    figure,
    folded,
    join,
    name,
    paragraph,
    side_by_side,
    table,
)
from pycdf.report.words import (
    between,
    class_heads,
    class_name,
    decimal,
    percent,
    quoted,
    records,
    wide,
    with_range,
)
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]


def confusion_part(inputs: ReportInputs, judged: JudgedRows) -> Html:
    """The confusion matrix."""
    votes, look = judged.votes, inputs.look
    counts = confusion_of_codes(votes.codes, votes.found, votes.classes).to_numpy()
    sizes = counts.sum(axis=1)
    lines = []
    for i, code in enumerate(look.order):
        line: list[Any] = [Html(f"{class_name(look, code)} ({sizes[i]:,})")]
        for j in range(len(look.order)):
            kind = "hit" if i == j else "none" if counts[i, j] == 0 else ""
            line.append(Cell(f"{counts[i, j]:,}", kind, counts[i, j] / max(sizes[i], 1)))
        lines.append(line)
    head = [Html("true ↓ predicted →"), *class_heads(look, look.order)]
    return join([
        table(f"Confusion matrix of {plural(len(votes.codes), judged.kind)}",
              lines, head, kind=wide("grid confusion", len(look.order))),
        paragraph("Each line is a true class, with its number of rows in brackets; right "
                  "predictions are framed. The darker a cell, the larger its share of the line.",
                  "limits"),
    ])  # fmt: skip


class ClassMeasures(NamedTuple):
    """What is known about a class: lines of the table of :func:`pycdf.explain.performance`."""

    code: int
    rows: int
    sensitivity: Any
    specificity: Any
    auc: Any
    single: bool
    """Whether it is judged out of bag and has one training row, so that it cannot be right."""


def read_classes(
    inputs: ReportInputs, judged: JudgedRows, measured: pd.DataFrame
) -> list[ClassMeasures]:
    """The measures of each class, in the order in which classes are shown."""
    n = len(inputs.look.order)
    sizes = np.bincount(judged.votes.codes, minlength=n)
    known = sizes
    if inputs.training is not None:
        known = np.bincount(inputs.training.codes, minlength=n)
    lines = records(measured[-3 * n :])  # after those of all classes together
    return [
        ClassMeasures(code, int(sizes[code]), lines[3 * i], lines[3 * i + 1], lines[3 * i + 2],
                      judged.out_of_bag and bool(known[code] == 1))
        for i, code in enumerate(inputs.look.order)
    ]  # fmt: skip


def class_part(inputs: ReportInputs, classes: Sequence[ClassMeasures]) -> Html:
    """Sensitivity, specificity and AUC of each class."""
    look, lines, few = inputs.look, [], False
    for one in classes:
        few |= not one.single and one.auc.value == one.auc.value and one.auc.low != one.auc.low
        cells = [
            "–" if one.single else _share(one.sensitivity),
            _share(one.specificity),
            "–" if one.single else with_range(decimal(one.auc.value), _limits(one.auc)),
        ]
        lines.append((Html(f"{class_name(look, one.code)} ({one.rows:,})"), *cells))
    text = (
        "Sensitivity: of the rows of the class (their number is in brackets), how many are "
        "recognised. Specificity: of the other rows, how many are not taken for it. AUC: how often "
        "a row of the class gets more votes for it than another row; 0.5 is guessing, 1 is perfect."
    )
    if few:
        text += f" An AUC has an interval from {FEWEST_FOR_AUC} rows on."
    if any(one.single or one.rows == 0 for one in classes):
        text += " A dash is a value that these rows cannot tell."
    return join([
        table("Each class against all others, with 95% confidence intervals", lines,
              ("class", "sensitivity", "specificity", "AUC"), 3, kind="measures"),
        paragraph(text, "limits"),
    ])  # fmt: skip


def _share(measure: Any) -> Html:
    return with_range(percent(measure.value), between(measure.low, measure.high))


def _limits(area: Any) -> str:
    """The interval of an AUC; empty if it has none."""
    return "" if area.low != area.low else f"{area.low:.2f}–{area.high:.2f}"


# ---- curves --------------------------------------------------------------------------------------


def curve_part(inputs: ReportInputs, judged: JudgedRows, classes: Sequence[ClassMeasures]) -> Html:
    """ROC curves and calibration."""
    drawn = [one for one in classes if one.auc.value == one.auc.value and not one.single]
    calibration = _calibration(inputs, judged)
    if not drawn:
        why = "ROC curves are not shown: they need rows of a class and others, and these rows have"
        few = "none of a class that can be judged." if len(classes) > 2 else "only one class."
        return join([paragraph(f"{why} {few}"), side_by_side([calibration])])
    if len(classes) == 2:
        return side_by_side([_one_roc(inputs, judged, drawn[-1]), calibration])
    return join([_small_rocs(inputs, judged, drawn), side_by_side([calibration])])


def _curve(judged: JudgedRows, one: ClassMeasures) -> tuple[Floats, tuple[float, float]]:
    """The points of a ROC curve, and where the predicted classes are on it."""
    votes = judged.votes
    _, false, true = roc_points(votes.codes == one.code, votes.shares[:, one.code])
    return np.column_stack([false, true]), (1 - one.specificity.value, one.sensitivity.value)


def _one_roc(inputs: ReportInputs, judged: JudgedRows, one: ClassMeasures) -> Html:
    shown, limits = quoted(inputs.look.names[one.code]), _limits(one.auc)
    area = decimal(one.auc.value)
    return figure(
        roc_chart(*_curve(judged, one), inputs.look.colours[one.code],
                  f"ROC curve of class {inputs.look.names[one.code]}: AUC {area}."),
        Html(f"ROC curve of {shown}: sensitivity against false alarms, when more or fewer votes "
             f"are asked for before a row is called {shown}. The area below is the AUC, "
             f"{area}{f' ({limits})' if limits else ''}; the dot is the majority vote, the dashed "
             "line guessing."),
    )  # fmt: skip


def _small_rocs(inputs: ReportInputs, judged: JudgedRows, classes: Sequence[ClassMeasures]) -> Html:
    look, parts = inputs.look, []
    for one in classes:
        area, label = decimal(one.auc.value), look.names[one.code]
        drawn = small_roc_chart(*_curve(judged, one), look.colours[one.code],
                                f"ROC curve of class {label}: AUC {area}.")  # fmt: skip
        parts.append(Html(f"<div>{drawn}{name(label, 24)}<br>{area}</div>"))
    return figure(
        Html(f'<div class="small-charts">{join(parts)}</div>'),
        "ROC curves of each class against all others, with the AUC: sensitivity (upwards) against "
        "false alarms (to the right), when more or fewer votes are asked for. The dot is the "
        "predicted class, the dashed line guessing.",
    )


def _calibration(inputs: ReportInputs, judged: JudgedRows) -> Html:
    bins = calibration_of(judged.votes)
    if len(inputs.look.order) == 2:
        label = inputs.look.names[inputs.look.order[-1]]
        shown = quoted(label)
        across, up = "share of votes for the class", "rows that are of the class"
        text = (
            f"Calibration: of the rows with a given share of votes for {shown}, how many are "
            f"{shown}?"
        )
    else:
        across, up = "share of votes for the predicted class", "right predictions"
        text = (
            "Calibration: of the predictions with a given share of the votes, how many are right?"
        )
    lines = [
        (f"{one.low:.0%} to {one.high:.0%}", f"{one.rows:,}", percent(one.predicted),
         with_range(percent(one.observed), between(one.observed_low, one.observed_high)))
        for one in records(bins)
    ]  # fmt: skip
    values = table("Calibration", lines, ("share of votes", "rows", "mean share", "observed"), 3)
    return figure(
        calibration_chart(bins, across, up, "Calibration: observed proportions by share of votes."),
        join([
            Html(f"{text} On the dashed line, vote shares can be read as probabilities; far from "
                 "it, they cannot. Larger dots are more rows; lines are 95% intervals."),
            folded("The numbers", values),
        ]),
    )  # fmt: skip
