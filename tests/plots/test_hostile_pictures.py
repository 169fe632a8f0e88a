"""Pictures, reports and texts of a forest whose names would break XML or act on a terminal."""

import re
import time
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hostile_names import CLASSES, acting, hostile_frame

from pycdf import CDF, CDFClassifier, explain
from pycdf.plots.style import shorten_all
from pycdf.report.html import html_report


@pytest.fixture(scope="module")
def fitted():
    X, y = hostile_frame()
    X.columns = pd.Index([*X.columns[:-1], "lone \ud800 surrogate"], dtype=object)
    return CDFClassifier(ntrees=9, seed=1).fit(X, y), X, y


def test_text_and_repr(fitted):
    model, X, y = fitted
    for tree in range(3):
        text = explain.export_text(model, tree)
        assert acting(text) == ""
        text.encode()
    shown = repr(CDF(X, y, X, ntrees=3, seed=1))
    assert acting(shown) == ""
    assert r"sick\x1b]0;owned\x07" in shown
    assert len(shown.splitlines()) == 8


class Reader(HTMLParser):
    """Collects the text and the tags of a page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.words, self.tags = [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.words.append(data)


def test_the_report(fitted):
    model, X, y = fitted
    page = html_report(model, X, y, title="title\x1b<script>\x01")
    page.encode()
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert acting("".join(reader.words)).strip("\t") == ""
    assert "script" not in reader.tags
    pictures = re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)
    assert len(pictures) >= 4
    for picture in pictures:
        assert ElementTree.fromstring(picture).tag == "svg"
    assert r"sick\x1b]0;owned\x07" in "".join(reader.words)


def test_names_of_many_characters():
    """Shortened, still distinct, and quickly; also if they differ only in the middle."""
    began = time.perf_counter()
    long = ["a" * 10**5 + letter + "b" * 10**5 for letter in "xyx"]
    shown = shorten_all([*long, "short"], 20)
    assert shown[0] == shown[2] != shown[1]
    assert shown[3] == "short"
    assert max(map(len, shown)) <= 210
    assert (shown[0][-4:], shown[1][-4:]) == (" (1)", " (2)")
    X = np.random.default_rng(1).normal(size=(12, 2))
    y = [long[0], long[1]] * 6
    text = explain.export_text(CDFClassifier(ntrees=1, seed=1).fit(X, y))
    assert len(text) < 20_000
    assert time.perf_counter() - began < 20


def test_labels_are_kept_as_they_are(fitted):
    model, X, _ = fitted
    assert set(model.predict(X)) <= set(CLASSES)
