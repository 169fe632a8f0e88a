"""Parts of the report by themselves: charts, labels on the map, bars, and the edges of choices."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from page_parts import Page

from pycdf import CDFClassifier, RStream
from pycdf.report.charts import corners, share_strip, tree_chart
from pycdf.report.html import html_report
from pycdf.report.inputs import GivenRows, Origin, read_inputs
from pycdf.report.labels import Box, place_labels, text_width
from pycdf.report.sections import how_good, with_scaling
from pycdf.report.sections.sample_map import sample_map
from pycdf.report.sections.samples import samples
from pycdf.report.sections.what_decides import bar
from pycdf.report.svg import Svg
from pycdf.report.tree_diagram import shown_depth
from pycdf.report.words import between, decimal, listed, p_value, percent


def rows(n, p=4, classes=("a", "b")):
    codes = np.arange(n) % len(classes)
    values = RStream(4).uniform(n * p).reshape(n, p) + 0.3 * codes[:, np.newaxis]
    return values, np.array(classes, dtype=object)[codes]


def read(fit, X, y, **test):
    given = GivenRows(test["X_test"], test["y_test"]) if test else GivenRows()
    return read_inputs(fit, GivenRows(X, y), given, None, Origin(None, ""))


@pytest.fixture(scope="module")
def small():
    X, y = rows(40)
    return CDFClassifier(ntrees=20, seed=1).fit(X, y), X, y


def texts(svg):
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


# ---- charts --------------------------------------------------------------------------------------


def test_of_a_curve_the_turns_are_drawn():
    steps = np.array([[0, 0], [0, 0.5], [0, 0.5], [0, 0.8], [0.5, 0.8], [0.6, 0.8], [1, 1]])
    assert corners(steps).tolist() == [[0, 0], [0, 0.8], [0.6, 0.8], [1, 1]]
    assert corners(np.array([[0.0, 0.0], [1.0, 1.0]])).tolist() == [[0, 0], [1, 1]]


def test_curves_of_many_points_are_drawn_to_the_resolution_of_the_picture():
    angles = np.linspace(0, np.pi / 2, 201)
    curve = np.column_stack([1 - np.cos(angles), np.sin(angles)])
    assert np.array_equal(corners(curve[:200]), curve[:200])
    coarse = corners(curve)
    assert len(coarse) < 201
    assert np.allclose(coarse * 500, np.round(coarse * 500), atol=1e-9)
    distance = np.abs(coarse[:, np.newaxis] - curve).max(axis=2).min(axis=1)
    assert distance.max() <= 0.001 + 1e-9


@pytest.mark.parametrize(
    ("baseline", "kind", "shown"),
    [
        (0.12, "small", ["100%"]), (0.13, "small mid", ["100%"]), (0.25, "small mid", ["100%"]),
        (0.26, "small mid", ["0%", "100%"]), (0.74, "small mid", ["0%", "100%"]),
        (0.75, "small mid", ["0%"]), (0.87, "small mid", ["0%"]), (0.88, "small end", ["0%"]),
    ],
)  # fmt: skip
def test_the_scale_of_a_share_leaves_space_for_the_baseline(baseline, kind, shown):
    svg = share_strip(0.9, 0.85, 0.95, baseline, "a share")
    assert texts(svg) == [*shown, f"baseline {baseline:.0%}"]
    (drawn,) = re.findall(rf'<text class="{kind}" x="([\d.]+)" y="42">baseline', svg)
    assert float(drawn) == pytest.approx(12 + 296 * baseline, abs=0.051)


@pytest.mark.parametrize(
    ("smallest", "shares"),
    [
        (0.03, ["100%", "80%", "60%", "40%", "20%", "0%"]),
        (0.25, ["100%", "80%", "60%", "40%", "20%"]),
        (0.55, ["100%", "80%", "60%"]),
        (0.65, ["100%", "90%", "80%", "70%", "60%"]),
        (0.85, ["100%", "90%", "80%"]),
    ],
)
def test_the_axis_of_accuracies_begins_below_the_smallest(smallest, shares):
    svg = tree_chart(np.array([np.nan, smallest, 0.9]), "curve")
    assert texts(svg)[: len(shares)] == shares
    assert texts(svg)[len(shares) :] == ["1", "2", "3", "number of trees", "accuracy"]
    low = max(0, np.floor(10 * smallest) / 10 - 0.05)
    (points,) = re.findall(r'points="([^"]*)"', svg)
    (x, y), last = ([float(one) for one in point.split(",")] for point in points.split())
    assert x == 46 + 150
    assert y == pytest.approx(8 + 130 * (1 - (smallest - low) / (1 - low)), abs=0.051)
    assert last[0] == 346


def test_a_curve_of_many_trees_has_200_points():
    svg = tree_chart(np.linspace(0.6, 0.9, 301), "curve")
    (points,) = re.findall(r'points="([^"]*)"', svg)
    assert len(points.split()) == 200
    assert texts(svg)[-5:-2] == ["1", "151", "301"]
    two = tree_chart(np.array([0.6, 0.9]), "curve")
    assert re.findall(r'points="([^"]*)"', two)[0].split()[1].startswith("346,")
    assert texts(two)[-4:-2] == ["1", "2"]


def test_coordinates_have_a_decimal_where_it_says_something():
    svg = Svg(10, 10.04, "")
    svg.line(-0.04, 1.0, 2.25, 3.96)
    assert 'x1="0" y1="1" x2="2.2" y2="4"' in svg.html()
    assert 'viewBox="0 0 10 10"' in svg.html()


@pytest.mark.parametrize(
    ("value", "most", "width"), [(1, 4, "25.0%"), (4, 4, "100.0%"), (-1, 4, "0.0%"), (0, 0, "0.0%")]
)
def test_bars_are_parts_of_the_longest(value, most, width):
    assert f"width:{width}" in bar(value, most)


# ---- words ---------------------------------------------------------------------------------------


def test_numbers_in_words():
    assert percent(0.1234) == "12.3%"
    assert percent(-0.1234, 2) == "−12.34%"
    assert percent(np.nan) == decimal(np.nan) == "–"
    assert decimal(-0.12345) == "−0.123"
    assert between(0.123, 0.456) == "12–46%"
    assert between(0.123, 0.456, 1) == "12.3–45.6%"
    assert between(np.nan, np.nan) == ""
    assert [p_value(p) for p in (0.001, 0.00099)] == ["p\xa0=\xa00.001", "p\xa0<\xa00.001"]
    assert [listed(list(one)) for one in ("a", "ab", "abc")] == ["a", "a and b", "a, b and c"]


# ---- labels --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("国", 1.05), ("Ａ", 1.05), ("m", 1.08), ("→", 1.08), ("i", 0.5), (" ", 0.5), ("A", 0.78),
        ("é", 0.78), ("a", 0.68), ("1", 0.68), ("am", 1.76), ("", 0),
    ],
)  # fmt: skip
def test_texts_are_as_wide_as_in_wide_fonts(text, width):
    assert text_width(text, 10) == pytest.approx(10 * width)


def test_rectangles_that_only_touch_do_not_overlap():
    box = Box(0, 0, 10, 10)
    for dx, dy in ((10, 0), (-10, 0), (0, 10), (0, -10)):
        assert not box.meets(Box(dx, dy, dx + 10, dy + 10))
        assert box.meets(Box(0.9 * dx, 0.9 * dy, 0.9 * dx + 10, 0.9 * dy + 10))
        assert not box.holds(Box(dx / 10, dy / 10, dx / 10 + 10, dy / 10 + 10))
    assert box.holds(box)


def test_labels_go_right_left_above_below_or_nowhere():
    """A label "1234" is 27.2 wide and 12 high, 5 away from its point."""
    point = np.array([[50.0, 50.0]])
    right, left = (55, 44, 82.2, 56), (17.8, 44, 45, 56)
    above, below = (36.4, 33, 63.6, 45), (36.4, 55, 63.6, 67)
    for inside, wanted in (
        (Box(0, 0, 100, 100), right), (Box(55, 44, 82.2, 56), right), (Box(0, 0, 82, 100), left),
        (Box(18, 0, 82, 100), above), (Box(18, 34, 82, 100), below),
    ):  # fmt: skip
        assert place_labels(point, ["1234"], 5, inside)[0] == pytest.approx(wanted)
    assert place_labels(point, ["1234"], 5, Box(18, 34, 82, 66)) == [None]


def test_labels_cover_neither_points_nor_each_other():
    points = np.array([[50.0, 50.0], [84.9, 50.0], [50.0, 61.0]])
    inside = Box(0, 0, 200, 200)
    first, second, third = place_labels(points, ["1234", "1234", "1234"], 5, inside)
    assert first == pytest.approx((17.8, 44, 45, 56))  # the second point, 3 wide, is on the right
    assert second == pytest.approx((89.9, 44, 117.1, 56))
    assert third == pytest.approx((55, 55, 82.2, 67))
    points[1, 0] = 85.3
    assert place_labels(points, ["1234"] * 3, 5, inside)[0].left == 55


def test_labels_keep_two_units_away_from_the_edge_of_the_map(small, monkeypatch):
    fit, X, _ = small
    given = []

    def note(points, names, away, inside):
        given.append((len(points), away, inside))
        return [Box(20, 30, 40, 42)] * len(names)

    monkeypatch.setattr("pycdf.report.sections.sample_map.place_labels", note)
    wrong = np.where(fit.predict(X + 0.01) == "a", "b", "a")
    page = sample_map(read(fit, None, None, X_test=np.tile(X, (2, 1)) + 0.01, y_test=[*wrong] * 2))
    assert given == [(40, 8.2, Box(2, 2, 418, 338))]
    assert page.count('class="small bold halo" x="20" y="39"') == 40


# ---- the edges of choices ------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "size"), [(300, "4.2"), (301, "3.2")])
def test_many_points_on_the_map_are_smaller(n, size):
    X, y = rows(n, 3)
    fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    svg = sample_map(read(fit, None, None, X_test=X + 1e-6, y_test=y))
    assert set(re.findall(r'class="mark pale"[^>]* r="([\d.]+)"', svg)) == {size}


@pytest.mark.parametrize(("n", "most_wrong", "is_all"), [(600, 600, True), (601, 200, False)])
def test_a_map_has_600_points_at_most(n, most_wrong, is_all):
    X, y = rows(n, 3)
    fit = CDFClassifier(ntrees=3, depth=2, seed=1).fit(X[:60], y[:60])
    y[::3] = np.where(y[::3] == "a", "b", "a")
    wrong = int((fit.predict(X + 0.01) != y).sum())
    assert 200 < wrong < 400
    page = sample_map(read(fit, None, None, X_test=X + 0.01, y_test=y))
    assert page.count('class="ring"') == min(wrong, most_wrong)
    drawn = min(wrong, most_wrong) + min(n - wrong, 600 - min(wrong, most_wrong))
    assert len(re.findall(r'class="(?:ring|mark pale)"', page)) == drawn
    assert ("are drawn" in page) != is_all


def test_at_most_400_samples_are_listed():
    X, y = rows(402, 3)
    fit = CDFClassifier(ntrees=9, depth=2, seed=1).fit(X[:60], y[:60])
    for n, said in ((400, None), (401, "1 further row"), (402, "2 further rows")):
        page = samples(read(fit, None, None, X_test=X[:n] + 0.01, y_test=y[:n]))
        assert page.count("<tr>") == 2 + 400
        assert (said in page) if said else ("further row" not in page)
        assert "The next 385 samples" in page


@pytest.mark.parametrize(("n", "is_rough"), [(29, True), (30, False)])
def test_few_rows_are_called_few(small, n, is_rough):
    fit, _, _ = small
    X, y = rows(n)
    page = how_good.how_good(read(fit, None, None, X_test=X + 0.01, y_test=y))
    assert ("all figures are rough" in page) == is_rough


@pytest.mark.parametrize(
    ("p", "difference", "mood"),
    [(0.05, 3, "unclear"), (0.049, 3, "good"), (0.049, -3, "bad"), (0.05, -3, "unclear")],
)
def test_the_verdict_at_the_level(small, monkeypatch, p, difference, mood):
    real = how_good.baseline_of
    changed = {"p_value": p, "difference": difference}
    monkeypatch.setattr(how_good, "baseline_of", lambda votes: replace(real(votes), **changed))
    assert f'<div class="answer {mood}">' in how_good.how_good(read(*small))


def test_rows_are_numbered_as_their_table_counts_them(small):
    fit, X, y = small
    for index, said in (
        (range(1, 41), "numbered from 1."), (range(40), "numbered from 0."),
        (range(2, 42), None), ([0, *range(2, 41)], None), ([1, 0, *range(2, 40)], None),
        ([str(i) for i in range(40)], None), (pd.Index(range(40), name="patient"), None),
        ([0, *map(str, range(1, 40))], None),
    ):  # fmt: skip
        page = samples(read(fit, pd.DataFrame(X, index=index), y))
        assert (said in page) if said else ("numbered" not in page)


def test_roc_curves_need_rows_of_two_classes():
    X, y = rows(45, classes=("a", "b", "c"))
    fit = CDFClassifier(ntrees=20, seed=1).fit(X, y)
    page = how_good.how_good(read(fit, None, None, X_test=X[y == "a"] + 0.01, y_test=y[y == "a"]))
    assert "these rows have none of a class that can be judged." in page


def test_test_rows_may_be_one_but_not_none(small):
    fit, X, y = small
    page = Page(html_report(fit, X_test=X[:1] + 0.01, y_test=y[:1]))
    assert page.has_table("Confusion matrix of 1 test row")
    with pytest.raises(ValueError, match="X_test has 0 rows and y_test 0 labels: pass one"):
        html_report(fit, X_test=X[:0], y_test=y[:0])


def test_a_comparison_that_takes_long_is_left_out(small, monkeypatch):
    inputs = read(*small)
    work = 20 * 40 * (inputs.model.parameters["mtry"] + with_scaling._OTHER_FEATURES)
    monkeypatch.setattr(with_scaling, "_MOST_WORK", work)
    assert "Accuracy out of bag, by the scale" in with_scaling.scaling_part(inputs)
    monkeypatch.setattr(with_scaling, "_MOST_WORK", work - 1)
    said = with_scaling.scaling_part(inputs)
    assert "Not compared here" in said
    assert "pycdf.explain.scaling_table compares them" in said


def test_a_row_that_no_tree_left_out_is_named():
    X, y = rows(30)
    fit = CDFClassifier(ntrees=3, seed=1).fit(X, y)
    unseen = np.flatnonzero((fit.model_.forest.inbag > 0).all(axis=0))
    page = samples(read(fit, X, y))
    assert 1 < len(unseen) <= 20
    assert f"grown on them: {listed([str(row) for row in unseen])}." in page


@pytest.mark.parametrize(
    ("levels", "depth"),
    [([1], 0), ([1, 100], 1), ([1, 2, 57], 2), ([1, 2, 58], 1), ([1, 2, 57, 1], 2), ([1, 1, 1], 2)],
)
def test_sixty_boxes_of_a_tree_are_drawn(levels, depth):
    nodes = [SimpleNamespace(depth=at) for at, count in enumerate(levels) for _ in range(count)]
    assert shown_depth(nodes) == depth
