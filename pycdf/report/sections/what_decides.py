"""What decides? The features that matter, and how the classes differ on them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pycdf.explain.column_scales import scale_note
from pycdf.explain.fitted import TrainingRows, feature_names
from pycdf.explain.importance import importance_table
from pycdf.explain.profiles import class_profiles
from pycdf.explain.selection import selection_note
from pycdf.forest.model import Model
from pycdf.plots.nodes import number_texts
from pycdf.report.inputs import ReportInputs, pass_training_rows
from pycdf.report.page import Cell, Html, heading, html, join, name, paragraph, table
from pycdf.report.words import class_heads, listed, percent, records, wide, with_range
from pycdf.support.options import in_python
from pycdf.support.wording import plural

_TOP = 15
_FURTHER = 5  # features that are named besides


def what_decides(inputs: ReportInputs) -> Html:
    """The section."""
    # Columns are told apart by number: their names need not differ.
    model = replace(inputs.model, feature_names=None)
    names = [name(one) for one in feature_names(inputs.fit)]
    labels = dict(zip(model.kept.tolist(), names, strict=True))
    rows = None
    if inputs.training is not None:
        rows = replace(inputs.training, model=model)
    table = importance_table(model, rows, rows, seed=inputs.seed)
    note = selection_note(model, command_line=not in_python())
    features = _Features(inputs, model, rows, labels, table, note, scale_note(inputs.fit))
    return join([
        features.bars(),
        heading("How do the classes differ on them?"),
        features.centroids(table.index[:_TOP].tolist()),
    ])  # fmt: skip


@dataclass(frozen=True)
class _Features:
    """The parts of the section; features are numbers of columns."""

    inputs: ReportInputs
    model: Model
    rows: TrainingRows | None
    names: dict[int, Html]
    importance: pd.DataFrame
    """The table of :func:`pycdf.explain.importance_table`."""
    note: str | None
    """Why selections mean nothing; None if they do."""
    scale_note: str | None
    """Why a few columns decide; None if their scales are not the reason."""

    def bars(self) -> Html:
        """The features that contribute most, with all that is known about them."""
        first = self.importance[:_TOP]
        known = not self.importance["contribution"].isna().any()
        first = first[first["contribution" if known else "selection"] > 0]
        parts: list[list[Any]] = [[self.names[one] for one in first.index.tolist()]]
        head = ["feature"]
        if known:
            head.append("contribution")
            most = float(first["contribution"].max())
            parts.append([bar(one, most, 1) for one in first["contribution"]])
        if self.rows is not None:
            head.append("accuracy lost")
            most = float(first["high"].max())
            parts.append([_loss(line, most) for line in records(first)])
        if self.note is None:
            head.append("selected")
            most = float(self.importance["selection"].max())
            parts.append([bar(one, most) for one in first["selection"]])
        return join([
            table(f"The {plural(len(first), 'feature')} that contribute most" if known else
                  f"The first {plural(len(first), 'feature')}",
                  zip(*parts, strict=True), head, kind="bars"),
            paragraph(
                "Contribution: the feature's share of the distances by which rows are sent to one "
                "class or another. If all contributed alike, each would have "
                f"{percent(1 / len(self.importance), 2)}. {self._about_scales()}" if known else
                "What a feature contributes is not shown: the distance of this forest is not a sum "
                "over features.", "limits",
            ),
            paragraph(self.scale_note, "note") if self.scale_note else Html(""),
            self._about_losses(),
            paragraph(
                "Selected: the feature's share of all selections by nodes, which is R's feature "
                "importance. If all were selected alike, each would have "
                f"{percent(1 / len(self.importance), 2)}.", "limits",
            ) if self.note is None else paragraph(self.note, "note"),
        ])  # fmt: skip

    def _about_scales(self) -> str:
        """Whether columns contribute because their numbers are large."""
        if self.model.scaling is not None:
            return "All columns are standardised, so that it does not depend on their units."
        return "Columns with large numbers contribute most, whether they help or not."

    def _about_losses(self) -> Html:
        """What shuffling costs, also of features that are not in the table."""
        if self.rows is None:
            return paragraph(
                "What shuffling a feature costs is not shown: it needs the training rows. To see "
                f"it, {pass_training_rows()}.", "limits",
            )  # fmt: skip
        sure = self.importance[self.importance["low"] > 0]
        text = (
            "Accuracy lost: by how many percentage points a tree predicts rows that it was grown "
            "without worse, when the values of the feature are shuffled among them, with a 95% "
            "interval. Where the interval includes 0, the bar is pale: the loss may be chance. It "
            f"is above 0 for {len(sure):,} of {plural(len(self.importance), 'feature')}; of "
            "features without any effect, about one in 40 is there by chance. Features that carry "
            "the same information stand in for each other, so that each alone costs little."
        )
        further = sure[~sure.index.isin(self.importance.index[:_TOP])]
        further = further.sort_values("permutation", ascending=False, kind="stable")[:_FURTHER]
        if not len(further):
            return paragraph(text, "limits")
        shown = [
            Html(f"{self.names[one]} ({percent(lost, 2)})")
            for one, lost in _pairs(further["permutation"])
        ]
        return paragraph(
            Html(f"{html(text)} Of the features that are not listed, these cost most: "
                 f"{listed(shown)}."), "limits",
        )  # fmt: skip

    def centroids(self, features: list[int]) -> Html:
        """The means of the classes, coloured by how far they are from the mean of all rows."""
        rows = self.rows
        found = class_profiles(self.model, X=rows, y=rows, features=features)
        most = float(np.nanmax(np.abs(found.scaled))) or 1.0
        lines: list[list[Any]] = []
        for one, means, scaled in zip(found.features, found.means, found.scaled, strict=True):
            cells = [
                Cell(text, "above" if away > 0 else "below",
                     abs(away) / most if rows is not None and away == away else 0.0)
                for text, away in zip(number_texts(means.tolist(), None), scaled, strict=True)
            ]  # fmt: skip
            lines.append([self.names[one], *cells])
        look = self.inputs.look
        text = (
            "The mean of each class on the training rows. Orange is above the mean of all rows, "
            "blue below; the stronger, the more standard deviations away."
            if rows is not None
            else "The mean of each class, from the roots of the trees."
        )
        return join([
            table("The centroids (means) of the classes", lines,
                  ["feature", *class_heads(look, look.order)],
                  kind=wide("grid centroids", len(look.order))),
            paragraph(text, "limits"),
        ])  # fmt: skip


def _pairs(values: pd.Series) -> list[tuple[int, float]]:
    return list(zip(values.index.tolist(), values.tolist(), strict=True))


def _loss(line: Any, most: float) -> Html:
    """A loss of accuracy with its interval; the bar is pale if it may be chance."""
    limits = f"{percent(line.low, 2).removesuffix('%')} to {percent(line.high, 2)}"
    return bar(line.permutation, most, 2, limits, pale=not line.low > 0)


def bar(value: float, most: float, decimals: int = 2, limits: str = "", pale: bool = False) -> Html:
    """A bar with its value and interval as text; ``most`` is a full bar."""
    width = max(0.0, value / most) if most > 0 else 0.0
    text = with_range(percent(value, decimals), limits)
    kind = "bar pale" if pale else "bar"
    return Html(f'<span class="{kind}" style="width:{width:.1%}"></span>{text}')
