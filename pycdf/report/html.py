"""A report on a fitted forest: one HTML page that opens anywhere, without a network.

In go a fit and, for what only they can tell, its training rows and labels; out comes the page as
text. :mod:`pycdf.report.sections` says what is on it, :mod:`pycdf.report.page` has the HTML,
:mod:`pycdf.plots` the pictures.
"""

from collections.abc import Callable
from typing import Any

from pycdf import __version__
from pycdf.explain.fitted import Fit, model_of, read_training
from pycdf.forest.summary import summary
from pycdf.plots.style import need_matplotlib
from pycdf.report.page import Html, page, paragraph
from pycdf.report.sections import OF_THE_FOREST, OF_THE_ROWS, Known
from pycdf.support.wording import one_line, plural


def html_report(
    fit: Fit, X: Any = None, y: Any = None, *, title: str | None = None, seed: int | None = None
) -> str:
    """A page on a fit: what it is, what it selects, its first tree, and how good it is.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
    X, y
        The rows and labels of training, in their order. Without them the page tells what the forest
        alone knows.
    title : str, default=None
        What the page calls the model.
    seed : int, default=None
        For the shuffles of permutation importance; None takes the forest's own.

    Returns
    -------
    str
        HTML, one file with styles and pictures in it. The same fit and rows give the same page.
    """
    need_matplotlib()
    if (X is None) != (y is None):
        raise TypeError("pass both X and y, the rows and labels of training, or neither.")
    model = model_of(fit)
    training = None if X is None else read_training(fit, X, y)
    known = Known(fit, model, model.seed if seed is None else seed, training)
    told = summary(model)
    sections = [*OF_THE_FOREST, *(OF_THE_ROWS if X is not None else ())]
    return page(
        f"Centroid decision forest: {one_line(title)}" if title else "Centroid decision forest",
        f"{plural(told['trees'], 'tree')} for {len(told['classes'])} classes, grown on "
        f"{plural(told['training_rows'], 'row')} of {plural(told['columns'], 'column')}.",
        [(heading, _made(make, known)) for heading, make in sections],
        f"Written by pycdf {__version__}. "
        + ("" if X is not None else "With the training rows the report has more: how good the "
           "forest is, where the rows lie, and whether its first split is real."),
    )  # fmt: skip


def _made(make: Callable[[Known], Html], known: Known) -> Html:
    """A section, or why there is none: a forest of one tree has no rows out of bag, say."""
    try:
        return make(known)
    except ValueError as error:
        return paragraph(f"Not shown: {error}")
