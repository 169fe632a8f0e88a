"""Overviews: short text at a prompt, plain and escaped HTML in a notebook."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hostile_names import CLASSES, COLUMNS, acting, hostile_frame

from pycdf import CDF, CDFClassifier, explain, load_darwin
from pycdf.support.overview import Overview, Overviewed, some
from pycdf.support.wording import one_line


class Reader(HTMLParser):
    """Checks that tags are closed, and collects the texts of cells and all attributes."""

    def __init__(self, html):
        super().__init__()
        self.open, self.cells, self.attributes = [], [], set()
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.attributes |= set(attributes)
        if tag != "br":
            self.open.append(tag)
        if tag in ("th", "td", "strong"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.cells[-1] += data


def test_facts_and_tables_are_aligned():
    shown = Overview("A title", {"one": "1", "three": ["3", "and 4"]}, ("x", "n"), [("ab", "12")])
    assert shown.text().splitlines() == [
        "A title", "  one    1", "  three  3", "         and 4", "x    n", "ab  12",
    ]  # fmt: skip
    read = Reader(shown.html())
    assert read.cells == ["A title", "one", "1", "three", "3and 4", "x", "n", "ab", "12"]
    # nothing but the alignment: colours, fonts and sizes are the notebook's
    assert read.attributes == {
        ("scope", "row"), ("scope", "col"), ("style", "text-align: left"),
    }  # fmt: skip


def test_an_overview_of_nothing_is_its_title():
    assert Overview("A title").text() == "A title"
    assert Reader(Overview("A title").html()).cells == ["A title"]


def test_long_and_wide_tables_are_cut_for_the_screen():
    header = ["name", *(f"column {j}" for j in range(40))]
    rows = [[f"row {i}", *["12345678"] * 40] for i in range(31)]
    lines = Overview("A title", {}, header, rows).text().splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == [
        "name", *(f"row {i}" for i in range(15)), "...", *(f"row {i}" for i in range(16, 31)),
    ]  # fmt: skip
    assert {len(line) <= 104 for line in lines} == {True}
    assert all(line.endswith("...") for line in lines[1:])
    assert lines[1].count("column") == 9
    in_full = Overview("A title", {}, header, rows[:30])
    assert len(in_full.text().splitlines()) == 32
    assert len(Reader(in_full.html()).cells) == 1 + 31 * 41  # a browser can scroll


@pytest.mark.parametrize(("width", "fits"), [(48, True), (49, False)])
def test_columns_up_to_100_characters_fit(width, fits):
    lines = Overview("A title", {}, ["n" * 48, "m" * width], [["a", "b"]]).text().splitlines()
    assert lines[1:] == [
        f"{'n' * 48}  {'m' * width if fits else '...'}",
        f"{'a':48}  {'b'.rjust(width) if fits else '...'}",
    ]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a, b"),
        (["abc", "def", "g"], "abc, def and 1 more"),
        (["n" * 100, 2], "n" * 57 + "... and 1 more"),
        ([1, *range(2000)], "1, 0, 1 and 1,998 more"),
    ],
)
def test_as_many_names_as_fit(names, text):
    assert some(names, width=10) == text


def test_a_line_of_names_has_88_characters_with_their_commas():
    assert some(["n" * 42, "m" * 42, "o"]) == f"{'n' * 42}, {'m' * 42} and 1 more"
    assert some(["n" * 42, "m" * 43]) == f"{'n' * 42} and 1 more"


@pytest.fixture(scope="module")
def objects():
    X, y = load_darwin()
    fit = CDF(X[::2], y[::2], X[1::2], ntrees=300, seed=1)
    estimator = CDFClassifier(ntrees=300, seed=1).fit(X, y)
    return {
        "fit": fit,
        "forest": fit.forest,
        "model": estimator.model_,
        "profiles": explain.class_profiles(estimator),
        "stability": explain.stability(X, y, seeds=3, ntrees=20),
    }


@pytest.mark.parametrize("name", ["fit", "forest", "model", "profiles", "stability"])
def test_large_objects_are_shown_on_one_screen(objects, name):
    text = repr(objects[name])
    assert len(text) < 1200
    assert len(text.splitlines()) <= 32
    assert max(map(len, text.splitlines())) < 130
    html = objects[name]._repr_html_()
    assert len(html) < 8000
    words = "".join(Reader(html).cells)
    assert "".join(text.split()) == "".join(words.split())


def test_an_estimators_diagram_is_not_flooded_by_its_forest():
    X, y = load_darwin()
    fits = [CDFClassifier(ntrees=n, seed=1, oob_score=True).fit(X, y) for n in (50, 200)]
    assert repr(fits[0]) == "CDFClassifier(ntrees=50, oob_score=True, seed=1)"
    small, large = (len(fit._repr_html_()) for fit in fits)
    assert abs(large - small) < 100


def test_hostile_names_stay_text():
    X, y = hostile_frame()
    y = np.where(y == CLASSES[0], "<script>alert(1)</script>", y)
    fit = CDF(X, y, X, ntrees=3, seed=1)
    for one in (fit, fit.model_, explain.class_profiles(fit.model_)):
        assert acting(repr(one)) == ""
        html = one._repr_html_()
        assert acting(html) == ""
        assert "<script" not in html
        assert any("<script>alert(1)</script>" in cell for cell in Reader(html).cells)
    rows = explain.class_profiles(fit.model_, X=X, y=y)
    names = {"".join(name.split()) for name in Reader(rows._repr_html_()).cells[5::4]}
    assert names <= {"".join(one_line(name).split()) for name in COLUMNS}
    assert len(names) > 1


def test_tables_stay_pandas():
    X, y = load_darwin()
    fit = CDF(X[::2], y[::2], X[1::2], ntrees=3, seed=1)
    assert type(fit.probabilities) is type(fit.trees) is type(fit.centroids) is pd.DataFrame


def test_a_class_must_say_what_it_shows():
    with pytest.raises(NotImplementedError):
        repr(Overviewed())
