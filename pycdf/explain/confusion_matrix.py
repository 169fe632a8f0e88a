"""The confusion matrix of labels and predictions, as a table."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.forest.voting import sorted_codes
from pycdf.inputs.kinds import LabelList
from pycdf.inputs.labels import read_labels
from pycdf.support.wording import plural


def confusion(y: LabelList, predicted: LabelList) -> pd.DataFrame:
    """Count how many rows of each true class were predicted as each class.

    Classes are compared as text, as everywhere in pycdf: 1 and "1" are the same class.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true labels.
    predicted : array-like of shape (n_rows,)
        The predicted labels.

    Returns
    -------
    DataFrame
        Counts, with one row per true class and one column per predicted class, both sorted.

    Examples
    --------
    >>> from pycdf.explain import confusion
    >>> confusion(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    predicted  a  b
    true
    a          1  1
    b          0  2
    """
    true, found = read_labels(y, "y"), read_labels(predicted, "predicted")
    if len(true.codes) != len(found.codes):
        raise ValueError(
            f"y has {plural(len(true.codes), 'label')} and predicted {len(found.codes):,}: pass "
            "one prediction per label."
        )
    if (true.codes < 0).any() or (found.codes < 0).any():
        raise ValueError("some rows have no label: drop them from both y and predicted.")
    # Read once more, together: numbers of both sides are then written as one type
    both = read_labels([*true.values.tolist(), *found.values.tolist()])
    classes = np.empty(len(both.values), dtype=object)
    classes[:] = both.values.tolist()
    codes = both.codes[: len(true.values)].astype(np.int64)[true.codes]
    predictions = both.codes[len(true.values) :].astype(np.int64)[found.codes]
    return confusion_of_codes(codes, predictions, classes)


def confusion_of_codes(
    codes: npt.NDArray[np.int64], found: npt.NDArray[np.int64], classes: npt.NDArray[Any]
) -> pd.DataFrame:
    """The confusion matrix of true (``codes``) and predicted (``found``) class codes."""
    n = len(classes)
    counts = np.bincount(codes * n + found, minlength=n * n).reshape(n, n)
    order = sorted_codes(classes)
    return pd.DataFrame(
        counts[np.ix_(order, order)],
        index=pd.Index(classes[order], name="true"),
        columns=pd.Index(classes[order], name="predicted"),
    )
