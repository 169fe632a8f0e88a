"""How do the samples lie? A map on which rows that share many leaves are close together."""

import numpy as np
import numpy.typing as npt

from pycdf.explain.leaves import embedding_of_rows
from pycdf.explain.out_of_bag import left_out, left_out_together
from pycdf.plots.style import shorten
from pycdf.report.inputs import JudgedRows, ReportInputs
from pycdf.report.labels import Box, place_labels
from pycdf.report.page import Html, figure, join
from pycdf.report.svg import Svg, class_legend
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

_WIDTH, _HEIGHT, _EDGE = 420.0, 340.0, 10.0
_MOST = 600  # rows on the map: more would hide each other, and take long to place
_MOST_WRONG = 200
_LABELS = 40  # wrong rows whose ids are written
_ID = 18  # characters of an id


def sample_map(inputs: ReportInputs) -> Html:
    """The section."""
    judged = inputs.judged
    votes, look = judged.votes, inputs.look
    wrong = votes.found != votes.codes
    shown = _chosen(wrong)
    forest = inputs.model.forest
    rows = votes.rows[shown]
    together = judged.out_of_bag and left_out_together(forest, rows)
    outside = left_out(forest).T[rows] if together else None
    points = embedding_of_rows(inputs.model, judged.rows[rows], outside)
    return figure(
        _draw(inputs, judged, shown, points),
        join([
            class_legend(look, np.bincount(votes.codes[shown], minlength=len(look.names)).tolist()),
            Html(_caption(judged, len(shown), together, int(wrong[shown].sum()))),
        ]),
        kind="map",
    )  # fmt: skip


def _chosen(wrong: npt.NDArray[np.bool_]) -> Longs:
    """The rows to draw: all, or wrong ones and an even choice of the others."""
    n = len(wrong)
    if n <= _MOST:
        return np.arange(n)
    errors, others = np.flatnonzero(wrong), np.flatnonzero(~wrong)
    kept = errors[_evenly(len(errors), _MOST_WRONG)]
    return np.sort(np.concatenate([kept, others[_evenly(len(others), _MOST - len(kept))]]))


def _evenly(n: int, most: int) -> Longs:
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64))


def _draw(inputs: ReportInputs, judged: JudgedRows, shown: Longs, points: Floats) -> Html:
    votes, look = judged.votes, inputs.look
    codes, found = votes.codes[shown], votes.found[shown]
    wrong = codes != found
    places = _on_paper(points)
    size = 4.2 if len(shown) <= 300 else 3.2
    svg = Svg(_WIDTH, _HEIGHT, f"Map of {plural(len(shown), 'row')}: rows that share many leaves "
              f"are close to each other; {int(wrong.sum())} are predicted wrongly.")  # fmt: skip
    sizes = np.bincount(codes, minlength=len(look.names))
    ids = [judged.ids.names[row] for row in votes.rows[shown]]
    # Large classes first, so that they do not hide small ones, and wrong rows last.
    for at in np.lexsort((-sizes[codes], wrong)).tolist():
        x, y = places[at]
        code = int(codes[at])
        tip = f"{ids[at]}: {look.names[code]}"
        if wrong[at]:
            tip += f", predicted {look.names[int(found[at])]}"
        svg.marker(x, y, look.markers[code], size * (1.25 if wrong[at] else 1), look.colours[code],
                   "ring" if wrong[at] else "mark pale", tip)  # fmt: skip
    named = np.flatnonzero(wrong)[:_LABELS]
    texts = [shorten(ids[at], _ID) for at in named]
    boxes = place_labels(places[named], texts, size + 4, Box(2, 2, _WIDTH - 2, _HEIGHT - 2))
    for text, box in zip(texts, boxes, strict=True):
        if box is not None:
            svg.text(box.left, box.bottom - 3, text, "small bold halo")
    return svg.html("map")


def _on_paper(points: Floats) -> Floats:
    """Coordinates in the picture, on the same scale in both directions."""
    low, high = points.min(axis=0), points.max(axis=0)
    space = np.array([_WIDTH, _HEIGHT]) - 2 * _EDGE
    spread = np.maximum(high - low, 1e-9)
    scale = float((space / spread).min())
    middle = (low + high) / 2
    centre = np.array([_WIDTH, _HEIGHT]) / 2
    places: Floats = centre + (points - middle) * scale * np.array([1, -1])
    return places


def _caption(judged: JudgedRows, n: int, together: bool, wrong: int) -> str:
    total = len(judged.votes.codes)
    text = (
        "Rows are close together if they end in the same leaves of many trees. Look for rows among "
        "another class, and for rows far from all others. "
    )
    text += (
        "Rows that are predicted wrongly have a thick outline and, where there is space, their id. "
        if wrong
        else "No row is predicted wrongly. "
    )
    if n < total:
        text += f"Of {total:,} rows {n:,} are drawn, wrong ones first. "
    if judged.out_of_bag:
        text += (
            "Only trees that were grown without two rows say how close these are. "
            if together
            else "There are too few trees to use only those that were grown without the rows: the "
            "classes look farther apart than they are. "
        )
    return text + "The map shows two of many dimensions: rows that overlap may still differ."
