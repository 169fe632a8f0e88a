"""What all pictures share: colours that everybody can tell apart, names that fit, axes."""

import inspect
import re
import sys

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from programs import python_ok

import pycdf.plots
from pycdf.plots import canvas, style
from pycdf.plots.tuning import plot_search

# How colours look without red, green or blue cones: Machado, Oliveira & Fernandes (2009), severity
# 1, on linear RGB.
SIGHTS = {
    "normal": np.eye(3),
    "red-blind": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]),
    "green-blind": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]),
    "blue-blind": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
# Distance in Oklab. Two of the eight colours of Okabe and Ito, the usual choice, are 0.076 apart
# for the green-blind; two greys that one just tells apart, about 0.02.
APART = {2: 0.25, 4: 0.12, 10: 0.12, 14: 0.09}


def linear(colours):
    parts = np.array([to_rgb(colour) for colour in colours])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def oklab(light):
    cones = light @ np.array(
        [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
         [0.0883024619, 0.2817188376, 0.6299787005]]).T  # fmt: skip
    return np.cbrt(np.clip(cones, 0, None)) @ np.array(
        [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
         [0.0259040371, 0.7827717662, -0.8086757660]]).T  # fmt: skip


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("n", APART)
def test_colours_are_apart_for_all_kinds_of_sight(n, sight):
    light = np.clip(linear(style.class_colours(n)) @ SIGHTS[sight].T, 0, 1)
    seen = oklab(light)
    apart = np.linalg.norm(seen[:, None] - seen, axis=-1)[np.triu_indices(n, 1)]
    assert apart.min() > APART[n]


def test_a_class_has_more_than_a_colour():
    n = 40
    looks = list(zip(style.class_colours(n), style.class_markers(n), strict=True))
    assert len({marker for _, marker in looks[:14]}) == 14
    assert len(set(looks)) == n


@pytest.mark.parametrize("colour", [*style.class_colours(14), "white", "black", "#777777"])
def test_text_on_a_colour_is_readable(colour):
    ground, ink = linear([colour]), linear([style.ink_on(colour)])
    luminance = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted([(ground @ luminance).item(), (ink @ luminance).item()])
    assert (high + 0.05) / (low + 0.05) >= 4.0  # WCAG asks 3 of bold text, 4.5 of small text


def test_text_has_the_ink_of_the_higher_contrast():
    """Greys, and reds with a trace of the other lights, where little decides."""
    greys = [(i, i, i) for i in range(256)]
    reds = [(r, g, b) for r in range(230, 256) for g in range(0, 20, 3) for b in range(0, 20, 3)]
    colours = np.array(greys + reds) / 255
    luminance = linear(colours) @ (0.2126, 0.7152, 0.0722) + 0.05
    dark = linear([style.INK]) @ (0.2126, 0.7152, 0.0722) + 0.05
    wanted = np.where(luminance / dark > 1.05 / luminance, style.INK, "white")
    assert [style.ink_on(to_hex(colour)) for colour in colours] == wanted.tolist()


def test_looks_go_by_the_sorted_labels():
    one = style.class_look(np.array(["b", "a", "c"], dtype=object))
    other = style.class_look(np.array(["c", "b", "a"], dtype=object))
    assert one.order == (1, 0, 2)
    assert one.names == ("b", "a", "c")
    for field in ("colours", "markers"):
        first = dict(zip(one.names, getattr(one, field), strict=True))
        second = dict(zip(other.names, getattr(other, field), strict=True))
        assert first == second
    assert one.colours[1] == style.class_colours(3)[0]


def test_looks_of_numbers_and_of_labels_of_several_types():
    assert style.class_look(np.array([10, 9])).names == ("10", "9")
    assert style.class_look(np.array([10, 9])).order == (1, 0)
    assert sorted(style.class_look(np.array([True, "a", 2.5], dtype=object)).order) == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "width", "short"),
    [
        ("gene", 4, "gene"),
        ("genes", 4, "ge…s"),
        ("transcription factor 7", 9, "tran…or 7"),
        ("a b  c\nd", 9, "a b c d"),
        ("abcdef", 2, "ab"),
        ("abcdef", 3, "a…f"),
        (12345, 9, "12345"),
    ],
)
def test_names_lose_their_middle(name, width, short):
    assert style.shorten(name, width) == short


def test_names_that_differ_still_differ_when_short():
    names = [f"probe_{i}_of_a_long_and_common_description" for i in range(120)] + ["x", "x"]
    short = style.shorten_all(names, 12)
    assert len(set(short)) == 121
    assert short[-2:] == ["x", "x"]
    assert style.shorten_all([], 5) == []
    unlike = [letter * 40 for letter in "abc"]
    assert style.shorten_all(unlike, 9) == ["aaaa…aaaa", "bbbb…bbbb", "cccc…cccc"]


def test_names_are_widened_as_far_as_it_takes():
    names = ["abcdeXfghijk", "abcdeYfghijk", "z"]
    assert style.shorten_all(names, 10) == names
    early, late = "a" * 99 + "XY", "YX" + "b" * 98
    seen = style.shorten_all([early[:99] + one + "-" * 200 for one in "XY"], 10)
    assert [len(one) for one in seen] == [200, 200]
    assert seen[0] != seen[1]
    unseen = style.shorten_all(["-" * 200 + one + late[2:] + "b" for one in "XY"], 10)
    assert unseen[0].removesuffix(" (1)") == unseen[1].removesuffix(" (2)")
    assert [len(one) for one in unseen] == [204, 204]
    wide = ["-" * 400 + one + "-" * 400 for one in "XY"]
    assert [len(one) for one in style.shorten_all(wide, 300)] == [304, 304]


@pytest.mark.parametrize("bold", [False, True])
def test_texts_are_measured_as_they_are_drawn(bold):
    """At a resolution at which hinting plays no role; it may add 4 %."""
    figure = Figure(figsize=(0.05, 0.05), dpi=7200)  # no larger than needed
    drawn = figure.text(0, 0, "Willow, 17", fontsize=8, weight="bold" if bold else "normal")
    inches = drawn.get_window_extent().width / 7200
    assert canvas.text_width("Willow, 17", 8, bold) == pytest.approx(1.04 * 72 * inches, rel=5e-3)
    if not bold:
        assert canvas.widest(["i", "Willow, 17"], 8) == pytest.approx(1.04 * inches, rel=5e-3)
    assert canvas.widest([], 8) == 0


@pytest.mark.parametrize(
    "plot", [plot_search, *(getattr(pycdf.plots, name) for name in pycdf.plots.__all__)]
)
def test_defaults_are_those_of_the_docstring(plot):
    found = inspect.signature(plot).parameters
    documented = re.findall(r"(?m)^([\w, ]+) : .*\bdefault=(.+)$", inspect.getdoc(plot))
    said = {name: value for names, value in documented for name in names.split(", ")}
    kept = {name: one.default for name, one in found.items() if one.default is not one.empty}
    assert said == {
        name: f'"{value}"' if isinstance(value, str) else str(value) for name, value in kept.items()
    }


def test_a_name_is_no_formula():
    figure = Figure()
    text = figure.text(0, 0, style.literal("$a_1$ and $b"))
    plain = figure.text(0, 0, "$a_1$ and $b", parse_math=False)
    assert text.get_window_extent().width == plain.get_window_extent().width


def test_tints_go_from_white_to_the_colour():
    assert style.tint("#0072B2", 0) == "#ffffff"
    assert style.tint("#0072B2", 1) == "#0072b2"
    assert style.tint("#000000", 0.5) == "#808080"
    dark = Figure().add_subplot(facecolor="#204060")
    assert style.tint("#A0C0E0", 0.25, dark) == "#406080"


def test_axes_are_taken_as_they_are_or_made():
    from matplotlib import pyplot

    mine = Figure().add_subplot()
    before = pyplot.get_fignums()
    assert style.new_axes(mine, (2, 3)) is mine
    assert pyplot.get_fignums() == before
    made = style.new_axes(None, (2, 3))
    assert made.figure.get_size_inches().tolist() == [2, 3]
    pyplot.close(made.figure)


@pytest.mark.parametrize("wrong", [Figure(), "ax", np.array([None, None])])
def test_what_is_no_axes_is_refused(wrong):
    with pytest.raises(TypeError, match=r"^ax is .*: pass one matplotlib Axes"):
        style.new_axes(wrong, (2, 3))


def test_legends_list_classes_in_sorted_order():
    look = style.class_look(np.array(["b", "_a", "$c$"], dtype=object))
    ax = Figure().add_subplot()
    style.class_legend(ax, look)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == [r"\$c\$", "_a", "b"]
    shown = [handle.get_marker() for handle in ax.get_legend().legend_handles]
    assert shown == style.class_markers(3)


def test_without_matplotlib_the_remedy_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        ImportError, match="need matplotlib: install it with pip install matplotlib"
    ):
        style.need_matplotlib()


@pytest.mark.endurance
def test_importing_the_plots_leaves_matplotlib_alone():
    code = (
        "import sys, pycdf, pycdf.plots\n"
        "from pycdf.plots import plot_tree, plot_centroids, style\n"
        "assert 'matplotlib' not in sys.modules\n"
        "assert set(pycdf.plots.__all__) <= set(dir(pycdf.plots))\n"
    )
    python_ok("-c", code)


def test_all_plot_functions_can_be_had_from_the_package():
    for name in pycdf.plots.__all__:
        assert getattr(pycdf.plots, name).__name__ == name
    with pytest.raises(AttributeError, match="plot_forest"):
        pycdf.plots.plot_forest  # noqa: B018
