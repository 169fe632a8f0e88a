"""Small charts: ROC curves, calibration, a share with its interval, accuracy by number of trees."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.report.page import Html
from pycdf.report.svg import Svg
from pycdf.report.words import records

Floats = npt.NDArray[np.float64]

_MOST_POINTS = 200  # of a curve: more cannot be seen


class Frame(NamedTuple):
    """The area of a chart inside its axes, and the values at its edges."""

    left: float
    top: float
    size: float
    height: float
    low: float = 0.0
    high: float = 1.0

    def x(self, share: float) -> float:
        """The position of a share of the width."""
        return self.left + share * self.size

    def y(self, value: float) -> float:
        """The position of a value on the upright axis."""
        return self.top + self.height * (1 - (value - self.low) / (self.high - self.low))


def _axes(svg: Svg, frame: Frame, across: str, up: str, ticks: Sequence[float]) -> None:
    """Draw a frame with per cent on both axes, and their titles."""
    svg.box(frame.left, frame.top, frame.size, frame.height, "frame")
    for share in ticks:
        x, y = frame.x(share), frame.y(share)
        svg.line(x, frame.top, x, frame.top + frame.height, "gridline")
        svg.line(frame.left, y, frame.left + frame.size, y, "gridline")
        svg.text(x, frame.top + frame.height + 16, f"{share:.0%}", "small mid")
        svg.text(frame.left - 5, y + 4, f"{share:.0%}", "small end")
    svg.text(frame.left + frame.size / 2, frame.top + frame.height + 31, across, "mid")
    middle = frame.top + frame.height / 2
    svg.text(11, middle, up, "mid", transform=f"rotate(-90 11 {middle:.0f})")


def roc_chart(curve: Floats, at: tuple[float, float], colour: str, alt: str) -> Html:
    """A ROC curve; ``at`` is the point (false positives, sensitivity) of the predicted classes."""
    svg, frame = Svg(300, 290, alt), Frame(46, 8, 240, 240)
    _axes(svg, frame, "other rows taken for it (1 − specificity)", "sensitivity",
          (0, 0.25, 0.5, 0.75, 1))  # fmt: skip
    _roc(svg, frame, curve, at, colour)
    return svg.html("chart")


def small_roc_chart(curve: Floats, at: tuple[float, float], colour: str, alt: str) -> Html:
    """A ROC curve without axes, to be shown beside those of other classes."""
    svg, frame = Svg(100, 100, alt), Frame(3, 3, 94, 94)
    svg.box(frame.left, frame.top, frame.size, frame.height, "frame")
    _roc(svg, frame, curve, at, colour)
    return svg.html("small-chart")


def _roc(svg: Svg, frame: Frame, curve: Floats, at: tuple[float, float], colour: str) -> None:
    svg.line(frame.x(0), frame.y(0), frame.x(1), frame.y(1), "chance")
    svg.curve(((frame.x(x), frame.y(y)) for x, y in corners(curve)), "thick", stroke=colour)
    svg.marker(frame.x(at[0]), frame.y(at[1]), "o", 4.5, colour)


def corners(points: Floats) -> Floats:
    """The points at which a curve of many points turns, at most some hundreds of them."""
    if len(points) > _MOST_POINTS:  # to the resolution of the picture
        points = np.round(points * 500) / 500
    steps = np.diff(points, axis=0)
    moved = np.concatenate([[True], steps.any(axis=1)])
    points = points[moved]
    steps = np.diff(points, axis=0)
    turns = steps[1:, 0] * steps[:-1, 1] != steps[1:, 1] * steps[:-1, 0]
    kept: Floats = points[np.concatenate([[True], turns, [True]])[: len(points)]]
    return kept


def calibration_chart(bins: pd.DataFrame, across: str, up: str, alt: str) -> Html:
    """Observed proportions by share of votes, with intervals; areas of points are rows."""
    svg, frame = Svg(300, 290, alt), Frame(46, 8, 240, 240)
    _axes(svg, frame, across, up, (0, 0.25, 0.5, 0.75, 1))
    svg.line(frame.x(0), frame.y(0), frame.x(1), frame.y(1), "chance")
    most = bins["rows"].max()
    for one in records(bins):
        x = frame.x(one.predicted)
        svg.line(x, frame.y(one.observed_low), x, frame.y(one.observed_high), "whisker")
        tip = f"{one.rows:,} rows: {one.observed:.0%} observed at {one.predicted:.0%} of the votes"
        svg.marker(x, frame.y(one.observed), "o", 3 + 5 * np.sqrt(one.rows / most), "", "dot", tip)
    return svg.html("chart")


def share_strip(value: float, low: float, high: float, baseline: float, alt: str) -> Html:
    """A share on a scale from 0 to 100 %, with its interval and a mark at the baseline."""
    svg, frame = Svg(320, 46, alt), Frame(12, 0, 296, 0)
    svg.box(frame.left, 14, frame.size, 8, "track")
    svg.box(frame.x(low), 12, frame.x(high) - frame.x(low), 12, "interval")
    svg.line(frame.x(baseline), 7, frame.x(baseline), 29, "baseline")
    svg.marker(frame.x(value), 18, "o", 5, "", "dot")
    anchor = "mid" if 0.12 < baseline < 0.88 else "end" if baseline > 0.5 else ""
    for share, kind in ((0, ""), (1, "end")):
        if abs(share - baseline) > 0.25:
            svg.text(frame.x(share), 42, f"{share:.0%}", f"small {kind}".rstrip())
    svg.text(frame.x(baseline), 42, f"baseline {baseline:.0%}", f"small {anchor}".rstrip())
    return svg.html("strip")


def tree_chart(curve: Floats, alt: str) -> Html:
    """Accuracy by the number of trees; ``curve`` starts with one tree and may start with NaN."""
    known = np.flatnonzero(~np.isnan(curve))
    low = max(0.0, np.floor(10 * float(np.nanmin(curve))) / 10 - 0.05)
    svg, frame = Svg(360, 180, alt), Frame(46, 8, 300, 130, low, 1.0)
    svg.box(frame.left, frame.top, frame.size, frame.height, "frame")
    step = 0.1 if low >= 0.5 else 0.2
    for value in np.arange(1.0, low - 1e-9, -step):
        svg.line(frame.left, frame.y(value), frame.left + frame.size, frame.y(value), "gridline")
        svg.text(frame.left - 5, frame.y(value) + 4, f"{value:.0%}", "small end")
    last = len(curve)
    for trees in sorted({1, (last + 1) // 2, last}):
        x = frame.x((trees - 1) / max(last - 1, 1))
        svg.text(x, 152, f"{trees:,}", "small mid")
    svg.text(frame.left + frame.size / 2, 170, "number of trees", "mid")
    svg.text(11, 73, "accuracy", "mid", transform="rotate(-90 11 73)")
    shown = known[np.unique(np.linspace(0, len(known) - 1, _MOST_POINTS).round().astype(int))]
    svg.curve(((frame.x(at / max(last - 1, 1)), frame.y(curve[at])) for at in shown), "thick plain")
    return svg.html("chart wide-chart")
