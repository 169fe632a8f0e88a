"""The confusion matrix of labels and predictions, as a table."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.forest.voting import sorted_codes
from pycdf.inputs.labels import read_labels
from pycdf.support.wording import plural


def confusion(y: Any, predicted: Any) -> pd.DataFrame:
    """How many rows of each class (down) were predicted as each class (across).

    Classes are compared as text, as everywhere in pycdf: 1 and "1" are one class.
    """
    true, found = read_labels(y, "y"), read_labels(predicted, "predicted")
    if len(true.codes) != len(found.codes):
        raise ValueError(
            f"y has {plural(len(true.codes), 'label')} and predicted {len(found.codes):,}: pass "
            "one prediction per label."
        )
    if (true.codes < 0).any() or (found.codes < 0).any():
        raise ValueError("some rows have no label: drop them from both y and predicted.")
    place = {text: code for code, text in enumerate(dict.fromkeys([*true.texts, *found.texts]))}
    values: dict[str, Any] = dict(zip(found.texts, found.values, strict=True))
    values |= dict(zip(true.texts, true.values, strict=True))
    classes = np.empty(len(place), dtype=object)
    classes[:] = [values[text] for text in place]
    codes, predictions = (
        np.array([place[text] for text in side.texts], dtype=np.int64)[side.codes]
        for side in (true, found)
    )
    return confusion_of_codes(codes, predictions, classes)


def confusion_of_codes(
    codes: npt.NDArray[np.int64], found: npt.NDArray[np.int64], classes: npt.NDArray[Any]
) -> pd.DataFrame:
    n = len(classes)
    counts = np.bincount(codes * n + found, minlength=n * n).reshape(n, n)
    order = sorted_codes(classes)
    return pd.DataFrame(
        counts[np.ix_(order, order)],
        index=pd.Index(classes[order], name="true"),
        columns=pd.Index(classes[order], name="predicted"),
    )
