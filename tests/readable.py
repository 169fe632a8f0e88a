"""Whether a reader can read a picture: for the tests of all that is drawn."""

from itertools import combinations

import numpy as np


def assert_readable(axes):
    """Nothing is cut off, and no two texts of a kind lie on each other."""
    figure = np.ravel(axes)[0].figure
    figure.draw_without_rendering()
    page = figure.bbox
    for ax in figure.axes:
        kinds = [
            [ax.title, ax.xaxis.label, ax.yaxis.label],
            _tick_labels(ax.xaxis),
            _tick_labels(ax.yaxis),
            ax.texts,
        ]
        legend = ax.get_legend()
        if legend is not None:
            kinds[0].extend(legend.get_texts())
        for kind in kinds:
            shown = [text for text in kind if text.get_text().strip()]
            boxes = [text.get_window_extent() for text in shown]
            for text, box in zip(shown, boxes, strict=True):
                inside = (box.min > page.min - 2).all() and (box.max < page.max + 2).all()
                assert inside, f"{text.get_text()!r} is cut off"
            if any(text.get_rotation() % 90 for text in shown):
                continue  # boxes of slanted texts overlap where the texts do not
            for (one, box), (other, its) in combinations(zip(shown, boxes, strict=True), 2):
                wide = min(box.x1, its.x1) - max(box.x0, its.x0)
                high = min(box.y1, its.y1) - max(box.y0, its.y0)
                assert wide < 2 or high < 2, f"{one.get_text()!r} on {other.get_text()!r}"


def _tick_labels(axis):
    """The labels that are drawn: there are more, beyond the ends of the axis."""
    low, high = sorted(axis.get_view_interval())
    near = 1e-9 * (high - low)
    shown = [
        tick.label1
        for tick in axis.get_major_ticks()
        if low - near <= tick.get_loc() <= high + near
    ]
    return [label for label in shown if label.get_visible()]
