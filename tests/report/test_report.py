"""The report: everything is in it, names cannot break it, and it asks nothing of the network."""

import base64
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from pycdf import CDF, CDFClassifier, RStream, load_darwin

pytest.importorskip("matplotlib")

from matplotlib import pyplot

from pycdf.explain.evidence import split_evidence
from pycdf.explain.text import export_text
from pycdf.report.html import html_report
from pycdf.report.page import html, table

EVIL = '<script>alert("x")</script>'
VOID = {"meta", "link", "img", "br"}
WITH_ROWS = [
    "The model",
    "Selected features",
    "The first tree",
    "Accuracy",
    "Map of the rows",
    "Permutation importance",
    "Is the first split significant?",
]


class Page(HTMLParser):
    """A page taken apart: its tags, texts and tables; stops at tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.tables, self.texts = [], [], [], {}
        self.feed(text)
        self.close()
        assert self.open == [], f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> without a start"
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)
            if self.open[-1] in ("td", "th"):
                self.tables[-1][-1][-1] += data

    def table(self, caption):
        """The rows of the table with a caption that begins so."""
        captions = self.texts["caption"]
        (found,) = [i for i, one in enumerate(captions) if one.startswith(caption)]
        return self.tables[found]


@pytest.fixture(scope="module")
def darwin():
    X, y = load_darwin()
    X, y = X.iloc[::2, :25], y.iloc[::2]
    return CDFClassifier(ntrees=80, seed=1, oob_score=True).fit(X, y), X, y


@pytest.fixture(scope="module")
def text(darwin):
    return html_report(*darwin, title="darwin.cdf")


@pytest.fixture(scope="module")
def alone(darwin):
    """Without rows."""
    return html_report(darwin[0])


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def evil():
    """Classes, features and a title that would run if they were not escaped; 14 classes."""
    codes = np.tile(np.arange(14), 4)
    values = RStream(3).uniform(len(codes) * 16).reshape(len(codes), 16)
    values[:, :14] += codes[:, np.newaxis] == np.arange(14)
    names = [f"{EVIL}{j}" for j in range(14)] + ['" onerror="alert(1)', "a & b\n<i>"]
    labels = np.array([f"{EVIL} & 'class' {code}" for code in codes], dtype=object)
    X = pd.DataFrame(values, columns=names)
    return html_report(CDFClassifier(ntrees=80, seed=1).fit(X, labels), X, labels, title=EVIL)


# ---- one file ------------------------------------------------------------------------------------


def test_the_page_asks_nothing_of_the_network(text, page):
    for tag, attributes in page.tags:
        assert tag not in ("script", "iframe", "object", "embed", "base", "form")
        for name in ("src", "href", "srcset", "data", "action", "poster"):
            address = attributes.get(name, "data:")
            assert address.startswith(("data:", "#")), (tag, address)
        assert not any(name.startswith("on") for name in attributes)
    style = "".join(page.texts["style"])
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in re.sub(r'src="data:[^"]*"', "", text)


def test_pictures_are_whole_and_refer_to_nothing_outside(page):
    pictures = [attributes for tag, attributes in page.tags if tag == "img"]
    assert len(pictures) == 9
    for attributes in pictures:
        kind, content = attributes["src"].split(",")
        assert kind == "data:image/svg+xml;base64"
        picture = base64.b64decode(content).decode()
        assert picture.rstrip().endswith("</svg>")
        for address in re.findall(r'(?:href|src)="([^"]*)"', picture):
            assert address.startswith(("#", "data:")), address
        assert "<script" not in picture


def test_the_page_can_be_read_without_seeing_it(page):
    assert page.tags[0] == ("html", {"lang": "en"})
    for tag, attributes in page.tags:
        if tag == "img":
            assert len(attributes["alt"]) > 20
    count = {tag: sum(one == tag for one, _ in page.tags) for tag in ("table", "caption", "figure")}
    assert count["table"] == count["caption"] == len(page.tables)
    assert count["figure"] == len(page.texts["figcaption"]) == 9
    assert page.texts["h1"] == ["Centroid decision forest: darwin.cdf"]
    assert page.texts["h2"] == WITH_ROWS
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert {link.removeprefix("#") for link in links} == ids


def test_the_same_fit_gives_the_same_page_and_no_figure_is_left(darwin, alone):
    assert html_report(darwin[0]) == alone
    assert pyplot.get_fignums() == []


# ---- what it says --------------------------------------------------------------------------------


def test_the_model_and_its_parameters(darwin, page):
    fit, X, _ = darwin
    told = dict(page.table("Size of the forest"))
    assert told["training rows"] == str(len(X))
    assert told["columns"] == "25"
    assert told["trees"] == "80"
    assert told["seed"] == "1"
    used = {name: value for name, value, _ in page.table("Parameters")[1:]}
    for name, value in fit.model_.parameters.items():
        assert used[name] == str(value)
    drawn = fit.model_.forest.inbag.mean(axis=0)
    for label, rows in page.table("Classes")[1:]:
        own = (np.asarray(darwin[2]) == label) @ drawn
        assert float(rows) == pytest.approx(own, abs=0.051)


def test_selected_features(darwin, page):
    fit, X, _ = darwin
    shares = pd.Series(fit.feature_importances_, index=X.columns)
    wanted = shares.sort_values(ascending=False, kind="stable").head(20)
    rows = page.table("The 20 most selected features")[1:]
    assert rows == [[name, f"{share:.4%}"] for name, share in wanted.items()]


def test_the_first_tree_as_text(darwin, page):
    assert "".join(page.texts["pre"]) == export_text(darwin[0], 0)


def test_accuracy_is_out_of_bag(darwin, page):
    fit, _, y = darwin
    found = fit.classes_[np.argmax(fit.oob_decision_function_, axis=1)]
    rows = page.table("Correct out-of-bag predictions")[1:]
    for label, count, right, share in rows[:-1]:
        own = np.asarray(y) == label
        assert int(count) == own.sum()
        assert int(right) == (found[own] == label).sum()
        assert share == f"{(found[own] == label).mean():.1%}"
    assert rows[-1][-1] == f"{fit.oob_score_:.1%}"
    assert any(f"({fit.oob_score_:.1%}), out of bag" in one for one in page.texts["p"])


def test_the_first_split(darwin, page):
    fit, X, y = darwin
    wanted = split_evidence(fit, X, y, 0).query("node == 0")
    rows = page.table("The root of the first tree")[1:]
    assert [row[0] for row in rows] == wanted["feature"].tolist()
    assert [row[2] for row in rows] == [f"{p:.2g}" for p in wanted["p_value"]]
    assert [row[3] for row in rows] == [f"{p:.2g}" for p in wanted["p_adjusted"]]


def test_without_rows_there_is_what_the_forest_knows(alone):
    short = Page(alone)
    assert short.texts["h2"] == WITH_ROWS[:3]
    assert short.texts["h1"] == ["Centroid decision forest"]
    assert "Given the training rows, the report also shows the accuracy" in alone


# ---- names and odd forests -----------------------------------------------------------------------


def test_names_cannot_break_out(evil):
    page = Page(evil)
    assert "<script" not in evil.lower()
    for _, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
    assert page.texts["title"] == [f"Centroid decision forest: {EVIL}"]
    names = [row[0] for row in page.table("The 16 most selected features")[1:]]
    assert sorted(names)[0] == '" onerror="alert(1)'
    assert "a & b <i>" in names
    classes = [row[0] for row in page.table("Classes")[1:]]
    assert len(classes) == 14
    assert all(name.startswith(EVIL) for name in classes)


def test_helpers_escape():
    assert html("<&>\"'") == "&lt;&amp;&gt;&quot;&#x27;"
    made = table("<c>", [("<r>", "<d>", "<n>")], ("<h>", "<i>", "<j>"), 1)
    assert "<c>" not in made
    for letter in "crdnhij":
        assert f"&lt;{letter}&gt;" in made


def test_few_trees_columns_without_names_and_labels_that_are_numbers():
    X, y = load_darwin()
    values, numbers = X.iloc[::3, :8].to_numpy(), (y.iloc[::3] == "P").astype(int)
    fit = CDF(values, numbers, values, ntrees=3, seed=1)
    text = html_report(fit, values, numbers)
    page = Page(text)
    assert {row[0] for row in page.table("Classes")[1:]} == {str(one) for one in set(numbers)}
    rows = page.table("The 8 most selected features")[1:]
    assert {row[0] for row in rows} <= {str(j) for j in range(8)}
    assert "too few trees for out-of-bag proximities" in text


def test_what_cannot_be_shown_is_said_not_hidden(darwin):
    _, X, y = darwin
    fit = CDFClassifier(ntrees=1, depth=0, bootstrap=False, seed=1).fit(X, y)
    flat = html_report(fit, X, y)
    assert Page(flat).texts["h2"] == WITH_ROWS
    assert "Not shown: " in flat
    assert "there is no split" in flat
    assert "no tree left out any training row" in flat
    assert pyplot.get_fignums() == []


def test_wrong_rows_are_refused(darwin):
    fit, X, y = darwin
    with pytest.raises(TypeError, match="both X and y"):
        html_report(fit, X)
    with pytest.raises(ValueError, match="training rows and labels"):
        html_report(fit, X[:5], y[:5])
    with pytest.raises(TypeError, match="pass a fitted"):
        html_report(5)
