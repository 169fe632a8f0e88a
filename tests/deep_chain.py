"""Data on which a tree sends all its rows to the same branch, level after level.

Class b is missing in the first column, so its centroid is nearer to every row than that of class a,
also to the rows of a.
"""

import numpy as np


def deep_chain(n=24):
    """Rows x 2 and their labels."""
    y = np.resize(["a", "a", "b"], n)
    spread = 5.0 * np.resize([-1, 1, 1, -1, 1, -1], n)
    X = np.where(y == "a", [spread, np.resize([-1.0, 1.0], n)], [[np.nan], [0.1]]).T
    return X, y
