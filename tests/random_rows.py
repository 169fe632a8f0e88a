"""Random training rows of a few classes."""

import numpy as np

LABELS = np.array(["b", "C", "a", "d"])  # neither in ICU's order nor in that of code points


def random_rows(n=90, p=20, classes=3, seed=0, *, missing=0.05, constant=3):
    """Rows whose first p // 2 columns depend on the class, and their labels.

    Parameters
    ----------
    n, p, classes : int
        Rows, columns and classes; the classes are equally frequent, in random order.
    seed : int
        Of the generator: the same seed, the same rows.
    missing : float
        The share of the cells that are NaN.
    constant : int or None
        A column without variation, which R drops.
    """
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(n) % classes)
    X = rng.normal(size=(n, p))
    X[:, : p // 2] += codes[:, np.newaxis]
    X[rng.random(X.shape) < missing] = np.nan
    if constant is not None:
        X[:, constant] = 7.0
    return X, LABELS[codes]
