"""Checks that the arguments of ``CDF()`` are in order, and enough to train on."""

from typing import Any

import numpy as np

from pycdf.inputs.labels import Labels
from pycdf.inputs.tables import Matrix
from pycdf.support.wording import plural, shown


def check_order(xtrain: Any, ytrain: Any, xtest: Any) -> None:
    """Raise an error if the table and the labels have been swapped."""
    if not _is_table(ytrain):
        return
    for name, data in (("xtrain", xtrain), ("xtest", xtest)):
        if data is not None and not _is_table(data):
            raise ValueError(
                f"ytrain is a table and {name} is not: swap them. "
                "The order is CDF(xtrain, ytrain, xtest)."
            )


def _is_table(data: Any) -> bool:
    """Whether the data have several columns, judged by the container without reading it."""
    if hasattr(data, "shape"):
        return len(data.shape) == 2 and data.shape[1] > 1
    if isinstance(data, list | tuple) and data:
        return isinstance(data[0], list | tuple | np.ndarray) and len(data[0]) > 1
    return False


def check_rows(train: Matrix, labels: Labels) -> None:
    """Raise where R does: too few rows, columns or classes, or not one label per row."""
    n, p = train.values.shape
    if n < 2 or p < 1:
        raise ValueError(
            f"xtrain has {plural(n, 'row')} and {plural(p, 'column')}: "
            "pass at least two rows and one column."
        )
    count = len(labels.codes)
    if count != n:
        remedy = (
            "is xtrain transposed? Pass xtrain.T."
            if count == p
            else "pass one label per row, both from the same split."
        )
        raise ValueError(
            f"ytrain has {plural(count, 'label')} and xtrain {plural(n, 'row')}: {remedy}"
        )
    if len(labels.values) < 2:
        found = f"only the class {shown(labels.texts[0])}" if labels.texts else "no label"
        raise ValueError(
            f"ytrain has {found} in its {plural(n, 'row')}: pass training rows of at least two "
            "classes (a stratified split keeps all of them)."
        )
