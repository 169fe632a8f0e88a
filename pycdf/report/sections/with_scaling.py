"""What would standardised columns change? The accuracy of both forests, side by side."""

from pycdf.explain.column_scales import scaling_table
from pycdf.report.inputs import ReportInputs
from pycdf.report.page import Html, heading, join, paragraph, table
from pycdf.report.words import between, p_value, percent, records, with_range
from pycdf.support.options import in_python, option

# Trees x rows x features drawn by a node: a forest of about two seconds. Whatever a node draws, its
# rows also have to be sent on and judged, which takes as long as some more features.
_MOST_WORK, _OTHER_FEATURES = 3e8, 100
_LEVEL = 0.05


def scaling_part(inputs: ReportInputs) -> Html:
    """Out-of-bag accuracy as trained, and with or without standardised columns."""
    training, model = inputs.training, inputs.model
    if training is None:
        return Html("")
    scaled = model.scaling is not None
    parts = [heading(f"And {'without' if scaled else 'with'} standardised columns?")]
    features = model.parameters["mtry"] + _OTHER_FEATURES
    if model.forest.n_trees * len(training.codes) * features > _MOST_WORK:
        parts.append(paragraph(_not_compared(), "limits"))
        return join(parts)
    try:
        compared = scaling_table(model, training, training)
    except ValueError:  # nothing is out of bag, as the section says elsewhere
        return Html("")
    lines = [
        (f"{'standardised' if one.scale else 'in their own units'}, {how}", f"{one.rows:,}",
         with_range(percent(one.accuracy), between(one.low, one.high)))
        for one, how in zip(records(compared), ("as trained", "grown for comparison"), strict=True)
    ]  # fmt: skip
    chance = float(compared["p_value"].iloc[1])
    verdict = (
        f"The difference may be chance ({p_value(chance)})."
        if chance >= _LEVEL
        else f"The difference is unlikely to be chance ({p_value(chance)})."
    )
    parts += [
        table("Accuracy out of bag, by the scale of the columns", lines,
              ("columns", "rows", "accuracy"), 2),
        paragraph(
            Html(f"{verdict} Standardised columns ({option('scale', True)}) have mean 0 and "
                 "standard deviation 1 among the training rows, so that none decides because its "
                 "numbers are large. Both forests have the same parameters and seed, and each "
                 "training row is judged by the trees that were grown without it; the p-value is "
                 "that of McNemar's test on these rows."), "limits",
        ),
    ]  # fmt: skip
    return join(parts)


def _not_compared() -> str:
    how = (
        "pycdf.explain.scaling_table compares them"
        if in_python()
        else f"to compare, train another model with {option('scale', True)}, and one without"
    )
    return f"Not compared here, because a second forest of this size takes long: {how}."
