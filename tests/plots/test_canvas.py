"""The canvas of trees: its unit is a point if the figure has the size that the drawing needs."""

import warnings

import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from pycdf.plots.canvas import Canvas, text_width


def test_letters_that_the_font_lacks_are_measured_in_silence():
    """And what the caller ignores or not stays as it was."""
    before = list(warnings.filters)
    assert text_width("a letter of another script: \u4e2d", 9) > text_width("a", 9)
    assert warnings.filters == before


@pytest.mark.parametrize("dpi", [72, 150])
@pytest.mark.parametrize("part", [1.0, 0.5])
def test_text_keeps_its_size_among_the_boxes(part, dpi):
    """On axes of half the size the letters are half as large, whatever the resolution is."""
    figure = Figure(figsize=(part * 360 / 72, part * 288 / 72), dpi=dpi)
    canvas = Canvas(figure.add_axes((0.0, 0.0, 1.0, 1.0)), 360, 288)
    canvas.text(10, 20, "name", 9, colour="black")
    figure.draw_without_rendering()
    (words,) = canvas.ax.texts
    assert words.get_fontsize() == pytest.approx(part * 9)
    canvas.box(0, 0, 36, 20)
    assert canvas.ax.patches[0].get_window_extent().width == pytest.approx(part * 36 * dpi / 72)
