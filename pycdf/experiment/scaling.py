"""Standardise features with the means and standard deviations of the training rows only."""

import warnings

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
RULE = "(x - mean) / sd of the training rows; columns that are constant there become 0"


def standardised(X: Floats, rows: npt.NDArray[np.integer]) -> Floats:
    """All rows of X, scaled as R's ``scale()`` scales the given ones.

    Missing values stay missing and do not count. A column without spread among ``rows`` says
    nothing about the classes: it becomes zero.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a column may have no number in these rows
        centre = np.nanmean(X[rows], axis=0)
        spread = np.nanstd(X[rows], axis=0, ddof=1)
        # Rounding may give equal numbers a tiny standard deviation
        varies = np.nanmin(X[rows], axis=0) < np.nanmax(X[rows], axis=0)
    scaled: Floats = (X - centre) / np.where(varies, spread, 1.0)
    scaled[:, ~varies] = np.where(np.isnan(X[:, ~varies]), np.nan, 0.0)
    return scaled
