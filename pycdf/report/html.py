"""``html_report``: a report on a fitted forest as one HTML page, readable without a network.

:mod:`pycdf.report.sections` has the content, :mod:`pycdf.report.page` the HTML, and
:mod:`pycdf.plots` the pictures.
"""

from collections.abc import Callable

from pycdf import __version__
from pycdf.explain.fitted import Classes, Fit, Rows, model_of, read_training
from pycdf.forest.summary import summary
from pycdf.plots.style import need_matplotlib
from pycdf.report.page import Html, page, paragraph
from pycdf.report.sections import FOREST_SECTIONS, ROW_SECTIONS, ReportInputs
from pycdf.support.wording import one_line, plural


def html_report(
    fit: Fit,
    X: Rows | None = None,
    y: Classes | None = None,
    *,
    title: str | None = None,
    seed: int | None = None,
) -> str:
    """Describe a fitted forest on one HTML page, with tables and pictures.

    The page shows the forest's parameters, the features that it selects and its first tree. Given
    the training rows and labels, it also shows the out-of-bag accuracy, a map of the rows,
    permutation importance, and the significance of the first split. Drawing needs matplotlib.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        The fitted forest.
    X : array-like or DataFrame of shape (n_rows, n_features), default=None
        The training rows, in the order of training. None limits the page to the forest itself.
    y : array-like of shape (n_rows,), default=None
        The training labels. Pass both X and y, or neither.
    title : str, default=None
        A name for the model, shown in the page's title.
    seed : int, default=None
        Seed of the shuffles for permutation importance. None means the forest's own.

    Returns
    -------
    str
        The page: a single HTML document that contains its styles and pictures and loads nothing
        from the network. The same fit and rows always give the same page.

    Examples
    --------
    >>> from pycdf import CDFClassifier, html_report, load_darwin
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> page = html_report(fit, title="Alzheimer's disease from handwriting")
    >>> page.splitlines()[0]
    '<!DOCTYPE html>'
    >>> page.count("<figure>")
    4

    To open it in a browser, write it to a file::

        Path("report.html").write_text(page, encoding="utf-8")
    """
    need_matplotlib()
    if (X is None) != (y is None):
        raise TypeError("pass both X and y, the training rows and labels, or neither.")
    model = model_of(fit)
    training = None if X is None or y is None else read_training(fit, X, y)
    inputs = ReportInputs(fit, model, model.seed if seed is None else seed, training)
    facts = summary(model)
    sections = [*FOREST_SECTIONS, *(ROW_SECTIONS if X is not None else ())]
    return page(
        f"Centroid decision forest: {one_line(title)}" if title else "Centroid decision forest",
        f"{plural(facts['trees'], 'tree')} for {plural(len(facts['classes']), 'class')}, grown on "
        f"{plural(facts['training_rows'], 'row')} and {plural(facts['columns'], 'column')}.",
        [(heading, _section(make, inputs)) for heading, make in sections],
        f"Written by pycdf {__version__}. "
        + ("" if X is not None else "Given the training rows, the report also shows the accuracy, "
           "a map of the rows, and whether the first split is significant."),
    )  # fmt: skip


def _section(make: Callable[[ReportInputs], Html], inputs: ReportInputs) -> Html:
    """A section, or the reason why there is none, such as a single tree without out-of-bag rows."""
    try:
        return make(inputs)
    except ValueError as error:
        return paragraph(f"Not shown: {error}")
