"""``html_report``: a report on a fitted forest as one HTML page, readable without a network.

:mod:`pycdf.report.sections` has the content, :mod:`pycdf.report.page` the HTML.
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime

from pycdf import __version__
from pycdf.explain.fitted import Classes, Fit, Rows
from pycdf.forest.summary import summary
from pycdf.report.inputs import GivenRows, IdList, Origin, ReportInputs, read_inputs
from pycdf.report.page import Html, html, page, paragraph
from pycdf.report.sections.facts import facts
from pycdf.report.sections.how_good import how_good
from pycdf.report.sections.one_tree import one_tree
from pycdf.report.sections.sample_map import sample_map
from pycdf.report.sections.samples import samples
from pycdf.report.sections.what_decides import what_decides
from pycdf.report.words import listed, quoted
from pycdf.support.wording import one_line, plural

_SECTIONS: tuple[tuple[str, str, Callable[[ReportInputs], Html]], ...] = (
    ("How good?", "How good is it?", how_good),
    ("Wrong or unsure", "On which samples is it wrong or unsure?", samples),
    ("What decides?", "What decides?", what_decides),
    ("Map", "How do the samples lie?", sample_map),
    ("One tree", "What does one tree look like?", one_tree),
    ("Model and data", "Model, data, and how this was made", facts),
)
_NAMED = 4  # classes that the first line names


def html_report(
    fit: Fit,
    X: Rows | None = None,
    y: Classes | None = None,
    *,
    X_test: Rows | None = None,
    y_test: Classes | None = None,
    ids: IdList = None,
    ids_test: IdList = None,
    title: str | None = None,
    seed: int | None = None,
    date: str | None = None,
) -> str:
    """Describe a fitted forest on one HTML page, the answer first.

    The page asks what a reader asks: how good is it, on which samples is it wrong or unsure, what
    decides, how do the samples lie, what does one tree look like, and how was all this made. Given
    test rows, the forest is judged on these; given only the training rows, out of bag, each by the
    trees that were grown without it. A section says what cannot be computed, and why.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        The fitted forest.
    X : array-like or DataFrame of shape (n_rows, n_features), default=None
        The training rows, in the order of training.
    y : array-like of shape (n_rows,), default=None
        The training labels. Pass both X and y, or neither.
    X_test : array-like or DataFrame of shape (n_test_rows, n_features), default=None
        Rows that were not in training. Training rows among them are left out, with a
        :class:`pycdf.TrainingRowsWarning`.
    y_test : array-like of shape (n_test_rows,), default=None
        Their labels.
    ids : array-like, Series or DataFrame, default=None
        Names of the rows of X, such as sample or patient numbers; a DataFrame may have several
        columns. None uses the index of X, or positions counted from 0.
    ids_test : array-like, Series or DataFrame, default=None
        Names of the rows of X_test.
    title : str, default=None
        The title of the page, such as the name of the model.
    seed : int, default=None
        Seed of the shuffles for permutation importance. None means the forest's own.
    date : str, default=None
        The date that the page shows. None means today, or the date in the environment variable
        ``SOURCE_DATE_EPOCH``.

    Returns
    -------
    str
        The page: a single HTML document that contains its styles and pictures, has no scripts and
        loads nothing from the network. The same fit, rows and date always give the same page.

    Examples
    --------
    >>> from pycdf import CDFClassifier, html_report, load_darwin
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X[::2], y[::2])
    >>> page = html_report(fit, X[::2], y[::2], X_test=X[1::2], y_test=y[1::2])
    >>> page.splitlines()[0]
    '<!DOCTYPE html>'
    >>> "72 of 87 test rows" in page
    True

    To open it in a browser, write it to a file::

        Path("report.html").write_text(page, encoding="utf-8")
    """
    origin = Origin(title, today() if date is None else date)
    return write_page(
        read_inputs(fit, GivenRows(X, y, ids), GivenRows(X_test, y_test, ids_test), seed, origin)
    )


def today() -> str:
    """The date, or that of SOURCE_DATE_EPOCH, which makes the same page on every day."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    when = datetime.fromtimestamp(int(fixed), UTC) if fixed else datetime.now().astimezone()
    return when.date().isoformat()


def write_page(inputs: ReportInputs) -> str:
    """The page about a fit and its rows."""
    known = summary(inputs.model)
    names = inputs.look.names
    classes = (
        listed([quoted(names[code]) for code in inputs.look.order])
        if len(names) <= _NAMED
        else html(plural(len(names), "class"))
    )
    lead = Html(
        f"A centroid decision forest that tells {classes} apart: "
        f"{plural(known['trees'], 'tree')}, grown on {plural(known['training_rows'], 'row')} and "
        f"{plural(known['columns'], 'column')}."
    )
    title = one_line(inputs.origin.title) if inputs.origin.title else "Centroid decision forest"
    sections = [(short, long, _section(make, inputs)) for short, long, make in _SECTIONS]
    return page(title, lead, sections, f"Written by pycdf {__version__}.")


def _section(make: Callable[[ReportInputs], Html], inputs: ReportInputs) -> Html:
    """A section, or the reason why there is none, such as a single tree without out-of-bag rows."""
    try:
        return make(inputs)
    except ValueError as error:
        return paragraph(f"Not shown: {error}")
