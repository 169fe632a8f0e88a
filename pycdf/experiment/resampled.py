"""Compare one method with each other method on the splits of each data set.

Random splits share most of their training rows, so that the differences on them are not independent
and the usual t-test finds too much. Nadeau and Bengio (2003) correct its standard error: with J
splits it is ``sd * sqrt(1 / J + test rows / training rows)`` instead of ``sd * sqrt(1 / J)``. More
splits therefore make it smaller only up to a point, which depends on the data set.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats  # type: ignore[import-untyped]

from pycdf.experiment.statistics import holm
from pycdf.validation import corrected_error

COLUMNS = [
    "data", "method", "splits", "difference", "sd", "low", "high", "t", "p", "p_holm",
]  # fmt: skip
LEVEL = 0.95


def differences(
    results: pd.DataFrame,
    measure: str,
    data: Sequence[str],
    methods: Mapping[str, str],
    reference: str,
) -> pd.DataFrame:
    """The mean difference to each other method, with its interval and test, by data set.

    ``methods`` maps names to titles, and ``reference`` is the name of the method that the others
    are subtracted from. Only splits on which both have a value count.
    """
    rows = []
    for name in data:
        mine = results[results["data"] == name]
        values = mine.pivot(index="split", columns="method", values=measure)
        for other, title in methods.items():
            if other == reference or not {other, reference} <= {*values.columns}:
                continue
            gain = (values[reference] - values[other]).dropna().to_numpy()
            if len(gain):
                found = corrected_test(gain, share_of_test_rows(mine))
                rows.append({"data": name, "method": title} | found)
    table = pd.DataFrame(rows, columns=COLUMNS)
    known = table["p"].notna().to_numpy()
    table.loc[known, "p_holm"] = holm(table.loc[known, "p"].to_numpy(dtype=np.float64))
    return table.astype({"p_holm": "float64"})


def share_of_test_rows(results: pd.DataFrame) -> float:
    """The share of test rows in a split, on average."""
    test = float(results["test"].mean())
    return test / (test + float(results["train"].mean()))


def corrected_test(gain: npt.NDArray[np.float64], share: float) -> dict[str, Any]:
    """The mean of paired differences, its 95 % interval, and the corrected resampled t-test.

    With one split there is no interval. If all differences are equal, there is no test either,
    unless all are zero: then p is 1.
    """
    n = len(gain)
    mean = float(gain.mean())
    sd = float(gain.std(ddof=1)) if n > 1 else float("nan")
    error = corrected_error(sd, n, share)
    half = float(stats.t.ppf((1 + LEVEL) / 2, n - 1)) * error if n > 1 else float("nan")
    t = mean / error if error > 0 else float("nan")
    p = float(2 * stats.t.sf(abs(t), n - 1))
    return {
        "splits": n,
        "difference": mean,
        "sd": sd,
        "low": mean - half,
        "high": mean + half,
        "t": t,
        "p": 1.0 if not gain.any() and n > 1 else p,
    }
