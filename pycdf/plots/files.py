"""A picture as the bytes of a file; the same picture gives the same bytes.

In go axes that a function of :mod:`pycdf.plots` returned; out come bytes, and pyplot forgets the
figure: a command or a report leaves nothing behind.
"""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pycdf.support.wording import plural

# Files carry no date, so that they can be compared; formats that are not here write none.
_UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None}, "pdf": {"CreationDate": None}, "ps": {"CreationDate": None},
}  # fmt: skip


def picture_bytes(axes: Any, form: str = "svg", dpi: float = 150) -> bytes:
    """The figure of ``axes`` (one, or an array) in a format of matplotlib's; it is closed."""
    import matplotlib
    from matplotlib import pyplot

    figure = np.ravel(axes)[0].figure
    file = io.BytesIO()
    try:
        with matplotlib.rc_context({"svg.hashsalt": "pycdf"}), _one_warning_of_missing_signs():
            figure.savefig(file, format=form, dpi=dpi, metadata=_UNDATED.get(form))
    finally:
        pyplot.close(figure)
    return file.getvalue()


@contextmanager
def _one_warning_of_missing_signs() -> Iterator[None]:
    """One warning for all characters that the font lacks, where matplotlib gives one for each."""
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
            stacklevel=4,
        )


def picture_forms() -> list[str]:
    """The formats that can be written, by the ends of file names.

    Without those that need TeX, and those that no program opens.
    """
    from matplotlib.figure import Figure

    return sorted({*Figure().canvas.get_supported_filetypes()} - {"pgf", "raw", "rgba"})
