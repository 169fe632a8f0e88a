"""A figure as the bytes of a file; the same figure gives the same bytes."""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from pycdf.support.wording import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Files have no date, so that they can be compared. matplotlib leaves it out of these on request,
# but not out of PostScript; other formats write none anyway.
_UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
_POSTSCRIPT_DATE = re.compile(rb"%%CreationDate: .*\n")


def picture_bytes(axes: Any, form: str = "svg", dpi: float = 150) -> bytes:
    """The figure of ``axes`` (one, or an array), which is closed, so that pyplot keeps none."""
    from matplotlib import pyplot

    figure = np.ravel(axes)[0].figure
    try:
        return figure_bytes(figure, form, dpi)
    finally:
        pyplot.close(figure)


def figure_bytes(figure: "Figure", form: str, dpi: float = 150) -> bytes:
    """A figure in a matplotlib format, without dates or random ids."""
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "pycdf"}), _one_warning_of_missing_glyphs():
        figure.savefig(file, format=form, dpi=dpi, metadata=_UNDATED.get(form))
    content = file.getvalue()
    return _POSTSCRIPT_DATE.sub(b"", content, count=1) if form in ("ps", "eps") else content


@contextmanager
def _one_warning_of_missing_glyphs() -> Iterator[None]:
    """Replace matplotlib's warning for each character that the font lacks by a single one."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        yield
    lost = {str(one.message) for one in seen if "missing from font" in str(one.message)}
    for one in seen:
        if str(one.message) not in lost:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if lost:
        warnings.warn(
            f"the font lacks {plural(len(lost), 'character')} of the names, shown as boxes: choose "
            "another one by font.family in matplotlib's settings.",
            UserWarning,
            stacklevel=5,
        )


def picture_forms() -> list[str]:
    """The formats that can be written, as file name extensions.

    Those that need TeX, and raw pixel dumps, are left out.
    """
    from matplotlib.figure import Figure

    return sorted({*Figure().canvas.get_supported_filetypes()} - {"pgf", "raw", "rgba"})
