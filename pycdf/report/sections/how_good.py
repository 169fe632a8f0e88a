"""How good is it? Accuracy beside a constant answer, and what the figures do not say.

:mod:`pycdf.report.sections.by_class` has the rest of the section, class by class.
"""

from collections.abc import Sequence

import pandas as pd

from pycdf.explain.quality import Baseline, baseline_of, performance_of
from pycdf.report.charts import share_strip
from pycdf.report.inputs import JudgedRows, ReportInputs
from pycdf.report.page import Html, heading, html, join, listing, paragraph, table
from pycdf.report.sections.by_class import (
    ClassMeasures,
    class_part,
    confusion_part,
    curve_part,
    read_classes,
)
from pycdf.report.sections.with_scaling import scaling_part
from pycdf.report.words import (
    between,
    decimal,
    listed,
    p_value,
    percent,
    quoted,
    records,
    with_range,
)
from pycdf.support.wording import plural

_LEVEL = 0.05
_HALF = 0.5  # sensitivity that a class clearly does not reach, if its interval ends below
_FEW_ROWS = 30  # below this, an accuracy may be far off
_NOTED = 6  # class names in a note


def how_good(inputs: ReportInputs) -> Html:
    """The section."""
    note = inputs.seen_note
    said = paragraph(note[:1].upper() + note[1:], "note") if note else Html("")
    if inputs.test is None and inputs.training is None:
        return join([said, paragraph(inputs.how_to_judge())])
    try:
        judged = inputs.judged
    except ValueError as error:
        return join([said, paragraph(f"Not known: {error}")])
    measured = performance_of(judged.votes)
    classes = read_classes(inputs, judged, measured)
    return join([
        said,
        _answer(inputs, judged, measured, classes),
        _both_judgements(inputs, judged, measured),
        _limits(inputs, judged, classes),
        heading("Which classes are confused?"),
        confusion_part(inputs, judged),
        heading("How good is it for each class?"),
        class_part(inputs, classes),
        curve_part(inputs, judged, classes),
        scaling_part(inputs),
    ])  # fmt: skip


# ---- the answer ----------------------------------------------------------------------------------


def _answer(
    inputs: ReportInputs,
    judged: JudgedRows,
    measured: pd.DataFrame,
    classes: Sequence[ClassMeasures],
) -> Html:
    """Accuracy, its interval, and whether it is better than a constant answer."""
    accuracy, baseline = measured.iloc[0], baseline_of(judged.votes)
    n, right = baseline.rows, round(accuracy["value"] * baseline.rows)
    constant = baseline.right / n
    mood, verdict = _verdict(inputs, baseline)
    how = (
        "each predicted only by the trees that were grown without it (out of bag)"
        if judged.out_of_bag
        else "which the forest has not seen"
    )
    strip = share_strip(
        accuracy["value"], accuracy["low"], accuracy["high"], constant,
        f"Accuracy {percent(accuracy['value'])}, 95% interval "
        f"{between(accuracy['low'], accuracy['high'], 1)}, baseline {percent(constant)}.",
    )  # fmt: skip
    others = {row.measure: row.value for row in records(measured.head(4))}
    # An AUC of a class that cannot be right would only pull the mean down.
    known = others["auc"] == others["auc"] and not any(one.single for one in classes)
    area = f", mean AUC {decimal(others['auc'])}" if known else ""
    return Html(f"""<div class="answer {mood}">
<p class="big"><strong>{percent(accuracy["value"])}</strong> right: {right:,} of \
{judged.counted(n)}, {how}</p>
<p>95% confidence interval: {between(accuracy["low"], accuracy["high"], 1)}</p>
{strip}
{paragraph(verdict, "verdict")}
<p class="limits">Balanced accuracy (mean of the classes' sensitivities) \
{percent(others["balanced_accuracy"])}, Cohen's kappa {decimal(others["kappa"])}{area}.</p>
</div>""")


def _verdict(inputs: ReportInputs, baseline: Baseline) -> tuple[str, Html]:
    """Whether the forest is better than the baseline: a mood and a sentence."""
    constant = Html(
        f"always answering {quoted(inputs.look.names[baseline.code])}, the most frequent class, "
        f"which is right for {baseline.right:,} of {plural(baseline.rows, 'row')} "
        f"({percent(baseline.right / baseline.rows)})"
    )
    tested = p_value(baseline.p_value)
    if baseline.p_value >= _LEVEL:
        text = f"Not clearly different from {constant}: the difference may be chance ({tested})."
        return "unclear", Html(text)
    if baseline.difference > 0:
        return "good", Html(f"Better than {constant}; {tested}.")
    return "bad", Html(f"Worse than {constant}; {tested}.")


def _both_judgements(inputs: ReportInputs, judged: JudgedRows, measured: pd.DataFrame) -> Html:
    """The out-of-bag accuracy beside that of the test rows, if there are both."""
    if judged.out_of_bag or inputs.training is None:
        return Html("")
    try:
        out_of_bag = inputs.out_of_bag
    except ValueError as error:
        return paragraph(f"The accuracy out of bag is not known: {error}")
    lines = []
    for what, one, of in (
        ("test rows", judged, measured),
        ("training rows, out of bag", out_of_bag, performance_of(out_of_bag.votes)),
    ):
        first = of.iloc[0]
        constant = baseline_of(one.votes)
        lines.append((what, f"{len(one.votes.codes):,}",
                      with_range(percent(first["value"]), between(first["low"], first["high"])),
                      percent(constant.right / constant.rows)))  # fmt: skip
    return table("Test rows and training rows", lines,
                 ("judged on", "rows", "accuracy", "baseline"), 3)  # fmt: skip


def _limits(inputs: ReportInputs, judged: JudgedRows, classes: Sequence[ClassMeasures]) -> Html:
    """What the figures do not say."""
    votes, look = judged.votes, inputs.look
    notes: list[Html | str] = []
    if len(votes.codes) < _FEW_ROWS:
        notes.append(
            f"With {judged.counted(len(votes.codes))}, all figures are rough: see the intervals."
        )
    if votes.unseen:
        notes.append(
            f"{plural(votes.unseen, 'row')} cannot be judged: every tree was grown on "
            f"{'it' if votes.unseen == 1 else 'them'}. More trees help."
        )
    for one in classes:
        if one.sensitivity.high < _HALF and not one.single:
            found = round(one.sensitivity.value * one.rows)
            notes.append(Html(
                f"Most rows of {_named(look.names, [one.code])} are not recognised: {found:,} of "
                f"{one.rows:,} are."
            ))  # fmt: skip
    single = [one.code for one in classes if one.single]
    if single:
        of = "" if len(single) == 1 else "each of the "
        notes.append(Html(
            f"There is only one training row of {of}{_named(look.names, single)}: the trees that "
            "were grown without it do not know its class, so it always counts as wrong."
        ))  # fmt: skip
    absent = [one.code for one in classes if one.rows == 0 and not one.single]
    if absent:
        notes.append(Html(f"No {judged.kind} is of {_named(look.names, absent)}."))
    general = (
        "This estimates the accuracy for new samples of the same kind. It does not cover samples "
        "from another laboratory or clinic, nor columns that were chosen with the help of these "
        "labels before. The interval assumes that rows are independent: with several rows of one "
        "person it is too short."
    )
    more = listing(notes) if notes else Html("")
    return join([more, paragraph(general, "limits")])


def _named(names: tuple[str, ...], codes: Sequence[int]) -> Html:
    """Some class names in a sentence, not too many of them."""
    shown = [quoted(names[code]) for code in codes[:_NOTED]]
    if len(codes) > _NOTED:
        shown.append(html(f"{len(codes) - _NOTED} more classes"))
    return Html(f"class {shown[0]}" if len(codes) == 1 else f"classes {listed(shown)}")
