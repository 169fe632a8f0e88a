"""Reports in a real browser: they fit on a phone, a laptop and on paper, and ask for nothing.

The browser measures what a reader sees: whether the page scrolls sideways, whether text leaves its
box or its picture, and which requests the page makes.
"""

import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from browser import Browser
from hostile_names import CLASSES, COLUMNS
from page_measures import (
    BAR_COLUMNS,
    BROKEN_HEADS,
    CONTRAST,
    CUT,
    CUT_BARS,
    LABELS,
    OPEN_ALL,
    OUTSIDE,
    SCROLLED,
    SMALLEST,
    TEXT_IN_NODES,
    TEXT_OUTSIDE,
)
from sklearn.datasets import load_breast_cancer

from pycdf import CDFClassifier, RStream, load_darwin
from pycdf.report.html import html_report

pytestmark = pytest.mark.endurance

WIDTHS = (400, 800, 1280)
DATE = "2025-01-31"


@pytest.fixture(scope="module")
def browser():
    with Browser() as one:
        yield one


def two_classes():
    """A usual case: a test set, ids, and names of several words."""
    data = load_breast_cancer(as_frame=True)
    X, y = data.data, data.target.map({0: "malignant", 1: "benign"})
    ids = [f"P{i:04d}" for i in range(len(X))]
    fit = CDFClassifier(ntrees=60, seed=1).fit(X[::3], y[::3])
    return html_report(fit, X[::3], y[::3], X_test=X[1::3], y_test=y[1::3], ids=ids[::3],
                       ids_test=ids[1::3], title="Breast cancer", date=DATE)  # fmt: skip


def fourteen_classes():
    """Long names of classes, and some classes with one row."""
    codes = np.concatenate([np.tile(np.arange(11), 5), [11, 12, 13]])
    values = RStream(3).uniform(len(codes) * 40).reshape(len(codes), 40)
    values[:, :14] += codes[:, np.newaxis] == np.arange(14)
    labels = np.array([f"carcinoma of kind {code}, not otherwise specified" for code in codes])
    X = pd.DataFrame(values, columns=[f"gene_{j}_at" for j in range(40)])
    return html_report(CDFClassifier(ntrees=60, seed=1).fit(X, labels), X, labels, date=DATE)


def hostile():
    """Names that try to load something, to run, or to break the page."""
    names = [*COLUMNS, "<img src=http://127.0.0.1:9/x.png>", "W" * 90, "日本語の長い名前" * 4]
    values = RStream(4).uniform(40 * len(names)).reshape(40, len(names))
    codes = np.arange(40) % 4
    values[:, 0] += 0.7 * codes
    labels = ["<img src=http://127.0.0.1:9/y.png onerror=alert(1)>", "M" * 120, CLASSES[0],
              "</svg></style><script>document.title='run'</script>"]  # fmt: skip
    y = np.array(labels, dtype=object)[codes]
    ids = [f"<link rel=stylesheet href=http://127.0.0.1:9/{i}.css>" for i in range(40)]
    X = pd.DataFrame(values, columns=names)
    fit = CDFClassifier(ntrees=40, seed=1).fit(X, y)
    return html_report(fit, X, y, ids=ids, title=names[0], date=DATE)


def few_rows():
    """Two trees and nine rows."""
    values = RStream(5).uniform(9 * 4).reshape(9, 4)
    labels = np.array(list("aaaabbbcd"))
    return html_report(CDFClassifier(ntrees=2, seed=1).fit(values, labels), values, labels)


def no_rows():
    """A deep tree, of which only the upper levels are drawn."""
    X, y = load_darwin()
    return html_report(CDFClassifier(ntrees=2, depth=9, mnode=1, seed=1).fit(X, y))


PAGES = {one.__name__: one for one in (two_classes, fourteen_classes, hostile, few_rows, no_rows)}


@pytest.fixture(scope="module", params=PAGES)
def page(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / f"{request.param}.html"
    path.write_text(PAGES[request.param](), encoding="utf-8", errors="surrogatepass")
    return path


def test_the_browser_notices_what_does_not_fit(browser, tmp_path):
    """So that the tests below can fail."""
    path = tmp_path / "bad.html"
    path.write_text("""<!DOCTYPE html><title>bad</title><body style="margin: 0">
        <p style="width: 2000px">wide</p>
        <p style="width: 9px; overflow: hidden; white-space: nowrap">cut, since it is long</p>
        <p style="color: #999">pale</p>
        <svg class="map" viewBox="0 0 99 99" width="99"><text x="80" y="50">outside</text>
        <text x="81" y="51">over it</text></svg>
        <svg class="tree" viewBox="0 0 99 99"><rect class="node" width="20" height="20"/>
        <text y="15">longer than its box</text></svg>
        <details><summary>more</summary>text</details>
        <img src="http://127.0.0.1:9/picture.png"><script>document.title = "run"</script>""")
    browser.open(path, 400)
    assert len(browser.requests()) == 2
    assert browser.evaluate("document.title") == "run"
    assert browser.evaluate("document.documentElement.scrollWidth") == 2000
    for measure in (OUTSIDE, CUT, CONTRAST, TEXT_OUTSIDE, TEXT_IN_NODES):
        assert browser.evaluate(measure), measure
    assert browser.evaluate(LABELS) == [2, 1]
    assert browser.evaluate(SMALLEST) < 99


def test_everything_fits_and_nothing_is_asked_for(browser, page):
    browser.open(page, WIDTHS[0])
    assert browser.requests() == [page.resolve().as_uri()]
    assert browser.evaluate("document.title") != "run"
    assert browser.evaluate("document.scripts.length + document.images.length") == 0
    errors = [event for event in browser.events if event["method"] == "Log.entryAdded"]
    assert errors == []
    for opened in (False, True):
        for width in WIDTHS:
            browser.resize(width)
            assert browser.evaluate("document.documentElement.scrollWidth") == width
            assert browser.evaluate(OUTSIDE) == [], width
            assert browser.evaluate(CUT) == [], width
            assert browser.evaluate(TEXT_OUTSIDE) == [], width
        browser.evaluate(OPEN_ALL)
        assert opened or browser.evaluate("document.querySelectorAll('details').length") > 0
    assert browser.evaluate(TEXT_IN_NODES) == []
    labels, meet = browser.evaluate(LABELS) or (0, 0)
    assert meet == 0, labels


def test_the_answer_is_on_the_first_screen_of_a_phone(browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(two_classes(), encoding="utf-8")
    browser.open(path, 400, 860)
    bottom = browser.evaluate("document.querySelector('.verdict').getBoundingClientRect().bottom")
    assert bottom < 860
    assert browser.evaluate(SMALLEST) >= 7.5  # pixels
    assert browser.evaluate(SCROLLED) == []  # tables of the usual width


def test_text_is_readable_in_light_and_dark(browser, tmp_path):
    """The contrast of all text is at least 4.5 to 1, as WCAG asks for."""
    path = tmp_path / "report.html"
    path.write_text(two_classes(), encoding="utf-8")
    for dark in (False, True):
        browser.open(path, 800, dark=dark)
        assert browser.evaluate(CONTRAST) == [], dark


def test_columns_of_bars_are_alike_and_whole_on_every_screen(browser, page):
    """Long names take no space from the bars, and no column has to be scrolled to."""
    for width in WIDTHS:
        browser.open(page, width)
        for columns in browser.evaluate(BAR_COLUMNS):
            assert max(columns) - min(columns) <= 1, width
            assert min(columns) > 60, width
        assert browser.evaluate(CUT_BARS) == [], width
        assert browser.evaluate(BROKEN_HEADS) == [], width


def test_a_table_of_fourteen_classes_fits_on_a_laptop(browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(fourteen_classes(), encoding="utf-8")
    browser.open(path, 1280)
    assert browser.evaluate(SCROLLED) == []


def test_text_of_the_tree_is_readable(browser, page):
    """Also where names are long or their letters wide."""
    browser.open(page, 400)
    assert browser.evaluate(SMALLEST.replace("svg text", "svg.tree text")) >= 8


def test_secondary_text_is_smaller_than_the_text_on_paper_too(browser, page):
    browser.open(page, 717)
    browser.call("Emulation.setEmulatedMedia", media="print")
    sizes = browser.evaluate("""['.limits', '.range', 'figcaption', 'main > section > p, td'].map(
        one => Math.max(0, ...[...document.querySelectorAll(one)].map(
            e => parseFloat(getComputedStyle(e).fontSize))))""")
    text = browser.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert max(sizes) <= text
    # Row heads that stay while a table scrolls hide the lines between rows in print.
    fixed = browser.evaluate("""[...document.querySelectorAll('th')].filter(
        e => getComputedStyle(e).position == 'sticky').length""")
    assert fixed == 0
    browser.call("Emulation.setEmulatedMedia", media="screen")


def test_it_prints_on_a4(browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(fourteen_classes(), encoding="utf-8")
    browser.open(path, 1280)
    printed = browser.pdf()
    assert printed.startswith(b"%PDF")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 4 <= pages <= 16
    # As wide as the paper is, without its margins; what overflows makes the browser shrink all.
    browser.resize(717)
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.evaluate("document.documentElement.scrollWidth") <= 717
    browser.call("Emulation.setEmulatedMedia", media="screen")
    if shutil.which("pdftotext"):
        (tmp_path / "report.pdf").write_bytes(printed)
        done = subprocess.run(["pdftotext", tmp_path / "report.pdf", "-"], capture_output=True,
                              check=True)  # fmt: skip
        assert "How good is it?" in done.stdout.decode()
